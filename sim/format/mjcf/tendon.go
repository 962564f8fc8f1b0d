package mjcf

import (
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/transmission"
)

// tendon is a length: a fixed or spatial tendon, or that of an actuator of a joint, a site or a slider-crank.
type tendon struct {
	elem                         elem
	name                         string
	joints                       []int
	coef                         []float64
	path                         transmission.Path // of bodies by number; empty: a sum of joints
	last                         string            // site of it
	bounds                       *[2]float64       // of its length; nil: endless
	stiffness, damping, friction float64
	armature                     float64
	limit                        transmission.Limit // give of the range
	rest                         [2]float64         // lengths between which its spring rests
	forces                       *[2]float64        // of an actuator; nil: endless
	held                         bool               // its bounds are about its length at the start
	open                         bool               // it rests where the springs of joints do
}

// pull is an actuator of a tendon.
type pull struct {
	drive *drive
	on    *tendon
}

// lever is a tendon whose joints all follow one: its length is ratio·q + zero of that joint's position q.
type lever struct {
	joint       int
	ratio, zero float64
	inertia     float64 // that the joint feels, for damping ratios: kg·m² or kg
}

// driven is an actuator on the joint that it comes down to.
type driven struct {
	drive *drive
	lever lever
	on    *tendon
}

// tendon reads a <fixed> or <spatial> tendon.
func (r *reader) tendon(e elem, prefix string) error {
	b := r.out
	if e.Name != "fixed" && e.Name != "spatial" {
		unknown(e, "tendon")
		return nil
	}
	kids, err := r.doc.kids(e)
	if err != nil {
		return err
	}
	t := &tendon{elem: e, name: prefix + e.Get("name")}
	for _, k := range kids {
		if err := r.tendonPart(t, k, prefix); err != nil {
			return err
		}
	}
	if _, err := b.register("tendon", e, context{prefix: prefix}, len(b.tendons)); err != nil {
		return err
	}
	b.tendons = append(b.tendons, t)
	a, err := r.classes.attrs(e, nil)
	if err != nil {
		return err
	}
	if e.Name == "fixed" {
		if len(t.joints) == 0 {
			return e.errorf("a <fixed> tendon without a <joint>")
		}
		return r.tendonForces(a, t)
	}
	if len(t.path.Parts) < 2 {
		return e.errorf("a <spatial> tendon with %d parts; two sites at least", len(t.path.Parts))
	}
	if err := t.path.Check(len(b.bodies)); err != nil {
		return e.errorf("a <spatial> tendon: %v", err)
	}
	return r.tendonForces(a, t)
}

// tendonPart reads what a tendon goes through.
func (r *reader) tendonPart(t *tendon, k elem, prefix string) error {
	b := r.out
	if len(t.path.Parts)+len(t.joints) >= transmission.MaxParts {
		return k.errorf("a tendon of more than %d parts", transmission.MaxParts)
	}
	fixed := t.elem.Name == "fixed"
	switch {
	case fixed && k.Name == "joint":
		found, err := b.lookup("joint", k, "joint", prefix)
		if err != nil {
			return err
		}
		f, err := attrs{k}.number("coef", 1)
		if err != nil {
			return err
		}
		t.joints, t.coef = append(t.joints, found[0]), append(t.coef, f)
	case !fixed && k.Name == "site":
		at, err := b.siteNamed(k, "site", prefix)
		if err != nil {
			return err
		}
		n := len(t.path.Parts)
		if n > 0 && t.path.Parts[n-1].Kind == transmission.Site && t.last == k.Get("site") {
			return k.errorf("<site> %q twice, one after the other", clip(t.last))
		}
		t.last = k.Get("site")
		t.path.Parts = append(t.path.Parts, transmission.Part{Kind: transmission.Site, Body: at.Body,
			Pose: at.Pose})
	case !fixed && k.Name == "geom":
		return r.wrapped(t, k, prefix)
	case !fixed && k.Name == "pulley":
		divisor, err := attrs{k}.number("divisor", 0)
		if err != nil {
			return err
		}
		if !(divisor > 0) {
			return k.errorf("divisor=%q of <pulley>; a number above 0 is meant", clip(k.Get("divisor")))
		}
		t.path.Parts = append(t.path.Parts, transmission.Part{Kind: transmission.Pulley, Divisor: divisor,
			Body: transmission.World, Pose: r3.IdentityPose()})
	default:
		unknown(k, t.elem.Name)
	}
	return nil
}

// siteNamed is the place of the first site that an attribute names.
func (b *build) siteNamed(e elem, attr, prefix string) (transmission.Mount, error) {
	found, err := b.lookup("site", e, attr, prefix)
	if err != nil {
		return transmission.Mount{}, err
	}
	return b.sites[found[0]].mount(), nil
}

// mount is a site as a place of a path.
func (s *site) mount() transmission.Mount {
	return transmission.Mount{Body: int32(s.body), Pose: s.pose}
}

// wrapped reads a shape around which a tendon goes.
func (r *reader) wrapped(t *tendon, k elem, prefix string) error {
	b := r.out
	found, err := b.lookup("geom", k, "geom", prefix)
	if err != nil {
		return err
	}
	g := b.shapes[found[0]]
	part := transmission.Part{Kind: transmission.Sphere, Body: int32(g.body), Pose: g.Pose, Radius: g.Radius}
	switch {
	case g.Kind == scene.Cylinder:
		part.Kind = transmission.Cylinder
	case g.Kind != scene.Sphere || g.lost:
		return k.errorf("<geom> %q of a tendon is no sphere and no cylinder", clip(k.Get("geom")))
	}
	if k.Get("sidesite") != "" {
		side, err := b.siteNamed(k, "sidesite", prefix)
		if err != nil {
			return err
		}
		part.Sided, part.SideBody, part.Side = true, side.Body, side.Pose.Pos
	}
	t.path.Parts = append(t.path.Parts, part)
	return nil
}

// tendonForces reads the range, spring, damper and friction of a tendon.
func (r *reader) tendonForces(a attrs, t *tendon) (err error) {
	for _, f := range []struct {
		name string
		to   *float64
	}{{"stiffness", &t.stiffness}, {"damping", &t.damping}, {"frictionloss", &t.friction},
		{"armature", &t.armature}} {
		if *f.to, err = a.first(f.name, 3, 0); err != nil {
			return err
		}
		if *f.to < 0 {
			t.elem.note(scene.Suspicious, "%s of %g; using 0", f.name, *f.to)
			*f.to = 0
		}
	}
	if t.bounds, err = r.bound(a, "limited", "range"); err != nil {
		return err
	}
	margin, err := a.number("margin", 0)
	if err != nil {
		return err
	}
	if t.bounds != nil && margin != 0 { // the range holds so much before its ends
		t.bounds[0], t.bounds[1] = t.bounds[0]+margin, t.bounds[1]-margin
		if middle := (t.bounds[0] + t.bounds[1]) / 2; t.bounds[0] > middle {
			t.bounds[0], t.bounds[1] = middle, middle
		}
	}
	if t.forces, err = r.bound(a, "actuatorfrclimited", "actuatorfrcrange"); err != nil {
		return err
	}
	if t.limit, err = r.give(a, "solreflimit", "solimplimit"); err != nil {
		return err
	}
	rest, err := a.numbers("springlength", 1, 2)
	if len(rest) > 1 && rest[0] > rest[1] {
		return t.elem.errorf("springlength=%q of <%s>; the second number is not below the first",
			clip(a.text("springlength")), t.elem.Name)
	}
	if len(rest) == 0 || rest[0] < 0 { // where the springs of its joints rest
		t.open = true
		rest = []float64{0}
		for k, i := range t.joints {
			if i >= 0 {
				rest[0] += t.coef[k] * r.out.joints[i].spring
			}
		}
	}
	t.rest = [2]float64{rest[0], rest[len(rest)-1]}
	if r.set.noSprings {
		t.stiffness = 0
	}
	if r.set.noLimits {
		t.bounds = nil
	}
	return err
}

// give reads the reference acceleration and the impedance of a constraint.
func (r *reader) give(a attrs, reference, impedance string) (l transmission.Limit, err error) {
	l.Impedance = [5]float64{0.9, 0.95, 0.001, 0.5, 2}
	f, err := a.numbers(impedance, 1, 5)
	if err != nil {
		return l, err
	}
	copy(l.Impedance[:], f)
	f, err = a.numbers(reference, 1, 2)
	if err != nil {
		return l, err
	}
	ref := [2]float64{0.02, 1}
	copy(ref[:], f)
	most := max(1e-4, min(0.9999, l.Impedance[1]))
	if ref[0] <= 0 { // stiffness and damping
		l.Stiffness, l.Damping = -ref[0]/(most*most), -ref[1]/most
	} else {
		constant := max(ref[0], 2*r.set.timestep)
		l.Damping = 2 / (most * constant)
		l.Stiffness = 1 / (most * most * constant * constant * max(1e-10, ref[1]*ref[1]))
	}
	if !(l.Stiffness >= 0 && l.Damping >= 0) {
		return l, a.own().errorf("%s=%q of <%s>; two numbers of one sign are meant", reference,
			clip(a.text(reference)), a.own().Name)
	}
	return l, nil
}

// levers are the joints that a tendon moves by themselves or by joints that follow them, in order. Its length
// is the sum of ratio·q + zero. There are none where it moves joints without a position.
func (b *build) levers(t *tendon) []lever {
	var out []lever
	for k, i := range t.joints {
		if i < 0 || b.joints[i].kind == scene.Ball {
			return nil
		}
		c := t.coef[k]
		zero := c * b.joints[i].ref
		for m := b.joints[i].mimic; m != nil; m = b.joints[i].mimic {
			zero += c * m.offset
			c *= m.factor
			i = m.joint
		}
		at := slices.IndexFunc(out, func(l lever) bool { return l.joint == i })
		if at < 0 {
			at = len(out)
			out = append(out, lever{joint: i})
		}
		out[at].ratio, out[at].zero = out[at].ratio+c, out[at].zero+zero
	}
	return slices.DeleteFunc(out, func(l lever) bool { return l.ratio == 0 && l.zero == 0 })
}

// lever reduces a tendon to the joint that all of its joints follow by equalities. It is false where there is
// no such joint.
func (b *build) lever(t *tendon) (lever, bool) {
	if t.hasPath() {
		return lever{}, false
	}
	all := b.levers(t)
	if len(all) != 1 || all[0].ratio == 0 {
		return lever{}, false
	}
	l := all[0]
	l.inertia = l.ratio * l.ratio * b.inertiaAlong(t)
	return l, true
}

// inertiaAlong is the inertia of a sum of joints, when nothing couples them. Damping ratios are about it.
func (b *build) inertiaAlong(t *tendon) float64 {
	mobility := 0.0
	for k, i := range t.joints {
		if c := t.coef[k]; c != 0 {
			mobility += c * c / b.felt(b.joints[i])
		}
	}
	return 1 / mobility
}

// hasPath reports that the length is not a sum of joints alone.
func (t *tendon) hasPath() bool {
	return len(t.path.Parts) > 0 || t.path.Thruster != nil || t.path.Crank != nil
}

// pullAll finds the joints that each actuator comes down to: one, or several where its force depends on no
// position and no velocity. The others act along transmissions.
func (b *build) pullAll() {
	bounded := map[*tendon]bool{}
	for _, p := range b.pulls {
		d := p.drive
		if p.on.forces != nil {
			if bounded[p.on] {
				d.elem.note(scene.Unsupported,
					"actuatorfrcrange of a tendon with several actuators: it bounds each of them, not their sum")
			}
			bounded[p.on] = true
			b.pullAlong(d, p.on)
			continue
		}
		if l, ok := b.lever(p.on); ok && !d.pushesOn() && d.muscle == nil {
			b.joints[l.joint].drives = append(b.joints[l.joint].drives, driven{d, l, p.on})
			continue
		}
		all := b.levers(p.on)
		if p.on.hasPath() || len(all) == 0 || d.bias[1] != 0 || d.bias[2] != 0 || d.gain[1] != 0 ||
			d.gain[2] != 0 || d.dynamics.kind != 0 || d.muscle != nil {
			b.pullAlong(d, p.on)
			continue
		}
		for _, l := range all {
			if l.ratio != 0 {
				b.joints[l.joint].drives = append(b.joints[l.joint].drives, driven{d, l, p.on})
			}
		}
	}
}

// splitOff lets the actuators of a joint that have dynamics act along transmissions of their own, where one
// servo cannot be all of them.
func (j *joint) splitOff(b *build) {
	several := len(j.drives) > 1
	j.drives = slices.DeleteFunc(j.drives, func(x driven) bool {
		d := x.drive
		integrates := d.dynamics.kind == scene.Integrator && d.bias[1] == 0
		if d.dynamics.kind == 0 || !several && !integrates && d.gain[1] == 0 && d.gain[2] == 0 {
			return false
		}
		b.pullAlong(d, x.on)
		return true
	})
}

// strain gives the joint that a tendon comes down to the tendon's range, spring, damper and friction.
func (b *build) strain(t *tendon) {
	if t.bounds == nil && t.stiffness == 0 && t.damping == 0 && t.friction == 0 && t.armature == 0 {
		return
	}
	l, ok := b.lever(t)
	if !ok || t.stiffness > 0 && t.rest[0] != t.rest[1] {
		b.strainAlong(t)
		return
	}
	j := b.joints[l.joint]
	j.damping += t.damping * l.ratio * l.ratio
	j.friction += t.friction * math.Abs(l.ratio)
	j.armature += t.armature * l.ratio * l.ratio
	b.stretch(t, l, j)
	if t.bounds == nil {
		return
	}
	// The file counts the joint from −ref.
	at := [2]float64{(t.bounds[0]-l.zero)/l.ratio + j.ref, (t.bounds[1]-l.zero)/l.ratio + j.ref}
	lower, upper := min(at[0], at[1]), max(at[0], at[1])
	if j.limited {
		lower, upper = max(lower, j.lower), min(upper, j.upper)
	}
	if !(lower < upper) {
		t.elem.note(scene.Unsupported, "the range of a tendon leaves its joint %q no freedom, and is not held",
			clip(j.name))
		return
	}
	j.limited, j.lower, j.upper = true, lower, upper
}

// stretch adds the spring of a tendon to that of its joint.
func (b *build) stretch(t *tendon, l lever, j *joint) {
	if t.stiffness == 0 {
		return
	}
	rest := (t.rest[0]-l.zero)/l.ratio + j.ref
	k := t.stiffness * l.ratio * l.ratio
	j.spring = (j.stiff*j.spring + k*rest) / (j.stiff + k)
	j.stiff += k
}
