package sshd

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
)

// rewrite writes the file of keys anew.
// rewrite puts another file of keys in place at once. On a busy machine the server could look twice at one
// that is truncated, and would send everybody away.
func (h *house) rewrite(text string) {
	h.t.Helper()
	if err := os.WriteFile(h.c.Keys+".new", []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Rename(h.c.Keys+".new", h.c.Keys); err != nil {
		h.t.Fatal(err)
	}
}

func quickly(c *Config) { c.poll = 20 * time.Millisecond }

func TestWhoseKeyIsRemovedIsSentAwayAndNobodyElse(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, quickly)
	alice, bob := h.open("alice"), h.open("bob")
	alice.shows("operator")
	bob.shows("viewer")
	without, err := h.connect("alice") // without a console
	if err != nil {
		t.Fatal(err)
	}
	h.rewrite(keyLine(`role="viewer"`, h.keys["bob"], "bob"))
	if code := alice.leaves(); code != 1 ||
		!strings.Contains(alice.said.text(), "your key was removed from the file of keys") {
		t.Errorf("exit code %d, %q", code, alice.said.text())
	}
	if !strings.Contains(alice.out.text(), "\x1b[?1049l") {
		t.Error("the terminal was not put back")
	}
	if err := without.Wait(); err == nil {
		t.Error("a connection of that key stays open")
	}
	if here := h.logins.beside(nil); !slices.Equal(here, []string{"bob (viewer)"}) {
		t.Errorf("here are %q", here)
	}
	h.rewrite("# nobody\n")
	if code := bob.leaves(); code != 1 {
		t.Errorf("when nobody may log in any more: exit code %d, %q", code, bob.said.text())
	}
	if n := strings.Count(h.log.text(), "key removed"); n != 3 {
		t.Errorf("the log tells of %d: %s", n, h.log.text())
	}
}

func TestADemotedOperatorChangesNothingFromThenOnAndAPromotedViewerDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, quickly)
	alice := h.open("alice")
	alice.shows("operator")
	seen := len(alice.out.text())
	h.rewrite(keyLine(`role="viewer"`, h.keys["alice"], "alice"))
	until(t, "the demotion", func() bool { return slices.Equal(h.logins.beside(nil), []string{"alice (viewer)"}) })
	// a world that stands still draws nothing else
	until(t, "it on the screen", func() bool { return len(alice.out.text()) > seen })
	// unchanged cells are not drawn again
	if err := alice.WindowChange(31, 101); err != nil {
		t.Fatal(err)
	}
	until(t, "all of it", func() bool { return strings.Contains(alice.out.text()[seen:], "viewer") })
	before := len(h.backend.Done())
	alice.press(" ")
	until(t, "the refusal", func() bool {
		return strings.Contains(alice.out.text()[seen:],
			"read-only")
	})
	h.logins.each(func(l *login) {
		if _, err := (readOnlyBackend{h.backend, l.looks}).Do(t.Context(),
			sim.SetState{State: sim.Paused}); !errors.Is(err, sim.ErrUnsupported) {
			t.Errorf("the backend of a demoted operator: %v", err)
		}
	})
	if done := h.backend.Done(); len(done) != before {
		t.Errorf("a demoted operator did %v", done[before:])
	}
	h.rewrite(keyLine("", h.keys["alice"], "alice"))
	until(t, "the promotion", func() bool { return slices.Equal(h.logins.beside(nil), []string{"alice"}) })
	alice.press(" ")
	until(t, "the command", func() bool {
		return slices.ContainsFunc(h.backend.Done()[before:],
			func(c sim.Command) bool { _, ok := c.(sim.SetState); return ok })
	})
}

func TestWhileTheFileOfKeysCannotBeTrustedSessionsStayAndNobodyNewLogsIn(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, quickly)
	alice := h.open("alice")
	alice.shows("operator")
	for _, c := range []struct {
		name        string
		spoil, mend func() error
	}{
		{"writable", func() error { return os.Chmod(h.c.Keys, 0o666) },
			func() error { return os.Chmod(h.c.Keys, 0o600) }},
		{"gone", func() error { return os.Rename(h.c.Keys, h.c.Keys+"~") },
			func() error { return os.Rename(h.c.Keys+"~", h.c.Keys) }},
	} {
		told := strings.Count(h.log.text(), "logins disabled")
		again := strings.Count(h.log.text(), "logins enabled again")
		if err := c.spoil(); err != nil {
			t.Fatal(err)
		}
		until(t, "the log of it", func() bool {
			return strings.Count(h.log.text(),
				"logins disabled") > told
		})
		for range 4 {
			if _, err := h.connect("alice"); err == nil || !strings.Contains(err.Error(), "cannot be read") {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		time.Sleep(5 * h.poll) // several looks at it: nobody is sent away by any of them
		if n := strings.Count(h.log.text(), "logins disabled"); n != told+1 {
			t.Errorf("%s: the log tells of it %d times", c.name, n-told)
		}
		if here := h.logins.beside(nil); !slices.Equal(here, []string{"alice"}) {
			t.Errorf("%s: here are %q", c.name, here)
		}
		if err := c.mend(); err != nil {
			t.Fatal(err)
		}
		until(t, "the log of its end",
			func() bool { return strings.Count(h.log.text(), "logins enabled again") > again })
		if _, err := h.connect("alice"); err != nil {
			t.Errorf("%s, and mended: %v", c.name, err)
		}
	}
}

func TestAFileThatIsReadWhileItIsWrittenSendsNobodyAway(t *testing.T) {
	l := &login{as: operator}
	for range 3 {
		if change := l.follow(guest{}, false); change != "" {
			t.Error(change)
		}
		if change := l.follow(guest{role: operator}, true); change != "" {
			t.Error(change)
		}
	}
}

func TestAConnectionWithoutAConsoleKeepsNoServerFromEnding(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	h := newHouse(t, nil)
	client, err := h.connect("alice")
	if err != nil {
		t.Fatal(err)
	}
	h.leave()
	if err := client.Wait(); err == nil {
		t.Error("the connection stays open")
	}
}

func TestViewersAreLetInWhileThereIsRoomForOperators(t *testing.T) {
	g := logins{most: 2, all: map[*login]bool{}}
	in := func(as role) bool { return g.enter(&login{as: as}) }
	for i := range 4 {
		if !in(viewer) {
			t.Errorf("viewer %d is not let in", i)
		}
	}
	if in(viewer) {
		t.Error("too many viewers are let in")
	}
	for i := range 4 {
		if !in(operator) {
			t.Errorf("operator %d is not let in", i)
		}
	}
	if in(operator) {
		t.Error("more connections are open than may be")
	}
}

func TestManyViewersShareTheirFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	g := logins{most: 40, all: map[*login]bool{}}
	first, boss := &login{as: viewer}, &login{as: operator}
	for n, want := range []time.Duration{0, time.Second / viewersFrames, 2 * time.Second / viewersFrames} {
		if got := g.period(first); got < want-1 || got > want {
			t.Errorf("with %d consoles a viewer's frames are %v apart, want %v", n, got, want)
		}
		if got := g.period(boss); got != 0 {
			t.Errorf("with %d consoles an operator's frames are %v apart", n, got)
		}
		g.open(&connection{login: first})
	}
}
