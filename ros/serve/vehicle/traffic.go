package vehicle

import (
	"errors"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// actorPeriod is the simulated time between two messages of an actor.
const actorPeriod = 50 * time.Millisecond

// traffic publishes the actors of a world under /actor/ID, and its signals under /signal/ID. ID is the
// entity's namespace.
type traffic struct {
	node    *node.Node
	now     func() time.Duration // simulated, of what is published
	model   *sim.Model           // that the publishers are of
	actors  []actorTopic
	signals []signalTopic
	due     time.Duration // when actors are told next
}

// actorTopic is the odometry of an actor.
type actorTopic struct {
	id    uint64 // of the entity
	index int    // of the entity in the model
	pub   *node.Publisher[navmsgs.Odometry]
	msg   *navmsgs.Odometry
}

// signalTopic is the aspect of a signal.
type signalTopic struct {
	id    uint64
	index int
	pub   *node.Publisher[stdmsgs.String]
	said  string
}

// show publishes what is new of the traffic in a picture.
func (t *traffic) show(s *sim.Snapshot) error {
	var errs []error
	if s.Model != t.model {
		errs = append(errs, t.follow(s))
	}
	for i := range t.signals {
		k := &t.signals[i]
		if word := s.Entities[k.index].Signal.Aspect.String(); word != k.said {
			errs = append(errs, k.pub.Publish(&stdmsgs.String{Data: word}))
			k.said = word
		}
	}
	if s.Time < t.due && t.due-s.Time <= actorPeriod {
		return errors.Join(errs...)
	}
	t.due = s.Time - s.Time%actorPeriod + actorPeriod
	for i := range t.actors {
		errs = append(errs, t.actors[i].publish(s))
	}
	return errors.Join(errs...)
}

// publish sends the place and the velocity of an actor to whoever listens.
func (a *actorTopic) publish(s *sim.Snapshot) error {
	if a.pub.Subscribers() == 0 {
		return nil
	}
	e := &s.Entities[a.index]
	a.msg.Header.Stamp = node.SimTime(s.Time)
	a.msg.Pose.Pose = geometry.Pose(e.Pose)
	a.msg.Twist.Twist = geometry.Twist(e.Twist.RotateBack(e.Pose.Rot))
	return a.pub.Publish(a.msg)
}

// follow opens the topics of those who came, and closes those of whom left.
func (t *traffic) follow(s *sim.Snapshot) error {
	t.model = s.Model
	var errs []error
	actors, signals := t.actors, t.signals
	t.actors, t.signals = nil, nil
	for i := range s.Entities {
		e := &s.Model.Entities[i]
		if s.Entities[i].Actor != nil {
			k, err := t.actor(e, i, &actors)
			if errs = append(errs, err); err == nil {
				t.actors = append(t.actors, k)
			}
		}
		if s.Entities[i].Signal != nil {
			k, err := t.signal(e, i, &signals)
			if errs = append(errs, err); err == nil {
				t.signals = append(t.signals, k)
			}
		}
	}
	for i := range actors {
		errs = append(errs, actors[i].pub.Close())
	}
	for i := range signals {
		errs = append(errs, signals[i].pub.Close())
	}
	return errors.Join(errs...)
}

// actor takes the topic of an actor out of those that are open, or opens it.
func (t *traffic) actor(e *sim.EntityModel, index int, open *[]actorTopic) (actorTopic, error) {
	for i, k := range *open {
		if k.id == e.ID {
			*open = append((*open)[:i], (*open)[i+1:]...)
			k.index = index
			return k, nil
		}
	}
	pub, err := node.NewPublisher[navmsgs.Odometry](t.node, "/actor/"+e.Namespace+"/odom", node.DefaultQoS())
	if err != nil {
		return actorTopic{}, err
	}
	pub.TimedBy(t.now)
	k := actorTopic{e.ID, index, pub, navmsgs.NewOdometry()}
	k.msg.Header.FrameID, k.msg.ChildFrameID = mapFrame, "actor_"+e.Namespace
	return k, nil
}

// signal is actor of a signal.
func (t *traffic) signal(e *sim.EntityModel, index int, open *[]signalTopic) (signalTopic, error) {
	for i, k := range *open {
		if k.id == e.ID {
			*open = append((*open)[:i], (*open)[i+1:]...)
			k.index = index
			return k, nil
		}
	}
	pub, err := node.NewPublisher[stdmsgs.String](t.node, "/signal/"+e.Namespace+"/state", node.LatchedQoS())
	if err != nil {
		return signalTopic{}, err
	}
	pub.TimedBy(t.now)
	return signalTopic{id: e.ID, index: index, pub: pub}, nil
}
