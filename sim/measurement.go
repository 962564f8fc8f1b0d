package sim

import (
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/sim/vehicle"
)

// Measurement is the data of a Sample: a pointer to one of the types below, a type for each kind of sensor.
// The set is sealed, so that whoever switches over it can handle all of it.
type Measurement interface{ isMeasurement() }

func (*LidarScan) isMeasurement()        {}
func (*CameraImage) isMeasurement()      {}
func (*IMUReading) isMeasurement()       {}
func (*ContactReadings) isMeasurement()  {}
func (*Wrench) isMeasurement()           {}
func (*GPSFix) isMeasurement()           {}
func (*MagneticField) isMeasurement()    {}
func (*AirPressure) isMeasurement()      {}
func (*AltimeterReading) isMeasurement() {}

// NewMeasurement is an empty measurement of a kind of sensor; nil for kinds that are not simulated.
func NewMeasurement(kind scene.SensorKind) Measurement {
	switch kind {
	case scene.Lidar:
		return &LidarScan{}
	case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
		return &CameraImage{}
	case scene.IMU:
		return &IMUReading{}
	case scene.Contact:
		return &ContactReadings{}
	case scene.ForceTorque:
		return &Wrench{}
	case scene.GPS:
		return &GPSFix{}
	case scene.Magnetometer:
		return &MagneticField{}
	case scene.AirPressure:
		return &AirPressure{}
	case scene.Altimeter:
		return &AltimeterReading{}
	}
	return nil
}

// LidarScan holds Rows × Columns ranges, ring by ring from the lowest, each
// from MinAngle to MaxAngle. No return is +Inf, too near is -Inf (REP-117).
type LidarScan struct {
	Spec   *scene.LidarSpec
	Ranges []float32 // m
	// Intensities are the return intensities: the laser_retro of the hit collision shape, 0 where the file
	// has none or nothing was hit.
	Intensities []float32
}

// CameraImage is the picture of a camera: RGB for a camera, Depth for a depth camera, both for one of both
// kinds. Depths are metres along the axis; +Inf where nothing is within reach, -Inf where something is too
// near (REP-118).
type CameraImage struct {
	Spec  *scene.CameraSpec
	Image *render.Image
}

// IMUReading is the measurement of an IMU, in its own frame.
type IMUReading struct {
	Spec *scene.IMUSpec
	// of the frame in the world, or in the frame that its Spec refers to; without error
	Orientation     r3.Quat
	AngularVelocity r3.Vec // rad/s
	SpecificForce   r3.Vec // m/s²: acceleration minus gravity; at rest it points up
}

// ContactReadings is the measurement of a contact sensor.
type ContactReadings struct{ Contacts []ContactReading }

// ContactReading is a patch in which a collision shape of the sensor's link meets
// another. Names are "entity::link::collision".
type ContactReading struct {
	Own, Other string
	Normal     r3.Vec // in the world frame, into the sensor's link
	Points     []ContactReadingPoint
}

// ContactReadingPoint is a place of a Touch, in the world frame.
type ContactReadingPoint struct {
	Position r3.Vec
	Depth    float64 // m
	Force    r3.Vec  // N on the sensor's link
	Torque   r3.Vec  // N·m on it about its centre of mass
}

// Wrench is the measurement of a force-torque sensor, along the axes of the frame that its Spec names. It is
// about the sensor's own place in that frame, else about the middle of its joint.
type Wrench struct {
	Spec   *scene.ForceSpec
	Force  r3.Vec // N
	Torque r3.Vec // N·m
}

// GPSFix is the measurement of a satellite receiver.
type GPSFix struct {
	Spec     *scene.GPSSpec
	Valid    bool // the world says where on the earth it lies
	Place    sensor.Place
	Velocity r3.Vec // m/s, east, north, up
}

// MagneticField is the measurement of a magnetometer, in its own frame.
type MagneticField struct {
	Spec  *[3]scene.Noise
	Field r3.Vec // T
}

// AirPressure is the measurement of a barometer.
type AirPressure struct {
	Spec   *scene.Noise
	Pascal float64
}

// AltimeterReading is the measurement of an altimeter, relative to the world's origin.
type AltimeterReading struct {
	Metres, Speed float64
}

// CarReading is the state of a car at the Time of its odometry.
type CarReading struct {
	vehicle.CarState
	Pose   r3.Pose    // of the base in the world frame: the truth
	Wheels [4]float64 // m/s at the rim: front left, front right, rear left, rear right
	Bumps  uint64     // steps, since the car is there, in which it touched anything but ground
}
