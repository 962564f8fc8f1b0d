package ui

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/escape"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// plain is the console as lines: for screen readers, braille displays, pipes and simple terminals. Changes
// are printed as lines. A typed line is an action of the same table, the answer to a dialog, or one of the
// words in this file.
type plain struct {
	m    *Model
	out  *bufio.Writer
	msgs chan tea.Msg
	last announced
	page *canvas.CellBuffer // buffer of the text that is read out
}

// The size of what is read out, and how often is looked for something new.
const (
	plainWidth  = 100
	plainHeight = 40
	plainLook   = 100 * time.Millisecond
)

// runPlain is Run for Config.Plain.
func runPlain(ctx context.Context, c Config) (err error) {
	var in io.Reader = os.Stdin
	if c.Input != nil {
		in = c.Input
	}
	c.Theme, c.Symbols = "mono", "ascii"
	m, err := New(c)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m.ctx = ctx
	if m.feed.sub = m.cfg.Backend.Subscribe(sim.Latest(plainLook)); m.feed.sub != nil {
		defer func() { m.feed.sub.Close() }() // that of the world which is shown then
		m.feed.sub.WantSensors(false)
	}
	m.window.resize(plainWidth, plainHeight)
	defer func() {
		if m.crash != nil {
			err = m.crash
		}
	}()
	defer m.caught(nil)
	p := &plain{m: m, out: bufio.NewWriter(escape.NewWriter(c.output())), msgs: make(chan tea.Msg, 16),
		page: canvas.NewCellBuffer(plainWidth, plainHeight)}
	err = p.run(ctx, p.listen(ctx, in))
	return errors.Join(err, m.drive.park())
}

// listen reads lines until the input ends. A reader cannot be called back: it
// is left alone at the end, with the line that it may wait for.
func (p *plain) listen(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// run prints what changes until the operator leaves, ctx is done or the
// engine ends.
func (p *plain) run(ctx context.Context, lines <-chan string) error {
	p.greet()
	look := time.NewTicker(plainLook)
	defer look.Stop()
	for {
		if err := p.tell(); err != nil {
			return fmt.Errorf("console: %w", err)
		}
		var cmd tea.Cmd
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-lines:
			if !more {
				return nil
			}
			cmd = p.execute(line)
		case msg := <-p.msgs:
			switch msg := msg.(type) {
			case tea.QuitMsg:
				return nil
			case tea.BatchMsg:
				for _, one := range msg {
					p.start(ctx, one)
				}
			default:
				cmd = p.m.take(msg)
			}
		case <-look.C:
			p.m.view.look()
			if p.m.cfg.Backend.Snapshot().State == sim.Quitting && !p.m.cfg.Capabilities.Reconnects {
				p.say("the simulator has quit")
				return p.out.Flush()
			}
			cmd = tea.Batch(p.m.drive.steer(), p.m.measureModel())
		}
		p.start(ctx, cmd)
	}
}

// start does a command beside the loop; its answer comes back as a message.
func (p *plain) start(ctx context.Context, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		select {
		case p.msgs <- msg:
		case <-ctx.Done():
		}
	}()
}

// say prints a line; what a terminal would take as a command is escaped.
func (p *plain) say(format string, args ...any) {
	_, _ = escape.Fprintf(p.out, format+"\n", args...) // the writer keeps its error for Flush
}

// announced is the state that was printed last, so that only changes are printed.
type announced struct {
	any    bool
	state  sim.State
	world  string
	asked  float64
	model  *sim.Model
	names  []string
	event  uint64
	flash  flash
	link   sim.Connection
	dialog dialog.Dialog
	lines  []string // of the dialog
	watch  []watched
}

// watched is an entity whose motion is told.
type watched struct {
	name string
	pose r3.Pose
	at   time.Time
}

// Told of motion are changes of at least these, and not more often than this.
const (
	toldDistance = 0.01              // m
	toldAngle    = 1 * math.Pi / 180 // rad
	toldPeriod   = 1 * time.Second   // of an entity
	toldNames    = 5                 // that come or go at once
)

// tell prints what has changed.
func (p *plain) tell() error {
	m, s, l := p.m, p.m.view.snap, &p.last
	if l.world != s.Model.World.Name {
		l.world = s.Model.World.Name
		p.say("world: %s, %d entities", cmp.Or(l.world, "none"), len(s.Model.Entities))
		l.names, l.model = names(s.Model), s.Model
	}
	if !l.any || l.state != s.State {
		_, word, _ := pane.Glyph(s.State)
		p.say("%s at %s", strings.ToLower(word), pane.Clock(s.Time))
	}
	if l.any && l.asked != s.Pacing.Asked {
		p.say("target speed: %s", pane.Factor(s.Pacing.Asked, true))
	}
	if l.link.Fault != m.around.link.Fault {
		p.say("ros: %s", cmp.Or(m.around.link.Fault, "connected again"))
	}
	if note := m.around.link.Note; note != "" && l.link.Note != note {
		p.say("warning, ros: %s, %s", m.around.link.Name, note)
	}
	l.any, l.state, l.asked, l.link = true, s.State, s.Pacing.Asked, m.around.link
	p.tellNames()
	for i := range s.Events {
		if e := &s.Events[i]; e.Seq > l.event {
			l.event = e.Seq
			p.say("%s%s: %s", [...]string{"", "warning, ", "error, "}[min(e.Level, sim.Error)], e.Who, e.Text)
		}
	}
	if m.screen.flash != l.flash {
		if l.flash = m.screen.flash; m.screen.flash.text != "" {
			p.say("%s%s", map[theme.Role]string{theme.Warn: "not done, ",
				theme.Bad: "error, "}[m.screen.flash.role], m.screen.flash.text)
		}
	}
	p.tellWatched()
	p.tellDialog()
	return p.out.Flush()
}

func names(m *sim.Model) []string {
	out := make([]string, len(m.Entities))
	for i := range m.Entities {
		out[i] = m.Entities[i].Name
	}
	return out
}

// tellNames tells which entities came and went.
func (p *plain) tellNames() {
	if p.last.model == p.m.view.snap.Model {
		return
	}
	p.last.model = p.m.view.snap.Model
	before, now := p.last.names, names(p.m.view.snap.Model)
	p.last.names = now
	missing := func(from, in []string) (out []string) {
		for _, n := range from {
			if _, there := slices.BinarySearch(in, n); !there {
				out = append(out, n)
			}
		}
		return out
	}
	for _, change := range []struct {
		word  string
		names []string
	}{{"gone", missing(before, now)}, {"new", missing(now, before)}} {
		switch n := len(change.names); {
		case n > toldNames:
			p.say("%s: %d entities, %s to %s", change.word, n, change.names[0], change.names[n-1])
		case n > 0:
			p.say("%s: %s", change.word, strings.Join(change.names, ", "))
		}
	}
}

// tellWatched tells where watched entities are, when they have moved.
func (p *plain) tellWatched() {
	now := p.m.cfg.Now()
	for i := range p.last.watch {
		w := &p.last.watch[i]
		k, there := pane.Find(p.m.view.snap.Model, w.name)
		if !there || k >= len(p.m.view.snap.Entities) || now.Sub(w.at) < toldPeriod {
			continue
		}
		s := &p.m.view.snap.Entities[k]
		if s.Pose.Pos.Sub(w.pose.Pos).Len() < toldDistance &&
			math.Abs(math.Remainder(s.Pose.Rot.Yaw()-w.pose.Rot.Yaw(), 2*math.Pi)) < toldAngle {
			continue
		}
		w.pose, w.at = s.Pose, now
		p.say("%s: %s", w.name, whereabouts(s))
	}
}

// whereabouts is the pose and motion of an entity, in words.
func whereabouts(s *sim.EntityState) string {
	at := s.Pose.Pos
	text := fmt.Sprintf("x %s, y %s, z %s m, yaw %s°", pane.Number(at.X, 2), pane.Number(at.Y, 2),
		pane.Number(at.Z, 2), pane.Number(pane.Degrees(s.Pose.Rot.Yaw()), 0))
	if v := s.Twist.Linear.Len(); v > 0.005 {
		text += fmt.Sprintf(", %s m/s", pane.Number(v, 2))
	}
	return text
}

// tellDialog reads the dialog on top out: all of it when it opens, then the
// lines that changed.
func (p *plain) tellDialog() {
	d := p.m.dialogs.top()
	if d == nil {
		p.last.dialog, p.last.lines = nil, nil
		return
	}
	if d != p.last.dialog {
		p.last.dialog, p.last.lines = d, nil
		p.say("%s: an empty line accepts; cancel, next, prev, up, down, left, right and toggle navigate; other text is typed",
			d.Title())
	}
	w, h := d.Size()
	lines := p.drawn(min(w, plainWidth), min(h, plainHeight), d.Draw)
	for _, l := range lines {
		if !slices.Contains(p.last.lines, l) {
			p.say("  %s", l)
		}
	}
	p.last.lines = lines
}

// drawn is a drawing as lines, without the empty ones.
func (p *plain) drawn(w, h int, draw func(canvas.Area)) []string {
	p.page.Resize(w, h)
	p.page.ASCII = true
	draw(p.page.All())
	var lines []string
	for _, l := range strings.Split(p.page.Plain(), "\n") {
		if l = strings.Join(strings.Fields(l), " "); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// plainWord is a command of the plain console beside the actions.
type plainWord struct {
	word, rest, tip string
	do              func(p *plain, rest string)
}

// plainWords are all of them, in the order of help.
func plainWords() []plainWord {
	return []plainWord{
		{"help", "", "list the commands, and why the rest is disabled", (*plain).help},
		{"status", "", "print the status of the simulation, as an empty line does",
			func(p *plain, _ string) { p.status() }},
		{"list", "FILTER", "list all entities, or those that match", (*plain).list},
		{"select", "NAME", "select the entity for actions, and clear all marks",
			(*plain).choose},
		{"watch", "NAME", "report an entity whenever it moves; without a name the selected one",
			(*plain).watch},
		{"unwatch", "", "stop reporting motion",
			func(p *plain, _ string) { p.last.watch = nil }},
		{"read", "PANE", "print a pane: detail, poses, state, log, notes, charts, graph, map",
			(*plain).read},
	}
}

func (p *plain) greet() {
	p.say("simdeck, line by line. help: list commands. quit: end")
	p.last.event = p.m.lastEvent()
}

// lastEvent is the newest line of the log.
func (m *Model) lastEvent() uint64 {
	if n := len(m.view.snap.Events); n > 0 {
		return m.view.snap.Events[n-1].Seq
	}
	return 0
}

// execute does what a line says.
func (p *plain) execute(line string) tea.Cmd {
	line = strings.TrimSpace(canvas.Clean(line))
	switch {
	case p.m.dialogs.top() != nil:
		return p.answer(line)
	case p.m.keyboard.typing != nil:
		p.m.keyboard.typing.Set(line)
		list := p.m.list(p.m.keyboard.typed)
		list.SetFilter(line)
		list.Feed(p.m.view.snap)
		p.m.keyboard.typing = nil
		return nil
	case line == "":
		p.status()
		return nil
	}
	word, rest, _ := strings.Cut(line, " ")
	for _, w := range plainWords() {
		if w.word == word {
			w.do(p, strings.TrimSpace(rest))
			return nil
		}
	}
	id, why := p.m.named(line)
	if id == "" {
		p.say("%s", why)
		return nil
	}
	return p.m.run(id)
}

// answer gives a line to the dialog on top.
func (p *plain) answer(line string) tea.Cmd {
	var k dialog.Key
	switch line {
	case "":
		k.Action = dialog.Accept
	case "cancel", "next", "prev", "up", "down", "toggle":
		k.Action = "dialog." + line
	case "left", "right":
		k.Name = line
	case "yes", "no":
		k.Text = line[:1]
	default:
		p.m.keyboard.onText(dialog.Key{Name: "ctrl+e"})
		p.m.keyboard.onText(dialog.Key{Name: "ctrl+u"})
		k.Text = strings.TrimPrefix(line, "=") // =next is the word next
	}
	return p.m.keyboard.onText(k)
}

// named finds an action by id, its last part, title, or the beginning of any of them; else it gives the
// reason.
func (m *Model) named(text string) (id, why string) {
	var exact, begin, titles []string
	for _, a := range m.actions {
		if strings.HasPrefix(a.id, "dialog.") {
			continue
		}
		if a.id == text || strings.EqualFold(a.title, text) ||
			slices.Contains(strings.Split(a.title, "/"), text) {
			return a.id, ""
		}
		titles = append(titles, a.title, a.id)
		if _, verb, _ := strings.Cut(a.id, "."); verb == text {
			exact = append(exact, a.id)
		}
		if strings.HasPrefix(a.id, text) ||
			strings.HasPrefix(strings.ToLower(a.title), strings.ToLower(text)) {
			begin = append(begin, a.id)
		}
	}
	switch {
	case len(exact) == 1:
		return exact[0], ""
	case len(exact) > 1:
		return "", fmt.Sprintf("%q is ambiguous: %s", text, strings.Join(exact, ", "))
	case len(begin) == 1:
		return begin[0], ""
	case len(begin) > 1:
		return "", fmt.Sprintf("%q is ambiguous: %s", text, strings.Join(begin, ", "))
	}
	if meant := meaning(text); len(meant) == 1 {
		return meant[0], ""
	} else if len(meant) > 1 {
		return "", fmt.Sprintf("%q is ambiguous: %s", text, strings.Join(meant, ", "))
	}
	if near := scene.Suggest(text, titles); near != "" {
		return "", fmt.Sprintf("%q is unknown; did you mean %q?", text, near)
	}
	return "", fmt.Sprintf("%q is unknown; help lists all commands", text)
}

// help lists words and actions.
func (p *plain) help(string) {
	for _, w := range plainWords() {
		p.say("%s: %s", strings.TrimSpace(w.word+" "+w.rest), w.tip)
	}
	for _, a := range p.m.actions {
		if strings.HasPrefix(a.id, "dialog.") {
			continue
		}
		line := fmt.Sprintf("%s, %s: %s", a.id, a.title, a.tip)
		if why := p.m.disabledReason(a.id); why != "" {
			line += " (not now: " + why + ")"
		}
		p.say("%s", line)
	}
}

// status is the state of the simulation, in a sentence.
func (p *plain) status() {
	s := p.m.view.snap
	_, word, _ := pane.Glyph(s.State)
	p.say("%s, %s at %s, real-time factor %s of %s, %d entities, selected %s, %s",
		cmp.Or(s.Model.World.Name, "no world"), strings.ToLower(word), pane.Clock(s.Time),
		pane.Factor(s.Pacing.Measured, false), pane.Factor(s.Pacing.Asked, true), len(s.Model.Entities),
		cmp.Or(p.m.entities.Selected(), "nothing"), p.m.role())
}

// list lists entities that match a filter, the marked ones with a word.
func (p *plain) list(filter string) {
	p.m.entities.SetFilter(filter)
	p.m.entities.Feed(p.m.view.snap)
	marked := p.m.entities.Marked()
	shown := p.m.entities.Shown()
	for _, i := range shown {
		e := &p.m.view.snap.Model.Entities[i]
		note := ""
		if slices.Contains(marked, e.Name) {
			note = ", marked"
		}
		p.say("%s, %s: %s%s", e.Name, pane.Kind(e.Info.Category), whereabouts(&p.m.view.snap.Entities[i]),
			note)
	}
	p.say("%d of %d entities", len(shown), len(p.m.view.snap.Model.Entities))
}

func (p *plain) known(name string) bool {
	_, there := pane.Find(p.m.view.snap.Model, name)
	if !there {
		p.say("there is no entity %q%s", name, scene.DidYouMean(name, names(p.m.view.snap.Model)))
	}
	return there
}

func (p *plain) choose(name string) {
	if p.known(name) {
		p.m.entities.SetMarks()
		p.m.entities.Select(name)
		p.m.view.look()
		p.say("selected %s", name)
	}
}

func (p *plain) watch(name string) {
	name = cmp.Or(name, p.m.entities.Selected())
	if !p.known(name) || slices.ContainsFunc(p.last.watch, func(w watched) bool { return w.name == name }) {
		return
	}
	i, _ := pane.Find(p.m.view.snap.Model, name)
	p.last.watch = append(p.last.watch, watched{name: name, pose: p.m.view.snap.Entities[i].Pose})
	p.say("watching %s: %s", name, whereabouts(&p.m.view.snap.Entities[i]))
}

// read reads a pane out.
func (p *plain) read(name string) {
	for id := range paneCount {
		if !strings.EqualFold(id.String(), name) {
			continue
		}
		if id == graphPane && p.m.cfg.Capabilities.Graph != nil {
			p.m.graph.Take(p.m.cfg.Capabilities.Graph(), p.m.cfg.Now())
		}
		v := p.m.screen.view()
		for _, l := range p.drawn(plainWidth, 4*plainHeight,
			func(a canvas.Area) { p.m.pane(id).Draw(a, &v) }) {
			p.say("%s", l)
		}
		return
	}
	p.say("there is no pane %q; there are detail, poses, state, log, notes, charts, graph, map", name)
}
