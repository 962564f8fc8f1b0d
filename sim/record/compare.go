package record

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"simdeck/sim"
)

// Difference is the first difference of two recordings.
type Difference struct {
	Steps    uint64 // since the engines started, of the worlds before it
	Commands uint64 // that are the same before it
	Lines    [2]int // of the recordings
	A, B     string // the command or step of each
	// the commands and steps up to here are the same, and the worlds differ
	Worlds bool
}

// Compare reads two recordings up to the first command, or step, that differs; nil: there is none. Who sent a command
// makes no difference. An ErrFormat says which line cannot be read.
func Compare(a, b *Reader) (*Difference, error) {
	d := Difference{}
	one, other := items{from: a}, items{from: b}
	for {
		x, err := one.next()
		if err != nil {
			return nil, fmt.Errorf("first recording: %w", err)
		}
		y, err := other.next()
		if err != nil {
			return nil, fmt.Errorf("second recording: %w", err)
		}
		if x.ended && y.ended {
			return nil, nil
		}
		same := x.does(&y)
		if same {
			d.Steps, d.Worlds = x.at, x.hashed && y.hashed && x.hash != y.hash
		}
		if !same || d.Worlds {
			d.A, d.B, d.Lines = x.String(), y.String(), [2]int{a.Line(), b.Line()}
			return &d, nil
		}
		if x.entry != nil {
			d.Commands++
		}
	}
}

// item is a command or a step of a recording, or its end.
type item struct {
	ended  bool
	entry  *Entry // of a command or of a step that failed; nil: a step
	at     uint64 // steps then; of a step with it
	hash   uint64 // of the world after it
	hashed bool
}

// does reports that another item does the same at the same time.
func (x *item) does(y *item) bool {
	if x.ended != y.ended || x.at != y.at || (x.entry == nil) != (y.entry == nil) {
		return false
	}
	if x.entry == nil {
		return true
	}
	p, q := x.entry, y.entry
	return p.Name == q.Name && p.Refused == q.Refused && p.Halted == q.Halted && reflect.DeepEqual(p.Command, q.Command)
}

// String describes the command or step.
func (x *item) String() string {
	after := ""
	if x.hashed {
		after = fmt.Sprintf(", world …%08x", uint32(x.hash))
	}
	switch {
	case x.ended:
		return "the recording ends"
	case x.entry == nil:
		return fmt.Sprintf("step %d%s", x.at, after)
	case x.entry.Halted:
		return fmt.Sprintf("step %d fails%s", x.at+1, after)
	case x.entry.Command == nil:
		return fmt.Sprintf("%s by %s, refused%s", x.entry.Name, x.entry.Sender, after)
	}
	return fmt.Sprintf("%s by %s%s", sim.Describe(x.entry.Command), x.entry.Sender, after)
}

// items are the commands and steps of a recording, one by one.
type items struct {
	from   *Reader
	at     uint64 // of hashes
	hashes []uint32
}

func (s *items) next() (item, error) {
	for len(s.hashes) == 0 {
		e, err := s.from.Next()
		switch {
		case errors.Is(err, io.EOF):
			return item{ended: true}, nil
		case err != nil:
			return item{}, err
		case e.State != nil: // nothing was done
		case e.Name == "" && !e.Halted:
			s.at, s.hashes = e.At, e.Hashes
		default:
			return item{entry: &e, at: e.At, hash: e.Hash & (1<<32 - 1), hashed: !e.Blind}, nil
		}
	}
	s.at++
	x := item{at: s.at, hash: uint64(s.hashes[0]), hashed: true}
	s.hashes = s.hashes[1:]
	return x, nil
}
