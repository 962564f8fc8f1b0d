package dynamics

import (
	"fmt"
	"math"
)

// coupling makes a joint follow another: its position is ratio times the leader's, plus an offset.
type coupling struct {
	on            bool
	leader        int32
	ratio, offset float64
}

// SetCoupling makes a joint follow another, both ways, as gear wheels and the fingers of a gripper do: its
// position is held at ratio times the leader's plus an offset (URDF's mimic). The two need not have
// anything in common; within a tree in reduced coordinates they are held exactly. A ratio of 0 and an
// offset of 0 take the gear away.
func (w *World) SetCoupling(follower, leader JointID, ratio, offset float64) error {
	if !w.jointAlive(follower) || !w.jointAlive(leader) {
		return fmt.Errorf("%w: gear of %v with %v", ErrGone, follower, leader)
	}
	if math.IsNaN(ratio+offset) || math.IsInf(ratio+offset, 0) {
		return fmt.Errorf("%w: gear of %v with ratio %v and offset %v, must be finite", ErrInvalid, follower, ratio, offset)
	}
	j, lead := &w.joints[follower.slot], &w.joints[leader.slot]
	if follower == leader || !j.hasAxis() || !lead.hasAxis() {
		return fmt.Errorf("%w: gear of %v (%v) with %v (%v): two joints with an axis are right", ErrInvalid, follower, j.kind, leader, lead.kind)
	}
	j.coupling = coupling{on: ratio != 0 || offset != 0, leader: int32(leader.slot), ratio: ratio, offset: offset}
	j.impulseCoupling = 0
	for _, k := range [2]*joint{j, lead} {
		for _, b := range [2]int32{k.parent, k.child} {
			if b >= 0 {
				w.wake(b)
			}
		}
	}
	return nil
}

// removeCoupling forgets the gears of a joint that goes.
func (w *World) removeCoupling(slot int32) {
	for i := range w.joints {
		if g := &w.joints[i].coupling; g.on && (g.leader == slot || int32(i) == slot) {
			*g = coupling{}
		}
	}
}
