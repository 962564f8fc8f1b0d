package mjcf

import (
	"math"
	"slices"

	"simdeck/sim/scene"
)

// drive is an actuator: a force gain·u + bias on a joint by a gear, where u is the input or what follows it.
type drive struct {
	elem       elem
	gain       law // of each unit of u
	bias       law
	gear       float64
	ctrl       *[2]float64 // range; nil: endless
	force      float64     // N or N·m at most; 0: endless
	forces     *[2]float64 // range of it; nil: endless
	ratio      float64     // damping ratio of a servo whose damping follows from the inertia
	dynamics   dynamics
	input, act float64 // at the start
	understood bool
	muscle     *scene.Muscle // in place of both laws; nil: it is none
}

// law is a force that is affine in the length and the velocity of what an actuator moves: c0 + c1·length +
// c2·velocity.
type law [3]float64

// actuator reads a motor of a joint.
func (r *reader) actuator(e elem, prefix string) error {
	b := r.out
	if !isActuator(e.Name) {
		unknown(e, "actuator")
		return nil
	}
	a, err := r.classes.attrs(e, nil)
	if err != nil {
		return err
	}
	index := len(b.actuators)
	if _, err := b.register("actuator", e, context{prefix: prefix}, index); err != nil {
		return err
	}
	b.actuators = append(b.actuators, nil)
	moved, err := b.driven(e, a, prefix)
	if err != nil {
		return err
	}
	d, err := r.law(e, a)
	if err != nil {
		return err
	}
	b.actuators[index] = d
	if len(moved) == 0 {
		return nil
	}
	if !d.understood {
		e.note(scene.Unsupported, "an actuator <%s> of this kind is not run", e.Name)
		return nil
	}
	if err := b.inheritRange(a, d, moved[0]); err != nil {
		return err
	}
	for _, t := range moved {
		switch {
		case len(t.joints) > 0 && slices.Min(t.joints) < 0:
			e.note(scene.Unsupported, "an actuator of a free joint is not run")
		case len(t.joints) == 1 && b.joints[t.joints[0]].kind == scene.Ball:
			ball, err := t.ball(b, e, a, e.Get("jointinparent") != "")
			if err != nil {
				return err
			}
			if !r.set.noActuation {
				b.pulls = append(b.pulls, pull{d, ball})
			}
		case r.set.noActuation:
		default:
			b.pulls = append(b.pulls, pull{d, t})
		}
	}
	return nil
}

// driven are the lengths that an actuator moves, one for each copy of its joint; none where it moves
// something else, which is noted.
func (b *build) driven(e elem, a attrs, prefix string) (out []*tendon, err error) {
	for _, attr := range []string{"joint", "jointinparent"} {
		if e.Get(attr) == "" {
			continue
		}
		joints, err := b.lookup("joint", e, attr, prefix)
		for _, i := range joints {
			out = append(out, &tendon{joints: []int{i}, coef: []float64{1}})
		}
		return out, err
	}
	if e.Get("tendon") != "" {
		tendons, err := b.lookup("tendon", e, "tendon", prefix)
		for _, i := range tendons {
			out = append(out, b.tendons[i])
		}
		return out, err
	}
	if e.Get("site") != "" {
		return b.thrusters(e, a, prefix)
	}
	if e.Get("cranksite") != "" {
		return b.cranks(e, a, prefix)
	}
	if e.Get("body") != "" {
		if _, err := b.lookup("body", e, "body", prefix); err != nil {
			return nil, err
		}
		e.note(scene.Unsupported, "an actuator of a body is not run")
		return nil, nil
	}
	if e.Name == "plugin" {
		e.note(scene.Unsupported, "an actuator of a plugin is not run")
		return nil, nil
	}
	return nil, e.errorf("an actuator <%s> moves nothing; joint, tendon, site or body says what", e.Name)
}

// law reads the force of an actuator.
func (r *reader) law(e elem, a attrs) (*drive, error) {
	d := &drive{elem: e, gain: law{1}, understood: true}
	gear, err := a.numbers("gear", 1, 6)
	if err != nil {
		return d, err
	}
	if d.gear = 1; gear != nil {
		d.gear = gear[0]
	}
	if err := r.bounds(a, d); err != nil {
		return d, err
	}
	read := map[string]func(attrs, *drive) error{"motor": func(attrs, *drive) error { return nil },
		"position": position, "intvelocity": position, "velocity": velocity, "damper": damper,
		"cylinder": cylinder, "general": general, "muscle": muscle}[e.Name]
	if d.understood = read != nil; !d.understood {
		return d, nil
	}
	if err := read(a, d); err != nil {
		return d, err
	}
	return d, r.activation(a, d)
}

// position reads a servo to a position, or to the integral of a velocity.
func position(a attrs, d *drive) error {
	var kp, kv float64
	for _, f := range []struct {
		name  string
		usual float64
		to    *float64
	}{{"kp", 1, &kp}, {"kv", 0, &kv}, {"dampratio", 0, &d.ratio}} {
		var err error
		if *f.to, err = a.number(f.name, f.usual); err != nil {
			return err
		}
	}
	d.gain, d.bias = law{kp}, law{0, -kp, -kv}
	return nil
}

// velocity reads a servo to a velocity.
func velocity(a attrs, d *drive) error {
	kv, err := a.number("kv", 1)
	d.gain, d.bias = law{kv}, law{0, 0, -kv}
	return err
}

// damper reads a damper whose strength is the input.
func damper(a attrs, d *drive) error {
	kv, err := a.number("kv", 1)
	d.gain = law{0, 0, -kv}
	if err == nil && (d.ctrl == nil || d.ctrl[0] < 0) {
		err = d.elem.errorf("ctrlrange=%q of <damper>; two numbers from 0 on are meant", clip(a.text("ctrlrange")))
	}
	return err
}

// cylinder reads a pneumatic or hydraulic cylinder: a force in proportion to its pressure.
func cylinder(a attrs, d *drive) error {
	area, err := a.number("area", 1)
	if err != nil {
		return err
	}
	across, err := a.number("diameter", 0)
	if err != nil {
		return err
	}
	if across > 0 {
		area = math.Pi / 4 * across * across
	}
	bias, err := a.numbers("bias", 3, 3)
	d.gain = law{area}
	copy(d.bias[:], bias)
	return err
}

// general reads gain and bias as they are written.
func general(a attrs, d *drive) error {
	for _, f := range []struct {
		kind, numbers, usual string
		to                   *law
	}{
		{"gaintype", "gainprm", "fixed", &d.gain}, {"biastype", "biasprm", "none", &d.bias}} {
		v, err := a.numbers(f.numbers, 0, 10)
		if err != nil {
			return err
		}
		kind := a.text(f.kind)
		if kind == "" {
			kind = f.usual
		}
		switch kind {
		case "fixed":
			copy(f.to[:1], v)
		case "affine":
			copy(f.to[:], v)
		case "none":
		case "muscle":
			d.muscle, err = muscleOf(a, v)
			if err != nil {
				return err
			}
		default:
			d.understood = false
		}
	}
	if d.muscle != nil && a.text("biastype") != "muscle" {
		d.muscle.Passive = 0
	}
	return nil
}

// bounds reads what may be commanded and what force comes of it.
func (r *reader) bounds(a attrs, d *drive) error {
	ctrl, err := r.bound(a, "ctrllimited", "ctrlrange")
	if err != nil {
		return err
	}
	d.ctrl = ctrl
	force, err := r.bound(a, "forcelimited", "forcerange")
	d.forces = force
	if force != nil {
		d.force = max(math.Abs(force[0]), math.Abs(force[1]))
	}
	return err
}

// bound reads a range that holds where an attribute says so, or nothing; nil: it does not hold.
func (r *reader) bound(a attrs, limited, over string) (*[2]float64, error) {
	v, err := a.numbers(over, 2, 2)
	if err != nil {
		return nil, err
	}
	on, err := a.truth(limited, v != nil && r.set.autolimits)
	if err != nil || !on || v == nil {
		return nil, err
	}
	if !(v[0] < v[1]) {
		return nil, a.own().errorf("%s=%q of <%s>; the second number is greater than the first", over,
			clip(a.text(over)), a.own().Name)
	}
	return &[2]float64{v[0], v[1]}, nil
}

// inheritRange takes over the range of a joint or tendon for the input of a servo, or for the activation of
// one that integrates.
func (b *build) inheritRange(a attrs, d *drive, of *tendon) error {
	part, err := a.number("inheritrange", 0)
	if err != nil || part <= 0 {
		return err
	}
	over := of.bounds
	if over == nil && len(of.joints) == 1 && of.joints[0] >= 0 && b.joints[of.joints[0]].limited {
		j := b.joints[of.joints[0]]
		over = &[2]float64{j.lower, j.upper}
	}
	if over == nil || d.gain[0] != -d.bias[1] {
		return d.elem.errorf("inheritrange=%q of <%s>; it needs a servo to positions, of a joint with a range",
			clip(a.text("inheritrange")), d.elem.Name)
	}
	middle, half := (over[0]+over[1])/2, part*(over[1]-over[0])/2
	to := &d.ctrl
	if d.dynamics.kind == scene.Integrator {
		to = &d.dynamics.bounds
	}
	*to = &[2]float64{middle - half, middle + half}
	return nil
}
