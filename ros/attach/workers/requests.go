package workers

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
)

// Bounds of what is asked for.
const (
	mostAsking = 64  // publishers
	mostAsked  = 256 // simulations of one publisher
)

// Request is a simulation that somebody on the graph asks for.
type Request struct {
	Namespace  string
	ReportPath string // topic that gets its status as well; empty: none
	Object     string // name of its world
}

// Requests are the simulations that publishers of a topic of l2_msgs/Simulation ask for. A message asks for
// one, or for another in its namespace; one without a name of an object withdraws that. All requests of a
// publisher end with it.
type Requests struct {
	node  *node.Node
	topic *node.Subscription[l2msgs.Simulation]
	log   *slog.Logger
	news  chan struct{}

	mu    sync.Mutex
	asked map[string]map[string]Request // by publisher and namespace
	order []string                      // publishers, as they came
}

// NewRequests listens to a topic. Errors wrap node.ErrName.
func NewRequests(n *node.Node, topic string, log *slog.Logger) (r *Requests, err error) {
	r = &Requests{node: n, log: log, news: make(chan struct{}, 1), asked: map[string]map[string]Request{}}
	q := node.LatchedQoS()
	q.Depth = mostAsked // a publisher may have latched one for each namespace
	r.topic, err = node.NewSubscription(n, topic, q,
		func(_ context.Context, m *l2msgs.Simulation, from node.Origin) { r.hear(m, from.Publisher) })
	return r, err
}

// hear takes a request.
func (r *Requests) hear(m *l2msgs.Simulation, publisher string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.asked[publisher]
	if all == nil {
		if len(r.asked) >= mostAsking {
			r.node.WarnOnce("too many publishers", "simulations of another publisher are not run",
				"limit", mostAsking)
			return
		}
		all = map[string]Request{}
		r.asked[publisher], r.order = all, append(r.order, publisher)
	}
	_, known := all[m.Ns]
	switch {
	case m.Object.Name == "":
		delete(all, m.Ns)
	case !known && len(all) >= mostAsked:
		r.node.WarnOnce("too many simulations", "another simulation of a publisher is not run",
			"limit", mostAsked)
		return
	default:
		all[m.Ns] = Request{m.Ns, m.ReportPath, m.Object.Name}
	}
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// Run tells what is asked for whenever that changes, by namespace, until ctx ends. Of two publishers that ask
// for one namespace the first counts. The node must run meanwhile.
func (r *Requests) Run(ctx context.Context, tell func([]Request)) {
	defer r.topic.Close()
	graph := r.node.Watch()
	defer graph.Close()
	tick := time.NewTicker(censusPeriod)
	defer tick.Stop()
	var last []Request
	for {
		if now := r.wanted(); !slices.Equal(now, last) {
			tell(now)
			last = now
		}
		select {
		case <-ctx.Done():
			return
		case <-graph.C():
		case <-r.news:
		case <-tick.C:
		}
	}
}

// wanted lists the requests of the publishers that are there.
func (r *Requests) wanted() (all []Request) {
	there := r.node.Publishers(r.topic.Topic())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.order = slices.DeleteFunc(r.order, func(p string) bool {
		if !there[p] {
			delete(r.asked, p)
		}
		return !there[p]
	})
	taken := map[string]bool{}
	for _, p := range r.order {
		for ns, one := range r.asked[p] {
			if !taken[ns] {
				all = append(all, one)
			}
		}
		for ns := range r.asked[p] {
			taken[ns] = true
		}
	}
	slices.SortFunc(all, func(a, b Request) int { return strings.Compare(a.Namespace, b.Namespace) })
	return all
}
