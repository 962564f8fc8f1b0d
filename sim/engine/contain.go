package engine

import (
	"fmt"
	"slices"

	"simdeck/sim"
	"simdeck/sim/dynamics"
)

// mostFaultEvents is how many entities that one step contained have a line of the log each.
const mostFaultEvents = 8

// contain takes the entities out whose bodies the physics contained in the step that ends.
func (w *World) contain() {
	faults := w.physics.Faults()
	if len(faults) == 0 {
		return
	}
	w.currentModel() // whose bodies they are
	told, first := 0, ""
	for i := range faults {
		f := &faults[i]
		e := w.entities[w.snapshots.owner[f.Body.Index()]]
		if e.fault != nil {
			continue
		}
		e.fault = w.faultOf(e, f)
		w.physics.Contain(e.bodies)
		if told++; told == 1 {
			first = fmt.Sprintf("%q is contained: %v", e.name, e.fault)
		}
		if told <= mostFaultEvents {
			w.report(sim.Error, "engine", "%q is contained: %v; move, reset or delete it", e.name, e.fault)
		}
	}
	if told > mostFaultEvents {
		w.report(sim.Error, "engine", "%d more entities are contained", told-mostFaultEvents)
	}
	w.snapshots.motionStep++
	if w.onFault == sim.PauseOnFault && told > 0 {
		w.pauseForFault(first)
	}
}

// pauseForFault pauses after a step that contained something.
func (w *World) pauseForFault(why string) {
	w.report(sim.Error, "engine", "paused: %s; play goes on without it", why)
	w.state, w.halted = sim.Paused, why
	w.job.end(fmt.Errorf("%w: step %d at %v: %s", sim.ErrFailed, w.clock.step, w.clock.time, why))
}

// faultOf is what the console, diagnostics and the log tell.
func (w *World) faultOf(e *entity, f *dynamics.Fault) *sim.Fault {
	told := &sim.Fault{Step: w.clock.step, Time: w.clock.time, Cause: f.Cause.String(), Speed: f.Speed}
	if i := slices.Index(e.bodies, f.Body); i >= 0 {
		told.Link = e.model.Spec.Links[e.model.Bodies[i].Root].Name
	}
	for _, h := range f.Hits() {
		if name := w.entities[w.snapshots.owner[h.Body.Index()]].name; name != e.name {
			told.Hits = append(told.Hits, sim.FaultHit{Entity: name, Speed: h.Speed})
		}
	}
	return told
}

// release lets a contained entity move again.
func (w *World) release(e *entity) {
	if e.fault == nil {
		return
	}
	e.fault = nil
	w.physics.Release(e.bodies)
	w.report(sim.Info, "engine", "%q moves again", e.name)
}

// contained counts the entities that are.
func (w *World) contained() (n int) {
	for _, e := range w.entities {
		if e.fault != nil {
			n++
		}
	}
	return n
}

// setFaultPolicy changes what faults do.
func (w *World) setFaultPolicy(p sim.FaultPolicy) error {
	if p > sim.PauseOnFault || w.onFault == sim.HaltOnFault {
		return fmt.Errorf("%w: fault policy %v where it is %v; %s and %s can be changed for each other",
			sim.ErrUnsupported, p, w.onFault, sim.ContainFaults, sim.PauseOnFault)
	}
	w.onFault = p
	return nil
}

// validateFault checks that what is told of an entity is so.
func (e *entity) validateFault(p *dynamics.World) error {
	for _, b := range e.bodies {
		if held := p.Body(b).Contained(); held && e.fault == nil {
			return fmt.Errorf("body %v of %q is contained, and nothing says why", b, e.name)
		} else if !held && e.fault != nil && p.Body(b).Type() == dynamics.Dynamic {
			return fmt.Errorf("body %v of %q is not contained, and %v", b, e.name, e.fault)
		}
	}
	return nil
}

// NewFaults is how many bodies the last step contained.
func (w *World) NewFaults() int { return len(w.physics.Faults()) }
