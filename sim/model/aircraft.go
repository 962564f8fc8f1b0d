package model

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// cannotGlide is the reason why an aeroplane is not flown; empty: it is.
func cannotGlide(c *compiler, a *scene.Aircraft) string {
	if a == nil {
		return "it has no control surfaces"
	}
	for _, j := range slices.Concat(a.Surfaces, a.Propellers) {
		if j < 0 || j >= len(c.Spec.Joints) {
			return fmt.Sprintf("there is no joint %d", j)
		}
	}
	for _, j := range a.Surfaces {
		if !c.turns(j) {
			return fmt.Sprintf("joint %q of a control surface does not turn", c.Spec.Joints[j].Name)
		}
	}
	if !(a.LeastSpeed > 0) || !(a.CruiseSpeed >= a.LeastSpeed) {
		return fmt.Sprintf("it flies at %v m/s, and at least at %v m/s", a.CruiseSpeed, a.LeastSpeed)
	}
	_, rotors := c.wrenches(a.Propellers)
	if len(rotors) == 0 {
		return "it has no propeller"
	}
	if _, controlled := c.SurfaceAllocation(a); !controlled[Pitch] || !controlled[Roll] {
		return "its control surfaces cannot pitch and roll it"
	}
	return ""
}

// PropellerAllocation is, by the propellers of an aeroplane, the thrust of each by that of all along x of the
// base.
func (m *Model) PropellerAllocation(a *scene.Aircraft) (shares []float64, rotors []int) {
	effects, rotors := m.wrenches(a.Propellers)
	shares = make([]float64, len(rotors))
	sum := 0.0
	for _, e := range effects {
		sum += max(0, e[Surge])
	}
	for k := range shares {
		if effects[k][Surge] > 0 {
			shares[k] = 1 / sum
		}
	}
	return shares, rotors
}

// SurfaceAllocation shares torques about the centre of mass among the control surfaces of an aeroplane. They
// are N·m in the frame of the base, and rad, at a dynamic pressure of 1 Pa. The sum of squares is the least.
func (m *Model) SurfaceAllocation(a *scene.Aircraft) (shares [][6]float64, controlled [6]bool) {
	effects := make([][6]float64, len(a.Surfaces))
	for k, joint := range a.Surfaces {
		torque := m.surfaceTorque(joint)
		effects[k][Roll], effects[k][Pitch], effects[k][Yaw] = torque.X, torque.Y, torque.Z
	}
	return allocate(effects, []int{Pitch, Roll, Yaw})
}

// surfaceTorque is the torque about the centre of mass by the angle of a control surface in a flow along the
// wings. It is N·m/rad at 1 Pa, in the frame of the base.
func (m *Model) surfaceTorque(joint int) (torque r3.Vec) {
	base, com := m.Spec.Links[m.Spec.Canonical].Pose.Upright(), m.Whole().COM
	at := func(link int, centre, force, moment r3.Vec) {
		pose := m.Spec.Links[link].Pose.Upright()
		lever := pose.Apply(centre).Sub(com)
		torque = torque.Add(lever.Cross(pose.Rot.Rotate(force))).Add(pose.Rot.Rotate(moment))
	}
	for i := range m.Spec.Flow.Frames {
		a := &m.Spec.Flow.Frames[i]
		x, z := a.Forward, a.Upward.Neg()
		y, span := z.Cross(x), math.Sqrt(a.Area*a.Aspect)
		for _, s := range a.Surfaces {
			if c := &s.Effect; s.Joint == joint {
				at(a.Link, a.Centre, y.Scale(c.Side*a.Area).AddScaled(-c.Lift*a.Area, z),
					x.Scale(c.Roll*a.Area*span).AddScaled(c.Pitch*a.Area*a.Chord, y).
						AddScaled(c.Yaw*a.Area*span, z))
			}
		}
	}
	for i := range m.Spec.Flow.Wings {
		w := &m.Spec.Flow.Wings[i]
		up, ok := w.Upward.AddScaled(-w.Upward.Dot(w.Forward), w.Forward).Unit()
		if w.Joint == joint+1 && ok {
			at(w.Link, w.Centre, up.Scale(w.JointLift*w.Area), r3.Vec{})
		}
	}
	return base.Rot.RotateBack(torque)
}
