package ui

import (
	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/theme"
)

// action is a row of the table of everything that the console can do. Its
// keys are in keymap.yaml.
type action struct {
	id    string
	title string // a word or two, for the footer
	tip   string // a sentence, for help; the comment in keymap.yaml is the same
	write bool   // changes the world: operators only
	// silent actions say nothing where they are disabled: esc is pressed to be sure
	silent bool
	// command that it sends, as an example of its kind; nil: none, or one that depends on more than the kind
	asks     sim.Command
	disabled func(*Model) string
	run      func(*Model) tea.Cmd
}

// actions is the whole table, in the order of help.
func actions() []action {
	var all []action
	for _, group := range [][]action{
		simActions(), entityActions(), paneActions(), viewActions(), listActions(), mapActions(),
		cameraActions(), driveActions(), keysActions(), dialogActions(),
	} {
		all = append(all, group...)
	}
	return all
}

// action is the row of an id; an empty one when there is none.
func (m *Model) action(id string) action {
	if i, ok := m.index[id]; ok {
		return m.actions[i]
	}
	return action{}
}

// disabledReason is the reason why an action is disabled now; empty when it is not. It is the one
// place where the role is checked on this side of the backend.
func (m *Model) disabledReason(id string) string {
	a := m.action(id)
	switch {
	case a.id == "":
		return "no such action"
	case a.write && m.cfg.readOnly():
		return m.cfg.readOnlyReason()
	}
	if a.asks != nil {
		if reason := m.cfg.Capabilities.Supports(a.asks); reason != "" {
			return reason
		}
	}
	if a.disabled != nil {
		return a.disabled(m)
	}
	return ""
}

// run does an action, or says why it cannot be done.
func (m *Model) run(id string) tea.Cmd {
	if why := m.disabledReason(id); why != "" {
		if m.action(id).silent {
			return nil
		}
		return m.say(theme.Warn, "%s: %s", m.action(id).title, why)
	}
	m.screen.dirty = true
	if m.screen.flash.role != theme.Bad {
		m.screen.flash = flash{}
	}
	m.tour.Did(id)
	if run := m.action(id).run; run != nil {
		return run(m)
	}
	return nil
}

// Run does an action by its id, as its key would.
func (m *Model) Run(id string) tea.Cmd { return m.run(id) }

// simple makes a run of what returns nothing.
func simple(f func(*Model)) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { f(m); return nil }
}

// Tip is the sentence that says what an action does; empty when there is no
// such action.
func (m *Model) Tip(id string) string { return m.action(id).tip }
