package simif

import (
	"context"
	"encoding/json"
	"slices"
)

// features are the supported features, in the numbers of simulation_interfaces/msg/SimulatorFeatures.
type features struct {
	Codes   []uint16
	Formats []string
	Custom  string // a line of JSON
}

// served are the features of the services of this package: spawning to
// spawnables; reset and states; steps, the action with them; worlds; batches.
func served() []uint16 {
	return []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
		20, 21, 22, 23, 24, 25, 26, 31, 32, 33, 40, 41, 42, 43, 44, 45, 50}
}

func (s *Services) features(context.Context, nothing) (features, error) {
	custom, err := json.Marshal(struct {
		Simulator string          `json:"simulator"`
		Version   string          `json:"version"`
		Engine    string          `json:"engine"`
		Lines     []string        `json:"simulation_interfaces"`
		Decisions []SpecAmbiguity `json:"decisions"`
		Habits    []string        `json:"habits,omitempty"`
	}{"simdeck", s.version, "simdeck/sim", []string{"2.x", "1.x", "draft"}, SpecAmbiguities(),
		s.habits.names()})
	return features{Codes: served(), Formats: slices.Clone(s.formats), Custom: string(custom)}, err
}
