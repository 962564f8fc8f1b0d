package attach

import (
	"context"
	"fmt"
	"time"

	"simdeck/ros/msgs/simif2"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// Do carries out a command as sim.Backend.Do does, by the services that stand for
// it. Errors are those of Ask; *Refused when the simulator says no, which wraps
// the error that an engine would give. A Delete, MoveEntities or SetEntityInfos
// of several goes one by one and ends at the first that is refused.
func (r *Remote) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	switch c := c.(type) {
	case sim.SetState:
		return r.setSimulationState(ctx, c)
	case sim.StepWorld:
		return r.step(ctx, c)
	case sim.Reset:
		return r.reset(ctx, c)
	case sim.Spawn:
		return r.spawn(ctx, c)
	case sim.SpawnBatch:
		return r.spawnBatch(ctx, c)
	case sim.Delete:
		return r.remove(ctx, c)
	case sim.SetEntityState:
		return r.setState(ctx, c)
	case sim.MoveEntities:
		return r.moveAll(ctx, c)
	case sim.SetEntityInfo:
		return r.setInfo(ctx, c)
	case sim.SetEntityInfos:
		return r.informAll(ctx, c)
	case sim.LoadWorld:
		return r.load(ctx, c)
	case sim.UnloadWorld:
		return r.unload(ctx)
	case sim.ListSpawnables:
		return r.spawnables(ctx, c)
	case sim.ListWorlds:
		return r.worlds(ctx, c)
	}
	return nil, fmt.Errorf("%w: %s cannot be asked of a simulator over simulation_interfaces",
		sim.ErrUnsupported, sim.Describe(c))
}

func (r *Remote) setSimulationState(ctx context.Context, c sim.SetState) (sim.Reply, error) {
	s, err := Ask(ctx, r, simif2.SetSimulationStateService(),
		&simif2.SetSimulationStateRequest{State: simif2.SimulationState{State: uint8(c.State)}})
	if err != nil {
		return nil, err
	}
	return done(r.verdict("SetSimulationState", s.Result))
}

// step answers Stepped with the time that an entity's state tells, as far as
// there is an entity and the simulator tells states.
func (r *Remote) step(ctx context.Context, c sim.StepWorld) (sim.Reply, error) {
	s, err := Ask(ctx, r, simif2.StepSimulationService(), &simif2.StepSimulationRequest{Steps: c.N})
	if err != nil {
		return nil, err
	}
	if err := r.verdict("StepSimulation", s.Result); err != nil {
		return nil, err
	}
	at, _ := r.Now(ctx)
	return sim.Stepped{Completed: c.N, Time: at}, nil
}

func (r *Remote) reset(ctx context.Context, c sim.Reset) (sim.Reply, error) {
	s, err := Ask(ctx, r, simif2.ResetSimulationService(),
		&simif2.ResetSimulationRequest{Scope: uint8(c.Scope)})
	if err != nil {
		return nil, err
	}
	return done(r.verdict("ResetSimulation", s.Result))
}

func (r *Remote) load(ctx context.Context, c sim.LoadWorld) (sim.Reply, error) {
	s, err := Ask(ctx, r, simif2.LoadWorldService(),
		&simif2.LoadWorldRequest{WorldResource: resource(c.Resource),
			FailOnUnsupportedElement:         c.FailOnUnsupported,
			IgnoreMissingOrUnsupportedAssets: c.IgnoreMissingAssets})
	if err != nil {
		return nil, err
	}
	if err := r.verdict("LoadWorld", s.Result); err != nil {
		return nil, err
	}
	return sim.WorldLoaded{World: world(s.World)}, nil
}

func (r *Remote) unload(ctx context.Context) (sim.Reply, error) {
	s, err := Ask(ctx, r, simif2.UnloadWorldService(), &simif2.UnloadWorldRequest{})
	if err != nil {
		return nil, err
	}
	return done(r.verdict("UnloadWorld", s.Result))
}

func (r *Remote) worlds(ctx context.Context, c sim.ListWorlds) (sim.Reply, error) {
	s, err := Ask(ctx, r, simif2.GetAvailableWorldsService(),
		&simif2.GetAvailableWorldsRequest{AdditionalSources: c.Sources, ContinueOnError: true})
	if err != nil {
		return nil, err
	}
	if err := r.verdict("GetAvailableWorlds", s.Result); err != nil {
		return nil, err
	}
	list := sim.Worlds{Failed: told(s.Result)}
	for _, w := range s.Worlds {
		list.List = append(list.List, world(w))
	}
	return list, nil
}

func (r *Remote) spawnables(ctx context.Context, c sim.ListSpawnables) (sim.Reply, error) {
	s, err := Ask(ctx, r, simif2.GetSpawnablesService(), &simif2.GetSpawnablesRequest{Sources: c.Sources})
	if err != nil {
		return nil, err
	}
	if err := r.verdict("GetSpawnables", s.Result); err != nil {
		return nil, err
	}
	list := sim.Spawnables{Failed: told(s.Result)}
	for _, one := range s.Spawnables {
		list.List = append(list.List, scene.Spawnable{URI: one.EntityResource.URI,
			Name: lastOf(one.EntityResource.URI),
			Info: scene.Info{Description: one.Description, Bounds: bounds(one.SpawnBounds)}})
	}
	return list, nil
}

// Now is the simulated time, as the state of any entity tells it; false when
// there is none to ask.
func (r *Remote) Now(ctx context.Context) (time.Duration, bool) {
	at, list, err := r.Entities(ctx, "")
	return at, err == nil && len(list) > 0 && list[0].State != nil
}

// done is the reply of commands that have nothing to say.
func done(err error) (sim.Reply, error) {
	if err != nil {
		return nil, err
	}
	return sim.Done{}, nil
}

// told is the message of a successful result.
func told(r simif2.Result) []string {
	if r.ErrorMessage == "" {
		return nil
	}
	return []string{r.ErrorMessage}
}
