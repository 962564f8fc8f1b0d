package vehicle

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// told keeps feedback.
type told struct {
	mu   sync.Mutex
	list []gssimmsgs.ExecuteScenarioFeedback
}

func (f *told) take(m *gssimmsgs.ExecuteScenarioFeedback) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, *m)
}

// all is what was told so far. The last may come after the result: feedback is a topic, the result an answer.
func (f *told) all() []gssimmsgs.ExecuteScenarioFeedback {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.list)
}

// play sends a goal; cancel is when, 0: never.
func play(h *town, file string, timeout float64, cancel time.Duration) (node.GoalStatus, *gssimmsgs.ExecuteScenarioResult, *told) {
	h.t.Helper()
	c, err := node.NewActionClient(h.listener, "/sim/execute_scenario", gssimmsgs.ExecuteScenarioAction())
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, end := context.WithTimeout(context.Background(), 2*time.Minute)
	defer end()
	if err := c.WaitReady(ctx); err != nil {
		h.t.Fatal(err)
	}
	f := &told{}
	g, err := c.Send(ctx, &gssimmsgs.ExecuteScenarioGoal{ScenarioFile: file, TimeoutSec: timeout}, f.take)
	if err != nil {
		h.t.Fatal(err)
	}
	if cancel > 0 {
		time.Sleep(cancel)
		if err := g.Cancel(ctx); err != nil {
			h.t.Error(err)
		}
	}
	status, result, err := g.Result(ctx)
	if err != nil {
		h.t.Fatal(err)
	}
	return status, result, f
}

func TestAScenarioIsPlayedWithFeedback(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *town) {
		status, r, f := play(h, "drive.yaml", 60, 0)
		if status != node.GoalSucceeded || !r.Success || r.CompletionTime < 3 || r.CompletionTime > 12 {
			t.Fatalf("%v: %+v", status, r)
		}
		h.until("the last feedback", func() bool {
			l := f.all()
			return len(l) > 0 && l[len(l)-1].Progress == 1
		})
		last, phases := -1.0, []string{}
		for _, m := range f.all() {
			if m.Progress < last {
				t.Errorf("progress goes from %g to %g", last, m.Progress)
			}
			last = m.Progress
			if len(phases) == 0 || phases[len(phases)-1] != m.CurrentPhase {
				phases = append(phases, m.CurrentPhase)
			}
		}
		if last != 1 || strings.Join(phases, " ") != "go pass" {
			t.Errorf("progress ends with %g, the phases are %q", last, phases)
		}
		if _, ok := h.engine.Snapshot().Find("ego"); !ok {
			t.Error("the vehicle is gone")
		}
	})
}

func TestAScenarioThatDoesNotEndIsTimedOutOrCancelled(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *town) {
		if status, r, _ := play(h, "stuck.yaml", 3, 0); status != node.GoalAborted || r.Success || !strings.Contains(r.Message, `time-out after 3s in phase "never"`) || r.CompletionTime < 3 {
			t.Errorf("%v: %+v", status, r)
		}
		if status, r, _ := play(h, "stuck.yaml", 0, 2*time.Second); status != node.GoalWasCanceled || r.Success || !strings.Contains(r.Message, "never") {
			t.Errorf("%v: %+v", status, r)
		}
	})
}

func TestAScenarioThatCannotBeReadBeginsNothing(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *town) {
		for file, says := range map[string]string{"wrong.yaml": `wrong.yaml:5:9: "jump" is unknown in an action`, "nowhere.yaml": "not found", "failing.yaml": "set_pose"} {
			if status, r, _ := play(h, file, 5, 0); status != node.GoalAborted || r.Success || !strings.Contains(r.Message, says) {
				t.Errorf("%s: %v: %+v", file, status, r)
			}
		}
	})
}
