package record

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// seekPoint is a state in a recording.
type seekPoint struct {
	offset int64 // of its line
	line   int
	at     uint64
	age    uint64 // steps that were done and not taken back
	time   time.Duration
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
		if m, err = p.from.lastState(file, p.From, p.Until); err != nil {
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
func (r *Reader) lastState(file io.ReadSeeker, from, until time.Duration) (*seekPoint, error) {
	var marks []seekPoint
	var undone uint64 // steps that were taken back
	step, reached := r.Header.StepSize, false
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
			if step = h.Step; ok && !reached && h.Time <= from {
				marks = append(marks, seekPoint{offset, r.line, h.At, h.At - undone, h.Time})
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
		if back, is := e.Command.(sim.Rewind); is && e.Refused == "" && step > 0 {
			age := rewound(e.At-undone, back.Back, step)
			undone = e.At - age
			marks = upTo(marks, age)
		}
	}
	if len(marks) == 0 {
		return nil, nil
	}
	return &marks[len(marks)-1], nil
}

// rewound is the age to which a rewind by a time leads.
func rewound(age uint64, back, step time.Duration) uint64 {
	if back < 0 { // forward again
		return age + uint64(-back/step)
	}
	return age - uint64((back+step-1)/step)
}

// upTo are the states of at most an age.
func upTo(all []seekPoint, age uint64) []seekPoint {
	for len(all) > 0 && all[len(all)-1].age > age {
		all = all[:len(all)-1]
	}
	return all
}
