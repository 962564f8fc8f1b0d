package control

import (
	"fmt"
	"math"
	"slices"

	"simdeck/ros/node"
	"simdeck/sim"
)

// kind is a type of controller.
type kind struct {
	name       string // as pluginlib knows it
	make       func() behaviour
	parameters func() []node.Declaration
}

// kinds are the types of controllers that can be loaded.
var kinds = []kind{
	{"joint_state_broadcaster/JointStateBroadcaster", func() behaviour { return &broadcaster{} },
		broadcasterParameters},
	{"joint_trajectory_controller/JointTrajectoryController", func() behaviour { return &follower{} },
		followerParameters},
	{"forward_command_controller/ForwardCommandController", func() behaviour { return &forward{} },
		forwardParameters},
	{"position_controllers/JointGroupPositionController",
		func() behaviour { return &forward{mode: sim.JointPosition} }, groupParameters},
	{"velocity_controllers/JointGroupVelocityController",
		func() behaviour { return &forward{mode: sim.JointVelocity} }, groupParameters},
	{"effort_controllers/JointGroupEffortController",
		func() behaviour { return &forward{mode: sim.JointEffort} }, groupParameters},
	{"diff_drive_controller/DiffDriveController", func() behaviour { return &diffDrive{} },
		diffDriveParameters},
}

func kindNames() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return names
}

// Declarations of parameters with their defaults.

func texts(name string, all ...string) node.Declaration {
	return node.Declaration{Name: name, Default: node.Value{Type: node.StringArray, StringArrayValue: all}}
}

func text(name, value string) node.Declaration {
	return node.Declaration{Name: name, Default: node.StringValue(value)}
}

func truth(name string, value bool) node.Declaration {
	return node.Declaration{Name: name, Default: node.BoolValue(value)}
}

func number(name string, value float64) node.Declaration {
	return node.Declaration{Name: name, Default: node.DoubleValue(value)}
}

// Values of a controller's parameters, which are declared or not set.

func (c *controller) value(name string) node.Value {
	v, _ := c.node.Parameters().Get(name)
	return v
}

func (c *controller) texts(name string) []string { return c.value(name).StringArrayValue }
func (c *controller) text(name string) string    { return c.value(name).StringValue }
func (c *controller) truth(name string) bool     { return c.value(name).BoolValue }
func (c *controller) integer(name string) int64  { return c.value(name).IntegerValue }

// number is a number of either type; NaN of a parameter that is not there.
func (c *controller) number(name string) float64 {
	switch v := c.value(name); v.Type {
	case node.Double:
		return v.DoubleValue
	case node.Integer:
		return float64(v.IntegerValue)
	}
	return math.NaN()
}

// required are the names in a parameter, of which there is one at least and none twice.
func (c *controller) required(name string) ([]string, error) {
	all := c.texts(name)
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: %s is empty; want names of joints", errParameters, name)
	}
	for i, one := range all {
		if slices.Contains(all[:i], one) {
			return nil, fmt.Errorf("%w: %s has %q twice", errParameters, name, one)
		}
	}
	return all, nil
}

// interfacesOf are those of joints with each of the names, by joint.
func interfacesOf(joints, names []string) []string {
	var all []string
	for _, j := range joints {
		for _, n := range names {
			all = append(all, j+"/"+n)
		}
	}
	return all
}

// targets set a value for each joint.
func targets(joints []string, mode sim.JointMode, value float64) []sim.JointTarget {
	var all []sim.JointTarget
	for _, j := range joints {
		all = append(all, sim.JointTarget{Joint: j, Mode: mode, Target: value})
	}
	return all
}

// reading is the value of a state interface of a joint; NaN where it has no meaning here.
func reading(s *sim.JointState, name string) float64 {
	position, velocity := s.Reported()
	switch name {
	case "position":
		return position
	case "velocity":
		return velocity
	case "effort":
		return s.Effort
	}
	return math.NaN()
}
