package control

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
)

// rotor is the state of a propeller.
type rotor struct {
	told  float64 // rad/s
	speed float64 // rad/s
	// joint is the angle of the joint of a fused rotor, rad, and else the speed that it was told, rad/s.
	joint float64
}

// rotorSet is the rotors of an entity.
type rotorSet struct {
	entity string // for errors
	of     *model.Model
	links  []dynamics.BodyID  // by Model.Bodies
	hinges []dynamics.JointID // by Model.Joints
	all    []rotor            // by Flow.Rotors
	off    bool               // they have no power in this step
}

// rotorOf is the index of the rotor on a joint; -1: there is none.
func (k *rotorSet) rotorOf(joint int) int {
	for i := range k.all {
		if k.of.Spec.Flow.Rotors[i].Joint == joint {
			return i
		}
	}
	return -1
}

// target is the speed that a command asks of a rotor, rad/s. A velocity is that of the rotor, or of a
// thruster's joint, and an effort is its thrust, N.
func (k *rotorSet) target(i int, t *sim.JointTarget) (float64, error) {
	r := &k.of.Spec.Flow.Rotors[i]
	switch t.Mode {
	case sim.JointVelocity:
		speed := t.Target
		if r.ByForce { // that of its joint, within the bounds of its thrust
			speed = max(medium.SpeedFor(r, r.Force[0]), min(medium.SpeedFor(r, r.Force[1]), speed*r.Turn))
		}
		return medium.Allowed(r, speed), nil
	case sim.JointEffort:
		thrust := t.Target
		if r.ByForce {
			thrust = max(r.Force[0], min(r.Force[1], thrust))
		}
		return medium.Allowed(r, medium.SpeedFor(r, thrust)), nil
	}
	return 0, fmt.Errorf("%w: %s for the rotor on joint %q of %q; want velocity, rad/s, or effort, its thrust in N",
		sim.ErrUnsupported, t.Mode, t.Joint, k.entity)
}

// push tells a rotor the speed of a thrust, N, within its bounds.
func (k *rotorSet) push(i int, thrust float64) {
	r := &k.of.Spec.Flow.Rotors[i]
	if speed := medium.Allowed(r, medium.SpeedFor(r, thrust)); finite(speed) {
		k.all[i].told = speed
	}
}

// spin applies the thrust and the torques of rotors for the step to come, and turns their joints.
func (k *rotorSet) spin(p Dynamics, clock Clock, m *medium.Medium) {
	for i := range k.all {
		r, s := &k.of.Spec.Flow.Rotors[i], &k.all[i]
		told := s.told
		if k.off {
			told = 0
		}
		if told == 0 && s.speed == 0 {
			continue
		}
		next := medium.NextSpeed(r, s.speed, told, clock.dt())
		speed, rise := (s.speed+next)/2, (next-s.speed)/clock.dt()
		s.speed = next
		switch {
		case k.of.Rotors[i].Fused:
			s.joint += float64(r.Turn * speed * clock.dt())
		case r.Turn != 0 && k.of.Joints[r.Joint].Moves && s.joint != r.Turn*next:
			s.joint = r.Turn * next
			// The joints of an entity live as long as it does.
			_ = p.Joint(k.hinges[r.Joint]).SetMotorVelocity(s.joint, 0)
		}
		k.thrust(p, i, speed, rise, clock, m)
	}
}

// thrust applies the force of a rotor to the link that carries it. Its own link turns with it and would pass
// all but the turn on. Rise is the growth of its speed, rad/s².
func (k *rotorSet) thrust(p Dynamics, i int, speed, rise float64, clock Clock, m *medium.Medium) {
	r, own := &k.of.Spec.Flow.Rotors[i], &k.of.Rotors[i]
	j := &k.of.Spec.Joints[r.Joint]
	at := &k.of.Placements[j.Child]
	child := p.Body(k.links[at.Body])
	link := child.Pose().Mul(at.Pose)
	hub, axis := link.Apply(j.Pose.Pos), link.Rot.Rotate(r.Axis)
	mount := child
	if j.Parent != scene.World {
		mount = p.Body(k.links[k.of.Placements[j.Parent].Body])
	}
	v := r3.Vec{}
	if r.SideDrag != 0 || r.Rolling != 0 || r.Inflow != 0 || r.Windmill != 0 {
		v = mount.VelocityAt(hub).Sub(m.VelocityAt(hub, clock.Now.Seconds()))
		if mass := mount.Mass().Mass; r.Inflow > 0 && mass > 0 { // as model.Damped
			x := r.Inflow * math.Abs(speed) * clock.dt() / mass
			v = v.AddScaled(-v.Dot(axis)*(x/2)/(1+x/2), axis)
		}
	}
	force, torque := medium.OnRotor(r, axis, v, speed)
	if own.Fused { // the torques of its spin
		spin := link.Rot.Rotate(own.Axis).Scale(own.Moment * r.Turn)
		torque = torque.AddScaled(-rise, spin).AddScaled(-speed, mount.Twist().Angular.Cross(spin))
	}
	// Forces of finite motions are finite, and a body that is gone is not pushed.
	_ = mount.ApplyWrench(force, torque, hub)
}

// hash takes in the rotors that turn or are told to.
func (k *rotorSet) hash(d *statecodec.Digest) {
	for i, r := range k.all {
		if r != (rotor{}) {
			d.Word(uint64(i))
			d.Float(r.told)
			d.Float(r.speed)
			d.Float(r.joint)
		}
	}
}

// code visits the rotors.
func (k *rotorSet) code(v statecodec.Visitor) {
	for i := range k.all {
		v.Floats(&k.all[i].told, &k.all[i].speed, &k.all[i].joint)
	}
}

// Rotor is the angle, rad, and the speed, rad/s, of the joint of a fused rotor.
func (k *rotorSet) Rotor(i int) (angle, speed float64) {
	return k.all[i].joint, k.of.Spec.Flow.Rotors[i].Turn * k.all[i].speed
}
