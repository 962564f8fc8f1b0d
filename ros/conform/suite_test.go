package conform

import (
	"context"
	"errors"
	"strings"
	"testing"

	"simdeck/ros/attach"
	"simdeck/sim"
	"simdeck/sim/engine"
)

func TestSimdeckConformsInEveryRow(t *testing.T) {
	for _, line := range []attach.Line{attach.Line2, attach.Line1, attach.LineDraft} {
		examined(t, sim.Paused, attach.Options{Line: line}, Options{Quit: true}, honest,
			func(r *Report, _ *engine.Engine) {
				for _, one := range r.Results {
					flags := line == attach.Line1 && one.Check.ID == "set.parts" // 1.x has none
					arrays := line != attach.LineDraft && one.Check.ID == "batch.lengths"
					if one.Status != Passed && !flags && !arrays {
						t.Errorf("in line %v %s %v: %s (%s)", line, one.Check.ID, one.Status, one.Detail,
							one.Check.Says)
					}
				}
				if len(r.Results) != len(Checks()) || r.Err() != nil {
					t.Errorf("%d of %d checks were made, %v", len(r.Results), len(Checks()), r.Err())
				}
			})
	}
}

func TestSimdeckConformsInEveryRowOverZenoh(t *testing.T) {
	withSimdeckOver(t, true, sim.Paused, attach.Options{}, honest,
		func(ctx context.Context, r *attach.Remote, _ *engine.Engine) error {
			report, err := Run(ctx, r, Options{Quit: true})
			if err != nil {
				return err
			}
			for _, one := range report.Results {
				if one.Status != Passed && one.Check.ID != "batch.lengths" { // as in line 2 over DDS
					t.Errorf("%s %v: %s (%s)", one.Check.ID, one.Status, one.Detail, one.Check.Says)
				}
			}
			if len(report.Results) != len(Checks()) || report.Err() != nil {
				t.Errorf("%d of %d checks were made, %v", len(report.Results), len(Checks()), report.Err())
			}
			return nil
		})
}

// left wants the yard as it is at the start, playing.
func left(t *testing.T, r *Report, e *engine.Engine) {
	t.Helper()
	s := e.Snapshot()
	var names []string
	for _, m := range s.Model.Entities {
		names = append(names, m.Name)
	}
	if s.State != sim.Playing || strings.Join(names, " ") != "crate floor post" || len(r.Left) > 0 {
		t.Errorf("it is %v with %v; the report says %q", s.State, names, r.Left)
	}
}

func TestTheSimulatorIsLeftAsItWasFound(t *testing.T) {
	examined(t, sim.Playing, attach.Options{}, Options{}, honest, func(r *Report, e *engine.Engine) {
		left(t, r, e)
		if r.Count(Failed)+r.Count(Differs) > 0 {
			t.Errorf("a simulator that plays does not conform: %s", r.summary())
		}
	})
}

func TestARunThatIsGivenUpPutsBackToo(t *testing.T) {
	for _, last := range []string{"spawn.renamed", "world.failed"} {
		withSimdeck(t, sim.Playing, attach.Options{}, honest,
			func(ctx context.Context, r *attach.Remote, e *engine.Engine) error {
				ctx, giveUp := context.WithCancel(ctx)
				between := func(p *Probe) {
					p.box()
					giveUp()
				}
				report, err := run(ctx, r, Options{},
					append(until(last), Check{ID: "given up", run: between},
						Check{ID: "after", run: between}))
				if !errors.Is(err, context.Canceled) ||
					report.Results[len(report.Results)-1].Check.ID != "given up" {
					t.Errorf("after %s it ends with %v", last, err)
				}
				left(t, report, e)
				return nil
			})
	}
}

// until are the checks up to one.
func until(last string) []Check {
	for i, c := range Checks() {
		if c.ID == last {
			return Checks()[:i+1]
		}
	}
	return nil
}
