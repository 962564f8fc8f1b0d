//go:build e2e

package tmux_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/ui/uitest/tmux"
)

func TestCtrlZGivesTheShellItsTerminalAndFgGoesOn(t *testing.T) {
	dir := t.TempDir()
	term := tmux.Open(t, 100, 30, dir, "HOME="+dir+" HISTFILE= PS1='shell> ' bash --norc -i; echo LEFT; exec cat")
	term.WaitText("shell>")
	term.Type(binary(t) + " --no-ros")
	term.Keys("Enter")
	plays := func(s string) bool { return strings.Contains(header(s), "playing") }
	for _, round := range []string{"in a pane", "in a dialog"} {
		term.Wait("the world to play "+round, plays)
		if round == "in a dialog" {
			term.Keys("n")
			term.WaitText("Spawn")
		}
		term.Keys("C-z")
		term.WaitText("Stopped")
		if m := term.Modes(); m != tmux.Restored {
			t.Errorf("modes of the shell, suspended %s: %+v, want %+v", round, m, tmux.Restored)
		}
		term.Type("clear; fg >/dev/null")
		term.Keys("Enter")
	}
	term.Wait("the dialog as it was", func(s string) bool { return plays(s) && strings.Contains(s, "Spawn") })
	term.Keys("Escape")
	term.Wait("keys to count again", func(s string) bool { return !strings.Contains(s, "Spawn") })
	term.Keys("q")
	term.WaitText("shell>")
	term.Type("exit")
	term.Keys("Enter")
	term.WaitText("LEFT") // with its jobs
}

func TestSIGQUITRestoresTheTerminalBeforeItTellsWhatGoroutinesDo(t *testing.T) {
	term, dir := console(t, 100, 30, "--no-ros")
	term.Wait("the world to play", func(s string) bool { return strings.Contains(header(s), "playing") })
	if out, err := exec.Command("kill", "-QUIT", read(t, dir, "pid")).CombinedOutput(); err != nil {
		t.Fatalf("kill: %v: %s", err, out)
	}
	term.WaitText("AFTER")
	if m := term.Modes(); m != tmux.Restored {
		t.Errorf("modes after SIGQUIT: %+v, want %+v", m, tmux.Restored)
	}
	if before, after := read(t, dir, "before"), read(t, dir, "after"); before != after {
		t.Errorf("stty before %s\nstty after  %s", before, after)
	}
	told, err := os.ReadFile(filepath.Join(dir, "stderr"))
	if err != nil || !strings.HasPrefix(string(told), "SIGQUIT") ||
		!strings.Contains(string(told), "goroutine ") {
		t.Errorf("stderr begins %.200q (%v); want SIGQUIT and goroutines", told, err)
	}
}
