package sim

import (
	"slices"

	"simdeck/sim/scene"
)

// Motors are the joints, as indices into Spec.Joints, that can be commanded one
// by one and are not a drive's; nothing of an entity that came over a network.
func (m *EntityModel) Motors() []int {
	if m.plan == nil || m.Static {
		return nil
	}
	var out []int
	for i := range m.plan.joints {
		if m.plan.motor(i) && !slices.ContainsFunc(m.Spec.Drives, func(d scene.Drive) bool { return wheels(&d, i) }) {
			out = append(out, i)
		}
	}
	return out
}

// motor reports whether a joint can be commanded.
func (p *plan) motor(i int) bool {
	j := &p.joints[i]
	return j.moves && !p.spec.Joints[i].Mimic.Set && j.driven()
}

// wheels reports whether a joint is a drive's.
func wheels(d *scene.Drive, joint int) bool {
	for _, list := range [...][]int{d.Left, d.Right, d.SteerLeft, d.SteerRight} {
		if slices.Contains(list, joint) {
			return true
		}
	}
	return false
}
