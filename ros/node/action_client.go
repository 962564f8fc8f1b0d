package node

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/actionmsgs"
	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/rtps/wire"
)

// ActionClient sends goals of an action. All methods are safe for concurrent use.
type ActionClient[G, R, F any] struct {
	node                   *Node
	name                   string
	action                 msgs.Action[G, R, F]
	goal, result, canceler *requester
	topics                 []interface{ Close() error }

	mu      sync.Mutex
	tracked map[GoalID]*GoalHandle[G, R, F]
}

// NewActionClient makes a client of an action on n; the name is expanded and
// remapped. Errors wrap ErrName.
func NewActionClient[G, R, F any](n *Node, name string, a msgs.Action[G, R, F]) (*ActionClient[G, R, F],
	error) {
	full, err := n.Resolve(name)
	if err != nil {
		return nil, err
	}
	c := &ActionClient[G, R, F]{node: n, name: full, action: a, tracked: map[GoalID]*GoalHandle[G, R, F]{}}
	if err := c.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("action %s: %w", full, err), c.Close())
	}
	return c, nil
}

// open listens before it can ask.
func (c *ActionClient[G, R, F]) open() error {
	if err := c.listen(); err != nil {
		return err
	}
	cancel := actionmsgs.CancelGoalService()
	for _, s := range []struct {
		into  **requester
		part  string
		types ServiceTypes
	}{
		{&c.canceler, cancelGoalPart, ServiceTypes{cancel.NewRequest(), cancel.NewResponse(),
			cancel.Hash}},
		{&c.result, getResultPart, ServiceTypes{resultRequest(c.action), resultResponse(c.action),
			c.action.ResultHash}},
		{&c.goal, sendGoalPart, ServiceTypes{goalRequest(c.action), goalResponse(c.action),
			c.action.GoalHash}},
	} {
		full, err := c.node.Resolve(c.name + s.part)
		if err != nil {
			return err
		}
		if *s.into, err = newRequester(c.node, full, s.types); err != nil {
			return err
		}
	}
	return nil
}

// listen subscribes what servers tell of goals.
func (c *ActionClient[G, R, F]) listen() error {
	feedback, err := subscribe[F](c.node, c.name+feedbackPart)
	if err != nil {
		return err
	}
	c.topics = append(c.topics, feedback)
	fresh := func() (msgs.Message, func(context.Context, Origin)) {
		m := c.action.NewFeedback()
		return m, func(context.Context, Origin) {
			if h := c.find(GoalID(*m.ID)); h != nil && h.feedback != nil {
				h.feedback(m.Feedback)
			}
		}
	}
	if err := feedback.listen(DefaultQoS(), c.action.NewFeedback(), fresh,
		func(wire.GUID) bool { return true }); err != nil {
		return err
	}
	status, err := NewSubscription(c.node, c.name+statusPart, ActionStatusQoS(),
		func(_ context.Context, m *actionmsgs.GoalStatusArray, _ Origin) {
			for _, one := range m.StatusList {
				if h := c.find(GoalID(one.GoalInfo.GoalID.UUID)); h != nil {
					h.become(GoalStatus(one.Status))
				}
			}
		})
	if err == nil {
		c.topics = append(c.topics, status)
	}
	return err
}

func (c *ActionClient[G, R, F]) find(id GoalID) *GoalHandle[G, R, F] {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tracked[id]
}

func (c *ActionClient[G, R, F]) forget(id GoalID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.tracked, id)
}

// WaitReady waits until a server can be sent a goal. Errors wrap ErrNoServer.
func (c *ActionClient[G, R, F]) WaitReady(ctx context.Context) error { return c.goal.WaitReady(ctx) }

// Send waits for a server and sends it a goal. Feedback is called with what
// the server tells of it, in order and on a goroutine of the client; nil: it is
// not wanted. Errors: ErrGoalRefused, or as of Client.Call.
func (c *ActionClient[G, R, F]) Send(ctx context.Context, goal *G, feedback func(*F)) (*GoalHandle[G, R, F],
	error) {
	return c.send(ctx, wire.GUID{}, goal, feedback)
}

// SendTo is Send to one of several servers of the same name: that of the
// service send_goal which Node.Servers lists.
func (c *ActionClient[G, R, F]) SendTo(ctx context.Context, server ServerID, goal *G,
	feedback func(*F)) (*GoalHandle[G, R, F], error) {
	return c.send(ctx, server.requests, goal, feedback)
}

func (c *ActionClient[G, R, F]) send(ctx context.Context, of wire.GUID, goal *G,
	feedback func(*F)) (*GoalHandle[G, R, F], error) {
	h := &GoalHandle[G, R, F]{client: c, ID: c.node.newGoalID(), feedback: feedback}
	c.mu.Lock()
	c.tracked[h.ID] = h // feedback can come before the reply
	c.mu.Unlock()
	q, r := c.action.NewGoalRequest(), c.action.NewGoalResponse()
	*q.ID, *q.Goal = h.ID, *goal
	server, err := c.goal.exchange(ctx, of, q, r)
	if err == nil && !*r.Accepted {
		err = fmt.Errorf("%w by the server of %s", ErrGoalRefused, c.name)
	}
	if err != nil {
		c.forget(h.ID)
		return nil, err
	}
	h.server, h.Stamp = server, builtininterfaces.Time{Sec: *r.Sec, Nanosec: *r.Nanosec}
	h.become(GoalAccepted)
	return h, nil
}

// CancelAll asks a server to cancel all its goals, whoever sent them; it gives
// those that are being cancelled. Errors: ErrCancelRefused, or as of Client.Call.
func (c *ActionClient[G, R, F]) CancelAll(ctx context.Context) ([]GoalID, error) {
	return c.cancel(ctx, wire.GUID{}, actionmsgs.GoalInfo{})
}

// CancelUntil is CancelAll of the goals that were accepted at or before a time,
// by the server's clock.
func (c *ActionClient[G, R, F]) CancelUntil(ctx context.Context, t builtininterfaces.Time) ([]GoalID, error) {
	return c.cancel(ctx, wire.GUID{}, actionmsgs.GoalInfo{Stamp: t})
}

func (c *ActionClient[G, R, F]) cancel(ctx context.Context, of wire.GUID,
	which actionmsgs.GoalInfo) ([]GoalID, error) {
	q, r := &actionmsgs.CancelGoalRequest{GoalInfo: which}, &actionmsgs.CancelGoalResponse{}
	if _, err := c.canceler.exchange(ctx, of, q, r); err != nil {
		return nil, err
	}
	var goals []GoalID
	for _, g := range r.GoalsCanceling {
		goals = append(goals, GoalID(g.GoalID.UUID))
	}
	switch r.ReturnCode {
	case actionmsgs.CancelGoalResponseErrorNone:
		return goals, nil
	case actionmsgs.CancelGoalResponseErrorUnknownGoalID:
		return goals, fmt.Errorf("%w by %s: %w", ErrCancelRefused, c.name, ErrGoalUnknown)
	case actionmsgs.CancelGoalResponseErrorGoalTerminated:
		return goals, fmt.Errorf("%w by %s: the goal has ended or is being cancelled", ErrCancelRefused,
			c.name)
	}
	return goals, fmt.Errorf("%w by %s with code %d", ErrCancelRefused, c.name, r.ReturnCode)
}

// newGoalID is a UUID of version 4 (RFC 9562).
func (n *Node) newGoalID() GoalID {
	id := GoalID(n.bytes(16))
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id
}

// Name is the full name.
func (c *ActionClient[G, R, F]) Name() string { return c.name }

// Close takes the client off the graph; its goals go on. It may be called more
// than once.
func (c *ActionClient[G, R, F]) Close() error {
	var err error
	for _, r := range []*requester{c.goal, c.result, c.canceler} {
		if r != nil {
			err = errors.Join(err, r.Close())
		}
	}
	for _, t := range c.topics {
		err = errors.Join(err, t.Close())
	}
	return err
}
