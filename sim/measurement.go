package sim

import (
	"time"

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
func (*AirSpeed) isMeasurement()         {}
func (*SonarRange) isMeasurement()       {}
func (*DVLReading) isMeasurement()       {}
func (*OpticalFlow) isMeasurement()      {}

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
	case scene.AirSpeed:
		return &AirSpeed{}
	case scene.Sonar:
		return &SonarRange{}
	case scene.DVL:
		return &DVLReading{}
	case scene.OpticalFlow:
		return &OpticalFlow{}
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

// AirPressure is the measurement of a barometer: of the air, or below the surface of a liquid of that.
type AirPressure struct {
	Spec   *scene.Noise
	Pascal float64
	Depth  float64 // m below the surface of a liquid, without error; 0: in the air
}

// AirSpeed is the measurement of a Pitot tube that looks along x of its frame.
type AirSpeed struct {
	Spec   *scene.Noise
	Pascal float64 // of the air that it meets, above that at rest; below zero where it comes from behind
	Speed  float64 // m/s, that belongs to Pascal and the density at its place
	Kelvin float64 // of the air, without error
}

// SonarRange is the measurement of a sonar of one beam.
type SonarRange struct {
	Spec   *scene.SonarSpec
	Metres float64 // +Inf: no echo; -Inf: something is too near (REP-117)
}

// DVLReading is the measurement of a Doppler velocity log. Vectors are in the frame of its Spec's Report.
type DVLReading struct {
	Spec       *scene.DVLSpec
	Water      bool // against the water; else against the bottom
	Locked     int  // beams with an echo
	Valid      bool // there are enough of these for a velocity
	Velocity   r3.Vec
	Covariance r3.Mat  // of the velocity, m²/s²
	Altitude   float64 // m above the bottom or the middle of the layer, along z: the mean of the beams
	Beams      []DVLBeam
}

// DVLBeam is a beam of a Doppler velocity log.
type DVLBeam struct {
	Axis   r3.Vec  // of length 1
	Locked bool    // there is an echo
	Range  float64 // m
	Speed  float64 // m/s, towards what returns the echo
}

// OpticalFlow is the measurement of an optical flow sensor: the flow in the middle of its picture, integrated
// over its period. Axes are those of the picture, as MAVLink counts the sensor's: x up, y right, z ahead.
type OpticalFlow struct {
	Spec *scene.OpticalFlowSpec
	// rad, by which the picture's middle has moved right and down. A turn of the sensor about x or y gives as
	// much X or Y. A way s along y at a distance d gives -s/d of X, along x it gives s/d of Y.
	X, Y    float64
	Turn    r3.Vec        // rad, the integral of the sensor's angular velocity, without error
	Time    time.Duration // of the period, in which something was in view; the integrals are over this
	Quality uint8         // its part of the period: 0, nothing was in view, to 255
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
