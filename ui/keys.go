package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui/dialog"
	"simdeck/ui/keymap"
)

// keyboard takes keys, and keeps them back while a frame is not written yet.
type keyboard struct {
	m        *Model
	held     bool              // the snapshot waits until the effect of a key is written
	deferred []tea.KeyPressMsg // keys that wait for what is new to be written first
	keyed    time.Time         // when a key or the wheel last moved something
	typing   *dialog.Line      // the filter that is being typed
	typed    paneID            // the pane that it filters
}

// onKey routes a key: to the dialog on top, to the filter that is being
// typed, else to the action that the keymap names.
func (kb *keyboard) onKey(msg tea.KeyPressMsg) tea.Cmd {
	if waits, cmd := kb.queueKey(msg, kb.m.keys.Action(kb.m.context(), msg.String())); waits {
		return cmd
	}
	return kb.dispatchKey(msg)
}

// dispatchKey does what a key means.
func (kb *keyboard) dispatchKey(msg tea.KeyPressMsg) tea.Cmd {
	kb.keyed = kb.m.cfg.Now()
	name, c := msg.String(), kb.m.context()
	id := kb.m.keys.Action(c, name)
	if kb.m.keys.Action(keymap.Everywhere, name) == "app.suspend" && id == "" {
		return kb.m.run("app.suspend") // from dialogs, too
	}
	if c == keymap.InDialog {
		text := msg.Text
		if msg.Mod&^tea.ModShift != 0 {
			text = ""
		}
		return kb.onText(dialog.Key{Action: id, List: kb.m.keys.Action(keymap.InList, name), Name: name,
			Text: text})
	}
	if id == "" && c == keymap.Controlling {
		return kb.m.typed.press(msg.Key())
	}
	if c == keymap.Driving && (id == "" || kb.m.disabledReason(id) != "") {
		if other := kb.m.keys.Action(kb.m.window.context(), name); id == "" || other != "" {
			return kb.m.drive.other(other) // a key for what this robot can't is free
		}
	}
	if id == "" {
		return nil
	}
	return kb.m.run(id)
}

// deferKey reports that new content waits for the next flush. A frame of rows that a key has moved is written
// by scrolling the terminal. With new numbers in it, it would be written cell by cell.
func (kb *keyboard) deferKey(now time.Time) bool {
	kb.held = len(kb.deferred) > 0 || now.Sub(kb.keyed) < flushPeriod && now.Sub(kb.m.view.drawn) < mostHeld
	return kb.held
}

// deferredKeysMsg asks to do the keys that wait.
type deferredKeysMsg struct{}

// queueKey keeps a key that moves rows until the numbers that came just before are
// written, for the same reason; true when it does. Keys stay in their order.
func (kb *keyboard) queueKey(msg tea.KeyPressMsg, id string) (bool, tea.Cmd) {
	age := kb.m.cfg.Now().Sub(kb.m.view.drawn)
	if len(kb.deferred) > 0 {
		kb.deferred = append(kb.deferred, msg)
		return true, nil
	}
	if kb.m.feed.sub == nil || age >= flushPeriod || id != "list.up" && id != "list.down" &&
		id != "list.page_up" && id != "list.page_down" {
		return false, nil
	}
	kb.deferred = append(kb.deferred, msg)
	return true, tea.Tick(flushPeriod-age, func(time.Time) tea.Msg { return deferredKeysMsg{} })
}

// onDeferred does the keys that waited.
func (kb *keyboard) onDeferred() tea.Cmd {
	late := kb.deferred
	kb.deferred = nil
	var all []tea.Cmd
	for _, msg := range late {
		all = append(all, kb.dispatchKey(msg))
	}
	return tea.Sequence(all...)
}

// keysByName are the keys that have names in a keymap.
var keysByName = map[string]rune{
	"space": tea.KeySpace, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert, "up": tea.KeyUp,
	"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3,
}

// KeyPress is the message of a key as keymap.yaml names it, with no such key false.
func KeyPress(name string) (press tea.KeyPressMsg, ok bool) {
	var k tea.Key
	rest := name
	for _, m := range []struct {
		prefix string
		mod    tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if after, ok := strings.CutPrefix(rest, m.prefix); ok && after != "" {
			rest, k.Mod = after, k.Mod|m.mod
		}
	}
	if code, named := keysByName[rest]; named {
		k.Code = code
		if rest == "space" && k.Mod == 0 {
			k.Text = " "
		}
		return tea.KeyPressMsg(k), true
	}
	letters := []rune(rest)
	if len(letters) != 1 {
		return tea.KeyPressMsg{}, false
	}
	k.Code = letters[0]
	if k.Mod == 0 {
		k.Text = rest
	}
	return tea.KeyPressMsg(k), true
}
