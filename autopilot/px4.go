package autopilot

import (
	"errors"
	"log/slog"
	"math"
	"net"
	"os"
	"time"

	"simdeck/autopilot/mavlink"
	"simdeck/sim/r3"
	"simdeck/sim/sensor"
)

const (
	writeTime = 10 * time.Second // of the wall clock, within which an autopilot takes what it is told
	partTime  = time.Second      // after which the rest of a frame does not come

	// An autopilot that is starting measures but asks for nothing yet: the world does not wait long for it.
	// One that answers at once has time to do so.
	firstAnswer = 5 * time.Second
	nextAnswer  = 20 * time.Millisecond

	// Periods of what is told, in simulated time.
	framePeriod     = 4 * time.Millisecond
	magPeriod       = 10 * time.Millisecond
	pressurePeriod  = 20 * time.Millisecond
	gpsPeriod       = 100 * time.Millisecond
	heartbeatPeriod = time.Second

	simulatorSystem = 1 // as PX4 expects
	simulatorPart   = 200

	// Errors where there is no sensor that has its own: standard deviations.
	gyroError     = 0.001 // rad/s
	forceError    = 0.02  // m/s²
	fieldError    = 1e-7  // T
	pressureError = 1.0   // Pa

	standardGravity = 9.80665 // m/s²
	gauss           = 1e4     // of a tesla
	zeroCelsius     = 273.15  // K
)

// px4Link is the way to a PX4: a connection by TCP, to which we are the server.
type px4Link struct {
	listens  *net.TCPListener
	log      *slog.Logger
	entity   string
	conn     net.Conn // nil: it has not connected
	in       *mavlink.Reader
	seq      uint8
	answered bool      // it has asked for something on this connection
	frames   int       // that were sent on it
	sent     time.Time // of the last
	asked    uint64    // µs, the time of the last that it asked
	due      [4]due
	told     map[int]uint64 // number of the last sample, by sensor, of those that are told once
	bytes    []byte
	broken   rate
}

// due is the time of a message that is told with a period of simulated time.
type due struct{ next time.Duration }

func (d *due) at(now, period time.Duration) bool {
	if now < d.next {
		return false
	}
	d.next = now + period - now%period
	return true
}

func listenPX4(address, entity string, log *slog.Logger) (*px4Link, error) {
	at, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	listens, err := net.ListenTCP("tcp", at)
	return &px4Link{listens: listens, log: log, entity: entity}, err
}

func (l *px4Link) address() net.Addr { return l.listens.Addr() }

func (l *px4Link) close() {
	l.hangUp()
	_ = l.listens.Close()
}

func (l *px4Link) hangUp() {
	if l.conn != nil {
		_ = l.conn.Close()
	}
	l.conn = nil
}

// exchange implements link.
func (l *px4Link) exchange(m *motion, isNew bool, until time.Time) (out outputs, ok bool, err error) {
	if l.conn == nil {
		if connected, err := l.accept(until); !connected {
			return out, false, err
		}
		isNew = true
	}
	if isNew {
		err = l.tell(m)
	}
	if err == nil {
		out, ok, err = l.hear(m, until)
	}
	if err != nil {
		l.log.Warn("px4: the autopilot has left", "reason", err)
		l.hangUp()
	}
	return out, ok, nil
}

// accept lets an autopilot in.
func (l *px4Link) accept(until time.Time) (connected bool, err error) {
	if err := l.listens.SetDeadline(until); err != nil {
		return false, err
	}
	conn, err := l.listens.Accept()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return false, nil
	case errors.Is(err, net.ErrClosed):
		return false, err
	case err != nil: // too many files are open, or the peer is gone already
		time.Sleep(time.Until(until))
		return false, nil
	}
	l.log.Info("px4: an autopilot is connected", "from", conn.RemoteAddr().String())
	l.conn, l.in = conn, mavlink.NewReader(conn)
	l.answered, l.frames, l.asked, l.due, l.told = false, 0, 0, [4]due{}, map[int]uint64{}
	return true, nil
}

// hear waits for what the autopilot asks of its actuators after it was told of a motion.
func (l *px4Link) hear(m *motion, until time.Time) (out outputs, ok bool, err error) {
	wait := nextAnswer
	if l.frames == 1 {
		wait = firstAnswer
	}
	if given := l.sent.Add(wait); !l.answered && given.Before(until) {
		until = given
	}
	if m.free && l.answered {
		until = time.Now().Add(time.Millisecond)
	}
	if err := l.conn.SetReadDeadline(until); err != nil {
		return out, false, err
	}
	for {
		f, err := l.in.Next()
		if late := errors.Is(err, os.ErrDeadlineExceeded); late && l.in.Buffered() &&
			time.Since(l.sent) > partTime {
			l.in.GiveUp()
			continue
		} else if late {
			goesOn := m.free || !l.answered && time.Since(l.sent) >= wait
			return outputs{none: true, period: framePeriod}, goesOn, nil
		}
		if err != nil {
			return out, false, err
		}
		if l.in.Skipped > 0 && l.broken.pass(time.Now()) {
			l.log.Warn("px4: bytes are skipped that are no MAVLink", "bytes", l.in.Skipped)
			l.in.Skipped = 0
		}
		if f.ID != mavlink.HILActuatorControlID {
			continue
		}
		a, err := mavlink.ParseHILActuatorControls(f)
		if err != nil || l.answered && a.Time == l.asked { // it says more about the motion before
			continue
		}
		l.answered, l.asked = true, a.Time
		out := outputs{armed: a.Armed(), period: framePeriod}
		for i, c := range a.Controls {
			out.levels[i] = float64(c)
		}
		return out, true, nil
	}
}

// tell sends what the sensors of a vehicle measure.
func (l *px4Link) tell(m *motion) error {
	l.bytes = l.bytes[:0]
	if l.due[0].at(m.time, heartbeatPeriod) {
		l.add(mavlink.HeartbeatID, (&mavlink.Heartbeat{Type: mavlink.TypeGeneric,
			Autopilot: mavlink.AutopilotInvalid, Status: mavlink.StatusActive}).AppendPayload)
	}
	if l.due[1].at(m.time, gpsPeriod) {
		g := m.hilGPS()
		l.add(mavlink.HILGPSID, g.AppendPayload)
	}
	l.tellOptical(m)
	truth := m.hilState()
	l.add(mavlink.HILStateQuaternionID, truth.AppendPayload)
	// The autopilot's clock goes on with this one, so that it comes last.
	sensors := m.hilSensor(l.entity, l.due[2].at(m.time, magPeriod), l.due[3].at(m.time, pressurePeriod))
	l.add(mavlink.HILSensorID, sensors.AppendPayload)
	l.frames++
	l.sent = time.Now()
	_ = l.conn.SetWriteDeadline(l.sent.Add(writeTime))
	_, err := l.conn.Write(l.bytes)
	return err
}

// add adds a message to what is sent.
func (l *px4Link) add(id uint32, payload func([]byte) []byte) {
	l.bytes = mavlink.AppendFrame(l.bytes, mavlink.Frame{Seq: l.seq, System: simulatorSystem,
		Component: simulatorPart, ID: id, Payload: payload(nil)})
	l.seq++
}

// micros is the autopilot's time, µs.
func (m *motion) micros() uint64 { return uint64(m.time / time.Microsecond) }

func (m *motion) hilSensor(entity string, mag, pressure bool) mavlink.HILSensor {
	noise := m.noise(entity)
	gyro, force := m.gyro, m.force
	if m.truth {
		gyro, force = gyro.AddScaled(gyroError, normal(&noise)), force.AddScaled(forceError, normal(&noise))
	}
	s := mavlink.HILSensor{Time: m.micros(), Accel: floats(force), Gyro: floats(gyro),
		Updated: mavlink.UpdatedAccel | mavlink.UpdatedGyro, Height: float32(m.place.Altitude),
		Temperature: float32(m.kelvin - zeroCelsius)}
	field, pascal := m.field, m.pascal
	if !m.compass {
		field = field.AddScaled(fieldError, normal(&noise))
	}
	if !m.pressure {
		pascal += float64(pressureError * noise.Normal())
	}
	s.Mag, s.Pressure = floats(field.Scale(gauss)), float32(pascal/100)
	if mag {
		s.Updated |= mavlink.UpdatedMag
	}
	if pressure {
		s.Updated |= mavlink.UpdatedPressure
	}
	if m.air != nil {
		s.Differential = float32(m.air.Pascal / 100)
		if pressure {
			s.Updated |= mavlink.UpdatedAirSpeed
		}
	}
	return s
}

// normal are three numbers of variance 1.
func normal(n *sensor.Noise) r3.Vec {
	x, y := n.Normal(), n.Normal()
	return r3.V(x, y, n.Normal())
}

func floats(v r3.Vec) [3]float32 { return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// fixed is the nearest whole number of a type.
func fixed[T int16 | uint16 | int32](v float64, least, most T) T {
	if math.IsNaN(v) {
		return 0
	}
	return T(math.Round(max(float64(least), min(float64(most), v))))
}

func cm(v float64) int16   { return fixed[int16](v*100, math.MinInt16, math.MaxInt16) }
func cmU(v float64) uint16 { return fixed[uint16](v*100, 0, math.MaxUint16) }

// degrees is an angle of rad in 1e-7 degrees.
func degrees(v float64) int32 { return fixed[int32](v*180/math.Pi*1e7, math.MinInt32, math.MaxInt32) }
func mm(v float64) int32      { return fixed[int32](v*1000, math.MinInt32, math.MaxInt32) }

func (m *motion) hilGPS() mavlink.HILGPS {
	speed := math.Hypot(m.ground.X, m.ground.Y)
	course := math.Mod(r3.Atan2(m.ground.X, m.ground.Y)*180/math.Pi+360, 360)
	return mavlink.HILGPS{Time: m.micros(), Latitude: degrees(m.place.Latitude),
		Longitude: degrees(m.place.Longitude), Altitude: mm(m.place.Altitude), Horizontal: 30, Vertical: 40,
		Speed: cmU(speed), North: cm(m.ground.Y), East: cm(m.ground.X), Down: cm(-m.ground.Z),
		Course: fixed[uint16](course*100, 0, 35999), Fix: 3, Satellites: 10}
}

// hilState is the motion of the vehicle, without errors of its own.
func (m *motion) hilState() mavlink.HILStateQuaternion {
	s := mavlink.HILStateQuaternion{Time: m.micros(), Rates: floats(m.gyro),
		Latitude: degrees(m.place.Latitude), Longitude: degrees(m.place.Longitude),
		Altitude: mm(m.place.Altitude)}
	s.Attitude = [4]float32{float32(m.attitude.W), float32(m.attitude.X), float32(m.attitude.Y),
		float32(m.attitude.Z)}
	s.Velocity = [3]int16{cm(m.velocity.X), cm(m.velocity.Y), cm(m.velocity.Z)}
	if m.air != nil {
		s.Indicated, s.True = cmU(m.air.Speed), cmU(m.air.Speed)
	}
	for i, v := range array(m.force) {
		s.Accel[i] = fixed[int16](v/standardGravity*1000, math.MinInt16, math.MaxInt16)
	}
	return s
}
