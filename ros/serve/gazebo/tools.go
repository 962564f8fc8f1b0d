package gazebo

import (
	"context"
	"errors"
	"fmt"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/linkattachermsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// NewTools makes services of scripts for Gazebo without a counterpart in simulation_interfaces. They attach
// links to each other (linkattacher_msgs), and put joints at positions (SetModelConfiguration). Errors wrap
// node.ErrName.
func NewTools(n *node.Node, d sim.Backend) error {
	s := &server{node: n, backend: d}
	return errors.Join(
		tool(s, "ATTACHLINK", linkattachermsgs.AttachLinkService(), s.attach,
			func(err error) *linkattachermsgs.AttachLinkResponse {
				return &linkattachermsgs.AttachLinkResponse{Message: err.Error()}
			}),
		tool(s, "DETACHLINK", linkattachermsgs.DetachLinkService(), s.detach,
			func(err error) *linkattachermsgs.DetachLinkResponse {
				return &linkattachermsgs.DetachLinkResponse{Message: err.Error()}
			}),
		tool(s, "set_model_configuration", gazebomsgs.SetModelConfigurationService(), s.configure,
			func(err error) *gazebomsgs.SetModelConfigurationResponse {
				return &gazebomsgs.SetModelConfigurationResponse{StatusMessage: err.Error()}
			}))
}

// tool makes a service whose response has room for an error in words.
func tool[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](s *server, name string, svc msgs.Service[Q, S],
	do func(context.Context, *Q) (*S, error), failure func(error) *S) error {
	line := node.NewLine[Q, S, PQ, PS](svc, func(ctx context.Context, _ node.Caller, q *Q) *S {
		r, err := do(sim.WithSender(ctx, "ros"), q)
		if err != nil {
			return failure(err)
		}
		return r
	}, failure)
	_, err := s.node.Serve(node.ServerConfig{Name: name, Lines: []node.Line{line}})
	return err
}

// links are the two that a request names.
func links(model1, link1, model2, link2 string) sim.LinkPair {
	return sim.LinkPair{Parent: sim.LinkName{Entity: model1, Link: link1},
		Child: sim.LinkName{Entity: model2, Link: link2}}
}

// attach fixes two links to each other as they stand.
func (s *server) attach(ctx context.Context,
	q *linkattachermsgs.AttachLinkRequest) (*linkattachermsgs.AttachLinkResponse, error) {
	pair := links(q.Model1Name, q.Link1Name, q.Model2Name, q.Link2Name)
	if _, err := s.backend.Do(ctx, sim.Attach{Pairs: []sim.LinkPair{pair}}); err != nil {
		return nil, err
	}
	return &linkattachermsgs.AttachLinkResponse{Success: true, Message: fmt.Sprintf("attached %v", pair)}, nil
}

// detach removes the joint that attach has made, or a model's file.
func (s *server) detach(ctx context.Context,
	q *linkattachermsgs.DetachLinkRequest) (*linkattachermsgs.DetachLinkResponse, error) {
	pair := links(q.Model1Name, q.Link1Name, q.Model2Name, q.Link2Name)
	if _, err := s.backend.Do(ctx, sim.Detach{Pairs: []sim.LinkPair{pair}}); err != nil {
		return nil, err
	}
	return &linkattachermsgs.DetachLinkResponse{Success: true, Message: fmt.Sprintf("detached %v", pair)}, nil
}

// configure puts joints at positions. The name of the parameter with the description is not needed: the
// simulator has it.
func (s *server) configure(ctx context.Context,
	q *gazebomsgs.SetModelConfigurationRequest) (*gazebomsgs.SetModelConfigurationResponse, error) {
	if len(q.JointNames) != len(q.JointPositions) {
		return nil, fmt.Errorf("%w: %d joint names and %d positions; want one for each", sim.ErrFailed,
			len(q.JointNames), len(q.JointPositions))
	}
	c := sim.SetJointPositions{Name: q.ModelName}
	for i, name := range q.JointNames {
		c.Positions = append(c.Positions, sim.JointPlace{Joint: name, Position: q.JointPositions[i]})
	}
	if _, err := s.backend.Do(ctx, c); err != nil {
		return nil, err
	}
	return &gazebomsgs.SetModelConfigurationResponse{Success: true,
		StatusMessage: fmt.Sprintf("%d joints of %s are set", len(q.JointNames), q.ModelName)}, nil
}
