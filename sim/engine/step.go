package engine

import (
	"fmt"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
)

// Stepping reports whether a StepWorld is under way.
func (w *World) Stepping() bool { return w.job.running }

// Outcome is the answer of the last StepWorld.
func (w *World) Outcome() (sim.Stepped, error) {
	return w.job.outcome(w.clock.time)
}

// Due reports whether Step would step: playing, or a StepWorld is under way and no world is being loaded.
func (w *World) Due() bool {
	return w.state.now == sim.Playing || w.job.running && w.state.now != sim.LoadingWorld
}

// Step advances the world by one step; nothing happens when none is due. When
// the physics cannot go on the world is paused, with an event that says why.
func (w *World) Step() error {
	if !w.Due() {
		return nil
	}
	dt := w.clock.stepSize.Seconds()
	w.stageTimer.start(w.clock.total)
	w.entities.actuate(w.physics, w.clock.control())
	if w.entities.playTraffic(w.physics, w.clock.control()) {
		w.snapshots.motionStep++
	}
	w.stageTimer.lap(sim.StageControl)
	if err := w.physics.Step(dt); err != nil {
		return w.pauseOnError(err)
	}
	w.clock.total++
	w.clock.step++
	w.clock.time += w.clock.stepSize
	before, figures := w.awake, w.physics.Stats()
	w.stageTimer.snapshot(&figures)
	w.awake = figures.Awake
	w.job.advance()
	w.contain()
	if before > 0 || w.awake > 0 {
		w.snapshots.motionStep++
	}
	w.sense()
	w.stageTimer.lap(sim.StageSense)
	w.history.advance(w)
	return nil
}

// pauseOnError pauses after a step that failed.
func (w *World) pauseOnError(err error) error {
	err = fmt.Errorf("%w: step %d at %v: %w", sim.ErrFailed, w.clock.step+1, w.clock.time, err)
	w.report(sim.Error, "engine", "paused: %v; reset to go on", err)
	w.snapshots.motionStep++
	w.state.halt(err.Error())
	w.job.end(err)
	return err
}

// sense does what comes after a step: odometry and sensors.
func (w *World) sense() {
	clock := w.clock.control()
	for _, e := range w.entities.active {
		w.observe(e, clock)
		w.snapshots.samplesCame(w.sensing.Measure((*sensed)(w), &e.sensors, w.clock.sensing()))
	}
	w.sensing.EndStep()
}

// applyWrenches applies the acceleration asked for by SetEntityState to every
// body of an entity, as if the entity were rigid, during one step.
func (e *entity) applyWrench(p *dynamics.World) {
	at := e.linkPose(p, e.model.Spec.Canonical).Pos
	for _, id := range e.bodies {
		b := p.Body(id)
		a := r3.Twist{Linear: e.wrench.At(b.COM().Sub(at)), Angular: e.wrench.Angular}
		// A body that is gone or static has nothing to be pushed.
		_ = b.ApplyAcceleration(a)
	}
	e.wrench, e.hasWrench = r3.Twist{}, false
}
