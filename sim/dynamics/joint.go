package dynamics

import (
	"fmt"
	"math"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
)

// JointType says which degrees of freedom a joint has.
type JointType = articulation.JointType

// The types of joints are those of package articulation, where each is described.
const (
	Fixed      = articulation.Fixed
	Revolute   = articulation.Revolute
	Continuous = articulation.Continuous
	Prismatic  = articulation.Prismatic
	Ball       = articulation.Ball
	Universal  = articulation.Universal
	Screw      = articulation.Screw
	Planar     = articulation.Planar
)

// JointDef describes a joint. Its frames in the two bodies coincide at position 0.
type JointDef struct {
	Type        JointType
	Parent      BodyID  // zero: the world
	Child       BodyID  //
	ParentFrame r3.Pose // in the parent (URDF: the joint's origin); a zero rotation means the identity
	ChildFrame  r3.Pose // in the child (URDF: the identity); a zero rotation means the identity
	Axis        r3.Vec  // in the joint frame; zero: +x, as in URDF
	Axis2       r3.Vec  // Universal: the second axis, made orthogonal to Axis; zero: any
	Pitch       float64 // Screw: m along the axis per revolution
	Limited     bool    // Lower = Upper locks the joint, and its motor does nothing
	// rad or m; a Ball in an articulation: Upper is the largest rotation angle from position 0
	// (kinematics.go)
	Lower, Upper float64
	Damping      float64 // N·m·s/rad or N·s/m, of each degree of freedom
	// N·m or N, likewise; in maximal coordinates of a Ball as a whole, of a Planar of its slide as a whole
	// and of its rotation
	Friction float64
	Armature float64 // kg·m² or kg, of the motor as reflected to the joint; only in reduced coordinates
	// of a spring, N·m/rad or N/m; of a Ball in an articulation against any rotation; a Planar has none
	Stiffness   float64
	SpringRest  float64 // rad or m, where the spring is relaxed
	MaxEffort   float64 // of the motor, N·m or N; 0: unlimited
	MaxVelocity float64 // that the motor may ask for, rad/s or m/s; 0: unlimited
	SpeedLimit  float64 // enforced whatever moves the joint, rad/s or m/s; 0: none (velocity_limit.go)
	Collide     bool    // parent and child may collide with each other
	User        int     // the caller's index
}

// JointState is the reading of an encoder and a torque sensor. A universal joint reports its first axis;
// ball, planar and fixed joints report zero.
type JointState struct {
	Position float64 // rad or m; a rotation counts on past π
	Velocity float64 // rad/s or m/s
	Effort   float64 // N·m or N, of the motor
}

// jointSet is the joints of a world, indexed by slot.
type jointSet struct {
	ids slotTable
	all []joint
}

// joint is a joint's constants, motor and state.
type joint struct {
	kind          JointType
	collide       bool
	parent, child int32 // body slots; parent -1: the world
	jointFrames
	jointLimits
	jointPassive
	armature    float64 // kg·m² or kg
	maxEffort   float64 // N·m or N
	maxVelocity float64 // rad/s or m/s, that the motor may ask for
	user        int

	motor    motor
	coupling coupling

	// 1 + index of the articulation, and the link that is the child; 0: in maximal coordinates
	articulation, link int32

	position    float64 // rad or m
	nearlyStill bool    // in an articulation: below creepSpeed, whatever the motor does
	effort      float64 // N·m or N, of the motor
	jointImpulses
}

// jointFrames are the joint frames in the two bodies; z is the axis, x the second axis.
type jointFrames struct {
	anchorA, anchorB r3.Vec  // from the COM, body axes; of the world from its origin
	rotA, rotB       r3.Quat // joint frame to body
}

// jointLimits bound a joint's position and speed.
type jointLimits struct {
	limited      bool
	lower, upper float64 // rad or m
	speedLimit   float64 // rad/s or m/s; 0: none
	pitch        float64 // m/rad, of a screw
}

// jointPassive is what acts on a joint without a motor.
type jointPassive struct {
	damping    float64 // N·m·s/rad or N·s/m
	friction   float64 // N·m or N; of a constraint the impulse per substep
	stiffness  float64 // N·m/rad or N/m
	springRest float64 // rad or m
}

// jointImpulses are the impulses of the last substep, with which the next one starts.
type jointImpulses struct {
	linearImpulse, angularImpulse                 r3.Vec
	impulseDrive, impulseDamping, impulseFriction float64
	impulseLower, impulseUpper, impulseCoupling   float64
	impulseVelocityLimit                          float64
	// in an articulation: about the second and third degree of freedom
	impulseFriction2, impulseFriction3 float64
	// in maximal coordinates: of degrees of freedom without a position
	multiDofDampingImpulse, multiDofFrictionImpulse r3.Vec
}

// connects reports that the joint is between two bodies, by slot.
func (j *joint) connects(a, b int32) bool {
	return j.parent == a && j.child == b || j.parent == b && j.child == a
}

// locked reports that the limits leave no range: the joint is fixed, and its motor does nothing.
func (j *joint) locked() bool { return j.limited && j.kind.HasAxis() && j.lower == j.upper }

// check validates the definition and normalises frames and axis.
func (d *JointDef) check() error {
	for _, p := range [2]*r3.Pose{&d.ParentFrame, &d.ChildFrame} {
		if p.Rot == (r3.Quat{}) {
			p.Rot = r3.Identity()
		}
		u, ok := p.Unit()
		if !ok {
			return fmt.Errorf("%w: joint frame %v: must be finite, its quaternion not zero", ErrInvalid, *p)
		}
		*p = u
	}
	if d.Axis == (r3.Vec{}) {
		d.Axis = r3.Vec{X: 1}
	}
	axis, ok := d.Axis.Unit()
	if !ok {
		return fmt.Errorf("%w: joint axis %v has no direction", ErrInvalid, d.Axis)
	}
	d.Axis = axis
	if d.Type > Planar {
		return fmt.Errorf("%w: %v", ErrInvalid, d.Type)
	}
	if d.Limited && !(d.Lower <= d.Upper) {
		return fmt.Errorf("%w: joint limits %v to %v: the lower is above the upper", ErrInvalid, d.Lower,
			d.Upper)
	}
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"damping", d.Damping}, {"friction", d.Friction}, {"maximal effort", d.MaxEffort},
		{"maximal velocity", d.MaxVelocity},
		{"armature", d.Armature}, {"stiffness", d.Stiffness}, {"speed limit", d.SpeedLimit},
	} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("%w: joint %s %v, must be finite and not negative", ErrInvalid, f.name, f.value)
		}
	}
	for _, f := range [2]float64{d.Pitch, d.SpringRest} {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%w: joint pitch %v and spring rest %v must be finite", ErrInvalid, d.Pitch,
				d.SpringRest)
		}
	}
	return nil
}

// align rotates z to the axis, and x to the second axis where there is one.
func (d *JointDef) align() r3.Quat {
	if d.Type == Universal {
		if x, ok := d.Axis2.AddScaled(-d.Axis2.Dot(d.Axis), d.Axis).Unit(); ok {
			return r3.Columns(x, d.Axis.Cross(x), d.Axis).Quat()
		}
	}
	return r3.Between(r3.Vec{Z: 1}, d.Axis)
}

// AddJoint adds a joint between two bodies; its position is measured from their present poses. Errors:
// ErrInvalid for a definition out of range, ErrGone for a removed body.
func (w *World) AddJoint(d JointDef) (JointID, error) {
	if err := d.check(); err != nil {
		return JointID{}, err
	}
	child, err := w.bodies.slot(d.Child)
	if err != nil {
		return JointID{}, fmt.Errorf("joint's child: %w", err)
	}
	parent := int32(-1)
	if d.Parent != (BodyID{}) {
		if parent, err = w.bodies.slot(d.Parent); err != nil {
			return JointID{}, fmt.Errorf("joint's parent: %w", err)
		}
	}
	if parent == child {
		return JointID{}, fmt.Errorf("%w: a joint of %v with itself", ErrInvalid, d.Child)
	}
	align := d.align()
	j := joint{
		kind: d.Type, collide: d.Collide, parent: parent, child: child,
		jointFrames: jointFrames{
			anchorA: d.ParentFrame.Pos, anchorB: d.ChildFrame.Pos.Sub(w.bodies.massProps[child].com),
			rotA: d.ParentFrame.Rot.Mul(align), rotB: d.ChildFrame.Rot.Mul(align),
		},
		jointLimits: jointLimits{limited: d.Limited && d.Type != Continuous, lower: d.Lower, upper: d.Upper,
			speedLimit: d.SpeedLimit},
		jointPassive: jointPassive{damping: d.Damping, friction: d.Friction, stiffness: d.Stiffness,
			springRest: d.SpringRest},
		armature: d.Armature, maxEffort: d.MaxEffort, maxVelocity: d.MaxVelocity, user: d.User,
	}
	if d.Type == Screw {
		j.pitch = d.Pitch / (2 * math.Pi)
	}
	if parent >= 0 {
		j.anchorA = j.anchorA.Sub(w.bodies.massProps[parent].com)
	}
	slot, grown := w.joints.ids.allocate()
	if grown {
		w.joints.all = append(w.joints.all, joint{})
	}
	w.joints.all[slot] = j
	for _, b := range [2]int32{parent, child} {
		if b >= 0 {
			w.bodies.all[b].joints = insertSorted(w.bodies.all[b].joints, slot)
			w.active.wake(&w.bodies, b)
		}
	}
	if !d.Collide && parent >= 0 {
		w.contacts.dropBetween(&w.active, parent, child)
	}
	w.joints.measure(&w.bodies, slot, false)
	return JointID{uint32(slot), w.joints.ids.gen[slot]}, nil
}

// RemoveJoint removes a joint and wakes its bodies. Error: ErrGone.
func (w *World) RemoveJoint(id JointID) error {
	if !w.joints.ids.isCurrent(id.slot, id.gen) {
		return fmt.Errorf("%w: %v", ErrGone, id)
	}
	w.removeJoint(int32(id.slot))
	return nil
}

// removeJoint removes a joint by slot.
func (w *World) removeJoint(slot int32) {
	if l := w.joints.all[slot].articulation; l != 0 {
		w.toMaximal(l)
	}
	w.joints.removeCoupling(slot)
	j := w.joints.all[slot]
	for _, b := range [2]int32{j.parent, j.child} {
		if b >= 0 {
			w.active.wake(&w.bodies, b)
			w.bodies.all[b].joints = removeSorted(w.bodies.all[b].joints, slot)
		}
	}
	// Parent and child may now collide, so the next broad phase must test them.
	if !j.collide {
		for _, s := range w.bodies.all[j.child].geoms {
			w.geoms.markMoved(&w.bodies, s)
		}
	}
	w.joints.all[slot] = joint{}
	w.joints.ids.release(slot)
}

// dropBetween removes the contacts of two bodies.
func (cs *contactSet) dropBetween(active *activeSet, a, b int32) {
	for _, r := range cs.pairs.sorted {
		c := &cs.all[r.contact]
		if c.bodyA == a && c.bodyB == b || c.bodyA == b && c.bodyB == a {
			c.dead = true
		}
	}
	cs.removeDead(active)
}
