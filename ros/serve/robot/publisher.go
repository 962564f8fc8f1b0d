package robot

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/msgs/visualizationmsgs"
	"simdeck/ros/node"
	"simdeck/ros/serve"
	"simdeck/sim"
)

// How often, and how many pictures may wait.
const (
	clockPeriod = 10 * time.Millisecond // of simulated time, between pictures and so ticks of /clock
	jointPeriod = 20 * time.Millisecond // of simulated time, between joint states
	lookPeriod  = 100 * time.Millisecond
	queue       = 512
)

// Bounds of what a topic of large messages keeps: messages, seconds of them, and bytes.
const (
	largeLeast, largeMost = 5, 100
	largeSeconds          = 3
	largeMemory           = 64 << 20
)

// Roots of the tf tree.
const worldFrame, mapFrame = "world", "map"

// Config is the configuration of a RobotPublisher. With the zero value every robot has all its topics, and
// clock and tf are those of the whole graph.
type Config struct {
	// everything stands in the node's namespace, also clock, tf and what files name with a slash: one world
	// of many
	Inside bool
	Taken  []string // topics of the namespace that are not the robots' to have
	// robots for which a controller outside speaks: they take commands and publish nothing; nil: none
	External        func(*sim.EntityModel) bool
	AcceptsCommands func(*sim.EntityModel) bool // robots that take commands; nil: all
}

// RobotPublisher is all robots of a backend on a node.
type RobotPublisher struct {
	config  Config
	node    *node.Node
	backend sim.Backend
	tf      *node.Publisher[tf2msgs.TFMessage]
	static  *node.Publisher[tf2msgs.TFMessage]

	publishesWorldTF atomic.Bool
	shown            atomic.Int64 // see Now
	ready            chan struct{}
	clock            clock
	markers          markers

	// Of the loop.
	topics topicRegistry
	root   string            // frame of the world
	frames tf2msgs.TFMessage // scratch of show
	robots []*robot          // aligned with the entities of last.Model; nil: no robot
	last   *sim.Snapshot
}

// New makes the topics of a fleet on a node, as the zero Config has them; it publishes while the node runs.
func New(n *node.Node, d sim.Backend) (*RobotPublisher, error) { return Config{}.New(n, d) }

// New makes the fleet's topics on a node; it publishes while the node runs.
func (c Config) New(n *node.Node, d sim.Backend) (*RobotPublisher, error) {
	f := &RobotPublisher{config: c, node: n, backend: d, topics: topicRegistry{}, ready: make(chan struct{})}
	for _, topic := range c.Taken {
		f.topics.register(0, topic)
	}
	f.clock.node, f.clock.topic = n, c.place("/clock")
	var err [7]error
	f.tf, err[1] = node.NewPublisher[tf2msgs.TFMessage](n, c.place("/tf"), burstQoS())
	f.static, err[2] = node.NewPublisher[tf2msgs.TFMessage](n, c.place("/tf_static"), node.LatchedQoS())
	err[3] = f.clock.declare()
	err[4] = f.toggle("publish_world_tf", "publish where each robot's odometry began, world to <ns>/odom; "+
		"off when a localisation does", &f.publishesWorldTF)
	f.markers.pub, err[5] = node.NewPublisher[visualizationmsgs.MarkerArray](n, "world_markers",
		node.LatchedQoS())
	err[6] = f.toggle("publish_markers", "publish what the world looks like on world_markers", &f.markers.on)
	if err := errors.Join(err[:]...); err != nil {
		return nil, err
	}
	n.Go(f.run)
	return f, nil
}

// place is a topic as it is asked of the node.
func (c Config) place(topic string) string {
	if c.Inside {
		return strings.TrimPrefix(topic, "/")
	}
	return topic
}

// toggle declares a parameter that is on.
func (f *RobotPublisher) toggle(name, what string, into *atomic.Bool) error {
	into.Store(true)
	return f.node.Parameters().Declare(context.Background(), node.Declaration{
		Name: name, Default: node.BoolValue(true), Description: what,
		Set: func(_ context.Context, v node.Value) error {
			into.Store(v.BoolValue)
			return nil
		}})
}

// largeQoS is for messages of so many bytes at a rate in simulated time, Hz (0: every step). It keeps those
// of some seconds within a bound of memory, so that a message lost on a busy machine is repeated.
func largeQoS(rate float64, size int) node.QoS {
	q, some := node.DefaultQoS(), largeMost // with every step
	if rate > 0 {
		some = int(largeSeconds * rate)
	}
	q.Depth = max(largeLeast, min(largeMost, some, largeMemory/max(size, 1)))
	return q
}

// burstQoS keeps what is not acknowledged yet of as many pictures as may wait.
func burstQoS() node.QoS { return node.BurstQoS(queue) }

// run publishes every picture until the engine or the node ends.
func (f *RobotPublisher) run(ctx context.Context) {
	pictures := f.backend.Subscribe(sim.Lossless(queue, clockPeriod))
	f.publishWorld(f.backend.Snapshot())
	f.observe(pictures)
	close(f.ready)
	for period := clockPeriod; f.publishEach(ctx, pictures, period); {
		period = f.period()
		pictures = f.backend.Subscribe(sim.Lossless(queue, period))
		f.observe(pictures)
	}
}

// publishEach publishes the pictures of a subscription and closes it. It is true when the world wants another
// period, and false when engine or node have ended.
func (f *RobotPublisher) publishEach(ctx context.Context, pictures *sim.Subscription,
	period time.Duration) (again bool) {
	defer pictures.Close()
	serve.EachSnapshot(ctx, pictures, func(s *sim.Snapshot) bool {
		f.publishWorld(s)
		again = f.period() != period
		return !again
	}, serve.Ticker{Period: lookPeriod, Do: func(time.Time) { f.observe(pictures) }})
	return again
}

// period is the longest simulated time between two snapshots. It is a step with an ego vehicle, whose profile
// needs the clock with each.
func (f *RobotPublisher) period() time.Duration {
	if step := f.last.StepSize; f.last.Model.Site != nil && step > 0 {
		return min(step, clockPeriod)
	}
	return clockPeriod
}

// observe does the periodic work, whether or not the world goes on. A picture after which nothing waits is
// shown, so that a burst that was too fast ends with the world as it is. (The other way round it could
// overtake some.)
func (f *RobotPublisher) observe(pictures *sim.Subscription) {
	if s := f.backend.Snapshot(); len(pictures.C()) == 0 {
		f.publishWorld(s)
	}
	f.clock.helloSubscriber()
	if err := f.markers.look(f.last, f.robots); err != nil {
		f.node.Log().Error("the look of the world could not be published", "error", err)
	}
	pictures.WantSamples(f.wanted())
}

// publishesWorldTF publishes what is new in a picture.
func (f *RobotPublisher) publishWorld(s *sim.Snapshot) {
	if f.last != nil && s.Seq <= f.last.Seq {
		return
	}
	before := f.last
	f.last = s
	f.shown.Store(int64(s.Time))
	if before == nil || before.Model != s.Model {
		f.root, f.markers.root = rootFrame(s.Model), rootFrame(s.Model)
		f.sync(s.Model)
	}
	if before == nil || before.Time != s.Time {
		f.clock.tick(s.Time)
	}
	joints := before == nil || due(before.Time, s.Time, jointPeriod)
	f.frames.Transforms = f.frames.Transforms[:0]
	for i, r := range f.robots {
		if r == nil {
			continue
		}
		if err := r.publish(s, i, joints || r.fresh, f.publishesWorldTF.Load(), &f.frames); err != nil {
			f.node.Log().Error("a robot could not be published", "entity", r.name, "error", err)
		}
	}
	if len(f.frames.Transforms) > 0 {
		if err := f.tf.Publish(&f.frames); err != nil {
			f.node.Log().Error("tf could not be published", "error", err)
		}
	}
}

// Ready is closed when the fleet publishes all that the backend does from then on, what somebody listens to
// by then included.
func (f *RobotPublisher) Ready() <-chan struct{} { return f.ready }

// Now is the simulated time of the picture that is being published, or was last.
func (f *RobotPublisher) Now() time.Duration { return time.Duration(f.shown.Load()) }

// due reports whether a multiple of period lies between two times, or time
// went back.
func due(before, now, period time.Duration) bool {
	return now < before || now/period != before/period
}

// sensor names one sensor of the world.
type sensor struct {
	entity uint64
	index  int
}

// wanted are the sensors that somebody listens to: no other is computed for ROS.
func (f *RobotPublisher) wanted() func(entity uint64, index int) bool {
	set := map[sensor]bool{}
	for _, r := range f.robots {
		if r == nil {
			continue
		}
		for k := range r.sensors {
			if in := &r.sensors[k]; in.wanted() {
				set[sensor{r.id, in.sensor}] = true
			}
		}
	}
	return func(entity uint64, index int) bool { return set[sensor{entity, index}] }
}

// sync brings the robots in line with the entities: those that are gone
// leave first, so that their topics are free for those that come.
func (f *RobotPublisher) sync(m *sim.Model) {
	had := map[uint64]*robot{}
	for _, r := range f.robots {
		if r != nil {
			had[r.id] = r
		}
	}
	changed := false
	present := map[uint64]bool{}
	for i := range m.Entities {
		present[m.Entities[i].ID] = true
	}
	for _, r := range f.robots {
		if r != nil && !present[r.id] {
			f.remove(r)
			changed = true
		}
	}
	f.robots = make([]*robot, len(m.Entities))
	for i := range m.Entities {
		e := &m.Entities[i]
		if r := had[e.ID]; r != nil {
			f.robots[i] = r
			continue
		}
		if !isRobot(e) {
			continue
		}
		r, err := f.add(e, isEgo(m, e))
		if err != nil {
			f.node.Log().Error("a robot has no topics", "error", err)
			continue
		}
		f.robots[i] = r
		changed = true
	}
	if changed {
		f.settle()
	}
}

// settle publishes everything that is fixed, of all robots: late listeners get
// the last message only.
func (f *RobotPublisher) settle() {
	all := tf2msgs.TFMessage{Transforms: []geometrymsgs.TransformStamped{}}
	for _, r := range f.robots {
		if r == nil {
			continue
		}
		for _, e := range r.tree.fixed {
			all.Transforms = append(all.Transforms,
				transform(0, framed(r.prefix, e.parent), framed(r.prefix, e.child), e.pose))
		}
	}
	if err := f.static.Publish(&all); err != nil {
		f.node.Log().Error("the fixed frames could not be published", "error", err)
	}
}
