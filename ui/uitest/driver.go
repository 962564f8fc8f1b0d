// Package uitest drives the console in tests. It has a double of a simulator without physics, and a driver
// that presses keys by action names and reads the frame. Time is that of testing/synctest, so a test waits
// for nothing and every frame is the same on every machine. Servers are reached through a slow line, which
// takes real time.
package uitest

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui"
	"simdeck/ui/keymap"
)

// Driver is a console under test. It lives inside a bubble of synctest.
type Driver struct {
	T       *testing.T // of the bubble: fail this one
	Model   *ui.Model
	Backend *Backend // nil: it is another kind of one, see Drive
	keys    *keymap.Map
	w, h    int
	msgs    chan tea.Msg
	busy    int
	quit    bool
}

// Open runs a test on a console of w by h cells over a backend. change, which
// may be nil, changes the configuration.
func Open(t *testing.T, backend *Backend, w, h int, keys *keymap.Map, change func(*ui.Config),
	test func(*Driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := ui.Config{Backend: backend, Keymap: keys}
		if change != nil {
			change(&c)
		}
		m, err := ui.New(c)
		if err != nil {
			t.Fatal(err)
		}
		d := Drive(t, m, keys)
		d.Backend = backend
		defer synctest.Wait()
		defer time.Sleep(time.Minute) // the last tick ends
		d.Resize(w, h)
		d.Frame()
		test(d)
	})
}

// Drive drives a console on any backend, inside a bubble of synctest. Its last tick ends within a minute.
func Drive(t *testing.T, m *ui.Model, keys *keymap.Map) *Driver {
	d := &Driver{T: t, Model: m, keys: keys, msgs: make(chan tea.Msg, 64)}
	d.start(m.Init())
	return d
}

// start runs a command as Bubble Tea does, on its own.
func (d *Driver) start(cmd tea.Cmd) {
	if cmd != nil {
		d.busy++
		go func() { d.msgs <- cmd() }()
	}
}

// Send gives the console a message and everything that follows from it at once.
func (d *Driver) Send(msg tea.Msg) {
	_, cmd := d.Model.Update(msg)
	d.start(cmd)
	d.settle()
}

// Settle handles the answers that are there, however much time has passed elsewhere.
func (d *Driver) Settle() { d.settle() }

// settle handles the answers that are there; a frame that waits for its time
// goes on waiting.
func (d *Driver) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.busy--
			d.take(msg)
		default:
			return
		}
	}
}

func (d *Driver) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.start(cmd)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		_, cmd := d.Model.Update(msg)
		d.start(cmd)
	}
}

// Frame lets the time of a frame pass.
func (d *Driver) Frame() { d.Wait(34 * time.Millisecond) }

// Wait lets time pass.
func (d *Driver) Wait(t time.Duration) {
	for end := time.Now().Add(t); time.Now().Before(end); {
		time.Sleep(min(34*time.Millisecond, time.Until(end)))
		d.settle()
		d.Model.View()
	}
}

// Resize changes the window.
func (d *Driver) Resize(w, h int) {
	d.w, d.h = w, h
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// Press presses the first key of each action and lets a frame pass.
func (d *Driver) Press(actions ...string) {
	d.T.Helper()
	for _, a := range actions {
		keys := d.keys.Keys(a)
		if len(keys) == 0 {
			d.T.Fatalf("action %s has no key", a)
		}
		d.Send(KeyPress(keys[0]))
		d.Frame()
	}
}

// Run does an action by its name, whatever its keys, and lets a frame pass.
func (d *Driver) Run(action string) {
	d.start(d.Model.Run(action))
	d.settle()
	d.Frame()
}

// Type types a text letter by letter.
func (d *Driver) Type(text string) {
	for _, r := range text {
		if r == ' ' {
			d.Send(KeyPress("space"))
			continue
		}
		d.Send(KeyPress(string(r)))
	}
	d.Frame()
}

// Click presses the left button at a place.
func (d *Driver) Click(x, y int) {
	d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	d.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	d.Frame()
}

// Text is the frame without colours.
func (d *Driver) Text() string { return d.Model.Text() }

// Find is the position of a text on the screen; x is -1 when there is none.
func (d *Driver) Find(text string) (x, y int) {
	for y, line := range strings.Split(d.Text(), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			return len([]rune(line[:i])), y
		}
	}
	return -1, -1
}

// Shows fails the test unless the frame holds every text.
func (d *Driver) Shows(texts ...string) {
	d.T.Helper()
	for _, text := range texts {
		if !strings.Contains(d.Text(), text) {
			d.T.Fatalf("the frame does not show %q:\n%s", text, d.Text())
		}
	}
}

// Hides fails the test when the frame holds one of the texts.
func (d *Driver) Hides(texts ...string) {
	d.T.Helper()
	for _, text := range texts {
		if strings.Contains(d.Text(), text) {
			d.T.Fatalf("the frame shows %q:\n%s", text, d.Text())
		}
	}
}

// Quit reports that the console asked to end.
func (d *Driver) Quit() bool { return d.quit }

// KeyPress is the message of a key as keymap.yaml names it.
func KeyPress(name string) tea.KeyPressMsg {
	k, ok := ui.KeyPress(name)
	if !ok {
		panic("uitest: there is no key " + name)
	}
	return k
}
