package gazebo

import (
	"context"
	"errors"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/node"
	"simdeck/ros/serve"
	"simdeck/sim"
)

const (
	statePeriod = 20 * time.Millisecond // of simulated time, between two messages of a topic
	stateQueue  = 64                    // pictures that may wait
)

// states publishes where everything is, to whoever listens.
type states struct {
	server   *server
	models   *node.Publisher[gazebomsgs.ModelStates]
	links    *node.Publisher[gazebomsgs.LinkStates]
	modelMsg gazebomsgs.ModelStates
	linkMsg  gazebomsgs.LinkStates
	clock    serve.Clock
	names    *sim.Model // of which linkMsg has the names
}

func (s *server) openStates() (*states, error) {
	st := &states{server: s}
	var err1, err2 error
	st.models, err1 = node.NewPublisher[gazebomsgs.ModelStates](s.node, "model_states", node.DefaultQoS())
	st.links, err2 = node.NewPublisher[gazebomsgs.LinkStates](s.node, "link_states", node.DefaultQoS())
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	st.models.TimedBy(st.clock.Now)
	st.links.TimedBy(st.clock.Now)
	return st, nil
}

// run publishes until the engine or the node ends.
func (st *states) run(ctx context.Context) {
	pictures := st.server.backend.Subscribe(sim.Lossless(stateQueue, statePeriod))
	defer pictures.Close()
	pictures.WantSensors(false)
	serve.EachSnapshot(ctx, pictures, func(s *sim.Snapshot) bool {
		st.clock.Show(s)
		if err := errors.Join(st.publishModels(s), st.publishLinks(s)); err != nil {
			st.server.node.Log().Error("the states of gazebo_msgs could not be published", "error", err)
		}
		return true
	}, serve.Ticker{})
}

func (st *states) publishModels(s *sim.Snapshot) error {
	if st.models.Subscribers() == 0 {
		return nil
	}
	m := &st.modelMsg
	m.Name, m.Pose, m.Twist = m.Name[:0], m.Pose[:0], m.Twist[:0]
	for i := range s.Model.Entities {
		e := &s.Model.Entities[i]
		m.Name = append(m.Name, e.Name)
		add(&m.Pose, &m.Twist, ofModel(sim.LinkState{Pose: s.Entities[i].Pose, Twist: s.Entities[i].Twist},
			e.Spec))
	}
	return st.models.Publish(m)
}

func (st *states) publishLinks(s *sim.Snapshot) error {
	if st.links.Subscribers() == 0 {
		return nil
	}
	m := &st.linkMsg
	m.Pose, m.Twist = m.Pose[:0], m.Twist[:0]
	if st.names != s.Model {
		st.names, m.Name = s.Model, linkNames(s.Model)
	}
	for i := range s.Model.Entities {
		for _, l := range s.LinksOf(i) {
			add(&m.Pose, &m.Twist, l)
		}
	}
	return st.links.Publish(m)
}

// linkNames are those of all links, in the order of the pictures.
func linkNames(m *sim.Model) (names []string) {
	for i := range m.Entities {
		for _, l := range m.Entities[i].Spec.Links {
			names = append(names, m.Entities[i].Name+separator+l.Name)
		}
	}
	return names
}

func add(poses *[]geometrymsgs.Pose, twists *[]geometrymsgs.Twist, s sim.LinkState) {
	*poses = append(*poses, geometry.Pose(s.Pose))
	*twists = append(*twists, geometry.Twist(s.Twist))
}
