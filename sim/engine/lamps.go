package engine

import (
	"simdeck/sim"
	"simdeck/sim/scene"
)

// setLamps gives lamps of an entity their light, or with an error none.
func (s *entitySet) setLamps(c sim.SetLamps) error {
	e, err := s.find(c.Name)
	if err != nil {
		return err
	}
	return e.control.Lamps().Set(c.Lamps)
}

// setBattery switches a battery of an entity.
func (s *entitySet) setBattery(c sim.SetBattery) error {
	e, err := s.find(c.Name)
	if err != nil {
		return err
	}
	return e.control.SetBattery(c)
}

// appendLamps appends the lights of the lamps of all entities, in their order; nothing where there are none.
func (s *entitySet) appendLamps(dst []scene.Glow) []scene.Glow {
	if s.lamps == 0 {
		return dst
	}
	for _, e := range s.list {
		dst = e.control.Lamps().Append(dst, e.control.Signal())
	}
	return dst
}
