package webots

import (
	"time"
	"unicode/utf8"

	"simdeck/sim"
	"simdeck/webots/wire"
)

// keyboard tells a controller which keys operators hold, as they are on the wall clock.
type keyboard struct {
	sampling
	robot string
	board *sim.Keyboard // nil: it is not enabled, or there is none
	stop  func()        // ends the listening
}

// enable listens for a robot's keys with a period in ms; 0 ends that.
func (k *keyboard) enable(r *robot, ms uint16) {
	k.set(ms, r.snapshot.Time)
	k.close()
	if ms == 0 {
		return
	}
	if k.robot, k.board = r.entity, r.server.c.Backend.Capabilities().Keyboard; k.board == nil {
		r.warn("no keys reach controllers of a simulator elsewhere: wb_keyboard_get_key gives -1")
		return
	}
	k.stop = k.board.Listen(k.robot)
}

// close ends the listening.
func (k *keyboard) close() {
	if k.board != nil {
		k.stop()
		k.board = nil
	}
}

// tell tells the keys that are held where that is due. The library forgets those of the step before.
func (k *keyboard) tell(a *wire.Answer, now time.Duration) {
	if !k.due(now) {
		return
	}
	var codes []int32
	if k.board != nil {
		for _, key := range k.board.Pressed(k.robot, time.Now()) {
			if code, ok := keyCode(key); ok && len(codes) < wire.MaxKeys {
				codes = append(codes, code)
			}
		}
	}
	a.To(0, wire.RobotKeyboard).Uint8(uint8(len(codes)))
	for _, code := range codes {
		a.Int32(code)
	}
}

// keyCodes are the codes of keys without a sign. The last are the low bits of Qt's, as Webots gives them.
var keyCodes = map[string]int32{
	"end": wire.KeyEnd, "home": wire.KeyHome, "left": wire.KeyLeft, "up": wire.KeyUp,
	"right": wire.KeyRight, "down": wire.KeyDown, "pgup": wire.KeyPageUp, "pgdown": wire.KeyPageDown,
	"space": ' ', "tab": 1, "backspace": 3, "enter": 4, "insert": 6, "delete": 7,
}

// keyCode is the code of a key with its modifiers; false: Webots has none.
func keyCode(k sim.Key) (code int32, ok bool) {
	if code, ok = keyCodes[k.Name]; !ok {
		sign, size := utf8.DecodeRuneInString(k.Name)
		if size == 0 || size != len(k.Name) || sign == utf8.RuneError || sign <= ' ' || sign > 0xffff {
			return 0, false
		}
		code = sign
	}
	for _, m := range [...]struct {
		held bool
		bit  int32
	}{{k.Shift, wire.KeyShift}, {k.Control, wire.KeyControl}, {k.Alt, wire.KeyAlt}} {
		if m.held {
			code |= m.bit
		}
	}
	return code, true
}
