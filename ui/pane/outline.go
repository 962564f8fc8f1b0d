package pane

import (
	"cmp"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// point is a place on the ground, in metres.
type point struct{ x, y float64 }

// segment is a line on the ground plan.
type segment struct{ a, b point }

// solid is a collision shape of a model.
type solid struct {
	link    int // index into ModelSpec.Links
	geom    *scene.Geom
	corners []r3.Vec // in the link's frame
}

// solids lists the shapes of a model that have an outline.
func solids(spec *scene.ModelSpec) []solid {
	out := []solid{}
	for l := range spec.Links {
		for g := range spec.Links[l].Collisions {
			geom := &spec.Links[l].Collisions[g]
			if c := corners(geom); len(c) > 0 {
				out = append(out, solid{l, geom, c})
			}
		}
	}
	return out
}

// wall appends the ground plan of a fixed shape at a pose: a mesh is cut, a terrain has level lines, others
// are convex.
func (s *solid) wall(out []segment, at r3.Pose) []segment {
	switch {
	case s.geom.Kind == scene.Heightfield && s.geom.Heights != nil:
		return contours(out, s.geom, at)
	case s.geom.Kind == scene.MeshGeom:
		if walls := slice(out, s.geom, at); len(walls) > len(out) {
			return walls
		}
	}
	return outline(out, s.corners, at)
}

// corners gives points, in the link's frame, whose convex hull is the shape,
// or nearly: rounds are made of a dozen points. Planes have no outline.
func corners(g *scene.Geom) []r3.Vec {
	var out []r3.Vec
	switch g.Kind {
	case scene.Box:
		h := g.Size.Scale(0.5)
		for i := range 8 {
			out = append(out, r3.V(side(h.X, i), side(h.Y, i>>1), side(h.Z, i>>2)))
		}
	case scene.Sphere:
		out = ball(r3.Vec{}, g.Radius)
	case scene.Cylinder:
		out = append(ring(g.Radius, g.Length/2), ring(g.Radius, -g.Length/2)...)
	case scene.Capsule:
		out = append(ball(r3.V(0, 0, g.Length/2), g.Radius), ball(r3.V(0, 0, -g.Length/2), g.Radius)...)
	case scene.MeshGeom:
		out = extremes(g)
	case scene.Heightfield:
		if g.Heights != nil {
			b := g.Heights.Box()
			for i := range 8 {
				out = append(out, b.Centre().Add(r3.V(side(b.Half().X, i), side(b.Half().Y, i>>1),
					side(b.Half().Z, i>>2))))
			}
		}
	}
	for i := range out {
		out[i] = g.Pose.Apply(out[i])
	}
	return out
}

func side(half float64, bit int) float64 {
	if bit&1 == 0 {
		return -half
	}
	return half
}

func ring(r, z float64) []r3.Vec {
	var out []r3.Vec
	for i := range 16 {
		s, c := math.Sincos(float64(i) * math.Pi / 8)
		out = append(out, r3.V(r*c, r*s, z))
	}
	return out
}

func ball(centre r3.Vec, r float64) []r3.Vec {
	var out []r3.Vec
	for lat := -2.0; lat <= 2; lat++ {
		s, c := math.Sincos(lat * math.Pi / 6)
		for _, p := range ring(r*c, r*s) {
			out = append(out, centre.Add(p))
		}
	}
	return out
}

// extremes are a mesh's vertices that lie furthest in any of 26 directions.
func extremes(g *scene.Geom) []r3.Vec {
	if g.Mesh == nil || len(g.Mesh.Vertices) == 0 {
		return nil
	}
	seen := map[int]bool{}
	var out []r3.Vec
	for k := range 27 {
		d := r3.V(float64(k%3-1), float64(k/3%3-1), float64(k/9-1)).Mul(g.Scale)
		best, far := -1, math.Inf(-1)
		for i, v := range g.Mesh.Vertices {
			if p := v.Dot(d); p > far {
				best, far = i, p
			}
		}
		if best >= 0 && k != 13 && !seen[best] {
			seen[best] = true
			out = append(out, g.Mesh.Vertices[best].Mul(g.Scale))
		}
	}
	return out
}

// hull is the convex hull of points, counter-clockwise (Andrew 1979). It
// reorders its argument.
func hull(p []point) []point {
	if len(p) < 3 {
		return p
	}
	slices.SortFunc(p, func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	out := make([]point, 0, 2*len(p))
	half := func(start int, q point) {
		for len(out) >= start+2 && turn(out[len(out)-2], out[len(out)-1], q) <= 0 {
			out = out[:len(out)-1]
		}
		out = append(out, q)
	}
	for _, q := range p {
		half(0, q)
	}
	start := len(out) - 1
	for i := len(p) - 2; i >= 0; i-- {
		half(start, p[i])
	}
	return out[:len(out)-1]
}

func turn(a, b, c point) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }

// outline appends the hull of a shape standing at a pose.
func outline(out []segment, shape []r3.Vec, at r3.Pose) []segment {
	p := make([]point, 0, 48)
	for _, v := range shape {
		w := at.Apply(v)
		p = append(p, point{w.X, w.Y})
	}
	p = hull(p)
	for i := range p {
		out = append(out, segment{p[i], p[(i+1)%len(p)]})
	}
	return out
}

const (
	contourCells = 96 // of the grid that level lines are drawn from, along an edge
	contourSteps = 8  // from the lowest to the highest point of a terrain
)

// contours appends the level lines of a terrain standing at a pose.
func contours(out []segment, g *scene.Geom, at r3.Pose) []segment {
	m := g.Heights.Mesh(contourCells)
	at = at.Mul(g.Pose)
	box := r3.EmptyBox()
	for i, v := range m.Vertices {
		m.Vertices[i] = at.Apply(v)
		box = box.Extend(m.Vertices[i])
	}
	for k := 1; k < contourSteps; k++ {
		out = cut(out, m.Vertices, m.Triangles, box.Min.Z+box.Size().Z*float64(k)/contourSteps)
	}
	return out
}

// slice appends where a mesh standing at a pose is cut by a level plane a
// little above its foot: the floor plan of walls.
func slice(out []segment, g *scene.Geom, at r3.Pose) []segment {
	if g.Mesh == nil {
		return out
	}
	box := r3.EmptyBox()
	at = at.Mul(g.Pose)
	world := make([]r3.Vec, len(g.Mesh.Vertices))
	for i, v := range g.Mesh.Vertices {
		world[i] = at.Apply(v.Mul(g.Scale))
		box = box.Extend(world[i])
	}
	if box.IsEmpty() || box.Max.Z < floorHeight {
		return out
	}
	z := box.Min.Z + min(0.25, box.Size().Z/2) + 1e-6
	return cut(out, world, g.Mesh.Triangles, z)
}

// cut appends where triangles go through the height z.
func cut(out []segment, at []r3.Vec, triangles [][3]int32, z float64) []segment {
	for _, t := range triangles {
		var ends [2]point
		n := 0
		for i := range 3 {
			a, b := at[t[i]], at[t[(i+1)%3]]
			if (a.Z < z) != (b.Z < z) {
				p := a.Lerp(b, (z-a.Z)/(b.Z-a.Z))
				ends[n] = point{p.X, p.Y}
				n++
			}
		}
		if n == 2 {
			out = append(out, segment{ends[0], ends[1]})
		}
	}
	return out
}

// floorHeight is the least height of the top of a fixed shape that is drawn, m: robots drive over lower ones.
const floorHeight = 0.02

// isFloor reports that a fixed shape ends below floorHeight.
func isFloor(shape []r3.Vec, at r3.Pose) bool {
	for _, v := range shape {
		if at.Apply(v).Z > floorHeight {
			return false
		}
	}
	return true
}
