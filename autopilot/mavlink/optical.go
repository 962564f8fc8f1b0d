package mavlink

// HILOpticalFlow is a measurement of an optical flow sensor. Turns about its axes x and y give as much X and
// Y; motion along y gives less X, along x more Y.
type HILOpticalFlow struct {
	Time        uint64     // µs
	Period      uint32     // µs, of the integrals
	X, Y        float32    // rad
	Turn        [3]float32 // rad, the integral of angular velocity; not a number: there is no gyroscope
	DistanceAge uint32     // µs, since Distance was measured
	Distance    float32    // m, to what it sees; below zero: not known
	Temperature int16      // 0.01 °C
	ID          uint8
	Quality     uint8 // 0: bad, to 255
}

// Types of a DistanceSensor.
const (
	RangeLaser      = 0
	RangeUltrasound = 1
)

// Directions into which a DistanceSensor looks (MAV_SENSOR_ORIENTATION).
const (
	LooksAhead     = 0
	LooksRight     = 2
	LooksBack      = 12
	LooksLeft      = 6
	LooksUp        = 24
	LooksDown      = 25
	LooksElsewhere = 100 // as Attitude says
)

// Qualities of a DistanceSensor; 0: not known.
const (
	RangeInvalid = 1
	RangePerfect = 100
)

// DistanceSensor is a measurement of a range finder.
type DistanceSensor struct {
	Time                  uint32 // ms
	Least, Most, Distance uint16 // cm
	Type, ID, Orientation uint8
	Variance              uint8   // cm²; 255: not known
	Width, Height         float32 // rad, of its field of view
	// w, x, y, z: from its frame, in which it looks along x, to the body's; where Orientation says all, zeros
	Attitude [4]float32
	Quality  uint8 // 1 to 100; 0: not known
}

// AppendPayload appends the message.
func (m *HILOpticalFlow) AppendPayload(b []byte) []byte {
	f := fields{b}
	f.u64(m.Time)
	f.u32(m.Period)
	f.f32(m.X, m.Y)
	f.f32(m.Turn[:]...)
	f.u32(m.DistanceAge)
	f.f32(m.Distance)
	f.i16(m.Temperature)
	f.u8(m.ID, m.Quality)
	return f.b
}

// ParseHILOpticalFlow reads HIL_OPTICAL_FLOW.
func ParseHILOpticalFlow(frame Frame) (m HILOpticalFlow, err error) {
	f, err := payload(frame, HILOpticalFlowID)
	if err != nil {
		return m, err
	}
	var flow [2]float32
	var distance [1]float32
	m.Time, m.Period = f.takeU64(), f.takeU32()
	f.takeF32(flow[:])
	f.takeF32(m.Turn[:])
	m.DistanceAge = f.takeU32()
	f.takeF32(distance[:])
	f.takeI16(&m.Temperature)
	m.ID, m.Quality = f.takeU8(), f.takeU8()
	m.X, m.Y, m.Distance = flow[0], flow[1], distance[0]
	return m, nil
}

// AppendPayload appends the message.
func (m *DistanceSensor) AppendPayload(b []byte) []byte {
	f := fields{b}
	f.u32(m.Time)
	f.u16(m.Least, m.Most, m.Distance)
	f.u8(m.Type, m.ID, m.Orientation, m.Variance)
	f.f32(m.Width, m.Height)
	f.f32(m.Attitude[:]...)
	f.u8(m.Quality)
	return f.b
}

// ParseDistanceSensor reads DISTANCE_SENSOR.
func ParseDistanceSensor(frame Frame) (m DistanceSensor, err error) {
	f, err := payload(frame, DistanceSensorID)
	if err != nil {
		return m, err
	}
	m.Time = f.takeU32()
	m.Least, m.Most, m.Distance = f.takeU16(), f.takeU16(), f.takeU16()
	m.Type, m.ID, m.Orientation, m.Variance = f.takeU8(), f.takeU8(), f.takeU8(), f.takeU8()
	var view [2]float32
	f.takeF32(view[:])
	f.takeF32(m.Attitude[:])
	m.Width, m.Height, m.Quality = view[0], view[1], f.takeU8()
	return m, nil
}
