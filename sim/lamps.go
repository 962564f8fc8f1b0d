package sim

import "simdeck/sim/scene"

// SetLamps gives lamps of an entity their light, all of them or with an error none; the others stay as they
// are. Those of a traffic signal follow its phases, and cannot be set. Replies Done.
type SetLamps struct {
	Name  string
	Lamps []LampGlow
}

// LampGlow is a lamp with its light.
type LampGlow struct {
	Lamp int // index into ModelSpec.Lamps
	Glow scene.Glow
}

func (SetLamps) command() {}

// LampsOf are the lights of an entity's lamps, by ModelSpec.Lamps; nil where the snapshot has none.
func (s *Snapshot) LampsOf(entity int) []scene.Glow {
	e := &s.Model.Entities[entity]
	if e.Spec == nil || e.FirstLamp+len(e.Spec.Lamps()) > len(s.Lamps) {
		return nil
	}
	return s.Lamps[e.FirstLamp:][:len(e.Spec.Lamps())]
}
