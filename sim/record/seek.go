package record

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// seekPoint is a state in a recording.
type seekPoint struct {
	offset int64 // of its line
	line   int
	at     uint64
	age    uint64 // steps that were done and not rewound
	time   time.Duration
}

// seekPoints are the states of a recording, in their order, from which everything after them can be done.
type seekPoints struct {
	all      []seekPoint
	undone   uint64        // steps that were rewound
	stepSize time.Duration // 0: unknown
}

// add adds the state of a line, which begins at an offset.
func (s *seekPoints) add(h *stateLine, offset int64, line int) {
	s.stepSize = h.Step
	s.all = append(s.all, seekPoint{offset, line, h.At, h.At - s.undone, h.Time})
}

// follow drops the states that an entry goes back behind.
func (s *seekPoints) follow(e *Entry) {
	c, is := e.Command.(sim.Rewind)
	if !is || e.Refused != "" || s.stepSize <= 0 {
		return
	}
	age := c.Target(0, e.At-s.undone, math.MaxUint64, s.stepSize)
	s.undone = e.At - age
	for len(s.all) > 0 && s.all[len(s.all)-1].age > age {
		s.all = s.all[:len(s.all)-1]
	}
}

// before is the last state of at most so many steps; nil: there is none.
func (s *seekPoints) before(at uint64) *seekPoint {
	for i := len(s.all) - 1; i >= 0; i-- {
		if s.all[i].at <= at {
			return &s.all[i]
		}
	}
	return nil
}

// leap goes on at the last state before From from which the rest can be done, instead of doing everything
// from the beginning. Without one, or where it cannot be taken up, nothing has changed.
func (p *Player) leap(ctx context.Context) error {
	file, ok := p.from.from.(io.ReadSeeker)
	if !ok || p.From <= 0 && p.start == nil {
		return nil
	}
	here, m := *p.from, p.start
	if m == nil {
		var err error
		if m, err = p.from.lastState(p.From, p.Until); err != nil {
			return err
		}
	}
	if m != nil && p.takeUp(ctx, file, m) {
		return nil
	}
	*p.from = here
	return p.from.goTo(file, here.read, here.line)
}

// goTo lets a reader go on at the line that begins at an offset, after so many lines.
func (r *Reader) goTo(file io.Seeker, offset int64, lines int) error {
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	r.scan, r.read, r.line, r.Cut = bufio.NewReaderSize(r.from, 1<<16), offset, lines, false
	return nil
}

// takeUp makes the world of a state; false where that does not go well, and the player is as it was.
func (p *Player) takeUp(ctx context.Context, file io.Seeker, m *seekPoint) bool {
	if p.from.goTo(file, m.offset, m.line-1) != nil {
		return false
	}
	e, err := p.from.Next()
	if err != nil || e.State == nil {
		return false
	}
	o := p.from.Header.Options()
	o.Start = sim.RecordPosition{Steps: e.At, ID: e.State.LastID}
	w, err := engine.NewWorld(o)
	if err == nil {
		_, err = w.Apply(*e.State, p.read(ctx, *e.State, e.Sender))
	}
	if err != nil {
		return false
	}
	p.World, p.did.Leapt = w, e.At
	return true
}

// lastState is the last state before the time from is reached, unless what follows until the time until goes
// back behind it. It reads a line of steps or a state only as far as it must.
func (r *Reader) lastState(from, until time.Duration) (*seekPoint, error) {
	s, reached := seekPoints{stepSize: r.Header.StepSize}, false
	for {
		offset := r.read
		text, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if isState(text) {
			h, ok := parseStateHead(text)
			switch {
			case ok && !reached && h.Time <= from:
				s.add(&h, offset, r.line)
			case ok:
				s.stepSize = h.Step
			}
			reached = reached || h.Time >= from
			continue
		}
		if bytes.Contains(text[:min(len(text), 64)], []byte(`"steps":`)) {
			continue
		}
		e, err := ParseEntry(text)
		if err != nil {
			break // the player comes to that line too, or not
		}
		reached = reached || e.Time >= from
		if until > 0 && reached && e.Time >= until {
			break
		}
		s.follow(&e)
	}
	return s.before(math.MaxUint64), nil
}
