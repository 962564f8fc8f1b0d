package robot

import (
	"context"
	"errors"
	"slices"
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
	// one robot at a time stands without a prefix: the first that was given no namespace
	Single bool
	Taken  []string // topics of the namespace that are not the robots' to have
	// robots for which a controller outside speaks: they take commands and publish nothing; nil: none
	External        func(*sim.EntityModel) bool
	AcceptsCommands func(*sim.EntityModel) bool // robots that take commands; nil: all
}

// RobotPublisher is all robots of a backend on a node.
type RobotPublisher struct {
	progress
	config  Config
	node    *node.Node
	backend sim.Backend
	tf      *node.Publisher[tf2msgs.TFMessage]
	static  *node.Publisher[tf2msgs.TFMessage]
	heard   audience // of tf

	publishesWorldTF atomic.Bool
	commandTypes     atomic.Uint32 // see commandTypes
	shown            atomic.Int64  // see Now
	timetable        atomic.Pointer[Timetable]
	ready            chan struct{}
	clock            clock
	markers          markers
	parents          otherParents

	// Of the loop.
	graph     *node.GraphWatch
	published map[string][]string // by others on the graph; see node.PublishedTypes
	chosen    uint32              // commandTypes that the topics have
	topics    topicRegistry
	root      string            // frame of the world
	frames    tf2msgs.TFMessage // scratch of show
	robots    []*robot          // aligned with the entities of last.Model; nil: no robot
	last      *sim.Snapshot
}

// New makes the topics of a fleet on a node, as the zero Config has them; it publishes while the node runs.
func New(n *node.Node, d sim.Backend) (*RobotPublisher, error) { return Config{}.New(n, d) }

// New makes the fleet's topics on a node; it publishes while the node runs.
func (c Config) New(n *node.Node, d sim.Backend) (*RobotPublisher, error) {
	f := &RobotPublisher{config: c, node: n, backend: d, topics: topicRegistry{}, ready: make(chan struct{}),
		progress: newProgress()}
	for _, topic := range c.Taken {
		f.topics.register(0, topic)
	}
	f.clock.node, f.clock.topic = n, c.place("/clock")
	var err [8]error
	f.tf, err[1] = node.NewPublisher[tf2msgs.TFMessage](n, c.place("/tf"), burstQoS())
	f.static, err[2] = node.NewPublisher[tf2msgs.TFMessage](n, c.place("/tf_static"), node.LatchedQoS())
	err[3] = f.clock.declare()
	err[4] = f.toggle("publish_world_tf", "publish where each robot's odometry began, world to <ns>/odom; "+
		"off when a localisation does", &f.publishesWorldTF)
	f.markers.pub, err[5] = node.NewPublisher[visualizationmsgs.MarkerArray](n, "world_markers",
		node.LatchedQoS())
	err[6] = f.toggle("publish_markers", "publish what the world looks like on world_markers", &f.markers.on)
	err[7] = declareCommandTypes(n, &f.commandTypes)
	if err := errors.Join(err[:]...); err != nil {
		return nil, err
	}
	f.parents = otherParents{node: n, topics: [2]string{f.tf.Topic(), f.static.Topic()},
		frames: map[string]otherParent{}}
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
	f.graph = f.node.Watch()
	defer f.graph.Close()
	f.parents.observe()
	defer f.parents.close()
	f.published = f.node.PublishedTypes()
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
	f.observeGraph()
	f.clock.helloSubscriber()
	f.helloSubscribers()
	if err := f.markers.look(f.last, f.robots); err != nil {
		f.node.Log().Error("the look of the world could not be published", "error", err)
	}
	pictures.WantSamples(f.wanted())
	f.looks.Add(1)
}

// observeGraph follows the others on the graph, and the parameter that says what to make of them.
func (f *RobotPublisher) observeGraph() {
	types := f.commandTypes.Load()
	select {
	case <-f.graph.C():
		f.parents.observe()
		f.published = f.node.PublishedTypes()
	default:
		if types == f.chosen {
			return
		}
	}
	f.chosen = types
	f.chooseTypes()
}

// publishesWorldTF publishes what is new in a picture.
func (f *RobotPublisher) publishWorld(s *sim.Snapshot) {
	if f.last != nil && s.Seq <= f.last.Seq {
		return
	}
	before := f.last
	f.last = s
	f.shown.Store(int64(s.Time))
	defer f.told(before, s)
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
		all := joints || r.fresh || put(before, s, i)
		if err := r.publish(s, i, all, f.worldTF(), &f.frames); err != nil {
			f.node.Log().Error("a robot could not be published", "entity", r.name, "error", err)
		}
	}
	if len(f.frames.Transforms) > 0 {
		if err := f.tf.Publish(&f.frames); err != nil {
			f.node.Log().Error("tf could not be published", "error", err)
		}
	}
}

// put reports that a command has put a robot elsewhere, or its joints at other positions, while time stood.
func put(before, s *sim.Snapshot, i int) bool {
	if before.Time != s.Time || before.Step != s.Step {
		return false
	}
	m := &s.Model.Entities[i]
	was, ok := before.Find(m.Name)
	return ok && before.Model.Entities[was].ID == m.ID &&
		!slices.EqualFunc(before.LinksOf(was), s.LinksOf(i), func(a, b sim.LinkState) bool {
			return a.Pose == b.Pose
		})
}

// worldTF chooses the edges from the world's frame that are told from here now.
func (f *RobotPublisher) worldTF() worldTF { return worldTF{f.publishesWorldTF.Load(), &f.parents} }

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
			delete(had, r.id)
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
		r, err := f.add(e, isEgo(m, e) || f.isSingle(e, had))
		if err != nil {
			f.node.Log().Error("a robot has no topics", "error", err)
			continue
		}
		f.robots[i], had[e.ID] = r, r
		changed = true
	}
	f.tabulate(m)
	if changed {
		f.parents.settle(f.root)
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
