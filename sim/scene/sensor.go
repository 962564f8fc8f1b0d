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
)

// Sensor is a sensor fixed to a link.
type Sensor struct {
	Name  string
	Kind  SensorKind
	Pose  r3.Pose // in the link frame
	Rate  float64 // Hz of simulated time; 0: every step
	Topic string  // ROS topic as the file names it; empty: the kind's usual name
	Frame string  // frame_id; empty: the link's name
	Off   bool    // always_on false
	Lidar LidarSpec
}

// LidarSpec is a scanning pattern: Rows × Columns rays, each ring from
// MinAngle to MaxAngle about z, rings from MinElevation to MaxElevation.
type LidarSpec struct {
	Columns, Rows              int
	MinAngle, MaxAngle         float64 // rad
	MinElevation, MaxElevation float64 // rad
	MinRange, MaxRange         float64 // m
	Resolution                 float64 // m; 0: exact
	NoiseStd                   float64 // m, Gaussian; 0: none
}
