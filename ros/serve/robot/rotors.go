package robot

import (
	"errors"
	"fmt"
	"math"

	"simdeck/ros/msgs/actuatormsgs"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// rotors are the rotors of a robot that are commanded by one topic.
type rotors struct {
	entity string
	joints []string // by list
	list   []scene.Rotor
}

// addRotors takes the speeds of rotors under the topics that their file names, as ros_gz bridges them.
func (f *RobotPublisher) addRotors(r *robot, m *sim.EntityModel) error {
	var errs []error
	seen := map[string]bool{}
	all := m.Spec.Flow.Rotors
	for i := range all {
		topic := all[i].Topic
		if topic == "" || seen[topic] {
			continue
		}
		seen[topic] = true
		at := &rotors{entity: r.name}
		for k := range all {
			if all[k].Topic == topic {
				at.list = append(at.list, all[k])
				at.joints = append(at.joints, m.Spec.Joints[all[k].Joint].Name)
			}
		}
		errs = append(errs, listen(f, r, f.take(r, topic), at.speeds))
	}
	return errors.Join(errs...)
}

// speeds is a command of speeds, rad/s; what is not a number leaves its rotor alone.
func (k *rotors) speeds(a *actuatormsgs.Actuators) (sim.Command, error) {
	c := sim.SetJoints{Name: k.entity}
	for i := range k.list {
		n := k.list[i].Index
		if n >= len(a.Velocity) {
			return nil, fmt.Errorf("%w: %d velocities; the rotor on joint %s has number %d", errCommand,
				len(a.Velocity), k.joints[i], n)
		}
		if x := a.Velocity[n]; !math.IsNaN(x) {
			c.Targets = append(c.Targets,
				sim.JointTarget{Joint: k.joints[i], Mode: sim.JointVelocity, Target: x})
		}
	}
	return c, nil
}
