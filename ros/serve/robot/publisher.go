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
	shown            serve.Clock   // see Now
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
	dropped   uint64 // snapshots, as far as the world was shown after them
	marksTime bool   // the look of the world is published by simulated time
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
	defer pictures.Close()
	period := clockPeriod
	show := func(s *sim.Snapshot) bool {
		f.publishWorld(s)
		if now := f.period(); now != period {
			period = now
			pictures.SetPeriod(now)
			f.tabulate(s.Model)
		}
		return true
	}
	show(f.backend.Snapshot())
	f.observe(pictures)
	close(f.ready)
	serve.EachSnapshot(ctx, pictures, show,
		serve.Ticker{Period: lookPeriod, Do: func(time.Time) { f.observe(pictures) }})
}

// period is the longest simulated time between two snapshots: as the clock's rate asks. Without one it is a step
// with an ego vehicle, whose profile needs the clock with each.
func (f *RobotPublisher) period() time.Duration {
	if asked := f.clock.period(); asked > 0 {
		return min(asked, clockPeriod)
	}
	if step := f.last.StepSize; f.last.Model.Site != nil && step > 0 {
		return min(step, clockPeriod)
	}
	return clockPeriod
}

// observe does the periodic work, whether or not the world goes on. A picture after which nothing waits is
// shown, so that a burst that was too fast ends with the world as it is. (The other way round it could
// overtake some.) Nothing is too fast for a recording that the world waits for. The wall clock decides
// nothing of it.
func (f *RobotPublisher) observe(pictures *sim.Subscription) {
	held := pictures.Holds()
	if s := f.backend.Snapshot(); len(pictures.C()) == 0 && (!held || pictures.Dropped() > f.dropped) {
		f.dropped = pictures.Dropped()
		f.publishWorld(s)
	}
	f.observeGraph()
	f.clock.helloSubscriber()
	f.helloSubscribers()
	begins := held && !f.marksTime
	if f.marksTime = held; !held {
		f.markers.looks++
		f.mark()
	} else if begins {
		f.markAt()
	}
	pictures.WantSamples(f.wanted(pictures))
	f.looks.Add(1)
}

// mark publishes the look of the world now and then.
func (f *RobotPublisher) mark() {
	if err := f.markers.look(f.last, f.robots); err != nil {
		f.node.Log().Error("the look of the world could not be published", "error", err)
	}
}

// markAt is mark at a moment of simulated time.
func (f *RobotPublisher) markAt() {
	f.markers.looks = markersEvery
	f.mark()
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
	f.shown.Show(s)
	defer f.told(before, s)
	if before == nil || before.Model != s.Model {
		f.root, f.markers.root = rootFrame(s.Model), rootFrame(s.Model)
		f.sync(s.Model)
	}
	f.clock.tick(s)
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
	if f.marksTime && before != nil &&
		(before.Model != s.Model || due(before.Time, s.Time, markersEvery*lookPeriod)) {
		f.markAt()
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
func (f *RobotPublisher) Now() time.Duration { return f.shown.Now() }

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

// wanted are the sensors that somebody listens to: no other is computed for ROS. For a recording that the
// world waits for, those of entities that were not seen yet are computed from their first step on.
func (f *RobotPublisher) wanted(pictures *sim.Subscription) func(entity uint64, index int) bool {
	set, seen := map[sensor]bool{}, map[uint64]bool{}
	for i := range f.last.Model.Entities {
		seen[f.last.Model.Entities[i].ID] = true
	}
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
	return func(entity uint64, index int) bool {
		return set[sensor{entity, index}] || !seen[entity] && pictures.Holds()
	}
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
