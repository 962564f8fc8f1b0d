//go:build e2e

package tmux_test

import (
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"simdeck/ui/uitest"
	"simdeck/ui/uitest/tmux"
)

func TestOverSSHOnOneMegabitAnd200MillisecondsAKeyShowsSoonAndTheLineStaysFree(t *testing.T) {
	const rate, trip = 1_000_000 / 8, 200 * time.Millisecond // octets a second each way; there and back
	port, dir := served(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	line := uitest.OpenSlowLine(rate, trip/2, l.Accept,
		func() (net.Conn, error) { return net.Dial("tcp", "127.0.0.1:"+port) })
	alice, at := enter(t, strconv.Itoa(l.Addr().(*net.TCPAddr).Port), dir, "alice")
	says := func(state string) {
		t.Helper()
		alice.Wait(state, func(s string) bool { return strings.Contains(header(s), state) })
	}

	says("playing")
	for _, c := range []struct{ name, key, offers string }{{"table", "1", "v mark"}, {"map", "2", "a fit"},
		{"camera", "8", "v camera"}} {
		alice.Keys(c.key)
		alice.WaitText(c.offers)
		time.Sleep(time.Second) // its first picture is not idle
		before, began := line.Came(), time.Now()
		time.Sleep(3 * time.Second) // nobody presses anything, the world plays
		idle := float64(line.Came()-before) / time.Since(began).Seconds()

		soonest, latest := time.Hour, time.Duration(0)
		for _, state := range []string{"paused", "playing", "paused", "playing"} {
			pressed := time.Now()
			alice.Keys("Space")
			says(state)
			soonest, latest = min(soonest, time.Since(pressed)), max(latest, time.Since(pressed))
		}
		t.Logf("%s: %.0f octets a second while nobody presses a key (the line carries %d), a key shows after %v to %v",
			c.name, idle, rate, soonest.Round(time.Millisecond), latest.Round(time.Millisecond))
		if idle <= 0 || idle > rate/5 {
			t.Errorf("%s: %.0f octets came a second while the world plays, want some and at most a fifth of what the line carries",
				c.name, idle)
		}
		if soonest < trip || latest > 5*time.Second {
			t.Errorf("%s: a key shows after %v to %v, want no sooner than there and back (%v) and within 5 s",
				c.name, soonest, latest, trip)
		}
	}
	if line.Waited() > 64<<10 {
		t.Errorf("%d octets waited for the line: frames are sent that are old when they come", line.Waited())
	}
	alice.Keys("q")
	alice.WaitText("AFTER")
	if m := alice.Modes(); m != tmux.Restored || read(t, at, "code") != "0" {
		t.Errorf("after leaving: modes %+v, exit code %s", m, read(t, at, "code"))
	}
}
