package scene

import "slices"

// DriveKind is the kinematics by which a robot follows a velocity command.
type DriveKind uint8

// Drive kinds.
const (
	// Differential drives by the speed difference of its left and right wheels. With several on each side it
	// is a skid-steer drive.
	Differential DriveKind = iota + 1
	// Ackermann steers its front wheels and drives wheels that are not steered.
	Ackermann
	// Mecanum drives sideways too, by rollers at 45° on its four wheels.
	Mecanum
)

// Drive is a controller of wheel joints that takes cmd_vel.
type Drive struct {
	Kind            DriveKind
	Left, Right     []int   // indices into ModelSpec.Joints: the wheels that turn; Mecanum: front, rear
	SteerLeft       []int   // Ackermann: joints that steer, by side
	SteerRight      []int   //
	Separation      float64 // m between the wheels' contact points
	KingpinWidth    float64 // Ackermann: m between the steering axes; 0: Separation
	WheelBase       float64 // Ackermann, Mecanum: m between the axles
	Radius          float64 // m
	SteerLimit      float64 // Ackermann: rad at the middle of the axle; 0: what the joints allow
	SteerRate       float64 // Ackermann: rad/s; 0: unlimited
	Kinematic       bool    // the base moves exactly as it is told, and the wheels for show
	Topic           string  // of commands; empty: cmd_vel
	Odometry        Odometry
	MaxLinearSpeed  float64 // m/s; 0: unlimited
	MaxAngularSpeed float64 // rad/s; 0: unlimited
	MaxLinearAccel  float64 // m/s²; 0: unlimited
	MaxAngularAccel float64 // rad/s²; 0: unlimited
	MaxTorque       float64 // N·m on each wheel; 0: the joint's limit, or the default
	Timeout         float64 // s without a command until it stops; 0: never
	Inferred        bool    // the file names no drive; it was found from the wheel joints
	Car             *Car    // Ackermann: it is a car; nil: it is none
}

// Joints are the joints that the drive turns and steers, as indices into ModelSpec.Joints.
func (d *Drive) Joints() []int { return slices.Concat(d.Left, d.Right, d.SteerLeft, d.SteerRight) }

// Odometry is the topic and the frames of a drive's odometry, and its error.
type Odometry struct {
	Topic     string  // empty: odom
	Frame     string  // empty: odom
	BaseFrame string  // frame that odometry is about; empty: the root link
	Rate      float64 // Hz; 0: the default of 30
	Off       bool    // it is not published
	NoTF      bool    // where it puts the base is left to others in tf
	Drift     Drift
}

// Drift is the error of odometry: of the distance that wheels measure. The zero value is none but that of
// real slip.
type Drift struct {
	Scale float64 // deviation of a wheel's true radius from the known one, relative; drawn once for each side
	// m/√m: the error of a side grows with the root of the way (Thrun, Burgard and Fox, "Probabilistic
	// Robotics", 2005, section 5.4)
	Walk float64
}
