package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"simdeck/sim"
)

// stateLine is the state of the world as it is written. Its line begins as no other does, so that it is known
// without reading all of it.
type stateLine struct {
	At    uint64        `json:"state_at"`
	Time  time.Duration `json:"time_ns"`
	Step  time.Duration `json:"step_ns"`
	State *sim.Restore  `json:"state"`
}

var stateBegins = []byte(`{"state_at":`)

// isState reports whether a line is the state of the world.
func isState(text []byte) bool { return bytes.HasPrefix(text, stateBegins) }

func appendState(b []byte, l *stateLine) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return b, fmt.Errorf("recording the state: %w", err)
	}
	return append(append(b, text...), '\n'), nil
}

func parseState(text []byte) (Entry, error) {
	var l stateLine
	if err := json.Unmarshal(text, &l); err != nil {
		return Entry{}, fmt.Errorf("%w: state: %w", ErrFormat, err)
	}
	if l.State == nil {
		return Entry{}, fmt.Errorf("%w: a state without one", ErrFormat)
	}
	return Entry{At: l.At, Time: l.Time, Hash: l.State.Hash, State: l.State}, nil
}

// parseStateHead reads when a state was, without the state.
func parseStateHead(text []byte) (stateLine, bool) {
	var l stateLine
	head, _, ok := bytes.Cut(text, []byte(`,"state":`))
	if !ok || json.Unmarshal(append(bytes.Clone(head), '}'), &l) != nil {
		return l, false
	}
	return l, true
}
