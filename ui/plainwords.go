package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/pane"
)

// plainWord is something that can be typed beside the actions.
type plainWord struct {
	word, rest, tip string
	do              func(p *plain, rest string)
}

// plainWords are all of them, in the order of help.
func plainWords() []plainWord {
	return []plainWord{
		{"help", "", "list what can be typed, and why the rest cannot be done now", (*plain).help},
		{"status", "", "tell how the simulation stands; so does an empty line",
			func(p *plain, _ string) { p.status() }},
		{"list", "FILTER", "list the entities, all or those that match", (*plain).list},
		{"select", "NAME", "choose the entity that actions are done to, and take all marks away",
			(*plain).choose},
		{"watch", "NAME", "tell where an entity is whenever it has moved; the selected one without a name",
			(*plain).watch},
		{"unwatch", "", "tell of no entity's motion any more",
			func(p *plain, _ string) { p.last.watch = nil }},
		{"read", "PANE", "read a pane out: detail, poses, state, log, notes, charts, graph, map",
			(*plain).read},
	}
}

func (p *plain) greet() {
	p.say("simdeck, line by line; help lists what can be typed, quit leaves")
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

// named finds an action by its id or what follows its dot, by its title, or by
// the beginning of either; else it says why there is none.
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
		return "", fmt.Sprintf("%q is one of %s", text, strings.Join(exact, ", "))
	case len(begin) == 1:
		return begin[0], ""
	case len(begin) > 1:
		return "", fmt.Sprintf("%q begins %s", text, strings.Join(begin, ", "))
	}
	if near := scene.Suggest(text, titles); near != "" {
		return "", fmt.Sprintf("%q is not known; did you mean %q?", text, near)
	}
	return "", fmt.Sprintf("%q is not known; help lists what is", text)
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

// status tells how the simulation stands.
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
		why := fmt.Sprintf("there is no entity %q", name)
		if near := scene.Suggest(name, names(p.m.view.snap.Model)); near != "" {
			why += fmt.Sprintf("; did you mean %q?", near)
		}
		p.say("%s", why)
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
