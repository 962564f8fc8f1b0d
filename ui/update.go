package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
	"simdeck/ui/theme"
)

var _ tea.Model = (*Model)(nil)

// Init asks for the first frame.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.nextFrame(), m.nextSize()) }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	model = m // also after a panic
	defer m.caught(&cmd)
	if m.crash != nil {
		return m, tea.Quit
	}
	cmd = m.take(msg)
	return model, cmd
}

// take gives a message to its method.
func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frameMsg:
		return m.onFrame(msg)
	case pacedMsg:
		return m.onPaced()
	case endMsg:
		return m.onEnd(msg)
	case deferredKeysMsg:
		return m.onLate()
	case savedMsg:
		return m.onSaved(msg)
	case recordedMsg:
		return m.onRecorded(msg)
	case crashMsg:
		m.crash = msg.crash
		return tea.Quit
	case replyMsg:
		return m.onReply(msg)
	case tea.WindowSizeMsg:
		return m.onWindow(msg)
	case sizeMsg:
		return m.onSize(msg)
	case tea.KeyPressMsg:
		return m.onKey(msg)
	case tea.PasteMsg:
		return m.onText(dialog.Key{Text: msg.Content})
	case tea.MouseClickMsg:
		return m.onClick(msg.Mouse())
	case tea.MouseMotionMsg:
		m.onMotion(msg.Mouse())
	case tea.MouseReleaseMsg:
		m.drag.on = false
	case tea.MouseWheelMsg:
		m.keyed = m.cfg.Now()
		m.onWheel(msg.Mouse())
	case tea.BackgroundColorMsg:
		m.onBackground(!msg.IsDark())
	case sentMsg:
		return m.onSent(msg)
	default:
		m.onAnswer(msg)
	}
	return nil
}

// onFrame looks at the world and asks for the next frame.
func (m *Model) onFrame(f frameMsg) tea.Cmd {
	m.onRead(f)
	if !m.deferKey(m.cfg.Now()) {
		m.look()
	}
	if now := m.cfg.Now(); m.flash.text != "" && now.After(m.flash.until) {
		m.flash, m.dirty = flash{}, true
	}
	if m.cfg.Backend.Snapshot().State == sim.Quitting && !m.cfg.Capabilities.Reconnects {
		if m.toNextWorld() {
			return m.nextFrame()
		}
		return m.leave()
	}
	if m.progress.shown() || m.visible(cameraPane) && m.camera.Late(m.cfg.Now()) {
		m.dirty = true
	}
	return tea.Batch(m.steer(), m.nextFrame(), m.measureModel(), m.ask(), m.askForPictures(), m.sendPicture())
}

// look takes the newest picture, if it differs from the one that is shown.
func (m *Model) look() {
	now := m.cfg.Now()
	if m.linked.IsZero() || now.Sub(m.linked) >= linkPeriod {
		m.lookAround()
		m.linked = now
	}
	if m.cfg.Capabilities.Graph != nil && !m.frozen && m.visible(graphPane) && now.Sub(m.graphed) >= graphPeriod {
		m.graph.Take(m.cfg.Capabilities.Graph(), now)
		m.graphed, m.dirty = now, true
	}
	s := m.cfg.Backend.Snapshot()
	if m.frozen && m.snap != nil || s == m.snap {
		return
	}
	if m.snap != nil && s.Model == m.snap.Model && s.State == m.snap.State && now.Sub(m.drawn) < textPeriod && !m.pictured() {
		return
	}
	if m.snap != nil && same(s, m.snap) && now.Sub(m.drawn) < idlePeriod {
		return
	}
	if m.snap == nil || m.snap.Model != s.Model {
		m.cameras = cameraList(s.Model)
	}
	m.snap, m.drawn, m.dirty = s, now, true
	m.camera.Follow, m.charts.Entity = m.world.Follow, m.entities.Selected()
	for p := range paneCount {
		m.pane(p).Feed(s)
	}
	m.wantSensors()
	m.wantDrawing()
}

// lookAround takes what is beside the world.
func (m *Model) lookAround() {
	if v := m.cfg.readOnly(); v != m.viewer {
		m.viewer, m.dirty = v, true
	}
	if m.cfg.Capabilities.Connection != nil {
		if l := m.cfg.Capabilities.Connection(); l != m.link {
			m.link, m.dirty = l, true
		}
	}
	if m.cfg.Capabilities.Recorder != nil {
		folder, bytes, fault := m.cfg.Capabilities.Recorder.State()
		if r := (sim.Recording{Folder: folder, Bytes: bytes, Fault: fault}); r != m.recording {
			m.recording, m.dirty = r, true
		}
	}
}

// pictured reports that a pane is shown in which motion is to be seen.
func (m *Model) pictured() bool {
	return m.drive.on || m.visible(mapPane) || m.visible(cameraPane) || m.visible(chartsPane)
}

// Frame looks at the world as a frame does, without waiting for the next.
func (m *Model) Frame() { m.look() }

// same reports that two pictures show the same world at the same time.
func same(a, b *sim.Snapshot) bool {
	last := func(s *sim.Snapshot) uint64 {
		if n := len(s.Events); n > 0 {
			return s.Events[n-1].Seq
		}
		return 0
	}
	return a.Step == b.Step && a.Time == b.Time && a.State == b.State && a.Model == b.Model &&
		a.Pacing.Asked == b.Pacing.Asked && a.Stats.Commands == b.Stats.Commands && last(a) == last(b)
}

// onReply takes the answer to a command.
func (m *Model) onReply(r replyMsg) tea.Cmd {
	m.settle(r)
	m.look()
	switch _, measures := r.command.(sim.Measure); {
	case measures:
		return onMeasured(r)
	case r.steering:
		return m.onSteered(r)
	case r.err != nil:
		return m.onRefused(r)
	}
	return m.onDone(r)
}

// settle books a command as answered.
func (m *Model) settle(r replyMsg) {
	m.dirty = true
	if r.counted {
		m.pending--
	}
	if r.progress == m.progress {
		m.progress = nil
	}
	if s, ok := r.command.(sim.StepWorld); ok && s.N > 1 {
		m.stepping = false
	}
}

// onMeasured gives a footprint to the dialog that asked for it.
func onMeasured(r replyMsg) tea.Cmd {
	measured, _ := r.reply.(sim.Measured)
	r.measures.Measured(r.command.(sim.Measure), measured.Footprint, r.err)
	return nil
}

// onRefused shows why a command was refused, where it was asked for.
func (m *Model) onRefused(r replyMsg) tea.Cmd {
	if partial := (*sim.PartialError)(nil); errors.As(r.err, &partial) && partial.Done > 0 {
		m.keepUndo(r.undo.first(partial.Done))
	}
	switch r.command.(type) {
	case sim.ListWorlds:
		if worlds, ok := m.top().(*dialog.Worlds); ok {
			worlds.Fail(r.err)
			return nil
		}
	case sim.ListSpawnables:
		if spawn, ok := m.top().(*dialog.Spawn); ok {
			spawn.Fail(r.err)
			return nil
		}
	}
	if s, ok := r.reply.(sim.Stepped); ok && errors.Is(r.err, sim.ErrCancelled) {
		return m.say(theme.Good, "%d steps done, the rest given up", s.Completed)
	}
	if spawns(r.command) && !r.undoing && m.retry != nil && len(m.dialogs) == 0 {
		m.push(m.retry)
	}
	return m.say(theme.Bad, "%s", r.err)
}

// onDone shows what came of a command.
func (m *Model) onDone(r replyMsg) tea.Cmd {
	m.keepUndo(r.undo)
	switch reply := r.reply.(type) {
	case sim.Worlds:
		if worlds, ok := m.top().(*dialog.Worlds); ok {
			worlds.Fill(reply)
		}
		return nil
	case sim.WorldLoaded:
		m.undos = nil
	case sim.Spawnables:
		if spawn, ok := m.top().(*dialog.Spawn); ok {
			spawn.Fill(reply)
		}
		return nil
	case sim.BatchSpawned:
		return m.onBatch(r, reply)
	case sim.Spawned:
		return m.onSpawned(r, reply)
	}
	return m.onSaid(r)
}

// onSaid says that a command is done, if there is something to say.
func (m *Model) onSaid(r replyMsg) tea.Cmd {
	if r.done == "" {
		return nil
	}
	return m.say(theme.Good, "%s", r.done)
}

// onSpawned selects a spawned entity.
func (m *Model) onSpawned(r replyMsg, s sim.Spawned) tea.Cmd {
	m.entities.Select(s.Name)
	if r.undoing {
		return m.onSaid(r)
	}
	m.retry = nil
	return m.say(theme.Good, "%s is in the world", s.Name)
}

func spawns(c sim.Command) bool {
	switch c.(type) {
	case sim.Spawn, sim.SpawnBatch:
		return true
	}
	return false
}

// onBatch tells what came of spawning several, and marks those that are in
// the world, so that what is done next is done to them.
func (m *Model) onBatch(r replyMsg, b sim.BatchSpawned) tea.Cmd {
	m.retry = nil
	var names []string
	var first error
	for _, one := range b.Results {
		if one.Err == nil {
			names = append(names, one.Name)
		} else if first == nil {
			first = one.Err
		}
	}
	if len(names) > 0 {
		m.entities.SetMarks(names...)
		m.entities.Select(names[0])
	}
	switch {
	case first != nil:
		return m.say(theme.Bad, "%d of %d are in the world: %s", len(names), len(b.Results), first)
	case r.undoing:
		return m.say(theme.Good, "%s", r.done)
	}
	return m.say(theme.Good, "%d entities are in the world, and marked", len(names))
}

func (m *Model) top() dialog.Dialog {
	if n := len(m.dialogs); n > 0 {
		return m.dialogs[n-1]
	}
	return nil
}

// onText gives a key to whatever is being typed in.
func (m *Model) onText(k dialog.Key) tea.Cmd {
	m.dirty = true
	if d := m.top(); d != nil {
		return m.decide(d.Key(k))
	}
	if m.typing != nil {
		m.onFilterKey(k)
	}
	return nil
}

// onBackground takes what the terminal says of its background.
func (m *Model) onBackground(light bool) {
	if m.cfg.Back != "" && m.cfg.Back != "auto" || light == m.theme.Light {
		return
	}
	if t, err := theme.NewOn(m.theme.Name, light); err == nil {
		m.theme, m.dirty = t, true
	}
}

// decide carries out what a dialog decided.
func (m *Model) decide(o dialog.Outcome) tea.Cmd {
	m.dirty = true
	if o.Close {
		m.retry = nil
		if s, ok := m.top().(*dialog.Spawn); ok && o.Do != nil {
			m.retry = s
		}
		m.pop()
	}
	switch {
	case o.Action != "":
		return m.run(o.Action)
	case o.Do != nil:
		return m.send(o.Do, o.Done)
	}
	return nil
}

// onFilterKey edits the filter of a pane; its rows follow every letter.
func (m *Model) onFilterKey(k dialog.Key) {
	list := m.list(m.typed)
	switch k.Action {
	case dialog.Cancel:
		list.SetFilter("")
		m.typing = nil
	case dialog.Accept:
		m.typing = nil
	case dialog.Up:
		list.Move(-1)
	case dialog.Down:
		list.Move(1)
	default:
		if m.typing.Key(k) {
			list.SetFilter(m.typing.Text())
			list.Feed(m.snap)
		}
	}
}
