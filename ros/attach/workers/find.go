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
	"simdeck/sim"
	"simdeck/sim/scene"
)

// Bounds of what is found.
const (
	mostWorkers  = 64
	mostTopics   = 256
	longestWorld = 16 << 20              // bytes of a world's text
	censusPeriod = time.Second           // of looks at the graph, without news
	showPeriod   = 50 * time.Millisecond // of snapshots
	silence      = 15 * time.Second      // without a report, of a worker whose node is not in the graph
	typeOfReport = "l2_msgs/msg/Simulation"
)

// Screen shows worlds. Its methods are called from several goroutines.
type Screen interface {
	// Begin shows a world, whose snapshots come by the function that it returns, until end is called.
	Begin(name string) (show func(*sim.Snapshot, time.Time), end func(), err error)
}

// Config of a Watch.
type Config struct {
	Library   scene.Library     // reads what workers send, as from strangers
	IsShipped func(string) bool // reports whether Library has a world of a name, for graphs without a storage
	Screen    Screen
	Log       *slog.Logger
}

// key names a worker.
type key struct{ ns, id string }

// Watch looks for workers, and shows each until it is gone.
type Watch struct {
	c    Config
	node *node.Node

	mu      sync.Mutex
	topics  map[string]*node.Subscription[l2msgs.Simulation]
	workers map[key]*found
	refused map[key]bool // told of
	news    chan struct{}
}

// New makes a watch on a node; it starts nothing.
func New(c Config, n *node.Node) *Watch {
	return &Watch{c: c, node: n, topics: map[string]*node.Subscription[l2msgs.Simulation]{},
		workers: map[key]*found{}, refused: map[key]bool{}, news: make(chan struct{}, 1)}
}

// Run watches until ctx ends. The node must run meanwhile.
func (w *Watch) Run(ctx context.Context) error {
	graph := w.node.Watch()
	defer graph.Close()
	tick := time.NewTicker(censusPeriod)
	defer tick.Stop()
	var shown sync.WaitGroup
	defer shown.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	defer w.close()
	for {
		w.listen()
		for _, one := range w.census(time.Now()) {
			shown.Go(func() { w.show(ctx, one) })
		}
		select {
		case <-ctx.Done():
			return nil
		case <-graph.C():
		case <-w.news:
		case <-tick.C:
		}
	}
}

// listen subscribes to every topic of reports.
func (w *Watch) listen() {
	for _, t := range w.node.Graph().Topics {
		if !slices.Contains(t.Types, typeOfReport) || t.Publishers == 0 || w.topics[t.Name] != nil ||
			len(w.topics) >= mostTopics {
			continue
		}
		s, err := node.NewLatchedSubscription(w.node, t.Name, 1,
			func(_ context.Context, m *l2msgs.Simulation, _ node.Origin) { w.hear(t.Name, m) })
		if err != nil {
			w.c.Log.Warn("simulations are not heard of on a topic", "topic", t.Name, "error", err)
			continue
		}
		w.topics[t.Name] = s
	}
}

// close ends the subscriptions.
func (w *Watch) close() {
	for _, s := range w.topics {
		s.Close()
	}
}

// hear takes a report.
func (w *Watch) hear(topic string, m *l2msgs.Simulation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := key{m.Ns, m.WorkerID}
	one := w.workers[k]
	if one == nil {
		if len(w.workers) >= mostWorkers {
			if !w.refused[k] && len(w.refused) < mostTopics {
				w.refused[k] = true
				w.c.Log.Warn("simulation is not shown, there are too many", "worker", m.WorkerID,
					"limit", mostWorkers)
			}
			return
		}
		one = &found{key: k, object: make(chan l2msgs.Object3D, 1), topics: map[string]bool{}}
		w.workers[k] = one
	}
	one.topics[topic] = true
	one.last = time.Now()
	if !one.told || one.report != m.Object {
		one.told, one.report = true, m.Object
		select { // the newest counts
		case <-one.object:
		default:
		}
		one.object <- m.Object
	}
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// census ends the workers that are gone, and gives those that came.
func (w *Watch) census(now time.Time) (came []*found) {
	g := w.node.Graph()
	publishers := map[string]bool{}
	for _, t := range g.Topics {
		publishers[t.Name] = t.Publishers > 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for k, one := range w.workers {
		known := slices.Contains(g.Nodes, node.Join(k.ns, k.id))
		one.seen = one.seen || known
		alive := known
		if !one.seen { // its node is not told by its id: its topics say whether it is there
			alive = now.Sub(one.last) < silence
			for topic := range one.topics {
				own := strings.HasPrefix(topic, strings.TrimSuffix(k.ns, "/")+"/")
				alive = alive && (publishers[topic] || !own)
			}
		}
		switch {
		case !alive:
			if one.stop != nil {
				one.stop()
			}
			delete(w.workers, k)
		case !one.shown:
			one.shown = true
			came = append(came, one)
		}
	}
	return came
}
