package conform

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simdeck/ros/attach"
	"simdeck/sim"
	"simdeck/sim/engine"
)

// liar is a backend that does something else than it is asked.
type liar struct {
	sim.Backend
	do func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error)
}

func (l liar) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	return l.do(l.Backend, ctx, c)
}

// lie is a way to do wrong.
type lie struct {
	name  string
	do    func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error)
	found string // checks that must not pass
}

// liesAboutEntities do wrong with entities, the others with the simulation.
func liesAboutEntities() []lie {
	return []lie{
		{"whoever is not there is deleted",
			func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
				r, err := d.Do(ctx, c)
				if _, ok := c.(sim.Delete); ok && err != nil {
					return sim.Done{}, nil
				}
				return r, err
			}, "delete.spawned delete.unknown"},
		{"nothing is deleted", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			if _, ok := c.(sim.Delete); ok {
				return sim.Done{}, nil
			}
			return d.Do(ctx, c)
		}, "delete.spawned delete.name-again"},
		{"a metre beside", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			if s, ok := c.(sim.Spawn); ok {
				s.Pose.Pose.Pos.X++
				c = s
			}
			return d.Do(ctx, c)
		}, "spawn.pose spawn.frame-entity spawn.frame-pose reset.state"},
		{"everything is in the world's frame",
			func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
				switch s := c.(type) {
				case sim.Spawn:
					s.Pose.Frame = ""
					c = s
				case sim.SetEntityState:
					s.Frame = ""
					c = s
				}
				return d.Do(ctx, c)
			}, "spawn.frame-entity spawn.frame-pose refuse.frame set.frame set.unknown-frame"},
		{"pose, twist and acceleration at once",
			func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
				if s, ok := c.(sim.SetEntityState); ok {
					s.Accel = nil
					c = s
				}
				return d.Do(ctx, c)
			}, "set.acceleration"},
		{"info is lost", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			if _, ok := c.(sim.SetEntityInfo); ok {
				return sim.Done{}, nil
			}
			return d.Do(ctx, c)
		}, "info.set filter.tags filter.and"},
		{"a batch is all or nothing",
			func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
				r, err := d.Do(ctx, c)
				if made, ok := r.(sim.BatchSpawned); ok && slices.ContainsFunc(made.Results,
					func(one sim.SpawnResult) bool { return one.Err != nil }) {
					for _, one := range made.Results {
						if one.Err == nil {
							_, _ = d.Do(ctx, sim.Delete{Names: []string{one.Name}})
						}
					}
				}
				return r, err
			}, "batch.stay"},
		{"what is put into a frame is put into the world",
			func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
				if s, ok := c.(sim.SetEntityState); ok && s.Frame != "" {
					s.Frame = ""
					c = s
				}
				return d.Do(ctx, c)
			}, "set.frame-once"},
		{"any name will do", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			if s, ok := c.(sim.Spawn); ok {
				s.AllowRenaming = true
				if strings.Contains(s.Name, " ") {
					s.Name = ""
				}
				c = s
			}
			return d.Do(ctx, c)
		}, "spawn.taken refuse.name refuse.no-name"},
	}
}

func liesAboutTheSimulation() []lie {
	return []lie{
		{"a step too many", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			if s, ok := c.(sim.StepWorld); ok && s.N > 1 {
				c = sim.StepWorld{N: s.N + 1}
			}
			return d.Do(ctx, c)
		}, "step.multiple clock.steps action.steps"},
		{"every state is fine", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			r, err := d.Do(ctx, c)
			if _, ok := c.(sim.SetState); ok && err != nil {
				return sim.Done{}, nil
			}
			return r, err
		}, "state.same state.no-world world.unload"},
		{"whatever is asked, all is reset",
			func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
				if _, ok := c.(sim.Reset); ok {
					c = sim.Reset{}
				}
				return d.Do(ctx, c)
			}, "reset.time reset.state reset.spawned reset.unknown"},
		{"nothing is reset", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			if _, ok := c.(sim.Reset); ok {
				return sim.Done{}, nil
			}
			return d.Do(ctx, c)
		}, "reset.time reset.state reset.spawned reset.combined reset.default reset.all reset.unknown"},
		{"a reset plays", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			r, err := d.Do(ctx, c)
			if _, ok := c.(sim.Reset); ok {
				_, _ = d.Do(ctx, sim.SetState{State: sim.Playing})
			}
			return r, err
		}, "reset.keeps-state"},
		{"a world too few", func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			if _, ok := c.(sim.UnloadWorld); ok {
				return sim.Done{}, nil
			}
			return d.Do(ctx, c)
		}, "world.unload"},
	}
}

func TestASimulatorThatDoesWrongIsFoundOut(t *testing.T) {
	for _, c := range slices.Concat(liesAboutEntities(), liesAboutTheSimulation()) {
		found := strings.Fields(c.found)
		between := func(d sim.Backend) sim.Backend { return liar{d, c.do} }
		only := regexp.MustCompile("^(" + strings.Join(found, "|") + ")$")
		examined(t, sim.Paused, attach.Options{}, Options{Only: only}, between,
			func(r *Report, _ *engine.Engine) {
				for _, one := range r.Results {
					want := Failed
					if one.Check.silent() {
						want = Differs
					}
					if one.Status != want || one.Detail == "" {
						t.Errorf("%s: %s %v: %s", c.name, one.Check.ID, one.Status, one.Detail)
					}
				}
				if len(r.Results) != len(found) {
					t.Errorf("%s: of %q %d were made", c.name, found, len(r.Results))
				}
			})
	}
}

func TestTheTableIsSound(t *testing.T) {
	decided := map[string]bool{}
	for _, d := range Decisions() {
		decided[d.Question] = false
		if d.Simdeck == "" || d.Others == "" {
			t.Errorf("%s: simdeck %q, others %q: the table says both", d.Question, d.Simdeck, d.Others)
		}
	}
	seen := map[string]bool{}
	sections := []string{}
	for _, c := range Checks() {
		if seen[c.ID] || c.Says == "" || c.Section == "" || c.run == nil {
			t.Errorf("%s is there twice, or says too little", c.ID)
		}
		seen[c.ID] = true
		if c.Question != "" {
			if _, ok := decided[c.Question]; !ok {
				t.Errorf("%s tests the decision %q, which is none", c.ID, c.Question)
			}
			decided[c.Question] = true
		}
		for need := range strings.FieldsSeq(c.Needs) {
			_, err := attach.Kind(need)
			known := slices.ContainsFunc(features(), func(f feature) bool { return f.name == need })
			if err != nil && !known && need != "simulate_steps" {
				t.Errorf("%s needs %s, which is neither a service nor a feature", c.ID, need)
			}
		}
		if !slices.Contains(sections, c.Section) {
			sections = append(sections, c.Section)
		}
	}
	for question, tested := range decided {
		if !tested {
			t.Errorf("nothing tests the decision %q", question)
		}
	}
	if len(sections) < 15 || len(seen) < 100 {
		t.Errorf("%d checks in %d sections: the table is cut off", len(seen), len(sections))
	}
}
