//go:build e2e

package tmux_test

import (
	"strings"
	"testing"
)

func TestTheConsoleSpeaksLineByLineInARealTerminal(t *testing.T) {
	term, dir := console(t, 120, 40, "--plain --no-ros")
	term.WaitText("playing at")
	if m := term.Modes(); m.Alternate || m.Mouse {
		t.Errorf("modes while running: %+v, want those of a shell", m)
	}
	say := func(line, answer string) {
		t.Helper()
		term.Type(line)
		term.Keys("Enter")
		term.WaitText(answer)
	}
	say("pause", "paused at")
	say("spawn", "an empty line accepts")
	term.Wait("the models", func(s string) bool { return strings.Contains(s, "A wooden crate of 40 cm") })
	say("crate", "> crate")
	say("", "crate spawned")
	say("read state", "role operator")
	term.Type("quit")
	term.Keys("Enter")
	term.WaitText("AFTER")
	for file, want := range map[string]string{"code": "0", "stderr": "", "after": read(t, dir, "before")} {
		if got := read(t, dir, file); got != want {
			t.Errorf("%s is %q, want %q", file, got, want)
		}
	}
}
