package engine

import (
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
)

// timedInterval is the number of steps for one timed step: reading the clock costs as much as a small world's
// step.
const timedInterval = 8

// stageTimer times the stages of some steps.
type stageTimer struct {
	clock func() int64 // ns; nil: nothing is timed
	on    bool         // during this step
	last  int64
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
		s.last = s.clock()
	}
}

// lap ends a stage of the world's own.
func (s *stageTimer) lap(stage sim.Stage) {
	if s.on {
		now := s.clock()
		s.add(stage, now-s.last)
		s.last = now
	}
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
