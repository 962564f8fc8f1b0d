package simif

import (
	"context"
	"time"

	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/sim"
)

// feedbackPeriod is the least wall time between two feedback messages but the
// last: steps can be quicker than anybody wants to read.
const feedbackPeriod = 10 * time.Millisecond

// The action is the same in 1.x and 2.x.
type (
	stepsGoal     = node.Goal[simif2.SimulateStepsGoal, simif2.SimulateStepsFeedback]
	stepsResult   = simif2.SimulateStepsResult
	stepsFeedback = simif2.SimulateStepsFeedback
)

// serveSteps serves simulate_steps.
func (s *Services) serveSteps() error {
	_, err := node.NewActionServer(s.node,
		node.ActionServerConfig[simif2.SimulateStepsGoal, stepsResult, stepsFeedback]{
			Name: s.named("simulate_steps"), Action: simif2.SimulateStepsAction(), Execute: s.simulateSteps,
			AtOnce: lasting})
	return err
}

// simulateSteps does steps and tells how far it is. A goal that cannot begin (not paused, or others stepping)
// is aborted with step_simulation's code; a cancelled one reports its progress.
func (s *Services) simulateSteps(ctx context.Context, g *stepsGoal) (*stepsResult, error) {
	m := &progressReporter{goal: g, asked: g.Request.Steps, ended: make(chan struct{})}
	m.follow(s.node, s.backend)
	done, err := s.step(sim.WithSender(ctx, "ros"), m.asked)
	m.end()
	if m.told < done.Completed {
		m.tell(done.Completed)
	}
	return &stepsResult{Result: result2(err, nil)}, err
}

// progressReporter tells the feedback of one goal from the pictures of the simulator.
type progressReporter struct {
	goal     *stepsGoal
	asked    uint64
	told     uint64 // steps that the client knows of
	pictures *sim.Subscription
	ended    chan struct{}
}

// follow begins before the first step is done.
func (m *progressReporter) follow(n *node.Node, d sim.Backend) {
	before := d.Snapshot().Stats.Steps
	m.pictures = d.Subscribe(sim.Latest(feedbackPeriod))
	m.pictures.WantSensors(false)
	if !n.Go(func(context.Context) {
		defer close(m.ended)
		for p := range m.pictures.C() {
			if done := min(m.asked, p.Stats.Steps-before); p.State == sim.Paused && done > m.told {
				m.tell(done)
			}
		}
	}) {
		close(m.ended)
	}
}

// end tells no more.
func (m *progressReporter) end() {
	m.pictures.Close()
	<-m.ended
}

func (m *progressReporter) tell(done uint64) {
	m.told = done
	// Feedback that cannot be sent leaves the result, which says all.
	_ = m.goal.Feedback(&stepsFeedback{CompletedSteps: done, RemainingSteps: m.asked - done})
}
