package sim

import (
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/trajectory"
)

// RestoreVersion is of what Restore holds; it grows when the same numbers mean something else.
const RestoreVersion = 1

// Restore loads a world and continues it exactly from another's state: its further steps equal those there.
// World.Restorable makes it. It is refused where its numbers do not fit what the files hold now, and then
// there is no world. Replies Done.
type Restore struct {
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
	Slots    SlotLayout
	Physics  []byte // dynamics.World.AppendState
	Entities []RestoredEntity
	Attached []RestoredAttachment `json:",omitempty"`
	OnFault  string               `json:",omitempty"` // the policy, where another than at first
	Hash     uint64               // of all of it
}

// RestoredEntity is an entity that stands in the world that is taken up.
type RestoredEntity struct {
	Name, Namespace string
	ID              uint64
	Spawned         bool
	Deletable       bool
	Resource        Resource // that it was spawned from
	Start           r3.Pose
	Moving          r3.Twist
	Info            scene.Info
	Placement       Placement            `json:"Berth"`
	Trajectories    []RestoredTrajectory `json:"Tracks"`
	Fault           *Fault               `json:",omitempty"` // why it is contained
	Lamps           []scene.Glow         `json:",omitempty"` // by ModelSpec.Lamps; none: all are off
	Words           []uint64             // motors, drives, sensors, in the order of entity.words
}

// RestoredAttachment is two links that are fixed to each other.
type RestoredAttachment struct {
	LinkPair
	Offset    r3.Pose // of the body of the second link, in that of the first
	Placement Placement
}

// RestoredTrajectory is a trajectory.
type RestoredTrajectory struct {
	ID           uint64
	Joints       []int
	Points, Path []trajectory.Point // Path: none, not begun
	Elapsed      time.Duration
	Within, Goal []JointTolerance
	GoalWithin   time.Duration
	Status       TrajectoryStatus
	Why          string
}

// SlotLayout is the number of the dynamics' slots for bodies, geoms, joints and articulations, with the
// generation of each: see dynamics.SlotLayout.
type SlotLayout struct {
	Bodies, Geoms, Joints []uint32
	Articulations         int `json:"Trees"`
}

// Placement is the slots of an entity's bodies, geoms, joints and articulations, in the order in which they
// are added: see dynamics.Placement.
type Placement struct {
	Bodies, Geoms, Joints []int32
	Articulations         []int32 `json:"Trees"`
}

func (Restore) command() {}
