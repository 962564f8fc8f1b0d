package robot

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// errCommand is a message on a topic of commands that cannot be meant.
var errCommand = errors.New("not understood")

// motors are the joints of a robot that are commanded one by one.
type motors struct {
	backend sim.Backend
	entity  string
	joints  []string // in the order of joint_states
}

// addMotors takes commands for the joints that are no drive's: under the names
// that the controllers of ros2_control have by custom, and joint_commands.
func (f *RobotPublisher) addMotors(r *robot, m *sim.EntityModel) error {
	at := &motors{backend: f.backend, entity: r.name}
	for _, i := range m.Motors() {
		at.joints = append(at.joints, m.Spec.Joints[i].Name)
	}
	if len(at.joints) == 0 {
		return nil
	}
	var errs []error
	for _, mode := range []sim.JointMode{sim.JointPosition, sim.JointVelocity, sim.JointEffort} {
		topic := fmt.Sprintf("forward_%s_controller/commands", mode)
		errs = append(errs, listen(f, r, f.take(r, topic),
			func(m *stdmsgs.Float64MultiArray) (sim.Command, error) { return at.all(mode, m.Data) }))
	}
	errs = append(errs, listen(f, r, f.take(r, "joint_commands"), at.some), at.followTopic(f, r),
		at.followNumbers(f, r, m), f.addRotors(r, m))
	if r.external {
		return errors.Join(append(errs, at.followExternal(f, r))...)
	}
	return errors.Join(append(errs, at.followAction(f, r))...)
}

// followNumbers takes what the controllers of single joints take under the topics that the robot's file
// names; joints of one topic are commanded together.
func (m *motors) followNumbers(f *RobotPublisher, r *robot, of *sim.EntityModel) error {
	var errs []error
	named := map[scene.Listen]bool{}
	for _, i := range of.Motors() {
		l := of.Spec.Joints[i].Listen
		if l.Topic == "" || named[l] {
			continue
		}
		named[l] = true
		mode := sim.JointPosition
		switch {
		case l.Velocity:
			mode = sim.JointVelocity
		case l.Effort:
			mode = sim.JointEffort
		}
		var joints []string
		for _, k := range of.Motors() {
			if of.Spec.Joints[k].Listen == l {
				joints = append(joints, of.Spec.Joints[k].Name)
			}
		}
		errs = append(errs, listen(f, r, f.take(r, l.Topic), func(n *stdmsgs.Float64) (sim.Command, error) {
			c := sim.SetJoints{Name: m.entity}
			for _, name := range joints {
				c.Targets = append(c.Targets, sim.JointTarget{Joint: name, Mode: mode, Target: n.Data})
			}
			return c, nil
		}))
	}
	return errors.Join(errs...)
}

// all is a command for every joint; what is not a number leaves its joint alone.
func (m *motors) all(mode sim.JointMode, data []float64) (sim.Command, error) {
	if len(data) != len(m.joints) {
		return nil, fmt.Errorf("%w: %d numbers for %d joints, which are %s", errCommand, len(data),
			len(m.joints), strings.Join(m.joints, ", "))
	}
	c := sim.SetJoints{Name: m.entity}
	for i, x := range data {
		if !math.IsNaN(x) {
			c.Targets = append(c.Targets, sim.JointTarget{Joint: m.joints[i], Mode: mode, Target: x})
		}
	}
	return c, nil
}

// some is a command for named joints: to the position, if there is one, else
// with the velocity, else with the effort.
func (m *motors) some(s *sensormsgs.JointState) (sim.Command, error) {
	ways := [...]struct {
		mode sim.JointMode
		list []float64
	}{{sim.JointPosition, s.Position}, {sim.JointVelocity, s.Velocity}, {sim.JointEffort, s.Effort}}
	for _, way := range ways {
		if len(way.list) != 0 && len(way.list) != len(s.Name) {
			return nil, fmt.Errorf("%w: %s: %d numbers for %d names; want one for each or none",
				errCommand, way.mode, len(way.list), len(s.Name))
		}
	}
	c := sim.SetJoints{Name: m.entity}
	for i, name := range s.Name {
		for _, way := range ways {
			if len(way.list) != 0 && !math.IsNaN(way.list[i]) {
				c.Targets = append(c.Targets, sim.JointTarget{Joint: name, Mode: way.mode,
					Target: way.list[i]})
				break
			}
		}
	}
	return c, nil
}
