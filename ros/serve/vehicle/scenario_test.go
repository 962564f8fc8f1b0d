package vehicle

import (
	"context"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// play sends a goal; cancel is its time of cancelling, 0: never.
func play(h *rostest.Stage, file string, timeout float64, cancel time.Duration) (node.GoalStatus,
	*gssimmsgs.ExecuteScenarioResult, *rostest.Heard[scenarioFeedback]) {
	h.T.Helper()
	c, err := node.NewActionClient(h.Client, "/sim/execute_scenario", gssimmsgs.ExecuteScenarioAction())
	if err != nil {
		h.T.Fatal(err)
	}
	ctx, end := context.WithTimeout(context.Background(), 2*time.Minute)
	defer end()
	if err := c.WaitReady(ctx); err != nil {
		h.T.Fatal(err)
	}
	f := &rostest.Heard[scenarioFeedback]{}
	g, err := c.Send(ctx, &gssimmsgs.ExecuteScenarioGoal{ScenarioFile: file, TimeoutSec: timeout}, f.Keep)
	if err != nil {
		h.T.Fatal(err)
	}
	if cancel > 0 {
		time.Sleep(cancel)
		if err := g.Cancel(ctx); err != nil {
			h.T.Error(err)
		}
	}
	status, result, err := g.Result(ctx)
	if err != nil {
		h.T.Fatal(err)
	}
	return status, result, f
}

func TestAScenarioIsPlayedWithFeedback(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *rostest.Stage) {
		status, r, f := play(h, "drive.yaml", 60, 0)
		if status != node.GoalSucceeded || !r.Success || r.CompletionTime < 3 || r.CompletionTime > 12 {
			t.Fatalf("%v: %+v", status, r)
		}
		// Feedback is a topic, the result an answer: the last may come after it.
		h.Until("the last feedback", func() bool {
			l := f.Last()
			return l != nil && l.Progress == 1
		})
		last, phases := -1.0, []string{}
		for _, m := range f.All() {
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
		if _, ok := h.Engine.Snapshot().Find("ego"); !ok {
			t.Error("the vehicle is gone")
		}
	})
}

func TestAScenarioThatDoesNotEndIsTimedOutOrCancelled(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *rostest.Stage) {
		if status, r, _ := play(h, "stuck.yaml", 3, 0); status != node.GoalAborted || r.Success ||
			!strings.Contains(r.Message, `time-out after 3s in phase "never"`) || r.CompletionTime < 3 {
			t.Errorf("%v: %+v", status, r)
		}
		if status, r, _ := play(h, "stuck.yaml", 0, 2*time.Second); status != node.GoalWasCanceled ||
			r.Success || !strings.Contains(r.Message, "never") {
			t.Errorf("%v: %+v", status, r)
		}
	})
}

func TestAScenarioThatCannotBeReadBeginsNothing(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *rostest.Stage) {
		for file, says := range map[string]string{"wrong.yaml": `wrong.yaml:5:9: "jump" is unknown in an action`,
			"nowhere.yaml": "not found", "failing.yaml": "set_pose"} {
			if status, r, _ := play(h, file, 5, 0); status != node.GoalAborted || r.Success ||
				!strings.Contains(r.Message, says) {
				t.Errorf("%s: %v: %+v", file, status, r)
			}
		}
	})
}
