package mavlink

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Numbers of messages.
const (
	HeartbeatID          = 0
	HILActuatorControlID = 93
	HILSensorID          = 107
	HILGPSID             = 113
	HILOpticalFlowID     = 114
	HILStateQuaternionID = 115
	DistanceSensorID     = 132
)

// messages are the lengths of payloads with their extensions, and the bytes of definitions in checksums.
var messages = map[uint32]struct {
	length int // bytes
	extra  uint8
}{
	HeartbeatID:          {9, 50},
	HILActuatorControlID: {81, 47},
	HILSensorID:          {65, 108},
	HILGPSID:             {39, 124},
	HILOpticalFlowID:     {44, 237},
	HILStateQuaternionID: {64, 4},
	DistanceSensorID:     {39, 85},
}

// Values of a heartbeat.
const (
	TypeGeneric      = 0
	AutopilotInvalid = 8 // it is no autopilot
	ModeArmed        = 1 << 7
	ModeHIL          = 1 << 5
	StatusActive     = 4
	version          = 3 // of MAVLink, as heartbeats have it
)

// FlagLockstep is the flag of HIL_ACTUATOR_CONTROLS of an autopilot whose clock is the simulator's.
const FlagLockstep = 1

// Heartbeat says that a system is there.
type Heartbeat struct {
	Mode                          uint32 // of its own
	Type, Autopilot, Base, Status uint8
}

// HILActuatorControls are the wishes of an autopilot for its motors and servos.
type HILActuatorControls struct {
	Time     uint64 // µs, by the simulator's clock
	Flags    uint64
	Controls [16]float32 // -1 to 1, of motors that do not reverse 0 to 1
	Mode     uint8       // ModeArmed and others
}

// Armed reports that motors may turn.
func (m *HILActuatorControls) Armed() bool { return m.Mode&ModeArmed != 0 }

// Bits of HILSensor.Updated.
const (
	UpdatedAccel    = 7
	UpdatedGyro     = 7 << 3
	UpdatedMag      = 7 << 6
	UpdatedPressure = 1<<9 | 1<<11 | 1<<12 // with height and temperature
	UpdatedAirSpeed = 1 << 10
)

// HILSensor are measurements of a body in its frame: x forward, y right, z down.
type HILSensor struct {
	Time         uint64     // µs
	Accel        [3]float32 // specific force, m/s²
	Gyro         [3]float32 // rad/s
	Mag          [3]float32 // gauss
	Pressure     float32    // hPa
	Differential float32    // hPa, of an air speed sensor
	Height       float32    // m, that belongs to the pressure
	Temperature  float32    // °C
	Updated      uint32
	ID           uint8
}

// HILGPS is a measurement of a satellite receiver.
type HILGPS struct {
	Time                 uint64 // µs
	Latitude, Longitude  int32  // 1e-7 degrees
	Altitude             int32  // mm
	Horizontal, Vertical uint16 // cm, of uncertainty
	Speed                uint16 // cm/s, over the ground
	North, East, Down    int16  // cm/s
	Course               uint16 // 0.01 degrees
	Fix, Satellites, ID  uint8
	Yaw                  uint16 // 0.01 degrees; 0: not known
}

// HILStateQuaternion is the motion of a body, without errors.
type HILStateQuaternion struct {
	Time                          uint64     // µs
	Attitude                      [4]float32 // w, x, y, z: from the body's frame to north, east, down
	Rates                         [3]float32 // rad/s, in the body's frame
	Latitude, Longitude, Altitude int32      // 1e-7 degrees, mm
	Velocity                      [3]int16   // cm/s: north, east, down
	Indicated, True               uint16     // cm/s, of the air
	Accel                         [3]int16   // specific force, 0.001 of 9.80665 m/s²
}

// payload is that of a frame with the zeros at its end, and with its extensions zero where it has none.
func payload(f Frame, id uint32) (fields, error) {
	m := messages[id]
	if f.ID != id || len(f.Payload) > m.length {
		return fields{}, fmt.Errorf("%w: message %d with %d bytes, want message %d with %d at most", ErrMalformed,
			f.ID, len(f.Payload), id, m.length)
	}
	return fields{append(make([]byte, 0, m.length), f.Payload...)[:m.length]}, nil
}

// fields are written or read in the order of a payload.
type fields struct{ b []byte }

func (f *fields) u8(v ...uint8) { f.b = append(f.b, v...) }
func (f *fields) u16(v ...uint16) {
	for _, x := range v {
		f.b = binary.LittleEndian.AppendUint16(f.b, x)
	}
}

func (f *fields) i16(v ...int16) {
	for _, x := range v {
		f.u16(uint16(x))
	}
}

func (f *fields) i32(v ...int32) {
	for _, x := range v {
		f.b = binary.LittleEndian.AppendUint32(f.b, uint32(x))
	}
}

func (f *fields) u32(v uint32) { f.b = binary.LittleEndian.AppendUint32(f.b, v) }
func (f *fields) u64(v uint64) { f.b = binary.LittleEndian.AppendUint64(f.b, v) }

func (f *fields) f32(v ...float32) {
	for _, x := range v {
		f.u32(math.Float32bits(x))
	}
}

func (f *fields) takeU8() (v uint8)   { v, f.b = f.b[0], f.b[1:]; return v }
func (f *fields) takeU16() (v uint16) { v, f.b = binary.LittleEndian.Uint16(f.b), f.b[2:]; return v }
func (f *fields) takeU32() (v uint32) { v, f.b = binary.LittleEndian.Uint32(f.b), f.b[4:]; return v }
func (f *fields) takeU64() (v uint64) { v, f.b = binary.LittleEndian.Uint64(f.b), f.b[8:]; return v }

func (f *fields) takeI16(to ...*int16) {
	for _, x := range to {
		*x = int16(f.takeU16())
	}
}

func (f *fields) takeI32(to ...*int32) {
	for _, x := range to {
		*x = int32(f.takeU32())
	}
}

func (f *fields) takeF32(to []float32) {
	for i := range to {
		to[i] = math.Float32frombits(f.takeU32())
	}
}

// AppendPayload appends the message.
func (m *Heartbeat) AppendPayload(b []byte) []byte {
	f := fields{b}
	f.u32(m.Mode)
	f.u8(m.Type, m.Autopilot, m.Base, m.Status, version)
	return f.b
}

// ParseHeartbeat reads HEARTBEAT.
func ParseHeartbeat(frame Frame) (m Heartbeat, err error) {
	f, err := payload(frame, HeartbeatID)
	if err != nil {
		return m, err
	}
	m.Mode, m.Type, m.Autopilot = f.takeU32(), f.takeU8(), f.takeU8()
	m.Base, m.Status = f.takeU8(), f.takeU8()
	return m, nil
}

// AppendPayload appends the message.
func (m *HILActuatorControls) AppendPayload(b []byte) []byte {
	f := fields{b}
	f.u64(m.Time)
	f.u64(m.Flags)
	f.f32(m.Controls[:]...)
	f.u8(m.Mode)
	return f.b
}

// ParseHILActuatorControls reads HIL_ACTUATOR_CONTROLS.
func ParseHILActuatorControls(frame Frame) (m HILActuatorControls, err error) {
	f, err := payload(frame, HILActuatorControlID)
	if err != nil {
		return m, err
	}
	m.Time, m.Flags = f.takeU64(), f.takeU64()
	f.takeF32(m.Controls[:])
	m.Mode = f.takeU8()
	return m, nil
}

// AppendPayload appends the message.
func (m *HILSensor) AppendPayload(b []byte) []byte {
	f := fields{b}
	f.u64(m.Time)
	f.f32(m.Accel[:]...)
	f.f32(m.Gyro[:]...)
	f.f32(m.Mag[:]...)
	f.f32(m.Pressure, m.Differential, m.Height, m.Temperature)
	f.u32(m.Updated)
	f.u8(m.ID)
	return f.b
}

// ParseHILSensor reads HIL_SENSOR.
func ParseHILSensor(frame Frame) (m HILSensor, err error) {
	f, err := payload(frame, HILSensorID)
	if err != nil {
		return m, err
	}
	m.Time = f.takeU64()
	f.takeF32(m.Accel[:])
	f.takeF32(m.Gyro[:])
	f.takeF32(m.Mag[:])
	var rest [4]float32
	f.takeF32(rest[:])
	m.Pressure, m.Differential, m.Height, m.Temperature = rest[0], rest[1], rest[2], rest[3]
	m.Updated, m.ID = f.takeU32(), f.takeU8()
	return m, nil
}

// AppendPayload appends the message.
func (m *HILGPS) AppendPayload(b []byte) []byte {
	f := fields{b}
	f.u64(m.Time)
	f.i32(m.Latitude, m.Longitude, m.Altitude)
	f.u16(m.Horizontal, m.Vertical, m.Speed)
	f.i16(m.North, m.East, m.Down)
	f.u16(m.Course)
	f.u8(m.Fix, m.Satellites, m.ID)
	f.u16(m.Yaw)
	return f.b
}

// ParseHILGPS reads HIL_GPS.
func ParseHILGPS(frame Frame) (m HILGPS, err error) {
	f, err := payload(frame, HILGPSID)
	if err != nil {
		return m, err
	}
	m.Time = f.takeU64()
	f.takeI32(&m.Latitude, &m.Longitude, &m.Altitude)
	m.Horizontal, m.Vertical, m.Speed = f.takeU16(), f.takeU16(), f.takeU16()
	f.takeI16(&m.North, &m.East, &m.Down)
	m.Course, m.Fix, m.Satellites, m.ID = f.takeU16(), f.takeU8(), f.takeU8(), f.takeU8()
	m.Yaw = f.takeU16()
	return m, nil
}

// AppendPayload appends the message.
func (m *HILStateQuaternion) AppendPayload(b []byte) []byte {
	f := fields{b}
	f.u64(m.Time)
	f.f32(m.Attitude[:]...)
	f.f32(m.Rates[:]...)
	f.i32(m.Latitude, m.Longitude, m.Altitude)
	f.i16(m.Velocity[:]...)
	f.u16(m.Indicated, m.True)
	f.i16(m.Accel[:]...)
	return f.b
}

// ParseHILStateQuaternion reads HIL_STATE_QUATERNION.
func ParseHILStateQuaternion(frame Frame) (m HILStateQuaternion, err error) {
	f, err := payload(frame, HILStateQuaternionID)
	if err != nil {
		return m, err
	}
	m.Time = f.takeU64()
	f.takeF32(m.Attitude[:])
	f.takeF32(m.Rates[:])
	f.takeI32(&m.Latitude, &m.Longitude, &m.Altitude)
	f.takeI16(&m.Velocity[0], &m.Velocity[1], &m.Velocity[2])
	m.Indicated, m.True = f.takeU16(), f.takeU16()
	f.takeI16(&m.Accel[0], &m.Accel[1], &m.Accel[2])
	return m, nil
}
