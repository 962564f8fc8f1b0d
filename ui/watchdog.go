package ui

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui/escape"
)

// Time limits of a console.
const (
	// to take a message and draw what comes of it; then the terminal gets a notice
	frameMayTake  = 2 * time.Second
	settleMayTake = 500 * time.Millisecond // at the end, until what is being drawn is drawn
)

const (
	mostWaiting   = 64 // messages that wait for a model that is given up
	mostAbandoned = 4  // models of a process that were given up and run on
)

// abandoned counts models that were abandoned and still run. A goroutine cannot be ended from outside, and
// each may keep a processor busy: there are at most mostAbandoned.
var abandoned atomic.Int64

// errAbandoned refuses another console where too many were given up.
var errAbandoned = errors.New(
	"consoles that did not end are still running; restart simdeck to open more")

// watchdog runs a model in a goroutine of its own, between Bubble Tea and the model. A busy model thus keeps
// neither signals nor the quit key from ending the program. A frame that takes too long is given up; the last
// one is shown with a notice until the model answers again. Only that goroutine touches the model.
type watchdog struct {
	inner    tea.Model
	ctx      context.Context
	quits    func(tea.KeyPressMsg) bool // a key that ends the program while the model does not answer
	patience time.Duration
	jobs     chan func() tea.Cmd
	done     chan outcome
	left     chan struct{} // closed when nothing more is to be done
	ended    chan struct{} // closed when the goroutine has ended

	last  outcome   // of the model
	width int       // of the window
	stuck bool      // the model is busy with what was given up
	lost  bool      // it was busy too long, not just when the program ended
	held  []tea.Msg // for when it answers
}

// outcome is the result of a message.
type outcome struct {
	cmd   tea.Cmd
	view  tea.View
	crash *Crash // it panicked
}

// lateOutcome is the result of a message that came too late.
type lateOutcome struct{ outcome }

// watch starts a goroutine for a model, which leaves with w.leave.
func watch(ctx context.Context, m tea.Model, quits func(tea.KeyPressMsg) bool) (*watchdog, error) {
	if abandoned.Load() >= mostAbandoned {
		return nil, errAbandoned
	}
	w := &watchdog{inner: m, ctx: ctx, quits: quits, patience: frameMayTake,
		jobs: make(chan func() tea.Cmd, 1), done: make(chan outcome, 1), left: make(chan struct{}),
		ended: make(chan struct{})}
	go w.work()
	return w, nil
}

// work does what the model is to do, until there is nothing more.
func (w *watchdog) work() {
	defer close(w.ended)
	for {
		select {
		case job := <-w.jobs:
			w.done <- w.outcome(job)
		case <-w.left:
			return
		}
	}
}

// outcome does it. A panic ends the program as the quit key does: the terminal is given back first.
func (w *watchdog) outcome(job func() tea.Cmd) (o outcome) {
	defer func() {
		if v := recover(); v != nil {
			o = outcome{cmd: tea.Quit, crash: &Crash{Value: v, Stack: debug.Stack()}}
		}
	}()
	o.cmd = job()
	o.view = w.inner.View()
	return o
}

// do has the model do something and waits for what comes of it, but not for ever.
func (w *watchdog) do(job func() tea.Cmd) tea.Cmd {
	w.jobs <- job
	late := time.NewTimer(w.patience)
	defer late.Stop()
	select {
	case w.last = <-w.done:
		return w.last.cmd
	case <-w.ctx.Done():
		w.stuck = true
		return tea.Quit
	case <-late.C:
		w.stuck, w.lost = true, true
		return w.await
	}
}

// await waits for what was given up.
func (w *watchdog) await() tea.Msg {
	select {
	case o := <-w.done:
		return lateOutcome{o}
	case <-w.ctx.Done():
		return tea.QuitMsg{}
	}
}

// Init begins with the first frame.
func (w *watchdog) Init() tea.Cmd { return w.do(w.inner.Init) }

// View is the last frame; with a notice where the model does not answer.
func (w *watchdog) View() tea.View {
	v := w.last.view
	v.AltScreen = true
	if w.lost {
		v.Content = w.notice(v.Content)
	}
	return v
}

// notice is a frame with a line of the watchdog's own in place of its last.
func (w *watchdog) notice(frame string) string {
	text := []rune(fmt.Sprintf(
		"! Drawing took more than %v s and was stopped; the simulation continues. q: quit",
		w.patience.Seconds()))
	text = text[:min(len(text), max(w.width, 1))]
	line := "\x1b[0;7m" + escape.Line(string(text)) + strings.Repeat(" ", max(0, w.width-len(text))) +
		"\x1b[0m"
	return frame[:strings.LastIndexByte(frame, '\n')+1] + line
}

// Update gives a message to the model, or keeps it for when the model answers again.
func (w *watchdog) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		w.width = size.Width
	}
	if late, ok := msg.(lateOutcome); ok {
		return w, w.resume(late.outcome)
	}
	if !w.stuck {
		return w, w.do(func() tea.Cmd { return w.take(msg) })
	}
	switch key := msg.(type) {
	case tea.KeyPressMsg:
		if key.String() == "ctrl+c" || key.String() == "q" || w.quits(key) {
			return w, tea.Quit
		}
	case tea.MouseMsg, tea.PasteMsg: // the screen that they were for is long gone
	default:
		if len(w.held) < mostWaiting {
			w.held = append(w.held, msg)
		}
	}
	return w, nil
}

// take is the model's Update, whose model is always the same.
func (w *watchdog) take(msg tea.Msg) tea.Cmd {
	_, cmd := w.inner.Update(msg)
	return cmd
}

// resume goes on with a model that answers again: it gets what was kept for it.
func (w *watchdog) resume(o outcome) tea.Cmd {
	w.last, w.stuck, w.lost = o, false, false
	cmds := []tea.Cmd{o.cmd}
	for len(w.held) > 0 && !w.stuck {
		msg := w.held[0]
		w.held = w.held[1:]
		cmds = append(cmds, w.do(func() tea.Cmd { return w.take(msg) }))
	}
	return tea.Batch(cmds...)
}

// leave ends the goroutine, after the program has ended. It reports whether the model is at rest and may be
// touched; if not, it is left as it is. The error is a crash, of the model or where it was given up and does
// not answer yet.
func (w *watchdog) leave() (rests bool, err error) {
	if !w.stuck {
		close(w.left)
		<-w.ended
		return true, w.last.broke()
	}
	if w.abandon(settleMayTake) {
		return true, nil
	}
	if !w.lost {
		return false, nil
	}
	stacks := make([]byte, 1<<20)
	return false, &Crash{Value: fmt.Sprintf("a frame did not end in %v", w.patience),
		Stack: stacks[:runtime.Stack(stacks, true)]}
}

// abandon ends the goroutine as soon as it does nothing any more, and reports whether that was soon.
func (w *watchdog) abandon(within time.Duration) (ended bool) {
	close(w.left)
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case <-w.ended:
		return true
	case <-late.C:
	}
	abandoned.Add(1)
	context.AfterFunc(w.ctx, func() {
		<-w.ended
		abandoned.Add(-1)
	})
	return false
}

// broke is a panic of the model as an error.
func (o *outcome) broke() error {
	if o.crash == nil {
		return nil
	}
	return o.crash
}
