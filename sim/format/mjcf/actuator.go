package mjcf

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// drive is an actuator: a force gain·ctrl + b0 + b1·length + b2·velocity, on a joint by a gear.
type drive struct {
	gain       float64
	bias       [3]float64
	gear       float64
	ctrl       [2]float64 // range; both zero: endless
	force      float64    // N or N·m at most; 0: endless
	ratio      float64    // damping ratio of a servo whose damping follows from the inertia
	understood bool
}

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
	index := len(b.actuatorTargets)
	if _, err := b.register("actuator", e, context{prefix: prefix}, index); err != nil {
		return err
	}
	b.actuatorTargets = append(b.actuatorTargets, nil)
	joints, err := b.driven(e, prefix)
	if err != nil {
		return err
	}
	d, err := r.law(e, a)
	if err != nil || joints == nil {
		return err
	}
	if !d.understood {
		e.note(scene.Unsupported, "an actuator <%s> of this kind is not run", e.Name)
		return nil
	}
	for _, i := range joints {
		switch {
		case i < 0:
			e.note(scene.Unsupported, "an actuator of a free joint is not run")
		case b.joints[i].kind == scene.Ball:
			e.note(scene.Unsupported, "an actuator of a ball joint is not run")
		case r.set.noActuation:
		default:
			d.on(e, b.joints[i])
			b.actuatorTargets[index] = append(b.actuatorTargets[index], actuatorTarget{i, d})
		}
	}
	return nil
}

// actuatorTarget is the joint that an actuator moves, and its drive.
type actuatorTarget struct {
	joint int
	drive drive
}

// driven are the joints that an actuator moves; none where it moves something else, which is noted.
func (b *build) driven(e elem, prefix string) ([]int, error) {
	for _, attr := range []string{"joint", "jointinparent"} {
		if e.Get(attr) != "" {
			return b.lookup("joint", e, attr, prefix)
		}
	}
	for _, kind := range []string{"tendon", "site", "body"} {
		if e.Get(kind) == "" {
			continue
		}
		if _, err := b.lookup(kind, e, kind, prefix); err != nil {
			return nil, err
		}
		e.note(scene.Unsupported, "an actuator of a %s is not run", kind)
		return nil, nil
	}
	if e.Get("cranksite") != "" {
		for _, attr := range []string{"cranksite", "slidersite"} {
			if _, err := b.lookup("site", e, attr, prefix); err != nil {
				return nil, err
			}
		}
		e.note(scene.Unsupported, "an actuator of a slider-crank is not run")
		return nil, nil
	}
	if e.Name == "plugin" {
		e.note(scene.Unsupported, "an actuator of a plugin is not run")
		return nil, nil
	}
	return nil, e.errorf("an actuator <%s> moves nothing; joint, tendon, site or body says what", e.Name)
}

// law is the force of an actuator.
func (r *reader) law(e elem, a attrs) (drive, error) {
	d := drive{gain: 1, understood: true}
	gear, err := a.numbers("gear", 1, 6)
	if err != nil {
		return d, err
	}
	if d.gear = 1; gear != nil {
		d.gear = gear[0]
	}
	if err := r.bounds(a, &d); err != nil {
		return d, err
	}
	switch e.Name {
	case "motor":
	case "position":
		if d.gain, err = a.number("kp", 1); err != nil {
			return d, err
		}
		var kv float64
		if kv, err = a.number("kv", 0); err != nil {
			return d, err
		}
		if d.ratio, err = a.number("dampratio", 0); err != nil {
			return d, err
		}
		d.bias = [3]float64{0, -d.gain, -kv}
	case "velocity":
		if d.gain, err = a.number("kv", 1); err != nil {
			return d, err
		}
		d.bias = [3]float64{0, 0, -d.gain}
	case "general":
		return d, r.general(a, &d)
	default:
		d.understood = false
	}
	return d, nil
}

// general reads gain and bias as they are written.
func (r *reader) general(a attrs, d *drive) error {
	gain, err := a.numbers("gainprm", 0, 10)
	if err != nil {
		return err
	}
	if len(gain) > 0 {
		d.gain = gain[0]
	}
	bias, err := a.numbers("biasprm", 0, 10)
	if err != nil {
		return err
	}
	kind := a.text("biastype")
	if kind == "affine" {
		copy(d.bias[:], bias)
	}
	dynamics := a.text("dyntype")
	d.understood = (a.text("gaintype") == "" || a.text("gaintype") == "fixed") &&
		(kind == "" || kind == "none" || kind == "affine") &&
		(dynamics == "" || dynamics == "none" || dynamics == "filter" || dynamics == "filterexact")
	if d.understood && dynamics != "" && dynamics != "none" {
		a.own().note(scene.Unsupported, "dyntype=%q: commands act at once", clip(dynamics))
	}
	return nil
}

// bounds reads what may be commanded and what force comes of it.
func (r *reader) bounds(a attrs, d *drive) error {
	for _, f := range []struct {
		limited, over string
		to            func([]float64)
	}{
		{"ctrllimited", "ctrlrange", func(v []float64) { d.ctrl = [2]float64{v[0], v[1]} }},
		{"forcelimited", "forcerange", func(v []float64) { d.force = max(math.Abs(v[0]), math.Abs(v[1])) }},
	} {
		v, err := a.numbers(f.over, 2, 2)
		if err != nil {
			return err
		}
		on, err := a.truth(f.limited, v != nil && r.set.autolimits)
		if err != nil {
			return err
		}
		if !on || v == nil {
			continue
		}
		if !(v[0] < v[1]) {
			return a.own().errorf("%s=%q of <%s>; the second number is greater than the first", f.over,
				clip(a.text(f.over)), a.own().Name)
		}
		f.to(v)
	}
	return nil
}

// on makes an actuator the motor of a joint. A force that falls with the position makes a servo, and one that
// falls with the velocity adds a damper. The initial command is 0, or the nearest value of its range.
func (d *drive) on(e elem, j *joint) {
	g := d.gear
	limit := d.force
	if d.bias == ([3]float64{}) {
		if top := math.Abs(d.gain) * max(math.Abs(d.ctrl[0]), math.Abs(d.ctrl[1])); top > 0 &&
			(limit == 0 || top < limit) {
			limit = top
		}
	}
	j.hold(limit * math.Abs(g))
	kp, kd := -d.bias[1]*g*g, -d.bias[2]*g*g
	switch {
	case kp < 0 || kd < 0:
		e.note(scene.Unsupported, "an actuator whose force grows with position or velocity is not run")
	case kp == 0:
		j.damping += kd
	case j.servo.Stiffness > 0:
		e.note(scene.Unsupported, "joint %q has a second servo; using the first", clip(j.name))
	default:
		j.servo = scene.Servo{Stiffness: kp, Damping: kd}
		j.ratio = d.ratio
		command := 0.0
		if d.ctrl != ([2]float64{}) {
			command = source.Clamp(0, d.ctrl[0], d.ctrl[1])
		}
		j.command(d, command)
	}
}

// command moves the target of a joint's servo: gain·ctrl + b0 + b1·gear·q is zero there.
func (j *joint) command(d *drive, ctrl float64) {
	if d.gear != 0 && d.bias[1] != 0 {
		j.servo.Target = -(d.gain*ctrl+d.bias[0])/(d.bias[1]*d.gear) - j.ref
	}
}
