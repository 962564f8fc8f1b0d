package webots_test

import (
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/keymap"
	"simdeck/webots"
)

// enableKeys is the message of wb_keyboard_enable.
func enableKeys(ms uint16) []byte { return number(uint16(0), uint32(3), uint8(34), ms) }

// TestAControllerIsToldTheKeysThatAreHeldWhenItsKeyboardIsDue compares with the codes of Webots' keyboard.h.
func TestAControllerIsToldTheKeysThatAreHeldWhenItsKeyboardIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		board := s.engine.Capabilities().Keyboard
		operator := board.Type(nil)
		operator.Press(sim.Key{Name: "up"}, time.Time{})
		c := s.connect("my cart")
		if told := c.told(c.step(16)); told["keys"] != nil {
			t.Errorf("a keyboard that is not enabled tells %v", told["keys"])
		}
		if got := board.Listeners(); got != nil {
			t.Errorf("listeners: %q", got)
		}
		if told := c.told(c.step(16, enableKeys(32))); told["keys"] != nil {
			t.Errorf("after 16 of 32 ms it tells %v", told["keys"])
		}
		if got, want := board.Listeners(), []string{"my_cart"}; !slices.Equal(got, want) {
			t.Errorf("listeners: %q, want %q", got, want)
		}
		near(t, "up", c.told(c.step(16))["keys"], 0, 315)
		codes := map[string]float64{"end": 312, "home": 313, "left": 314, "right": 316, "down": 317, "pgup": 366,
			"pgdown": 367, "A": 65, "9": 57, "+": 43, "space": 32, "enter": 4, "Ä": 0xc4}
		for name, code := range codes {
			operator.Release("")
			for mods, bits := range map[sim.Key]float64{{}: 0, {Shift: true}: 65536, {Control: true}: 131072,
				{Alt: true}: 262144} {
				mods.Name = name
				operator.Press(mods, time.Time{})
				near(t, name, c.told(c.step(32))["keys"], 0, code+bits)
				operator.Release(name)
			}
		}
		near(t, "nothing is held", c.told(c.step(32))["keys"], 0)
		for _, name := range []string{"A", "f1", "esc", "B", "AB", "\x1b", ""} {
			operator.Press(sim.Key{Name: name}, time.Time{})
		}
		near(t, "the newest first, and none without a code", c.told(c.step(32))["keys"], 0, 66, 65)
		for sign := 'A'; sign <= 'Z'; sign++ {
			operator.Press(sim.Key{Name: string(sign)}, time.Time{})
		}
		if got := c.told(c.step(32))["keys"]; len(got) != 7 || got[0] != 'Z' {
			t.Errorf("of all letters it is told %v, want the 7 newest, which its library takes", got)
		}
		if told := c.told(c.step(32, enableKeys(0))); told["keys"] != nil || board.Listeners() != nil {
			t.Errorf("when it is disabled: %v to %q", told["keys"], board.Listeners())
		}
	})
}

func TestKeysAreForTheRobotThatTheyAreTypedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		board := s.engine.Capabilities().Keyboard
		operator := board.Type([]string{"post"})
		operator.Press(sim.Key{Name: "A"}, time.Time{})
		cart, post := s.connect("my cart"), s.connect("post")
		cart.send(16, enableKeys(16))
		post.send(16, enableKeys(16))
		near(t, "the cart's keys", cart.told(cart.receive())["keys"], 0)
		near(t, "the post's keys", post.told(post.receive())["keys"], 0, 65)
		post.conn.Close()
		s.until("a controller that has left listens no more", func() bool {
			return slices.Equal(board.Listeners(), []string{"my_cart"})
		})
	})
}

// TestAKeyThatIsPressedInTheConsoleReachesAController has a console, an engine and a server as they are
// together in simdeck.
func TestAKeyThatIsPressedInTheConsoleReachesAController(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		data, err := os.ReadFile("../keymap.yaml")
		if err != nil {
			t.Fatal(err)
		}
		keys, err := keymap.Parse("keymap.yaml", data)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ui.New(ui.Config{Backend: s.engine, Capabilities: s.engine.Capabilities(), Keymap: keys})
		if err != nil {
			t.Fatal(err)
		}
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		press := func(name string) {
			key, _ := ui.KeyPress(name)
			m.Update(key)
		}
		c := s.connect("my cart")
		c.step(16, enableKeys(16))
		press("C")
		m.Update(tea.KeyboardEnhancementsMsg{Flags: 2}) // a terminal that reports releases waits for no clock
		press("shift+up")
		near(t, "up with shift", c.told(c.step(16))["keys"], 0, 315+65536)
		press("esc")
		near(t, "after esc", c.told(c.step(16))["keys"], 0)
		press("up")
		near(t, "a key of the console's", c.told(c.step(16))["keys"], 0)
	})
}
