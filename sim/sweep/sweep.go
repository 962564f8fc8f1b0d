// Package sweep defines many runs in one file: a matrix of worlds, seeds, scenarios and parameters, and each
// run's expected outcome. It reads the file and does one run; who does many of them, beside each other and in
// which order, changes no result.
//
// Example shows all that a file can say.
//
// A run passes as soon as its scenario has come to its end and all of pass
// holds; without either, when its duration is over. It fails when one of fail
// holds, an action fails, or the duration is over before. Conditions are looked
// at every scenario.Look.
//
// Only jitter is drawn from the seed: sensors are not read in a sweep, so runs that differ by seed alone are
// equal.
package sweep

import (
	_ "embed"
	"errors"
	"slices"
	"strings"
	"time"

	"simdeck/sim/scenario"
)

// Example is a file with all that one can say, each with a comment.
//
//go:embed example.yaml
var Example string

// ErrFormat is a sweep that cannot be understood; the text says where.
var ErrFormat = errors.New("not a sweep")

// DefaultTimeout is the wall time that a run may take when the file does not say.
const DefaultTimeout = 10 * time.Minute

// Sweep is the content of a file.
type Sweep struct {
	Name    string
	Timeout time.Duration // of a run, by the wall clock
	Pass    []*scenario.Condition
	Fail    []*scenario.Condition
	Report  []string // entities
	Keys    []string // varied and given keys, in the order of the file: columns of the results
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

// Value is a run's value of one of Sweep.Keys; empty when it has none.
func (r *Run) Value(key string) string { return r.Values[key] }

// under returns a run's values of the keys with a prefix, by the rest of the key.
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
