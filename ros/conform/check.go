package conform

import (
	"slices"
	"strings"
	"time"

	"simdeck/ros/attach"
)

// Check is a row of the standard.
type Check struct {
	ID      string // "step.zero"
	Section string // for people, "Stepping"
	Says    string // the requirement
	// Needs are the services without which it cannot be tested
	// ("step_simulation") and the features that must be advertised
	// ("STEP_SIMULATION_MULTIPLE").
	Needs string
	// Question is that of the decision (see Decisions) which it tests. Where
	// the standard is silent, another answer is a difference and no fault.
	Question string
	// Own says that it tests how simdeck reads the standard in a matter too
	// small to be a decision; another reading is a difference too.
	Own   bool
	In    Phase // state before it
	Costs Costs // effects that cannot be undone
	run   func(*Probe)
}

// Phase is the state of the simulation in which a check begins.
type Phase uint8

// Phases.
const (
	Paused Phase = iota // or what the simulation is in, when that cannot be set
	Anyhow
)

// Costs is the irreversible effect of a check.
type Costs uint8

// Costs.
const (
	Nothing    Costs = iota
	TheRun           // simulated time and where entities are: a reset, a stop
	TheWorld         // the world is unloaded, and loaded again
	Everything       // the simulator ends
)

// Status is the outcome of a check.
type Status uint8

// Statuses.
const (
	Passed Status = iota
	Failed
	Differs // from what simdeck does where the standard is silent
	Skipped
)

// String is the status in a word.
func (s Status) String() string {
	return [...]string{"passed", "failed", "differs", "skipped"}[s]
}

// Result is a check with its outcome.
type Result struct {
	Check  Check
	Status Status
	Detail string        // why, when it has not passed
	Took   time.Duration // wall time
}

// Checks is the table of all tests, in the order of their execution: those without cost first, the end of the
// simulator last.
func Checks() []Check {
	all := slices.Concat(featureChecks(), stateChecks(), stepChecks(), actionChecks(), clockChecks(),
		spawnChecks(), refusalChecks(), spawnableChecks(),
		batchChecks(), deleteChecks(), filterChecks(), regionChecks(), getChecks(), setChecks(), infoChecks(),
		boundsChecks(), poseChecks(),
		worldListChecks(), topicChecks(), resetChecks(), worldChecks(), answerChecks(), quitChecks())
	slices.SortStableFunc(all, func(a, b Check) int { return int(a.Costs) - int(b.Costs) })
	return all
}

// missing says what a check needs that a simulator does not offer; "" when
// nothing is missing.
func (c Check) missing(s attach.Simulator, advertised map[string]bool) string {
	for need := range strings.FieldsSeq(c.Needs) {
		switch {
		case need == strings.ToUpper(need):
			if !advertised[need] {
				return need + " is not advertised"
			}
		case need == "simulate_steps":
			if s.Steps == nil {
				return need + " is not served"
			}
		default:
			kind, err := attach.Kind(need)
			if _, ok := s.Serves(kind); err != nil || !ok {
				return need + " is not served"
			}
		}
	}
	return ""
}

// silent reports whether another behaviour is no fault.
func (c Check) silent() bool { return c.Question != "" || c.Own }
