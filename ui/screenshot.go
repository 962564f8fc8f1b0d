package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui/canvas"
	"simdeck/ui/keymap"
	"simdeck/ui/theme"
)

// Screenshot writes the frame that a console of width by height cells shows after some actions. Formats:
// "svg" and "png" are pictures, "txt" is text, "ansi" is text with colours. Actions that wait for an answer
// show none.
func Screenshot(c Config, width, height int, actions []string, format string, w io.Writer) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	m.window.resize(width, height)
	m.pics.mosaic = canvas.Quadrant // that terminals which show a file have
	if format == "png" || format == "svg" {
		m.pics.mosaic = canvas.Octant // drawn as shapes
	}
	for _, id := range actions {
		if why := m.disabledReason(id); why != "" {
			return fmt.Errorf("ui: %s: %s; simdeck keys lists the actions", id, why)
		}
		m.run(id)
	}
	m.screen.draw()
	switch format {
	case "txt":
		_, err = fmt.Fprintln(w, m.screen.cells.Plain())
	case "png":
		err = m.screen.cells.PNG(w, m.screen.theme)
	case "ansi":
		_, err = fmt.Fprintln(w, m.screen.cells.Styled(m.screen.theme))
	default:
		err = m.screen.cells.SVG(w, m.screen.theme)
	}
	if err != nil {
		return fmt.Errorf("ui: drawing a frame: %w", err)
	}
	return nil
}

// ErrAction says that there is no action of a name.
var ErrAction = errors.New("no such action")

// CheckShot checks a request for a picture after some actions, or with a Length for a video, without a world.
// Errors wrap ErrAction or ErrVideo.
func CheckShot(ids []string, v VideoRequest, keys *keymap.Map) error {
	if v.Length != 0 {
		return v.check(keys)
	}
	known := actions()
	for _, id := range ids {
		if !slices.ContainsFunc(known, func(a action) bool { return a.id == id }) {
			return fmt.Errorf("press %s: %w; simdeck keys lists the actions", id, ErrAction)
		}
	}
	return nil
}

// VideoRequest is the request for a video of a console.
type VideoRequest struct {
	Width, Height int           // cells
	After         time.Duration // simulated time at which it begins
	Length        time.Duration // on the wall
	// words with blanks between, for keys during the run. An action's name, or a key as keymap.yaml names it,
	// is pressed for a frame; KEY:2s is held for two seconds; 2s waits
	Press string
	// Progress is told how many of the frames have been taken; nil: nobody.
	Progress func(done, of int)
}

// videoPeriod is the time from one frame of a video to the next, and of a pressed key to the next one.
const videoPeriod = 100 * time.Millisecond

// mostVideo bounds the length of a video: its frames are kept until it is written.
const mostVideo = 2 * time.Minute

// ErrVideo says that a video was asked for which cannot be.
var ErrVideo = errors.New("video")

// check reports why there can be no video. Errors wrap ErrVideo.
func (v VideoRequest) check(keys *keymap.Map) error {
	if v.Length < videoPeriod || v.Length > mostVideo {
		return fmt.Errorf("%w: length %s: want %s to %s", ErrVideo, v.Length, videoPeriod, mostVideo)
	}
	_, err := parsePresses(v.Press, keys)
	return err
}

// Video runs a console and writes what it shows as a GIF. The keys that are pressed are shown on the lower
// border of the panes.
func Video(ctx context.Context, c Config, v VideoRequest, w io.Writer) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	if err := v.check(m.keys); err != nil {
		return err
	}
	r := &reel{m: m, request: v}
	r.presses, _ = parsePresses(v.Press, m.keys) // it was checked
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.ctx = ctx
	m.window.resize(v.Width, v.Height)
	m.pics.mosaic = canvas.Octant
	m.feed.subscribe()
	defer m.feed.unsubscribe()
	r.program = tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard),
		tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithWindowSize(v.Width, v.Height),
		tea.WithFilter(r.filter))
	begin := time.AfterFunc(0, func() { r.program.Send(exposeMsg{}) })
	defer begin.Stop()
	if _, err := r.program.Run(); err != nil {
		return errors.Join(context.Cause(ctx), broken(ctx, err))
	}
	if m.crash != nil {
		return m.crash
	}
	return canvas.GIF(w, m.screen.theme, r.frames, videoPeriod)
}

// reel takes the frames of a video from a console that runs.
type reel struct {
	m       *Model
	program *tea.Program
	request VideoRequest
	presses []keyDue // that are still to come, in their order
	frames  []*canvas.CellBuffer
	caption string // the key that was pressed last
	shown   int    // frames for which the caption still stands
}

// keyDue is a key of a video.
type keyDue struct {
	at   time.Duration // from the video's begin
	name string
	key  tea.KeyPressMsg
}

// exposeMsg asks for a frame.
type exposeMsg struct{}

// filter takes the frames, in the goroutine of the console.
func (r *reel) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(exposeMsg); !ok {
		return msg
	}
	if r.m.cfg.Backend.Snapshot().Time >= r.request.After {
		r.expose()
	}
	at := time.Duration(len(r.frames)) * videoPeriod
	if at >= r.request.Length {
		return tea.QuitMsg{}
	}
	var due []tea.Msg
	for len(r.frames) > 0 && len(r.presses) > 0 && r.presses[0].at <= at {
		due = append(due, r.presses[0].key)
		r.caption, r.shown, r.presses = r.presses[0].name, int(time.Second/videoPeriod), r.presses[1:]
	}
	time.AfterFunc(videoPeriod, func() {
		for _, msg := range append(due, exposeMsg{}) {
			r.program.Send(msg)
		}
	})
	return nil
}

// expose keeps the frame that the console shows now.
func (r *reel) expose() {
	r.m.screen.draw()
	frame := r.m.screen.cells.Clone()
	if r.shown > 0 {
		r.shown--
		w, h := frame.Size() // the lower border of the panes: the header says more than it does
		text := " " + r.caption + " "
		frame.All().Text((w-canvas.TextWidth(text))/2, max(0, h-2), text, theme.Chosen)
	}
	r.frames = append(r.frames, frame)
	if r.request.Progress != nil {
		r.request.Progress(len(r.frames), int(r.request.Length/videoPeriod))
	}
}

// parsePresses reads what is pressed during a video.
func parsePresses(text string, keys *keymap.Map) (all []keyDue, err error) {
	var at time.Duration
	for _, word := range strings.Fields(text) {
		if wait, err := time.ParseDuration(word); err == nil && wait > 0 {
			at += wait
			continue
		}
		name, held := word, videoPeriod
		if before, after, ok := strings.Cut(word, ":"); ok && before != "" {
			if held, err = time.ParseDuration(after); err != nil || held < videoPeriod || held > mostVideo {
				return nil, fmt.Errorf("%w: press %q: %q is no time to hold a key; want %s to %s", ErrVideo,
					word, after, videoPeriod, mostVideo)
			}
			name = before
		}
		if bound := keys.Keys(name); len(bound) > 0 {
			name = bound[0]
		}
		press, ok := KeyPress(name)
		if !ok {
			return nil, fmt.Errorf("%w: press %q is neither a key, an action with a key, nor a time; see simdeck keys",
				ErrVideo, word)
		}
		for end := at + held; at < end; at += videoPeriod {
			all = append(all, keyDue{at, name, press})
		}
	}
	return all, nil
}
