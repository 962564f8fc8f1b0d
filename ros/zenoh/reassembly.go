package zenoh

import (
	"fmt"

	"simdeck/ros/zenoh/wire"
)

// reassembly puts the fragments of a channel together.
type reassembly struct {
	parts []byte
	next  uint32 // number of the fragment that is expected
	begun bool
}

// add takes a fragment and gives the message when it is whole. A message that misses a fragment is given up.
func (r *reassembly) add(m *wire.Fragment) (whole []byte, err error) {
	if r.begun && m.SN != r.next || m.Dropped {
		r.parts, r.begun = nil, false
		if !m.First {
			return nil, nil
		}
	}
	if len(r.parts)+len(m.Part) > maxMessage {
		r.parts, r.begun = nil, false
		return nil, fmt.Errorf("%w: a message of more than %d octets", ErrProtocol, maxMessage)
	}
	r.parts = append(r.parts, m.Part...)
	r.next, r.begun = m.SN+1, true
	if m.More {
		return nil, nil
	}
	whole, r.parts, r.begun = r.parts, nil, false
	return whole, nil
}
