package engine

import (
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
)

// maxTrackingJump is how far, in metres, an actor may be from its script for it to walk
// there within a step; from further away it is put there.
const maxTrackingJump = 1.0

// playScript lets a model with a script move to where it is to be at the end of the
// step to come, at the velocity which that takes: what it meets is pushed.
func (w *World) playScript(e *entity, dt float64) {
	to := e.initialPose.Mul(e.model.Spec.Script.At(w.time.Seconds() + dt))
	at := w.linkPose(e, e.model.Spec.Canonical)
	shift := to.Mul(at.Inverse())
	for i, id := range e.bodies {
		if e.model.Bodies[i].Type == dynamics.Static {
			continue
		}
		from := w.physics.Body(id).Pose()
		goal := shift.Mul(from)
		goal.Rot, _ = goal.Rot.Unit()
		twist := r3.Twist{
			Linear:  goal.Pos.Sub(from.Pos).Scale(1 / dt),
			Angular: goal.Rot.Mul(from.Rot.Conj()).Vector().Scale(1 / dt),
		}
		if goal.Pos.Dist(from.Pos) > maxTrackingJump {
			// The bodies of an entity live as long as it does, and scripts are finite.
			_ = w.physics.Body(id).SetPose(goal)
			twist = r3.Twist{}
		}
		if twist != w.physics.Body(id).Twist() {
			_ = w.physics.Body(id).SetTwist(twist)
		}
	}
}
