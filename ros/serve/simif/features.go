package simif

import (
	"context"
	"encoding/json"
	"slices"
)

// features is what the simulator can do, in the numbers of
// simulation_interfaces/msg/SimulatorFeatures.
type features struct {
	Codes   []uint16
	Formats []string
	Custom  string // a line of JSON
}

// served are the features of the services of this package: spawning to
// spawnables; reset and states; steps; worlds; batches. The stepping action
// (33) is not among them.
func served() []uint16 {
	return []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
		20, 21, 22, 23, 24, 25, 26, 31, 32, 40, 41, 42, 43, 44, 45, 50}
}

// decision is what is done where the standard is silent or contradicts itself.
type decision struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

func decisions() []decision {
	return []decision{
		{"stopped to paused", "allowed: starts paused at time zero"},
		{"step while not paused", "OPERATION_FAILED"},
		{"steps = 0", "OK, nothing happens"},
		{"step answers", "when the last step is done"},
		{"name filter", "POSIX ERE search"},
		{"box corners", "sent greater first, both orders accepted"},
		{"frame of bounds", "canonical link"},
		{"frame of twist and acceleration", "header.frame_id"},
		{"state after reset", "as before"},
		{"reset scope", "bit field, any combination"},
		{"already in target state", "101, nothing changes"},
		{"entity", "every model of the world and every spawned one"},
		{"all-zero quaternion", "identity"},
		{"service prefix", "the node's namespace"},
	}
}

func (s *Services) features(context.Context, nothing) (features, error) {
	custom, err := json.Marshal(struct {
		Simulator string     `json:"simulator"`
		Version   string     `json:"version"`
		Engine    string     `json:"engine"`
		Lines     []string   `json:"simulation_interfaces"`
		Decisions []decision `json:"decisions"`
	}{"simdeck", s.version, "simdeck/sim", []string{"2.x", "1.x"}, decisions()})
	return features{Codes: served(), Formats: slices.Clone(s.formats), Custom: string(custom)}, err
}
