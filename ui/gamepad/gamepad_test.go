package gamepad

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"testing"
)

// event is an event as the kernel writes it.
func event(value int16, kind, number uint8) []byte {
	b := binary.NativeEndian.AppendUint32(nil, 12345)
	b = binary.NativeEndian.AppendUint16(b, uint16(value))
	return append(b, kind, number)
}

func pad(events ...[]byte) *Pad { return From(io.NopCloser(bytes.NewReader(bytes.Join(events, nil)))) }

func TestSticksDriveAndButtonsStop(t *testing.T) {
	for name, c := range map[string]struct {
		events [][]byte
		want   State
	}{
		"at rest":              {[][]byte{event(900, isAxis, leftY)}, State{}},
		"left stick up":        {[][]byte{event(-32767, isAxis, leftY)}, State{Forward: 1}},
		"beyond the end":       {[][]byte{event(-32768, isAxis, leftY)}, State{Forward: 1}},
		"as it is when opened": {[][]byte{event(32767, isAxis|atFirst, leftY)}, State{Forward: -1}},
		"right stick left":     {[][]byte{event(-32767, isAxis, rightX)}, State{Side: 1}},
		"right stick up":       {[][]byte{event(-32767, isAxis, rightY)}, State{Up: 1}},
		"directional pad": {[][]byte{event(-32767, isAxis, padY), event(32767, isAxis, padX)},
			State{Forward: 1, Turn: -1}},
		"a button stops": {[][]byte{event(-32767, isAxis, leftY), event(1, isButton, 2)}, State{Stop: true}},
		"a button that is let go": {[][]byte{event(-32767, isAxis, leftY), event(1, isButton, 2),
			event(0, isButton, 2)}, State{Forward: 1}},
		"an axis that it has not":   {[][]byte{event(32767, isAxis, 200)}, State{}},
		"a button that it has not":  {[][]byte{event(1, isButton, 200)}, State{}},
		"an event of another kind":  {[][]byte{event(1, 0x10, 0)}, State{}},
		"trigger, which drives not": {[][]byte{event(32767, isAxis, 2)}, State{}},
	} {
		p := pad(c.events...)
		var got State
		for range c.events {
			var err error
			if got, err = p.Next(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if math.Abs(got.Forward-c.want.Forward) > 1e-6 || math.Abs(got.Turn-c.want.Turn) > 1e-6 ||
			math.Abs(got.Side-c.want.Side) > 1e-6 || math.Abs(got.Up-c.want.Up) > 1e-6 ||
			got.Stop != c.want.Stop {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if _, err := p.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: after its last event %v", name, err)
		}
	}
}

func TestASmallPushIsASmallSpeed(t *testing.T) {
	p := pad(event(-8192, isAxis, leftY))
	if got, err := p.Next(); err != nil || got.Forward < 0.1 || got.Forward > 0.2 {
		t.Errorf("a quarter of the way: %+v, %v", got, err)
	}
}

func TestHalfAnEventIsNone(t *testing.T) {
	if _, err := pad(event(1, isAxis, leftY)[:5]).Next(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add(event(-32768, isAxis, leftY))
	f.Add(append(event(1, isButton, 31), event(1, isButton|atFirst, 255)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := pad(b)
		for {
			s, err := p.Next()
			if err != nil {
				return
			}
			if !(math.Abs(s.Forward) <= 1 && math.Abs(s.Turn) <= 1 && math.Abs(s.Side) <= 1 &&
				math.Abs(s.Up) <= 1) || s.Stop && s.Forward != 0 {
				t.Fatalf("%+v", s)
			}
		}
	})
}
