package dynamics

import (
	"fmt"
	"math"
)

// coupling ties a joint's position to another's: ratio·leader + offset.
type coupling struct {
	on            bool
	leader        int32
	ratio, offset float64
}

// SetCoupling couples two joints both ways, like gear wheels or gripper fingers (URDF's mimic). The
// follower's position is held at ratio times the leader's plus offset, rad or m. The joints may be anywhere;
// within one articulation the coupling is exact. Ratio 0 and offset 0 remove it. Errors: ErrGone, ErrInvalid.
func (w *World) SetCoupling(follower, leader JointID, ratio, offset float64) error {
	if !w.joints.alive(follower) || !w.joints.alive(leader) {
		return fmt.Errorf("%w: coupling of %v with %v", ErrGone, follower, leader)
	}
	if math.IsNaN(ratio+offset) || math.IsInf(ratio+offset, 0) {
		return fmt.Errorf("%w: coupling of %v with ratio %v and offset %v, must be finite", ErrInvalid,
			follower, ratio, offset)
	}
	j, lead := &w.joints.all[follower.slot], &w.joints.all[leader.slot]
	if follower == leader || !j.kind.HasAxis() || !lead.kind.HasAxis() {
		return fmt.Errorf("%w: coupling of %v (%v) with %v (%v): both joints must have an axis", ErrInvalid,
			follower, j.kind, leader, lead.kind)
	}
	j.coupling = coupling{on: ratio != 0 || offset != 0, leader: int32(leader.slot), ratio: ratio,
		offset: offset}
	j.impulseCoupling = 0
	for _, k := range [2]*joint{j, lead} {
		for _, b := range [2]int32{k.parent, k.child} {
			if b >= 0 {
				w.active.wake(&w.bodies, b)
			}
		}
	}
	return nil
}

// removeCoupling removes the couplings of a joint that is removed.
func (js *jointSet) removeCoupling(slot int32) {
	for i := range js.all {
		if g := &js.all[i].coupling; g.on && (g.leader == slot || int32(i) == slot) {
			*g = coupling{}
		}
	}
}
