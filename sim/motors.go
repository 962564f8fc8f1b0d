package sim

import (
	"slices"

	"simdeck/sim/scene"
)

// Motors are the individually commandable joints, as indices into Spec.Joints, without a drive's; none of an
// entity that came over a network.
func (m *EntityModel) Motors() []int {
	if m.Compiled == nil || m.Static {
		return nil
	}
	var out []int
	for i := range m.Spec.Joints {
		if m.Compiled.IsActuated(i) &&
			!slices.ContainsFunc(m.Spec.Drives,
				func(d scene.Drive) bool { return slices.Contains(d.Joints(), i) }) {
			out = append(out, i)
		}
	}
	return out
}
