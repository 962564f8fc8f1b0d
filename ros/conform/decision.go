package conform

import (
	"fmt"
	"io"
	"strings"

	"simdeck/ros/serve/simif"
)

// Decision is simdeck's choice where the standard is silent or contradicts itself, and others' choices.
type Decision struct {
	Question string `json:"question"`
	Simdeck  string `json:"simdeck"`
	Others   string `json:"others,omitempty"`
}

// Decisions are those of simdeck, which GetSimulatorFeatures lists too, with
// what other simulators do today.
func Decisions() []Decision {
	others := map[string]string{
		"STOPPED to PAUSED":                        "O3DE refuses; Gazebo and Isaac Sim say OK and stay STOPPED",
		"step while not PAUSED, also from STOPPED": "Isaac Sim: INCORRECT_STATE; PyBulletFleet steps anyway",
		"PAUSED while steps run":                   "not known",
		"steps = 0":                                "refused, or taken as 1",
		"when StepSimulation answers":              "roqsim answers first; Isaac Sim steps frames of its app",
		"second stepping request while one runs":   "not known",
		"name filter":                              "Gazebo: the whole name must match; O3DE: a part of the name",
		"box corners":                              "Isaac Sim, PyBulletFleet: smaller first",
		"frame of bounds":                          "a box in the world's axes",
		"frame of twist and acceleration":          "O3DE: the entity's frame",
		"state after ResetSimulation":              "Isaac Sim always plays",
		"reset scope":                              "O3DE compares for equality",
		"already in the target state":              "OK",
		"frame of SetEntityState afterwards":       "O3DE: the frame id may change",
		"what PAUSED stops":                        "O3DE: physics; some animations go on",
		"what an entity is":                        "spawned ones only; every prim",
		"which entities were spawned":              "O3DE lists no others; elsewhere they cannot be told apart",
		"a batch of which some fail":               "not known",
		"arrays of different lengths in the draft of SpawnEntities": "not known",
		"all-zero quaternion in a request":                          "INVALID_POSE, or passed on",
		"a world that cannot be loaded":                             "not known",
		"service prefix":                                            "/gz_server/, /sim/, ~/",
	}
	var all []Decision
	for _, d := range simif.SpecAmbiguities() {
		all = append(all, Decision{d.Question, d.Answer, others[d.Question]})
	}
	return all
}

// WriteDecisions writes them for people.
func WriteDecisions(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Where simulation_interfaces is silent or contradicts itself:\n")
	for _, d := range Decisions() {
		fmt.Fprintf(&b, "\n%s\n  simdeck  %s\n  others   %s\n", d.Question, d.Simdeck, d.Others)
	}
	b.WriteString("\nHabits of other simulators, which simdeck run --habits takes on:\n\n")
	for _, h := range simif.AllHabits() {
		fmt.Fprintf(&b, "  %-15s  %s (%s)\n", h.Name, h.Means, strings.Join(h.Of, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
