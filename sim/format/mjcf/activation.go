package mjcf

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// dynamics is the way in which the u of an actuator follows its input.
type dynamics struct {
	kind         scene.ActivationKind // 0: at once
	states       int                  // numbers of a keyframe's act
	timeConstant float64              // s
	release      float64              // s, of a muscle to fall
	smoothing    float64              // of a muscle
	bounds       *[2]float64          // of u; nil: endless
	early        bool
}

// activation reads the dynamics of an actuator.
func (r *reader) activation(a attrs, d *drive) error {
	y, e := &d.dynamics, d.elem
	y.timeConstant = 1
	var err error
	switch e.Name {
	case "intvelocity":
		y.kind = scene.Integrator
	case "cylinder":
		y.kind = scene.Filter
		y.timeConstant, err = a.number("timeconst", 1)
	case "position":
		if y.timeConstant, err = a.number("timeconst", 0); y.timeConstant > 0 {
			y.kind = scene.FilterExact
		}
	case "muscle":
		y.kind = scene.Muscular
		err = y.muscular(a)
	case "general":
		err = r.dyntype(a, d)
	}
	if err != nil || y.kind == 0 {
		return err
	}
	y.states = 1
	if y.kind != scene.Integrator && !(y.timeConstant >= 0) {
		return e.errorf("a time constant of %g s of <%s>; 0 or more is meant", y.timeConstant, e.Name)
	}
	if y.bounds, err = r.bound(a, "actlimited", "actrange"); err != nil {
		return err
	}
	y.early, err = a.truth("actearly", false)
	return err
}

// dyntype reads the dynamics of a <general>.
func (r *reader) dyntype(a attrs, d *drive) error {
	v, err := a.numbers("dynprm", 0, 10)
	if len(v) > 0 {
		d.dynamics.timeConstant = v[0]
	}
	switch a.text("dyntype") {
	case "", "none":
	case "integrator":
		d.dynamics.kind = scene.Integrator
	case "filter":
		d.dynamics.kind = scene.Filter
	case "filterexact":
		d.dynamics.kind = scene.FilterExact
	case "muscle":
		y := &d.dynamics
		y.kind, y.timeConstant, y.release = scene.Muscular, 0.01, 0.04
		for i, to := range []*float64{&y.timeConstant, &y.release, &y.smoothing} {
			if i < len(v) {
				*to = v[i]
			}
		}
	default:
		d.understood, d.dynamics.states = false, 1
	}
	return err
}

// told is the input as it acts: within its range. It is 0 before a command, or the nearest value.
func (d *drive) told(clamps bool) float64 {
	if d.ctrl == nil || !clamps {
		return d.input
	}
	return source.Clamp(d.input, d.ctrl[0], d.ctrl[1])
}

// at is the force on a joint when u is x: effort − stiffness·q − damping·q̇.
func (d *drive) at(x float64, on *lever) (effort, stiffness, damping float64) {
	g := d.gear * on.ratio
	stiffness = -(d.bias[1] + d.gain[1]*x) * g * g
	damping = -(d.bias[2] + d.gain[2]*x) * g * g
	if d.ratio > 0 && stiffness > 0 {
		damping = 2 * d.ratio * math.Sqrt(stiffness*on.inertia)
	}
	return g*(d.bias[0]+d.gain[0]*x) - stiffness*on.zero/on.ratio, stiffness, damping
}

// most is the greatest force of an actuator, N·m or N on what it moves; 0: endless.
func (d *drive) most() float64 {
	limit := d.force
	if d.bias == (law{}) && d.gain[1] == 0 && d.gain[2] == 0 && d.ctrl != nil && d.dynamics.kind == 0 {
		top := math.Abs(d.gain[0]) * max(math.Abs(d.ctrl[0]), math.Abs(d.ctrl[1]))
		if top > 0 && (limit == 0 || top < limit) {
			limit = top
		}
	}
	return limit * math.Abs(d.gear)
}

// actuate makes the actuators of a joint its motor: their forces add up, and so do their greatest forces.
func (b *build) actuate(j *joint) {
	var effort, stiffness, damping, most float64
	bounded := len(j.drives) > 0
	var last *driven // that has an activation
	for i := range j.drives {
		d, on := j.drives[i].drive, &j.drives[i].lever
		u := d.told(!b.set.noClamp)
		if d.dynamics.kind != 0 {
			last, u = &j.drives[i], d.act
		}
		if d.forces != nil && d.forces[0] != -d.forces[1] {
			d.elem.note(scene.Unsupported, "forcerange=\"%g %g\": the motor pushes by up to %g either way",
				d.forces[0], d.forces[1], d.force)
		}
		f, k, c := d.at(u, on)
		if k < 0 || c < 0 {
			d.elem.note(scene.Unsupported,
				"an actuator whose force grows with position or velocity is not run")
			continue
		}
		effort, stiffness, damping = effort+f, stiffness+k, damping+c
		most, bounded = most+d.most()*math.Abs(on.ratio), bounded && d.most() > 0
	}
	if bounded {
		j.hold(most)
	}
	s := &j.servo
	*s = scene.Servo{Stiffness: stiffness, Damping: damping, Target: effort}
	unit := 1.0 // of the target in the effort
	switch {
	case stiffness > 0:
		unit = stiffness
	case damping > 0:
		unit = damping
	}
	s.Target /= unit
	if last != nil {
		b.follow(j, last, unit)
	}
}

// follow gives a servo the dynamics of its actuator, in the unit of its target.
func (b *build) follow(j *joint, from *driven, unit float64) {
	d, s := from.drive, &j.servo
	y := &d.dynamics
	scale := d.gear * from.lever.ratio * d.gain[0] / unit
	base := s.Target - scale*d.act // where it pulls when u is 0
	told := d.told(!b.set.noClamp)
	if scale == 0 {
		return
	}
	v := &s.Activation
	*v = scene.Activation{Kind: y.kind, TimeConstant: y.timeConstant, Initial: s.Target, Early: y.early}
	if y.bounds != nil {
		lower, upper := base+scale*y.bounds[0], base+scale*y.bounds[1]
		v.Limited, v.Lower, v.Upper = true, min(lower, upper), max(lower, upper)
	}
	if s.Target = scale * told; y.kind != scene.Integrator {
		s.Target += base
	}
}
