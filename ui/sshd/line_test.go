package sshd

import (
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/ui/uitest"
)

// line is a slow line between a client and the server: so many octets a second in each direction, each late by a delay. What does not fit
// waits in a queue without end, as in the worst of routers.
type line struct {
	listens net.Listener
	rate    int // octets a second
	delay   time.Duration

	mu   sync.Mutex
	most int // octets that waited towards the client
	down int // octets that came to the client
}

func newLine(t *testing.T, to string, rate int, delay time.Duration) *line {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	x := &line{listens: l, rate: rate, delay: delay}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			go x.carry(near, far, false)
			go x.carry(far, near, true)
		}
	}()
	return x
}

type parcel struct {
	b  []byte
	at time.Time
}

func (x *line) carry(from, to net.Conn, down bool) {
	queue, waiting := make(chan parcel, 1<<16), 0
	go func() {
		defer close(queue)
		for {
			b := make([]byte, 4096)
			n, err := from.Read(b)
			if n > 0 {
				x.mu.Lock()
				if waiting += n; down {
					x.most = max(x.most, waiting)
				}
				x.mu.Unlock()
				queue <- parcel{b[:n], time.Now().Add(x.delay)}
			}
			if err != nil {
				return
			}
		}
	}()
	defer to.Close()
	free := time.Now()
	for p := range queue {
		if now := time.Now(); free.Before(now) {
			free = now
		}
		free = free.Add(time.Duration(len(p.b)) * time.Second / time.Duration(x.rate))
		if p.at.Before(free) {
			p.at = free
		}
		time.Sleep(time.Until(p.at))
		if _, err := to.Write(p.b); err != nil {
			return
		}
		x.mu.Lock()
		if waiting -= len(p.b); down {
			x.down += len(p.b)
		}
		x.mu.Unlock()
	}
}

// came is how many octets the client has got.
func (x *line) came() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.down
}

func TestAConsoleOnASlowLineShowsAKeyThoughEverythingMoves(t *testing.T) {
	for _, c := range []struct {
		name string
		rate int
		pane string // the key that goes to it
	}{{"20 kB/s, 200 ms", 20_000, "1"}, {"1 Mbit/s, 200 ms", 125_000, "1"}, {"20 kB/s, 200 ms, map", 20_000, "2"}, {"20 kB/s, 200 ms, camera", 20_000, "8"}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			onALine(t, c.name, c.rate, c.pane)
		})
	}
}

// onALine presses a key a few times on a line of so many octets a second.
func onALine(t *testing.T, name string, rate int, pane string) {
	h := newHouse(t, func(c *Config) { c.Console.Deck = uitest.Busy(1000) })
	deck := h.c.Console.Deck.(*uitest.Deck)
	x := newLine(t, h.Addr(), rate, 100*time.Millisecond)
	moving := make(chan struct{})
	defer close(moving)
	go func() {
		for {
			select {
			case <-moving:
				return
			case <-time.After(20 * time.Millisecond):
				deck.Advance(20)
			}
		}
	}()
	conn, err := net.Dial("tcp", x.listens.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c, channels, requests, err := ssh.NewClientConn(conn, "line", &ssh.ClientConfig{User: "alice", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Auth: []ssh.AuthMethod{ssh.PublicKeys(h.keys["alice"])}})
	if err != nil {
		t.Fatal(err)
	}
	client := ssh.NewClient(c, channels, requests)
	defer client.Close()
	s := h.session(client)
	s.shows("operator")
	s.press(pane)
	var worst time.Duration
	began, before := time.Now(), x.came()
	for range 3 {
		time.Sleep(1200 * time.Millisecond) // of old frames, were they not paced
		seen := len(s.out.text())
		pressed := time.Now()
		s.press("?")
		until(t, "help", func() bool { return strings.Contains(s.out.text()[seen:], "Help") })
		worst = max(worst, time.Since(pressed))
		s.press("\x1b")
	}
	rateOf := float64(x.came()-before) / time.Since(began).Seconds()
	x.mu.Lock()
	defer x.mu.Unlock()
	t.Logf("%s: a key shows after %v at worst; %d octets waited at most, %.0f came a second", name, worst.Round(time.Millisecond), x.most, rateOf)
	if x.most > 64<<10 || worst > 10*time.Second {
		t.Errorf("a key shows after %v, %d octets waited", worst, x.most)
	}
}

func TestAClientThatReadsNothingHoldsUpNobody(t *testing.T) {
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
		before := h.deck.Snapshot().Time
		h.deck.Advance(100)
		if after := h.deck.Snapshot().Time; after <= before {
			t.Fatalf("time stands at %v", after)
		}
		time.Sleep(10 * time.Millisecond)
	}
	seen := len(other.out.text())
	other.press("?")
	until(t, "help on the other's screen", func() bool { return strings.Contains(other.out.text()[seen:], "Help") })
}
