// Package betaflight has the bytes that Betaflight's SITL exchanges with simulators by UDP. They are the
// state of an aircraft, and the outputs to its motors and servos, as C structures of a little-endian machine.
// Source: target.h of Betaflight's target SITL, 4.5.
package betaflight

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

const (
	// StateSize is the length of the packet of a state, in bytes: 18 numbers of 8 bytes.
	StateSize = 18 * 8
	// MaxOutputs is the number of outputs in a packet of them.
	MaxOutputs = 16
	// OutputsSize is the length of that packet, in bytes: a count, two bytes of no meaning, and the outputs.
	OutputsSize = 4 + 4*MaxOutputs
)

// ErrMalformed is wrapped where bytes are no packet of the interface.
var ErrMalformed = errors.New("no packet of Betaflight's SITL")

// State is the motion of an aircraft (fdm_packet). The body's frame is forward-right-down.
type State struct {
	Time       float64    // s, simulated
	Gyro       [3]float64 // rad/s, of the body
	Accel      [3]float64 // m/s², the specific force in the body's frame
	Quaternion [4]float64 // w, x, y, z: from the body's frame to north-east-down
	Velocity   [3]float64 // m/s: east, north, up
	Position   [3]float64 // longitude and latitude, degrees; height above sea level, m
	Pressure   float64    // Pa
}

// numbers are the numbers of a state in the order of the packet.
func (s *State) numbers() (all [18]*float64) {
	list := append(all[:0], &s.Time)
	for _, v := range [...][]float64{s.Gyro[:], s.Accel[:], s.Quaternion[:], s.Velocity[:], s.Position[:]} {
		for i := range v {
			list = append(list, &v[i])
		}
	}
	_ = append(list, &s.Pressure)
	return all
}

// AppendState appends the packet of a state.
func AppendState(b []byte, s *State) []byte {
	for _, x := range s.numbers() {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*x))
	}
	return b
}

// ParseState reads the packet of a state.
func ParseState(b []byte) (s State, err error) {
	if len(b) != StateSize {
		return s, fmt.Errorf("%w: %d bytes, want %d for a state", ErrMalformed, len(b), StateSize)
	}
	for i, x := range s.numbers() {
		*x = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return s, nil
}

// Outputs are the wishes of an autopilot for its motors, and behind them for its servos (servo_packet_raw).
type Outputs struct {
	Motors int                 // the number of motors among them
	Pulses [MaxOutputs]float32 // µs; 0: nothing is asked of an output
}

// ParseOutputs reads a packet of outputs. All of them are finite.
func ParseOutputs(b []byte) (o Outputs, err error) {
	if len(b) != OutputsSize {
		return o, fmt.Errorf("%w: %d bytes, want %d for outputs", ErrMalformed, len(b), OutputsSize)
	}
	if o.Motors = int(binary.LittleEndian.Uint16(b)); o.Motors > MaxOutputs {
		return o, fmt.Errorf("%w: %d motors, want at most %d", ErrMalformed, o.Motors, MaxOutputs)
	}
	for i := range o.Pulses {
		x := math.Float32frombits(binary.LittleEndian.Uint32(b[4+4*i:]))
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return o, fmt.Errorf("%w: output %d is %v, want a pulse in µs", ErrMalformed, i, x)
		}
		o.Pulses[i] = x
	}
	return o, nil
}

// AppendOutputs appends a packet of outputs.
func AppendOutputs(b []byte, o *Outputs) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(o.Motors))
	b = append(b, 0, 0)
	for _, x := range o.Pulses {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
