package ros

import (
	"context"
	"errors"
	"fmt"

	"simdeck/ros/node"
	"simdeck/ros/transport"
)

// Network is one participant that the bridges of several worlds share.
type Network struct {
	nodes *node.Context
	udp   *transport.UDP // nil: the transport was given
}

// NewNetwork binds the sockets that the Config asks for; it starts nothing.
// Errors say which port or interface cannot be used, or wrap node.ErrArgs.
func NewNetwork(c Config) (*Network, error) {
	args, err := node.ParseArgs(c.Args)
	if err != nil {
		return nil, err
	}
	n := &Network{}
	var other node.Middleware
	if c.Middleware != nil {
		if other, err = c.Middleware(); err != nil {
			return nil, fmt.Errorf("ROS: %w", err)
		}
	} else if c.Transport == nil {
		if n.udp, err = transport.Open(c.Network); err != nil {
			return nil, fmt.Errorf("ROS: %w", err)
		}
		c.Transport = n.udp
	}
	if n.nodes, err = node.NewContext(node.ContextConfig{Domain: c.Network.Domain, Transport: c.Transport,
		Middleware: other, ChoosesNames: true,
		Host: c.Host, Enclave: args.Enclave, Faults: c.Faults}); err != nil {
		return nil, errors.Join(fmt.Errorf("ROS: %w", err), n.Close())
	}
	return n, nil
}

// Run keeps the participant on the network until ctx ends, which should be
// after the bridges on it have ended. A nil one ends at once.
func (n *Network) Run(ctx context.Context) error {
	if n == nil {
		return nil
	}
	if err := n.nodes.Run(ctx); err != nil {
		return fmt.Errorf("ROS: %w", err)
	}
	return nil
}

// Close gives the sockets back when Run was never called.
func (n *Network) Close() error {
	if n.udp == nil {
		return nil
	}
	return n.udp.Close()
}

// context is that of the nodes on it; none of no network.
func (n *Network) context() *node.Context {
	if n == nil {
		return nil
	}
	return n.nodes
}
