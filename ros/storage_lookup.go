package ros

import (
	"context"
	"errors"
	"fmt"

	"simdeck/ros/node"
	"simdeck/ros/serve/worker"
	"simdeck/ros/transport"
)

// AsWorker makes a bridge one of a simulation worker of l2_msgs, under a name of its own, with the
// configuration that package worker's Config explains.
func (c *Config) AsWorker(reportPath, objectConfig, robot string) {
	c.Node, c.Worker = worker.NewName(),
		&worker.Config{ReportPath: reportPath, ObjectConfig: objectConfig, Robot: robot}
}

// LookUpWorld is the world of a worker by its object_config. It is an address, if isAddress says so, or the text
// that the storage node has under that name; both are empty without an object_config. Without such a text the
// name of a world that is shipped is an address too. A world of the storage is kept in c.Worker, for viewers.
// Errors are those of node.ParseArgs, transport.Open and worker.Fetch.
func (c *Config) LookUpWorld(ctx context.Context, isAddress, isShipped func(string) bool) (address, text string,
	err error) {
	if c.Worker == nil {
		return "", "", nil
	}
	args, err := node.ParseArgs(c.Args)
	if err != nil {
		return "", "", err
	}
	config := c.Worker.ObjectConfig
	if v, given := args.Parameter("object_config", c.Node, c.Namespace); given {
		if v.Type != node.String {
			return "", "", fmt.Errorf("%w: object_config %s is of type %s; a file or a name is a string",
				node.ErrParameter, node.Text(v), node.TypeName(v.Type))
		}
		config = v.StringValue
	}
	if config == "" || isAddress(config) {
		return config, "", nil
	}
	err = c.queryStorage(ctx, args, func(n *node.Node) error {
		found, err := worker.Fetch(ctx, n, config)
		if err == nil {
			c.Worker.Object, text = found, found.Data
		}
		return err
	})
	if errors.Is(err, worker.ErrStorage) && isShipped(config) {
		return config, "", nil
	}
	return "", text, err
}

// queryStorage is on the network, as a node that tools do not list, while work runs.
func (c *Config) queryStorage(ctx context.Context, args node.Args, work func(*node.Node) error) error {
	its := node.Config{Name: "_" + c.Node, Namespace: c.Namespace, Args: args, Domain: c.Network.Domain}
	giveBack := func() error { return nil }
	if c.Middleware != nil {
		other, err := c.Middleware()
		if err != nil {
			return fmt.Errorf("ROS: %w", err)
		}
		its.Middleware = other
	} else {
		udp, err := transport.Open(c.Network)
		if err != nil {
			return fmt.Errorf("ROS: %w", err)
		}
		its.Transport, giveBack = udp, udp.Close
	}
	n, err := node.New(its)
	if err != nil {
		return errors.Join(fmt.Errorf("ROS: %w", err), giveBack())
	}
	ctx, leave := context.WithCancel(context.WithoutCancel(ctx))
	left := make(chan error, 1)
	go func() { left <- n.Run(ctx) }()
	err = work(n)
	leave()
	return errors.Join(err, <-left)
}
