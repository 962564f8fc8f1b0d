package scene

import "simdeck/sim/r3"

// SensorKind is the kind of a sensor.
type SensorKind uint8

// Sensor kinds. Those the engine cannot run yet are kept in the description
// and listed in Notes.
const (
	Lidar SensorKind = iota + 1
	Camera
	DepthCamera
	IMU
	Contact
	ForceTorque
	GPS
	OtherSensor
	RGBDCamera
	Magnetometer
	AirPressure
	Altimeter
	AirSpeed
	Sonar
	DVL
	OpticalFlow
)

// Sensor is a sensor fixed to a link.
type Sensor struct {
	Name  string
	Kind  SensorKind
	Pose  r3.Pose // in the link frame
	Rate  float64 // Hz of simulated time; 0: every step
	Topic string  // ROS topic as the file names it; empty: the kind's usual name
	Frame string  // frame_id; empty: the link's name
	// s from a measurement to its report; lidars, sonars of many beams and cameras report at once
	Latency float64
	// Visualize and the like are not kept. Of the following, what the kind needs is set.
	Lidar    LidarSpec
	Camera   CameraSpec
	IMU      IMUSpec
	Contact  ContactSpec
	Force    ForceSpec
	GPS      GPSSpec
	Sonar    SonarSpec
	DVL      DVLSpec
	Flow     OpticalFlowSpec
	SeaLevel *float64 // AirPressure: m, of the world's origin above it; nil: that of the world
	Noise    Noise    // AirPressure and AirSpeed: Pa; OpticalFlow: rad; Altimeter: m, of the height
	Speed    Noise    // Altimeter: m/s
	Magnetic [3]Noise // T
}

// LidarSpec is a scanning pattern: Rows × Columns rays, each ring from
// MinAngle to MaxAngle about z, rings from MinElevation to MaxElevation.
type LidarSpec struct {
	Columns, Rows              int
	MinAngle, MaxAngle         float64 // rad
	MinElevation, MaxElevation float64 // rad
	// rad, of each ring from the lowest on; nil: evenly from MinElevation to MaxElevation
	Elevations         []float64
	MinRange, MaxRange float64 // m
	Resolution         float64 // m; 0: exact
	NoiseStd           float64 // m, Gaussian; 0: none
	NoiseMean          float64 // m
	Acoustic           bool    // the surface of a liquid returns its rays: a sonar of many beams
}

// Azimuth is the direction of a column, in rad about z.
func (l *LidarSpec) Azimuth(column int) float64 {
	return between(l.MinAngle, l.MaxAngle, column, l.Columns)
}

// Elevation is the direction of a ring, in rad; rings count from the lowest.
func (l *LidarSpec) Elevation(ring int) float64 {
	if l.Elevations != nil {
		return l.Elevations[ring]
	}
	return between(l.MinElevation, l.MaxElevation, ring, l.Rows)
}

// between is the i-th of n values evenly from lo to hi; lo when there is one.
func between(lo, hi float64, i, n int) float64 {
	if n == 1 {
		return lo
	}
	return lo + float64(float64(float64(i)*(hi-lo))/float64(n-1))
}

// Noise is the error that a device adds to a true value, after SDF's <noise>. The zero value adds nothing.
type Noise struct {
	Mean, Std float64 // of every sample, Gaussian
	BiasMean  float64 // of a constant error that is drawn once
	BiasStd   float64
	// of an error that wanders, once it has long done so: a Gauss–Markov process with WalkTime
	WalkStd   float64
	WalkTime  float64 // s, after which 1/e is left of it; 0: it does not wander
	Precision float64 // resolution of the reported values; 0: none
}

// CameraSpec is a camera: it looks along x of the sensor's frame.
type CameraSpec struct {
	Width, Height  int
	Spherical      bool       // a pixel is at an angle; depths are distances
	FX, FY, CX, CY float64    // px; of a spherical one FX and FY px/rad
	Distortion     [5]float64 // k1, k2, p1, p2, k3 of plumb_bob
	Near, Far      float64    // m
	NoiseStd       float64    // of a colour from 0 to 1, or m of a depth
	NoiseMean      float64
	Optical        string // name of the optical frame; empty: not said
	InfoTopic      string // empty: beside the image's
}

// IMUSpec is the noise of an IMU, by axes.
type IMUSpec struct {
	Turn, Force   [3]Noise // rad/s, m/s²
	NoOrientation bool
	// of the frame in which the orientation is told: in the world, or, if North, in east, north and up; zero:
	// the world's own
	Reference r3.Quat
	North     bool
}

// ContactSpec says which collision shapes of the link are felt.
type ContactSpec struct {
	Collisions []string // names; none: all of the link's
}

// ForceSpec is a force-torque sensor in a joint of the model.
type ForceSpec struct {
	Set           bool   // the sensor stands in a joint
	Joint         int    // index into ModelSpec.Joints
	Frame         string // in which it is given: "child", "parent" or "sensor"
	ParentToChild bool   // force of the parent on the child; else the reverse
	Force, Torque [3]Noise
}

// GPSSpec is the noise of a satellite receiver: metres and metres by second.
type GPSSpec struct {
	Horizontal, Vertical           Noise
	SpeedHorizontal, SpeedVertical Noise
}
