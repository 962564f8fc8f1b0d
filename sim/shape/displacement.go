package shape

import (
	"math"

	"simdeck/sim/r3"
)

// Displacement is the part of a solid on one side of a plane: what floats displaces it.
type Displacement struct {
	Volume float64 // m³
	Moment r3.Vec  // m⁴: the volume times its centre, in the shape's frame
}

// Centre is the centre of the volume; without any the origin.
func (d Displacement) Centre() r3.Vec {
	if !(d.Volume > 0) {
		return r3.Vec{}
	}
	return d.Moment.Scale(1 / d.Volume)
}

// Less is the rest of a solid without a part of it.
func (d Displacement) Less(part Displacement) Displacement {
	return Displacement{d.Volume - part.Volume, d.Moment.Sub(part.Moment)}
}

// plus is two parts as one.
func (d Displacement) plus(o Displacement) Displacement {
	return Displacement{d.Volume + o.Volume, d.Moment.Add(o.Moment)}
}

// moved is a part whose frame stands at a place, turned by nothing.
func (d Displacement) moved(by r3.Vec) Displacement {
	return Displacement{d.Volume, d.Moment.AddScaled(d.Volume, by)}
}

// Whole is all of a solid; of planes, heightfields and open meshes nothing.
func Whole(s Shape) Displacement { return filled(s.Mass(1)) }

// filled is a solid by its mass at a density of 1.
func filled(m Mass) Displacement { return Displacement{m.Mass, m.COM.Scale(m.Mass)} }

// Below is the part of a solid where normal·x ≤ offset, in the shape's frame; the normal has the length 1.
// It is exact, by closed forms, for every solid; for planes, heightfields and open meshes it is nothing.
func Below(s Shape, normal r3.Vec, offset float64) Displacement {
	switch s := s.(type) {
	case Sphere:
		return sphereBelow(s.Radius, normal, offset)
	case Cylinder:
		return cylinderBelow(s, normal, offset)
	case Capsule:
		top := r3.Vec{Z: s.Half}
		tube := cylinderBelow(Cylinder(s), normal, offset)
		head := hemisphereBelow(s.Radius, normal, offset-normal.Dot(top))
		n := r3.Vec{X: normal.X, Y: normal.Y, Z: -normal.Z}
		foot := hemisphereBelow(s.Radius, n, offset+normal.Dot(top))
		foot.Moment.Z = -foot.Moment.Z
		return tube.plus(head.moved(top)).plus(foot.moved(top.Neg()))
	case Box:
		return boxBelow(s, normal, offset)
	case *Hull:
		var sum Displacement
		for _, f := range s.faces {
			for i := 2; i < len(f); i++ {
				sum.addTriangle(s.vertices[f[0]], s.vertices[f[i-1]], s.vertices[f[i]], normal, offset)
			}
		}
		return sum
	case *Mesh:
		var sum Displacement
		if s.closed {
			for _, t := range s.triangles {
				sum.addTriangle(s.vertices[t[0]], s.vertices[t[1]], s.vertices[t[2]], normal, offset)
			}
		}
		return sum
	}
	return Displacement{}
}

// boxFaces are the corners of a box's faces, counter-clockwise seen from outside; bits of a corner are its
// signs along x, y and z.
var boxFaces = [6][4]uint8{{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}}

func boxBelow(b Box, normal r3.Vec, offset float64) (sum Displacement) {
	if reach := b.Half.Dot(normal.Abs()); offset >= reach {
		return filled(b.Mass(1)) // not as a Shape, which takes memory
	} else if offset <= -reach {
		return sum
	}
	corner := func(k uint8) r3.Vec {
		sign := func(bit uint8) float64 { return float64(int(k>>bit&1)*2 - 1) }
		return b.Half.Mul(r3.V(sign(0), sign(1), sign(2)))
	}
	for _, f := range boxFaces {
		a, c := corner(f[0]), corner(f[2])
		sum.addTriangle(a, corner(f[1]), c, normal, offset)
		sum.addTriangle(a, c, corner(f[3]), normal, offset)
	}
	return sum
}

// addTriangle adds the tetrahedron of a surface's triangle and the plane's point nearest to the origin, as
// far as the triangle is below. From there the section by the plane has no volume. So the sum over all
// triangles is the part below.
func (d *Displacement) addTriangle(a, b, c, normal r3.Vec, offset float64) {
	apex := normal.Scale(offset)
	in := [3]r3.Vec{a, b, c}
	var height [3]float64
	below := 0
	for i, p := range in {
		if height[i] = p.Dot(normal) - offset; height[i] <= 0 {
			below++
		}
	}
	switch below {
	case 0:
		return
	case 3:
		d.addTetrahedron(apex, a, b, c)
		return
	}
	// The corner that is alone on its side comes first.
	i := 0
	for below == 1 != (height[i] <= 0) {
		i++
	}
	j, k := (i+1)%3, (i+2)%3
	p := in[i].Lerp(in[j], height[i]/(height[i]-height[j]))
	q := in[i].Lerp(in[k], height[i]/(height[i]-height[k]))
	if below == 1 {
		d.addTetrahedron(apex, in[i], p, q)
		return
	}
	d.addTetrahedron(apex, p, in[j], in[k])
	d.addTetrahedron(apex, p, in[k], q)
}

func (d *Displacement) addTetrahedron(o, a, b, c r3.Vec) {
	v := a.Sub(o).Dot(b.Sub(o).Cross(c.Sub(o))) / 6
	d.Volume += v
	d.Moment = d.Moment.AddScaled(v/4, o.Add(a).Add(b).Add(c))
}

// sphereBelow is the segment of a ball (Bronstein, "Taschenbuch der Mathematik", 3.3.4).
func sphereBelow(radius float64, normal r3.Vec, offset float64) Displacement {
	h := max(0, min(2*radius, offset+radius))
	v := pi * float64(h*h) * (radius - h/3)
	at := max(-radius, min(radius, offset))
	rest := float64(radius*radius) - float64(at*at)
	return Displacement{v, normal.Scale(-pi / 4 * float64(rest*rest))}
}

// hemisphereBelow is the part below a plane of the half of a ball with z ≥ 0. By the divergence theorem its
// volume is that of the cone over its spherical face and that over its section. Its moment is that of
// R² − x² over its flat faces alone.
func hemisphereBelow(radius float64, normal r3.Vec, offset float64) Displacement {
	if offset <= -radius {
		return Displacement{}
	}
	r2 := float64(radius * radius)
	if offset >= radius {
		return Displacement{2 * pi / 3 * float64(r2*radius), r3.Vec{Z: pi / 4 * float64(r2*r2)}}
	}
	c, s := normal.Z, math.Sqrt(float64(normal.X*normal.X)+float64(normal.Y*normal.Y))
	section := math.Sqrt(r2 - float64(offset*offset)) // radius of the section of the whole ball
	// Both flat faces are discs that a line cuts; without a slope they are whole or not there.
	base, cut := disc{radius, math.Copysign(radius, offset)}, disc{section, math.Copysign(section, c*offset)}
	if s > 1e-12 {
		base.end, cut.end = offset/s, float64(offset*c)/s
	}
	area, second := cut.integrals()
	_, under := base.integrals()
	angle := hemisphereAngle(c, s, offset/radius)
	volume := float64(float64(r2*radius)*angle) + float64(offset*area)
	up := r3.Vec{Z: 1}
	return Displacement{volume / 3, up.Scale(under/2).AddScaled(-second/2, normal)}
}

// hemisphereAngle is the solid angle of the directions u with u.z ≥ 0 and n·u ≤ h, by the theorem of Gauss
// and Bonnet. Of the normal n, c is the z and s the length of the rest.
func hemisphereAngle(c, s, h float64) float64 {
	switch {
	case h >= s && c >= 0:
		return 2 * pi * h
	case h >= s:
		return 2 * pi
	case h <= -s && c >= 0:
		return 0
	case h <= -s:
		return 2 * pi * (1 + h)
	}
	across := math.Sqrt(float64((s - h) * (s + h)))
	arc, corner := r3.Atan2(across, -float64(h*c)), r3.Atan2(across, c)
	return 2 * (float64(h*arc) + corner)
}

// disc is the part of a disc where x ≤ end, about its centre.
type disc struct{ radius, end float64 }

// integrals are its area, m², and that of radius² − x² − y² over it, m⁴.
func (d disc) integrals() (area, second float64) {
	r2 := float64(d.radius * d.radius)
	if d.end <= -d.radius {
		return 0, 0
	}
	if d.end >= d.radius {
		return pi * r2, pi / 2 * float64(r2*r2)
	}
	c := chordsTo(d.radius, d.end).less(chordsTo(d.radius, -d.radius))
	y := math.Sqrt(max(0, r2-float64(d.end*d.end)))
	// ∫ x² is c.two, ∫ y² is a third of the chords' cubes.
	cubes := float64(d.end*float64(y*y*y))/6 + float64(r2*c.zero/4)
	return c.zero, float64(r2*c.zero) - c.two - cubes
}

// chords are the integrals of a circle's chord, 2·√(r² − x²), and of its product with x and x².
type chords struct{ zero, one, two float64 }

// chordsTo are the antiderivatives at x.
func chordsTo(radius, x float64) chords {
	r2 := float64(radius * radius)
	y := math.Sqrt(max(0, r2-float64(x*x)))
	turn := r3.Atan2(x, y)
	xy := float64(x * y)
	return chords{zero: xy + float64(r2*turn), one: -2.0 / 3 * float64(y*y*y),
		two: (float64(float64(r2*r2)*turn) - float64(xy*(r2-float64(2*x*x)))) / 4}
}

func (c chords) less(o chords) chords { return chords{c.zero - o.zero, c.one - o.one, c.two - o.two} }

// cylinderBelow integrates over the slices of a cylinder that stand across the slope of the plane. In each
// the part below is a rectangle, whose height grows evenly where the plane cuts the side.
func cylinderBelow(k Cylinder, normal r3.Vec, offset float64) Displacement {
	c, s := math.Abs(normal.Z), math.Sqrt(float64(normal.X*normal.X)+float64(normal.Y*normal.Y))
	if reach := float64(s*k.Radius) + float64(c*k.Half); offset >= reach {
		return filled(k.Mass(1)) // as in boxBelow
	} else if offset <= -reach {
		return Displacement{}
	}
	const level, upright = 1e-9, 1e-9
	full, empty := k.Radius, k.Radius // the slices up to full are whole, those from empty on have nothing
	if s > level {
		full = max(-k.Radius, min(k.Radius, (offset-float64(c*k.Half))/s))
		empty = max(-k.Radius, min(k.Radius, (offset+float64(c*k.Half))/s))
	} else {
		full = -k.Radius
	}
	whole := chordsTo(k.Radius, full).less(chordsTo(k.Radius, -k.Radius))
	d := Displacement{float64(2 * k.Half * whole.zero), r3.Vec{X: float64(2 * k.Half * whole.one)}}
	if c > upright && empty > full {
		part := chordsTo(k.Radius, empty).less(chordsTo(k.Radius, full))
		d0, d1 := offset/c, -s/c // the surface's height at x: d0 + d1·x
		d.Volume += float64((d0+k.Half)*part.zero) + float64(d1*part.one)
		d.Moment.X += float64((d0+k.Half)*part.one) + float64(d1*part.two)
		d.Moment.Z = (float64((float64(d0*d0)-float64(k.Half*k.Half))*part.zero) +
			float64(2*d0*d1*part.one) + float64(d1*d1*part.two)) / 2
	}
	if normal.Z < 0 {
		d.Moment.Z = -d.Moment.Z
	}
	x := d.Moment.X // along the slope
	d.Moment.X, d.Moment.Y = 0, 0
	if s > level {
		d.Moment.X, d.Moment.Y = float64(x*normal.X)/s, float64(x*normal.Y)/s
	}
	return d
}
