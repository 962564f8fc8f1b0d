package control

import (
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
)

// maxTrackingJump is the largest distance, m, of an actor from its script that it walks within a step; from
// further away it is placed there.
const maxTrackingJump = 1.0

// PlayScript moves a scripted model to its pose at the end of the next step, with that velocity, so that it
// pushes bodies. The script is about the pose at which the entity came.
func (c *Controller) PlayScript(p Dynamics, start r3.Pose, clock Clock) {
	dt := clock.dt()
	c.carry(p, start.Mul(c.model.Spec.Script.At(clock.Now.Seconds()+dt)), maxTrackingJump, dt)
}

// carry moves the bodies of a kinematic model so that its canonical link has a pose after a time. From
// further away than jump, in m, they are placed there.
func (c *Controller) carry(p Dynamics, to r3.Pose, jump, dt float64) {
	at, _ := c.base(p)
	shift := to.Mul(at.Inverse())
	for i, id := range c.bodies {
		if c.model.Bodies[i].Type == dynamics.Static {
			continue
		}
		from := p.Body(id).Pose()
		goal := shift.Mul(from)
		goal.Rot, _ = goal.Rot.Unit()
		twist := r3.Twist{
			Linear:  goal.Pos.Sub(from.Pos).Scale(1 / dt),
			Angular: goal.Rot.Mul(from.Rot.Conj()).Vector().Scale(1 / dt),
		}
		if goal.Pos.Dist(from.Pos) > jump {
			// The bodies of an entity live as long as it does, and scripts are finite.
			_ = p.Body(id).SetPose(goal)
			twist = r3.Twist{}
		}
		if twist != p.Body(id).Twist() {
			_ = p.Body(id).SetTwist(twist)
		}
	}
}
