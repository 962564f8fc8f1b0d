// Package ardupilot has the bytes of ArduPilot's JSON interface for simulators: the packets that its SITL
// sends by UDP, and the answers to them. Source: the readme of ArduPilot's examples of JSON simulators.
package ardupilot

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	magic16 = 18458
	magic32 = 29569
	header  = 8 // bytes before the channels

	// MaxServos is the length of the longest packet of servos, in bytes.
	MaxServos = header + 2*32
)

// ErrMalformed is wrapped where bytes are no packet of the interface.
var ErrMalformed = errors.New("no packet of ArduPilot's JSON interface")

// Servos are the wishes of an autopilot for its motors and servos.
type Servos struct {
	Rate  uint16 // Hz, at which it wants to be answered
	Frame uint32 // counts packets; one that is sent again keeps its number
	// Channels are 16 or 32 lengths of pulses, µs; 0: nothing is asked of a channel.
	Channels []uint16
}

// ParseServos reads a packet.
func ParseServos(b []byte) (s Servos, err error) {
	if len(b) < header {
		return s, fmt.Errorf("%w: %d bytes, want %d or %d", ErrMalformed, len(b), header+2*16, MaxServos)
	}
	n := 0
	switch magic := binary.LittleEndian.Uint16(b); magic {
	case magic16:
		n = 16
	case magic32:
		n = 32
	default:
		return s, fmt.Errorf("%w: it begins with %d, want %d or %d", ErrMalformed, magic, magic16, magic32)
	}
	if len(b) != header+2*n {
		return s, fmt.Errorf("%w: %d bytes, want %d for %d channels", ErrMalformed, len(b), header+2*n, n)
	}
	s.Rate, s.Frame = binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint32(b[4:])
	s.Channels = make([]uint16, n)
	for i := range s.Channels {
		s.Channels[i] = binary.LittleEndian.Uint16(b[header+2*i:])
	}
	return s, nil
}

// AppendServos appends a packet with 16 channels, or with 32 where there are more of them. Channels beyond
// are left out.
func AppendServos(b []byte, s Servos) []byte {
	magic, n := uint16(magic16), 16
	if len(s.Channels) > n {
		magic, n = magic32, 32
	}
	b = binary.LittleEndian.AppendUint16(b, magic)
	b = binary.LittleEndian.AppendUint16(b, s.Rate)
	b = binary.LittleEndian.AppendUint32(b, s.Frame)
	for i := range n {
		pulse := uint16(0)
		if i < len(s.Channels) {
			pulse = s.Channels[i]
		}
		b = binary.LittleEndian.AppendUint16(b, pulse)
	}
	return b
}
