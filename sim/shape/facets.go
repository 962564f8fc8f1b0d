package shape

import (
	"math"

	"simdeck/sim/r3"
)

// Facets are the surface of a solid as triangles, in a frame of its user: what a fluid wets of it. Surfaces
// that are round have their exact areas as a whole. Of a part of one the error is below half a percent of
// the whole.
type Facets struct {
	corners []r3.Vec
	facets  []facet
	// Area is that of the whole surface, m², and Shadow those of its projections along x, y and z.
	Area   float64
	Shadow r3.Vec
	area   float64 // by that of the triangles
	shadow r3.Vec  // by those of the triangles
}

// facet is a triangle.
type facet struct {
	corners [3]int32
	normal  r3.Vec // outward, as long as its area
	area    float64
}

// Numbers of facets around a round surface, and of those from one pole of a ball to the other.
const (
	facetsAround = 32
	facetsAlong  = 16
)

// NewFacets is the surface of a solid at a pose; of planes, heightfields and open meshes it is empty.
func NewFacets(s Shape, at r3.Pose) *Facets {
	f := &Facets{area: 1, shadow: r3.V(1, 1, 1)}
	axis := at.Rot.Rotate(r3.V(0, 0, 1))
	switch s := s.(type) {
	case Sphere:
		f.turned(ballProfile(s.Radius, 0))
		disc := float64(pi * s.Radius * s.Radius)
		f.Area, f.Shadow = 4*disc, r3.V(disc, disc, disc)
	case Capsule:
		f.turned(ballProfile(s.Radius, s.Half))
		disc, side := float64(pi*s.Radius*s.Radius), float64(4*s.Radius*s.Half)
		f.Area = float64(4*disc) + float64(pi*side)
		f.Shadow = r3.V(disc, disc, disc).AddScaled(side, aside(axis))
	case Cylinder:
		f.turned([][2]float64{{0, s.Half}, {s.Radius, s.Half}, {s.Radius, -s.Half}, {0, -s.Half}})
		disc, side := float64(pi*s.Radius*s.Radius), float64(4*s.Radius*s.Half)
		f.Area = float64(2*disc) + float64(pi*side)
		f.Shadow = r3.Vec{}.AddScaled(disc, axis.Abs()).AddScaled(side, aside(axis))
	case Box:
		for k := range uint8(8) {
			sign := func(bit uint8) float64 { return float64(int(k>>bit&1)*2 - 1) }
			f.corners = append(f.corners, s.Half.Mul(r3.V(sign(0), sign(1), sign(2))))
		}
		for _, c := range boxFaces {
			f.fan(int32(c[0]), int32(c[1]), int32(c[2]), int32(c[3]))
		}
	case *Hull:
		f.corners = append(f.corners, s.vertices...)
		for _, c := range s.faces {
			f.fan(c...)
		}
	case *Mesh:
		if s.closed {
			f.corners = append(f.corners, s.vertices...)
			for _, c := range s.triangles {
				f.fan(c[:]...)
			}
		}
	}
	f.place(at)
	return f
}

// aside is the sines of the angles of a direction to x, y and z.
func aside(axis r3.Vec) r3.Vec {
	sine := func(c float64) float64 { return math.Sqrt(max(0, 1-float64(c*c))) }
	return r3.V(sine(axis.X), sine(axis.Y), sine(axis.Z))
}

// ballProfile is the radii and heights of a ball from above, its halves apart by twice half.
func ballProfile(radius, half float64) (profile [][2]float64) {
	for i := range facetsAlong + 1 {
		sin, cos := r3.SinCos(pi * float64(i) / facetsAlong)
		switch {
		case i == 0 || i == facetsAlong:
			sin = 0
		case i == facetsAlong/2:
			profile = append(profile, [2]float64{radius, half})
			sin, cos = 1, 0
		}
		z := float64(radius*cos) + half
		if 2*i >= facetsAlong {
			z = float64(radius*cos) - half
		}
		profile = append(profile, [2]float64{radius * sin, z})
	}
	return profile
}

// turned is the surface that a profile of radii and heights, from above, makes about z.
func (f *Facets) turned(profile [][2]float64) {
	for _, p := range profile {
		for k := range facetsAround {
			sin, cos := r3.SinCos(2 * pi * float64(k) / facetsAround)
			f.corners = append(f.corners, r3.V(p[0]*cos, p[0]*sin, p[1]))
		}
	}
	for i := range len(profile) - 1 {
		for k := range facetsAround {
			a, b := int32(i*facetsAround+k), int32(i*facetsAround+(k+1)%facetsAround)
			f.fan(a, a+facetsAround, b+facetsAround, b)
		}
	}
}

// fan adds a convex face, counter-clockwise seen from outside.
func (f *Facets) fan(face ...int32) {
	for i := 2; i < len(face); i++ {
		f.facets = append(f.facets, facet{corners: [3]int32{face[0], face[i-1], face[i]}})
	}
}

// place puts the surface at a pose, and weighs its triangles by the exact areas of the whole.
func (f *Facets) place(at r3.Pose) {
	for i, c := range f.corners {
		f.corners[i] = at.Apply(c)
	}
	all := f.facets
	f.facets = f.facets[:0]
	for _, k := range all {
		a, b, c := f.corners[k.corners[0]], f.corners[k.corners[1]], f.corners[k.corners[2]]
		k.normal = b.Sub(a).Cross(c.Sub(a)).Scale(0.5)
		if k.area = k.normal.Len(); k.area > 0 { // at a pole two corners are one
			f.facets = append(f.facets, k)
		}
	}
	area, shadow := f.Below(r3.V(0, 0, 1), math.Inf(1))
	if f.Area == 0 {
		f.Area, f.Shadow = area, shadow
		return
	}
	f.area = f.Area / area
	f.shadow = r3.V(f.Shadow.X/shadow.X, f.Shadow.Y/shadow.Y, f.Shadow.Z/shadow.Z)
}

// Below is the area of the part of the surface where normal·x ≤ offset, m², without the section. Shadow is
// the areas of the part's projections along x, y and z: exact for convex solids. Those of others count
// every facet toward a direction, hidden ones too. The normal has the length 1.
func (f *Facets) Below(normal r3.Vec, offset float64) (area float64, shadow r3.Vec) {
	var room [1024]float64
	heights := room[:0] // of the corners above the plane
	if len(f.corners) > len(room) {
		heights = make([]float64, 0, len(f.corners))
	}
	for _, c := range f.corners {
		heights = append(heights, c.Dot(normal)-offset)
	}
	var sum, either r3.Vec // of the parts' normals, and of their absolute numbers
	for i := range f.facets {
		k := &f.facets[i]
		part := partBelow(heights[k.corners[0]], heights[k.corners[1]], heights[k.corners[2]])
		if part == 0 {
			continue
		}
		area += float64(part * k.area)
		sum = sum.AddScaled(part, k.normal)
		either = either.AddScaled(part, k.normal.Abs())
	}
	// Facets to both sides of an axis are either ± sum, halved. The section closes the part, and faces one
	// side of each axis: the other side is all of its shadow.
	return area * f.area, either.Add(sum.Abs()).Scale(0.5).Mul(f.shadow)
}

// partBelow is the part of a triangle's area that is below a plane, by the heights of its corners above it.
func partBelow(a, b, c float64) float64 {
	if a <= 0 && b <= 0 && c <= 0 {
		return 1
	} else if a > 0 && b > 0 && c > 0 {
		return 0
	}
	// The corner that is alone on its side cuts off a triangle.
	switch {
	case (b <= 0) == (c <= 0):
	case (a <= 0) == (c <= 0):
		a, b = b, a
	default:
		a, c = c, a
	}
	cut := float64(a / (a - b) * (a / (a - c)))
	if a <= 0 {
		return cut
	}
	return 1 - cut
}
