package ui

import (
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
	"simdeck/ui/theme"
)

var _ tea.Model = (*Model)(nil)

// Init asks for the first frame.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.feed.nextFrame(), m.nextSize()) }

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
	case frameDueMsg:
		return m.line.onFrameDue()
	case endMsg:
		return m.worlds.onEnd(msg)
	case deferredKeysMsg:
		return m.keyboard.onDeferred()
	case savedMsg:
		return m.onSaved(msg)
	case recordedMsg:
		return m.around.onRecorded(msg)
	case crashMsg:
		m.crash = msg.crash
		return tea.Quit
	case replyMsg:
		return m.requests.onReply(msg)
	case tea.WindowSizeMsg:
		return m.onWindow(msg)
	case sizeMsg:
		return m.onSize(msg)
	case tea.KeyPressMsg:
		return m.keyboard.onKey(msg)
	case tea.ResumeMsg:
		m.pics.has, m.screen.dirty = placed{}, true // the terminal showed a shell
	case tea.KeyReleaseMsg:
		m.typed.release(msg.Key())
	case tea.KeyboardEnhancementsMsg:
		m.typed.releases = msg.SupportsEventTypes()
	case tea.BlurMsg:
		m.typed.drop()
	case tea.PasteMsg:
		return m.keyboard.onText(dialog.Key{Text: msg.Content})
	case tea.MouseClickMsg:
		return m.mouse.onClick(msg.Mouse())
	case tea.MouseMotionMsg:
		return m.mouse.onMotion(msg.Mouse())
	case tea.MouseReleaseMsg:
		m.mouse.drag.on, m.mouse.drag.strip = false, false
	case tea.MouseWheelMsg:
		m.keyboard.keyed = m.cfg.Now()
		m.mouse.onWheel(msg.Mouse())
	case tea.BackgroundColorMsg:
		m.onBackground(!msg.IsDark())
	case pathsMsg:
		msg.dialog.Complete(msg.typed, msg.paths)
		m.screen.dirty = true
	case sentMsg:
		return m.pics.onSent(msg)
	case padMsg:
		return m.drive.onPad(msg)
	default:
		m.pics.onAnswer(msg)
	}
	return nil
}

// onFrame looks at the world and asks for the next frame.
func (m *Model) onFrame(f frameMsg) tea.Cmd {
	m.line.onRead(f)
	if !m.keyboard.deferKey(m.cfg.Now()) {
		m.view.look()
	}
	if now := m.cfg.Now(); m.screen.flash.text != "" && now.After(m.screen.flash.until) {
		m.screen.flash, m.screen.dirty = flash{}, true
	}
	if m.cfg.Backend.Snapshot().State == sim.Quitting && !m.cfg.Capabilities.Reconnects {
		if m.worlds.show() {
			return m.feed.nextFrame()
		}
		return m.leave()
	}
	if m.requests.progress.shown() || m.window.visible(cameraPane) && m.camera.Late(m.cfg.Now()) {
		m.screen.dirty = true
	}
	m.typed.look()
	return tea.Batch(m.drive.steer(), m.feed.nextFrame(), m.measureModel(), m.completePath(),
		m.line.askTerminal(), m.pics.ask(), m.pics.send())
}

// worldView is the snapshot that is shown.
type worldView struct {
	m      *Model
	snap   *sim.Snapshot
	frozen bool
	drawn  time.Time // when snap was last shown
}

// surroundings is the state beside the world: role, connection, recording.
type surroundings struct {
	m         *Model
	link      sim.Connection
	recording sim.Recording
	viewer    bool      // the role that the header shows
	others    []string  // operators and viewers of other consoles
	heard     uint64    // number of the last event that was looked at for what others did
	linked    time.Time // when role, link and recording were read
	graphed   time.Time // when the graph was
}

// look takes the newest picture, if it differs from the one that is shown.
func (v *worldView) look() {
	now := v.m.cfg.Now()
	if v.m.around.linked.IsZero() || now.Sub(v.m.around.linked) >= linkPeriod {
		v.m.around.look()
		v.m.around.linked = now
	}
	if v.m.cfg.Capabilities.Graph != nil && !v.frozen && v.m.window.visible(graphPane) &&
		now.Sub(v.m.around.graphed) >= graphPeriod {
		v.m.graph.Take(v.m.cfg.Capabilities.Graph(), now)
		v.m.around.graphed, v.m.screen.dirty = now, true
	}
	s := v.m.cfg.Backend.Snapshot()
	if v.frozen && v.snap != nil || s == v.snap {
		return
	}
	if v.snap != nil && s.Model == v.snap.Model && s.State == v.snap.State && now.Sub(v.drawn) < textPeriod &&
		!v.pictured() {
		return
	}
	if v.snap != nil && same(s, v.snap) && now.Sub(v.drawn) < idlePeriod {
		return
	}
	v.snap, v.drawn, v.m.screen.dirty = s, now, true
	v.m.camera.Follow, v.m.charts.Entity = v.m.world.Follow, v.m.entities.Selected()
	for p := range paneCount {
		v.m.pane(p).Feed(s)
	}
	v.m.instruments.Feed(s)
	v.m.around.hear(s)
	v.m.window.fit(v.m.entities.Wanted(), s.Past.Reach > 0)
	v.m.feed.wantSensors()
	v.m.feed.wantDrawing()
}

// look takes what is beside the world.
func (ar *surroundings) look() {
	if v := ar.m.cfg.readOnly(); v != ar.viewer {
		ar.viewer, ar.m.screen.dirty = v, true
	}
	if ar.m.cfg.Capabilities.Viewers != nil {
		if all := ar.m.cfg.Capabilities.Viewers(); !slices.Equal(all, ar.others) {
			ar.others, ar.m.screen.dirty = all, true
		}
	}
	if ar.m.cfg.Capabilities.Connection != nil {
		if l := ar.m.cfg.Capabilities.Connection(); l != ar.link {
			ar.link, ar.m.screen.dirty = l, true
		}
	}
	if ar.m.cfg.Capabilities.Recorder != nil {
		if r := ar.m.cfg.Capabilities.Recorder.State(); r != ar.recording {
			ar.recording, ar.m.screen.dirty = r, true
		}
	}
}

// hear names who changed the screen of this operator: a command of somebody else that stops, resets, rewinds or
// replaces the world, or deletes what is selected here.
func (ar *surroundings) hear(s *sim.Snapshot) {
	var newest *sim.Event
	last := ar.heard
	for i := len(s.Events) - 1; i >= 0 && s.Events[i].Seq > ar.heard; i-- {
		e := &s.Events[i]
		last = max(last, e.Seq)
		if newest == nil && ar.heard > 0 && ar.concerns(e) {
			newest = e
		}
	}
	if ar.heard = max(last, 1); newest != nil {
		ar.m.say(theme.Warn, "%s: %s", newest.Who, newest.Text)
	}
}

// concerns reports that an event is a command of another one that changes this operator's screen.
func (ar *surroundings) concerns(e *sim.Event) bool {
	switch e.Who {
	case ar.m.cfg.User, "engine", "start", "simdeck", "scenario", "":
		return false
	}
	return e.Text == "delete "+ar.m.entities.Selected() ||
		slices.ContainsFunc(ofTheWorld, func(verb string) bool { return strings.HasPrefix(e.Text, verb) })
}

// ofTheWorld begin the log's words for commands that change what everybody sees.
var ofTheWorld = []string{"load ", "unload ", "set state ", "reset ", "rewind ", "take up "}

// pictured reports that a pane is shown in which motion is to be seen.
func (v *worldView) pictured() bool {
	return v.m.drive.on || v.m.typed.on() || v.m.window.visible(mapPane) || v.m.window.visible(cameraPane) ||
		v.m.window.visible(chartsPane)
}

// Frame looks at the world as a frame does, without waiting for the next.
func (m *Model) Frame() { m.view.look() }

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
func (q *requests) onReply(r replyMsg) tea.Cmd {
	q.settle(r)
	q.m.view.look()
	switch r.command.(type) {
	case sim.Measure:
		return onMeasured(r)
	case sim.Rewind:
		return q.m.timeline.onReply(r)
	}
	switch {
	case r.steering:
		return q.m.drive.onSteered(r)
	case r.err != nil:
		return q.onRefused(r)
	}
	return q.onDone(r)
}

// settle books a command as answered.
func (q *requests) settle(r replyMsg) {
	q.m.screen.dirty = true
	if r.counted {
		q.pending--
	}
	if r.progress == q.progress {
		q.progress = nil
	}
	if s, ok := r.command.(sim.StepWorld); ok && s.N > 1 {
		q.stepping = false
	}
}

// onMeasured gives a footprint to the dialog that asked for it.
func onMeasured(r replyMsg) tea.Cmd {
	measured, _ := r.reply.(sim.Measured)
	r.measures.Measured(r.command.(sim.Measure), measured.Footprint, r.err)
	return nil
}

// onRefused shows why a command was refused, where it was asked for.
func (q *requests) onRefused(r replyMsg) tea.Cmd {
	if r.begins && errors.Is(r.err, sim.ErrAlreadyInState) { // some simulators play what they load
		return nil
	}
	if partial := (*sim.PartialError)(nil); errors.As(r.err, &partial) && partial.Done > 0 {
		q.m.undo.keep(r.undo.first(partial.Done))
	}
	switch r.command.(type) {
	case sim.ListWorlds:
		if worlds, ok := q.m.dialogs.top().(*dialog.Worlds); ok {
			worlds.Fail(r.err)
			return nil
		}
	case sim.ListSpawnables:
		if spawn, ok := q.m.dialogs.top().(*dialog.Spawn); ok {
			spawn.Fail(r.err)
			return nil
		}
	}
	if s, ok := r.reply.(sim.Stepped); ok && errors.Is(r.err, sim.ErrCancelled) {
		return q.m.say(theme.Good, "%d steps done, the rest cancelled", s.Completed)
	}
	if spawns(r.command) && !r.undoing && q.retry != nil && len(q.m.dialogs.open) == 0 {
		q.m.dialogs.push(q.retry)
	}
	return q.m.say(theme.Bad, "%s", r.err)
}

// onDone shows what came of a command.
func (q *requests) onDone(r replyMsg) tea.Cmd {
	if _, loads := r.reply.(sim.WorldLoaded); !loads {
		q.m.undo.keep(r.undo)
	}
	switch reply := r.reply.(type) {
	case sim.Worlds:
		if worlds, ok := q.m.dialogs.top().(*dialog.Worlds); ok {
			worlds.Fill(reply)
		}
		return nil
	case sim.WorldLoaded:
		return q.onLoaded(r, reply)
	case sim.Spawnables:
		if spawn, ok := q.m.dialogs.top().(*dialog.Spawn); ok {
			spawn.Fill(reply)
		}
		return nil
	case sim.BatchSpawned:
		return q.onBatch(r, reply)
	case sim.Spawned:
		return q.onSpawned(r, reply)
	}
	return q.onSaid(r)
}

// onSaid says that a command is done, if there is something to say.
func (q *requests) onSaid(r replyMsg) tea.Cmd {
	if r.done == "" {
		return nil
	}
	return q.m.say(theme.Good, "%s", r.done)
}

// onSpawned selects a spawned entity.
func (q *requests) onSpawned(r replyMsg, s sim.Spawned) tea.Cmd {
	q.m.entities.Select(s.Name)
	if r.undoing {
		return q.onSaid(r)
	}
	q.retry = nil
	return q.m.say(theme.Good, "%s spawned", s.Name)
}

func spawns(c sim.Command) bool {
	switch c.(type) {
	case sim.Spawn, sim.SpawnBatch:
		return true
	}
	return false
}

// onBatch shows the result of spawning several, and marks those that are in
// the world, so that what is done next is done to them.
func (q *requests) onBatch(r replyMsg, b sim.BatchSpawned) tea.Cmd {
	q.retry = nil
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
		q.m.entities.SetMarks(names...)
		q.m.entities.Select(names[0])
	}
	switch {
	case first != nil:
		return q.m.say(theme.Bad, "%d of %d spawned: %s", len(names), len(b.Results), first)
	case r.undoing:
		return q.m.say(theme.Good, "%s", r.done)
	}
	return q.m.say(theme.Good, "%d entities spawned and marked", len(names))
}

func (ds *dialogStack) top() dialog.Dialog {
	if n := len(ds.open); n > 0 {
		return ds.open[n-1]
	}
	return nil
}

// onText gives a key to whatever is being typed in.
func (kb *keyboard) onText(k dialog.Key) tea.Cmd {
	kb.m.screen.dirty = true
	if d := kb.m.dialogs.top(); d != nil {
		return kb.m.decide(d.Key(k))
	}
	if kb.typing != nil {
		kb.onFilterKey(k)
	}
	return nil
}

// onBackground takes what the terminal says of its background.
func (m *Model) onBackground(light bool) {
	if m.cfg.Back != "" && m.cfg.Back != "auto" || light == m.screen.theme.Light {
		return
	}
	if t, err := theme.NewOn(m.screen.theme.Name, light); err == nil {
		m.screen.theme, m.screen.dirty = t, true
	}
}

// decide carries out what a dialog decided.
func (m *Model) decide(o dialog.Outcome) tea.Cmd {
	m.screen.dirty = true
	if o.Close {
		m.requests.retry = nil
		if s, ok := m.dialogs.top().(*dialog.Spawn); ok && o.Do != nil {
			m.requests.retry = s
		}
		m.dialogs.pop()
	}
	switch {
	case o.Quit:
		return m.part()
	case o.Layout != "":
		return m.showLayout(o.Layout)
	case o.KeepLayout != "":
		return m.keepLayout(o.KeepLayout)
	case o.Action != "":
		return m.run(o.Action)
	case o.Record != nil:
		return m.around.begin(*o.Record)
	case o.Do != nil:
		return m.requests.send(o.Do, o.Done)
	}
	return nil
}

// onFilterKey edits the filter of a pane; its rows follow every letter.
func (kb *keyboard) onFilterKey(k dialog.Key) {
	list := kb.m.list(kb.typed)
	switch k.Action {
	case dialog.Cancel:
		list.SetFilter("")
		kb.typing = nil
	case dialog.Accept:
		kb.typing = nil
	case dialog.Up:
		list.Move(-1)
	case dialog.Down:
		list.Move(1)
	default:
		if kb.typing.Key(k) {
			list.SetFilter(kb.typing.Text())
			list.Feed(kb.m.view.snap)
		}
	}
}
