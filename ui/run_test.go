package ui_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// terminal is a pseudo terminal that answers nothing, and what was written to
// it.
type terminal struct {
	tty, host *os.File
	mu        sync.Mutex
	out       bytes.Buffer
	before    *term.State
	done      chan error
	stopped   atomic.Bool // it reads nothing more
}

func (t *terminal) read() {
	buf := make([]byte, 1<<16)
	for !t.stopped.Load() {
		n, err := t.host.Read(buf)
		t.mu.Lock()
		t.out.Write(buf[:n])
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.String()
}

// start runs the console on a silent terminal of 120 by 40 cells.
func start(t *testing.T, ctx context.Context, backend sim.Backend, environ ...string) *terminal {
	t.Helper()
	return startWith(t, ctx, backend, func(c *ui.Config) { c.Environ = append(c.Environ, environ...) })
}

// startWith is start with another configuration.
func startWith(t *testing.T, ctx context.Context, backend sim.Backend, change func(*ui.Config)) *terminal {
	t.Helper()
	host, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	// Neither is closed: a console that was killed does not wait for its
	// reader, which may hold on to tty until the process ends.
	if err := pty.Setsize(host, &pty.Winsize{Cols: 120, Rows: 40}); err != nil {
		t.Fatal(err)
	}
	p := &terminal{tty: tty, host: host, done: make(chan error, 1)}
	if p.before, err = term.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	go p.read()
	c := ui.Config{Backend: backend, Keymap: shipped(t), Input: tty, Output: tty,
		Environ: []string{"TERM=xterm-256color"}}
	change(&c)
	go func() { p.done <- ui.Run(ctx, c) }()
	return p
}

// shows waits until the terminal was sent a text.
func (p *terminal) shows(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(p.text(),
		text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the terminal never showed %q; it got %q", text, p.text())
		}
	}
}

// showsAfter waits for a text behind the first place where another stands.
func (p *terminal) showsAfter(t *testing.T, first, text string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, behind, _ := strings.Cut(p.text(), first); strings.Contains(behind, text) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the terminal never showed %q after %q; it got %q", text, first, p.text())
		}
	}
}

// restored waits for the console's end and checks what it left behind.
func (p *terminal) restored(t *testing.T) error {
	t.Helper()
	var err error
	select {
	case err = <-p.done:
	case <-time.After(2 * time.Minute):
		t.Fatal("the console does not end")
	}
	after, stateErr := term.GetState(p.tty.Fd())
	if stateErr != nil {
		t.Fatal(stateErr)
	}
	if *after != *p.before {
		t.Error("the terminal's modes are not as they were")
	}
	// screen, cursor, mouse, paste
	for _, off := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?1002l", "\x1b[?2004l"} {
		p.shows(t, off)
	}
	return err
}

func TestTheTerminalIsGivenBackHoweverTheConsoleEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	ends := map[string]func(backend *uitest.Backend, p *terminal, cancel func()){
		"key":          func(_ *uitest.Backend, p *terminal, _ func()) { p.host.WriteString("q") },
		"ctrl-c":       func(_ *uitest.Backend, p *terminal, _ func()) { p.host.WriteString("\x03") },
		"signal":       func(_ *uitest.Backend, _ *terminal, cancel func()) { cancel() },
		"engine's end": func(backend *uitest.Backend, _ *terminal, _ func()) { backend.Close() },
		"engine's state": func(backend *uitest.Backend, _ *terminal, _ func()) {
			backend.Do(context.Background(), sim.SetState{State: sim.Quitting})
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			backend := uitest.Room()
			p := start(t, ctx, backend)
			p.shows(t, "burger_1")
			end(backend, p, cancel)
			if err := p.restored(t); err != nil {
				t.Errorf("the console ended with %v", err)
			}
		})
	}
}

// broken is a backend that panics when it is asked to do something.
type broken struct{ *uitest.Backend }

func (broken) Do(context.Context, sim.Command) (sim.Reply, error) { panic("broken on purpose") }

// blind is a backend whose picture cannot be drawn.
type blind struct {
	*uitest.Backend
	after *atomic.Int32
}

func (b blind) Snapshot() *sim.Snapshot {
	if b.after.Add(-1) < 0 {
		return &sim.Snapshot{} // without a Model, which no backend may give
	}
	return b.Backend.Snapshot()
}

func TestAPictureThatCannotBeDrawnEndsTheConsoleInOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	var after atomic.Int32
	after.Store(10)
	p := start(t, t.Context(), blind{uitest.Room(), &after})
	var crash *ui.Crash
	if err := p.restored(t); !errors.As(err, &crash) {
		t.Errorf("it ended as %v", err)
	}
}

func TestTheTerminalIsGivenBackAfterAPanic(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	p := start(t, t.Context(), broken{uitest.Room()})
	p.shows(t, "burger_1")
	p.host.WriteString(" ")
	var crash *ui.Crash
	if err := p.restored(t); !errors.As(err, &crash) || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(string(crash.Stack), "broken.Do") {
		t.Errorf("a panic ended as %v, want one line and the stack beside it", err)
	}
}

func TestARobotThatIsDrivenStopsWhenTheConsoleEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	ctx, cancel := context.WithCancel(t.Context())
	backend := uitest.Room()
	p := start(t, ctx, backend)
	p.shows(t, "burger_1")
	p.host.WriteString("Dw")
	for end := time.Now().Add(20 * time.Second); len(backend.Done()) == 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	if err := p.restored(t); err != nil {
		t.Fatal(err)
	}
	done := backend.Done()
	if got, ok := done[len(done)-1].(sim.DriveEntity); !ok || got != (sim.DriveEntity{Name: "burger_1"}) {
		t.Errorf("the last command is %#v, want a stop", done[len(done)-1])
	}
}

// TestTheFirstFrameWaitsForNoAnswer also holds on lines and terminals that
// answer nothing: what asks comes after the first frame.
func TestTheFirstFrameWaitsForNoAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	begin := time.Now()
	p := start(t, t.Context(), uitest.Room())
	p.shows(t, "burger_1")
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("the first frame took %v", took)
	}
	p.shows(t, "\x1b[?2026$p")
	text := p.text()
	first := strings.Index(text, "burger_1")
	for _, query := range []string{"\x1b[?2026$p", "\x1b[?2027$p", "\x1b]11;?", "\x1b]10;?", "\x1b[c",
		"\x1b[6n"} {
		if i := strings.Index(text, query); i >= 0 && i < first {
			t.Errorf("the terminal was asked %q before the first frame", query)
		}
	}
	p.host.WriteString("q")
	if err := p.restored(t); err != nil {
		t.Error(err)
	}
}

func TestNoColourMeansNoColourWhateverTheValue(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	for environ, coloured := range map[string]bool{"NO_COLOR=1": false, "NO_COLOR=yes": false,
		"NO_COLOR=": true} {
		p := start(t, t.Context(), uitest.Room(), environ)
		p.shows(t, "burger_1")
		p.host.WriteString("q")
		if err := p.restored(t); err != nil {
			t.Error(err)
		}
		if c := regexp.MustCompile(`\x1b\[([0-9]+;)*(3[0-8]|4[0-8]|9[0-7])(;[0-9]+)*m`).
			FindString(p.text()); (c != "") != coloured {
			t.Errorf("%s: the terminal was sent the colour %q", environ, c)
		}
		if !strings.Contains(p.text(), "\x1b[7m") && !strings.Contains(p.text(), ";7m") {
			t.Errorf("%s: the selected row is not reversed", environ)
		}
	}
}

func TestWhatIsCopiedGoesToTheTerminalsClipboard(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	p := start(t, ctx, uitest.Room())
	p.shows(t, "burger_1")
	if _, err := p.host.WriteString("gy"); err != nil {
		t.Fatal(err)
	}
	p.shows(t, "Copied")
	sent := regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]+)[\x07\x1b]`).FindStringSubmatch(p.text())
	if sent == nil {
		t.Fatalf("no OSC 52 in %q", p.text())
	}
	text, err := base64.StdEncoding.DecodeString(sent[1])
	if want := "barrel: {position: {x: "; err != nil || !strings.HasPrefix(string(text), want) {
		t.Errorf("copied %q, %v, want %q…", text, err, want)
	}
	stop()
	if err := <-p.done; err != nil {
		t.Error(err)
	}
}
