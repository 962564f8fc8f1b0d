package conform

import (
	"fmt"

	"simdeck/ros/msgs/simif2"
)

const (
	alreadyThere  = simif2.SetSimulationStateResponseAlreadyInTargetState
	badTransition = simif2.SetSimulationStateResponseIncorrectTransition
)

func stateChecks() []Check {
	const section, both = "Simulation state",
		"get_simulation_state set_simulation_state SIMULATION_STATE_SETTING"
	return []Check{
		{ID: "state.known", Section: section, In: Anyhow, Needs: "get_simulation_state",
			Says: "the state is one of the standard", run: func(p *Probe) {
				s := p.simulation()
				p.that(s <= stateLoading, "the state is %s", stateWord(s))
			}},
		{ID: "state.play-pause", Section: section, Needs: both + " SIMULATION_STATE_PAUSE",
			Says: "PAUSED goes to PLAYING and back",
			run:  func(p *Probe) { p.path(statePlaying, statePaused) }},
		{ID: "state.same", Section: section, Needs: both, Question: "already in the target state",
			Says: "the state that it is in cannot be asked for: ALREADY_IN_TARGET_STATE, and nothing changes",
			run:  sameState},
		{ID: "state.no-world", Section: section, Needs: both,
			Says: "NO_WORLD and LOADING_WORLD cannot be asked for: INCORRECT_TRANSITION",
			run: func(p *Probe) {
				before := p.simulation()
				p.want("asking for NO_WORLD", "set_simulation_state", p.ask(stateNoWorld), badTransition)
				p.want("asking for LOADING_WORLD", "set_simulation_state", p.ask(stateLoading), badTransition)
				p.stays(before)
			}},
		{ID: "state.unknown", Section: section, Needs: both, Own: true,
			Says: "a number that is no state is OPERATION_FAILED", run: func(p *Probe) {
				before := p.simulation()
				p.want("asking for state 77", "set_simulation_state", p.ask(77), failed)
				p.stays(before)
			}},
		{ID: "state.holds-time", Section: section,
			Needs: both + " SIMULATION_STATE_PAUSE get_entities get_entity_state ENTITY_STATE_GETTING",
			Says:  "time stands in PAUSED and runs in PLAYING", run: timeRunsAndStands},
		{ID: "state.holds-all", Section: section, Question: "what PAUSED stops",
			Needs: both + " SIMULATION_STATE_PAUSE get_entities_states " + canSpawn,
			Says:  "in PAUSED nothing moves", run: nothingMoves},
		{ID: "state.stop", Section: section, Costs: TheRun, Needs: both,
			Says: "PAUSED and PLAYING go to STOPPED, and that to PLAYING",
			run:  func(p *Probe) { p.path(stateStopped, statePlaying, stateStopped, statePlaying) }},
		{ID: "state.stop-resets", Section: section, Costs: TheRun,
			Needs: both + " spawn_entity SPAWNING get_entities get_entity_state step_simulation",
			Says:  "STOPPED is reset: time is zero, what was spawned is gone", run: stopResets},
		{ID: "state.stopped-paused", Section: section, Costs: TheRun, Needs: both + " SIMULATION_STATE_PAUSE",
			Question: "STOPPED to PAUSED",
			Says:     "STOPPED goes to PAUSED, at time zero", run: func(p *Probe) {
				p.path(stateStopped, statePaused)
				if p.has("get_entities get_entity_state") {
					at := p.now()
					p.that(at == 0, "it starts at %v", at)
				}
			}},
	}
}

// path goes through states one after the other.
func (p *Probe) path(states ...uint8) {
	for _, s := range states {
		before := p.simulation()
		p.ok(fmt.Sprintf("from %s to %s", stateWord(before), stateWord(s)), "set_simulation_state", p.ask(s))
		p.stays(s)
	}
}

// stays wants a state.
func (p *Probe) stays(state uint8) {
	got := p.simulation()
	p.that(got == state, "the state is %s, want %s", stateWord(got), stateWord(state))
}

func sameState(p *Probe) {
	for _, s := range []uint8{p.simulation(), statePlaying} {
		p.become(s)
		p.want("asking for "+stateWord(s)+" again", "set_simulation_state", p.ask(s), alreadyThere)
		p.stays(s)
	}
}

func timeRunsAndStands(p *Probe) {
	before := p.now()
	p.wait(clockMayTake / 10)
	after := p.now()
	p.that(before == after, "in PAUSED time went from %v to %v", before, after)
	p.become(statePlaying)
	p.that(p.until(clockMayTake, func() bool { return p.now() > after }), "in PLAYING time stays at %v",
		after)
}

func nothingMoves(p *Probe) {
	p.box() // which falls
	p.become(statePlaying)
	p.wait(clockMayTake / 20)
	p.become(statePaused)
	states := func() *simif2.GetEntitiesStatesResponse {
		s := call(p, simif2.GetEntitiesStatesService(), &simif2.GetEntitiesStatesRequest{})
		p.ok("all states", "get_entities_states", s.Result)
		return s
	}
	before := states()
	p.wait(clockMayTake / 10)
	after := states()
	p.that(len(before.States) == len(after.States), "there were %d entities, and are %d",
		len(before.States), len(after.States))
	for i := range min(len(before.States), len(after.States)) {
		from, to := before.States[i].Pose, after.States[i].Pose
		p.that(from == to, "paused, %q went from %+v to %+v", after.Entities[i], from, to)
	}
}

func stopResets(p *Probe) {
	name, _ := p.box()
	p.become(statePaused)
	p.step(1)
	p.become(stateStopped)
	for _, e := range p.entities(simif2.EntityFilters{}) {
		p.that(e != name, "%q, which was spawned, is still there", name)
	}
	at := p.now()
	p.that(at == 0, "in STOPPED time is %v", at)
}

// quitMayTake is the time in which the simulator must leave the graph.
const quitMayTake = 10 * clockMayTake

func quitChecks() []Check {
	return []Check{{ID: "state.quit", Section: "Simulation state", In: Anyhow, Costs: Everything,
		Needs: "set_simulation_state SIMULATION_STATE_SETTING",
		Says:  "QUITTING is answered first; then the simulator leaves the graph", run: func(p *Probe) {
			p.ok("asking for QUITTING", "set_simulation_state", p.ask(stateQuit))
			server, _ := p.sim.Serves("SetSimulationState")
			p.that(p.until(quitMayTake, func() bool {
				for _, s := range p.node().Servers() {
					if s.ID == server.ID() {
						return false
					}
				}
				return true
			}), "it is still on the graph after %v", quitMayTake)
		}}}
}

// stateWord is a state in the standard's word.
func stateWord(n uint8) string {
	words := [...]string{"STOPPED", "PLAYING", "PAUSED", "QUITTING", "NO_WORLD", "LOADING_WORLD"}
	if int(n) < len(words) {
		return words[n]
	}
	return fmt.Sprintf("%d, which is no state", n)
}
