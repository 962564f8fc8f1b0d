package lockstep

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/ros/serve/robot"
	"simdeck/sim"
)

const (
	// DefaultPatience is the default time of a wait, on the wall clock.
	DefaultPatience = 10 * time.Second
	// lookPeriod is the interval of looks at who is there while the world waits. Every repeatAfter an
	// observation without an answer is sent again to readers that may have lost it.
	lookPeriod  = 20 * time.Millisecond
	repeatAfter = 200 * time.Millisecond
)

// ErrUnsupported is returned where a backend waits for nobody.
var ErrUnsupported = errors.New("this simulator waits for no controller")

// Settings say for what a world waits.
type Settings struct {
	Topics   []Topic       // nil: it waits for nothing
	Patience time.Duration // on the wall clock; 0: DefaultPatience
	GoOn     bool          // when it is over the world goes on without what is missing; else it pauses
}

// Lockstep has the world of a backend wait for topics.
type Lockstep struct {
	node    *node.Node
	backend sim.Backend
	robots  *robot.RobotPublisher
	changed chan struct{} // a token after each Set

	follower *sim.LockstepMember // of the loop

	mu       sync.Mutex
	settings Settings
	ofWorld  bool  // the world's file asks for the topics
	turn     *turn // nil: the world waits for nothing
}

// turn is a gate with what it holds, while the settings are the same.
type turn struct {
	gate    *gate
	member  *sim.LockstepMember
	release []func()
	arrived chan struct{}

	mu      sync.Mutex
	inbound [][]message // by channel
}

// New makes a lockstep with the topics that the world's file asks for, which works while the node runs. From
// then on those of each world that is loaded are put into force, unless a user has set others.
func New(n *node.Node, d sim.Backend, robots *robot.RobotPublisher) *Lockstep {
	l := &Lockstep{node: n, backend: d, robots: robots, changed: make(chan struct{}, 1),
		settings: Settings{Patience: DefaultPatience}}
	l.adopt()
	n.Go(l.run)
	return l
}

// Settings are those in force.
func (l *Lockstep) Settings() Settings {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.settings
}

// Set puts settings into force: from now on no step is done before what is due has come. Errors wrap ErrTopic
// or ErrUnsupported.
func (l *Lockstep) Set(s Settings) error {
	if s.Patience == 0 {
		s.Patience = DefaultPatience
	}
	if s.Patience < 0 {
		return fmt.Errorf("a patience of %v: want more than 0", s.Patience)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	same := slices.Equal(s.Topics, l.settings.Topics)
	if err := l.apply(s); err != nil {
		return err
	}
	l.ofWorld = l.ofWorld && same
	return nil
}

// adopt puts into force what the file of the world asks for, where a user has set nothing else.
func (l *Lockstep) adopt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.settings.Topics) > 0 && !l.ofWorld || l.backend.Capabilities().Lockstep == nil {
		return
	}
	topics, err := Parse(l.backend.Snapshot().Model.Lockstep)
	next := l.settings
	next.Topics = topics
	if err == nil && !slices.Equal(topics, l.settings.Topics) {
		err = l.apply(next)
	}
	if err != nil {
		l.node.Log().Error("lockstep: what the world's file asks for cannot be done", "error", err)
	}
	l.ofWorld = err == nil && len(topics) > 0
}

// apply is Set under the lock.
func (l *Lockstep) apply(s Settings) error {
	var next *turn
	if len(s.Topics) > 0 {
		var err error
		if next, err = l.begin(s); err != nil {
			return err
		}
	}
	l.turn.end()
	l.turn, l.settings = next, s
	next.hold(l.node)
	select {
	case l.changed <- struct{}{}:
	default:
	}
	return nil
}

// begin has the world wait.
func (l *Lockstep) begin(s Settings) (*turn, error) {
	steps := l.backend.Capabilities().Lockstep
	if steps == nil {
		return nil, ErrUnsupported
	}
	g, err := newGate(surroundings{l.node.Links(), l.robots}, s.Topics, l.robots.ClockTopic(), l.node.Resolve)
	if err != nil {
		return nil, err
	}
	return &turn{gate: g, arrived: make(chan struct{}, 1),
		inbound: make([][]message, len(g.channels)),
		member:  steps.Attend("lockstep", s.Patience, !s.GoOn)}, nil
}

// hold takes the messages of the topics.
func (t *turn) hold(n *node.Node) {
	if t == nil {
		return
	}
	for i, c := range t.gate.channels {
		t.release = append(t.release, n.Links().Hold(c.name, func(m msgs.Message, deliver func()) {
			stamp, stamped := stampOf(m)
			t.push(i, message{stamp, stamped, deliver})
		}))
	}
}

// push keeps a message until the loop looks. Of a flood the oldest are dropped there.
func (t *turn) push(i int, m message) {
	t.mu.Lock()
	if n := len(t.inbound[i]); n > queueLength { // one more than the gate keeps, which counts it
		t.inbound[i] = slices.Delete(t.inbound[i], 0, n-queueLength)
	}
	t.inbound[i] = append(t.inbound[i], m)
	t.mu.Unlock()
	select {
	case t.arrived <- struct{}{}:
	default:
	}
}

// collect hands the gate what has come.
func (t *turn) collect() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, c := range t.gate.channels {
		for _, m := range t.inbound[i] {
			c.take(m)
		}
		clear(t.inbound[i])
		t.inbound[i] = t.inbound[i][:0]
	}
}

// end lets messages and steps pass.
func (t *turn) end() {
	if t == nil {
		return
	}
	for _, release := range t.release {
		release()
	}
	t.member.Leave()
}

// stampOf is the time in the header of a message, if it has one.
func stampOf(m msgs.Message) (time.Duration, bool) {
	v := reflect.Indirect(reflect.ValueOf(m))
	if v.Kind() != reflect.Struct {
		return 0, false
	}
	f := v.FieldByName("Header")
	if !f.IsValid() {
		return 0, false
	}
	h, ok := f.Interface().(stdmsgs.Header)
	return node.SimDuration(h.Stamp), ok
}

// surroundings are the graph and the robots as a gate asks for them.
type surroundings struct {
	node.Links
	robots *robot.RobotPublisher
}

func (s surroundings) Rate(topic string) (float64, bool) { return s.robots.Timetable().Rate(topic) }

func (s surroundings) Observation(command string) (string, error) {
	return s.robots.Timetable().Observation(command)
}

func (s surroundings) Looks() uint64 { return s.robots.Looks() }

// run serves one settings after the other until the node ends, which lets the world go on.
func (l *Lockstep) run(ctx context.Context) {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.turn.end()
	}()
	if steps := l.backend.Capabilities().Lockstep; steps != nil {
		l.follower = steps.FollowAsking("the topics of its robots", DefaultPatience)
		defer l.follower.Leave()
		l.follow()
	}
	for ctx.Err() == nil {
		t := l.current()
		if t == nil {
			select {
			case <-ctx.Done():
			case <-l.changed:
			case <-l.robots.Loads():
				l.follow()
			}
			continue
		}
		l.serve(ctx, t)
	}
}

// follow looks at a world that may be new, which waits for that.
func (l *Lockstep) follow() {
	load := l.backend.Snapshot().Model.Load
	l.adopt()
	l.follower.Know(load)
}

// current is the turn that is in force; nil: none is.
func (l *Lockstep) current() *turn {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.turn
}

// serve answers rests until the settings change.
func (l *Lockstep) serve(ctx context.Context, t *turn) {
	ticker := time.NewTicker(lookPeriod)
	defer ticker.Stop()
	defer t.gate.end()
	v := visit{l: l, t: t}
	for {
		var looks <-chan time.Time
		if v.open {
			looks = ticker.C
		}
		select {
		case <-ctx.Done():
			return
		case <-l.changed:
			if l.current() != t {
				return
			}
		case r, more := <-t.member.Rest():
			if !more {
				return
			}
			v.begin(r)
		case <-l.robots.Loads():
			l.follow()
		case <-l.robots.Shows():
		case <-t.arrived:
		case <-looks:
		}
		v.look()
	}
}

// visit is the loop's view of a rest.
type visit struct {
	l      *Lockstep
	t      *turn
	rest   sim.Rest
	open   bool // no step was allowed since
	seen   bool // the gate has looked at it
	asked  time.Time
	copies int // of the observations that are due, that were sent again
}

// begin takes a rest; the same, late, is gone on from.
func (v *visit) begin(r sim.Rest) {
	if r.Late && v.open && r.Snapshot == v.rest.Snapshot {
		v.rest = r
		return
	}
	v.rest, v.open, v.seen, v.asked, v.copies = r, true, false, time.Now(), 0
}

// look allows steps as soon as all is there, and says for whom the world waits until then.
func (v *visit) look() {
	v.t.collect()
	g := v.t.gate
	if !v.open || v.l.robots.Shown() < v.rest.Snapshot.Seq {
		return
	}
	if !v.seen {
		g.rest(v.rest.Snapshot)
		v.seen = true
	}
	awaited := g.decide(time.Now())
	for _, c := range g.channels {
		if c.faults != "" {
			v.l.node.WarnOnce(c.name, "lockstep: a message is dropped", "topic", c.name, "why", c.faults)
		}
	}
	if len(awaited) > 0 && !v.rest.Late {
		v.t.member.Await(v.rest, awaited)
		v.repeat()
		return
	}
	if len(awaited) > 0 {
		v.t.member.Miss(g.giveUp())
		v.l.node.Log().Warn("lockstep: the world goes on without a command", "topic", awaited[0].Who, "missing",
			awaited[0].What)
	}
	v.open = false
	g.deliver()
	v.t.member.AllowAfter(v.rest, g.steps())
}

// repeat sends what is not answered again.
func (v *visit) repeat() {
	if time.Since(v.asked) < time.Duration(v.copies+1)*repeatAfter {
		return
	}
	v.copies++
	for _, c := range v.t.gate.channels {
		if c.owed && c.answer == nil {
			v.l.node.Links().Repeat(c.observation)
		}
	}
}
