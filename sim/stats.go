package sim

import (
	"fmt"
	"time"
)

// Stage is a part of a step whose cost is measured.
type Stage uint8

// The stages, in the order in which a step goes through them.
const (
	StageControl Stage = iota // drives and followers
	StageBroad                // which shapes are near each other
	StageNarrow               // where they touch
	StagePrepare              // the solver's data
	StageSolve                // contacts and joints
	StageFinish               // bodies and shapes are moved
	StageSleep                // islands that fall asleep
	StageSense                // odometry, and what sensors see of the world
	StageCount
)

// String is the stage in a word.
func (s Stage) String() string {
	if s >= StageCount {
		return fmt.Sprintf("stage %d", uint8(s))
	}
	return stageNames[s]
}

var stageNames = [StageCount]string{"control", "broad", "narrow", "prepare", "solve", "finish", "sleep",
	"sense"}

// Stats counts what the engine did.
type Stats struct {
	Steps     uint64        // since the engine started
	StepCost  time.Duration // wall time of a step, smoothed
	Bodies    int
	Awake     int
	Contained int // entities, see Fault
	Contacts  int // points
	Geoms     int
	Joints    int
	Pairs     int // of geoms that are near each other
	Islands   int // awake, when last counted
	Substeps  int // of a step
	// wall time of the parts of a step, smoothed; zero where nobody times them
	Stages    [StageCount]time.Duration
	Commands  uint64
	Refused   uint64
	Snapshots uint64
	Dropped   uint64 // snapshots that subscribers lost which want all of them
	Missed    uint64 // commands of topics in lockstep that the world went on without
	Late      uint64 // samples of sensors that were left out, see Engine.LeaveOutLateSamples
}
