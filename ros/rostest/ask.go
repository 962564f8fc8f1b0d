package rostest

import (
	"context"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
)

// Soon is a context for what must be answered within a minute.
func (s *Stage) Soon() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	s.T.Cleanup(cancel)
	return ctx
}

// Ask calls a service once, as any client does, and must be answered.
func Ask[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](s *Stage, name string, svc msgs.Service[Q, S], q *Q) *S {
	s.T.Helper()
	c, err := node.NewClient[Q, S, PQ, PS](s.Client, name, svc)
	if err != nil {
		s.T.Fatal(err)
	}
	defer c.Close()
	ctx := s.Soon()
	if err := c.WaitReady(ctx); err != nil {
		s.T.Fatalf("%s: %v", name, err)
	}
	r, err := c.Call(ctx, q)
	if err != nil {
		s.T.Fatalf("%s: %v", name, err)
	}
	return r
}
