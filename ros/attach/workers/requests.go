package workers

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
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
	mostOfOne  = 16  // of these, of one participant
	mostAsked  = 256 // simulations of one publisher
)

// Request is a simulation that somebody on the graph asks for.
type Request struct {
	Namespace  string
	ReportPath string // topic that gets its status as well; empty: none
	Object     string // name of its world
	Publisher  string // participant that asks
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
	asked map[string]map[string]asked // by publisher and namespace
	count uint64                      // of requests
}

// asked is a request with its place in the order in which they came. One that changes keeps it.
type asked struct {
	Request
	at uint64
}

// NewRequests listens to a topic. Errors wrap node.ErrName.
func NewRequests(n *node.Node, topic string, log *slog.Logger) (r *Requests, err error) {
	r = &Requests{node: n, log: log, news: make(chan struct{}, 1), asked: map[string]map[string]asked{}}
	r.topic, err = node.NewLatchedSubscription(n, topic, mostAsked, r.hear) // a publisher may have latched one for each namespace
	return r, err
}

// hear takes a request.
func (r *Requests) hear(_ context.Context, m *l2msgs.Simulation, from node.Origin) {
	publisher := from.Publisher
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.asked[publisher]
	if all == nil {
		who, of := node.ParticipantOf(publisher), 0
		for p := range r.asked {
			if node.ParticipantOf(p) == who {
				of++
			}
		}
		if len(r.asked) >= mostAsking || of >= mostOfOne {
			r.node.WarnOnce("too many publishers", "simulations of another publisher are not run",
				"limit", mostAsking)
			return
		}
		all = map[string]asked{}
		r.asked[publisher] = all
	}
	old, known := all[m.Ns]
	switch {
	case m.Object.Name == "":
		delete(all, m.Ns)
	case !known && len(all) >= mostAsked:
		r.node.WarnOnce("too many simulations", "another simulation of a publisher is not run",
			"limit", mostAsked)
		return
	default:
		if !known {
			r.count++
			old.at = r.count
		}
		all[m.Ns] = asked{Request{m.Ns, m.ReportPath, m.Object.Name, node.ParticipantOf(publisher)}, old.at}
	}
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// Run tells what is asked for whenever that changes, in the order in which it was first asked for, until ctx
// ends. Of two publishers that ask for one namespace the first counts. The node must run meanwhile.
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

// wanted lists the requests of the publishers that are there, the oldest first.
func (r *Requests) wanted() (all []Request) {
	there := r.node.Publishers(r.topic.Topic())
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.asked, func(p string, _ map[string]asked) bool { return !there[p] })
	var list []asked
	for _, of := range r.asked {
		list = slices.AppendSeq(list, maps.Values(of))
	}
	slices.SortFunc(list, func(a, b asked) int { return cmp.Compare(a.at, b.at) })
	taken := map[string]bool{}
	for _, one := range list {
		if ns := strings.TrimPrefix(one.Namespace, "/"); !taken[ns] {
			taken[ns] = true
			all = append(all, one.Request)
		}
	}
	return all
}
