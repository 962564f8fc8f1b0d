package control

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
	"simdeck/sim/transmission"
)

// actuators are the actuators of an entity's transmissions.
type actuators struct {
	model *model.Model
	ids   []dynamics.TransmissionID // by Model.Transmissions
	of    []int                     // by states: the transmission, of Model.Transmissions
	all   []actuator
}

// actuator is the state of an actuator of a transmission.
type actuator struct {
	input      float64 // as it was told
	activation float64 // of an actuator that has one
}

func newActuators(m *model.Model, ids []dynamics.TransmissionID) actuators {
	a := actuators{model: m, ids: ids}
	for i := range m.Transmissions {
		if m.Transmissions[i].Actuator != nil {
			a.of, a.all = append(a.of, i), append(a.all, actuator{})
		}
	}
	return a
}

// start lets actuators do what the description says until commanded.
func (a *actuators) start(p Dynamics) {
	for i := range a.all {
		s := a.spec(i)
		a.all[i] = actuator{s.Input, s.Activation.Clamp(s.Activation.Initial)}
		// A description's numbers are finite: forces that are not leave the motor as it is.
		_ = a.set(p, i, a.all[i].activation)
	}
}

// spec is the description of an actuator.
func (a *actuators) spec(i int) *scene.Actuator { return a.model.Transmissions[a.of[i]].Actuator }

// actuate moves the activations by the step to come, and sets the forces.
func (a *actuators) actuate(p Dynamics, clock Clock) {
	for i := range a.all {
		s, state := a.spec(i), &a.all[i]
		now := state.activation
		if s.Activation.Kind != 0 {
			if next := s.Activation.Next(now, s.Told(state.input), clock.dt()); finite(next) {
				state.activation = next
			}
			if s.Activation.Early {
				now = state.activation
			}
		}
		// As in start.
		_ = a.set(p, i, now)
	}
}

// set sets the force of an actuator for an activation.
func (a *actuators) set(p Dynamics, i int, activation float64) error {
	s, t := a.spec(i), p.Transmission(a.ids[a.of[i]])
	u := activation
	if s.Activation.Kind == 0 {
		u = s.Told(a.all[i].input)
	}
	length, speed := t.State()
	return t.SetMotor(forceOf(s, u, length, speed))
}

// forceOf is the force of an actuator along its transmission at u. Its slopes are implicit where they hold
// the transmission back. Where they push it on, the force is that at the length and the speed given.
func forceOf(a *scene.Actuator, u, length, speed float64) transmission.Motor {
	effort, byLength, bySpeed := a.Force(u, length, speed)
	m := transmission.Motor{Effort: effort, Lower: math.Inf(-1), Upper: math.Inf(1)}
	if byLength < 0 {
		m.Stiffness = -byLength
		m.Effort += float64(m.Stiffness * length)
	}
	if bySpeed < 0 {
		m.Damping = -bySpeed
		m.Effort += float64(m.Damping * speed)
	}
	if a.ForceLimited {
		x, y := float64(a.Gear*a.ForceRange[0]), float64(a.Gear*a.ForceRange[1])
		m.Lower, m.Upper = min(x, y), max(x, y)
	}
	return m
}

// input is a command for an actuator of a transmission.
type input struct {
	actuator int
	value    float64
}

// inputs takes the commands for actuators of transmissions out of a list. It is an error where one is no
// finite number, or not an effort.
func (a *actuators) inputs(entity string, targets []sim.JointTarget) (own []input, others []sim.JointTarget,
	err error) {
	if len(a.all) == 0 {
		return nil, targets, nil
	}
	for _, t := range targets {
		i := slices.IndexFunc(a.of, func(k int) bool { return a.model.Transmissions[k].Spec.Name == t.Joint })
		switch {
		case i < 0:
			others = append(others, t)
			continue
		case t.Mode != sim.JointEffort:
			return nil, nil, fmt.Errorf("%w: %s for actuator %q of %q; want effort, its input",
				sim.ErrUnsupported, t.Mode, t.Joint, entity)
		case !finite(t.Target):
			return nil, nil, fmt.Errorf("%w: input %v for actuator %q of %q; want a finite number",
				sim.ErrFailed, t.Target, t.Joint, entity)
		}
		own = append(own, input{i, t.Target})
	}
	return own, others, nil
}

// tell tells actuators their inputs.
func (a *actuators) tell(p Dynamics, list []input) error {
	for _, in := range list {
		a.all[in.actuator].input = in.value
		if a.spec(in.actuator).Activation.Kind != 0 {
			continue
		}
		if err := a.set(p, in.actuator, 0); err != nil {
			return fmt.Errorf("%w: %w", sim.ErrFailed, err)
		}
	}
	return nil
}

// hash takes in what actuators were told, and their activations.
func (a *actuators) hash(d *statecodec.Digest) {
	for i := range a.all {
		d.Float(a.all[i].input)
		d.Float(a.all[i].activation)
	}
}

// code visits the same.
func (a *actuators) code(v statecodec.Visitor) {
	for i := range a.all {
		v.Floats(&a.all[i].input, &a.all[i].activation)
	}
}
