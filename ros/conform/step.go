package conform

import (
	"context"
	"errors"
	"sync"
	"time"

	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
)

func stepChecks() []Check {
	const section, timed = "Stepping", " get_entities get_entity_state ENTITY_STATE_GETTING"
	const single, multiple = "step_simulation STEP_SIMULATION_SINGLE",
		"step_simulation STEP_SIMULATION_MULTIPLE"
	return []Check{
		{ID: "step.single", Section: section, Needs: single + timed,
			Says: "one step moves time, and it is still PAUSED", run: func(p *Probe) {
				p.stepSize()
				if p.has("get_simulation_state") {
					p.stays(statePaused)
				}
			}},
		{ID: "step.multiple", Section: section, Needs: multiple + timed,
			Question: "when StepSimulation answers",
			Says:     "N steps have moved time by N times one step when they are answered",
			run: func(p *Probe) {
				dt, before := p.stepSize(), p.now()
				p.step(25)
				got := p.now() - before
				p.that(got == 25*dt, "25 steps of %v moved time by %v", dt, got)
			}},
		{ID: "step.zero", Section: section, Needs: single + timed, Question: "steps = 0",
			Says: "no steps are OK, and nothing happens", run: func(p *Probe) {
				before := p.now()
				p.ok("0 steps", "step_simulation", p.tryStep(0))
				got := p.now() - before
				p.that(got == 0, "0 steps moved time by %v", got)
			}},
		{ID: "step.playing", Section: section, Needs: single + " set_simulation_state",
			Question: "step while not PAUSED, also from STOPPED",
			Says:     "stepping in PLAYING is OPERATION_FAILED", run: func(p *Probe) {
				p.become(statePlaying)
				p.want("a step in PLAYING", "step_simulation", p.tryStep(1), failed)
			}},
		{ID: "step.concurrent", Section: section, Needs: multiple + timed,
			Question: "second stepping request while one runs",
			Says:     "while steps are done, other services answer, and more steps are INCORRECT_STATE",
			run:      stepMeanwhile},
		{ID: "step.paused-meanwhile", Section: section, Needs: multiple + timed + " set_simulation_state",
			Question: "PAUSED while steps run", Says: "PAUSED ends the steps that are being done", run: pauseMeanwhile},
		{ID: "step.stopped", Section: section, Costs: TheRun, Needs: single + " set_simulation_state",
			Question: "step while not PAUSED, also from STOPPED",
			Says:     "stepping in STOPPED is OPERATION_FAILED", run: func(p *Probe) {
				p.become(stateStopped)
				p.want("a step in STOPPED", "step_simulation", p.tryStep(1), failed)
			}},
	}
}

// longEnough is the wall time that steps must take for something to happen
// meanwhile.
const longEnough = 500 * time.Millisecond

// howMany steps take longEnough, as far as a short try tells; it skips where
// that is more than anybody should wait for.
func (p *Probe) howMany() uint64 {
	const try, most = 50, 200_000
	began := time.Now()
	p.step(try)
	each := time.Since(began) / try
	if each == 0 || longEnough/each > most {
		p.skip("steps are too quick for anything to happen meanwhile")
		return 1
	}
	return max(try, uint64(longEnough/each))
}

// whileStepping does something while n steps are done, and returns their answer and whether it came after.
func (p *Probe) whileStepping(n uint64, do func()) (steps simif2.Result, after bool) {
	var running sync.WaitGroup
	began := time.Now()
	ended := make(chan time.Duration, 1)
	other := &Probe{ctx: p.ctx, remote: p.remote, sim: p.sim, suite: p.suite}
	running.Go(func() {
		steps = other.tryStep(n)
		ended <- time.Since(began)
	})
	p.wait(longEnough / 5)
	do()
	answered := time.Since(began)
	running.Wait()
	p.faults = append(p.faults, other.faults...)
	return steps, <-ended > answered
}

func stepMeanwhile(p *Probe) {
	many := p.howMany()
	if p.over() {
		return
	}
	var second simif2.Result
	first, after := p.whileStepping(many, func() {
		p.entities(simif2.EntityFilters{})
		second = p.tryStep(1)
	})
	if !after {
		p.skip("the steps were done before others could be asked for")
	}
	p.ok("the first steps", "step_simulation", first)
	p.want("more steps meanwhile", "step_simulation", second, incorrectState)
}

// pauseMeanwhile asks for many more steps than anybody would wait for, as steps that are to be ended are.
func pauseMeanwhile(p *Probe) {
	many := p.howMany()
	if p.over() {
		return
	}
	var paused simif2.Result
	steps, after := p.whileStepping(20*many, func() { paused = p.ask(statePaused) })
	if !after && steps.Result == simif2.ResultOK {
		p.skip("the steps were done before PAUSED could be asked for")
	}
	p.ok("PAUSED while steps are done", "set_simulation_state", paused)
	p.that(steps.Result != simif2.ResultOK, "the steps went on to their end")
	p.stays(statePaused)
}

func actionChecks() []Check {
	const section, needs = "Stepping action",
		"simulate_steps STEP_SIMULATION_ACTION get_entities get_entity_state ENTITY_STATE_GETTING"
	return []Check{
		{ID: "action.steps", Section: section, Needs: needs,
			Says: "a goal of N steps succeeds and moves time by N steps, with feedback that adds up to N",
			run:  actionSteps},
		{ID: "action.cancel", Section: section, Needs: needs + " step_simulation",
			Says: "a goal that is cancelled ends as CANCELED, between steps", run: actionCancels},
		{ID: "action.playing", Section: section, Needs: needs + " set_simulation_state",
			Question: "step while not PAUSED, also from STOPPED",
			Says:     "a goal in PLAYING is refused or aborted", run: func(p *Probe) {
				p.become(statePlaying)
				status, _, _ := p.goal(1, nil)
				p.that(status != node.GoalSucceeded, "a goal in PLAYING succeeds")
			}},
	}
}

type stepsClient = node.ActionClient[simif2.SimulateStepsGoal, simif2.SimulateStepsResult,
	simif2.SimulateStepsFeedback]

// goal sends a goal and waits for its end, cancelling it once cancel is
// closed. A goal that is refused ends as unknown.
func (p *Probe) goal(steps uint64, cancel <-chan struct{}) (node.GoalStatus, *simif2.SimulateStepsResult,
	[]simif2.SimulateStepsFeedback) {
	none := node.GoalStatusUnknown
	c, err := node.NewActionClient(p.node(), p.sim.Steps.Name, simif2.SimulateStepsAction())
	if err != nil {
		p.fault("%v", err)
		return none, nil, nil
	}
	defer c.Close()
	var mu sync.Mutex
	var heard []simif2.SimulateStepsFeedback
	ctx, stop := context.WithTimeoutCause(p.ctx, goalMayTake, errGoal)
	defer stop()
	h, err := c.SendTo(ctx, p.sim.Steps.ID(), &simif2.SimulateStepsGoal{Steps: steps},
		func(f *simif2.SimulateStepsFeedback) {
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, *f)
		})
	if errors.Is(err, node.ErrGoalRefused) {
		return none, nil, nil
	}
	if err == nil && cancel != nil {
		<-cancel
		err = h.Cancel(ctx)
		if errors.Is(err, node.ErrCancelRefused) { // it has ended by itself
			err = nil
		}
	}
	if err != nil {
		p.fault("%v", err)
		return none, nil, nil
	}
	defer h.Close()
	status, result, err := h.Result(ctx)
	if err != nil {
		p.fault("%v", err)
	}
	p.wait(clockMayTake / 10) // for feedback that is under way
	mu.Lock()
	defer mu.Unlock()
	return status, result, heard
}

// goalMayTake is the time-out of a whole goal.
const goalMayTake = 30 * time.Second

var errGoal = errors.New("the goal has not ended in time")

func actionSteps(p *Probe) {
	p.pause()
	before := p.now()
	status, _, _ := p.goal(1, nil)
	p.that(status == node.GoalSucceeded, "a goal of one step ends as %v", status)
	dt := p.now() - before
	status, result, heard := p.goal(40, nil)
	p.that(status == node.GoalSucceeded, "a goal of 40 steps ends as %v", status)
	if p.over() {
		return
	}
	p.ok("the goal", "step_simulation", result.Result)
	got := p.now() - before
	p.that(got == 41*dt, "41 steps of %v moved time by %v", dt, got)
	p.that(len(heard) > 0, "there was no feedback")
	for i, f := range heard {
		p.that(f.CompletedSteps+f.RemainingSteps == 40, "feedback is %d done and %d to do of 40",
			f.CompletedSteps, f.RemainingSteps)
		p.that(i == 0 || f.CompletedSteps > heard[i-1].CompletedSteps, "feedback goes from %d to %d",
			heard[max(i, 1)-1].CompletedSteps, f.CompletedSteps)
	}
}

func actionCancels(p *Probe) {
	p.howMany()
	before := p.now()
	now := make(chan struct{})
	close(now)
	const many = 1 << 40
	status, _, heard := p.goal(many, now)
	p.that(status == node.GoalWasCanceled, "the cancelled goal ends as %v", status)
	if len(heard) > 0 && p.has("get_simulation_state") {
		p.stays(statePaused)
	}
	at := p.now()
	p.that(at >= before, "time went from %v to %v", before, at)
	p.wait(clockMayTake / 10)
	p.that(p.now() == at, "time goes on after the goal was cancelled")
}
