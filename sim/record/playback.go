package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"simdeck/sim"
)

const (
	publishPeriod = 33 * time.Millisecond  // between snapshots while it plays
	seekPeriod    = 200 * time.Millisecond // and while it goes somewhere as fast as it can
	mostBehind    = 250 * time.Millisecond // behind its pace, before it does not catch up any more
	// longSeek is the time after which a Rewind is answered that has not arrived.
	longSeek = time.Second
	// leapGain is the simulated time from which a recorded state is worth the loading of the world.
	leapGain = 8 * time.Second
	// mostShown bounds the events of a snapshot.
	mostShown = 512
)

// errElsewhere ends a replay that goes on from another place.
var errElsewhere = errors.New("the replay goes on elsewhere")

// Playback is a recording as a simulator: it plays it, pauses, goes to any moment, and refuses whatever would
// change the world. Its time counts the steps of the recording, what was rewound then included. Forward it
// replays as fast as it can, backward from the last state that was recorded before.
type Playback struct {
	open    func(context.Context) (*Player, io.Closer, error)
	feed    sim.Feed
	calls   chan *playCall
	ended   chan struct{} // Run is over
	content survey
	first   uint64 // steps that the engine had done at the beginning

	// Run's own from here on.
	player    *Player
	stepSize  time.Duration
	marks     []sim.Mark
	playing   bool
	atEnd     bool
	fault     error   // why it ends before its end; nil: it does not
	pace      float64 // 0: as fast as possible
	goal      uint64  // steps to do without a pause
	elsewhere bool    // the goal is not ahead of this player
	waiting   *playCall
	model     *sim.Model // of the world, as it shows it
	shown     *sim.Model // the same, with a number of its own
	seq       uint64
	shownAt   time.Time
	began     mark // of the present pace
	counted   mark // of the measured pace
	measured  float64
}

// mark is how many steps were done at a time.
type mark struct {
	at   uint64
	time time.Time
}

type playCall struct {
	command sim.Command
	from    uint64
	asked   time.Time
	answer  chan playReply
}

type playReply struct {
	reply sim.Reply
	err   error
}

func (k *playCall) done(r sim.Reply, err error) { k.answer <- playReply{r, err} }

var _ sim.Backend = (*Playback)(nil)

// NewPlayback makes a playback. Each call of open gives a player at the recording's beginning, and what closes
// its file, which can be sought in.
func NewPlayback(ctx context.Context, open func(context.Context) (*Player, io.Closer, error)) (*Playback,
	error) {
	p, file, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := p.from.look()
	if err != nil {
		return nil, err
	}
	b := &Playback{open: open, calls: make(chan *playCall), ended: make(chan struct{}), content: content,
		first: p.from.Header.Steps, goal: p.from.Header.Steps, playing: true, pace: 1, seq: 1}
	b.feed.Publish(&sim.Snapshot{Seq: 1, State: sim.LoadingWorld, Model: &sim.Model{},
		Pacing: sim.Pacing{Asked: 1}}, time.Now(), true)
	return b, nil
}

// Snapshot is the newest picture.
func (b *Playback) Snapshot() *sim.Snapshot { return b.feed.Latest() }

// Subscribe delivers snapshots.
func (b *Playback) Subscribe(d sim.Delivery) *sim.Subscription { return b.feed.Subscribe(d) }

// Capabilities says that nothing in a recording can be changed.
func (b *Playback) Capabilities() sim.Capabilities {
	return sim.Capabilities{Unsupported: func(c sim.Command) string {
		if s, is := c.(sim.SetState); is && s.State == sim.Stopped || sim.OnlyPaces(c) {
			return ""
		}
		return "this is a recording: what happens in it cannot be changed"
	}}
}

// Do plays, pauses, steps, sets the pace or goes to another moment; it refuses all else.
func (b *Playback) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	k := &playCall{command: c, answer: make(chan playReply, 1)}
	select {
	case b.calls <- k:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-b.ended:
		return nil, sim.ErrClosed
	}
	select {
	case r := <-k.answer:
		return r.reply, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-b.ended:
		return nil, sim.ErrClosed
	}
}

// Run plays until ctx ends. It fails where a recording comes to no step at all.
func (b *Playback) Run(ctx context.Context) error {
	defer b.feed.Close()
	defer close(b.ended)
	for ctx.Err() == nil {
		err := b.play(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errElsewhere):
			continue
		case err != nil && b.stepSize == 0:
			return err
		}
		b.rest(ctx, err)
	}
	return nil
}

// play replays from the goal on, to the end or until another place is asked for.
func (b *Playback) play(ctx context.Context) error {
	p, file, err := b.open(ctx)
	if err != nil {
		return err
	}
	defer file.Close()
	p.start, p.before = b.content.before(b.goal), func() error { return b.beforeStep(ctx) }
	b.player, b.elsewhere, b.atEnd = p, false, false
	_, err = p.Run(ctx)
	return err
}

// rest is the end of the recording, or of what can be replayed of it.
func (b *Playback) rest(ctx context.Context, err error) {
	b.atEnd, b.playing, b.goal = true, false, b.at()
	if err != nil {
		b.fault, b.content.length = err, b.at()
	}
	b.begin()
	b.publish(time.Now())
	b.arrive()
	for !b.elsewhere && ctx.Err() == nil {
		b.wait(ctx, time.Hour)
		b.goal = min(b.goal, max(b.at(), b.content.length))
	}
}

func (b *Playback) at() uint64 { return b.player.World.Total() }

// beforeStep waits until the next step is due.
func (b *Playback) beforeStep(ctx context.Context) error {
	b.begin()
	if b.at() < b.goal {
		b.wait(ctx, 0)
	}
	for !b.elsewhere && ctx.Err() == nil {
		if b.at() < b.goal {
			return nil
		}
		b.arrive()
		due := b.due()
		b.wait(ctx, due)
		if due <= 0 && b.playing && !b.elsewhere {
			b.goal = max(b.goal, b.at())
			return nil
		}
	}
	if b.elsewhere {
		return errElsewhere
	}
	return ctx.Err()
}

// begin learns from the first world how long a step is.
func (b *Playback) begin() {
	if b.stepSize == 0 {
		b.stepSize = max(b.player.World.StepSize(), time.Microsecond)
		b.marks = b.content.marks(b.first, b.stepSize)
		b.rebase()
	}
}

// due is the time until the next step.
func (b *Playback) due() time.Duration {
	switch now := time.Now(); {
	case !b.playing:
		return time.Hour
	case b.pace == 0:
		return 0
	default:
		simulated := time.Duration(b.at()-b.began.at+1) * b.stepSize
		due := b.began.time.Add(time.Duration(float64(simulated) / b.pace)).Sub(now)
		if due < -mostBehind {
			b.rebase()
		}
		return due
	}
}

// rebase begins to count for the pace anew.
func (b *Playback) rebase() { b.began = mark{b.at(), time.Now()} }

// arrive answers who waited for the goal.
func (b *Playback) arrive() {
	if k := b.waiting; k != nil {
		b.waiting = nil
		b.publish(time.Now())
		b.answer(k)
	}
}

// answer answers a command that goes to another moment, wherever that has led yet.
func (b *Playback) answer(k *playCall) {
	now := b.player.World.Time()
	if _, steps := k.command.(sim.StepWorld); steps {
		k.done(sim.Stepped{Completed: b.at() - k.from, Time: now}, nil)
		return
	}
	k.done(sim.Rewound{Time: now, Back: b.time(k.from) - b.time(b.at())}, nil)
}

// wait takes commands for a time, and shows what there is to be seen.
func (b *Playback) wait(ctx context.Context, d time.Duration) {
	now := time.Now()
	period := publishPeriod
	if b.at() < b.goal {
		period = seekPeriod
	}
	if now.Sub(b.shownAt) >= period && (b.playing || b.at() < b.goal) || b.shownAt.IsZero() {
		b.publish(now)
	}
	if k := b.waiting; k != nil && now.Sub(k.asked) >= longSeek {
		b.waiting = nil
		b.answer(k)
	}
	if d <= 0 {
		select {
		case k := <-b.calls:
			b.take(k)
		default:
		}
		return
	}
	if next := b.feed.Flush(now); !next.IsZero() {
		d = min(d, max(next.Sub(now), time.Millisecond))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case k := <-b.calls:
		b.take(k)
	}
}

// take does a command.
func (b *Playback) take(k *playCall) {
	switch c := k.command.(type) {
	case sim.SetState:
		k.done(b.setState(c.State))
	case sim.SetPacing:
		if c.RealTime < 0 || math.IsNaN(c.RealTime) || math.IsInf(c.RealTime, 0) {
			k.done(nil, fmt.Errorf("%w: a real-time factor of %v; want 0 or more", sim.ErrFailed, c.RealTime))
			return
		}
		b.pace = c.RealTime
		b.rebase()
		b.publish(time.Now())
		k.done(sim.Done{}, nil)
	case sim.StepWorld:
		if b.playing {
			k.done(nil, fmt.Errorf("%w: stepping while playing; pause first", sim.ErrIncorrectState))
			return
		}
		b.goTo(k, b.at()+min(c.N, b.content.length-b.at()))
	case sim.CancelSteps:
		b.goal = b.at()
		k.done(sim.Done{}, nil)
	case sim.Rewind:
		b.playing = false
		b.goTo(k, c.Target(b.first, b.at(), b.content.length, b.stepSize))
	default:
		reason := b.Capabilities().Unsupported(c)
		k.done(nil, fmt.Errorf("%w: %s", sim.ErrUnsupported, reason))
	}
}

// goTo makes a step the goal. Who asked for another before is answered.
func (b *Playback) goTo(k *playCall, to uint64) {
	if old := b.waiting; old != nil {
		b.answer(old)
	}
	b.goal, b.waiting, b.elsewhere = to, k, to < b.at()
	k.from, k.asked = b.at(), time.Now()
	if s := b.content.before(to); s != nil && s.at > b.at()+uint64(leapGain/b.stepSize) {
		b.elsewhere = true
	}
	if to == b.at() {
		b.arrive()
	}
}

func (b *Playback) setState(to sim.State) (sim.Reply, error) {
	play := to == sim.Playing
	switch {
	case to != sim.Playing && to != sim.Paused:
		return nil, fmt.Errorf("%w: a recording plays or is paused; %s is no state of it", sim.ErrUnsupported, to)
	case play == b.playing && b.at() >= b.goal:
		return nil, fmt.Errorf("%w: %s", sim.ErrAlreadyInState, to)
	case play && b.atEnd:
		return nil, fmt.Errorf("%w: the recording ends here; go back to play it", sim.ErrIncorrectState)
	}
	b.playing, b.goal = play, b.at()
	b.rebase()
	b.publish(time.Now())
	return sim.Done{}, nil
}

// time is the time of a step on the way of the recording.
func (b *Playback) time(at uint64) time.Duration { return time.Duration(at-b.first) * b.stepSize }

// publish shows the world as it is now.
func (b *Playback) publish(now time.Time) {
	if passed := now.Sub(b.counted.time); passed >= time.Second/2 {
		b.measured = 0
		if at := b.at(); at > b.counted.at && b.playing {
			b.measured = (time.Duration(at-b.counted.at) * b.stepSize).Seconds() / passed.Seconds()
		}
		b.counted = mark{b.at(), now}
	}
	b.seq++
	s := *b.player.World.Snapshot() // which the world goes on with
	if b.model != s.Model {
		m := *s.Model
		m.Revision = b.seq
		b.model, b.shown = s.Model, &m
	}
	s.Seq, s.Model, s.State, s.Halted = b.seq, b.shown, sim.Paused, ""
	if b.playing {
		s.State = sim.Playing
	}
	s.Pacing = sim.Pacing{Asked: b.pace, Measured: b.measured}
	s.Events = b.events()
	s.Past = sim.Past{Reach: b.time(b.content.length), Now: b.time(b.at()), Newest: b.time(b.content.length),
		Marks: b.marks}
	if b.fault != nil && b.atEnd {
		s.Halted = b.fault.Error()
	}
	b.shownAt = now
	b.feed.Publish(&s, now, true)
}

// events are the newest of what was done until now.
func (b *Playback) events() (all []sim.Event) {
	n := 0
	for n < len(b.content.deeds) && b.content.deeds[n].at <= b.at() {
		n++
	}
	for i := max(0, n-mostShown); i < n; i++ {
		all = append(all, b.content.deeds[i].event)
	}
	if b.fault != nil && b.atEnd {
		all = append(all, sim.Event{Seq: uint64(len(b.content.deeds) + 1), Time: b.player.World.Time(),
			Level: sim.Error, Who: "replay", Text: b.fault.Error()})
	}
	return all
}
