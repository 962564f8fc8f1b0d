package vehicle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scenario"
)

// feedbackPeriod is the least wall time between two feedback messages of one phase.
const feedbackPeriod = 100 * time.Millisecond

type (
	scenarioGoal     = node.Goal[gssimmsgs.ExecuteScenarioGoal, gssimmsgs.ExecuteScenarioFeedback]
	scenarioResult   = gssimmsgs.ExecuteScenarioResult
	scenarioFeedback = gssimmsgs.ExecuteScenarioFeedback
)

// serveScenarios serves the action that plays a scenario, one at a time.
func (p *Profile) serveScenarios() error {
	_, err := node.NewActionServer(p.node,
		node.ActionServerConfig[gssimmsgs.ExecuteScenarioGoal, scenarioResult, scenarioFeedback]{
			Name: "/sim/execute_scenario", Action: gssimmsgs.ExecuteScenarioAction(),
			Execute: p.executeScenario,
			AtOnce:  1})
	return err
}

// executeScenario plays a goal's file. One that cannot be read is aborted with
// the line, and nothing has begun.
func (p *Profile) executeScenario(ctx context.Context, g *scenarioGoal) (*scenarioResult, error) {
	s, err := p.readScenario(g.Request.ScenarioFile)
	if err == nil && !(g.Request.TimeoutSec >= 0 && g.Request.TimeoutSec < 1e9) {
		err = fmt.Errorf("%w: a time-out of %g s; want 0 (none) to 1e9", errCommand, g.Request.TimeoutSec)
	}
	if err != nil {
		return &scenarioResult{Message: err.Error()}, err
	}
	said := &voices{node: p.node, topics: map[string]*node.Publisher[stdmsgs.String]{}}
	defer said.close()
	f := &teller{goal: g}
	player := &scenario.Player{Backend: p.backend,
		Timeout: time.Duration(g.Request.TimeoutSec * float64(time.Second)), Told: f.tell, Publish: said.say}
	took, err := player.Play(sim.WithSender(ctx, "ros"), s)
	r := &scenarioResult{Success: err == nil, Message: "done", CompletionTime: took.Seconds()}
	if err != nil {
		r.Message = err.Error()
	}
	return r, err
}

// readScenario reads a file that the search paths know, or one of the bundle.
func (p *Profile) readScenario(file string) (*scenario.Scenario, error) {
	files := p.backend.Capabilities().Files
	if files == nil {
		return nil, fmt.Errorf("%w: this simulator reads no files", sim.ErrUnsupported)
	}
	read := func(uri string) ([]byte, string, error) {
		return files.ReadFile(uri, scenario.MaxSize, "a scenario, which has a line phases:", scenario.Is)
	}
	data, name, err := read(file)
	if model := p.backend.Snapshot().Model; err != nil && model.Site != nil {
		var again error
		if data, name, again = read(strings.TrimSuffix(model.Site.Bundle, "/") + "/" + file); again == nil {
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("scenario %q: %w", file, err)
	}
	return scenario.Parse(name, data)
}

// teller sends the feedback of a goal: at once when its phase changes.
type teller struct {
	goal  *scenarioGoal
	phase string
	next  time.Time
}

func (f *teller) tell(progress float64, phase string) {
	now := time.Now()
	if phase == f.phase && progress < 1 && now.Before(f.next) {
		return
	}
	f.phase, f.next = phase, now.Add(feedbackPeriod)
	// Feedback that cannot be sent leaves the result, which says all.
	_ = f.goal.Feedback(&scenarioFeedback{Progress: progress, CurrentPhase: phase})
}

// voices publish what a scenario says, as std_msgs/String, latched until it ends.
type voices struct {
	node   *node.Node
	mu     sync.Mutex
	topics map[string]*node.Publisher[stdmsgs.String]
}

func (v *voices) say(topic, text string) (err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.topics[topic]
	if p == nil {
		if p, err = node.NewPublisher[stdmsgs.String](v.node, topic, node.LatchedQoS()); err != nil {
			return err
		}
		v.topics[topic] = p
	}
	return p.Publish(&stdmsgs.String{Data: text})
}

func (v *voices) close() {
	var errs []error
	for _, p := range v.topics {
		errs = append(errs, p.Close())
	}
	if err := errors.Join(errs...); err != nil {
		v.node.Log().Warn("a topic of a scenario could not be closed", "error", err)
	}
}
