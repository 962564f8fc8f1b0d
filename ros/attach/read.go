package attach

import (
	"context"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/simif2"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// State is the state of the simulation. Errors are those of Ask, or *Refused.
func (r *Remote) State(ctx context.Context) (sim.State, error) {
	s, err := Ask(ctx, r, simif2.GetSimulationStateService(), &simif2.GetSimulationStateRequest{})
	if err != nil {
		return 0, err
	}
	return sim.State(s.State.State), r.verdict("GetSimulationState", s.Result)
}

// World is the world that is loaded; *Refused, which wraps sim.ErrNoWorld, when
// none is.
func (r *Remote) World(ctx context.Context) (scene.WorldInfo, error) {
	s, err := Ask(ctx, r, simif2.GetCurrentWorldService(), &simif2.GetCurrentWorldRequest{})
	if err != nil {
		return scene.WorldInfo{}, err
	}
	return world(s.World), r.verdict("GetCurrentWorld", s.Result)
}

// NamedPoses are the places that have names, without their bounds.
func (r *Remote) NamedPoses(ctx context.Context) ([]scene.NamedPose, error) {
	s, err := Ask(ctx, r, simif2.GetNamedPosesService(), &simif2.GetNamedPosesRequest{})
	if err != nil {
		return nil, err
	}
	var list []scene.NamedPose
	for _, p := range s.Poses {
		list = append(list, scene.NamedPose{Name: p.Name, Description: p.Description, Tags: p.Tags,
			Pose: geometry.PoseOf(p.Pose)})
	}
	return list, r.verdict("GetNamedPoses", s.Result)
}

// NamedPoseBounds is the region about a named pose, in the frame of the pose.
func (r *Remote) NamedPoseBounds(ctx context.Context, name string) (scene.Bounds, error) {
	s, err := Ask(ctx, r, simif2.GetNamedPoseBoundsService(), &simif2.GetNamedPoseBoundsRequest{Name: name})
	if err != nil {
		return scene.Bounds{}, err
	}
	return bounds(s.Bounds), r.verdict("GetNamedPoseBounds", s.Result)
}

// Info is the description of an entity, without its bounds.
func (r *Remote) Info(ctx context.Context, entity string) (scene.Info, error) {
	s, err := Ask(ctx, r, simif2.GetEntityInfoService(), &simif2.GetEntityInfoRequest{Entity: entity})
	if err != nil {
		return scene.Info{}, err
	}
	return scene.Info{Category: scene.Category(s.Info.Category.Category), Description: s.Info.Description,
			Tags: s.Info.Tags},
		r.verdict("GetEntityInfo", s.Result)
}

// Bounds is the region of an entity, in the frame of its canonical link.
func (r *Remote) Bounds(ctx context.Context, entity string) (scene.Bounds, error) {
	s, err := Ask(ctx, r, simif2.GetEntityBoundsService(), &simif2.GetEntityBoundsRequest{Entity: entity})
	if err != nil {
		return scene.Bounds{}, err
	}
	return bounds(s.Bounds), r.verdict("GetEntityBounds", s.Result)
}

// Serves reports whether the simulator is known to serve a service, without
// waiting for it to show.
func (r *Remote) Serves(kind string) bool {
	_, ok := r.last().Serves(kind)
	return ok
}

// Unsupported says in a sentence why a command cannot be carried out in any world. The standard has no
// service for it, or the simulator does not serve that one. Empty when it can be tried.
func (r *Remote) Unsupported(c sim.Command) string {
	kind := serviceFor(c)
	switch {
	case kind == "":
		return "not supported by the attached simulator"
	case !r.Serves(kind):
		return r.Title() + " does not serve " + snake(kind)
	}
	return ""
}

// serviceFor is the kind of service that stands for a command; empty when none
// does.
func serviceFor(c sim.Command) string {
	switch c.(type) {
	case sim.SetState:
		return "SetSimulationState"
	case sim.StepWorld:
		return "StepSimulation"
	case sim.Reset:
		return "ResetSimulation"
	case sim.Spawn:
		return "SpawnEntity"
	case sim.SpawnBatch:
		return "SpawnEntities"
	case sim.Delete:
		return "DeleteEntity"
	case sim.SetEntityState, sim.MoveEntities:
		return "SetEntityState"
	case sim.SetEntityInfo, sim.SetEntityInfos:
		return "SetEntityInfo"
	case sim.LoadWorld:
		return "LoadWorld"
	case sim.UnloadWorld:
		return "UnloadWorld"
	case sim.ListSpawnables:
		return "GetSpawnables"
	case sim.ListWorlds:
		return "GetAvailableWorlds"
	}
	return ""
}

// Owns reports whether a publisher, as node.Origin names it, is of the
// participant that serves the simulator.
func (r *Remote) Owns(publisher string) bool {
	for _, v := range r.last().Services {
		if v.id.Has(publisher) {
			return true
		}
	}
	return false
}
