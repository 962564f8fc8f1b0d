package node

import (
	"context"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/actionmsgs"
)

// The three services of an action.

// goalLine takes goals.
func (s *ActionServer[G, R, F]) goalLine() Line {
	a := s.config.Action
	refuse := func() msgs.Message { return goalResponse(a) }
	return Line{request: goalRequest(a), response: goalResponse(a), hash: a.GoalHash,
		newRequest: func() msgs.Message { return goalRequest(a) },
		failure:    func(error) msgs.Message { return refuse() },
		answer: func(ctx context.Context, c Caller, m msgs.Message, to respond) {
			q := m.(msgs.GoalRequest[G])
			g, err := s.accept(ctx, c, GoalID(*q.ID), q.Goal)
			if err != nil {
				s.node.notices.warn(s.node.log, c.Client, "a goal is refused", "action", s.name, "error", err)
				to(refuse())
				return
			}
			r := a.NewGoalResponse()
			*r.Accepted, *r.Sec, *r.Nanosec = true, g.stamp.Sec, g.stamp.Nanosec
			to(r)
			s.begin(g, &Goal[G, F]{ID: g.id, Caller: c, Request: q.Goal, begun: g.begun,
				feedback: func(f *F) error { return s.report(g.id, f) }})
		}}
}

// resultLine answers with the result of a goal, when it has ended. A goal that
// is not known has the status unknown.
func (s *ActionServer[G, R, F]) resultLine() Line {
	a := s.config.Action
	return Line{request: resultRequest(a), response: resultResponse(a), hash: a.ResultHash,
		newRequest: func() msgs.Message { return resultRequest(a) },
		failure:    func(error) msgs.Message { return resultResponse(a) },
		answer: func(_ context.Context, c Caller, m msgs.Message, to respond) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.goals.expire(time.Now())
			switch g := s.goals.find(GoalID(*m.(msgs.ResultRequest).ID)); {
			case g == nil:
				to(resultResponse(a))
			case g.status.Terminal():
				to(g.result)
			case len(g.waiting) < maxWaiting:
				g.waiting = append(g.waiting, to)
			default:
				s.node.notices.warn(s.node.log, c.Client,
					"too many wait for the result of a goal: more are told that it is not known", "action",
					s.name)
				to(resultResponse(a))
			}
		}}
}

// cancelLine tells goals to end.
func (s *ActionServer[G, R, F]) cancelLine() Line {
	return NewLine(actionmsgs.CancelGoalService(),
		func(_ context.Context, _ Caller, q *actionmsgs.CancelGoalRequest) *actionmsgs.CancelGoalResponse {
			return s.cancel(q.GoalInfo)
		},
		func(error) *actionmsgs.CancelGoalResponse {
			return &actionmsgs.CancelGoalResponse{ReturnCode: actionmsgs.CancelGoalResponseErrorRejected}
		})
}

func (s *ActionServer[G, R, F]) cancel(q actionmsgs.GoalInfo) *actionmsgs.CancelGoalResponse {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goals.expire(time.Now())
	chosen, code := s.goals.toCancel(q)
	r := &actionmsgs.CancelGoalResponse{ReturnCode: code, GoalsCanceling: []actionmsgs.GoalInfo{}}
	for _, g := range chosen {
		if s.config.Cancel != nil && !s.config.Cancel(g.id) {
			continue
		}
		g.status = GoalCanceling
		g.cancel(ErrGoalCanceled)
		r.GoalsCanceling = append(r.GoalsCanceling, g.info())
	}
	switch {
	case len(r.GoalsCanceling) > 0:
		s.tell()
	case len(chosen) > 0:
		r.ReturnCode = actionmsgs.CancelGoalResponseErrorRejected
	}
	return r
}
