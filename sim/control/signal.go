package control

import (
	"fmt"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
)

// Signal is the state of a traffic signal: see scene.Signal.
type Signal struct {
	spec  *scene.Signal
	name  string // of the entity, for errors
	phase int
	since time.Duration // time in its phase
	held  bool          // it stays there
}

// newSignal is a signal that begins.
func newSignal(name string, s *scene.Signal) Signal {
	if s == nil {
		return Signal{}
	}
	phase, since := s.Begins()
	return Signal{spec: s, name: name, phase: phase, since: since}
}

// Signal is the signal that it switches; nil: it switches none.
func (c *Controller) Signal() *Signal {
	if c.signal.spec == nil {
		return nil
	}
	return &c.signal
}

// Spec is the description of the signal.
func (k *Signal) Spec() *scene.Signal { return k.spec }

// Aspect is the aspect of the signal; off: it is none.
func (k *Signal) Aspect() scene.Aspect {
	if k == nil {
		return 0
	}
	return k.spec.Phases[k.phase].Aspect
}

// Set puts the signal at the beginning of a phase, and holds it there or lets it go on.
func (k *Signal) Set(o sim.SetSignal) error {
	if o.Phase != "" {
		i, ok := k.spec.Find(o.Phase, k.phase)
		if !ok {
			names := make([]string, len(k.spec.Phases))
			for i := range names {
				names[i] = k.spec.Phases[i].Name
			}
			return fmt.Errorf("%w: signal %s has no phase %q%s", sim.ErrNotFound, k.name, o.Phase,
				scene.DidYouMean(o.Phase, names))
		}
		k.phase, k.since = i, 0
	}
	k.held = o.Hold
	return nil
}

// Advance takes the signal on by the step to come, and reports whether it shows something else then.
func (k *Signal) Advance(clock Clock) (changed bool) {
	phases := k.spec.Phases
	if k.held || len(phases) < 2 {
		return false
	}
	if k.since += clock.StepSize; k.since < phases[k.phase].Duration {
		return false
	}
	k.since -= phases[k.phase].Duration
	k.phase = (k.phase + 1) % len(phases)
	return true
}

// State is the state of the signal at a simulated time, for a snapshot; nil: it is none.
func (k *Signal) State(now time.Duration) *sim.SignalState {
	if k == nil {
		return nil
	}
	p := &k.spec.Phases[k.phase]
	out := &sim.SignalState{Phase: p.Name, Aspect: p.Aspect, Held: k.held || len(k.spec.Phases) < 2}
	if !out.Held {
		out.Until = now + p.Duration - k.since
	}
	return out
}

// CodeState visits all that the signal remembers.
func (k *Signal) CodeState(v statecodec.Visitor) {
	if k == nil {
		return
	}
	statecodec.Whole(v, &k.phase)
	k.phase = max(0, min(k.phase, len(k.spec.Phases)-1))
	v.Duration(&k.since)
	v.Flag(&k.held)
}
