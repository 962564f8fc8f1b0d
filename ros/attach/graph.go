package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/transport"
)

// Config says from where simulators are looked for.
type Config struct {
	Network   transport.Config // domain, interfaces, peers, range
	Transport rtps.Transport   // nil: UDP as Network says
	// makes the middleware in place of DDS; nil: DDS
	Middleware func() (node.Middleware, error)
	Node       string       // of this side; "" = "_simdeck", which tools do not list
	Namespace  string       // "" = "/"
	Args       []string     // arguments after --ros-args
	Log        *slog.Logger // nil: nobody
}

// Graph is a node that looks for simulators.
type Graph struct {
	domain uint32
	node   *node.Node
	udp    *transport.UDP // nil: the transport was given
}

// Open checks names and binds the sockets; it starts nothing. Errors wrap
// node.ErrName or node.ErrArgs, or say which port or interface cannot be used.
func Open(c Config) (*Graph, error) {
	args, err := node.ParseArgs(c.Args)
	if err != nil {
		return nil, err
	}
	g := &Graph{domain: c.Network.Domain}
	var other node.Middleware
	if c.Middleware != nil {
		if other, err = c.Middleware(); err != nil {
			return nil, fmt.Errorf("ROS: %w", err)
		}
	} else if c.Transport == nil {
		if g.udp, err = transport.Open(c.Network); err != nil {
			return nil, fmt.Errorf("ROS: %w", err)
		}
		c.Transport = g.udp
	}
	g.node, err = node.New(node.Config{Name: cmp.Or(c.Node, "_simdeck"), Namespace: c.Namespace, Args: args,
		Domain: c.Network.Domain, Transport: c.Transport, Middleware: other, Log: c.Log})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("ROS: %w", err), g.Close())
	}
	return g, nil
}

// Run is on the network while work runs, and gives its error, or why the
// network could not be used, which ends work's context.
func (g *Graph) Run(ctx context.Context, work func(context.Context) error) error {
	working, stop := context.WithCancelCause(ctx)
	background, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	left := make(chan error, 1)
	go func() {
		err := g.node.Run(background)
		if err != nil {
			err = fmt.Errorf("ROS: %w", err)
		}
		stop(err)
		left <- err
	}()
	err := work(working)
	leave()
	return cmp.Or(<-left, err)
}

// Target says in a user's words which simulator is meant, and how it is talked
// to.
type Target struct {
	Node    string        // see Simulator.Called; "": the only one
	Service string        // that it must serve; see Kind; "": any
	Line    string        // to speak; see ParseLine; "": what it announces
	Timeout time.Duration // for finding it, and for an answer; 0: see Want and Options
}

// Work is on the network for as long as it takes to find a simulator and work
// on it. Errors are those of Kind, ParseLine, Open, Find and work.
func Work(ctx context.Context, c Config, t Target, work func(context.Context, *Remote) error) error {
	want, options := Want{Node: t.Node, Within: t.Timeout}, Options{Answer: t.Timeout}
	var err error
	if t.Service != "" {
		if want.Kind, err = Kind(t.Service); err != nil {
			return err
		}
	}
	if t.Line != "" {
		if options.Line, err = ParseLine(t.Line); err != nil {
			return err
		}
	}
	g, err := Open(c)
	if err != nil {
		return err
	}
	return g.Run(ctx, func(ctx context.Context) error {
		s, err := g.Find(ctx, want)
		if err != nil {
			return err
		}
		return work(ctx, g.Attach(s, options))
	})
}

// Misasked reports whether an error is about what was asked for rather than
// about what became of it.
func Misasked(err error) bool {
	return errors.Is(err, ErrField) || errors.Is(err, ErrService) || errors.Is(err, ErrLine)
}

// Node is the node on whose graph simulators are looked for.
func (g *Graph) Node() *node.Node { return g.node }

// Close gives the sockets back when Run was never called.
func (g *Graph) Close() error {
	if g.udp == nil {
		return nil
	}
	return g.udp.Close()
}
