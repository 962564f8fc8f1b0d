package robot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// detachable is a joint to another model on the graph.
type detachable struct {
	pair     sim.LinkPair
	state    *node.Publisher[stdmsgs.String] // nil: a controller outside speaks for the model
	attached bool
	told     bool // attached was published
}

// addDetachables takes the commands to attach and detach another model under the topics that a file names, or
// Gazebo's, and tells whether it is attached. Joints of one topic do alike.
func (f *RobotPublisher) addDetachables(r *robot, m *sim.EntityModel) error {
	var errs []error
	var attach, detach pairsByTopic
	states := map[string]*node.Publisher[stdmsgs.String]{}
	for i := range m.Spec.Detachables {
		d := &m.Spec.Detachables[i]
		at := detachable{pair: sim.DetachablePair(m.Name, m.Spec, i)}
		attach.add(detachableTopic(m.Name, d.Attach, "attach"), at.pair)
		detach.add(detachableTopic(m.Name, d.Detach, "detach"), at.pair)
		if topic := detachableTopic(m.Name, d.Output, "state"); !r.external {
			if states[topic] == nil {
				p, err := open[stdmsgs.String](f, r, topic, node.LatchedQoS())
				states[topic], errs = p, append(errs, err)
			}
			at.state = states[topic]
		}
		r.detachables = append(r.detachables, at)
	}
	if !r.acceptsCommands {
		return errors.Join(errs...)
	}
	for _, topic := range attach.topics {
		errs = append(errs, listen(f, r, f.take(r, topic), func(*stdmsgs.Empty) (sim.Command, error) {
			return sim.Attach{Pairs: f.those(attach.pairs[topic], false)}, nil
		}))
	}
	for _, topic := range detach.topics {
		errs = append(errs, listen(f, r, f.take(r, topic), func(*stdmsgs.Empty) (sim.Command, error) {
			return sim.Detach{Pairs: f.those(detach.pairs[topic], true)}, nil
		}))
	}
	return errors.Join(errs...)
}

// pairsByTopic are the joints of each topic, in the order of the file.
type pairsByTopic struct {
	topics []string
	pairs  map[string][]sim.LinkPair
}

func (p *pairsByTopic) add(topic string, pair sim.LinkPair) {
	if p.pairs == nil {
		p.pairs = map[string][]sim.LinkPair{}
	}
	if !slices.Contains(p.topics, topic) {
		p.topics = append(p.topics, topic)
	}
	p.pairs[topic] = append(p.pairs[topic], pair)
}

// detachableTopic is the name that a file gives a topic, or Gazebo's.
func detachableTopic(entity, named, usual string) string {
	return cmp.Or(named, fmt.Sprintf("/model/%s/detachable_joint/%s", entity, usual))
}

// those are the pairs that are attached, or are not; all where there are none, so that the command says why
// it does nothing.
func (f *RobotPublisher) those(pairs []sim.LinkPair, attached bool) []sim.LinkPair {
	s := f.backend.Snapshot()
	var out []sim.LinkPair
	for _, p := range pairs {
		if _, is := s.AttachedAt(p); is == attached {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return pairs
	}
	return out
}

// publishDetachables tells what came loose or was fixed.
func (r *robot) publishDetachables(s *sim.Snapshot) (err error) {
	for i := range r.detachables {
		d := &r.detachables[i]
		_, attached := s.AttachedAt(d.pair)
		if d.state == nil || d.told && attached == d.attached {
			continue
		}
		d.told, d.attached = true, attached
		word := "detached"
		if attached {
			word = "attached"
		}
		err = errors.Join(err, d.state.Publish(&stdmsgs.String{Data: word}))
	}
	return err
}
