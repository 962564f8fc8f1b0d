package node

import (
	"cmp"
	"context"
	"slices"

	"simdeck/ros/cdr"
	"simdeck/ros/msgs"
)

// Serving gives the services of the node that are open, those of actions and parameters too, by name. It is
// for tests of all handlers at once.
func (n *Node) Serving() []*Server {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := slices.Clone(n.serving)
	slices.SortFunc(all, func(a, b *Server) int { return cmp.Compare(a.name, b.name) })
	return all
}

// Definitions gives a serialised request with its defaults for each definition of the service.
func (s *Server) Definitions() (all [][]byte) {
	for _, l := range s.lines {
		all = append(all, l.newRequest().AppendCDR(cdr.AppendHeader(nil)))
	}
	return all
}

// Answer has one of the definitions answer a serialised request, which may be anything, as a client of no
// middleware would have it answered. It waits for the response, or until ctx ends; then it gives nil.
func (s *Server) Answer(ctx context.Context, definition int, request []byte) msgs.Message {
	response := make(chan msgs.Message, 1)
	line := s.lines[definition]
	s.serve(ctx, line, &Caller{Client: "rehearsal", TypeHash: line.request.TypeHash()}, slices.Clone(request),
		nil, func(m msgs.Message) {
			select {
			case response <- m:
			default:
			}
		})
	select {
	case m := <-response:
		return m
	case <-ctx.Done():
		return nil
	}
}

// Listener is a subscription of a node.
type Listener struct {
	Topic string // DDS name
	Type  string // "std_msgs/msg/String"
	// has its handler take a serialised message, which may be anything
	Take func(ctx context.Context, message []byte)
}

// Listening gives the subscriptions of the node that are open. It is for tests of all handlers at once.
func (n *Node) Listening() (all []Listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, g := range n.order {
		if e := n.own[g]; e.hear != nil {
			all = append(all, Listener{e.topic, rosType(e.kind), e.hear})
		}
	}
	return all
}
