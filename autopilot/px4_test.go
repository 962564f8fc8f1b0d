package autopilot_test

import (
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"simdeck/autopilot"
	"simdeck/autopilot/mavlink"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// px4Peer is the other end of PX4's interface for simulators.
type px4Peer struct {
	t       *testing.T
	conn    net.Conn
	in      *mavlink.Reader
	seq     uint8
	sensors mavlink.HILSensor // the newest
	truth   mavlink.HILStateQuaternion
	gps     mavlink.HILGPS
	flow    mavlink.HILOpticalFlow
	ranges  map[uint8]mavlink.DistanceSensor // by ID
	started time.Duration
	start   mavlink.HILStateQuaternion
	counts  map[uint32]int
}

func (s *stand) px4(vehicle int) *px4Peer {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.server.Addr(vehicle).String())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return &px4Peer{t: s.t, conn: conn, in: mavlink.NewReader(conn), counts: map[uint32]int{},
		ranges: map[uint8]mavlink.DistanceSensor{}}
}

// hear reads until the sensors of a step have come.
func (p *px4Peer) hear() {
	p.t.Helper()
	_ = p.conn.SetReadDeadline(time.Now().Add(generous))
	for {
		f, err := p.in.Next()
		if err != nil {
			p.t.Fatal(err)
		}
		p.counts[f.ID]++
		switch f.ID {
		case mavlink.HILStateQuaternionID:
			if p.truth, err = mavlink.ParseHILStateQuaternion(f); p.start.Time == 0 {
				p.start = p.truth
			}
		case mavlink.HILGPSID:
			p.gps, err = mavlink.ParseHILGPS(f)
		case mavlink.HILOpticalFlowID:
			p.flow, err = mavlink.ParseHILOpticalFlow(f)
		case mavlink.DistanceSensorID:
			var d mavlink.DistanceSensor
			d, err = mavlink.ParseDistanceSensor(f)
			p.ranges[d.ID] = d
		case mavlink.HILSensorID:
			p.sensors, err = mavlink.ParseHILSensor(f)
			if err == nil {
				return
			}
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

// send asks for levels of the motors, which are armed.
func (p *px4Peer) send(levels ...float64) {
	p.t.Helper()
	m := mavlink.HILActuatorControls{Time: p.sensors.Time, Flags: mavlink.FlagLockstep,
		Mode: mavlink.ModeArmed | 1}
	for i, l := range levels {
		m.Controls[i] = float32(l)
	}
	b := mavlink.AppendFrame(nil, mavlink.Frame{Seq: p.seq, System: 1, Component: 1,
		ID: mavlink.HILActuatorControlID, Payload: m.AppendPayload(nil)})
	p.seq++
	if _, err := p.conn.Write(b); err != nil {
		p.t.Fatal(err)
	}
}

// known is the state of the vehicle, as a pilot knows it.
func (p *px4Peer) known() *state {
	const radius, rad = 6378137.0, math.Pi / 180 * 1e-7
	m, q := &p.truth, p.truth.Attitude
	s := &state{time: float64(m.Time) / 1e6,
		attitude: r3.Quat{W: float64(q[0]), X: float64(q[1]), Y: float64(q[2]), Z: float64(q[3])},
		rates:    r3.V(float64(m.Rates[0]), float64(m.Rates[1]), float64(m.Rates[2])),
		velocity: r3.V(float64(m.Velocity[0]), float64(m.Velocity[1]), float64(m.Velocity[2])).Scale(0.01)}
	s.position = r3.V(float64(m.Latitude-p.start.Latitude)*rad*radius,
		float64(m.Longitude-p.start.Longitude)*rad*radius*math.Cos(float64(m.Latitude)*rad),
		float64(p.start.Altitude-m.Altitude)/1000)
	return s
}

// flyPX4 flies the quadrotor of our testdata, and returns how that went.
func flyPX4(t *testing.T) (f flight) {
	const until = 20 * time.Second
	s := fly(t, field(t), until, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.PX4, Entity: "quad", Port: freePort(t, "tcp")}}})
	p := s.px4(0)
	for p.hear(); ; p.hear() {
		now := p.known()
		f.watch(&aFlight, now)
		if now.time >= until.Seconds() {
			break
		}
		levels := aFlight.levels(now)
		p.send(levels[:]...)
	}
	steps := p.counts[mavlink.HILSensorID]
	for id, want := range map[uint32]int{mavlink.HeartbeatID: 20, mavlink.HILGPSID: 200,
		mavlink.HILStateQuaternionID: steps} {
		if got := p.counts[id]; got < want-1 || got > want+1 {
			t.Errorf("message %d came %d times in 20 s, want %d", id, got, want)
		}
	}
	s.stop()
	f.hash = s.engine.Hash()
	return f
}

// TestAPX4TakesOffHoversAndLands, and the same flight again comes to the same hash.
func TestAPX4TakesOffHoversAndLands(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	first := flyPX4(t)
	first.holds(t)
	if again := flyPX4(t); again != first {
		t.Errorf("the same flight again: %+v, want %+v", again, first)
	}
}

// TestThePX4OfAVehicleAtRestMeasuresWhereItIs: gravity, the pressure and the field of Zurich at 488 m.
func TestThePX4OfAVehicleAtRestMeasuresWhereItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.PX4, Entity: "quad", Port: freePort(t, "tcp")}}})
	p := s.px4(0)
	for range 100 {
		p.hear()
		p.send()
	}
	p.hear()
	m := &p.sensors
	within := func(what string, got, want, tolerance float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tolerance) {
			t.Errorf("%s: %g, want %g ± %g", what, got, want, tolerance)
		}
	}
	within("specific force", float64(m.Accel[2]), -9.81, 0.2)
	within("pressure, hPa", float64(m.Pressure), 955.99, 0.2)
	field := r3.V(float64(m.Mag[0]), float64(m.Mag[1]), float64(m.Mag[2]))
	within("field, gauss", field.Len(), 0.485, 0.005)
	north := p.known().attitude.Rotate(field)
	within("declination", math.Atan2(north.Y, north.X)*180/math.Pi, 3.6, 1)
	within("latitude", float64(p.gps.Latitude)/1e7, 47.397742, 1e-6)
	within("longitude", float64(p.gps.Longitude)/1e7, 8.545594, 1e-6)
	within("altitude", float64(p.gps.Altitude)/1000, 488.055, 0.02)
	_, _, yaw := p.known().attitude.RPY()
	within("heading", yaw, math.Pi/2-0.5, 1e-3)
}

// TestAPX4ThatStallsOrLeavesPausesTheWorld, which goes on with the next that connects.
func TestAPX4ThatStallsOrLeavesPausesTheWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: 300 * time.Millisecond,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.PX4, Entity: "quad", Port: freePort(t, "tcp")}}})
	p := s.px4(0)
	p.hear()
	p.send()
	p.hear()
	s.waitFor("a pause", func() bool { return s.engine.Snapshot().State == sim.Paused })
	if why := s.engine.Snapshot().Halted; !strings.Contains(why, "px4 of quad") {
		t.Errorf("the world is paused for %q", why)
	}
	_ = p.conn.Close()
	if _, err := s.engine.Do(t.Context(), sim.SetState{State: sim.Playing}); err != nil {
		t.Fatal(err)
	}
	s.logged("the autopilot has left")
	next := s.px4(0)
	before := s.engine.Snapshot().Step
	for range 10 {
		next.hear()
		next.send()
	}
	next.hear()
	if now := s.engine.Snapshot().Step; now < before+9 {
		t.Errorf("with the next autopilot it went from step %d to %d", before, now)
	}
}

// TestAPX4ThatSendsNonsenseHarmsNobody: numbers that are none, a flood, bytes that are no MAVLink.
func TestAPX4ThatSendsNonsenseHarmsNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.PX4, Entity: "quad", Port: freePort(t, "tcp")}}})
	p := s.px4(0)
	p.hear()
	nan, inf := math.NaN(), math.Inf(1)
	for range 50 {
		p.send(nan, nan, nan, nan)
		p.hear()
	}
	if h := s.height("quad"); h > 0.01 {
		t.Errorf("without numbers it has risen to %g m", h)
	}
	for range 25 {
		p.send(inf, inf, inf, inf)
		p.hear()
	}
	for range 1000 { // all of one moment: the first counts
		p.send(-inf, 0, nan, 1)
	}
	if _, err := p.conn.Write([]byte("GET / HTTP/1.1\r\n\r\n\xfd\xff\xfe")); err != nil {
		t.Fatal(err)
	}
	before := p.sensors.Time
	p.hear()
	if p.sensors.Time != before+4000 {
		t.Errorf("after a flood the time is %d µs, want %d", p.sensors.Time, before+4000)
	}
	for range 10 {
		p.send(0, 0, 0, 0)
		p.hear()
	}
	s.logged("bytes are skipped that are no MAVLink")
	now := s.engine.Snapshot()
	i, _ := now.Find("quad")
	if !now.Entities[i].Pose.Pos.IsFinite() || now.State != sim.Playing {
		t.Errorf("it is at %v, and the world is %s", now.Entities[i].Pose, now.State)
	}
}
