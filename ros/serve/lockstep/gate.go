package lockstep

import (
	"fmt"
	"time"

	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/sensor"
)

const (
	// settling is the time from a topic's being joined to its first observation: earlier commands are no
	// answer to one. After settlingLooks its sensor is wanted.
	settling      = 250 * time.Millisecond
	settlingLooks = 2
	// queueLength is the number of messages of a topic that may wait for their turn, the newest.
	queueLength = 64
)

// graph is a gate's view of the network and of the robots on it.
type graph interface {
	Published(topic string) node.Link
	Subscribed(topic string) node.Link
	// KeepNewest says whether the newest message of a topic is kept, so that it can be sent again.
	KeepNewest(topic string, on bool)
	// Rate is that of a topic that robots publish, Hz; 0: with every step. It is false for others.
	Rate(topic string) (hz float64, ok bool)
	// Observation is the topic of the only sensor of the robot that takes a topic of commands.
	Observation(command string) (string, error)
	// Looks counts the looks at who listens.
	Looks() uint64
}

// message is a command that waits for its turn.
type message struct {
	stamp   time.Duration // simulated
	stamped bool
	deliver func()
}

// gate decides at rests of a world for whom it waits. It is a value of one goroutine, and asks no clock.
type gate struct {
	graph    graph
	channels []*channel
	load     uint64 // of the world
	now      time.Duration
	step     time.Duration
	begun    bool // now and load are of a rest
}

// channel is a topic of commands at a gate.
type channel struct {
	topic       Topic
	name        string // full
	observation string // full; by the rate: the clock; "": not known yet

	linked  bool
	ready   time.Time // since when it is joined; zero: it is not
	looks   uint64    // when it was
	sent    uint64    // messages of the observation that were shown
	next    time.Duration
	owed    bool // a message is due
	at      time.Duration
	answer  *message // that has come
	queue   []message
	dropped uint64 // without a turn
	faults  string // of the newest that was dropped; "": none was
}

// newGate makes a gate of topics, with the full name of the clock's.
func newGate(g graph, topics []Topic, clock string, resolve func(string) (string, error)) (*gate, error) {
	out := &gate{graph: g}
	for _, t := range topics {
		c := &channel{topic: t}
		var err error
		if c.name, err = resolve(t.Name); err != nil {
			return nil, fmt.Errorf("%w %q: %w", ErrTopic, t, err)
		}
		if t.Rate > 0 {
			c.observation = clock
		} else if t.Observation != "" {
			if c.observation, err = resolve(t.Observation); err != nil {
				return nil, fmt.Errorf("%w %q: %w", ErrTopic, t, err)
			}
		}
		out.channels = append(out.channels, c)
	}
	return out, nil
}

// take keeps a message for its turn.
func (c *channel) take(m message) {
	if len(c.queue) == queueLength {
		c.drop("more come than are due")
		c.queue = c.queue[1:]
	}
	c.queue = append(c.queue, m)
}

func (c *channel) drop(why string) { c.dropped, c.faults = c.dropped+1, why }

// rest looks at a world at rest, all of which has been published.
func (g *gate) rest(s *sim.Snapshot) {
	if !g.begun || s.Model.Load != g.load || s.Time < g.now {
		for _, c := range g.channels {
			c.owed, c.answer, c.queue, c.next = false, nil, nil, after(c.topic.Rate, s.Time)
		}
	}
	g.begun, g.load, g.now, g.step = true, s.Model.Load, s.Time, s.StepSize
	for _, c := range g.channels {
		if !c.linked {
			continue
		}
		if c.topic.Rate > 0 {
			if g.now >= c.next {
				c.owe(g.now)
				c.next = after(c.topic.Rate, g.now)
			}
			continue
		}
		if sent := g.graph.Published(c.observation).Sent; sent != c.sent {
			c.sent = sent
			c.owe(g.now)
		}
	}
}

// owe makes a message due.
func (c *channel) owe(now time.Duration) { c.owed, c.at, c.answer = true, now, nil }

// after is the first multiple of a rate's period after a time.
func after(rate float64, now time.Duration) time.Duration {
	s := sensor.NewSchedule(rate, now)
	return s.At()
}

// decide looks for the messages that are due. With nobody awaited the answers are to be delivered, and so
// many steps may pass.
func (g *gate) decide(wall time.Time) (awaited []sim.Awaited) {
	for _, c := range g.channels {
		if what := g.misses(c, wall); what != "" {
			awaited = append(awaited, sim.Awaited{Who: c.name, What: what})
		}
	}
	return awaited
}

// misses says what has not come of a topic; "": nothing is due.
func (g *gate) misses(c *channel, wall time.Time) string {
	if what := g.join(c, wall); what != "" {
		return what
	}
	if c.owed && c.answer == nil {
		c.match(g.step)
	}
	switch {
	case !c.owed || c.answer != nil:
		return ""
	case c.topic.Rate > 0:
		return fmt.Sprintf("no message for %v%s", c.at, c.why())
	}
	return fmt.Sprintf("no message for %s of %v%s", c.observation, c.at, c.why())
}

// why tells of the messages that were dropped.
func (c *channel) why() string {
	if c.faults == "" {
		return ""
	}
	return fmt.Sprintf("; %d dropped, the last: %s", c.dropped, c.faults)
}

// match takes the answer to what is due from the queue.
func (c *channel) match(step time.Duration) {
	for len(c.queue) > 0 {
		m := c.queue[0]
		c.queue = c.queue[1:]
		switch off := m.stamp - c.at; {
		case c.topic.Stamped && !m.stamped:
			c.drop("it has no header")
		case c.topic.Stamped && off < -step/2:
			c.drop(fmt.Sprintf("its stamp, %v, has passed", m.stamp))
		case c.topic.Stamped && off > step/2:
			c.drop(fmt.Sprintf("its stamp, %v, is to come", m.stamp))
		default:
			c.answer = &m
			return
		}
	}
}

// join says who has to come first, before anything of a topic is due; "": nobody.
func (g *gate) join(c *channel, wall time.Time) string {
	what := g.absent(c)
	if what != "" {
		if c.linked {
			c.owed, c.answer = false, nil
		}
		c.linked, c.ready = false, time.Time{}
		return what
	}
	if c.linked {
		return ""
	}
	if c.ready.IsZero() {
		c.ready, c.looks = wall, g.graph.Looks()
	}
	if wall.Sub(c.ready) < settling || g.graph.Looks() < c.looks+settlingLooks {
		return "its publisher has just come"
	}
	c.linked, c.queue = true, nil
	c.next = after(c.topic.Rate, g.now)
	c.sent = g.graph.Published(c.observation).Sent
	g.graph.KeepNewest(c.observation, true)
	return ""
}

// end keeps nothing for topics any more.
func (g *gate) end() {
	for _, c := range g.channels {
		g.graph.KeepNewest(c.observation, false)
	}
}

// absent says who is not there of those between whom a topic's messages go; "": all are.
func (g *gate) absent(c *channel) string {
	commands := g.graph.Subscribed(c.name)
	if c.topic.Rate == 0 && c.topic.Observation == "" && !c.linked { // another world may have another sensor
		of, err := g.graph.Observation(c.name)
		if err != nil {
			return err.Error()
		}
		c.observation = of
	}
	switch {
	case commands.Others == 0:
		return "it has no publisher"
	case !commands.Ready:
		return "its publisher is being joined"
	case c.topic.Rate > 0:
		return ""
	}
	if _, ok := g.graph.Rate(c.observation); !ok {
		return "no robot publishes " + c.observation
	}
	switch seen := g.graph.Published(c.observation); {
	case seen.Others == 0:
		return c.observation + " has no subscriber"
	case !seen.Ready:
		return "the subscriber of " + c.observation + " is being joined"
	}
	return ""
}

// deliver carries out what has come, in the order of the topics. Afterwards nothing is due.
func (g *gate) deliver() {
	for _, c := range g.channels {
		if c.answer != nil {
			m := c.answer
			c.owed, c.answer = false, nil
			m.deliver()
		}
	}
}

// giveUp makes nothing due any more, and counts what was.
func (g *gate) giveUp() (missed uint64) {
	for _, c := range g.channels {
		if c.answer == nil && (c.owed || !c.linked) {
			c.owed = false
			missed++
		}
	}
	return missed
}

// steps is the number of steps before the next rest: to the first tick, or observation, of all topics.
func (g *gate) steps() uint64 {
	least := ^uint64(0)
	for _, c := range g.channels {
		rate := c.topic.Rate
		if rate == 0 {
			rate, _ = g.graph.Rate(c.observation)
		}
		n := uint64(1)
		if due := after(rate, g.now); due > g.now && g.step > 0 {
			n = uint64((due - g.now + g.step - 1) / g.step)
		}
		least = min(least, n)
	}
	return max(least, 1)
}
