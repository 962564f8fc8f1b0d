package control

import (
	"context"
	"fmt"
	"math"
	"strings"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// forward hands numbers on to an interface of joints: forward_command_controller, and those of groups of
// joints whose interface is in their name.
type forward struct {
	c      *controller
	joints []string
	mode   sim.JointMode // 0: interface_name says which
}

func groupParameters() []node.Declaration { return []node.Declaration{texts("joints")} }

func forwardParameters() []node.Declaration {
	return []node.Declaration{texts("joints"), text("interface_name", "")}
}

func (f *forward) configure(c *controller) (w wants, err error) {
	f.c = c
	if f.joints, err = c.required("joints"); err != nil {
		return w, err
	}
	if f.mode == 0 {
		if f.mode, err = modeOf(c.text("interface_name")); err != nil {
			return w, fmt.Errorf("%w: interface_name: %w", errParameters, err)
		}
	}
	w.commands = interfacesOf(f.joints, []string{f.mode.String()})
	return w, listen(c, "~/commands", f.take)
}

// modeOf is the mode of a command interface.
func modeOf(name string) (sim.JointMode, error) {
	for _, mode := range []sim.JointMode{sim.JointPosition, sim.JointVelocity, sim.JointEffort} {
		if mode.String() == name {
			return mode, nil
		}
	}
	return 0, fmt.Errorf("%q cannot be commanded; want position, velocity or effort", name)
}

// take sends numbers to the joints; what is not a number leaves its joint alone.
func (f *forward) take(ctx context.Context, m *stdmsgs.Float64MultiArray) error {
	if len(m.Data) != len(f.joints) {
		return fmt.Errorf("%w: %d numbers for %d joints, which are %s", errCommand, len(m.Data), len(f.joints),
			strings.Join(f.joints, ", "))
	}
	command := sim.SetJoints{Name: f.c.manager.config.Entity}
	for i, x := range m.Data {
		if !math.IsNaN(x) {
			command.Targets = append(command.Targets,
				sim.JointTarget{Joint: f.joints[i], Mode: f.mode, Target: x})
		}
	}
	return f.c.send(ctx, command)
}

func (f *forward) begin(look) []sim.JointTarget { return nil }

// end lets joints that were moved stand; those that were sent to a position stay there.
func (f *forward) end() []sim.JointTarget {
	if f.mode == sim.JointPosition {
		return nil
	}
	return targets(f.joints, sim.JointVelocity, 0)
}

func (f *forward) show(look) error { return nil }
