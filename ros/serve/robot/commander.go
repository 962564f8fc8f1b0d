package robot

import (
	"context"
	"errors"
	"sync"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// commander hands velocity commands to the simulation.
type commander struct {
	deck   sim.Deck
	entity string
	drive  int
	refusals
}

func (c *commander) command(ctx context.Context, m *geometrymsgs.Twist) {
	_, err := c.deck.Do(sim.WithSender(ctx, "ros"), sim.DriveEntity{Name: c.entity, Drive: c.drive, Twist: geometry.TwistOf(*m)})
	c.tell(ctx, err)
}

// refusals tells what was wrong with the messages of a topic, each time once.
type refusals struct {
	node  *node.Node
	topic string

	mu   sync.Mutex
	last string
}

func (r *refusals) tell(ctx context.Context, err error) {
	if ctx.Err() != nil || errors.Is(err, sim.ErrClosed) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	said := ""
	if err != nil {
		said = err.Error()
	}
	if said != "" && said != r.last {
		r.node.Log().Warn("a command was refused", "topic", r.topic, "error", err)
	}
	r.last = said
}
