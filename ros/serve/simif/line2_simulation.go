package simif

import (
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// The 2.x line: services about the simulation and its worlds.

func (s *Services) features2() node.Line {
	return line(simif2.GetSimulatorFeaturesService(),
		func(*simif2.GetSimulatorFeaturesRequest) (nothing, error) { return nothing{}, nil }, s.features,
		func(f features, _ error) *simif2.GetSimulatorFeaturesResponse {
			return &simif2.GetSimulatorFeaturesResponse{Features: simif2.SimulatorFeatures{
				Features: f.Codes, SpawnFormats: f.Formats, CustomInfo: f.Custom}}
		})
}

func (s *Services) simulation2() node.Line {
	return line(simif2.GetSimulationStateService(),
		func(*simif2.GetSimulationStateRequest) (nothing, error) { return nothing{}, nil }, s.simulation,
		func(state sim.State, err error) *simif2.GetSimulationStateResponse {
			return &simif2.GetSimulationStateResponse{
				State: simif2.SimulationState{State: uint8(state)}, Result: result2(err, nil)}
		})
}

func (s *Services) setSimulation2() node.Line {
	return line(simif2.SetSimulationStateService(),
		func(q *simif2.SetSimulationStateRequest) (sim.State, error) { return sim.State(q.State.State), nil },
		s.setSimulation,
		func(_ nothing, err error) *simif2.SetSimulationStateResponse {
			return &simif2.SetSimulationStateResponse{Result: result2(err, transitionCodes())}
		})
}

func (s *Services) step2() node.Line {
	return line(simif2.StepSimulationService(),
		func(q *simif2.StepSimulationRequest) (uint64, error) { return q.Steps, nil }, s.step,
		func(_ sim.Stepped, err error) *simif2.StepSimulationResponse {
			return &simif2.StepSimulationResponse{Result: result2(err, nil)}
		})
}

func (s *Services) reset2() node.Line {
	return line(simif2.ResetSimulationService(),
		func(q *simif2.ResetSimulationRequest) (sim.ResetScope, error) {
			return sim.ResetScope(q.Scope),
				nil
		}, s.reset,
		func(_ nothing, err error) *simif2.ResetSimulationResponse {
			return &simif2.ResetSimulationResponse{Result: result2(err, nil)}
		})
}

func (s *Services) worlds2() node.Line {
	return line(simif2.GetAvailableWorldsService(),
		func(q *simif2.GetAvailableWorldsRequest) (worldQuery, error) {
			return worldQuery{Sources: q.AdditionalSources, Tags: q.Filter.Tags, TagsAll: all2(q.Filter),
				Continue: q.ContinueOnError}, nil
		}, s.worlds,
		func(list []scene.WorldInfo, err error) *simif2.GetAvailableWorldsResponse {
			m := &simif2.GetAvailableWorldsResponse{Result: result2(err, nil)}
			for _, w := range list {
				m.Worlds = append(m.Worlds, world2(w))
			}
			return m
		})
}

func (s *Services) world2() node.Line {
	return line(simif2.GetCurrentWorldService(),
		func(*simif2.GetCurrentWorldRequest) (nothing, error) { return nothing{}, nil }, s.world,
		func(w scene.WorldInfo, err error) *simif2.GetCurrentWorldResponse {
			return &simif2.GetCurrentWorldResponse{Result: result2(err, noWorldCodes()), World: world2(w)}
		})
}

func (s *Services) load2() node.Line {
	return line(simif2.LoadWorldService(),
		func(q *simif2.LoadWorldRequest) (sim.LoadWorld, error) {
			return sim.LoadWorld{Resource: resource2(q.WorldResource),
				FailOnUnsupported:   q.FailOnUnsupportedElement,
				IgnoreMissingAssets: q.IgnoreMissingOrUnsupportedAssets}, nil
		}, s.load,
		func(w scene.WorldInfo, err error) *simif2.LoadWorldResponse {
			return &simif2.LoadWorldResponse{Result: result2(err, loadCodes()), World: world2(w)}
		})
}

func (s *Services) unload2() node.Line {
	return line(simif2.UnloadWorldService(),
		func(*simif2.UnloadWorldRequest) (nothing, error) { return nothing{}, nil }, s.unload,
		func(_ nothing, err error) *simif2.UnloadWorldResponse {
			return &simif2.UnloadWorldResponse{Result: result2(err, noWorldCodes())}
		})
}
