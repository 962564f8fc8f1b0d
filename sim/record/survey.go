package record

import (
	"errors"
	"io"
	"time"

	"simdeck/sim"
)

// survey is the content of a recording, without its worlds.
type survey struct {
	length uint64      // steps that the engine had done at its end
	states []seekPoint // from which everything after them can be done, in their order
	deeds  []happening // in their order
}

// happening is a command in a recording, as the log shows it.
type happening struct {
	at    uint64 // steps
	event sim.Event
	mark  sim.MarkKind
	shown bool // has a mark
}

// look reads a recording to its end, or to the first line that cannot be read: a player comes there too.
func (r *Reader) look() (survey, error) {
	s := survey{length: r.Header.Steps}
	var undone uint64 // steps that were taken back
	step := r.Header.StepSize
	for {
		offset := r.read
		text, err := r.next()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if isState(text) {
			if h, ok := parseStateHead(text); ok {
				step = h.Step
				s.states = append(s.states, seekPoint{offset, r.line, h.At, h.At - undone, h.Time})
			}
			continue
		}
		e, err := ParseEntry(text)
		if err != nil {
			return s, nil
		}
		s.length = max(s.length, e.At+uint64(len(e.Hashes)))
		s.take(&e)
		if back, is := e.Command.(sim.Rewind); is && e.Refused == "" && step > 0 {
			age := rewound(e.At-undone, back.Back, step)
			undone = e.At - age
			s.states = upTo(s.states, age)
		}
	}
}

// take notes what an entry is for the log and for the time strip.
func (s *survey) take(e *Entry) {
	d := happening{at: e.At, event: sim.Event{Seq: uint64(len(s.deeds) + 1), Time: e.Time, Who: e.Sender}}
	switch {
	case e.Halted:
		d.event.Level, d.event.Text, d.mark, d.shown = sim.Error, "the step failed and paused the world",
			sim.MarkError, true
	case e.Name == "" || e.Command != nil && sim.AtHighRate(e.Command):
		return
	case e.Refused != "":
		d.event.Level, d.event.Text, d.mark, d.shown = sim.Warn, e.Name+" refused: "+e.Refused, sim.MarkWarn,
			true
	default:
		d.event.Text = sim.Describe(e.Command)
		d.shown = !sim.OnlyPaces(e.Command) && !sim.ReplacesWorld(e.Command) &&
			e.Command != sim.Command(sim.SetState{State: sim.Quitting})
	}
	s.deeds = append(s.deeds, d)
}

// before is the last state of at most so many steps; nil: there is none.
func (s *survey) before(at uint64) *seekPoint {
	for i := len(s.states) - 1; i >= 0; i-- {
		if s.states[i].at <= at {
			return &s.states[i]
		}
	}
	return nil
}

// marks are the marks of the time strip. A deed is marked a step before it, so that who goes there sees it
// happen.
func (s *survey) marks(first uint64, step time.Duration) (all []sim.Mark) {
	for i := range s.deeds {
		if d := &s.deeds[i]; d.shown {
			all = append(all, sim.Mark{At: time.Duration(max(d.at, first+1)-first-1) * step, Kind: d.mark,
				Text: d.event.Text})
		}
	}
	return all
}
