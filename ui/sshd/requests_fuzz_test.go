package sshd

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"simdeck/sim"
	"simdeck/ui"
)

// asks are the requests of a client: in a session, global, and for channels.
var (
	sessionAsks = []string{"pty-req", "window-change", "env", "shell", "exec", "subsystem", "signal",
		"x11-req", "auth-agent-req@openssh.com",
		"break", "xon-xoff", "exit-status", "eow@openssh.com", "keepalive@openssh.com", ""}
	globalAsks = []string{"tcpip-forward", "cancel-tcpip-forward", "streamlocal-forward@openssh.com",
		"keepalive@openssh.com", "hostkeys-prove-00@openssh.com", ""}
	channelAsks = []string{"direct-tcpip", "forwarded-tcpip", "x11", "auth-agent@openssh.com",
		"direct-streamlocal@openssh.com", "tun@openssh.com", "session", ""}
)

// wants is one request of a client, in three octets and a payload: its kind, whether it wants a reply, its
// length. A name that is empty in the tables is the payload's first octets.
type wants struct {
	kind, which byte
	reply       bool
	payload     []byte
}

// decodeWants reads what fuzzing gives; encodeWants writes it.
func decodeWants(data []byte) (all []wants) {
	for len(data) >= 3 && len(all) < 64 {
		n := min(int(data[2]), len(data)-3)
		all = append(all, wants{data[0] & 3, data[1], data[0]&4 != 0, data[3 : 3+n]})
		data = data[3+n:]
	}
	return all
}

func encodeWants(all ...wants) (data []byte) {
	for _, w := range all {
		if w.reply {
			w.kind |= 4
		}
		data = append(data, w.kind, w.which, byte(len(w.payload)))
		data = append(data, w.payload...)
	}
	return data
}

func (w wants) name(of []string) string {
	if name := of[int(w.which)%len(of)]; name != "" {
		return name
	}
	return string(w.payload[:min(len(w.payload), 20)])
}

// consoles catches what consoles would be run with.
type consoles struct {
	mu   sync.Mutex
	seen []ui.Config
}

// run takes the place of ui.Run: a console that its owner leaves at the first key.
func (c *consoles) run(ctx context.Context, config ui.Config) error {
	c.mu.Lock()
	c.seen = append(c.seen, config)
	c.mu.Unlock()
	key := make([]byte, 1)
	_, _ = config.Input.Read(key) // the end of the session is one
	return nil
}

func (c *consoles) take() []ui.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := c.seen
	c.seen = nil
	return seen
}

// payload is a request's in the form of RFC 4254.
func payload(fields ...any) (b []byte) {
	for _, f := range fields {
		switch f := f.(type) {
		case string:
			b = binary.BigEndian.AppendUint32(b, uint32(len(f)))
			b = append(b, f...)
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(f))
		}
	}
	return b
}

func seedWants(f *testing.F) {
	pty := wants{kind: 0, which: 0, reply: true, payload: payload("xterm", 80, 24, 0, 0, "")}
	shell := wants{kind: 0, which: 3, reply: true}
	f.Add(encodeWants(pty, shell, wants{kind: 3, payload: []byte(" .dXR\x1b[A:q")}))
	f.Add(encodeWants(wants{which: 2, payload: payload("LD_PRELOAD", "/tmp/x.so")},
		wants{which: 2, payload: payload("LANG", "C\x1b]0;x\a")}, pty, shell))
	f.Add(encodeWants(wants{which: 0, payload: payload("../../x=y\n", 1<<31, 1<<31, -1, -1, "\x00")}, shell,
		wants{which: 1, payload: payload(0, 0, 0, 0)}))
	f.Add(encodeWants(wants{which: 4, reply: true, payload: payload("rm -rf /")}, shell,
		wants{which: 5, reply: true, payload: payload("sftp")}))
	f.Add(encodeWants(wants{kind: 1, reply: true, payload: payload("0.0.0.0", 22)},
		wants{kind: 2, payload: payload("127.0.0.1", 22, "x", 1)}, wants{kind: 2, which: 6}))
	f.Add(encodeWants(wants{which: 6, payload: payload("KILL")}, pty, shell,
		wants{which: 14, reply: true, payload: []byte("unknown@example.com")}))
	f.Add(encodeWants(wants{which: 2, payload: payload("TERM_PROGRAM", strings.Repeat("x", 250))},
		wants{which: 0, payload: payload(strings.Repeat("t", 240))}))
	f.Add(bytes.Repeat(encodeWants(wants{kind: 1, which: 5, payload: []byte("x")}, wants{kind: 2, which: 6}),
		30))
}

func FuzzRequestsOfAViewer(f *testing.F) {
	seedWants(f)
	h, caught := viewed(f)
	client, err := h.connect("bob")
	if err != nil {
		f.Fatal(err)
	}
	before := strings.Join(os.Environ(), "\n")
	f.Fuzz(func(t *testing.T, data []byte) {
		var session ssh.Channel
		var requests <-chan *ssh.Request
		until(t, "a session, once those before have ended", func() bool {
			session, requests, err = client.OpenChannel("session", nil)
			return err == nil
		})
		go ssh.DiscardRequests(requests)
		for _, w := range decodeWants(data) {
			switch w.kind {
			case 0:
				// it may be refused, and the session over
				_, _ = session.SendRequest(w.name(sessionAsks), w.reply, w.payload)
			case 1:
				if ok, _, err := client.SendRequest(w.name(globalAsks), w.reply, w.payload); ok ||
					err != nil {
					t.Errorf("%+v is granted: %v, %v", w, ok, err)
				}
			case 2:
				name := w.name(channelAsks)
				other, requests, err := client.OpenChannel(name, w.payload)
				if err == nil {
					go ssh.DiscardRequests(requests)
					if other.Close(); name != "session" {
						t.Errorf("a channel %q is granted", name)
					}
				}
			case 3:
				_, _ = session.Write(w.payload)
			}
		}
		session.Close()
		if _, _, err := client.SendRequest("keepalive@openssh.com", true, nil); err != nil {
			t.Fatalf("the connection is gone: %v; the log: %s", err, h.log.text())
		}
		until(t, "the session's end", func() bool { return h.Inside() == 0 })
		for _, c := range caught.take() {
			judgeConsole(t, c)
		}
		for _, c := range h.backend.Done() {
			if !sim.OnlyAsks(c) {
				t.Fatalf("a viewer did %#v", c)
			}
		}
		if after := strings.Join(os.Environ(), "\n"); after != before {
			t.Errorf("simdeck's own environment is %q", after)
		}
	})
}

// viewed is a server whose consoles are caught.
func viewed(t testing.TB) (*house, *consoles) {
	caught := &consoles{}
	return newHouse(t, func(c *Config) { c.run = caught.run }), caught
}

// judgeConsole looks at what a client has made of its console.
func judgeConsole(t *testing.T, c ui.Config) {
	t.Helper()
	if len(c.Environ) > maxEnviron+2 || !strings.HasPrefix(c.Environ[0], "TERM=") ||
		c.Environ[1] != "SSH_TTY=simdeck" {
		t.Errorf("its environment is %q", c.Environ)
	}
	for i, e := range c.Environ {
		name, value, _ := strings.Cut(e, "=")
		if i > 1 && !slices.Contains(environTaken, name) || !plainValue(value) {
			t.Errorf("its environment has %q", e)
		}
	}
	if !c.Viewer() || c.User != "ssh bob" {
		t.Errorf("its user is %q, a viewer: %v", c.User, c.Viewer())
	}
	if _, err := c.Backend.Do(t.Context(), sim.SetState{State: sim.Paused}); err == nil {
		t.Error("its backend can be changed")
	}
	select {
	case s := <-c.Sizes:
		if s.Columns > maxCells || s.Rows > maxCells || s.Width > maxPixels || s.Height > maxPixels ||
			min(s.Columns, s.Rows, s.Width, s.Height) < 0 {
			t.Errorf("its size is %+v", s)
		}
	default:
	}
}

func TestAClientOpensNoMoreSessionsThanMayBe(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	h, _ := viewed(t)
	client, err := h.connect("bob")
	if err != nil {
		t.Fatal(err)
	}
	for i := range perConnection + 3 {
		if _, err := client.NewSession(); (err == nil) != (i < perConnection) {
			t.Errorf("session %d: %v", i, err)
		}
	}
}
