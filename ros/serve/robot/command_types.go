package robot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// commandTopic is a topic of commands that clients send in one of two types. Tools of ros2 refuse a topic
// with both, so that it is subscribed in the types of those who publish on it.
type commandTopic struct {
	name  string // whole
	kinds [2]commandKind
}

// commandKind is a type in which a command topic may be subscribed.
type commandKind struct {
	name string                    // "geometry_msgs/msg/Twist"
	open func() (io.Closer, error) // subscribes
	sub  io.Closer                 // nil: it is not subscribed
}

// commandTypes is the value of the parameter cmd_vel_type.
type commandTypes uint32

const (
	publishedTypes commandTypes = iota // those of the publishers on the graph; the first where there are none
	firstType                          // without a header
	secondType                         // with a header
	bothTypes
)

var commandTypeNames = []string{publishedTypes: "auto", firstType: "Twist", secondType: "TwistStamped",
	bothTypes: "both"}

// declareCommandTypes declares the parameter cmd_vel_type.
func declareCommandTypes(n *node.Node, into *atomic.Uint32) error {
	return n.Parameters().Declare(context.Background(), node.Declaration{Name: "cmd_vel_type",
		Default: node.StringValue(commandTypeNames[publishedTypes]),
		Description: "types in which cmd_vel and ackermann_cmd are subscribed: Twist (without a header), " +
			"TwistStamped (with one), both, or auto for those of the publishers on the graph",
		Set: func(_ context.Context, v node.Value) error {
			at := slices.Index(commandTypeNames, v.StringValue)
			if at < 0 {
				return fmt.Errorf("cmd_vel_type %q: want one of %q", v.StringValue, commandTypeNames)
			}
			into.Store(uint32(at))
			return nil
		}})
}

// kindOf is a type in which commands may come, and what a message of it means.
func kindOf[T any, PT msgs.Of[T]](f *RobotPublisher, topic string, meant func(*T) (sim.Command,
	error)) commandKind {
	return commandKind{name: PT(nil).TypeName(), open: func() (io.Closer, error) {
		return node.NewCommandSubscription[T, PT](f.node, topic, 1, carryOut(f, topic, meant))
	}}
}

// subscribeEither takes commands from a robot's topic in one of two types, the one without a header first.
func (f *RobotPublisher) subscribeEither(r *robot, topic string, kinds [2]commandKind) error {
	full, err := f.node.Resolve(topic)
	if err != nil {
		return err
	}
	c := &commandTopic{name: full, kinds: kinds}
	r.ends = append(r.ends, c)
	r.commands = append(r.commands, c)
	return c.choose(commandTypes(f.commandTypes.Load()), f.published[full])
}

// chooseTypes follows who publishes commands, and the parameter.
func (f *RobotPublisher) chooseTypes() {
	now := commandTypes(f.commandTypes.Load())
	for _, r := range f.robots {
		if r == nil {
			continue
		}
		for _, c := range r.commands {
			if err := c.choose(now, f.published[c.name]); err != nil {
				f.node.Log().Error("a topic of commands cannot be subscribed", "topic", c.name, "error", err)
			}
		}
	}
}

// choose subscribes the types that are wanted, where others publish some.
func (c *commandTopic) choose(wanted commandTypes, published []string) error {
	var on [2]bool
	for i := range c.kinds {
		on[i] = wanted == bothTypes || wanted == firstType+commandTypes(i) ||
			wanted == publishedTypes && slices.Contains(published, c.kinds[i].name)
	}
	if on == [2]bool{} {
		on[0] = true
	}
	var errs []error
	for i := range c.kinds { // the new one first: a client that asks meanwhile finds the topic
		if k := &c.kinds[i]; on[i] && k.sub == nil {
			sub, err := k.open()
			if err == nil {
				k.sub = sub
			}
			errs = append(errs, err)
		}
	}
	for i := range c.kinds {
		if !on[i] {
			errs = append(errs, c.kinds[i].close())
		}
	}
	return errors.Join(errs...)
}

// Close takes the topic off the graph.
func (c *commandTopic) Close() error { return errors.Join(c.kinds[0].close(), c.kinds[1].close()) }

func (k *commandKind) close() error {
	if k.sub == nil {
		return nil
	}
	sub := k.sub
	k.sub = nil
	return sub.Close()
}
