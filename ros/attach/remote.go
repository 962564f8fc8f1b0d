package attach

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
)

// Why a call has no response.
var (
	ErrDefinition = errors.New("unknown definition")
	ErrGone       = errors.New("connection to the simulator lost")
	ErrSilent     = errors.New("no reply")
	ErrAnswer     = errors.New("a wrong answer")
)

// Options say how a simulator is talked to.
type Options struct {
	Line Line // LineUnknown: the one that each service announces
	// Answer is the time-out of an answer; 0: 30 s, or none for services that may last.
	Answer time.Duration
}

// answerMayTake is the default of Options.Answer.
const answerMayTake = 30 * time.Second

// Remote is a simulator on the graph that can be called. All methods are safe
// for concurrent use.
type Remote struct {
	graph   *Graph
	options Options

	mu   sync.Mutex
	sim  Simulator
	ends map[string]end // by the name and the request's hash
}

// Attach makes a simulator callable.
func (g *Graph) Attach(s Simulator, o Options) *Remote {
	return &Remote{graph: g, options: o, sim: s, ends: map[string]end{}}
}

// Simulator is the present knowledge of the simulator.
func (r *Remote) Simulator() Simulator {
	all := Simulators(r.graph.node.Servers())
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range all {
		if s.Prefix == r.sim.Prefix && s.sharesServer(r.sim) {
			r.sim = s
			break
		}
	}
	return r.sim
}

// last is the knowledge of the simulator at the last look.
func (r *Remote) last() Simulator {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sim
}

// Title is the name of the simulator.
func (r *Remote) Title() string { return r.last().Title() }

// Graph is the graph on which it was found.
func (r *Remote) Graph() *Graph { return r.graph }

// Options are the options of the communication.
func (r *Remote) Options() Options { return r.options }

// Node is the node that calls it.
func (r *Remote) Node() *node.Node { return r.graph.node }

// Line is the line in use where several are served: the requested one, or the one that the simulator
// announces. It is LineUnknown when no service differs between lines.
func (r *Remote) Line() Line {
	if r.options.Line != LineUnknown {
		return r.options.Line
	}
	for _, l := range r.last().Lines() {
		if l == Line1 || l == Line2 {
			return l
		}
	}
	return LineUnknown
}

// sharesServer reports whether two looks are of one simulator.
func (s Simulator) sharesServer(o Simulator) bool {
	return slices.ContainsFunc(s.Services, func(v Served) bool {
		return slices.ContainsFunc(o.Services, func(w Served) bool { return v.id == w.id })
	})
}

// Settle waits until nothing new of the simulator has shown for a moment, so
// that what it serves is complete.
func (r *Remote) Settle(ctx context.Context) error {
	_, err := r.await(ctx, func(Simulator) bool { return false })
	return err
}

// served waits until a service shows; false when it does not.
func (r *Remote) served(ctx context.Context, kind string) (Served, bool, error) {
	if v, ok := r.last().Serves(kind); ok {
		return v, true, nil
	}
	sim, err := r.await(ctx, func(s Simulator) bool { _, ok := s.Serves(kind); return ok })
	v, ok := sim.Serves(kind)
	return v, ok, err
}

// await looks at the simulator until done or it has been quiet.
func (r *Remote) await(ctx context.Context, done func(Simulator) bool) (Simulator, error) {
	watch := r.graph.node.Watch()
	defer watch.Close()
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	known := 0
	for {
		sim := r.Simulator()
		if done(sim) {
			return sim, nil
		}
		if len(sim.Services) != known {
			known = len(sim.Services)
			timer.Reset(quiet)
		}
		select {
		case <-watch.C():
		case <-timer.C:
			return sim, nil
		case <-ctx.Done():
			return sim, context.Cause(ctx)
		}
	}
}

// Ask calls a service with a message of the 2.x line, whatever line the
// simulator speaks. A response with a result that is not OK is no error.
// Errors wrap ErrNotServed, ErrDefinition, ErrGone, ErrSilent, or the cause of ctx's end.
func Ask[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](ctx context.Context, r *Remote, svc msgs.Service[Q, S],
	q *Q) (*S, error) {
	response, err := r.ask(ctx, kindOf(svc.Name), PQ(q))
	if err != nil {
		return nil, err
	}
	s, ok := response.(PS)
	if !ok {
		return nil, fmt.Errorf("%s answered with a %s", svc.Name, response.TypeName())
	}
	return (*S)(s), nil
}

// ask translates a neutral request, sends it and translates the response back.
func (r *Remote) ask(ctx context.Context, kind string, neutral msgs.Message) (msgs.Message, error) {
	v, d, err := r.dialect(ctx, kind)
	if err != nil {
		return nil, err
	}
	request := neutral
	if d.down != nil {
		request = d.down(neutral)
	}
	response, err := r.exchange(ctx, v, d, request)
	if err != nil || d.up == nil {
		return response, err
	}
	return d.up(response), nil
}

// dialect finds a service and how to speak to it.
func (r *Remote) dialect(ctx context.Context, kind string) (Served, *dialect, error) {
	v, ok, err := r.served(ctx, kind)
	switch {
	case ok:
	case err != nil:
		return v, nil, fmt.Errorf("%s: %w", snake(kind), err)
	default:
		return v, nil, notServed(r.Simulator(), kind)
	}
	if r.options.Line != LineUnknown {
		d, ok := dialectOf(kind, r.options.Line)
		if !ok {
			return v, nil, fmt.Errorf("%s: %w: the %s line has no such service", v.Name, ErrDefinition,
				r.options.Line)
		}
		return v, d, nil
	}
	if v.dialect == nil {
		return v, nil, fmt.Errorf("%s: %w: it announces %s, which is that of no line (2.x, 1.x, draft)",
			v.Name, ErrDefinition, v.Hash)
	}
	return v, v.dialect, nil
}

// dialectOf is the dialect of a service in a line. The draft changes a part of 2.x and leaves the rest.
func dialectOf(kind string, line Line) (*dialect, bool) {
	row, ok := serviceOf(kind)
	if !ok {
		return nil, false
	}
	like := []Line{line, LineAny}
	if line == LineDraft {
		like = append(like, Line2)
	}
	for _, l := range like {
		for i := range row.dialects {
			if row.dialects[i].line == l {
				return &row.dialects[i], true
			}
		}
	}
	return nil, false
}

// exchange sends a request in a dialect and waits for the response, the simulator's end, or the time-out.
func (r *Remote) exchange(ctx context.Context, v Served, d *dialect, request msgs.Message) (msgs.Message,
	error) {
	e, err := r.end(v, d)
	if err != nil {
		return nil, err
	}
	limit := r.options.Answer
	if row, _ := serviceOf(v.Kind); limit == 0 && !row.lasting {
		limit = answerMayTake
	}
	if limit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, limit,
			fmt.Errorf("%w within %v (--timeout)", ErrSilent, limit))
		defer cancel()
		ctx = limited
	}
	response, err := e.call(ctx, v.id, request)
	if errors.Is(err, node.ErrLeft) || errors.Is(err, node.ErrNoServer) {
		err = fmt.Errorf("%w: %w", ErrGone, err)
	}
	return response, err
}

// end is the client of a service, made when it is first called.
func (r *Remote) end(v Served, d *dialect) (end, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := v.Name + " " + d.request + " " + d.response
	if e, ok := r.ends[key]; ok {
		return e, nil
	}
	e, err := d.dial(r.graph.node, v.Name)
	if err != nil {
		return nil, err
	}
	r.ends[key] = e
	return e, nil
}

// Close takes the clients off the graph.
func (r *Remote) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, e := range r.ends {
		errs = append(errs, e.Close())
	}
	r.ends = map[string]end{}
	return errors.Join(errs...)
}
