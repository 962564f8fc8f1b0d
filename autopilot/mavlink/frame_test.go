package mavlink

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// message is one of this package.
type message interface{ AppendPayload([]byte) []byte }

// peers are the messages that pymavlink made the frames of our testdata from.
var peers = map[string]struct {
	id   uint32
	sent message
	read func(Frame) (message, error)
}{
	"HEARTBEAT": {HeartbeatID, &Heartbeat{Mode: 305419896, Autopilot: AutopilotInvalid, Base: ModeHIL,
		Status: StatusActive},
		func(f Frame) (message, error) { m, err := ParseHeartbeat(f); return &m, err }},
	"HIL_ACTUATOR_CONTROLS": {HILActuatorControlID, &HILActuatorControls{Time: 1234567890123,
		Flags: FlagLockstep, Mode: ModeArmed | 1, Controls: [16]float32{0.5, -0.25, 1, 0, 0, 0.0625, 0.125,
			0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.5625, 0.625, 0.6875}},
		func(f Frame) (message, error) { m, err := ParseHILActuatorControls(f); return &m, err }},
	"HIL_SENSOR": {HILSensorID, &HILSensor{Time: 4000, Accel: [3]float32{0.5, -1.5, -9.75},
		Gyro: [3]float32{0.125, -0.25, 0.375}, Mag: [3]float32{0.21875, 0.015625, 0.4375}, Pressure: 955.5,
		Differential: 0.25, Height: 488.5, Temperature: 11.75,
		Updated: UpdatedAccel | UpdatedGyro | UpdatedMag | UpdatedPressure | UpdatedAirSpeed},
		func(f Frame) (message, error) { m, err := ParseHILSensor(f); return &m, err }},
	"HIL_GPS": {HILGPSID, &HILGPS{Time: 1000000, Latitude: 473977420, Longitude: -85455940,
		Altitude: 488055, Horizontal: 30, Vertical: 40, Speed: 512, North: -300, East: 400, Down: -12,
		Course: 12687, Fix: 3, Satellites: 10, ID: 2, Yaw: 35999},
		func(f Frame) (message, error) { m, err := ParseHILGPS(f); return &m, err }},
	"HIL_OPTICAL_FLOW": {HILOpticalFlowID, &HILOpticalFlow{Time: 12000, ID: 2, Period: 20000, X: -0.0625,
		Y: 0.03125, Turn: [3]float32{0.5, -0.25, 0.125}, Temperature: 1175, Quality: 255, DistanceAge: 4000,
		Distance: 2.5},
		func(f Frame) (message, error) { m, err := ParseHILOpticalFlow(f); return &m, err }},
	"DISTANCE_SENSOR": {DistanceSensorID, &DistanceSensor{Time: 12, Least: 20, Most: 3500, Distance: 251,
		Type: RangeUltrasound, ID: 101, Orientation: LooksDown, Variance: 4, Width: 0.5, Height: 0.25,
		Attitude: [4]float32{0.5, -0.5, 0.5, -0.5}, Quality: 100},
		func(f Frame) (message, error) { m, err := ParseDistanceSensor(f); return &m, err }},
	"HIL_STATE_QUATERNION": {HILStateQuaternionID, &HILStateQuaternion{Time: 8000,
		Attitude: [4]float32{0.5, -0.5, 0.5, 0.5}, Rates: [3]float32{0.25, -0.5, 0.75}, Latitude: 473977420,
		Longitude: 85455940, Altitude: 488055, Velocity: [3]int16{100, -200, 300}, Indicated: 1500,
		True: 1600, Accel: [3]int16{1, -2, -1000}},
		func(f Frame) (message, error) { m, err := ParseHILStateQuaternion(f); return &m, err }},
}

// sample is a frame that pymavlink made.
type sample struct {
	version int
	name    string
	bytes   []byte
}

func samples(t testing.TB) (all []sample) {
	t.Helper()
	text, err := os.ReadFile("testdata/pymavlink.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		w := strings.Fields(line)
		b, err := hex.DecodeString(w[2])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sample{int(w[0][0] - '0'), w[1], b})
	}
	return all
}

// TestFramesAreThoseOfPymavlink: both versions are read, and the second is written byte for byte.
func TestFramesAreThoseOfPymavlink(t *testing.T) {
	all := samples(t)
	if len(all) != 2*len(peers) {
		t.Fatalf("%d frames, want %d", len(all), 2*len(peers))
	}
	for i, s := range all {
		f, n, err := ParseFrame(s.bytes)
		if err != nil || n != len(s.bytes) {
			t.Errorf("%s of version %d: %v, %d of %d bytes", s.name, s.version, err, n, len(s.bytes))
			continue
		}
		p := peers[s.name]
		if f.ID != p.id || f.System != 3 || f.Component != 200 || f.Seq != uint8(7+i%len(peers)) {
			t.Errorf("%s: %+v", s.name, f)
		}
		want := p.sent
		if g, ok := want.(*HILGPS); ok && s.version == 1 { // its extensions are of version 2
			less := *g
			less.ID, less.Yaw = 0, 0
			want = &less
		} else if d, ok := want.(*DistanceSensor); ok && s.version == 1 {
			less := *d
			less.Width, less.Height, less.Quality = 0, 0, 0
			less.Attitude = [4]float32{}
			want = &less
		}
		if got, err := p.read(f); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s of version %d: %+v, %v; want %+v", s.name, s.version, got, err, want)
		}
		if s.version == 2 {
			f.Payload = p.sent.AppendPayload(nil)
			if got := AppendFrame(nil, f); !bytes.Equal(got, s.bytes) {
				t.Errorf("%s: %x, want %x", s.name, got, s.bytes)
			}
		}
	}
}

func TestAPartOfAFrameIsShortAndAChangedOneIsNone(t *testing.T) {
	for _, s := range samples(t) {
		for n := range s.bytes {
			if _, _, err := ParseFrame(s.bytes[:n]); !errors.Is(err, ErrShort) {
				t.Errorf("%d bytes of %s: %v", n, s.name, err)
			}
		}
		for i := range s.bytes {
			if i == 1 || s.version == 2 && i >= 7 && i <= 9 || s.version == 1 && i == 5 {
				continue // another length, or another message
			}
			b := slices.Clone(s.bytes)
			b[i] ^= 0x40
			if _, _, err := ParseFrame(b); !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrShort) {
				t.Errorf("%s with another byte %d: %v", s.name, i, err)
			}
		}
	}
}

func TestAMessageOfAnotherNumberOrTooLongIsNone(t *testing.T) {
	for name, p := range peers {
		if _, err := p.read(Frame{ID: p.id + 1}); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s of another number: %v", name, err)
		}
		if _, err := p.read(Frame{ID: p.id, Payload: make([]byte, 255)}); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s of 255 bytes: %v", name, err)
		}
		if _, err := p.read(Frame{ID: p.id}); err != nil {
			t.Errorf("%s of zeros that are left out: %v", name, err)
		}
	}
}

// TestAReaderFindsFramesAmongOtherBytes, whether they come at once or one by one.
func TestAReaderFindsFramesAmongOtherBytes(t *testing.T) {
	var stream []byte
	for _, s := range samples(t) {
		stream = append(append(stream, "GET / "...), s.bytes...)
	}
	// again with a signature, whose flag is in the checksum
	f, _, err := ParseFrame(samples(t)[len(peers)].bytes)
	if err != nil {
		t.Fatal(err)
	}
	b := AppendFrame(nil, f)
	b[2] = signed
	sum := crc(crc(crcStart, b[1:len(b)-2]), []byte{messages[f.ID].extra})
	b[len(b)-2], b[len(b)-1] = uint8(sum), uint8(sum>>8)
	stream = append(append(stream, b...), make([]byte, seal)...)
	for name, in := range map[string]io.Reader{"at once": bytes.NewReader(stream),
		"one by one": iotest.OneByteReader(bytes.NewReader(stream))} {
		r, got := NewReader(in), 0
		for {
			if _, err := r.Next(); err != nil {
				break
			}
			got++
		}
		frames, skipped := 2*len(peers)+1, 2*len(peers)*len("GET / ")
		if got != frames || r.Skipped != skipped {
			t.Errorf("%s: %d frames and %d bytes skipped, want %d and %d", name, got, r.Skipped, frames,
				skipped)
		}
	}
}

// TestAFrameWhoseRestDoesNotComeIsGivenUp for the one behind it.
func TestAFrameWhoseRestDoesNotComeIsGivenUp(t *testing.T) {
	whole := samples(t)[0].bytes
	r := NewReader(bytes.NewReader(append([]byte{startV1, 250, 0}, whole...)))
	if _, err := r.Next(); err == nil {
		t.Fatal("a frame that is not whole is given")
	}
	for r.Buffered() {
		if _, err := r.Next(); err == nil {
			return
		}
		r.GiveUp()
	}
	t.Error("the frame behind it is lost")
}

// FuzzFrames: what is read is written as it was, without what a sender may leave out.
func FuzzFrames(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.bytes)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, n, err := ParseFrame(b)
		if err != nil {
			return
		}
		if n > len(b) || n > MaxFrame {
			t.Fatalf("a frame of %d bytes in %d", n, len(b))
		}
		for _, p := range peers {
			if p.id != frame.ID {
				continue
			}
			m, err := p.read(frame)
			if err != nil {
				continue
			}
			again := frame
			again.Payload = m.AppendPayload(nil)
			second, _, err := ParseFrame(AppendFrame(nil, again))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.read(second); err != nil || !bytes.Equal(got.AppendPayload(nil), again.Payload) {
				t.Fatalf("%+v is read as %+v: %v", m, got, err)
			}
		}
	})
}
