package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"simdeck/sim"
	"simdeck/ui/dialog"
)

// line is the connection to the terminal: open questions, and the round trip of a frame.
//
// Terminals answer in the order of their input, and all of them answer a question for their device
// attributes. That answer therefore confirms all input before it. On a slow line the next frame waits for it:
// otherwise old frames fill the buffers, and a key takes seconds to show. Leaving waits for it too: later
// answers would appear in the shell.
type line struct {
	m      *Model
	asks   bool // there is a terminal that may be asked what it can do
	frames int  // shown so far
	// frames wait for such an answer, once there was one; where Config.FlowControl waits, they need not
	far      bool
	asked    int // questions that end with device attributes
	answered int
	since    time.Time     // when the last was asked
	all      chan struct{} // closed when all are answered; nil: all are
	drawn    int           // frames, when the last was asked
	trip     time.Duration // of a frame to the terminal and its answer back, smoothed; 0: not known
	best     time.Duration // the shortest of late
	height   int           // of the picture that is shown, in rows; 0: none
	rows     int           // of it that a frame may renew, so that it takes no longer; 0: all
}

// Limits of waiting for answers.
const (
	answersWithin = 5 * time.Second        // then there are none: frames wait no more
	partingWithin = time.Second            // when leaving
	longFrame     = 100 * time.Millisecond // beyond the best: pictures become cheaper
	shortFrame    = 40 * time.Millisecond  // beyond the best: they may be dearer
	slowPicture   = 400 * time.Millisecond // beyond the best: none in the terminal's own points
	slowTrip      = 50 * time.Millisecond  // from here on the header tells of it
	leastRows     = 2
)

// ask is a question to the terminal, with one for its attributes behind it.
func (l *line) ask(question string, now time.Time) tea.Cmd {
	l.asked++
	l.since = now
	if l.all == nil {
		l.all = make(chan struct{})
	}
	return tea.Raw(question + ansi.RequestPrimaryDeviceAttributes)
}

// answer takes the attributes.
func (l *line) answer() {
	if l.answered++; l.answered >= l.asked && l.all != nil {
		l.answered = l.asked
		close(l.all)
		l.all = nil
	}
}

// silent gives up waiting for answers.
func (l *line) silent() {
	l.far = false
	l.answered = l.asked - 1
	l.answer()
}

// took takes the round trip of a frame. It decides how many of a picture's h rows the next frame may renew.
func (l *line) took(d time.Duration, h int) (slow bool) {
	l.smooth(d)
	more := d - l.best
	switch {
	case h != l.height: // begin with little: a key may come next
		l.height, l.rows = h, h/4
	case more > longFrame && h > 0:
		if l.rows == 0 {
			l.rows = h
		}
		l.rows = max(leastRows, l.rows/2)
	case more < shortFrame && l.rows > 0:
		if l.rows += 1 + l.rows/8; l.rows >= h {
			l.rows = 0
		}
	}
	return more > slowPicture
}

// smooth takes the round trip of a frame into the mean, and into the shortest.
func (l *line) smooth(d time.Duration) {
	if l.best += (d - l.best) / 64; l.trip == 0 || d < l.best {
		l.best = d
	}
	if l.trip == 0 {
		l.trip = d
	}
	l.trip += (d - l.trip) / 4
}

// frameDueMsg says that it is time for the next frame, if the terminal has read
// the last.
type frameDueMsg struct{}

// onFrameDue asks whether the last frame was read, and waits for the answer.
func (l *line) onFrameDue() tea.Cmd {
	if l.m.leaving || l.drawn == l.m.screen.draws {
		return l.awaitNews(nil, false)
	}
	l.drawn = l.m.screen.draws
	return tea.Batch(l.ask("", l.m.cfg.Now()), l.awaitNews(l.all, true))
}

// awaitNews waits until the terminal has read its input, where that is confirmed, and then for news of the
// world. Both waits have a limit.
func (l *line) awaitNews(read <-chan struct{}, measured bool) tea.Cmd {
	ctx, sub, idle, began := l.m.ctx, l.m.feed.sub, l.m.feed.idle(), time.Now()
	if l.m.keyboard.held {
		sub = nil
	}
	return func() tea.Msg {
		frame := frameMsg{}
		if read != nil {
			late := time.NewTimer(answersWithin)
			defer late.Stop()
			select {
			case <-ctx.Done():
				return endMsg{}
			case <-read:
			case <-late.C:
				frame.silent = true
			}
		}
		if measured {
			frame.took = time.Since(began)
		}
		return news(ctx, sub, idle, frame)
	}
}

// leave leaves, and asks before where others lose by it.
func (m *Model) leave() tea.Cmd {
	if ends := m.around.ends(); m.cfg.EndsAll && len(ends) > 0 && !m.leaving {
		return m.dialogs.push(dialog.NewQuit(m.keys.Keys("app.quit"), ends...))
	}
	return m.part()
}

// part leaves, when what the terminal was asked is answered.
func (m *Model) part() tea.Cmd {
	if m.leaving || m.line.all == nil || m.cfg.Now().Sub(m.line.since) > partingWithin {
		return tea.Quit
	}
	m.leaving = true
	ctx, all := m.ctx, m.line.all
	return func() tea.Msg {
		late := time.NewTimer(partingWithin)
		defer late.Stop()
		select {
		case <-ctx.Done():
		case <-all:
		case <-late.C:
		}
		return tea.QuitMsg{}
	}
}

// onRead takes how long the terminal took for the last frame.
func (l *line) onRead(f frameMsg) {
	switch {
	case f.silent:
		l.silent()
	case f.took > 0:
		h := 0
		if i := l.m.window.layout.find(cameraPane); l.m.window.visible(cameraPane) {
			h = l.m.window.layout.slots[i].inside().Dy()
		}
		if l.m.camera.Placed() && l.m.pics.flying == 0 { // no picture was measured
			l.smooth(f.took)
			return
		}
		l.m.pics.flying = max(0, l.m.pics.flying-1)
		if l.took(f.took, h) && l.m.pics.shown && l.m.pics.want == "auto" {
			l.m.pics.slow = true
		}
	}
}

// news waits for something new to see, but not for ever.
func news(ctx context.Context, sub *sim.Subscription, idle time.Duration, f frameMsg) tea.Msg {
	if sub == nil {
		return f
	}
	timer := time.NewTimer(idle)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return endMsg{}
	case _, open := <-sub.C():
		if !open {
			return endMsg{sub}
		}
	case <-timer.C:
	}
	return f
}
