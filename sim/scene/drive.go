package scene

import (
	"slices"

	"simdeck/sim/r3"
)

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
	// Multicopter flies by its rotors: up and down too, and turned about its height.
	Multicopter
	// Tracked drives by the speed difference of its left and right belts.
	Tracked
	// Vessel swims or dives by its thrusters.
	Vessel
	// FixedWing flies by its wings: propellers push it, and control surfaces turn it.
	FixedWing
)

// Drive is a controller of wheel joints that takes cmd_vel.
type Drive struct {
	Kind            DriveKind
	Left, Right     []int   // indices into ModelSpec.Joints: the wheels that turn; Mecanum: front, rear
	SteerLeft       []int   // Ackermann: joints that steer, by side
	SteerRight      []int   //
	Separation      float64 // m between the wheels' contact points; of belts: of wheels that turn it alike
	KingpinWidth    float64 // Ackermann: m between the steering axes; 0: Separation
	WheelBase       float64 // Ackermann, Mecanum: m between the axles
	Radius          float64 // m; of belts: 1
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
	Craft
	Tracks [2][]int // Tracked: links with a Track, left and right, by ModelSpec.Links
	Patrol *Patrol  // that it follows by itself until it is commanded; nil: none
}

// Bounds of the number of waypoints of a patrol.
const (
	MinPatrolPoints = 2
	MaxPatrolPoints = 100
)

// Patrol is a loop of waypoints, which a drive that can turn on the spot follows by itself.
type Patrol struct {
	Speed  float64  // m/s, above zero
	Points []r3.Vec // in the world frame; heights do not count
}

// Pivots reports that the drive can turn on the spot, on the ground.
func (d *Drive) Pivots() bool {
	return d.Kind == Differential || d.Kind == Mecanum || d.Kind == Tracked
}

// Craft is a craft that goes without wheels; nil: it is none of that kind.
type Craft struct {
	Flight     *Flight     // of a Multicopter
	Propulsion *Propulsion // of a Vessel
	Aircraft   *Aircraft   // of a FixedWing
}

// Climbs reports that velocities up and down mean something to the drive.
func (d *Drive) Climbs() bool {
	return d.Kind == Multicopter || d.Kind == FixedWing || d.Propulsion != nil && d.Propulsion.Heaves
}

// Slides reports that the drive moves sideways, too.
func (d *Drive) Slides() bool {
	return d.Kind == Mecanum || d.Kind == Multicopter || d.Propulsion != nil && d.Propulsion.Sways
}

// Propulsion is the thrusters of a vessel.
type Propulsion struct {
	Thrusters     []int // joints of its rotors, which are in ModelSpec.Flow
	Heaves, Sways bool  // they push up and down, and sideways
}

// Aircraft is the joints that fly an aeroplane, and its bounds. Its velocity ahead is that through the air.
type Aircraft struct {
	Propellers  []int   // joints of its rotors, which are in ModelSpec.Flow
	Surfaces    []int   // joints of its control surfaces, which are in ModelSpec.Flow
	LeastSpeed  float64 // m/s, that it keeps in the air
	CruiseSpeed float64 // m/s, that it flies where nothing else is asked
	MaxBank     float64 // rad
	MaxAttack   float64 // rad, the angle of attack that it keeps below
}

// Flight is the controller of a multicopter (Gazebo's MulticopterVelocityControl). Its gains are by the axes
// of the base.
type Flight struct {
	Joints     []int  // of its rotors, which are in ModelSpec.Flow
	Velocity   r3.Vec // N·s/m: force by the error of the velocity, along the world's axes
	Attitude   r3.Vec // N·m: torque by the error of the attitude
	Rate       r3.Vec // N·m·s: torque by the error of the angular velocity
	MaxAccel   r3.Vec // m/s²; 0: unbounded, as the next
	MaxLinear  r3.Vec // m/s
	MaxAngular r3.Vec // rad/s
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
