package sim

import (
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// State of the simulation, with the numbers of
// simulation_interfaces/msg/SimulationState.
type State uint8

// States.
const (
	Stopped      State = 0
	Playing      State = 1
	Paused       State = 2
	Quitting     State = 3
	NoWorld      State = 4
	LoadingWorld State = 5
)

// String is the state in the console's word.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

var stateNames = [...]string{"stopped", "playing", "paused", "quitting", "no world", "loading"}

// Snapshot is an immutable picture of the world between two steps. It copies
// what moves and shares what does not. The slices Links, Joints, Samples and
// Odom are flat over all entities; EntityModel says where each one's start.
type Snapshot struct {
	Seq          uint64        // grows with every snapshot of an engine
	Step         uint64        // steps since the last reset of time
	Time         time.Duration // simulated
	StepSize     time.Duration
	State        State
	Halted       string    // why the engine itself paused it; empty: it did not
	Waiting      []Awaited // for whom the next step has waited for a while; shared; nil: for nobody
	Pacing       Pacing
	Model        *Model        // shared; a new pointer when anything in it changed
	Entities     []EntityState // aligned with Model.Entities
	Links        []LinkState
	Joints       []JointState
	Wind         r3.Vec         // velocity of the air over land and water, m/s in the world frame
	Lamps        []scene.Glow   // nil: no entity has any
	Volumes      []float64      // of buoyancy engines, m³; nil: no entity has any
	Batteries    []BatteryState // nil: no entity has any
	Samples      []Sample       // the newest of each sensor; nothing yet: Data nil
	Odom         []Odometry
	Trajectories []TrajectoryState // trajectories that are followed, or were lately
	Contacts     []ContactPoint    // at most MaxContacts; Stats.Contacts counts all
	Attachments  []LinkPair        // links that are fixed to each other at run time; shared; nil: none
	Drawing      []DebugLine       // debug drawing requested by WantDrawing
	Events       []Event           // the newest events, oldest first; shared
	Past         Past
	Loading      Loading // progress of a command that reads files; zero: there is none
	Stats        Stats
}

// Model is the common part of consecutive snapshots: the entities and places of the world. Never changed; a
// change makes a new one with a higher Revision.
type Model struct {
	Revision   uint64
	Load       uint64 // number of this world among those that the simulator has loaded, from 1
	World      WorldInfo
	Gravity    r3.Vec
	Entities   []EntityModel // ordered by name
	NamedPoses []scene.NamedPose
	Notes      scene.Notes // unsupported and assumed elements of the loaded world
	Lights     []scene.Light
	Ambience   scene.Ambience
	Earth      scene.Earth
	Lockstep   []string    // topics of commands for which the world asks each step to wait
	Site       *scene.Site // that the world was made from, with its ego vehicle; nil: none
	File       scene.File  // that the world was read from; empty: no world, or one seen over a network

	Cloud *render.Cloud // that the site looks like, for NewStage; nil: none
}

// EntityModel is the constant part of an entity.
type EntityModel struct {
	Name        string
	ID          uint64 // never given twice by an engine
	Namespace   string // of its ROS names; never empty
	Spec        *scene.ModelSpec
	Info        scene.Info
	Static      bool
	Spawned     bool // by a command, not by the world
	Deletable   bool
	NoiseSeed   uint64 // of noise that is added to what snapshots show; 0 when they came over a network
	FirstLink   int    // Snapshot.Links[FirstLink:][:len(Spec.Links)], in Spec's order
	FirstJoint  int    // Snapshot.Joints[FirstJoint:][:len(Spec.Joints)]
	FirstSensor int    // Snapshot.Samples[FirstSensor:][:len(Sensors)]
	FirstDrive  int    // Snapshot.Odom[FirstDrive:][:len(Spec.Drives)]
	FirstLamp   int    // Snapshot.Lamps[FirstLamp:][:len(Spec.Lamps)]
	FirstVolume int    // Snapshot.Volumes[FirstVolume:][:len(Spec.Flow.Engines)]
	// Snapshot.Batteries[FirstBattery:][:len(Spec.Batteries)]
	FirstBattery int
	Sensors      []SensorModel
	// of the collision geometry in the canonical link's frame, joints at zero; empty: none, or endless planes
	// only
	Bounds r3.Box
	Notes  scene.Notes // of the Spec, and what the engine took instead of what is missing

	// of Spec; shared; nil when the snapshot came over a network
	Compiled CompiledModel
}

// SensorModel says which sensor of the Spec a sample belongs to.
type SensorModel struct {
	Link int           // index into Spec.Links
	Spec *scene.Sensor // an element of that link's Sensors
}

// EntityState is the ground truth of an entity's canonical link, in the world
// frame; Twist and Accel are of the link's origin.
type EntityState struct {
	Pose   r3.Pose
	Twist  r3.Twist // m/s, rad/s
	Accel  r3.Twist // m/s², rad/s², over the last step
	Asleep bool
	Fault  *Fault // why it is contained; nil: it is not
	Actor  *ActorState
	Signal *SignalState
	Patrol Patrol
}

// Patrol is the progress of a robot along its waypoints. The zero value is for those without any.
type Patrol struct {
	Point   int  // that it heads for, 1, 2, …
	Of      int  // waypoints
	Yielded bool // somebody has commanded its drive, and it follows them no longer
}

// Going reports that the robot drives by itself.
func (p Patrol) Going() bool { return p.Of > 0 && !p.Yielded }

// LinkState is a link's frame in the world frame.
type LinkState struct {
	Pose  r3.Pose
	Twist r3.Twist // of the frame's origin
}

// At is the state of a frame that is fixed to the link's, at an offset in it.
func (l LinkState) At(offset r3.Pose) LinkState {
	return LinkState{l.Pose.Mul(offset),
		r3.Twist{Linear: l.Twist.At(l.Pose.Rot.Rotate(offset.Pos)), Angular: l.Twist.Angular}}
}

// JointState is the state of a joint; zero for fixed ones.
type JointState struct {
	Position float64 // rad or m; continuous joints count on past a turn
	Velocity float64
	Effort   float64 // of the motor, N·m or N
	Encoder  JointReading
	Motion   *JointMotion // of a ball or planar joint; nil for those that one number describes
}

// JointReading is the reading of a joint's encoder, with its noise and resolution; not Set: it has none.
type JointReading struct {
	Set                bool
	Position, Velocity float64
}

// Reported is the position and velocity that a robot's own software is told: its encoder's, or else the true
// ones.
func (s *JointState) Reported() (position, velocity float64) {
	if s.Encoder.Set {
		return s.Encoder.Position, s.Encoder.Velocity
	}
	return s.Position, s.Velocity
}

// Sample is one measurement of a sensor. Data is of the type that NewMeasurement has for its kind, and is not
// changed after it was made. An Engine computes it while the world goes on. It shows the world at Time,
// which may be some steps before the snapshot's. It comes before that sensor's next one, and before the world
// rests, ends a StepWorld or is reset.
type Sample struct {
	Seq   uint64 // 1, 2, … per sensor; restarts with a reset of time
	Time  time.Duration
	Data  Measurement // nil before the first
	Frame r3.Pose     // of the sensor in the world frame at Time
}

// Odometry is a drive's estimate of its base, integrated from its wheels.
type Odometry struct {
	Seq    uint64 // grows when a new estimate is due at the drive's rate
	Time   time.Duration
	Pose   r3.Pose     // in the odometry frame, which starts at the spawning pose
	Twist  r3.Twist    // in the base frame
	Target r3.Twist    // the command in force
	Car    *CarReading // never changed; nil: the drive is no car's, or it does not run
}

// ContactPoint is a contact between two entities' collision shapes.
type ContactPoint struct {
	A, B     int // indices into Model.Entities
	LinkA    int // index into the links of A's Spec; over a network it is not told, and 0
	LinkB    int
	Position r3.Vec
	Normal   r3.Vec // from A to B
	Force    float64
}

// Carries reports that a contact bears weight, like that of a wheel on the ground: it is no collision.
func (c *ContactPoint) Carries() bool { return math.Abs(c.Normal.Z) > 0.7 }

// Collided yields the robots that run into something by a contact, as indices into Model.Entities.
func (s *Snapshot) Collided(c *ContactPoint) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, i := range [2]int{c.A, c.B} {
			if i >= 0 && i < len(s.Model.Entities) && !c.Carries() &&
				s.Model.Entities[i].Info.Category == scene.Robot && !yield(i) {
				return
			}
		}
	}
}

// MaxContacts bounds the contact points of a snapshot.
const MaxContacts = 1024

// Pacing compares simulated time with the wall clock.
type Pacing struct {
	Asked    float64 // 0: as fast as possible
	Measured float64 // over about the last second
	OnFault  FaultPolicy
	Limits   Limits
}

// Level of an Event.
type Level uint8

// Levels.
const (
	Info Level = iota
	Warn
	Error
)

// Event is a line of the log: a command with who sent it, a warning, an error.
type Event struct {
	Seq   uint64
	Time  time.Duration // simulated
	Level Level
	Who   string
	Text  string
}

// Find is the index of an entity in Model.Entities and Entities.
func (s *Snapshot) Find(name string) (int, bool) {
	return slices.BinarySearchFunc(s.Model.Entities, name, func(e EntityModel, name string) int {
		return strings.Compare(e.Name, name)
	})
}

// LinksOf are the links of entity i, in the order of its Spec.
func (s *Snapshot) LinksOf(i int) []LinkState {
	e := &s.Model.Entities[i]
	return part(s.Links, e.FirstLink, len(e.Spec.Links))
}

// JointsOf are the joints of entity i, in the order of its Spec.
func (s *Snapshot) JointsOf(i int) []JointState {
	e := &s.Model.Entities[i]
	return part(s.Joints, e.FirstJoint, len(e.Spec.Joints))
}

// SamplesOf are the newest samples of entity i, by EntityModel.Sensors.
func (s *Snapshot) SamplesOf(i int) []Sample {
	e := &s.Model.Entities[i]
	return part(s.Samples, e.FirstSensor, len(e.Sensors))
}

// OdomOf is the odometry of entity i, by the drives of its Spec.
func (s *Snapshot) OdomOf(i int) []Odometry {
	e := &s.Model.Entities[i]
	return part(s.Odom, e.FirstDrive, len(e.Spec.Drives))
}

// VolumesOf are the volumes of the buoyancy engines of entity i, m³, in the order of its Spec.
func (s *Snapshot) VolumesOf(i int) []float64 {
	e := &s.Model.Entities[i]
	return part(s.Volumes, e.FirstVolume, len(e.Spec.Flow.Engines))
}

// part is a piece of a flat slice; what a remote simulator does not tell is
// missing.
func part[T any](all []T, first, n int) []T {
	if first+n > len(all) {
		return nil
	}
	return all[first : first+n : first+n]
}

// namedPose is the index of a named pose.
func (m *Model) namedPose(name string) (int, bool) {
	i := slices.IndexFunc(m.NamedPoses, func(p scene.NamedPose) bool { return p.Name == name })
	return i, i >= 0
}

// JointMotion is the pose and velocity of a joint with several degrees of freedom: its child frame relative
// to its parent frame. At zero, as the file has the links, both are one.
type JointMotion struct {
	Pose  r3.Pose
	Twist r3.Twist // as the parent sees it, in its axes
}
