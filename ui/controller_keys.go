package ui

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/keymap"
	"simdeck/ui/theme"
)

// repeat is the time for which a key counts as held after one of its repeats, where a terminal reports no
// keys that come up. After its first press that is hold, until the first repeat.
const repeat = 250 * time.Millisecond

// controllerKeys gives what is typed to controllers of robots instead of to the console.
type controllerKeys struct {
	m        *Model
	typist   atomic.Pointer[sim.Typist] // nil: the console has the keys
	who      string                     // for whom, to show
	releases bool                       // the terminal reports keys that come up
	down     map[rune]string            // keys that are down by their codes, where it does
	shown    []sim.Key
}

// on reports that controllers have the keys.
func (ck *controllerKeys) on() bool { return ck.typist.Load() != nil }

// noController says why no controller can have the keys; empty: one can.
func noController(m *Model) string {
	board := m.cfg.Capabilities.Keyboard
	switch {
	case m.cfg.Plain:
		return "this console reads lines, not keys"
	case board == nil:
		return "only controllers of a simulator in this process can have keys"
	case len(board.Listeners()) == 0:
		return "no controller has enabled its keyboard"
	}
	return ""
}

// start gives the keys to the controllers of the selected or marked robots. Where none of those listens, all
// that listen get them, as Webots gives keys to all robots when none is selected.
func (ck *controllerKeys) start() tea.Cmd {
	board := ck.m.cfg.Capabilities.Keyboard
	listeners, robots := board.Listeners(), []string(nil)
	for _, i := range ck.m.selection().targets() {
		if name := ck.m.view.snap.Model.Entities[i].Name; slices.Contains(listeners, name) {
			robots = append(robots, name)
		}
	}
	ck.who = "all controllers"
	if robots != nil {
		ck.who = strings.Join(robots, ", ")
	}
	ck.down, ck.shown, ck.releases = map[rune]string{}, nil, false
	ck.typist.Store(board.Type(robots))
	ck.m.screen.dirty = true
	if ck.m.view.snap.State != sim.Playing {
		return ck.m.say(theme.Warn, "Keys go to %s; it reads them when the simulation plays", ck.who)
	}
	return nil
}

// press holds a key: until it comes up, or for a while where the terminal does not report that.
func (ck *controllerKeys) press(k tea.Key) tea.Cmd {
	if ck.m.cfg.readOnly() {
		ck.leave()
		return ck.m.say(theme.Warn, "keys: %s", ck.m.cfg.readOnlyReason())
	}
	typist := ck.typist.Load()
	key, ok := controllerKey(k)
	if !ok || typist == nil {
		return nil
	}
	now, until := ck.m.cfg.Now(), time.Time{}
	if ck.releases {
		ck.down[k.Code] = key.Name
	} else if until = now.Add(hold); slices.Contains(typist.Held(now), key) {
		until = now.Add(repeat)
	}
	typist.Press(key, until)
	ck.look()
	return nil
}

// release lets a key go that has come up. It has the name with which it went down, whatever shift is now.
func (ck *controllerKeys) release(k tea.Key) {
	typist := ck.typist.Load()
	if typist == nil {
		return
	}
	name, known := ck.down[k.Code]
	if key, ok := controllerKey(k); !known && ok {
		name = key.Name
	}
	if delete(ck.down, k.Code); name != "" {
		typist.Release(name)
	}
	ck.look()
}

// drop lets all keys go: the terminal no longer hears them come up.
func (ck *controllerKeys) drop() {
	if typist := ck.typist.Load(); typist != nil {
		typist.Release("")
		clear(ck.down)
		ck.look()
	}
}

// look shows the keys that are held now.
func (ck *controllerKeys) look() {
	if typist := ck.typist.Load(); typist != nil {
		if held := typist.Held(ck.m.cfg.Now()); !slices.Equal(held, ck.shown) {
			ck.shown, ck.m.screen.dirty = held, true
		}
	}
}

// leave gives the keys back to the console. It is safe from any goroutine: whoever ends a console calls it.
func (ck *controllerKeys) leave() {
	if typist := ck.typist.Swap(nil); typist != nil {
		typist.Leave()
	}
}

// text is the line of the footer: who has the keys, and which are held, the newest last.
func (ck *controllerKeys) text() string {
	text := "KEYS to " + canvas.Clean(ck.who) + "  "
	for _, k := range slices.Backward(ck.shown) {
		name := k.Name
		for _, m := range [...]struct {
			held bool
			word string
		}{{k.Shift, "shift+"}, {k.Alt, "alt+"}, {k.Control, "ctrl+"}} {
			if m.held {
				name = m.word + name
			}
		}
		text += keymap.Display(name) + " "
	}
	return text
}

// enhance asks the terminal for keys that come up, and for the loss of focus, after which it tells of none.
func (ck *controllerKeys) enhance(v *tea.View) {
	if on := ck.on(); on {
		v.ReportFocus = on
		v.KeyboardEnhancements = tea.KeyboardEnhancements{ReportEventTypes: on, ReportAlternateKeys: on,
			ReportAllKeysAsEscapeCodes: on}
	}
}

// keypad are keys of the number block, by the names of those that do the same.
var keypad = map[rune]string{
	tea.KeyKpUp: "up", tea.KeyKpDown: "down", tea.KeyKpLeft: "left", tea.KeyKpRight: "right",
	tea.KeyKpHome: "home", tea.KeyKpEnd: "end", tea.KeyKpPgUp: "pgup", tea.KeyKpPgDown: "pgdown",
	tea.KeyKpInsert: "insert", tea.KeyKpDelete: "delete", tea.KeyKpEnter: "enter", tea.KeyKpEqual: "=",
	tea.KeyKpMultiply: "*", tea.KeyKpPlus: "+", tea.KeyKpComma: ",", tea.KeyKpMinus: "-",
	tea.KeyKpDecimal: ".", tea.KeyKpDivide: "/",
}

// controllerKey is a key as controllers get it; false: they do not. Keys of functions and modifiers alone are
// none of theirs.
func controllerKey(k tea.Key) (key sim.Key, ok bool) {
	key = sim.Key{Shift: k.Mod.Contains(tea.ModShift), Control: k.Mod.Contains(tea.ModCtrl),
		Alt: k.Mod.Contains(tea.ModAlt)}
	if key.Name = keypad[k.Code]; key.Name == "" {
		key.Name = namesByKey[k.Code]
	}
	if k.Code >= tea.KeyKp0 && k.Code <= tea.KeyKp9 {
		key.Name = string('0' + k.Code - tea.KeyKp0)
	}
	if key.Name != "" {
		return key, key.Name != "esc" && key.Name != "f1"
	}
	sign, size := utf8.DecodeRuneInString(k.Text)
	switch {
	case k.Text != "" && size == len(k.Text):
	case key.Shift && k.ShiftedCode != 0:
		sign = k.ShiftedCode
	default:
		sign = k.Code
	}
	if sign <= ' ' || sign > unicode.MaxRune || !unicode.IsPrint(sign) {
		return sim.Key{}, false
	}
	// a letter that is typed in upper case has shift held, which not every terminal says
	key.Shift = key.Shift || unicode.IsUpper(sign) && !k.Mod.Contains(tea.ModCapsLock)
	key.Name = string(unicode.ToUpper(sign))
	return key, true
}

// namesByKey are the names of keysByName.
var namesByKey = func() map[rune]string {
	names := map[rune]string{}
	for name, code := range keysByName {
		names[code] = name
	}
	return names
}()
