package gazebo

import (
	"context"
	"errors"
	"fmt"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// server answers for a backend on a node.
type server struct {
	node    *node.Node
	backend sim.Backend
}

// Simulators whose services of gazebo_msgs are served. Both have spawn_entity and delete_entity of the same
// types, so that they cannot be there at once.
const (
	Classic = "gazebo" // Gazebo Classic
	O3DE    = "o3de"   // the spawner of its ROS 2 gem
)

// New makes the services and topics of a simulator, Classic or O3DE, on a node; they answer while the node
// runs. Errors wrap node.ErrName.
func New(n *node.Node, d sim.Backend, of string) error {
	s := &server{node: n, backend: d}
	serve := newClassic
	switch of {
	case Classic:
	case O3DE:
		serve = newO3DE
	default:
		return fmt.Errorf("gazebo_msgs as %q has them: want %s or %s", of, Classic, O3DE)
	}
	if err := serve(s); err != nil {
		return fmt.Errorf("gazebo_msgs: %w", err)
	}
	return nil
}

// newClassic makes what Gazebo Classic has.
func newClassic(s *server) error {
	states, err := s.openStates()
	err = errors.Join(err,
		s.serveWorld(),
		answer(s, "spawn_entity", "spawn_entity", gazebomsgs.SpawnEntityService(), s.spawn,
			func(err error) *gazebomsgs.SpawnEntityResponse {
				return &gazebomsgs.SpawnEntityResponse{StatusMessage: err.Error()}
			}),
		answer(s, "delete_entity", "delete_entity", gazebomsgs.DeleteEntityService(), s.remove,
			func(err error) *gazebomsgs.DeleteEntityResponse {
				return &gazebomsgs.DeleteEntityResponse{StatusMessage: err.Error()}
			}),
		answer(s, "get_entity_state", "get_entity_state", gazebomsgs.GetEntityStateService(), s.state,
			func(error) *gazebomsgs.GetEntityStateResponse { return gazebomsgs.NewGetEntityStateResponse() }),
		answer(s, "set_entity_state", "set_entity_state", gazebomsgs.SetEntityStateService(), s.setState,
			func(error) *gazebomsgs.SetEntityStateResponse { return &gazebomsgs.SetEntityStateResponse{} }),
		answer(s, "get_model_list", "get_entities", gazebomsgs.GetModelListService(), s.models,
			func(error) *gazebomsgs.GetModelListResponse { return &gazebomsgs.GetModelListResponse{} }))
	if err == nil {
		s.node.Go(states.run)
	}
	return err
}

// answer makes a service. An error is in the response where its definition has room for words, else in the
// log.
func answer[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](s *server, name, instead string, svc msgs.Service[Q, S],
	do func(context.Context, *Q) (*S, error), failure func(error) *S) error {
	refused := func(err error) *S {
		s.node.Log().Warn("a request of gazebo_msgs failed", "service", name, "error", err)
		return failure(err)
	}
	line := node.NewLine[Q, S, PQ, PS](svc, func(ctx context.Context, c node.Caller, q *Q) *S {
		s.node.WarnOnce(c.Client, "gazebo_msgs is deprecated: simulation_interfaces takes its place",
			"service", name, "instead", "simulation_interfaces "+instead, "client", c.Client)
		r, err := do(sim.WithSender(ctx, "ros"), q)
		if err != nil {
			return refused(err)
		}
		return r
	}, refused)
	const clients = 16 // at once: a model that is read for long delays its own client alone
	_, err := s.node.Serve(node.ServerConfig{Name: name, Lines: []node.Line{line}, Concurrency: clients,
		PerClient: 1})
	return err
}
