package scene

import "simdeck/sim/r3"

// JointKind is the kind of freedom between two links.
type JointKind uint8

// Joint kinds, in the words of URDF and SDF. Continuous is a revolute joint
// without limits.
const (
	Fixed JointKind = iota + 1
	Revolute
	Continuous
	Prismatic
	Ball
	Universal
	Screw
	Planar
	Floating
)

// HasPosition reports that one number says where a joint of this kind is: a universal joint's is about its
// first axis.
func (k JointKind) HasPosition() bool {
	return k == Revolute || k == Continuous || k == Prismatic || k == Screw || k == Universal
}

// World is the Parent of a joint that ties a link to the world.
const World = -1

// Joint ties Child to Parent.
type Joint struct {
	Name          string
	Kind          JointKind
	Parent, Child int     // indices into ModelSpec.Links; Parent may be World
	Pose          r3.Pose // of the joint frame, in the child link's frame
	// of the joint frame in the parent's frame, or the model's. The two ends are pulled together then; a zero
	// rotation: both are at Pose.
	ParentPose  r3.Pose
	Axis        r3.Vec // unit, in the joint frame
	Axis2       r3.Vec // Universal: the second axis
	Limit       Limit
	Damping     float64 // N·m·s/rad or N·s/m
	Friction    float64 // N·m or N
	Stiffness   float64 // spring, N·m/rad or N/m
	SpringRest  float64 // rad or m
	Initial     float64 // position at spawning, rad or m
	InitialTurn r3.Quat // of a Ball at spawning: of the child, against the pose in the file; zero: none
	Pitch       float64 // Screw: metres along the axis for a turn
	Mimic       Mimic
	Armature    float64 // kg·m² or kg of the motor's rotor as the joint feels it
	Servo       Servo
	Hold        bool    // its motor keeps it at Initial until it is commanded
	Speed       float64 // rad/s or m/s at which its motor turns it until it is commanded; 0: it does not
	Kinematic   bool    // its motor moves it as it is told, whatever hinders it, and takes no efforts
	Encoder     Encoder
	Listen      Listen
}

// PullsTogether reports that the two ends of a joint may be apart at the start.
func (j *Joint) PullsTogether() bool { return j.ParentPose.Rot != (r3.Quat{}) }

// Listen is the topic of single numbers that command a joint, as a controller in the file names it. The zero
// value is none.
type Listen struct {
	Topic    string
	Velocity bool // the numbers are rad/s or m/s; else rad or m
	Effort   bool // the numbers are N·m or N, of a rotor its thrust
}

// Encoder is the sensor of a joint: Webots' PositionSensor, MJCF's jointpos and jointvel, an SDF or URDF
// sensor of type encoder. The zero value is none: the joint's true state is told.
type Encoder struct {
	Set      bool
	Position Noise // rad or m; its Precision is the encoder's resolution
	Velocity Noise // rad/s or m/s
	// the velocity is measured by itself; else it is the difference of two positions, a step apart
	Tacho bool
}

// Limit of a joint. The zero value is no limit.
type Limit struct {
	Set bool // Lower and Upper hold
	// rad or m; of a Ball only Upper holds, for its turn from where the file has it, about any axis
	Lower, Upper float64
	Effort       float64 // N·m or N; 0: unlimited
	Velocity     float64 // rad/s or m/s; 0: unlimited
	Acceleration float64 // rad/s² or m/s², of the motor; 0: unlimited
	// Velocity bounds what the motor asks for (Webots), not how fast the joint is pushed (URDF, SDF)
	MotorOnly bool
}

// Mimic makes a joint follow another: q = Multiplier·q(Joint) + Offset.
type Mimic struct {
	Joint      int // index into ModelSpec.Joints; meaningful when Set
	Multiplier float64
	Offset     float64
	Set        bool
}
