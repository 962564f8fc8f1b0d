package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/actionmsgs"
)

// ActionServerConfig is the configuration of an action server. Name, Action and Execute are required.
type ActionServerConfig[G, R, F any] struct {
	Name   string // expanded and remapped
	Action msgs.Action[G, R, F]
	// Accept refuses a goal with an error, which the log shows; nil: all are taken.
	Accept func(ctx context.Context, c Caller, goal *G) error
	// Cancel reports whether a goal may be cancelled; nil: always. It must be
	// quick: the action waits for it.
	Cancel func(id GoalID) bool
	// Execute does what a goal asks for, on a goroutine of its own. Its context
	// ends with the cause ErrGoalCanceled when a client cancels the goal, or when
	// the node ends. Without error the goal has succeeded; with ErrGoalCanceled it
	// was cancelled, if a client asked for that; with any other it is aborted. The
	// result counts in each case; nil is the default one.
	Execute func(ctx context.Context, g *Goal[G, F]) (*R, error)
	// InOrder executes goals in the order of acceptance: each waits until the one
	// before has called Goal.Begun, or has ended.
	InOrder bool
	Keep    time.Duration // lifetime of a result; 0: 10 s
	AtOnce  int           // goals that may be under way, more are refused; 0: 16
}

// Goal is a goal that is being executed.
type Goal[G, F any] struct {
	ID       GoalID
	Caller   Caller // sender
	Request  *G
	feedback func(*F) error
	begun    func()
}

// Begun lets the goal accepted after this one begin, if the server takes goals in order.
func (g *Goal[G, F]) Begun() { g.begun() }

// Feedback tells whoever listens how far the goal is. It does not wait.
func (g *Goal[G, F]) Feedback(f *F) error { return g.feedback(f) }

// ActionServer takes goals of an action, tells how far they are, and answers
// with their results. A goal goes on when its client has left.
type ActionServer[G, R, F any] struct {
	node     *Node
	name     string
	config   ActionServerConfig[G, R, F]
	services []*Server
	feedback *publisher
	status   *Publisher[actionmsgs.GoalStatusArray]

	mu    sync.Mutex
	goals goals
	last  <-chan struct{} // closed when the goal accepted last has begun; nil: there was none
}

// NewActionServer makes a server of an action on n. Errors wrap ErrName.
func NewActionServer[G, R, F any](n *Node, c ActionServerConfig[G, R, F]) (*ActionServer[G, R, F], error) {
	full, err := n.Resolve(c.Name)
	if err != nil {
		return nil, err
	}
	if c.Keep == 0 {
		c.Keep = resultKept
	}
	if c.AtOnce == 0 {
		c.AtOnce = 16
	}
	s := &ActionServer[G, R, F]{node: n, name: full, config: c, goals: goals{keep: c.Keep}}
	if err := s.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("action %s: %w", full, err), s.Close())
	}
	return s, nil
}

// open makes the topics before the services: who can send a goal hears of it.
func (s *ActionServer[G, R, F]) open() (err error) {
	if s.feedback, err = newPublisher(s.node, s.name+feedbackPart, DefaultQoS(),
		s.config.Action.NewFeedback()); err != nil {
		return err
	}
	s.status, err = NewPublisher[actionmsgs.GoalStatusArray](s.node, s.name+statusPart, ActionStatusQoS())
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		line Line
	}{{cancelGoalPart, s.cancelLine()}, {getResultPart, s.resultLine()}, {sendGoalPart, s.goalLine()}} {
		one, err := s.node.Serve(ServerConfig{Name: s.name + part.name, Lines: []Line{part.line}})
		if err != nil {
			return err
		}
		s.services = append(s.services, one)
	}
	return nil
}

// accept notes a goal, or says why not.
func (s *ActionServer[G, R, F]) accept(ctx context.Context, c Caller, id GoalID, request *G) (*goal, error) {
	if s.config.Accept != nil {
		if err := s.config.Accept(ctx, c, request); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goals.expire(time.Now())
	switch n := s.goals.active(); {
	case id.IsZero():
		return nil, fmt.Errorf("%w: its ID is zero, which names no goal", ErrGoalRefused)
	case s.goals.find(id) != nil:
		return nil, fmt.Errorf("%w: there is a goal %s already", ErrGoalRefused, id)
	case n >= s.config.AtOnce:
		return nil, fmt.Errorf("%w: %d goals are under way, which is as many as may be", ErrGoalRefused, n)
	}
	g := &goal{id: id, stamp: s.node.Now(), status: GoalAccepted, cancel: func(error) {}}
	g.begun = func() {}
	if s.config.InOrder {
		begun := make(chan struct{})
		g.before, g.begun, s.last = s.last, sync.OnceFunc(func() { close(begun) }), begun
	}
	s.goals.list = append(s.goals.list, g)
	s.tell()
	return g, nil
}

// begin executes a goal.
func (s *ActionServer[G, R, F]) begin(g *goal, of *Goal[G, F]) {
	started := s.node.tasks.call(func(ctx context.Context) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		if g.before != nil {
			<-g.before // it begins or ends: a node that leaves ends the contexts of all
		}
		s.mu.Lock()
		g.cancel = cancel
		if g.status == GoalCanceling {
			cancel(ErrGoalCanceled)
		} else {
			g.status = GoalExecuting
			s.tell()
		}
		s.mu.Unlock()
		result, err := s.execute(ctx, of)
		s.finish(g, result, err)
	})
	if !started {
		s.finish(g, nil, context.Canceled) // the node is about to leave
	}
}

// execute runs the handler; a panic aborts the goal.
func (s *ActionServer[G, R, F]) execute(ctx context.Context, g *Goal[G, F]) (result *R, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.node.caught("the handler of action "+s.name, "", nil, p)
			err = fmt.Errorf("%w: %v", ErrHandler, p)
		}
	}()
	return s.config.Execute(ctx, g)
}

// finish ends a goal and answers those who wait for its result.
func (s *ActionServer[G, R, F]) finish(g *goal, result *R, err error) {
	status := GoalAborted
	switch {
	case err == nil:
		status = GoalSucceeded
	case errors.Is(err, ErrGoalCanceled):
		status = GoalWasCanceled
	}
	r := s.config.Action.NewResultResponse()
	if result != nil {
		*r.Result = *result
	}
	g.begun()
	s.mu.Lock()
	waiting := s.goals.end(g, status, r, time.Now())
	*r.Status = int8(g.status)
	s.tell()
	s.mu.Unlock()
	for _, to := range waiting {
		to(r)
	}
}

// tell publishes the status of all goals. The caller holds the lock.
func (s *ActionServer[G, R, F]) tell() {
	if err := s.status.Publish(s.goals.statuses()); err != nil {
		s.node.log.Error("the goals of an action could not be published", "action", s.name, "error", err)
	}
}

func (s *ActionServer[G, R, F]) report(id GoalID, f *F) error {
	m := s.config.Action.NewFeedback()
	*m.ID, *m.Feedback = id, *f
	return s.feedback.publish(m)
}

// Name is the full name.
func (s *ActionServer[G, R, F]) Name() string { return s.name }

// Close takes the action off the graph; goals under way go on, unheard. It may
// be called more than once.
func (s *ActionServer[G, R, F]) Close() error {
	var err error
	for _, one := range s.services {
		err = errors.Join(err, one.Close())
	}
	if s.status != nil {
		err = errors.Join(err, s.status.Close())
	}
	if s.feedback != nil {
		err = errors.Join(err, s.feedback.Close())
	}
	return err
}
