package engine

import (
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
)

// timedInterval is the number of steps for one timed step: reading the clock costs as much as a small world's
// step. It is a prime, so that sensors that measure every tenth step are timed in a tenth of the timed ones.
const timedInterval = 7

// stageTimer times the stages of some steps.
type stageTimer struct {
	clock func() int64 // ns; nil: nothing is timed
	on    bool         // during this step
	begun int64
	last  int64
	whole float64                 // ns, all stages, smoothed as they are
	costs [sim.StageCount]float64 // ns, smoothed over some twenty timed steps
	known bool
}

// now is the clock of the physics: it stands still in steps that are not timed.
func (s *stageTimer) now() int64 {
	if !s.on {
		return 0
	}
	return s.clock()
}

// start begins a step.
func (s *stageTimer) start(step uint64) {
	if s.on = s.clock != nil && step%timedInterval == 0; s.on {
		s.begun = s.clock()
		s.last = s.begun
	}
}

// lap ends a stage of the world's own.
func (s *stageTimer) lap(stage sim.Stage) {
	if s.on {
		now := s.clock()
		s.add(stage, now-s.last)
		s.last = now
		if stage == sim.StageSense { // the last one
			s.total(now - s.begun)
		}
	}
}

// total ends a timed step that took so long.
func (s *stageTimer) total(cost int64) {
	if s.whole == 0 {
		s.whole = float64(cost)
	}
	s.whole += (float64(cost) - s.whole) / 20
}

// parts divides the cost of a step among its stages, as far as they are known.
func (s *stageTimer) parts(step time.Duration) (all [sim.StageCount]time.Duration) {
	if s.whole == 0 {
		return all
	}
	for i, cost := range s.costs {
		all[i] = time.Duration(cost / s.whole * float64(step))
	}
	return all
}

// snapshot keeps what the physics timed.
func (s *stageTimer) snapshot(p *dynamics.Stats) {
	if s.on {
		for i, cost := range p.Stage {
			s.add(sim.StageBroad+sim.Stage(i), cost)
		}
		s.last = s.clock()
	}
}

func (s *stageTimer) add(stage sim.Stage, cost int64) {
	c := &s.costs[stage]
	if !s.known {
		*c = float64(cost)
	}
	*c += (float64(cost) - *c) / 20
	s.known = s.known || stage == sim.StageSense
}

// stats are the figures that the world knows; the engine adds its own.
func (w *World) stats() sim.Stats {
	p := w.physics.Stats()
	s := sim.Stats{
		Steps: w.clock.total, Bodies: p.Bodies, Awake: p.Awake, Contacts: p.Points,
		Geoms: p.Geoms, Joints: p.Joints, Pairs: p.Pairs, Islands: p.Islands, Substeps: p.Substeps,
		Contained: w.entities.contained(),
	}
	for i, cost := range w.stageTimer.costs {
		s.Stages[i] = time.Duration(cost)
	}
	return s
}
