package robot

import (
	"cmp"
	"fmt"
	"strings"

	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// topicRegistry are the topics in use, without a slash in front, by the entity that
// has them: no two robots speak on one topic.
type topicRegistry map[string]uint64

// take gives an entity a topic. A relative name stands in the robot's
// namespace. An absolute name stays as it is while nobody else has it, else it
// moves into the namespace as well. Within a robot a number tells equal names
// apart.
func (c topicRegistry) take(id uint64, ns, topic string) string {
	rest := cmp.Or(strings.TrimPrefix(scene.LegalTopic(topic), "/"), "topic")
	if strings.HasPrefix(topic, "/") && c.register(id, rest) {
		return "/" + rest
	}
	base := ns + "/" + rest
	full := base
	for n := 1; !c.register(id, strings.TrimPrefix(full, "/")); n++ {
		full = fmt.Sprintf("%s_%d", base, n)
	}
	return full
}

// take gives a robot a topic.
func (f *RobotPublisher) take(r *robot, topic string) string {
	return f.config.place(f.topics.take(r.id, r.prefix, topic))
}

func (c topicRegistry) register(id uint64, topic string) bool {
	if _, taken := c[topic]; taken {
		return false
	}
	c[topic] = id
	return true
}

// free gives back what an entity had.
func (c topicRegistry) free(id uint64) {
	for topic, owner := range c {
		if owner == id {
			delete(c, topic)
		}
	}
}

// prefix is an entity's namespace as the beginning of topic and frame names: legal in ROS, without trailing
// slash, absolute if the namespace is.
func prefix(m *sim.EntityModel) string {
	ns := cmp.Or(node.Relative(m.Namespace), node.Relative(m.Name), "entity")
	if strings.HasPrefix(m.Namespace, "/") {
		return "/" + ns
	}
	return ns
}

// framed is a frame name with a robot's prefix; tf frames have no slash in front.
func framed(prefix, name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(prefix, "/")+"/"+strings.TrimPrefix(name, "/"), "/")
}

// isEgo reports whether an entity is the vehicle that a world is about: its
// topics and frames have no prefix (the vehicle profile of gs_sim_msgs).
func isEgo(m *sim.Model, e *sim.EntityModel) bool { return m.Site != nil && m.Site.Ego == e.Name }

// isSingle reports that a robot is the one without a prefix, beside those that are on the graph.
func (f *RobotPublisher) isSingle(e *sim.EntityModel, beside map[uint64]*robot) bool {
	if !f.config.Single || e.Namespace != sim.NamespaceOf("", e.Name) {
		return false
	}
	for _, r := range beside {
		if r.prefix == "" {
			return false
		}
	}
	return true
}

// rootFrame is the root of the tf tree: where an ego vehicle drives it is its map.
func rootFrame(m *sim.Model) string {
	if m.Site != nil {
		return mapFrame
	}
	return worldFrame
}

// isRobot reports whether an entity has anything to publish or to command.
func isRobot(m *sim.EntityModel) bool {
	if len(m.Spec.Links) == 0 {
		return false
	}
	return m.Info.Category == scene.Robot || len(m.Spec.Drives) > 0 || len(m.Sensors) > 0 || m.Spec.ROS.Truth.Asked ||
		!m.Static && m.Spec.HasMovingJoint() || m.Spec.HasTrack() ||
		len(m.Spec.Detachables)+len(m.Spec.Flow.Engines)+len(m.Spec.Batteries) > 0
}
