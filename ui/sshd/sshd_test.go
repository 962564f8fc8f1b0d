package sshd

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/sim"
	"simdeck/sim/logtest"
	"simdeck/ui"
	"simdeck/ui/keymap"
	"simdeck/ui/uitest"
)

// house is a server with a backend, in this process, on the loopback.
type house struct {
	*Server
	t       testing.TB
	leave   context.CancelFunc
	backend *uitest.Backend
	keys    map[string]ssh.Signer // by name; eve's is none of the file
	log     *written
}

// written keeps what is written.
type written struct{ logtest.Journal }

func (r *written) text() string { return r.String() }

func newKey(t testing.TB) ssh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keyLine is a line of the file of keys.
func keyLine(options string, s ssh.Signer, name string) string {
	return strings.TrimSpace(options+" "+strings.TrimSpace(string(ssh.MarshalAuthorizedKey(s.PublicKey())))+
		" "+name) + "\n"
}

func shippedKeys(t testing.TB) *keymap.Map {
	t.Helper()
	text, err := os.ReadFile("../../keymap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := keymap.Parse("keymap.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newHouse(t testing.TB, change func(*Config)) *house {
	t.Helper()
	h := &house{t: t, backend: uitest.Room(), log: &written{},
		keys: map[string]ssh.Signer{"alice": newKey(t), "bob": newKey(t), "eve": newKey(t)}}
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys")
	text := keyLine("", h.keys["alice"], "alice") + keyLine(`role="viewer"`, h.keys["bob"], "bob")
	if err := os.WriteFile(keys, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Config{Console: ui.Config{Backend: h.backend, Keymap: shippedKeys(t)}, Address: "127.0.0.1:0",
		HostKey: filepath.Join(dir, "state", "host"),
		home:    dir, // in a user namespace the folders above are nobody's
		Keys:    keys, Log: slog.New(slog.NewTextHandler(h.log, nil))}
	if change != nil {
		change(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	h.Server = s
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	h.leave = leave
	t.Cleanup(func() {
		leave()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		h.backend.Close()
	})
	return h
}

// connect dials, with a key.
func (h *house) connect(who string, more ...ssh.AuthMethod) (*ssh.Client, error) {
	h.t.Helper()
	near, err := net.Dial("tcp", h.Addr())
	if err != nil {
		h.t.Fatal(err)
	}
	banner := ""
	c := &ssh.ClientConfig{User: "anyone", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		BannerCallback: func(m string) error { banner += m; return nil }, Auth: more}
	if key := h.keys[who]; key != nil {
		c.Auth = append(c.Auth, ssh.PublicKeys(key))
	}
	conn, channels, requests, err := ssh.NewClientConn(near, h.Addr(), c)
	if err != nil {
		near.Close()
		return nil, fmt.Errorf("%w; told %q", err, banner)
	}
	client := ssh.NewClient(conn, channels, requests)
	h.t.Cleanup(func() { client.Close() })
	return client, nil
}

// screen is a session's terminal.
type screen struct {
	*ssh.Session
	h     *house
	in    io.WriteCloser
	out   written
	said  written
	ended chan error
}

// open opens the console with a window of 100 by 30.
func (h *house) open(who string) *screen {
	h.t.Helper()
	client, err := h.connect(who)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.session(client)
}

func (h *house) session(client *ssh.Client) *screen {
	h.t.Helper()
	session, err := client.NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	s := &screen{Session: session, h: h, ended: make(chan error, 1)}
	session.Stdout, session.Stderr = &s.out, &s.said
	if s.in, err = session.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	if err := session.RequestPty("xterm-256color", 30, 100, ssh.TerminalModes{}); err != nil {
		h.t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		h.t.Fatal(err)
	}
	go func() { s.ended <- session.Wait() }()
	return s
}

// until waits for something; generous, only a failure takes that long.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s", what)
		}
	}
}

func (s *screen) shows(text string) {
	s.h.t.Helper()
	defer func() {
		if s.h.t.Failed() {
			s.h.t.Logf("the screen got %.3000q and %q; the log: %s", s.out.text(), s.said.text(),
				s.h.log.text())
		}
	}()
	until(s.h.t, fmt.Sprintf("%q on the screen", text),
		func() bool { return strings.Contains(s.out.text(), text) })
}

func (s *screen) press(keys string) {
	s.h.t.Helper()
	if _, err := io.WriteString(s.in, keys); err != nil {
		s.h.t.Fatal(err)
	}
}

// leaves waits for the end and gives the exit code.
func (s *screen) leaves() int {
	s.h.t.Helper()
	select {
	case err := <-s.ended:
		var exit *ssh.ExitError
		if errors.As(err, &exit) {
			return exit.ExitStatus()
		}
		if err != nil {
			s.h.t.Errorf("the session ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		s.h.t.Fatal("the session does not end")
	}
	return 0
}

func TestAnOperatorSteersAndIsNamedInTheLog(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, nil)
	s := h.open("alice")
	s.shows("operator")
	s.press(" ")
	until(t, "the command", func() bool {
		return slices.ContainsFunc(h.backend.Done(),
			func(c sim.Command) bool { _, ok := c.(sim.SetState); return ok })
	})
	events := h.backend.Snapshot().Events
	if last := events[len(events)-1]; last.Who != "ssh alice" {
		t.Errorf("the log says %+v", last)
	}
	s.press("q")
	if code := s.leaves(); code != 0 || s.said.text() != "" {
		t.Errorf("leaving: exit code %d, %q", code, s.said.text())
	}
	if out := s.out.text(); !strings.Contains(out, "\x1b[?1049h") || !strings.Contains(out, "\x1b[?1049l") {
		t.Error("the second screen was not entered and left")
	}
}

func TestAViewerChangesNothingWhateverIsPressed(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	tape, always := &recording{}, func() bool { return true }
	h := newHouse(t, func(c *Config) { c.Console.Capabilities.Recorder = tape })
	s := h.open("bob")
	s.shows("viewer")
	every := " .,bX\x12W+-ndnuepDRz?/#"
	for range 3 {
		for _, key := range every {
			s.press(string(key))
			s.press("\x1b")
			time.Sleep(60 * time.Millisecond) // an escape is one when nothing follows
		}
	}
	for _, c := range h.backend.Done() {
		switch c.(type) {
		case sim.ListSpawnables, sim.ListWorlds:
		default:
			t.Errorf("a viewer's console did %#v", c)
		}
	}
	for _, c := range []sim.Command{sim.SetState{}, sim.Spawn{}, sim.Delete{}, sim.Reset{},
		sim.SetEntityState{}, sim.StepWorld{}, sim.LoadWorld{}, sim.SetPacing{},
		sim.DriveEntity{}, sim.DriveCar{}, sim.SetJoint{}, sim.UnloadWorld{}, sim.SetEntityInfo{},
		sim.SetEntityInfos{}, sim.SpawnBatch{}, sim.Rewind{}, sim.CancelSteps{}, sim.BeginLoad{}} {
		if _, err := (readOnlyBackend{h.backend, always}).Do(t.Context(), c); !errors.Is(err,
			sim.ErrUnsupported) {
			t.Errorf("a viewer's backend does %T: %v", c, err)
		}
	}
	_, err := (readOnlyRecorder{tape, always}).Start(t.Context(), sim.RecordingScope{})
	if !errors.Is(err, sim.ErrUnsupported) {
		t.Errorf("a viewer's recorder starts: %v", err)
	}
	if _, err := (readOnlyRecorder{tape, always}).Stop(t.Context()); !errors.Is(err, sim.ErrUnsupported) ||
		tape.asked.Load() != 0 {
		t.Errorf("a viewer's recorder stops: %v; %d asked", err, tape.asked.Load())
	}
	h.open("alice").press("R\r")
	until(t, "an operator's recording", func() bool { return tape.asked.Load() == 1 })
}

// recording counts how often one was asked for.
type recording struct {
	sim.RecordingControl
	asked atomic.Int32
}

func (r *recording) State() sim.Recording { return sim.Recording{} }

func (r *recording) Topics() ([]string, string) { return nil, "" }

func (r *recording) Start(context.Context, sim.RecordingScope) (string, error) {
	r.asked.Add(1)
	return "", nil
}

func TestWhoHasNoKeyOfTheFileIsRefusedAndTold(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, nil)
	_, err := h.connect("eve")
	if err == nil || !strings.Contains(err.Error(),
		ssh.FingerprintSHA256(h.keys["eve"].PublicKey())+" is not in the file of keys") {
		t.Errorf("eve: %v", err)
	}
	_, err = h.connect("", ssh.Password("secret"),
		ssh.KeyboardInteractive(func(_, _ string, q []string, _ []bool) ([]string,
			error) {
			return make([]string, len(q)), nil
		}))
	if err == nil {
		t.Error("a password lets in")
	}
	until(t, "the log of it", func() bool { return strings.Contains(h.log.text(), "login refused") })
}

func TestAKeyThatIsAddedOrTakenAwayCountsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	h := newHouse(t, nil)
	write := func(who string) {
		if err := os.WriteFile(h.c.Keys, []byte(keyLine("", h.keys[who], who)+"# "+who+"\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("eve")
	if _, err := h.connect("eve"); err != nil {
		t.Errorf("eve was added: %v", err)
	}
	if _, err := h.connect("alice"); err == nil {
		t.Error("alice was taken away and enters")
	}
	if err := os.Remove(h.c.Keys); err != nil {
		t.Fatal(err)
	}
	if _, err := h.connect("eve"); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("without a file: %v", err)
	}
}

func TestNothingButTheConsoleIsToBeHad(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	h := newHouse(t, nil)
	client, err := h.connect("alice")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Dial("tcp", "127.0.0.1:22"); err == nil {
		t.Error("a port is forwarded")
	}
	if _, err := client.Listen("tcp", "127.0.0.1:0"); err == nil {
		t.Error("a port is forwarded back")
	}
	for _, c := range []struct {
		what string
		do   func(*ssh.Session) error
		want string
	}{
		{"a command", func(s *ssh.Session) error { return s.Run("ls") }, "remote commands are not supported"},
		{"a shell without a terminal", func(s *ssh.Session) error { return errors.Join(s.Shell(), s.Wait()) },
			"needs a terminal"},
		{"a subsystem", func(s *ssh.Session) error { return s.RequestSubsystem("sftp") }, ""},
	} {
		s, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		var said written
		s.Stderr = &said
		if err := c.do(s); err == nil || !strings.Contains(said.text(), c.want) {
			t.Errorf("%s: %v, %q", c.what, err, said.text())
		}
		s.Close()
	}
	for _, name := range []string{"auth-agent-req@openssh.com", "x11-req"} {
		s, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := s.SendRequest(name, true, nil); ok || err != nil {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
		s.Close()
	}
}

func TestTheConsoleFollowsTheWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, nil)
	s := h.open("alice")
	s.shows("operator")
	if err := s.WindowChange(5, 20); err != nil {
		t.Fatal(err)
	}
	s.shows("too small")
}

func TestManyLookAtOneSimulationAndNoMoreThanMay(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, func(c *Config) { c.Sessions = 2 })
	first, second := h.open("alice"), h.open("bob")
	first.shows("operator")
	second.shows("viewer")
	if here := h.logins.beside(nil); !slices.Equal(here, []string{"alice", "bob (viewer)"}) {
		t.Errorf("here are %q", here)
	}
	first.press("5z")
	first.shows("bob (viewer)")
	third := h.open("bob")
	if code := third.leaves(); code != 1 ||
		!strings.Contains(third.said.text(), "the maximum number of consoles is open (2)") {
		t.Errorf("a third: exit code %d, %q", code, third.said.text())
	}
	fourth := h.open("alice")
	if code := second.leaves(); code != 1 || !strings.Contains(second.said.text(), "an operator logged in") {
		t.Errorf("a viewer, when an operator comes: exit code %d, %q", code, second.said.text())
	}
	fourth.shows("operator")
	fifth := h.open("alice")
	if code := fifth.leaves(); code != 1 ||
		!strings.Contains(fifth.said.text(), "the maximum number of consoles is open (2)") {
		t.Errorf("an operator among operators: exit code %d, %q", code, fifth.said.text())
	}
	first.press("q")
	first.leaves()
	until(t, "a place", func() bool { return len(h.logins.beside(nil)) == 1 })
	h.open("bob").shows("viewer")
}

func TestWhoPressesNoKeyIsSentAway(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, func(c *Config) { c.Idle = 300 * time.Millisecond })
	s := h.open("alice")
	if code := s.leaves(); code != 1 || !strings.Contains(s.said.text(), "idle for too long") {
		t.Errorf("exit code %d, %q", code, s.said.text())
	}
	if !strings.Contains(s.out.text(), "\x1b[?1049l") {
		t.Error("the terminal was not put back")
	}
}

func TestWhenTheSimulatorEndsTerminalsAreAsTheyWere(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, nil)
	s := h.open("alice")
	s.shows("operator")
	h.leave()
	if code := s.leaves(); code != 1 || !strings.Contains(s.said.text(), "the simulator has quit") ||
		!strings.Contains(s.out.text(), "\x1b[?1049l") {
		t.Errorf("exit code %d, %q", code, s.said.text())
	}
}
