package ardupilot

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// packets are packets of servos as they come: little-endian, as the interface is documented.
var packets = map[string]struct {
	bytes []byte
	want  Servos
}{
	"16 channels": {append([]byte{0x1a, 0x48, 0x90, 1, 7, 0, 1, 0, 0xdc, 5, 0xe8, 3}, make([]byte, 28)...),
		Servos{400, 65543, append([]uint16{1500, 1000}, make([]uint16, 14)...)}},
	"32 channels": {append([]byte{0x81, 0x73, 0xe8, 3, 0, 0, 0, 0}, bytes.Repeat([]byte{0xd0, 7}, 32)...),
		Servos{1000, 0, channels(32, 2000)}},
}

func channels(n int, pulse uint16) (all []uint16) {
	for range n {
		all = append(all, pulse)
	}
	return all
}

func TestPacketsOfServosAreReadAndWritten(t *testing.T) {
	for name, c := range packets {
		got, err := ParseServos(c.bytes)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, c.want)
		}
		if b := AppendServos(nil, c.want); !bytes.Equal(b, c.bytes) {
			t.Errorf("%s: % x, want % x", name, b, c.bytes)
		}
		for n := range c.bytes {
			if _, err := ParseServos(c.bytes[:n]); !errors.Is(err, ErrMalformed) {
				t.Errorf("%d bytes of %s: %v", n, name, err)
			}
		}
		if _, err := ParseServos(append(bytes.Clone(c.bytes), 0)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s with one byte more: %v", name, err)
		}
	}
	if got, err := ParseServos(AppendServos(nil, Servos{Channels: channels(40, 3)})); err != nil ||
		len(got.Channels) != 32 {
		t.Errorf("40 channels: %+v, %v", got, err)
	}
}

// TestAnAnswerIsTheTextThatAnAutopilotLooksFor: between ends of lines, with vectors as "[x, y, z]".
func TestAnAnswerIsTheTextThatAnAutopilotLooksFor(t *testing.T) {
	speed := 12.5
	s := State{Time: 2500, Gyro: [3]float64{0.1, 0, -0.2}, Accel: [3]float64{0, 0, -9.81},
		Position: [3]float64{1e4, -2, 3e-9}, Quaternion: [4]float64{1, 0, 0, 0},
		Velocity: [3]float64{0.5, 0, 0},
		Ranges:   []float64{2, 3.25}, AirSpeed: &speed, Free: true,
		Battery: &Battery{Voltage: 11.5, Current: -2.25}}
	want := "\n" + `{"timestamp":2500.000000000,"imu":{"gyro":[0.100000000, 0.000000000, -0.200000000],` +
		`"accel_body":[0.000000000, 0.000000000, -9.810000000]},` +
		`"position":[10000.000000000, -2.000000000, 0.000000003],` +
		`"quaternion":[1.000000000, 0.000000000, 0.000000000, 0.000000000],` +
		`"velocity":[0.500000000, 0.000000000, 0.000000000],"rng_1":2.000000000,"rng_2":3.250000000,` +
		`"airspeed":12.500000000,"battery":{"voltage":11.500000000,"current":-2.250000000},"no_time_sync":true,"no_lockstep":true}` + "\n"
	got := AppendState(nil, &s)
	if string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	back, err := ParseState(got)
	if err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%+v, %v; want %+v", back, err, s)
	}
	for n := range got {
		if _, err := ParseState(got[:n]); !errors.Is(err, ErrMalformed) {
			t.Errorf("%d bytes of an answer: %v", n, err)
		}
	}
}

func TestAnAnswerHasNumbersThatJSONHas(t *testing.T) {
	s := State{Time: math.Inf(1), Gyro: [3]float64{math.NaN(), math.Inf(-1), math.MaxFloat64},
		Ranges: make([]float64, 9)}
	b := AppendState(nil, &s)
	if !json.Valid(b) || strings.Count(string(b), "rng_") != MaxRanges {
		t.Errorf("%s", b)
	}
}

// FuzzServos: what is read is written as it was.
func FuzzServos(f *testing.F) {
	for _, c := range packets {
		f.Add(c.bytes)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseServos(b)
		if err != nil {
			return
		}
		if got := AppendServos(nil, s); !bytes.Equal(got, b) {
			t.Fatalf("% x is written as % x", b, got)
		}
	})
}

// FuzzAnswers: what is read of an answer is written so that it is read again.
func FuzzAnswers(f *testing.F) {
	speed := 1.0
	f.Add(AppendState(nil, &State{Ranges: []float64{1}, AirSpeed: &speed, Battery: &Battery{}}))
	f.Add([]byte("\n{\"timestamp\":1e400}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseState(b)
		if err != nil {
			return
		}
		again, err := ParseState(AppendState(nil, &s))
		if err != nil || len(again.Ranges) != len(s.Ranges) || again.Free != s.Free {
			t.Fatalf("%+v is read as %+v: %v", s, again, err)
		}
	})
}
