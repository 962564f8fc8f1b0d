package conform

import (
	"fmt"

	"simdeck/ros/msgs/simif2"
)

func resetChecks() []Check {
	const section, needs = "Reset", "reset_simulation SIMULATION_RESET "
	const all = " get_entities step_simulation " + canGet + " " + canSet + " " + canSpawn
	var checks []Check
	for _, r := range []struct {
		id, says, needs, question string
		scope                     uint8
		effect                    resetEffect
	}{
		{"time", "the scope TIME sets time to zero, and nothing else", "SIMULATION_RESET_TIME", "", 1,
			resetEffect{time: true}},
		{"state", "the scope STATE puts entities back to where they began, and nothing else",
			"SIMULATION_RESET_STATE", "", 2, resetEffect{state: true}},
		{"spawned", "the scope SPAWNED removes what was spawned, and nothing else",
			"SIMULATION_RESET_SPAWNED", "", 4, resetEffect{spawned: true}},
		{"combined", "scopes can be combined", "SIMULATION_RESET_TIME SIMULATION_RESET_SPAWNED",
			"reset scope", 5, resetEffect{time: true, spawned: true}},
		{"default", "the scope 0 resets all", "", "", 0, resetEffect{true, true, true}},
		{"all", "the scope 255 resets all", "", "", 255, resetEffect{true, true, true}},
	} {
		checks = append(checks, Check{ID: "reset." + r.id, Section: section, Says: r.says,
			Question: r.question, Costs: TheRun, Needs: needs + r.needs + all,
			run: func(p *Probe) { p.resets(r.scope, r.effect) }})
	}
	return append(checks,
		Check{ID: "reset.keeps-state", Section: section, Question: "state after ResetSimulation",
			Costs: TheRun, Needs: needs + "set_simulation_state get_simulation_state",
			Says: "the simulation goes on as before: PLAYING or PAUSED", run: func(p *Probe) {
				for _, s := range []uint8{statePlaying, statePaused} {
					p.become(s)
					p.ok("reset in "+stateWord(s), "reset_simulation", p.reset(0))
					p.stays(s)
				}
			}},
		Check{ID: "reset.info", Section: section, Own: true, Costs: TheRun,
			Needs: needs + "SIMULATION_RESET_STATE get_entity_info set_entity_info ENTITY_INFO_SETTING " +
				canSpawn,
			Says: "info that was set is as it was before, after a reset of the state", run: func(p *Probe) {
				name, _ := p.box()
				read := func() simif2.EntityInfo {
					return call(p, simif2.GetEntityInfoService(),
						&simif2.GetEntityInfoRequest{Entity: name}).Info
				}
				before := read()
				s := call(p, simif2.SetEntityInfoService(),
					&simif2.SetEntityInfoRequest{Entity: name,
						Info: simif2.EntityInfo{Description: "set by a test", Tags: []string{"conform"}}})
				p.ok("setting info", "set_entity_info", s.Result)
				p.ok("reset of the state", "reset_simulation", p.reset(2))
				after := read()
				p.that(after.Description == before.Description && len(after.Tags) == len(before.Tags),
					"it is %+v, was %+v", after, before)
			}},
		Check{ID: "reset.unknown", Section: section, Own: true, Costs: TheRun, Needs: needs,
			Says: "a scope without a known bit is FEATURE_UNSUPPORTED", run: func(p *Probe) {
				p.want("scope 8", "reset_simulation", p.reset(8), unsupported)
			}})
}

func (p *Probe) reset(scope uint8) simif2.Result {
	return call(p, simif2.ResetSimulationService(), &simif2.ResetSimulationRequest{Scope: scope}).Result
}

// resetEffect is the effect of a reset: time at zero, entities at their initial states, spawned ones removed.
type resetEffect struct{ time, state, spawned bool }

// resets moves something that was spawned, lets time pass, resets, and looks
// what is as it was at the start.
func (p *Probe) resets(scope uint8, want resetEffect) {
	name, began := p.box()
	p.step(3)
	moved := p.stateOf(name)
	moved.Pose.Position.X++
	moved.Twist.Linear.X = 2
	p.ok("moving it", "set_entity_state", p.setState(name, moved, "pose", "twist"))
	before := p.now()
	p.that(before > 0, "time is %v after 3 steps", before)
	p.ok(fmt.Sprintf("reset of scope %d", scope), "reset_simulation", p.reset(scope))
	after := p.now()
	p.that(!want.time || after == 0, "time is %v, want 0", after)
	p.that(want.time || after == before, "time went from %v to %v", before, after)
	p.listed(name, !want.spawned)
	if want.spawned || p.over() {
		return
	}
	if want.state {
		p.stands(name, began)
		v := p.stateOf(name).Twist.Linear
		p.that(v.X == 0 && v.Y == 0 && v.Z == 0, "it moves at %+v", v)
	} else {
		p.stands(name, moved.Pose.Position)
	}
}
