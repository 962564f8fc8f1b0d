package engine

import (
	"time"

	"simdeck/sim"
)

const (
	// slowStep is the duration of a step that causes a warning, and slowEvery the period of such warnings.
	slowStep  = time.Second
	slowEvery = 10 * time.Second
)

// tellSlow warns of a step that keeps everybody waiting, at most every slowEvery.
func (e *Engine) tellSlow(now time.Time, cost time.Duration) {
	if cost < slowStep || now.Sub(e.slowAt) < slowEvery {
		return
	}
	e.slowAt, e.publication.structureChanged = now, true
	s := e.world.stats()
	e.world.report(sim.Warn, "engine",
		"a step took %v: commands wait as long; %d bodies, %d joints, %d contact points in the world",
		cost.Round(time.Millisecond), s.Bodies, s.Joints, s.Contacts)
}

// updateStepCost smooths the cost of a step over some twenty.
func (e *Engine) updateStepCost(d time.Duration) {
	e.config.Monitor.Stepped(d)
	if e.stepCost == 0 {
		e.stepCost = d
	}
	e.stepCost += (d - e.stepCost) / 20
}
