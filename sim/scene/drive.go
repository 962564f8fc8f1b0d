package scene

// DriveKind is how a robot turns a velocity command into motion.
type DriveKind uint8

// Drive kinds. Only Differential runs today.
const (
	Differential DriveKind = iota + 1
	Ackermann
	Mecanum
)

// Drive is a controller of wheel joints that takes cmd_vel.
type Drive struct {
	Kind            DriveKind
	Left, Right     []int   // indices into ModelSpec.Joints
	Separation      float64 // m between the wheels' contact points
	Radius          float64 // m
	Topic           string  // of commands; empty: cmd_vel
	OdomTopic       string  // empty: odom
	OdomFrame       string  // empty: odom
	BaseFrame       string  // frame that odometry is about; empty: the root link
	OdomRate        float64 // Hz; 0: the default of 30
	MaxLinearSpeed  float64 // m/s; 0: unlimited
	MaxAngularSpeed float64 // rad/s; 0: unlimited
	MaxLinearAccel  float64 // m/s²; 0: unlimited
	MaxAngularAccel float64 // rad/s²; 0: unlimited
	MaxTorque       float64 // N·m on each wheel; 0: the joint's limit, or the default
	Timeout         float64 // s without a command until it stops; 0: never
	Inferred        bool    // the file names no drive; it was found from the wheel joints
}
