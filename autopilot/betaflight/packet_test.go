package betaflight

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
)

// hover is a packet of outputs as a quadrotor sends it: four motors, and servos behind them.
var hover = append([]byte{4, 0, 0, 0,
	0, 0, 0xbe, 0x44, 0, 0, 0xbe, 0x44, 0, 0, 0xbe, 0x44, 0, 0x20, 0xbe, 0x44}, // 1520, 1520, 1520, 1521 µs
	make([]byte, 48)...)

func TestPacketsOfOutputsAreReadAndWritten(t *testing.T) {
	want := Outputs{Motors: 4, Pulses: [MaxOutputs]float32{1520, 1520, 1520, 1521}}
	got, err := ParseOutputs(hover)
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if b := AppendOutputs(nil, &want); !bytes.Equal(b, hover) {
		t.Errorf("% x, want % x", b, hover)
	}
	padded := bytes.Clone(hover)
	padded[2], padded[3] = 7, 9 // the gap between its members
	if got, err := ParseOutputs(padded); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for n := range hover {
		if _, err := ParseOutputs(hover[:n]); !errors.Is(err, ErrMalformed) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestOutputsThatCannotBeAreRefused(t *testing.T) {
	for says, change := range map[string]func(b []byte){
		"17 motors":       func(b []byte) { b[0] = 17 },
		"65535 motors":    func(b []byte) { b[0], b[1] = 255, 255 },
		"output 1 is NaN": func(b []byte) { b[10], b[11] = 0xc0, 0x7f },
		"output 15 is +Inf": func(b []byte) {
			copy(b[64:], []byte{0, 0, 0x80, 0x7f})
		},
	} {
		b := bytes.Clone(hover)
		change(b)
		if _, err := ParseOutputs(b); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	if _, err := ParseOutputs(append(bytes.Clone(hover), 0)); !errors.Is(err, ErrMalformed) {
		t.Errorf("one byte more: %v", err)
	}
}

func TestAStateHasItsNumbersInTheOrderOfThePacket(t *testing.T) {
	s := State{Time: 1, Gyro: [3]float64{2, 3, 4}, Accel: [3]float64{5, 6, 7},
		Quaternion: [4]float64{8, 9, 10, 11}, Velocity: [3]float64{12, 13, 14},
		Position: [3]float64{15, 16, 17}, Pressure: 18}
	b := AppendState(nil, &s)
	if len(b) != 144 {
		t.Fatalf("%d bytes, want 144", len(b))
	}
	for i, x := range s.numbers() {
		if *x != float64(i+1) {
			t.Errorf("number %d is %v", i, *x)
		}
	}
	if one := []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}; !bytes.Equal(b[:8], one) {
		t.Errorf("1 s is % x, want % x", b[:8], one)
	}
	got, err := ParseState(b)
	if err != nil || got != s {
		t.Errorf("%+v, %v; want %+v", got, err, s)
	}
	for n := range b {
		if _, err := ParseState(b[:n]); !errors.Is(err, ErrMalformed) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// FuzzOutputs: what is read is finite, and is written so that it is read again.
func FuzzOutputs(f *testing.F) {
	f.Add(hover)
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := ParseOutputs(b)
		if err != nil {
			return
		}
		again, err := ParseOutputs(AppendOutputs(nil, &o))
		if err != nil || again != o {
			t.Fatalf("%+v is read as %+v: %v", o, again, err)
		}
		for _, x := range o.Pulses {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Fatalf("%+v", o)
			}
		}
	})
}

// FuzzStates: what is read is written as it was.
func FuzzStates(f *testing.F) {
	f.Add(AppendState(nil, &State{Time: 1.5, Quaternion: [4]float64{1}, Pressure: 101325}))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseState(b)
		if err != nil {
			return
		}
		if got := AppendState(nil, &s); !bytes.Equal(got, b) {
			t.Fatalf("% x is written as % x", b, got)
		}
	})
}
