package sim

import (
	"time"

	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/trajectory"
)

// ResumeVersion is of what Resume holds; it grows when the same numbers mean something else.
const ResumeVersion = 1

// Resume loads a world and takes it up where another left it, bit for bit: what follows is what would have followed there. World.Resumption
// makes it. It is refused where its numbers do not fit what the files hold now, and then there is no world. Replies Done.
type Resume struct {
	Version  int
	World    LoadWorld
	State    State
	Time     time.Duration
	Step     uint64
	Pace     float64
	LastID   uint64
	Groups   int32
	IDs      []uint64 // of the models of the world, as they were loaded
	Steps    [2]uint64
	Stepping bool // Steps of a StepWorld are left and done
	Gravity  r3.Vec
	Slots    physics.Slots
	Physics  []byte // physics.World.AppendState
	Entities []Resumed
	OnFault  string `json:",omitempty"` // the policy, where it was another than the world began with
	Hash     uint64 // of all of it
}

// Resumed is an entity that stands in the world that is taken up.
type Resumed struct {
	Name, Namespace string
	ID              uint64
	Spawned         bool
	Deletable       bool
	Resource        Resource // that it was spawned from
	Start           r3.Pose
	Moving          r3.Twist
	Info            scene.Info
	Berth           physics.Berth
	Tracks          []ResumedTrack
	Fault           *Fault   `json:",omitempty"` // why it is contained
	Words           []uint64 // motors, drives, sensors, in the order of entity.words
}

// ResumedTrack is a trajectory.
type ResumedTrack struct {
	ID           uint64
	Joints       []int
	Points, Path []trajectory.Point // Path: none, not begun
	Elapsed      time.Duration
	Within, Goal []JointTolerance
	GoalWithin   time.Duration
	Status       TrackStatus
	Why          string
}

func (Resume) command() {}
