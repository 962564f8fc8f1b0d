package attach

import (
	"context"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
)

// end is the client's end of a service, whatever its types.
type end interface {
	call(ctx context.Context, server node.ServerID, request msgs.Message) (msgs.Message, error)
	Close() error
}

// dialer makes the client's end of a service of some name.
type dialer func(n *node.Node, name string) (end, error)

// client gives a node's client the end's methods.
type client[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]] struct{ *node.Client[Q, S] }

func dialing[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](svc msgs.Service[Q, S]) dialer {
	return func(n *node.Node, name string) (end, error) {
		c, err := node.NewClient[Q, S, PQ, PS](n, name, svc)
		if err != nil {
			return nil, err
		}
		return client[Q, S, PQ, PS]{c}, nil
	}
}

func (c client[Q, S, PQ, PS]) call(ctx context.Context, server node.ServerID,
	request msgs.Message) (msgs.Message, error) {
	response, err := c.CallServer(ctx, server, (*Q)(request.(PQ)))
	if err != nil {
		return nil, err
	}
	return PS(response), nil
}
