package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui/dialog"
	"simdeck/ui/keymap"
)

// onKey routes a key: to the dialog on top, to the filter that is being
// typed, else to the action that the keymap names.
func (m *Model) onKey(msg tea.KeyPressMsg) tea.Cmd {
	if waits, cmd := m.queueKey(msg, m.keys.Action(m.context(), msg.String())); waits {
		return cmd
	}
	return m.dispatchKey(msg)
}

// dispatchKey does what a key means.
func (m *Model) dispatchKey(msg tea.KeyPressMsg) tea.Cmd {
	m.keyed = m.cfg.Now()
	name, c := msg.String(), m.context()
	id := m.keys.Action(c, name)
	if c == keymap.InDialog {
		text := msg.Text
		if msg.Mod&^tea.ModShift != 0 {
			text = ""
		}
		return m.onText(dialog.Key{Action: id, List: m.keys.Action(keymap.InList, name), Name: name, Text: text})
	}
	if id == "" {
		return nil
	}
	return m.run(id)
}

// deferKey reports that what is new waits for the next flush: a frame of rows that
// were moved by a key and hold new numbers, too, is written cell by cell, where
// one after the other the terminal scrolls the rows and some digits follow.
func (m *Model) deferKey(now time.Time) bool {
	m.held = len(m.late) > 0 || now.Sub(m.keyed) < flushPeriod && now.Sub(m.drawn) < mostHeld
	return m.held
}

// deferredKeysMsg asks to do the keys that wait.
type deferredKeysMsg struct{}

// queueKey keeps a key that moves rows until the numbers that came just before are
// written, for the same reason; true when it does. Keys stay in their order.
func (m *Model) queueKey(msg tea.KeyPressMsg, id string) (bool, tea.Cmd) {
	age := m.cfg.Now().Sub(m.drawn)
	if len(m.late) > 0 {
		m.late = append(m.late, msg)
		return true, nil
	}
	if m.sub == nil || age >= flushPeriod || id != "list.up" && id != "list.down" && id != "list.page_up" && id != "list.page_down" {
		return false, nil
	}
	m.late = append(m.late, msg)
	return true, tea.Tick(flushPeriod-age, func(time.Time) tea.Msg { return deferredKeysMsg{} })
}

// onLate does the keys that waited.
func (m *Model) onLate() tea.Cmd {
	late := m.late
	m.late = nil
	var all []tea.Cmd
	for _, msg := range late {
		all = append(all, m.dispatchKey(msg))
	}
	return tea.Sequence(all...)
}
