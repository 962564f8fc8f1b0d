package node

import (
	"cmp"
	"context"
	"slices"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/actionmsgs"
	"simdeck/ros/msgs/builtininterfaces"
)

// Bounds on what clients can make an action server keep.
const (
	maxEnded   = 256 // results
	maxWaiting = 64  // requests for the result of one goal
)

// goal is the action server's record of one.
type goal struct {
	id      GoalID
	stamp   builtininterfaces.Time // of acceptance, by the node's clock
	status  GoalStatus
	ended   time.Time // by the machine's clock
	result  msgs.Message
	waiting []respond // requests for the result
	cancel  context.CancelCauseFunc
	before  <-chan struct{} // closed when the goal accepted before has begun; nil: there is none to wait for
	begun   func()          // closes the next goal's before; it may be called more than once
}

func (g *goal) info() actionmsgs.GoalInfo {
	i := actionmsgs.GoalInfo{Stamp: g.stamp}
	i.GoalID.UUID = g.id
	return i
}

// cancelable reports whether the goal can still be told to end
// (rcl_action_goal_handle_is_cancelable).
func (g *goal) cancelable() bool { return g.status == GoalAccepted || g.status == GoalExecuting }

// goals are those of an action server, in the order of acceptance. It is not
// safe for concurrent use.
type goals struct {
	keep time.Duration // lifetime after the end
	list []*goal
}

// find is the goal of an ID; nil: it was never accepted, or is not kept any more.
func (s *goals) find(id GoalID) *goal {
	for _, g := range s.list {
		if g.id == id {
			return g
		}
	}
	return nil
}

// active counts those that have not ended.
func (s *goals) active() (n int) {
	for _, g := range s.list {
		if !g.status.Terminal() {
			n++
		}
	}
	return n
}

// expire forgets the goals whose time is over, and the oldest when there are
// too many.
func (s *goals) expire(now time.Time) {
	surplus := len(s.list) - s.active() - maxEnded
	s.list = slices.DeleteFunc(s.list, func(g *goal) bool {
		if !g.status.Terminal() {
			return false
		}
		surplus--
		return surplus >= 0 || now.Sub(g.ended) >= s.keep
	})
}

// end makes a goal terminal and gives those who wait for its result.
func (s *goals) end(g *goal, status GoalStatus, result msgs.Message, now time.Time) []respond {
	if status == GoalWasCanceled && g.status != GoalCanceling {
		status = GoalAborted // nobody asked for it: the server gave up
	}
	waiting := g.waiting
	g.status, g.result, g.ended, g.waiting = status, result, now, nil
	s.expire(now)
	return waiting
}

// statuses is the message of all that are known.
func (s *goals) statuses() *actionmsgs.GoalStatusArray {
	m := &actionmsgs.GoalStatusArray{StatusList: []actionmsgs.GoalStatus{}}
	for _, g := range s.list {
		m.StatusList = append(m.StatusList, actionmsgs.GoalStatus{GoalInfo: g.info(), Status: int8(g.status)})
	}
	return m
}

// toCancel selects what a request names (action_msgs/srv/CancelGoal): no ID and
// no time are all goals, a time those accepted until then, an ID that goal.
func (s *goals) toCancel(q actionmsgs.GoalInfo) ([]*goal, int8) {
	id, until := GoalID(q.GoalID.UUID), q.Stamp
	none := until == builtininterfaces.Time{}
	named := s.find(id)
	if !id.IsZero() && none {
		switch {
		case named == nil:
			return nil, actionmsgs.CancelGoalResponseErrorUnknownGoalID
		case !named.cancelable():
			return nil, actionmsgs.CancelGoalResponseErrorGoalTerminated
		}
	}
	var chosen []*goal
	for _, g := range s.list {
		all := id.IsZero() && none
		if g.cancelable() && (all || g == named || !none && !after(g.stamp, until)) {
			chosen = append(chosen, g)
		}
	}
	return chosen, actionmsgs.CancelGoalResponseErrorNone
}

func after(a, b builtininterfaces.Time) bool {
	return cmp.Or(cmp.Compare(a.Sec, b.Sec), cmp.Compare(a.Nanosec, b.Nanosec)) > 0
}
