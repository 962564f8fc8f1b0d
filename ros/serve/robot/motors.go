package robot

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// addMotors takes commands for the joints of a robot that no drive turns, as a JointState on joint_commands: each joint
// that it names goes to its position, or where that is missing or NaN, turns at its velocity, or pushes with its effort.
func (f *Fleet) addMotors(r *robot, m *sim.EntityModel) error {
	if len(motors(m.Spec)) == 0 {
		return nil
	}
	c := &motorist{deck: f.deck, node: f.node, entity: r.name, topic: f.claims.take(r.id, r.prefix, "joint_commands")}
	s, err := node.NewCommandSubscription(f.node, c.topic, 1,
		func(ctx context.Context, m *sensormsgs.JointState, _ node.Origin) { c.command(ctx, m) })
	if err == nil {
		r.ends = append(r.ends, s)
	}
	return err
}

// motors are the joints of a model that can be commanded one by one.
func motors(spec *scene.ModelSpec) []int {
	var out []int
	for i, j := range spec.Joints {
		switch j.Kind {
		case scene.Revolute, scene.Continuous, scene.Prismatic, scene.Screw:
			driven := slices.ContainsFunc(spec.Drives, func(d scene.Drive) bool {
				return slices.Contains(slices.Concat(d.Left, d.Right, d.SteerLeft, d.SteerRight), i)
			})
			if !driven && !j.Mimic.Set {
				out = append(out, i)
			}
		}
	}
	return out
}

// motorist hands joint commands to the simulation.
type motorist struct {
	deck   sim.Deck
	node   *node.Node
	entity string
	topic  string
	said   refusal
}

func (c *motorist) command(ctx context.Context, m *sensormsgs.JointState) {
	var refused error
	for i, name := range m.Name {
		set, err := order(m, i)
		if err == nil {
			set.Name, set.Joint = c.entity, name
			_, err = c.deck.Do(sim.WithSender(ctx, "ros"), set)
		}
		if ctx.Err() != nil || errors.Is(err, sim.ErrClosed) {
			return
		}
		refused = errors.Join(refused, err)
	}
	c.said.tell(c.node, "a joint command was refused", c.topic, refused)
}

// order is what a message says of the joint at place i of its names.
func order(m *sensormsgs.JointState, i int) (sim.SetJoint, error) {
	for _, of := range []struct {
		mode   sim.JointMode
		values []float64
	}{{sim.JointPosition, m.Position}, {sim.JointVelocity, m.Velocity}, {sim.JointEffort, m.Effort}} {
		if i < len(of.values) && !math.IsNaN(of.values[i]) {
			return sim.SetJoint{Mode: of.mode, Target: of.values[i]}, nil
		}
	}
	return sim.SetJoint{}, fmt.Errorf("joint %q has neither position nor velocity nor effort: %d, %d and %d of them are given; as many as names are right",
		m.Name[i], len(m.Position), len(m.Velocity), len(m.Effort))
}
