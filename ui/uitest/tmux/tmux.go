// Package tmux drives a program in a real terminal: it types keys, reads the screen and asks the terminal for
// its modes. The end-to-end test of the console stands on it; it needs tmux.
package tmux

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Patience is the time-out of Wait: generous, only a failure takes that long.
const Patience = 30 * time.Second

// Terminal is a terminal with a program in it. Its methods fail the test when
// tmux does not answer.
type Terminal struct {
	tb     testing.TB
	socket string
	killed bool
}

// Open runs a shell command in a terminal of width × height cells, in the
// folder dir. The terminal ends with the test.
func Open(tb testing.TB, width, height int, dir, command string) *Terminal {
	tb.Helper()
	t := &Terminal{tb: tb, socket: filepath.Join(tb.TempDir(), "tmux")}
	t.run("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "-c",
		dir, command)
	tb.Cleanup(func() {
		if !t.killed {
			t.run("kill-server")
		}
	})
	return t
}

// Kill takes the terminal away from its program, as closing a window does.
func (t *Terminal) Kill() {
	t.tb.Helper()
	t.run("kill-session")
	t.killed = true // the server ends with its last session
}

// Keys presses keys, each in tmux's spelling: n, Space, Enter, BTab, Escape.
func (t *Terminal) Keys(keys ...string) {
	t.tb.Helper()
	t.run(append([]string{"send-keys", "--"}, keys...)...)
}

// Type types a text letter by letter.
func (t *Terminal) Type(text string) {
	t.tb.Helper()
	t.run("send-keys", "-l", "--", text)
}

// Resize gives the window another size.
func (t *Terminal) Resize(width, height int) {
	t.tb.Helper()
	t.run("resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
}

// Screen is the text on the screen now, a line per row, without trailing spaces.
func (t *Terminal) Screen() string {
	t.tb.Helper()
	return t.run("capture-pane", "-p")
}

// Row is a row of the screen from 0; empty when there is none.
func (t *Terminal) Row(n int) string {
	t.tb.Helper()
	rows := strings.Split(t.Screen(), "\n")
	if n >= len(rows) {
		return ""
	}
	return rows[n]
}

// Modes of a terminal that a program changes and must put back.
type Modes struct {
	Alternate bool // the second screen
	Cursor    bool // shown
	Mouse     bool // told to the program
	Keypad    bool // application mode of the keypad or the cursor keys
}

// Restored are the modes of a terminal that nobody has changed.
var Restored = Modes{Cursor: true}

// Modes asks for the modes now.
func (t *Terminal) Modes() Modes {
	t.tb.Helper()
	on := strings.Fields(t.run("display-message", "-p",
		"#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{||:#{keypad_flag},#{keypad_cursor_flag}}"))
	if len(on) != 4 {
		t.tb.Fatalf("tmux told %d modes, want 4: %q", len(on), on)
	}
	return Modes{Alternate: on[0] == "1", Cursor: on[1] == "1", Mouse: on[2] == "1", Keypad: on[3] == "1"}
}

// Wait waits until the screen satisfies ok, and returns it.
func (t *Terminal) Wait(what string, ok func(screen string) bool) string {
	t.tb.Helper()
	for end := time.Now().Add(Patience); ; time.Sleep(20 * time.Millisecond) {
		screen := t.Screen()
		if ok(screen) {
			return screen
		}
		if time.Now().After(end) {
			t.tb.Fatalf("waited %v for %s; the screen shows:\n%s", Patience, what, screen)
		}
	}
}

// WaitText waits until the screen shows a text, and returns it.
func (t *Terminal) WaitText(text string) string {
	t.tb.Helper()
	return t.Wait(strconv.Quote(text), func(screen string) bool { return strings.Contains(screen, text) })
}

func (t *Terminal) run(args ...string) string {
	t.tb.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", t.socket}, args...)...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		t.tb.Fatalf("tmux %v: %v", args, err)
	}
	return strings.TrimRight(string(out), "\n")
}
