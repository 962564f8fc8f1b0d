package ui

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
)

// Periods.
const (
	framePeriod = 33 * time.Millisecond  // frames are at least this far apart
	idlePeriod  = 250 * time.Millisecond // and at most this, when nothing moves
	textPeriod  = 100 * time.Millisecond // between new numbers where no picture is shown: nobody reads faster
	flushPeriod = 17 * time.Millisecond  // frames are written at most this far apart
	mostHeld    = 200 * time.Millisecond // for so long keys keep new numbers back
	linkPeriod  = 250 * time.Millisecond // between looks at the ROS side
	graphPeriod = time.Second            // between looks at the ROS graph
)

// frameMsg asks to look at the world. It carries nothing of it, so it is never
// stale.
type frameMsg struct {
	took   time.Duration // of the last frame to the terminal and an answer back; 0: nobody has measured
	silent bool          // the terminal answers nothing
}

// endMsg says that the engine or the context has ended.
type endMsg struct {
	of *sim.Subscription // that ended; nil: the context did
}

// replyMsg is the answer to a command.
type replyMsg struct {
	command  sim.Command
	reply    sim.Reply
	err      error
	done     string
	counted  bool          // among Model.pending
	steering bool          // a velocity of driving by hand
	undo     undo          // its undo
	undoing  bool          // it takes something back
	begins   bool          // it begins the world that was loaded
	before   *sim.Snapshot // of a LoadWorld: the world that it replaces
	measures *dialog.Spawn // the dialog that wants to know it
	progress *progress     // of a command that may be done one by one; nil: of another
}

// progress counts the commands of a list that are done, for backends that do them one by one.
type progress struct{ done, all atomic.Int64 }

// tell takes how far the backend is.
func (p *progress) tell(done, all int) {
	p.done.Store(int64(done))
	p.all.Store(int64(all))
}

// shown reports that there is progress to show.
func (p *progress) shown() bool { return p != nil && p.all.Load() > 0 }

// feed is the subscription to the world that is shown.
type feed struct {
	m     *Model
	sub   *sim.Subscription
	hears atomic.Pointer[sim.Subscription] // sub, for whoever ends the console
}

// nextFrame waits for a period and until the terminal has taken the last, and
// then for something new to see. It never queues: the next wait starts when a
// frame was handled.
func (fd *feed) nextFrame() tea.Cmd {
	ctx, sub, idle, paced, far := fd.m.ctx, fd.sub, fd.idle(), fd.m.cfg.FlowControl, fd.m.line.far &&
		fd.m.line.answered > 0
	period := framePeriod
	if fd.m.cfg.Period != nil {
		period = max(period, fd.m.cfg.Period())
	}
	if fd.m.keyboard.held { // new input is there
		period, sub = flushPeriod, nil
	}
	return func() tea.Msg {
		pace := time.NewTimer(period)
		defer pace.Stop()
		select {
		case <-ctx.Done():
			return endMsg{}
		case <-pace.C:
		}
		if far {
			return frameDueMsg{}
		}
		frame := frameMsg{}
		if paced != nil {
			began := time.Now()
			paced(ctx)
			frame.took = time.Since(began)
		}
		return news(ctx, sub, idle, frame)
	}
}

// idle is the longest wait for a new snapshot.
func (fd *feed) idle() time.Duration {
	if fd.sub == nil || fd.m.drive.on || fd.m.typed.on() {
		return 0
	}
	return idlePeriod
}

// nextSize waits for another size of a terminal that is elsewhere.
func (m *Model) nextSize() tea.Cmd {
	ctx, sizes := m.ctx, m.cfg.Sizes
	if sizes == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case s := <-sizes:
			return sizeMsg(s)
		}
	}
}

// sizeMsg is another size of a terminal that is elsewhere.
type sizeMsg Size

// onSize tells Bubble Tea, whose renderer must know it before the model does.
func (m *Model) onSize(s sizeMsg) tea.Cmd {
	m.window.size = tea.WindowSizeMsg{Width: s.Columns, Height: s.Rows}
	m.pics.window = [2]int{s.Width, s.Height}
	return tea.Batch(m.tellSize(), m.nextSize())
}

func (m *Model) tellSize() tea.Cmd {
	size := m.window.size
	return func() tea.Msg { return size }
}

// onWindow takes a size. Bubble Tea sends a size of its own at the start. For a remote terminal that is 0 by
// 0 and may come after the right one, which would leave the screen empty.
func (m *Model) onWindow(w tea.WindowSizeMsg) tea.Cmd {
	switch known := m.window.size != (tea.WindowSizeMsg{}); {
	case known && w != m.window.size:
		return m.tellSize()
	case known || m.cfg.Sizes == nil:
		if m.cfg.Sizes == nil {
			m.pics.window[0], m.pics.window[1] = pixels(m.cfg.output())
		}
		m.window.resize(w.Width, w.Height)
		m.pics.has = placed{} // some terminals lose it then
	}
	return nil
}

// patience is the time limit of a command: longer where files
// are read or many steps are done.
func patience(c sim.Command) time.Duration {
	switch c.(type) {
	case sim.StepWorld:
		return time.Hour
	case sim.Spawn, sim.SpawnBatch, sim.LoadWorld, sim.Restore, sim.Reset, sim.Rewind, sim.ListSpawnables,
		sim.Measure, sim.ListWorlds:
		return time.Minute
	}
	return time.Duration(max(1, len(sim.Pieces(c)))) * 10 * time.Second
}

// requests are the commands that are sent and not answered yet.
type requests struct {
	m        *Model
	pending  int
	stepping bool // one of them does many steps
	progress *progress
	retry    *dialog.Spawn // dialog to open again when its spawn fails
}

// send does a command and brings its answer back as a message; done is the message of success.
func (q *requests) send(c sim.Command, done string) tea.Cmd {
	q.pending++
	q.m.screen.dirty = true
	if s, ok := c.(sim.StepWorld); ok && s.N > 1 {
		q.stepping = true
	}
	now := q.m.now()
	return q.do(replyMsg{command: c, done: done, counted: true, undo: undoOf(now, c), before: now})
}

// do does what a message asks for, and makes it the answer.
func (q *requests) do(r replyMsg) tea.Cmd {
	ctx, backend := sim.WithSender(q.m.ctx, q.m.cfg.User), q.m.cfg.Backend
	if len(sim.Pieces(r.command)) > 1 {
		r.progress = &progress{}
		q.progress = r.progress
		ctx = sim.WithProgress(ctx, r.progress.tell)
	}
	return guarded(func() tea.Msg {
		r.reply, r.err = patiently(ctx, backend, r.command)
		return r
	})
}

// patiently does a command within its patience.
func patiently(ctx context.Context, backend sim.Backend, c sim.Command) (sim.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, patience(c))
	defer cancel()
	return backend.Do(ctx, c)
}

// wantSensors asks for sensors only while something of them is shown.
func (fd *feed) wantSensors() {
	if fd.sub == nil {
		return
	}
	e, _ := fd.m.selection().entity()
	fd.sub.WantSensors(e != nil && len(e.Sensors) > 0 &&
		(fd.m.window.visible(mapPane) && fd.m.world.Lidar || fd.m.window.visible(detailPane) ||
			fd.m.window.visible(chartsPane) || fd.m.window.driving))
}

// wantDrawing asks for what the map draws of the physics, while it is shown.
func (fd *feed) wantDrawing() {
	if fd.sub == nil {
		return
	}
	flags := fd.m.world.Drawing()
	if !fd.m.window.visible(mapPane) {
		flags = 0
	}
	fd.sub.WantDrawing(flags)
}

// subscribe has the world that is shown tell of what is new in it.
func (fd *feed) subscribe() {
	fd.sub = fd.m.cfg.Backend.Subscribe(sim.Latest(framePeriod))
	fd.hears.Store(fd.sub)
}

// unsubscribe ends that, from any goroutine.
func (fd *feed) unsubscribe() {
	if s := fd.hears.Load(); s != nil {
		s.Close()
	}
}
