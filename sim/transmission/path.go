// Package transmission computes MuJoCo's transmissions: a length that follows from the poses of bodies, and
// its Jacobian, as wrenches on them. It is the length of a string (tendon) through sites and around shapes, or
// the place of a site or of a slider with a crank. A Law is the force along it: motor, spring,
// damper, friction and range. (MuJoCo documentation, "Computation", Actuation model.)
//
// It knows no world: bodies are numbers, and their poses come from a function. Nothing here keeps state, and
// the same input gives the same bits.
package transmission

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// World is the number of a body that stands still at the origin.
const World int32 = -1

// Kind is the kind of a part of a string.
type Kind uint8

// The kinds of parts.
const (
	Site     Kind = iota + 1 // a point that the string passes
	Pulley                   // here a new branch begins, whose length counts by 1/Divisor
	Sphere                   // between two sites, around which the string may wrap
	Cylinder                 // likewise; endless, about the z axis of its pose
)

// Part is a part of a string, in its order.
type Part struct {
	Kind    Kind
	Body    int32
	Pose    r3.Pose // in the body's frame; of a site its position counts
	Radius  float64 // m, of a sphere or cylinder
	Divisor float64 // of a pulley
	// A side site says on which side of a shape the string goes. Inside of the shape, the string does.
	Sided    bool
	SideBody int32
	Side     r3.Vec // in the frame of SideBody
}

// Mount is a frame on a body.
type Mount struct {
	Body int32
	Pose r3.Pose // in the body's frame
}

// Thruster is a wrench at a site, along and about the site's axes. Where it has a reference, it acts between
// two sites, along the reference's axes, and the length is the place of the site there.
type Thruster struct {
	Site     Mount
	Relative bool
	Ref      Mount
	Gear     r3.Twist // force and torque per unit of force
	// InSite: the torque between the two is about axes of the site, and there is no force (a ball joint)
	InSite bool
}

// Crank is a rod of fixed length between a pin and a slider. The length is the place of the slider along the
// z axis of its frame.
type Crank struct {
	Slider, Pin Mount
	Rod         float64 // m
}

// Path is a string, a thruster or a crank; the zero value has no length.
type Path struct {
	Parts    []Part
	Thruster *Thruster
	Crank    *Crank
}

// MaxParts bounds the parts of a string.
const MaxParts = 1000

// Check says what is wrong with a path whose bodies are numbered from 0 on. It is nil for a path without
// parts.
func (p *Path) Check(bodies int) error {
	if len(p.Parts) > MaxParts {
		return fmt.Errorf("a string of %d parts; want at most %d", len(p.Parts), MaxParts)
	}
	body := func(i int32) error {
		if i < World || int(i) >= bodies {
			return fmt.Errorf("body %d of %d", i, bodies)
		}
		return nil
	}
	var mounts []Mount
	if t := p.Thruster; t != nil {
		mounts = append(mounts, t.Site, t.Ref)
		if !t.Gear.IsFinite() {
			return fmt.Errorf("a gear of %v is not finite", t.Gear)
		}
	}
	if c := p.Crank; c != nil {
		mounts = append(mounts, c.Slider, c.Pin)
		if !(c.Rod > 0) || math.IsInf(c.Rod, 0) {
			return fmt.Errorf("a crank with a rod of %v m", c.Rod)
		}
	}
	for i := range p.Parts {
		k := &p.Parts[i]
		if err := p.checkPart(i); err != nil {
			return fmt.Errorf("part %d of a string: %w", i+1, err)
		}
		mounts = append(mounts, Mount{k.Body, k.Pose})
		if k.Sided {
			mounts = append(mounts, Mount{k.SideBody, r3.Pose{Pos: k.Side, Rot: r3.Identity()}})
		}
	}
	for _, m := range mounts {
		if err := body(m.Body); err != nil {
			return err
		}
		if !m.Pose.IsFinite() {
			return fmt.Errorf("a place %v is not finite", m.Pose)
		}
	}
	return nil
}

// checkPart checks one part and its place among the others.
func (p *Path) checkPart(i int) error {
	is := func(at int, kind Kind) bool { return at >= 0 && at < len(p.Parts) && p.Parts[at].Kind == kind }
	ends := func(at int) bool { return at < 0 || at == len(p.Parts) || is(at, Pulley) }
	switch k := &p.Parts[i]; k.Kind {
	case Site:
		if ends(i-1) && ends(i+1) {
			return fmt.Errorf("a site alone: a branch has two")
		}
	case Pulley:
		if i+1 == len(p.Parts) || is(i+1, Pulley) {
			return fmt.Errorf("a pulley begins a branch: sites follow it")
		}
		if !(k.Divisor > 0) || math.IsInf(k.Divisor, 0) {
			return fmt.Errorf("a pulley divides by %v; want more than 0", k.Divisor)
		}
	case Sphere, Cylinder:
		if !is(i-1, Site) || !is(i+1, Site) {
			return fmt.Errorf("a shape stands between two sites")
		}
		if !(k.Radius > 0) || math.IsInf(k.Radius, 0) {
			return fmt.Errorf("a shape of radius %v m; want more than 0", k.Radius)
		}
	default:
		return fmt.Errorf("kind %d is unknown", k.Kind)
	}
	return nil
}

// Wrench is the action of a unit of force along a transmission on a body: a force at a point, and a torque.
type Wrench struct {
	Body                 int32
	Point, Force, Torque r3.Vec // m, N per N, N·m per N; world axes
}

// Measure returns the length at the poses of bodies, and appends its Jacobian: the length changes by the sum
// of Force·v + Torque·ω, v at Point.
func (p *Path) Measure(pose func(body int32) r3.Pose, out []Wrench) (float64, []Wrench) {
	at := func(m *Mount) r3.Pose {
		if m.Body < 0 {
			return m.Pose
		}
		return pose(m.Body).Mul(m.Pose)
	}
	switch {
	case p.Thruster != nil:
		return p.Thruster.measure(at, out)
	case p.Crank != nil:
		return p.Crank.measure(at, out)
	}
	return measureString(p.Parts, at, out)
}

// measureString is Measure of a string.
func measureString(parts []Part, at func(*Mount) r3.Pose, out []Wrench) (float64, []Wrench) {
	length, part := 0.0, 1.0 // of the branch's length in the whole
	for i := range parts {
		k := &parts[i]
		switch {
		case k.Kind == Pulley:
			part = 1 / k.Divisor
			continue
		case k.Kind != Site || i == 0 || parts[i-1].Kind == Pulley:
			continue
		}
		to := end{k.Body, at(&Mount{k.Body, k.Pose}).Pos}
		before := &parts[i-1]
		if before.Kind == Site {
			from := end{before.Body, at(&Mount{before.Body, before.Pose}).Pos}
			length, out = stretch(length, part, from, to, out)
			continue
		}
		first := &parts[i-2]
		from := end{first.Body, at(&Mount{first.Body, first.Pose}).Pos}
		pose := at(&Mount{before.Body, before.Pose})
		var side *r3.Vec
		if before.Sided {
			s := at(&Mount{before.SideBody, r3.Pose{Pos: before.Side, Rot: r3.Identity()}})
			side = &s.Pos
		}
		a, b, arc, wraps := wrap(before.Kind, pose, before.Radius, from.point, to.point, side)
		if !wraps {
			length, out = stretch(length, part, from, to, out)
			continue
		}
		length, out = stretch(length, part, from, end{before.Body, a}, out)
		length += float64(part * arc)
		length, out = stretch(length, part, end{before.Body, b}, to, out)
	}
	return length, out
}

// end is an end of a straight piece of string.
type end struct {
	body  int32
	point r3.Vec
}

// stretch adds a straight piece. Between two points of one body it pulls at nothing.
func stretch(length, part float64, from, to end, out []Wrench) (float64, []Wrench) {
	along := to.point.Sub(from.point)
	length += float64(part * along.Len())
	u, ok := along.Unit()
	if !ok || from.body == to.body {
		return length, out
	}
	f := u.Scale(part)
	return length, append(out, Wrench{Body: from.body, Point: from.point, Force: f.Neg()},
		Wrench{Body: to.body, Point: to.point, Force: f})
}

// measure is Measure of a wrench at a site.
func (t *Thruster) measure(at func(*Mount) r3.Pose, out []Wrench) (float64, []Wrench) {
	site := at(&t.Site)
	if !t.Relative {
		return 0, append(out, Wrench{t.Site.Body, site.Pos, site.Rot.Rotate(t.Gear.Linear),
			site.Rot.Rotate(t.Gear.Angular)})
	}
	ref := at(&t.Ref)
	seen := ref.Relative(site)
	length := seen.Pos.Dot(t.Gear.Linear) + seen.Rot.Vector().Dot(t.Gear.Angular)
	f, m := ref.Rot.Rotate(t.Gear.Linear), ref.Rot.Rotate(t.Gear.Angular)
	if t.InSite {
		m = site.Rot.Rotate(t.Gear.Angular)
	}
	return length, append(out, Wrench{t.Site.Body, site.Pos, f, m},
		Wrench{t.Ref.Body, ref.Pos, f.Neg(), m.Neg()})
}

// measure is Measure of a slider with a crank. Where the rod does not reach, the slider stands beside the
// pin.
func (c *Crank) measure(at func(*Mount) r3.Pose, out []Wrench) (float64, []Wrench) {
	slider, pin := at(&c.Slider), at(&c.Pin)
	axis, to := slider.Rot.Rotate(r3.V(0, 0, 1)), pin.Pos.Sub(slider.Pos)
	along := axis.Dot(to)
	length, force, turn := along, axis, to // the last two: by the pin's place, and by the axis
	if d := float64(along*along) + float64(c.Rod*c.Rod) - to.Len2(); d > 0 {
		root := math.Sqrt(d)
		length -= root
		k := 1 - along/root
		force, turn = axis.Scale(k).AddScaled(1/root, to), to.Scale(k)
	}
	return length, append(out, Wrench{Body: c.Pin.Body, Point: pin.Pos, Force: force},
		Wrench{Body: c.Slider.Body, Point: slider.Pos, Force: force.Neg(), Torque: axis.Cross(turn)})
}
