package node

import (
	"errors"
	"fmt"
	"time"

	"simdeck/ros/msgs"
)

// Reasons for the refusal or the end of a goal.
var (
	ErrGoalRefused = errors.New("goal refused")
	// Execute's context ends with it, and Execute gives it back
	ErrGoalCanceled  = errors.New("goal canceled")
	ErrGoalUnknown   = errors.New("goal not known") // of a result that is not kept any more
	ErrCancelRefused = errors.New("cancellation refused")
)

// resultKept is the lifetime of a result that waits for its client (rcl since Iron).
const resultKept = 10 * time.Second

// GoalID names a goal: a UUID that its client made.
type GoalID [16]uint8

// String is the ID in the form of RFC 9562.
func (g GoalID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", g[0:4], g[4:6], g[6:8], g[8:10], g[10:16])
}

// IsZero reports whether it names no goal.
func (g GoalID) IsZero() bool { return g == GoalID{} }

// GoalStatus is the status of a goal, with the numbers of action_msgs/msg/GoalStatus.
type GoalStatus int8

// Statuses of a goal; the last three are ends.
const (
	GoalStatusUnknown GoalStatus = iota
	GoalAccepted
	GoalExecuting
	GoalCanceling
	GoalSucceeded
	GoalWasCanceled
	GoalAborted
)

var goalStatusNames = [...]string{"unknown", "accepted", "executing", "canceling", "succeeded", "canceled",
	"aborted"}

// String is the status in a word.
func (s GoalStatus) String() string {
	if s >= 0 && int(s) < len(goalStatusNames) {
		return goalStatusNames[s]
	}
	return fmt.Sprintf("status %d", int8(s))
}

// Terminal reports whether the goal has ended.
func (s GoalStatus) Terminal() bool { return s >= GoalSucceeded && s <= GoalAborted }

// The parts of an action (ROS 2 design, "Actions"): three services and two
// topics, hidden below its name.
const (
	sendGoalPart   = "/_action/send_goal"
	getResultPart  = "/_action/get_result"
	cancelGoalPart = "/_action/cancel_goal"
	feedbackPart   = "/_action/feedback"
	statusPart     = "/_action/status"
)

// ActionStatusQoS is rcl_action_qos_profile_status_default: reliable,
// transient local, 1.
func ActionStatusQoS() QoS { return LatchedQoS() }

// goalRequest and the like give the messages of an action's services.
func goalRequest[G, R, F any](a msgs.Action[G, R, F]) msgs.Message   { return a.NewGoalRequest() }
func goalResponse[G, R, F any](a msgs.Action[G, R, F]) msgs.Message  { return a.NewGoalResponse() }
func resultRequest[G, R, F any](a msgs.Action[G, R, F]) msgs.Message { return a.NewResultRequest() }
func resultResponse[G, R, F any](a msgs.Action[G, R, F]) msgs.Message {
	return a.NewResultResponse()
}
