package engine

import (
	"errors"
	"fmt"
	"slices"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/statecodec"
)

// Hash is a hash of all state that determines the next steps: bodies, joints, commands of motors and drives,
// the clock and the sensors' schedules. Samples are not in it: nothing depends on them.
func (w *World) Hash() uint64 {
	d := statecodec.NewDigest
	d.Word(uint64(w.state.now))
	d.Word(w.clock.step)
	d.Word(uint64(w.clock.time))
	d.Word(uint64(w.clock.stepSize))
	d.Word(w.job.left)
	d.Word(w.physics.Hash())
	d.Word(uint64(len(w.entities.list)))
	if w.onFault != w.options.OnFault {
		d.Word(1 + uint64(w.onFault))
	}
	w.entities.hashAttached(&d)
	for _, e := range w.entities.list {
		d.Word(e.key())
		if e.fault != nil {
			d.Word(1 + e.fault.Step)
		}
		if e.hasWrench {
			d.Twist(e.wrench)
		}
		e.control.Hash(&d)
		e.sensors.Hash(&d)
	}
	return uint64(d)
}

// Hash is World.Hash of the world as Run left it. Before Run has ended, and
// when the engine broke, it is 0.
func (e *Engine) Hash() uint64 {
	select {
	case <-e.ended:
		return e.finalHash
	default:
		return 0
	}
}

// Validate checks everything that must hold between two steps; the error says
// what does not.
func (w *World) Validate() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if err := w.physics.Validate(); err != nil {
		errs = append(errs, err)
	}
	if !slices.IsSortedFunc(w.entities.list, func(a, b *entity) int {
		if a.name < b.name {
			return -1
		}
		return 1
	}) {
		fail("entities are not in the order of their names, or two share one")
	}
	seen := map[dynamics.BodyID]string{}
	for _, e := range w.entities.list {
		if len(e.bodies) != len(e.model.Bodies) || len(e.joints) != len(e.model.Joints) {
			fail("entity %q has %d bodies and %d joints, its plan %d and %d", e.name, len(e.bodies),
				len(e.joints), len(e.model.Bodies), len(e.model.Joints))
		}
		if err := e.validateFault(w.physics); err != nil {
			errs = append(errs, err)
		}
		for _, b := range e.bodies {
			if other, taken := seen[b]; taken || !w.physics.Body(b).Alive() {
				fail("body %v of %q is gone, or also of %q", b, e.name, other)
			}
			seen[b] = e.name
			if !w.physics.Body(b).Pose().IsFinite() || !w.physics.Body(b).Twist().IsFinite() {
				fail("body %v of %q stands at %v and moves with %v", b, e.name, w.physics.Body(b).Pose(),
					w.physics.Body(b).Twist())
			}
		}
	}
	if bodies := w.physics.Stats().Bodies; bodies != len(seen) {
		fail("%d bodies in the physics, %d belong to entities", bodies, len(seen))
	}
	if w.job.running && (w.state.now != sim.Paused && w.state.now != sim.LoadingWorld || w.job.left == 0) {
		fail("stepping with %d steps left in the state %s", w.job.left, w.state.now)
	}
	if (w.state.now == sim.Stopped || w.state.now == sim.NoWorld) && (w.clock.time != w.source.startTime() ||
		w.clock.step != 0) {
		fail("%s at %v, step %d", w.state.now, w.clock.time, w.clock.step)
	}
	return errors.Join(errs...)
}
