//go:build e2e

package tmux_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simdeck/ui/uitest/tmux"
)

// binary is the program under test: what make build built.
func binary(tb testing.TB) string {
	tb.Helper()
	path, err := filepath.Abs("../../../simdeck")
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		tb.Fatalf("make build first: %v", err)
	}
	return path
}

// console opens the program in a shell that notes terminal settings before and after, process, output and
// exit code in dir.
func console(t *testing.T, width, height int, args string) (terminal *tmux.Terminal, dir string) {
	t.Helper()
	dir = t.TempDir()
	script := fmt.Sprintf(`echo BEFORE; stty -g >before; export HOME=$PWD; sh -c 'echo $$ >pid; exec %s %s' 2>stderr; `+
		`echo $? >code; stty -g >after; echo AFTER; exec cat`, binary(t), args)
	return tmux.Open(t, width, height, dir, script), dir
}

var clock = regexp.MustCompile(`\d+:\d\d:\d\d\.\d+`) // simulated time in the header

func TestAnOperatorSpawnsPausesAndLeaves(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			term, dir := console(t, size.w, size.h, "")
			term.Wait("the demo world to play",
				func(s string) bool { return strings.Contains(header(s), "playing") })
			if m := term.Modes(); !m.Alternate {
				t.Errorf("modes while running: %+v, want the alternate screen, or it writes over the shell's lines",
					m)
			}

			spawn(t, term, "probe")
			pauseAndStep(t, term)

			term.Keys("q")
			checkRestored(t, term, dir)
		})
	}
}

// spawn puts the first model of the list into the world under a name, and
// waits for its row.
func spawn(t *testing.T, term *tmux.Terminal, name string) {
	t.Helper()
	if s := term.Screen(); strings.Contains(s, name) {
		t.Fatalf("%q is on the screen already:\n%s", name, s)
	}
	term.Keys("n")
	term.Wait("the list of models", func(s string) bool {
		return strings.Contains(s, "Spawn") && !strings.Contains(s, "Loading the list of models")
	})
	term.Keys("BTab", "BTab") // from the models backwards past the count to the name
	term.Type(name)
	term.WaitText(name)
	term.Keys("Enter")
	row := regexp.MustCompile(`(?m)\b` + name + ` .*-?\d+\.\d+`)
	term.Wait("the row of "+name, func(s string) bool {
		return !strings.Contains(s, "type to filter") && row.MatchString(s)
	})
}

// pauseAndStep pauses, sees that time stands still, and that a step moves it.
func pauseAndStep(t *testing.T, term *tmux.Terminal) {
	t.Helper()
	term.Keys("Space")
	before := term.Wait("the pause", func(s string) bool { return strings.Contains(header(s), "paused") })
	at := clock.FindString(header(before))
	if at == "" {
		t.Fatalf("no simulated time in the header %q", header(before))
	}
	term.Keys("?") // opening and closing help takes many frames
	term.WaitText("[ Close ]")
	term.Keys("Escape")
	after := term.Wait("help to close", func(s string) bool { return !strings.Contains(s, "[ Close ]") })
	if got := clock.FindString(header(after)); got != at {
		t.Errorf("time went from %s to %s while paused", at, got)
	}
	term.Keys(".")
	term.Wait("a step", func(s string) bool { return clock.FindString(header(s)) != at })
	if s := header(term.Screen()); !strings.Contains(s, "paused") {
		t.Errorf("after a step the header says %q, want it paused still", s)
	}
}

// header is the first line of the screen in lower case: what state the
// simulation is in is a word of it.
func header(screen string) string {
	line, _, _ := strings.Cut(screen, "\n")
	return strings.ToLower(line)
}

// checkRestored waits for the shell and compares everything that a program can
// leave behind in a terminal.
func checkRestored(t *testing.T, term *tmux.Terminal, dir string) {
	t.Helper()
	screen := term.WaitText("AFTER")
	if !strings.HasPrefix(strings.TrimSpace(screen), "BEFORE") {
		t.Errorf("the shell's screen did not come back:\n%s", screen)
	}
	if m := term.Modes(); m != tmux.Restored {
		t.Errorf("modes after quitting: %+v, want %+v", m, tmux.Restored)
	}
	if before, after := read(t, dir, "before"), read(t, dir, "after"); before != after {
		t.Errorf("stty before %s\nstty after  %s", before, after)
	}
	if code := read(t, dir, "code"); code != "0" {
		t.Errorf("exit code %s, want 0", code)
	}
	if said := read(t, dir, "stderr"); said != "" {
		t.Errorf("it wrote to stderr: %s", said)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func TestTheConsoleFollowsTheWindow(t *testing.T) {
	term, dir := console(t, 120, 40, "--no-ros --paused")
	wait := func(what string) {
		t.Helper()
		term.Wait(what, func(s string) bool { return strings.Contains(header(s), "paused") })
	}
	wait("the console")
	term.Resize(20, 5)
	term.WaitText("too small")
	term.Resize(80, 24)
	wait("the console after growing again")
	term.Keys("q")
	checkRestored(t, term, dir)
}

func TestASignalRestoresTheTerminal(t *testing.T) {
	for _, signal := range []string{"INT", "TERM"} {
		t.Run(signal, func(t *testing.T) {
			term, dir := console(t, 100, 30, "--no-ros")
			term.Wait("the console", func(s string) bool { return strings.Contains(header(s), "playing") })
			if out, err := exec.Command("kill", "-"+signal,
				read(t, dir, "pid")).CombinedOutput(); err != nil {
				t.Fatalf("kill: %v: %s", err, out)
			}
			checkRestored(t, term, dir)
		})
	}
}

func TestWithoutATerminalItSaysSo(t *testing.T) {
	command := exec.Command("setsid", "--wait", binary(t), "--no-ros")
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := command.CombinedOutput()
	if code := command.ProcessState.ExitCode(); code != 1 || err == nil {
		t.Errorf("exit code %d (%v), want 1: it cannot start", code, err)
	}
	if said := strings.TrimSpace(string(out)); strings.Count(said, "\n") > 0 ||
		!strings.Contains(strings.ToLower(said), "terminal") {
		t.Errorf("it said %q, want one line about the missing terminal", said)
	}
}
