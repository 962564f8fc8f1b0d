package scene

import (
	"slices"

	"simdeck/sim/r3"
)

// Bounds of a step, in seconds: shorter ones take endless time, in longer ones everything passes through
// everything.
const (
	MinStepSize = 10e-6
	MaxStepSize = 0.1
)

// WorldSpec is a world as a file describes it.
type WorldSpec struct {
	Name        string
	Description string
	Tags        []string
	Gravity     r3.Vec  // m/s², in the world frame
	StepSize    float64 // s; 0: the engine's default
	RealTime    float64 // asked real-time factor; 0: the engine's default of 1
	Unpaced     bool    // the world asks to run as fast as possible
	// the world asks to wait for somebody who lets it run, where it is the first that is loaded
	Paused bool
	// topics of commands for which each step waits, as ROS's --lockstep names them
	Lockstep   []string
	Models     []Placed
	NamedPoses []NamedPose
	Lights     []Light
	Ambience   Ambience
	Earth      Earth
	Medium     Medium
	Site       *Site // of a world bundle; nil: it is none
	File       File
	Notes      Notes
}

// File is the source text of a world, unchanged, and its scene tree.
type File struct {
	Format string // "sdf", "webots", "urdf", "mjcf", "prefab", "map", "bundle"
	Text   string
	Path   string // absolute, on disk; empty: it is not there, or was given as text
	// Tree is the scene tree of a world of Webots that has a supervisor; nil otherwise.
	Tree *WebotsTree
}

// Placed is a model standing in a world.
type Placed struct {
	Name      string // unique in the world
	Model     *ModelSpec
	Pose      r3.Pose  // of the model frame, in the world frame
	Twist     r3.Twist // of the canonical link, in the world's axes, when the world begins
	Static    bool     // overrides Model.Static when true
	Deletable bool     // DeleteEntity may remove it although the world brought it
	Namespace string   // prefix of its ROS names; empty: the entity's name
}

// ModelSpec is a robot or an object: links joined to trees or loops.
// It is shared by every entity spawned from it and never changes.
type ModelSpec struct {
	Name      string
	Source    string // the URI or path that it was read from; empty for text
	Format    string // "sdf", "urdf", "mjcf"
	Document  string // URDF text for /robot_description; empty when not URDF
	Text      string // of its file, unchanged, for viewers; empty: it was part of another, or is too long
	Static    bool
	Backdrop  bool    // part of a place that Gaussians show, where its world has them
	Canonical int     // index of the canonical link: the one that the entity's pose is about
	Frame     r3.Pose // of the canonical link in the model frame
	Placement r3.Pose // of the model frame, where the file itself puts it; any other pose given replaces it
	Links     []Link
	Joints    []Joint
	Frames    []Frame  // named frames other than links
	Apart     [][2]int // links that do not touch each other, besides those that a joint ties
	Drives    []Drive
	// Transmissions are tendons, and actuators that act on more than one joint.
	Transmissions []Transmission
	Flow          Flow
	ROS           ROS
	Script        *Script // moves the whole model along a trajectory; nil: nothing does
	Actor         *Actor  // moves the whole model as traffic does; nil: nothing does
	Signal        *Signal // makes it a traffic signal; nil: it is none
	Info          Info
	Notes         Notes
	Keyframes     []string // names of the initial states that the file offers, MJCF's <key>
	Outside
}

// WebotsNode is the part of a model that only Webots' worlds have.
type WebotsNode struct {
	// Controller is the program that runs a robot of Webots, or ExternController; empty: none.
	Controller string
	Def        string           // name by which nodes of a Webots world are found, its DEF; empty: none
	Robot      *ControlledRobot // of Webots; nil: it is none
	// Tree is the scene tree of a model that was read alone; nil: it is part of a world, or not of Webots.
	Tree *WebotsTree
}

// ExternController is the Controller of a robot that waits for one outside the simulator.
const ExternController = "<extern>"

// ROS is the part of a file that is about topics and nodes.
type ROS struct {
	Truth   Truth
	States  JointStates
	Control *ROS2Control // of <ros2_control> and its plugin; nil: there is none, or nobody runs it
}

// Truth is the file's topic and frames for the robot's ground truth. The zero value leaves it all open.
type Truth struct {
	Asked                   bool    // the file asks for it: a model with nothing else has topics, too
	Topic, Frame, BaseFrame string  // empty: ground_truth, the world's frame, the frame of the base
	Rate                    float64 // Hz; 0: that of joint states
	Offset                  r3.Pose // of the pose that is published, in the base; a zero rotation: the base's
	Shift                   r3.Pose // turns that pose and moves it, in the world; a zero rotation: neither
	Planar                  bool    // no height, and velocities in the plane alone
	Noise                   float64 // standard deviation of each velocity's error, m/s and rad/s
}

// JointStates is the file's choice of joint states. The zero value leaves it all open.
type JointStates struct {
	Topic  string   // empty: joint_states
	Joints []string // that are published; nil: all
	Rate   float64  // Hz; 0: the usual
}

// Link is one rigid body of a model.
type Link struct {
	Name        string
	Pose        r3.Pose  // in the model frame, all joints at zero
	Twist       r3.Twist // of its origin at spawning, in the model frame's axes: m/s, rad/s
	Inertial    Inertial
	Collisions  []Geom
	Lost        []string // names of collision shapes whose mesh could not be had; Notes say why
	Visuals     []Geom
	Sensors     []Sensor
	SelfCollide bool
	NoGravity   bool
	Drag        Drag
	Lift        float64    // part of its weight that something unseen carries; MuJoCo's gravcomp
	Fluid       *Fluid     // around it; nil: none
	Wind        bool       // the wind of its world pushes it
	Added       *AddedMass // nil: none
	Immersions  []Immersion
	Track       *Track // a belt around its Collisions; nil: none
	Kinematic   bool
	Virtual     bool // between two joints of one body: it weighs nothing and is no part of its own
}

// Drag damps a link like thin air: its linear velocity falls by the factor e in 1/Linear seconds, its angular
// in 1/Angular. Of links that are fixed to each other it is the mean by mass.
type Drag struct{ Linear, Angular float64 } // 1/s

// Inertial is the mass distribution of a link.
type Inertial struct {
	Mass    float64 // kg; 0: massless, the link is merged into its parent
	Pose    r3.Pose // of the principal or file-given axes, in the link frame; Pos is the centre of mass
	Inertia r3.Mat  // kg·m², about the centre of mass, in the axes of Pose
}

// Frame is a named frame fixed to a link (or to the model frame when Link < 0).
type Frame struct {
	Name string
	Link int
	Pose r3.Pose // in the link's frame, or in the model frame
}

// HasTrack reports that a link has a belt.
func (m *ModelSpec) HasTrack() bool {
	return slices.ContainsFunc(m.Links, func(l Link) bool { return l.Track != nil })
}

// HasMovingJoint reports a joint that is not fixed.
func (m *ModelSpec) HasMovingJoint() bool {
	return slices.ContainsFunc(m.Joints, func(j Joint) bool { return j.Kind != Fixed })
}

// Carried are the joints that hang on what a joint carries: of a knuckle that is steered, that of its wheel.
func (m *ModelSpec) Carried(joint int) []int {
	var on []int
	for k := range m.Joints {
		if m.Joints[k].Parent == m.Joints[joint].Child {
			on = append(on, k)
		}
	}
	return on
}
