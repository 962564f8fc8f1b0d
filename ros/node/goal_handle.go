package node

import (
	"context"
	"fmt"
	"time"

	"simdeck/ros/msgs/actionmsgs"
	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/rtps/wire"
)

// GoalHandle is a goal that a server has accepted, as its client sees it.
type GoalHandle[G, R, F any] struct {
	ID    GoalID
	Stamp builtininterfaces.Time // of the acceptance, by the server's clock

	client   *ActionClient[G, R, F]
	server   wire.GUID // the request reader of its send_goal
	feedback func(*F)
	status   GoalStatus // guarded by the client
}

// lateFeedback is the time after the result within which feedback is accepted, because the result may
// overtake it.
const lateFeedback = time.Second

// Result waits for the end of the goal and gives how it ended and its result.
// Feedback that is under way may still come after it. Errors: ErrGoalUnknown when the server does not keep
// the goal any more, or as of Client.Call.
func (h *GoalHandle[G, R, F]) Result(ctx context.Context) (GoalStatus, *R, error) {
	q, r := h.client.action.NewResultRequest(), h.client.action.NewResultResponse()
	*q.ID = h.ID
	if _, err := h.client.result.exchange(ctx, h.server, q, r); err != nil {
		return GoalStatusUnknown, nil, err
	}
	status := GoalStatus(*r.Status)
	if !status.Terminal() {
		return status, nil, fmt.Errorf("%w: goal %s of %s has the status %s", ErrGoalUnknown, h.ID,
			h.client.name, status)
	}
	h.become(status)
	time.AfterFunc(lateFeedback, h.Close)
	return status, r.Result, nil
}

// Cancel asks the server to end the goal; Result tells what became of that.
// Errors: ErrCancelRefused, or as of Client.Call.
func (h *GoalHandle[G, R, F]) Cancel(ctx context.Context) error {
	q := actionmsgs.GoalInfo{}
	q.GoalID.UUID = h.ID
	_, err := h.client.cancel(ctx, h.server, q)
	return err
}

// Status is the goal's last status from the server.
func (h *GoalHandle[G, R, F]) Status() GoalStatus {
	h.client.mu.Lock()
	defer h.client.mu.Unlock()
	return h.status
}

// become notes a status; what comes late takes nothing back.
func (h *GoalHandle[G, R, F]) become(s GoalStatus) {
	h.client.mu.Lock()
	defer h.client.mu.Unlock()
	h.status = max(h.status, s)
}

// Close ends feedback; the goal goes on. It may be called more than once.
func (h *GoalHandle[G, R, F]) Close() { h.client.forget(h.ID) }
