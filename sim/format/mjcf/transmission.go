package mjcf

import (
	"strconv"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/transmission"
)

// transmit is a transmission of the model: a tendon with its forces, or an actuator with its length.
type transmit struct {
	on    *tendon
	name  string
	drive *drive // nil: it is a tendon's own spring, damper, friction and range
}

// pushesOn reports that the force of an actuator grows with position or velocity, whatever it is told.
func (d *drive) pushesOn() bool { return d.bias[1] > 0 || d.bias[2] > 0 }

// summable reports that all joints of a length have a position, and notes where one has not.
func (t *tendon) summable(b *build, e elem) bool {
	for _, i := range t.joints {
		if i < 0 || b.joints[i].kind == scene.Ball {
			e.note(scene.Unsupported, "a length of a joint without a position is not run")
			return false
		}
	}
	return true
}

// pullAlong lets an actuator act along a length.
func (b *build) pullAlong(d *drive, on *tendon) {
	if !on.summable(b, d.elem) {
		return
	}
	name := d.elem.Get("name")
	if name == "" {
		name = d.elem.Name + strconv.Itoa(len(b.transmissions)+1)
	}
	b.transmissions = append(b.transmissions, transmit{on, name, d})
}

// strainAlong gives a tendon its spring, damper, friction and range.
func (b *build) strainAlong(t *tendon) {
	if !t.summable(b, t.elem) {
		return
	}
	name := t.name
	if name == "" {
		name = "tendon" + strconv.Itoa(len(b.transmissions)+1)
	}
	b.transmissions = append(b.transmissions, transmit{on: t, name: name})
}

// bodies are the bodies of a transmission; 0 is the world.
func (t *transmit) bodies(b *build) (out []int) {
	for _, i := range t.on.joints {
		out = append(out, b.joints[i].body)
	}
	p := &t.on.path
	for i := range p.Parts {
		if k := &p.Parts[i]; k.Kind != transmission.Pulley {
			out = append(out, int(k.Body))
			if k.Sided {
				out = append(out, int(k.SideBody))
			}
		}
	}
	if h := p.Thruster; h != nil {
		if out = append(out, int(h.Site.Body)); h.Relative {
			out = append(out, int(h.Ref.Body))
		}
	}
	if c := p.Crank; c != nil {
		out = append(out, int(c.Slider.Body), int(c.Pin.Body))
	}
	return out
}

// transmit adds the transmissions of the assembly's bodies.
func (s *assembly) transmit() {
	for i := range s.transmissions {
		t := &s.transmissions[i]
		here, moves := true, false
		for _, k := range t.bodies(s.build) {
			_, known := s.links[k]
			here, moves = here && (known || k == 0), moves || known && k != 0
		}
		if !here || !moves {
			continue
		}
		out := scene.Transmission{Name: s.tnames.Take(t.name), Path: s.path(&t.on.path)}
		for k, j := range t.on.joints {
			out.Offset += t.on.coef[k] * s.build.joints[j].ref
			out.Joints = append(out.Joints, scene.JointTerm{Joint: s.joints[j], Coefficient: t.on.coef[k]})
		}
		if t.drive != nil {
			out.Actuator = s.actuator(t.drive, t.on)
		} else {
			out.Passive, out.SpringAtRest, out.RangeAtRest = t.on.passive(), t.on.open, t.on.held
		}
		s.spec.Transmissions = append(s.spec.Transmissions, out)
	}
}

// passive is the tendon's own spring, damper, friction and range.
func (t *tendon) passive() transmission.Passive {
	p := transmission.Passive{Stiffness: t.stiffness, Damping: t.damping, Friction: t.friction, Rest: t.rest,
		Armature: t.armature}
	if t.bounds != nil {
		p.Limited, p.Range, p.Limit = true, *t.bounds, t.limit
	}
	return p
}

// path is a path of links. The world's places are places of the model frame.
func (s *assembly) path(of *transmission.Path) (p transmission.Path) {
	link := func(body int32) int32 {
		if body == 0 {
			return transmission.World
		}
		return int32(s.links[int(body)])
	}
	mount := func(m transmission.Mount) transmission.Mount {
		return transmission.Mount{Body: link(m.Body), Pose: m.Pose}
	}
	for _, k := range of.Parts {
		if k.Kind != transmission.Pulley {
			k.Body = link(k.Body)
		}
		if k.Sided {
			k.SideBody = link(k.SideBody)
		}
		p.Parts = append(p.Parts, k)
	}
	if t := of.Thruster; t != nil {
		moved := *t
		moved.Site, moved.Ref = mount(t.Site), mount(t.Ref)
		p.Thruster = &moved
	}
	if c := of.Crank; c != nil {
		p.Crank = &transmission.Crank{Slider: mount(c.Slider), Pin: mount(c.Pin), Rod: c.Rod}
	}
	return p
}

// actuator is an actuator as scenes have it.
func (s *assembly) actuator(d *drive, on *tendon) *scene.Actuator {
	a := &scene.Actuator{Gear: d.gear, Gain: d.gain, Bias: d.bias, Input: d.input}
	if on.path.Thruster != nil {
		a.Gear = 1 // the thruster's own six numbers
	}
	if d.ctrl != nil && !s.set.noClamp {
		a.InputLimited, a.InputRange = true, *d.ctrl
	}
	if d.forces != nil {
		a.ForceLimited, a.ForceRange = true, *d.forces
	}
	if on.forces != nil && d.gear != 0 {
		// A tendon bounds the force that it feels, behind the gear.
		x, y := on.forces[0]/d.gear, on.forces[1]/d.gear
		lower, upper := min(x, y), max(x, y)
		if a.ForceLimited {
			lower, upper = max(lower, a.ForceRange[0]), min(upper, a.ForceRange[1])
		}
		a.ForceLimited, a.ForceRange = true, [2]float64{lower, max(lower, upper)}
	}
	a.DampingRatio, a.Muscle = d.ratio, d.muscle
	y := &d.dynamics
	a.Activation = scene.Activation{Kind: y.kind, TimeConstant: y.timeConstant, Initial: d.act,
		Early: y.early, Release: y.release, Smoothing: y.smoothing}
	if y.bounds != nil {
		a.Activation.Limited, a.Activation.Lower, a.Activation.Upper = true, y.bounds[0], y.bounds[1]
	}
	return a
}

// thrusters are the lengths of an actuator of sites.
func (b *build) thrusters(e elem, a attrs, prefix string) (out []*tendon, err error) {
	sites, err := b.lookup("site", e, "site", prefix)
	if err != nil {
		return nil, err
	}
	var gear [6]float64
	f, err := a.numbers("gear", 1, 6)
	if err != nil {
		return nil, err
	}
	gear[0] = 1
	copy(gear[:], f)
	of := r3.Twist{Linear: r3.V(gear[0], gear[1], gear[2]), Angular: r3.V(gear[3], gear[4], gear[5])}
	var ref *transmission.Mount
	if e.Get("refsite") != "" {
		at, err := b.siteNamed(e, "refsite", prefix)
		if err != nil {
			return nil, err
		}
		ref = &at
	}
	for _, i := range sites {
		t := &transmission.Thruster{Site: b.sites[i].mount(), Gear: of}
		if ref != nil {
			t.Relative, t.Ref = true, *ref
		}
		out = append(out, &tendon{elem: e, path: transmission.Path{Thruster: t}})
	}
	return out, nil
}

// cranks is the length of an actuator of a slider-crank.
func (b *build) cranks(e elem, a attrs, prefix string) (out []*tendon, err error) {
	c := &transmission.Crank{}
	for _, f := range []struct {
		attr string
		to   *transmission.Mount
	}{{"cranksite", &c.Pin}, {"slidersite", &c.Slider}} {
		if *f.to, err = b.siteNamed(e, f.attr, prefix); err != nil {
			return nil, err
		}
	}
	if c.Rod, err = a.number("cranklength", 0); err != nil {
		return nil, err
	}
	if !(c.Rod > 0) {
		return nil, e.errorf("cranklength=%q of <%s>; a number above 0 is meant", clip(a.text("cranklength")),
			e.Name)
	}
	return []*tendon{{elem: e, path: transmission.Path{Crank: c}}}, nil
}

// ball is the length of an actuator of a ball joint. Its torque is about axes of the child, or of the frame
// that stands in the parent as the child does at rest.
func (t *tendon) ball(b *build, e elem, a attrs, inParent bool) (*tendon, error) {
	f, err := a.numbers("gear", 1, 6)
	if err != nil {
		return nil, err
	}
	gear := [6]float64{1}
	copy(gear[:], f)
	j := b.joints[t.joints[0]]
	n := b.bodies[j.body]
	hinge := r3.Pose{Pos: j.pos, Rot: r3.Identity()}
	return &tendon{elem: e, path: transmission.Path{Thruster: &transmission.Thruster{Relative: true,
		Site:   transmission.Mount{Body: int32(j.body), Pose: hinge},
		Ref:    transmission.Mount{Body: int32(max(0, n.parent)), Pose: n.pose.Mul(hinge)},
		Gear:   r3.Twist{Angular: r3.V(gear[0], gear[1], gear[2])},
		InSite: !inParent}}}, nil
}
