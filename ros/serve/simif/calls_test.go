package simif

import (
	"testing"

	"simdeck/ros/msgs/simif2"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// The calls of the tests: a service each, as a method.

func (y *yard) spawn(q simif2.SpawnEntityRequest) *simif2.SpawnEntityResponse {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/spawn_entity", simif2.SpawnEntityService(), &q)
}

func (y *yard) remove(name string) simif2.Result {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/delete_entity", simif2.DeleteEntityService(),
		&simif2.DeleteEntityRequest{Entity: name}).Result
}

func (y *yard) entities(f simif2.EntityFilters) *simif2.GetEntitiesResponse {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/get_entities", simif2.GetEntitiesService(),
		&simif2.GetEntitiesRequest{Filters: f})
}

func (y *yard) state(name string) *simif2.GetEntityStateResponse {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/get_entity_state", simif2.GetEntityStateService(),
		&simif2.GetEntityStateRequest{Entity: name})
}

func (y *yard) setState(q simif2.SetEntityStateRequest) simif2.Result {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/set_entity_state", simif2.SetEntityStateService(), &q).Result
}

func (y *yard) become(s sim.State) simif2.Result {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/set_simulation_state", simif2.SetSimulationStateService(),
		&simif2.SetSimulationStateRequest{State: simif2.SimulationState{State: uint8(s)}}).Result
}

func (y *yard) now() sim.State {
	y.T.Helper()
	return sim.State(rostest.Ask(y.Stage, "/get_simulation_state", simif2.GetSimulationStateService(),
		&simif2.GetSimulationStateRequest{}).State.State)
}

func (y *yard) step(n uint64) simif2.Result {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/step_simulation", simif2.StepSimulationService(),
		&simif2.StepSimulationRequest{Steps: n}).Result
}

func (y *yard) reset(scope uint8) simif2.Result {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/reset_simulation", simif2.ResetSimulationService(),
		&simif2.ResetSimulationRequest{Scope: scope}).Result
}

func (y *yard) load(uri string) *simif2.LoadWorldResponse {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/load_world", simif2.LoadWorldService(),
		&simif2.LoadWorldRequest{WorldResource: simif2.Resource{URI: uri}})
}

// want checks a result code, and that a refusal says why.
func want(t *testing.T, what string, r simif2.Result, code uint8) {
	t.Helper()
	if r.Result != code {
		t.Errorf("%s: result %d (%s), want %d", what, r.Result, r.ErrorMessage, code)
	}
	if r.Result != ok && r.ErrorMessage == "" {
		t.Errorf("%s: result %d without a reason", what, r.Result)
	}
}
