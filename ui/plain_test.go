package ui_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// liner is a console of lines under test, inside a bubble of synctest.
type liner struct {
	t       *testing.T
	backend *uitest.Backend
	in      io.WriteCloser
	mu      sync.Mutex
	out     bytes.Buffer
	done    chan error
}

func (l *liner) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

// says types lines and gives what is printed until all is quiet.
func (l *liner) says(lines ...string) string {
	for _, line := range lines {
		if _, err := io.WriteString(l.in, line+"\n"); err != nil {
			l.t.Fatal(err)
		}
		time.Sleep(250 * time.Millisecond)
		synctest.Wait()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.out.String()
	l.out.Reset()
	return text
}

// wants fails the test unless what lines lead to holds every text.
func (l *liner) wants(lines []string, texts ...string) {
	l.t.Helper()
	got := l.says(lines...)
	for _, text := range texts {
		if !strings.Contains(got, text) {
			l.t.Errorf("after %q nothing says %q:\n%s", lines, text, got)
		}
	}
}

// byLines runs a test on a console of lines over the room.
func byLines(t *testing.T, change func(*ui.Config), test func(l *liner)) {
	t.Helper()
	keys := shipped(t)
	synctest.Test(t, func(t *testing.T) {
		in, host := io.Pipe()
		l := &liner{t: t, backend: uitest.Room(), in: host, done: make(chan error, 1)}
		c := ui.Config{Backend: l.backend, Keymap: keys, Plain: true, Input: in, Output: l}
		if change != nil {
			change(&c)
		}
		go func() { l.done <- ui.Run(context.Background(), c) }()
		time.Sleep(250 * time.Millisecond)
		synctest.Wait()
		test(l)
		l.in.Close()
		if err := <-l.done; err != nil {
			t.Error(err)
		}
		if got := l.says(); strings.ContainsAny(got, "\x1b\x07\r") {
			t.Errorf("lines hold commands of terminals: %q", got)
		}
	})
}

func TestLinesTellWhatChangesAndTakeActions(t *testing.T) {
	byLines(t, nil, func(l *liner) {
		l.wants(nil, "world: room, 11 entities", "playing at 00:00:00.000")
		l.wants([]string{""}, "room, playing at", "11 entities, selected burger_1, operator")
		l.wants([]string{"sim.toggle"}, "paused at", "console: set state ")
		l.wants([]string{"step"}, "console: step")
		l.wants([]string{"run"}, "playing at")
		l.wants([]string{"select crate_2"}, "selected crate_2")
		l.wants([]string{"list tag:wood"}, "crate_2, dynamic: x -2.70, y 2.00, z 0.25 m", "6 of 11 entities")
		l.wants([]string{"list"}, "11 of 11 entities")
		l.wants([]string{"read poses"}, "dock -4.30 -3.20", "charging bounded")
		l.wants([]string{"entity.foo"}, "did you mean")
		l.wants([]string{"select crate_22"}, `did you mean "crate_2"?`)
		l.wants([]string{"help"}, "entity.spawn, spawn: spawn a model", "(not now: ",
			"watch NAME:")
		if got := l.says(); got != "" {
			l.t.Errorf("nothing changed and it says %q", got)
		}
	})
}

func TestDialogsAreReadAndAnsweredByLines(t *testing.T) {
	byLines(t, nil, func(l *liner) {
		l.says()
		l.wants([]string{"spawn"}, "Spawn: an empty line accepts", "place < dock >",
			"barrel steel model://barrel")
		l.wants([]string{"crate"}, "> crate A wooden crate")
		l.wants([]string{"prev", "3"}, "count 3")
		l.wants([]string{""}, "3 entities spawned and marked", "new: crate, crate_7, crate_8")
		l.wants([]string{"delete"}, "Delete 3 entities?")
		l.wants([]string{"cancel"}, "")
		l.wants([]string{"delete", "yes"}, "gone: crate, crate_7, crate_8")
		l.wants([]string{"undo"}, "3 entities restored")
		l.wants([]string{"select barrel", "move"}, "Pose of barrel")
		l.wants([]string{"1.25", ""}, "barrel moved to 1.25")
	})
}

func TestAWatchedEntityIsToldWhenItMovesAndNotMoreThanOnceASecond(t *testing.T) {
	byLines(t, nil, func(l *liner) {
		l.wants([]string{"watch burger_1"}, "watching burger_1: x -2.00, y -1.00")
		if _, err := l.backend.Do(l.t.Context(),
			sim.DriveEntity{Name: "burger_1", Twist: forward(0.2)}); err != nil {
			l.t.Fatal(err)
		}
		l.says()
		for range 50 {
			l.backend.Advance(25)
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		if got := strings.Count(l.says(), "burger_1: x "); got < 4 || got > 6 {
			l.t.Errorf("told %d times in 5 s", got)
		}
		l.says("unwatch")
		l.backend.Advance(250)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := l.says(); strings.Contains(got, "burger_1: x ") {
			l.t.Errorf("still told: %s", got)
		}
	})
}

func TestAViewerAndTheEndOfLinesAndOfTheSimulator(t *testing.T) {
	byLines(t, func(c *ui.Config) { c.ReadOnly = true }, func(l *liner) {
		l.wants([]string{"sim.toggle"}, "not done, play/pause: read-only")
		if n := len(l.backend.Done()); n > 0 {
			l.t.Errorf("a viewer did %d commands", n)
		}
	})
	byLines(t, nil, func(l *liner) {
		l.says("quit")
		select {
		case err := <-l.done:
			l.done <- err
		default:
			l.t.Error("quit does not leave")
		}
	})
	byLines(t, nil, func(l *liner) {
		if _, err := l.backend.Do(l.t.Context(), sim.SetState{State: sim.Quitting}); err != nil {
			l.t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := l.says(); !strings.Contains(got, "the simulator has quit") {
			l.t.Errorf("at its end it says %q", got)
		}
	})
}

func TestALineThatCannotBeWrittenEndsTheConsole(t *testing.T) {
	in, _ := io.Pipe()
	full := errors.New("no room")
	err := ui.Run(t.Context(), ui.Config{Backend: uitest.Room(), Keymap: shipped(t), Plain: true, Input: in,
		Output: refusing{full}})
	if !errors.Is(err, full) {
		t.Errorf("ended with %v", err)
	}
}

type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }
