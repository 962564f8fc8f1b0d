package sim

import "time"

// TrajectoryStatus says how a trajectory goes.
type TrajectoryStatus uint8

// Track statuses.
const (
	TrajectoryFollowing  TrajectoryStatus = iota
	TrajectoryReached                     // it is at its goal
	TrajectoryPathMissed                  // a joint was too far from its path
	TrajectoryGoalMissed                  // a joint was too far from its goal for too long
	TrajectoryCancelled                   // on request
	TrajectoryReplaced                    // something else took its joints
)

// String is the status in words.
func (s TrajectoryStatus) String() string {
	if int(s) < len(trajectoryStatuses) {
		return trajectoryStatuses[s]
	}
	return "unknown"
}

var trajectoryStatuses = [...]string{"following", "reached", "path missed", "goal missed", "cancelled",
	"replaced"}

// TrajectoryState is a trajectory that joints follow, or followed lately.
type TrajectoryState struct {
	ID       uint64
	Entity   int           // index into Model.Entities
	Joints   []int         // indices into its Spec.Joints; shared
	Elapsed  time.Duration // since it began; less than 0: until it does
	Status   TrajectoryStatus
	Why      string    // why it ended
	Position []float64 // where the joints should be; empty before it begins
	Velocity []float64
}
