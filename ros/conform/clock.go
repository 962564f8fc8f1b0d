package conform

import (
	"context"
	"slices"
	"sync"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/node"
)

// clock hears /clock.
type clock struct {
	subscription *node.Subscription[rosgraphmsgs.Clock]

	mu   sync.Mutex
	last time.Duration
	runs int  // messages heard since forget
	back bool // time went back since forget
}

func listen(n *node.Node) (*clock, error) {
	c := &clock{}
	var err error
	c.subscription, err = node.NewSubscription(n, "/clock", node.QoS{Depth: 1000},
		func(_ context.Context, m *rosgraphmsgs.Clock, _ node.Origin) {
			at := node.SimDuration(m.Clock)
			c.mu.Lock()
			defer c.mu.Unlock()
			c.back = c.back || c.runs > 0 && at < c.last
			c.last = at
			c.runs++
		})
	return c, err
}

// Close hears no more.
func (c *clock) Close() error { return c.subscription.Close() }

// forget begins anew.
func (c *clock) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs, c.back = 0, false
}

func (c *clock) heard() (last time.Duration, messages int, back bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last, c.runs, c.back
}

// published reports whether somebody publishes /clock.
func (p *Probe) published() bool {
	return slices.ContainsFunc(p.node().Graph().Topics,
		func(t node.Named) bool { return t.Name == "/clock" && t.Publishers > 0 })
}

// clockMayTake is the greatest latency of a message of /clock.
const clockMayTake = 2 * time.Second

func clockChecks() []Check {
	return []Check{
		{ID: "clock.steps", Section: "Clock", Says: "/clock moves by exactly the steps that were asked for",
			Question: "when StepSimulation answers",
			Needs:    "step_simulation STEP_SIMULATION_MULTIPLE get_entity_state get_entities",
			run:      clockFollowsSteps},
		{ID: "clock.forward", Section: "Clock",
			Says:  "/clock goes forward while the simulation plays, and stands while it is paused",
			Needs: "set_simulation_state SIMULATION_STATE_PAUSE", run: clockRunsWithTheSimulation},
	}
}

func clockFollowsSteps(p *Probe) {
	p.heardClock()
	dt := p.stepSize()
	before := p.now()
	p.clock().forget()
	p.step(20)
	want := before + 20*dt
	ok := p.until(clockMayTake, func() bool { at, _, _ := p.clock().heard(); return at >= want })
	p.wait(clockMayTake / 10) // for what comes after
	at, _, _ := p.clock().heard()
	p.that(ok && at == want, "after 20 steps of %v from %v, /clock is at %v, want %v", dt, before, at, want)
}

func clockRunsWithTheSimulation(p *Probe) {
	p.heardClock()
	p.clock().forget()
	p.become(statePlaying)
	p.that(p.until(clockMayTake, func() bool { _, n, _ := p.clock().heard(); return n >= 3 }),
		"/clock is silent while the simulation plays")
	p.become(statePaused)
	p.wait(200 * time.Millisecond) // commands in progress
	before, _, back := p.clock().heard()
	p.that(!back, "/clock went back while the simulation played")
	p.wait(300 * time.Millisecond)
	after, _, _ := p.clock().heard()
	p.that(before == after, "/clock went on from %v to %v while the simulation was paused", before, after)
}

func (p *Probe) clock() *clock { return p.suite.clock }

// heardClock skips where there is no /clock, or it may be another's.
func (p *Probe) heardClock() {
	if n := len(attach.Simulators(p.node().Servers())); n > 1 {
		p.skip("%d simulators are on the graph: whose /clock it is cannot be told", n)
	}
	if !p.until(clockMayTake, p.published) {
		p.skip("/clock has no publisher")
	}
}
