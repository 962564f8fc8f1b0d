package sshd

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/ui/uitest"
)

func TestAConsoleOnASlowLineShowsAKeyThoughEverythingMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	for _, c := range []struct {
		name string
		rate int
		keys string // that go to the pane; and what a terminal with Kitty's pictures answers there
	}{{"20 kB/s, 200 ms", 20_000, "1"}, {"1 Mbit/s, 200 ms", 125_000, "1"},
		{"20 kB/s, 200 ms, map", 20_000, "2"}, {"20 kB/s, 200 ms, camera", 20_000, "8"},
		{"20 kB/s, 200 ms, Kitty's pictures", 20_000, "8" + kittyAnswer}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			onALine(t, c.name, c.rate, c.keys)
		})
	}
}

// kittyAnswer is the answer of a terminal that shows Kitty's pictures.
const kittyAnswer = "\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c"

// onALine presses a key a few times on a line of so many octets a second.
func onALine(t *testing.T, name string, rate int, keys string) {
	h := newHouse(t, func(c *Config) { c.Console.Backend = uitest.Busy(1000) })
	backend := h.c.Console.Backend.(*uitest.Backend)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	x := uitest.OpenSlowLine(rate, 100*time.Millisecond, l.Accept,
		func() (net.Conn, error) { return net.Dial("tcp", h.Addr()) })
	moving := make(chan struct{})
	defer close(moving)
	go func() {
		for {
			select {
			case <-moving:
				return
			case <-time.After(20 * time.Millisecond):
				backend.Advance(20)
			}
		}
	}()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c, channels, requests, err := ssh.NewClientConn(conn, "line",
		&ssh.ClientConfig{User: "alice", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
			Auth: []ssh.AuthMethod{ssh.PublicKeys(h.keys["alice"])}})
	if err != nil {
		t.Fatal(err)
	}
	client := ssh.NewClient(c, channels, requests)
	defer client.Close()
	s := h.session(client)
	s.shows("operator")
	s.press(keys)
	var worst time.Duration
	began, before := time.Now(), x.Came()
	for range 3 {
		time.Sleep(1200 * time.Millisecond) // of old frames, were they not paced
		seen := len(s.out.text())
		pressed := time.Now()
		s.press("?")
		until(t, "help", func() bool { return strings.Contains(s.out.text()[seen:], "Help") })
		worst = max(worst, time.Since(pressed))
		s.press("\x1b")
	}
	rateOf := float64(x.Came()-before) / time.Since(began).Seconds()
	t.Logf("%s: a key shows after %v at worst; %d octets waited at most, %.0f came a second", name,
		worst.Round(time.Millisecond), x.Waited(), rateOf)
	if x.Waited() > 64<<10 || worst > 10*time.Second {
		t.Errorf("a key shows after %v, %d octets waited", worst, x.Waited())
	}
}

func TestAClientThatReadsNothingHoldsUpNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, nil)
	client, err := h.connect("alice")
	if err != nil {
		t.Fatal(err)
	}
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	_, e1 := session.StdoutPipe() // read by nobody
	_, e2 := session.StdinPipe()
	if err := errors.Join(e1, e2, session.RequestPty("xterm", 30, 100, nil), session.Shell()); err != nil {
		t.Fatal(err)
	}
	other := h.open("bob")
	other.shows("viewer")
	for range 50 {
		before := h.backend.Snapshot().Time
		h.backend.Advance(100)
		if after := h.backend.Snapshot().Time; after <= before {
			t.Fatalf("time stands at %v", after)
		}
		time.Sleep(10 * time.Millisecond)
	}
	seen := len(other.out.text())
	other.press("?")
	until(t, "help on the other's screen",
		func() bool { return strings.Contains(other.out.text()[seen:], "Help") })
}
