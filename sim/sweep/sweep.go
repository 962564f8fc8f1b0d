// Package sweep is many runs that one file asks for: a matrix of worlds, seeds,
// scenarios and parameters, as GitHub Actions and Hydra have them, and what each
// run must come to. It reads the file and does one run; who does many of them,
// beside each other and in which order, changes no result.
//
//	name: braking
//	world: track                          of every run that the matrix gives no other
//	duration: 30s                         simulated; a run that has not passed by then has failed
//	timeout: 5m                           of the wall clock, then a run is ended (10m)
//	matrix:                               every value with every other
//	  world: [track, wet.sdf]             files are looked for beside this one first
//	  seed: 1..20                         or a list
//	  scenario: [brake.yaml, none]
//	  step: [1ms, 4ms]
//	  var.speed: [5, 10]                  a variable of the scenario
//	  arg.wheel: [left, right]            an argument of a world that is a xacro
//	  pose.ego: [[0, 0, 0], [5, 0, 0, 1.57]]   x, y, z and yaw in m and rad
//	  jitter.ego: [[0.2, 0.2, 0, 0.1]]    moves it by at most as much, drawn from the seed
//	  friction.ground: [0.3, 0.9]         of all collision shapes of an entity
//	  gravity: [-9.8, -1.62]              along z, in m/s²
//	  include:                            adds to runs that it changes nothing of, else a run of its own
//	    - {seed: 1, step: 2ms}
//	  exclude:                            takes away runs that have all of it
//	    - {world: wet.sdf, var.speed: 10}
//	pass: {region: {entity: ego, min: [60, -5], max: [70, 5]}}   one condition of a scenario, or a list of which all hold
//	fail: {distance: {entity: ego, to: wall, below: 0.5}}        or a list of which one holds
//	report: [ego]                         entities whose state at the end is a result
//
// A run passes as soon as its scenario has come to its end and all of pass
// holds; without either, when its duration is over. It fails when one of fail
// holds, an action fails, or the duration is over before. Conditions are looked
// at every scenario.Look.
//
// Only jitter is drawn from the seed: nobody reads sensors in a sweep, so their
// noise decides nothing, and runs that differ by the seed alone are the same.
package sweep

import (
	"errors"
	"slices"
	"strings"
	"time"

	"simdeck/sim/scenario"
)

// ErrFormat is a sweep that cannot be understood; the text says where.
var ErrFormat = errors.New("not a sweep")

// DefaultTimeout is how long a run may take of the wall clock when the file does not say.
const DefaultTimeout = 10 * time.Minute

// Sweep is what a file asks for.
type Sweep struct {
	Name    string
	Timeout time.Duration // of a run, by the wall clock
	Pass    []*scenario.Condition
	Fail    []*scenario.Condition
	Report  []string // entities
	Keys    []string // what differs or was given, in the order of the file: columns of the results
	Differs []string // those of Keys that are not the same in all runs
	Runs    []Run
}

// Run is one combination. Its Index is its place in Sweep.Runs.
type Run struct {
	Index    int
	World    string // as the file has it
	Scenario string // likewise; empty: none
	Seed     uint64
	Step     time.Duration // 0: what the world asks
	Duration time.Duration // simulated
	Values   map[string]string
}

// Value is what a run has for one of Sweep.Keys; empty when it has nothing.
func (r *Run) Value(key string) string { return r.Values[key] }

// under is what a run gives to all keys that begin with a prefix, by the rest of the key.
func (r *Run) under(prefix string) map[string]string {
	out := map[string]string{}
	for key, value := range r.Values {
		if len(key) > len(prefix) && key[:len(prefix)] == prefix {
			out[key[len(prefix):]] = value
		}
	}
	return out
}

// Vars are the variables of its scenario.
func (r *Run) Vars() map[string]string { return r.under("var.") }

// Args are the arguments of its world.
func (r *Run) Args() map[string]string { return r.under("arg.") }

// SeedsAlone reports that there are several seeds, and nothing that is drawn from them.
func (s *Sweep) SeedsAlone() bool {
	draws := slices.ContainsFunc(s.Keys, func(key string) bool { return strings.HasPrefix(key, "jitter.") })
	return !draws && slices.Contains(s.Differs, "seed")
}
