package engine

import (
	"fmt"
	"slices"

	"simdeck/sim"
	"simdeck/sim/dynamics"
)

// mostFaultEvents bounds the entities that have an event each when one step contains them.
const mostFaultEvents = 8

// contain takes the entities out whose bodies the physics contained in the step that ends.
func (w *World) contain() {
	if len(w.physics.Faults()) == 0 {
		return
	}
	told := w.entities.contain(w.physics, &w.clock)
	for i, e := range told {
		if i == mostFaultEvents {
			w.report(sim.Error, "engine", "%d more entities are contained", len(told)-mostFaultEvents)
			break
		}
		w.report(sim.Error, "engine", "%q is contained: %v; move, reset or delete it", e.name, e.fault)
	}
	w.snapshots.motionStep++
	if w.onFault == sim.PauseOnFault && len(told) > 0 {
		why := fmt.Sprintf("%q is contained: %v", told[0].name, told[0].fault)
		w.report(sim.Error, "engine", "paused: %s; play goes on without it", why)
		w.state.halt(why)
		w.job.end(fmt.Errorf("%w: step %d at %v: %s", sim.ErrFailed, w.clock.step, w.clock.time, why))
	}
}

// contain takes out whole entities of which the physics contained a body in the step that ends. It returns
// the entities that moved until then.
func (s *entitySet) contain(p *dynamics.World, c *clock) (contained []*entity) {
	faults := p.Faults()
	for i := range faults {
		f := &faults[i]
		e := s.list[s.owners()[f.Body.Index()]]
		if e.fault != nil {
			continue
		}
		e.fault = s.faultOf(e, f, c)
		p.Contain(e.bodies)
		contained = append(contained, e)
	}
	return contained
}

// faultOf is the fault for the console, diagnostics and the log.
func (s *entitySet) faultOf(e *entity, f *dynamics.Fault, c *clock) *sim.Fault {
	told := &sim.Fault{Step: c.step, Time: c.time, Cause: f.Cause.String(), Speed: f.Speed}
	if i := slices.Index(e.bodies, f.Body); i >= 0 {
		told.Link = e.model.Spec.Links[e.model.Bodies[i].Root].Name
	}
	for _, h := range f.Hits() {
		if name := s.list[s.owners()[h.Body.Index()]].name; name != e.name {
			told.Hits = append(told.Hits, sim.FaultHit{Entity: name, Speed: h.Speed})
		}
	}
	return told
}

// contained counts the entities that are.
func (s *entitySet) contained() (n int) {
	for _, e := range s.list {
		if e.fault != nil {
			n++
		}
	}
	return n
}

// release lets a contained entity move again, and reports whether it was one.
func (e *entity) release(p *dynamics.World) bool {
	if e.fault == nil {
		return false
	}
	e.fault = nil
	p.Release(e.bodies)
	return true
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

// NewFaults is the number of bodies that the last step contained.
func (w *World) NewFaults() int { return len(w.physics.Faults()) }
