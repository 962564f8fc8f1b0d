package mjcf

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// joint is a joint of the file; a free one is none, its body is.
type joint struct {
	name     string
	body     int
	kind     scene.JointKind // Revolute, Prismatic, Ball
	pos      r3.Vec          // in its body
	axis     r3.Vec
	limited  bool
	lower    float64 // rad or m, as the file counts
	upper    float64
	ref      float64 // the file's position of rest
	spring   float64 // where the spring rests
	stiff    float64
	damping  float64
	armature float64
	friction float64
	effort   float64 // of all actuators; 0: unlimited
	initial  float64 // position at the start, against that of rest
	turn     r3.Quat // of a ball joint at the start; zero: none
	speed    float64 // at the start, rad/s or m/s
	spin     r3.Vec  // of a ball joint, in the axes of its body, rad/s
	drives   []driven
	servo    scene.Servo // of all drives
	mimic    *mimic
	encoder  scene.Encoder
	elem     elem
	// time constant and damping ratio of a spring whose numbers follow from the inertia
	timeConstant [2]float64
}

// mimic makes a joint follow another.
type mimic struct {
	joint          int
	factor, offset float64
}

func (r *reader) joint(e elem, c context) error {
	a, err := r.classes.attrs(e, c.given)
	if err != nil {
		return err
	}
	b := r.out
	owner := b.bodies[c.body]
	kind := "free"
	if e.Name == "joint" {
		if kind, err = a.word("type", "hinge", "slide", "ball", "free"); err != nil {
			return err
		}
	}
	switch {
	case c.body == 0:
		return e.errorf("a joint of the world itself, which cannot move")
	case owner.mocap:
		return e.errorf("body %q has mocap=\"true\" and a joint", clip(owner.name))
	case kind == "free":
		if owner.parent != 0 {
			return e.errorf("a free joint of body %q, which hangs on body %q; only bodies of the world are free",
				clip(owner.name), clip(b.bodies[owner.parent].name))
		}
		if owner.free || len(owner.joints) > 0 {
			return e.errorf("body %q has a free joint beside others", clip(owner.name))
		}
		owner.free = true
		_, err = b.register("joint", e, c, -1-c.body)
		return err
	case owner.free:
		return e.errorf("body %q has a free joint beside others", clip(owner.name))
	}
	j := &joint{body: c.body, elem: e, axis: r3.V(0, 0, 1)}
	j.kind = map[string]scene.JointKind{"hinge": scene.Revolute, "slide": scene.Prismatic,
		"ball": scene.Ball}[kind]
	if j.name, err = b.register("joint", e, c, len(b.joints)); err != nil {
		return err
	}
	if err := r.jointPlace(a, c, j); err != nil {
		return err
	}
	if err := r.jointRange(a, j); err != nil {
		return err
	}
	if err := r.jointForces(a, j); err != nil {
		return err
	}
	owner.joints = append(owner.joints, len(b.joints))
	b.joints = append(b.joints, j)
	return nil
}

func (r *reader) jointPlace(a attrs, c context, j *joint) error {
	var err error
	if j.pos, err = a.vec("pos", j.pos); err != nil {
		return err
	}
	if j.axis, err = a.vec("axis", j.axis); err != nil {
		return err
	}
	unit, ok := j.axis.Unit()
	if !ok && j.kind != scene.Ball {
		return j.elem.errorf("axis %q of a joint has no direction", clip(a.text("axis")))
	}
	j.pos, j.axis = c.frame.Apply(j.pos), c.frame.Rot.Rotate(unit)
	return nil
}

// angle is a number of the file in the joint's unit.
func (r *reader) jointUnit(j *joint, x float64) float64 {
	if j.kind == scene.Prismatic {
		return x
	}
	return r.set.angle(x)
}

func (r *reader) jointRange(a attrs, j *joint) error {
	stops, err := a.numbers("range", 2, 2)
	if err != nil {
		return err
	}
	if j.limited, err = a.truth("limited", stops != nil && r.set.autolimits); err != nil {
		return err
	}
	if stops != nil {
		j.lower, j.upper = r.jointUnit(j, stops[0]), r.jointUnit(j, stops[1])
	}
	if j.limited && !(j.lower < j.upper) && j.kind != scene.Ball {
		return j.elem.errorf("range %q of a limited joint; the second number is greater than the first",
			clip(a.text("range")))
	}
	margin, err := a.number("margin", 0) // in rad, whatever the angles of the file
	if err != nil {
		return err
	}
	if j.limited && margin != 0 { // the stops push so far before the ends of the range
		middle := (j.lower + j.upper) / 2
		if j.kind == scene.Ball {
			middle = j.lower
		}
		j.lower, j.upper = min(middle, j.lower+margin), max(middle, j.upper-margin)
	}
	if r.set.noLimits {
		j.limited = false
	}
	if j.ref, err = a.number("ref", 0); err != nil {
		return err
	}
	if j.spring, err = a.number("springref", 0); err != nil {
		return err
	}
	j.ref, j.spring = r.jointUnit(j, j.ref), r.jointUnit(j, j.spring)
	if j.ref != 0 {
		j.elem.note(scene.Inferred, "ref=%q: positions of the joint are counted from 0 here, not from ref",
			clip(a.text("ref")))
	}
	return nil
}

func (r *reader) jointForces(a attrs, j *joint) error {
	var err error
	for _, f := range []struct {
		name string
		most int
		to   *float64
	}{{"stiffness", 3, &j.stiff}, {"damping", 3, &j.damping}, {"armature", 1, &j.armature},
		{"frictionloss", 1, &j.friction}} {
		if *f.to, err = a.first(f.name, f.most, 0); err != nil {
			return err
		}
		if *f.to < 0 {
			j.elem.note(scene.Suspicious, "%s of %g; using 0", f.name, *f.to)
			*f.to = 0
		}
	}
	timeConstant, err := a.numbers("springdamper", 2, 2)
	if err != nil {
		return err
	}
	if timeConstant != nil && timeConstant[0] > 0 && timeConstant[1] > 0 {
		j.timeConstant = [2]float64{timeConstant[0], timeConstant[1]}
	}
	if r.set.noSprings {
		j.stiff, j.timeConstant = 0, [2]float64{}
	}
	if j.kind == scene.Ball && j.timeConstant[0] > 0 {
		j.elem.note(scene.Unsupported, "springdamper of a ball joint; using its stiffness and damping")
	}
	force, err := r.bound(a, "actuatorfrclimited", "actuatorfrcrange")
	if force != nil {
		most := max(math.Abs(force[0]), math.Abs(force[1]))
		if j.hold(most); force[0] != -force[1] {
			j.elem.note(scene.Unsupported, "actuatorfrcrange=%q: motors push by up to %g either way",
				clip(a.text("actuatorfrcrange")), most)
		}
	}
	return err
}

// hold bounds what motors may do to the joint.
func (j *joint) hold(effort float64) {
	if effort > 0 && (j.effort == 0 || effort < j.effort) {
		j.effort = effort
	}
}
