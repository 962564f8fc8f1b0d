package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/sim/scene"
)

// found is a worker that reports. Its fields are the watch's.
type found struct {
	key    key
	report l2msgs.Object3D
	told   bool // there is a report
	object chan l2msgs.Object3D
	topics map[string]bool // on which it reported
	last   time.Time       // when
	seen   bool            // its node was in the graph
	shown  bool
	stop   func()
}

// title is the name of a worker's world for people.
func (k key) title() string {
	if k.ns != "" && k.ns != "/" {
		return k.ns
	}
	return k.id
}

// The storage node's service, and how long an answer may take.
const (
	storageService = "/l2/storage/get_object3d"
	storageMayTake = 5 * time.Second
)

// errStorage is wrapped by every reason why the storage gives no world.
var errStorage = errors.New("no world from the storage")

// show shows a worker until it is gone or ctx ends.
func (w *Watch) show(ctx context.Context, one *found) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w.mu.Lock()
	one.stop = stop
	if w.workers[one.key] != one { // it has gone already
		stop()
	}
	w.mu.Unlock()
	log := w.c.Log.With("world", one.key.title(), "worker", one.key.id)
	heard, leave, err := w.subscribe(one.key.ns)
	defer leave()
	if err != nil {
		log.Warn("simulation is not shown", "error", err)
		return
	}
	show, end, err := w.c.Screen.Begin(one.key.title())
	if err != nil {
		log.Warn("simulation is not shown", "error", err)
		return
	}
	defer end()
	log.Info("simulation found")
	defer log.Info("simulation is gone")
	r := &replica{library: w.c.Library}
	tick := time.NewTicker(showPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case o := <-one.object:
			if err := w.load(ctx, r, &o); err != nil && ctx.Err() == nil {
				log.Warn("the world of a simulation cannot be shown", "error", err)
			}
		case m := <-heard.objects:
			if err := r.objects(ctx, m); err != nil {
				log.Warn("an entity cannot be shown", "error", err)
			}
		case m := <-heard.joints:
			r.joints(m)
		case m := <-heard.clock:
			r.tell(time.Duration(m.Clock.Sec)*time.Second+time.Duration(m.Clock.Nanosec), time.Now())
		case now := <-tick.C:
			if s := r.snapshot(now); s != nil {
				show(s, now)
			}
		}
	}
}

// load resolves a configuration: by its own text, or by its name in the storage.
func (w *Watch) load(ctx context.Context, r *replica, o *l2msgs.Object3D) error {
	r.clear()
	text := o.Data
	if text == "" && o.Name != "" {
		stored, err := w.fetch(ctx, o.Name)
		switch {
		case errors.Is(err, errStorage) && w.c.IsShipped(o.Name):
			return r.load(ctx, scene.Resource{URI: o.Name})
		case err != nil:
			return err
		}
		text = stored.Data
	}
	switch {
	case text == "": // no world is loaded
		return nil
	case len(text) > longestWorld:
		return fmt.Errorf("the world's text has %d bytes: want at most %d", len(text), longestWorld)
	}
	return r.load(ctx, scene.Resource{Document: text})
}

// fetch asks the storage node for the world of a name.
func (w *Watch) fetch(ctx context.Context, name string) (*l2msgs.Object3D, error) {
	wrong := func(err error) error {
		return fmt.Errorf("%w for %q: %s: %w", errStorage, name, storageService, err)
	}
	c, err := node.NewClient(w.node, storageService, l2msgs.GetObject3DService())
	if err != nil {
		return nil, wrong(err)
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, storageMayTake)
	defer cancel()
	if err := c.WaitReady(ctx); err != nil {
		return nil, wrong(err)
	}
	r, err := c.Call(ctx, &l2msgs.GetObject3DRequest{Name: name})
	switch {
	case err != nil:
		return nil, wrong(err)
	case !r.Success || r.Object.Data == "":
		return nil, wrong(errors.New(cmp.Or(r.Message, "it has no such world")))
	}
	return &r.Object, nil
}

// heard are the newest messages of a worker's topics.
type heard struct {
	objects chan *l2msgs.Object3DArray
	joints  chan *sensormsgs.JointState
	clock   chan *rosgraphmsgs.Clock
}

// subscribe listens to the topics of a namespace. Leave must be called in any case.
func (w *Watch) subscribe(ns string) (h *heard, leave func(), err error) {
	h = &heard{make(chan *l2msgs.Object3DArray, 1), make(chan *sensormsgs.JointState, 1),
		make(chan *rosgraphmsgs.Clock, 1)}
	var closers []func() error
	leave = func() {
		for _, c := range closers {
			c()
		}
	}
	objects, err := node.NewSubscription(w.node, node.Join(ns, "object3d"), node.DefaultQoS(),
		newest(h.objects))
	if err != nil {
		return h, leave, err
	}
	closers = append(closers, objects.Close)
	joints, err := node.NewSubscription(w.node, node.Join(ns, "joint_states"), node.SensorQoS(),
		newest(h.joints))
	if err != nil {
		return h, leave, err
	}
	closers = append(closers, joints.Close)
	clock, err := node.NewSubscription(w.node, node.Join(ns, "clock"), node.ClockQoS(), newest(h.clock))
	if err != nil {
		return h, leave, err
	}
	closers = append(closers, clock.Close)
	return h, leave, nil
}

// newest keeps the newest message in a channel.
func newest[T any](into chan *T) func(context.Context, *T, node.Origin) {
	return func(_ context.Context, m *T, _ node.Origin) {
		select {
		case <-into:
		default:
		}
		into <- m
	}
}
