package record

import (
	"errors"
	"io"
	"time"

	"simdeck/sim"
)

// survey is the content of a recording, without its worlds.
type survey struct {
	seekPoints
	length uint64      // steps that the engine had done at its end
	deeds  []happening // in their order
}

// happening is a command in a recording, as the log shows it.
type happening struct {
	at    uint64 // steps
	event sim.Event
	mark  sim.MarkKind
	shown bool // has a mark
}

// look reads a recording to its end, or to the first line that cannot be read: a player ends there as well.
func (r *Reader) look() (survey, error) {
	s := survey{seekPoints: seekPoints{stepSize: r.Header.StepSize}, length: r.Header.Steps}
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
				s.add(&h, offset, r.line)
			}
			continue
		}
		e, err := ParseEntry(text)
		if err != nil {
			return s, nil
		}
		s.length = max(s.length, e.At+uint64(len(e.Hashes)))
		s.addDeed(&e)
		s.follow(&e)
	}
}

// addDeed adds an entry as the log and the time strip show it.
func (s *survey) addDeed(e *Entry) {
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

// marks are the marks of the time strip. A deed is marked a step before it, so that it happens when the playback
// goes on from there.
func (s *survey) marks(first uint64, step time.Duration) (all []sim.Mark) {
	for i := range s.deeds {
		if d := &s.deeds[i]; d.shown {
			all = append(all, sim.Mark{At: time.Duration(max(d.at, first+1)-first-1) * step, Kind: d.mark,
				Text: d.event.Text})
		}
	}
	return all
}
