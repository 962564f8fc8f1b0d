package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
)

// How often things happen.
const (
	framePeriod = 33 * time.Millisecond  // frames are at least this far apart
	idlePeriod  = 250 * time.Millisecond // and at most this, when nothing moves
	linkPeriod  = 250 * time.Millisecond // between looks at the ROS side
)

// frameMsg asks to look at the world. It carries nothing, so it is never stale.
type frameMsg struct{}

// endMsg says that the engine or the context has ended.
type endMsg struct{}

// replyMsg is the answer to a command.
type replyMsg struct {
	command  sim.Command
	reply    sim.Reply
	err      error
	done     string
	counted  bool // among Model.pending
	steering bool // a velocity of driving by hand
	undo     undo // what takes it back
	undoing  bool // it takes something back
}

// nextFrame waits for a period and then for something new to see, but not for
// ever. It never queues: the next wait starts when a frame was handled.
func (m *Model) nextFrame() tea.Cmd {
	ctx, sub, idle, paced := m.ctx, m.sub, idlePeriod, m.cfg.Paced
	if sub == nil || m.drive.on {
		idle = 0
	}
	return func() tea.Msg {
		pace := time.NewTimer(framePeriod)
		defer pace.Stop()
		select {
		case <-ctx.Done():
			return endMsg{}
		case <-pace.C:
		}
		if paced != nil {
			paced(ctx)
		}
		if sub == nil {
			return frameMsg{}
		}
		pace.Reset(idle)
		select {
		case <-ctx.Done():
			return endMsg{}
		case _, open := <-sub.C():
			if !open {
				return endMsg{}
			}
		case <-pace.C:
		}
		return frameMsg{}
	}
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
			return tea.WindowSizeMsg{Width: s.Columns, Height: s.Rows}
		}
	}
}

// patience is how long the console waits for a command: longer where files
// are read or many steps are done.
func patience(c sim.Command) time.Duration {
	switch c.(type) {
	case sim.StepWorld:
		return time.Hour
	case sim.Spawn, sim.SpawnBatch, sim.LoadWorld, sim.ListSpawnables, sim.ListWorlds, sim.Reset:
		return time.Minute
	}
	return 10 * time.Second
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

func (m *Model) do(r replyMsg) tea.Cmd {
	ctx, deck := sim.WithSender(m.ctx, m.cfg.User), m.cfg.Deck
	return guarded(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, patience(r.command))
		defer cancel()
		r.reply, r.err = deck.Do(ctx, r.command)
		return r
	})
}

// wantSensors asks for sensors only while something of them is shown.
func (m *Model) wantSensors() {
	if m.sub == nil {
		return
	}
	e, _ := m.entity()
	m.sub.WantSensors(e != nil && len(e.Sensors) > 0 && (m.visible(mapPane) && m.world.Lidar || m.visible(detailPane)))
}
