package node

import (
	"context"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps/wire"
)

// Client calls a service of any middleware. All methods are safe for
// concurrent use.
type Client[Q, S any] struct {
	*requester
	request  func(*Q) msgs.Message
	response func(*S) msgs.Message
}

// NewClient makes a client of n; the name is expanded and remapped. Errors
// wrap ErrName.
func NewClient[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](n *Node, name string,
	svc msgs.Service[Q, S]) (*Client[Q, S], error) {
	full, err := n.Resolve(name)
	if err != nil {
		return nil, err
	}
	r, err := newRequester(n, full, ServiceTypes{PQ(nil), PS(nil), svc.Hash})
	if err != nil {
		return nil, err
	}
	return &Client[Q, S]{r, func(q *Q) msgs.Message { return PQ(q) },
		func(s *S) msgs.Message { return PS(s) }}, nil
}

// Call waits for a server, sends the request to it and waits for the reply.
// Errors: ErrNoServer, ErrLeft, a request that breaks its bounds, a reply that
// cannot be read, or why ctx ended.
func (c *Client[Q, S]) Call(ctx context.Context, request *Q) (*S, error) {
	return c.call(ctx, wire.GUID{}, request)
}

// CallServer is Call of one of several servers of the same name. One that is
// not there, or goes before it is asked, is ErrNoServer.
func (c *Client[Q, S]) CallServer(ctx context.Context, server ServerID, request *Q) (*S, error) {
	return c.call(ctx, server.requests, request)
}

func (c *Client[Q, S]) call(ctx context.Context, of wire.GUID, request *Q) (*S, error) {
	s := new(S)
	if _, err := c.exchange(ctx, of, c.request(request), c.response(s)); err != nil {
		return nil, err
	}
	return s, nil
}
