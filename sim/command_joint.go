package sim

import (
	"time"

	"simdeck/sim/trajectory"
)

// JointMode is the quantity of a joint's target.
type JointMode uint8

// Joint modes.
const (
	JointPosition JointMode = iota + 1 // rad or m
	JointVelocity                      // rad/s or m/s
	JointEffort                        // N·m or N
)

// SetJoint sets the motor target of a joint. A trajectory that the joint
// follows ends. Replies Done.
type SetJoint struct {
	Name   string // entity
	Joint  string
	Mode   JointMode
	Target float64
}

// SetJoints is SetJoint for several joints of an entity: all are set, or with
// an error none. Replies Done.
type SetJoints struct {
	Name    string // entity
	Targets []JointTarget
}

// JointTarget is the command of one joint.
type JointTarget struct {
	Joint  string
	Mode   JointMode
	Target float64
	// bounds of this command, within those of the joint; 0: the joint's own
	Speed  float64 // of the motor on its way to a position, rad/s or m/s
	Effort float64 // N·m or N
}

// SetJointPositions puts joints of an entity at positions, all of them, or with an error none. Its canonical
// link stays where it is, other joints keep their positions, and all of them are at rest then. A motor that
// holds a position holds the new one; a trajectory that a joint follows ends. Replies Done.
type SetJointPositions struct {
	Name      string // entity
	Positions []JointPlace
}

// JointPlace is the position of one joint, rad or m.
type JointPlace struct {
	Joint    string
	Position float64
}

// FollowTrajectory lets joints of an entity follow a trajectory, as a
// joint_trajectory_controller of ros2_control does. One that shares a joint
// with it ends, others go on. Replies TrajectoryBegun.
type FollowTrajectory struct {
	Name   string // entity
	Joints []string
	Points []trajectory.Point
	Start  time.Duration // simulated; 0: now
	// For each joint, or empty. Missing them ends it.
	Path, Goal []JointTolerance
	GoalTime   time.Duration // time after the end within which the goal counts as reached; 0: unbounded
}

// JointTolerance bounds the errors of a joint's position and velocity; 0: unbounded.
type JointTolerance struct{ Position, Velocity float64 }

// EndTrajectory ends a trajectory; its joints hold where they should be now.
// Nothing happens when it has ended. Replies Done.
type EndTrajectory struct {
	Name string // entity
	ID   uint64
}

// TrajectoryBegun is the reply to FollowTrajectory: the ID of its Track.
type TrajectoryBegun struct{ ID uint64 }

func (SetJoint) command()          {}
func (SetJoints) command()         {}
func (SetJointPositions) command() {}
func (FollowTrajectory) command()  {}
func (EndTrajectory) command()     {}

func (TrajectoryBegun) reply() {}
