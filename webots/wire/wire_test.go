package wire_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"simdeck/webots/wire"
)

// asked is a step of 32 ms with a command to the robot and one to a motor.
func asked() wire.Request {
	return wire.Request{Duration: 32, Messages: []wire.Message{
		{Tag: 0, Data: []byte{wire.SetKeyboardPeriod, 16, 0}},
		{Tag: 3, Data: []byte{wire.MotorVelocity, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}}}}
}

func TestARequestIsReadAsItWasWritten(t *testing.T) {
	r := asked()
	b := r.Append(nil)
	read, err := wire.ReadRequest(bytes.NewReader(b), nil)
	if err != nil || !bytes.Equal(read, b) {
		t.Fatalf("%v, %v; want %v", read, err, b)
	}
	got, err := wire.ParseRequest(read)
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%+v, %v; want %+v", got, err, r)
	}
	in := wire.NewReader(got.Messages[1].Data)
	if command, v := in.Uint16(), in.Float64(); command != wire.MotorVelocity || v != 1 || in.Err() != nil ||
		in.More() {
		t.Errorf("command %d, velocity %v, %v", command, v, in.Err())
	}
}

func TestEveryStrictPrefixOfARequestFails(t *testing.T) {
	r := asked()
	b := r.Append(nil)
	for n := range len(b) {
		if _, err := wire.ParseRequest(b[:n]); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
		if _, err := wire.ReadRequest(bytes.NewReader(b[:n]), nil); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(b))
		}
	}
}

func TestRequestsThatLieAboutTheirSizesAreRefused(t *testing.T) {
	for name, b := range map[string]string{
		"a size beyond the bound":        "\xff\xff\xff\x7f\x00\x00\x00\x00",
		"a size below the header":        "\x05\x00\x00\x00\x00",
		"a message longer than what is":  "\x0e\x00\x00\x00\x00\x00\x00\x00\x01\x00\xff\xff\xff\xff",
		"a message of no bytes":          "\x0e\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00",
		"half of the header of messages": "\x0b\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01",
	} {
		raw, err := wire.ReadRequest(strings.NewReader(b), nil)
		if err == nil {
			_, err = wire.ParseRequest(raw)
		}
		if !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := wire.ReadRequest(strings.NewReader("\x00\x00\x00\x00"), nil); err != io.EOF {
		t.Errorf("a farewell: %v, want io.EOF", err)
	}
	many := wire.Request{}
	for range wire.MaxMessages + 1 {
		many.Messages = append(many.Messages, wire.Message{Tag: 1, Data: []byte{1}})
	}
	if _, err := wire.ParseRequest(many.Append(nil)); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("%d messages: %v", len(many.Messages), err)
	}
}

func TestAReaderGivesZerosAfterItsEnd(t *testing.T) {
	r := wire.NewReader([]byte{1, 2, 'a', 0})
	if r.Uint8() != 1 || r.Bytes(-1) != nil || r.Err() == nil {
		t.Errorf("a negative size: %v", r.Err())
	}
	if r.Uint8() != 0 || r.Uint16() != 0 || r.Int32() != 0 || r.Float64() != 0 || r.Text() != "" || r.More() {
		t.Error("something was read after an error")
	}
	if r = wire.NewReader([]byte("ab")); r.Text() != "" || !errors.Is(r.Err(), wire.ErrMalformed) {
		t.Errorf("a string without an end: %v", r.Err())
	}
}

func TestAnAnswerOverTCPHasItsPicturesBesideItsData(t *testing.T) {
	var a wire.Answer
	a.To(0, wire.RobotTime).Float64(1.5)
	a.Image(7, []byte{9, 8, 7})
	want := "\x02\x00" + "\x0f\x00\x00\x00" + // two parts, 15 bytes of data
		"\x0f\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x04" + "\x00\x00\x00\x00\x00\x00\xf8\x3f" +
		"\x03\x00\x00\x00\x01" + "\x07\x00\x00" + "\x09\x08\x07"
	if got := a.AppendTCP(nil); string(got) != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	a.Reset()
	a.Immediate = true
	a.To(3, 1).Flag(true).Int32(-2).Text("a\x00b")
	if got := a.AppendLocal(nil); string(got) != "\x12\x00\x00\x00\xff\xff\xff\xff\x03\x00\x01\x01\xfe\xff\xff\xffa\x00" {
		t.Errorf("%q", got)
	}
}

func TestAGreetingNamesARobot(t *testing.T) {
	long := strings.Repeat("ä", 40)
	for _, c := range []struct{ bytes, robot string }{{"CTR", ""},
		{"CTR\nRobot-Name: my%20cart", "my%20cart"}, {"CTR\nRobot-Name: my cart", "my cart"},
		{string(wire.AppendGreeting(nil, wire.EncodeName("my cart"))), "my%20cart"},
		{string(wire.AppendGreeting(nil, "")), ""}} {
		if got, err := wire.ParseGreeting([]byte(c.bytes)); got != c.robot || err != nil {
			t.Errorf("%q: %q, %v; want %q", c.bytes, got, err, c.robot)
		}
	}
	for _, bad := range []string{"", "C", "CT", "GET / HTTP/1.1\r\n", "CTR\n", "CTR\nRobot-Name: ",
		"CTR\nRobot-Name: a\nb", "CTRX", "CTR\nRobot-Name: " + strings.Repeat("x", wire.MaxGreeting)} {
		if got, err := wire.ParseGreeting([]byte(bad)); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%q: %q, %v", bad, got, err)
		}
	}
	if got := wire.EncodeName(long); len(got) != 40 || strings.Contains(got, "%") {
		t.Errorf("a long name is its SHA-1, not %q", got)
	}
}

// Numbers are those of the header that the library of each release was built with.
func TestNodesHaveTheNumbersOfTheirRelease(t *testing.T) {
	for _, c := range []struct {
		release int
		node    string
		number  uint16
	}{{20230, "Robot", 33}, {20231, "Robot", 34}, {20230, "Accelerometer", 34}, {20231, "Accelerometer", 35},
		{20230, "TouchSensor", 59}, {20231, "TouchSensor", 60}, {20250, "Radio", 87}, {20230, "Radio", 85}} {
		if got := wire.NodesOf(c.release)[c.node]; got != c.number {
			t.Errorf("%s in %d is %d, want %d", c.node, c.release, got, c.number)
		}
	}
}

// FuzzRequest holds that requests are read or refused, and written as they were.
func FuzzRequest(f *testing.F) {
	r := asked()
	f.Add(r.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		raw, err := wire.ReadRequest(bytes.NewReader(b), nil)
		if err != nil {
			return
		}
		r, err := wire.ParseRequest(raw)
		if err != nil {
			return
		}
		if again := r.Append(nil); !bytes.Equal(again, raw) {
			t.Errorf("%q was written as %q", raw, again)
		}
		for _, m := range r.Messages {
			for in := wire.NewReader(m.Data); in.More(); {
				switch in.Uint8() % 5 {
				case 0:
					in.Text()
				case 1:
					in.Bytes(int(in.Int32()))
				case 2:
					if x := in.Float64(); math.IsNaN(x) {
						in.Drop()
					}
				default:
					in.Uint16()
				}
			}
		}
	})
}

// FuzzGreeting holds that greetings are read or refused, and written as they were.
func FuzzGreeting(f *testing.F) {
	f.Add([]byte("CTR"))
	f.Add([]byte("CTR\nRobot-Name: my%20cart"))
	f.Fuzz(func(t *testing.T, b []byte) {
		robot, err := wire.ParseGreeting(b)
		if err != nil {
			return
		}
		if again := wire.AppendGreeting(nil, robot); string(again) != string(b) {
			t.Errorf("%q was written as %q", b, again)
		}
	})
}
