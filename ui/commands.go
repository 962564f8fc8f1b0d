package ui

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
)

// How often things happen.
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
	undo     undo          // what takes it back
	undoing  bool          // it takes something back
	measures *dialog.Spawn // the dialog that wants to know it
	progress *progress     // of a command that may be done one by one; nil: of another
}

// progress is how many commands of a list are done, as a backend tells that does them one by one.
type progress struct{ done, all atomic.Int64 }

// tell takes how far the backend is.
func (p *progress) tell(done, all int) {
	p.done.Store(int64(done))
	p.all.Store(int64(all))
}

// shown reports that there is progress to show.
func (p *progress) shown() bool { return p != nil && p.all.Load() > 0 }

// nextFrame waits for a period and until the terminal has taken the last, and
// then for something new to see. It never queues: the next wait starts when a
// frame was handled.
func (m *Model) nextFrame() tea.Cmd {
	ctx, sub, idle, paced, far := m.ctx, m.sub, m.idle(), m.cfg.FlowControl, m.line.far && m.line.answered > 0
	period := framePeriod
	if m.cfg.Period != nil {
		period = max(period, m.cfg.Period())
	}
	if m.held { // what is new is there
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
			return pacedMsg{}
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

// idle is how long is waited for something new.
func (m *Model) idle() time.Duration {
	if m.sub == nil || m.drive.on {
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
	m.size = tea.WindowSizeMsg{Width: s.Columns, Height: s.Rows}
	m.pics.window = [2]int{s.Width, s.Height}
	return tea.Batch(m.tellSize(), m.nextSize())
}

func (m *Model) tellSize() tea.Cmd {
	size := m.size
	return func() tea.Msg { return size }
}

// onWindow takes a size. Bubble Tea sends one of its own when it starts, which
// of a terminal elsewhere is 0 by 0 and may come after the right one: the
// screen would stay empty.
func (m *Model) onWindow(w tea.WindowSizeMsg) tea.Cmd {
	switch known := m.size != (tea.WindowSizeMsg{}); {
	case known && w != m.size:
		return m.tellSize()
	case known || m.cfg.Sizes == nil:
		if m.cfg.Sizes == nil {
			m.pics.window[0], m.pics.window[1] = pixels(m.cfg.output())
		}
		m.resize(w.Width, w.Height)
	}
	return nil
}

// patience is how long the console waits for a command: longer where files
// are read or many steps are done.
func patience(c sim.Command) time.Duration {
	switch c.(type) {
	case sim.StepWorld:
		return time.Hour
	case sim.Spawn, sim.SpawnBatch, sim.LoadWorld, sim.ListSpawnables, sim.Measure, sim.ListWorlds, sim.Reset:
		return time.Minute
	}
	return time.Duration(entitiesOf(c)) * 10 * time.Second
}

// entitiesOf is how many entities a command is for that may be done one by one; 1 for any other.
func entitiesOf(c sim.Command) int {
	switch c := c.(type) {
	case sim.MoveEntities:
		return max(1, len(c.Moves))
	case sim.SetEntityInfos:
		return max(1, len(c.Infos))
	}
	return 1
}

// send does a command and brings its answer back as a message; done is what
// to say when it went well.
func (m *Model) send(c sim.Command, done string) tea.Cmd {
	m.pending++
	m.dirty = true
	if s, ok := c.(sim.StepWorld); ok && s.N > 1 {
		m.stepping = true
	}
	return m.do(replyMsg{command: c, done: done, counted: true, undo: m.undoOf(c)})
}

// do does what a message asks for, and makes it the answer.
func (m *Model) do(r replyMsg) tea.Cmd {
	ctx, backend := sim.WithSender(m.ctx, m.cfg.User), m.cfg.Backend
	if entitiesOf(r.command) > 1 {
		r.progress = &progress{}
		m.progress = r.progress
		ctx = sim.WithProgress(ctx, r.progress.tell)
	}
	return guarded(func() tea.Msg {
		r.reply, r.err = patiently(ctx, backend, r.command)
		return r
	})
}

// patiently does a command within its patience.
func patiently(ctx context.Context, deck sim.Backend, c sim.Command) (sim.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, patience(c))
	defer cancel()
	return deck.Do(ctx, c)
}

// wantSensors asks for sensors only while something of them is shown.
func (m *Model) wantSensors() {
	if m.sub == nil {
		return
	}
	e, _ := m.entity()
	m.sub.WantSensors(e != nil && len(e.Sensors) > 0 && (m.visible(mapPane) && m.world.Lidar || m.visible(detailPane) || m.visible(chartsPane)))
}

// wantDrawing asks for what the map draws of the physics, while it is shown.
func (m *Model) wantDrawing() {
	if m.sub == nil {
		return
	}
	flags := m.world.Drawing()
	if !m.visible(mapPane) {
		flags = 0
	}
	m.sub.WantDrawing(flags)
}

// subscribe has the world that is shown tell of what is new in it.
func (m *Model) subscribe() {
	m.sub = m.cfg.Backend.Subscribe(sim.Latest(framePeriod))
	m.hears.Store(m.sub)
}

// unsubscribe ends that, from any goroutine.
func (m *Model) unsubscribe() {
	if s := m.hears.Load(); s != nil {
		s.Close()
	}
}
