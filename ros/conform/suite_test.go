package conform

import (
	"strings"
	"testing"

	"simdeck/ros/attach"
	"simdeck/sim"
)

func TestSimdeckConformsInEveryRow(t *testing.T) {
	for _, line := range []attach.Line{attach.Line2, attach.Line1} {
		examined(t, sim.Paused, attach.Options{Line: line}, Options{Quit: true}, honest, func(r *Report, _ *sim.Engine) {
			for _, one := range r.Results {
				flags := line == attach.Line1 && one.Check.ID == "set.parts" // 1.x has none
				if one.Status != Passed && !flags {
					t.Errorf("in line %v %s %v: %s (%s)", line, one.Check.ID, one.Status, one.Detail, one.Check.Says)
				}
			}
			if len(r.Results) != len(Checks()) || r.Err() != nil {
				t.Errorf("%d of %d checks were made, %v", len(r.Results), len(Checks()), r.Err())
			}
		})
	}
}

func TestTheSimulatorIsLeftAsItWasFound(t *testing.T) {
	examined(t, sim.Playing, attach.Options{}, Options{}, honest, func(r *Report, e *sim.Engine) {
		s := e.Snapshot()
		var names []string
		for _, m := range s.Model.Entities {
			names = append(names, m.Name)
		}
		if s.State != sim.Playing || strings.Join(names, " ") != "crate floor post" || len(r.Left) > 0 {
			t.Errorf("it is %v with %v; the report says %q", s.State, names, r.Left)
		}
		if r.Count(Failed)+r.Count(Differs) > 0 {
			t.Errorf("a simulator that plays does not conform: %s", r.summary())
		}
	})
}
