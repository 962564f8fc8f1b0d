package ardupilot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// MaxRanges is the number of range finders that an autopilot knows.
const MaxRanges = 6

// State is the answer to a packet of servos: the motion of a body. The world's frame is north-east-down, the
// body's forward-right-down.
type State struct {
	Time       float64    // s, simulated
	Gyro       [3]float64 // rad/s, of the body
	Accel      [3]float64 // m/s², the specific force in the body's frame
	Position   [3]float64 // m, from the world's origin: north, east, down
	Quaternion [4]float64 // w, x, y, z: from the body's frame to the world's
	Velocity   [3]float64 // m/s: north, east, down
	Ranges     []float64  // m, of at most MaxRanges range finders
	AirSpeed   *float64   // m/s; nil: there is no sensor of it
	Battery    *Battery   // nil: there is none
	// Free tells an autopilot that the simulator does not wait for it.
	Free bool
}

// Battery is the battery of a vehicle.
type Battery struct {
	Voltage float64 `json:"voltage"` // V
	Current float64 `json:"current"` // A, above zero where it drains
}

// wireState is a State as JSON has it.
type wireState struct {
	Time float64 `json:"timestamp"`
	IMU  struct {
		Gyro  [3]float64 `json:"gyro"`
		Accel [3]float64 `json:"accel_body"`
	} `json:"imu"`
	Position   [3]float64 `json:"position"`
	Quaternion [4]float64 `json:"quaternion"`
	Velocity   [3]float64 `json:"velocity"`
	Range1     *float64   `json:"rng_1"`
	Range2     *float64   `json:"rng_2"`
	Range3     *float64   `json:"rng_3"`
	Range4     *float64   `json:"rng_4"`
	Range5     *float64   `json:"rng_5"`
	Range6     *float64   `json:"rng_6"`
	AirSpeed   *float64   `json:"airspeed"`
	Battery    *Battery   `json:"battery"`
	NoTimeSync bool       `json:"no_time_sync"`
	NoLockstep bool       `json:"no_lockstep"`
}

// AppendState appends an answer. An autopilot looks for text between two ends of lines, and its keys in this
// order. Numbers that JSON has none for are 0.
func AppendState(b []byte, s *State) []byte {
	b = append(b, "\n{\"timestamp\":"...)
	b = number(b, s.Time)
	b = numbers(b, `,"imu":{"gyro":`, s.Gyro[:])
	b = numbers(b, `,"accel_body":`, s.Accel[:])
	b = numbers(b, `},"position":`, s.Position[:])
	b = numbers(b, `,"quaternion":`, s.Quaternion[:])
	b = numbers(b, `,"velocity":`, s.Velocity[:])
	for i, r := range s.Ranges[:min(len(s.Ranges), MaxRanges)] {
		b = append(b, `,"rng_`...)
		b = append(b, '1'+uint8(i), '"', ':')
		b = number(b, r)
	}
	if s.AirSpeed != nil {
		b = append(b, `,"airspeed":`...)
		b = number(b, *s.AirSpeed)
	}
	if s.Battery != nil {
		b = append(b, `,"battery":{"voltage":`...)
		b = number(b, s.Battery.Voltage)
		b = append(b, `,"current":`...)
		b = append(number(b, s.Battery.Current), '}')
	}
	if s.Free {
		b = append(b, `,"no_time_sync":true,"no_lockstep":true`...)
	}
	return append(b, "}\n"...)
}

// numbers appends a key and a list, with blanks between its numbers.
func numbers(b []byte, key string, list []float64) []byte {
	b = append(append(b, key...), '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = number(b, v)
	}
	return append(b, ']')
}

func number(b []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	return strconv.AppendFloat(b, v, 'f', 9, 64)
}

// ParseState reads an answer.
func ParseState(b []byte) (s State, err error) {
	if len(b) < 2 || b[0] != '\n' || b[len(b)-1] != '\n' {
		return s, fmt.Errorf("%w: an answer stands between ends of lines", ErrMalformed)
	}
	in := json.NewDecoder(bytes.NewReader(b))
	in.DisallowUnknownFields()
	var w wireState
	if err := in.Decode(&w); err != nil {
		return s, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if in.More() {
		return s, fmt.Errorf("%w: more than one answer", ErrMalformed)
	}
	s = State{Time: w.Time, Gyro: w.IMU.Gyro, Accel: w.IMU.Accel, Position: w.Position,
		Quaternion: w.Quaternion, Velocity: w.Velocity, AirSpeed: w.AirSpeed, Battery: w.Battery,
		Free: w.NoTimeSync || w.NoLockstep}
	for _, r := range [MaxRanges]*float64{w.Range1, w.Range2, w.Range3, w.Range4, w.Range5, w.Range6} {
		if r == nil {
			break
		}
		s.Ranges = append(s.Ranges, *r)
	}
	return s, nil
}
