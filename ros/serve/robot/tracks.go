package robot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// addTracks takes the speeds of belts, m/s, under the topics that their file names, or Gazebo's. Belts of one
// topic run alike.
func (f *RobotPublisher) addTracks(r *robot, m *sim.EntityModel) error {
	var topics []string
	links := map[string][]string{} // by topic
	for i := range m.Spec.Links {
		l := &m.Spec.Links[i]
		if l.Track == nil {
			continue
		}
		topic := trackTopic(r.name, l)
		if !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
		links[topic] = append(links[topic], l.Name)
	}
	var errs []error
	for _, topic := range topics {
		errs = append(errs, listen(f, r, f.take(r, topic), func(n *stdmsgs.Float64) (sim.Command, error) {
			c := sim.SetJoints{Name: r.name}
			for _, name := range links[topic] {
				c.Targets = append(c.Targets,
					sim.JointTarget{Joint: name, Mode: sim.JointVelocity, Target: n.Data})
			}
			return c, nil
		}))
	}
	return errors.Join(errs...)
}

// trackTopic is the topic of the speed of a link's belt.
func trackTopic(entity string, l *scene.Link) string {
	return cmp.Or(l.Track.Topic, fmt.Sprintf("/model/%s/link/%s/track_cmd_vel", entity, l.Name))
}
