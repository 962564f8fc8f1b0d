package gazebo

import (
	"context"
	"fmt"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func (s *server) spawn(ctx context.Context,
	q *gazebomsgs.SpawnEntityRequest) (*gazebomsgs.SpawnEntityResponse, error) {
	r, err := sim.Call[sim.Spawned](ctx, s.backend, sim.Spawn{
		Name: q.Name, Namespace: q.RobotNamespace, Resource: scene.Resource{Document: q.Xml},
		Pose: sim.FramedPose{Frame: frameName(q.ReferenceFrame), Pose: geometry.PoseOf(q.InitialPose)}})
	if err != nil {
		return nil, err
	}
	return &gazebomsgs.SpawnEntityResponse{Success: true, StatusMessage: fmt.Sprintf("spawned %s", r.Name)},
		nil
}

func (s *server) remove(ctx context.Context,
	q *gazebomsgs.DeleteEntityRequest) (*gazebomsgs.DeleteEntityResponse, error) {
	if _, err := s.backend.Do(ctx, sim.Delete{Names: []string{q.Name}}); err != nil {
		return nil, err
	}
	return &gazebomsgs.DeleteEntityResponse{Success: true, StatusMessage: "deleted " + q.Name}, nil
}

func (s *server) models(context.Context, *gazebomsgs.GetModelListRequest) (*gazebomsgs.GetModelListResponse,
	error) {
	snap := s.backend.Snapshot()
	r := &gazebomsgs.GetModelListResponse{Header: stdmsgs.Header{Stamp: node.SimTime(snap.Time),
		FrameID: "world"}, Success: true}
	for i := range snap.Model.Entities {
		r.ModelNames = append(r.ModelNames, snap.Model.Entities[i].Name)
	}
	return r, nil
}

func (s *server) state(_ context.Context,
	q *gazebomsgs.GetEntityStateRequest) (*gazebomsgs.GetEntityStateResponse, error) {
	snap := s.backend.Snapshot()
	at, err := stateOf(snap, q.Name, q.ReferenceFrame)
	if err != nil {
		return nil, err
	}
	return &gazebomsgs.GetEntityStateResponse{
		Header: stdmsgs.Header{Stamp: node.SimTime(snap.Time), FrameID: q.ReferenceFrame}, Success: true,
		State: gazebomsgs.EntityState{Name: q.Name, Pose: geometry.Pose(at.Pose),
			Twist: geometry.Twist(at.Twist), ReferenceFrame: q.ReferenceFrame},
	}, nil
}

// setState moves a model. Its parts are held by joints: one cannot be moved
// alone, but for the one that carries the model.
func (s *server) setState(ctx context.Context,
	q *gazebomsgs.SetEntityStateRequest) (*gazebomsgs.SetEntityStateResponse, error) {
	snap := s.backend.Snapshot()
	model, link := split(q.State.Name)
	i, found := snap.Find(model)
	if !found {
		return nil, absent(snap, model)
	}
	spec := snap.Model.Entities[i].Spec
	to := sim.LinkState{Pose: geometry.PoseOf(q.State.Pose).Upright(), Twist: geometry.TwistOf(q.State.Twist)}
	switch {
	case link == "":
		to = to.At(spec.Frame.Upright())
	case link != spec.Links[spec.Canonical].Name:
		return nil, fmt.Errorf("%w: %s cannot be moved alone: its joints hold it; %s, or %s::%s which carries it, can",
			sim.ErrUnsupported, q.State.Name, model, model, spec.Links[spec.Canonical].Name)
	}
	c := sim.SetEntityState{Name: model, Frame: frameName(q.State.ReferenceFrame), Pose: &to.Pose,
		Twist: &to.Twist}
	if to.Twist == (r3.Twist{}) && snap.Model.Entities[i].Static {
		c.Twist = nil // static entities take no velocity, and every client sends one
	}
	if _, err := s.backend.Do(ctx, c); err != nil {
		return nil, err
	}
	return &gazebomsgs.SetEntityStateResponse{Success: true}, nil
}
