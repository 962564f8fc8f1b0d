package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/controllermanagermsgs"
	"simdeck/ros/msgs/lifecyclemsgs"
	"simdeck/sim/scene"
)

// state is a state of the lifecycle of ROS nodes, by its number.
type state uint8

const (
	unconfigured = state(lifecyclemsgs.StatePrimaryStateUnconfigured)
	inactive     = state(lifecyclemsgs.StatePrimaryStateInactive)
	active       = state(lifecyclemsgs.StatePrimaryStateActive)
	finalized    = state(lifecyclemsgs.StatePrimaryStateFinalized)
)

var stateNames = map[state]string{unconfigured: "unconfigured", inactive: "inactive", active: "active",
	finalized: "finalized"}

func (s state) String() string { return stateNames[s] }

func (s state) message() lifecyclemsgs.State {
	return lifecyclemsgs.State{ID: uint8(s), Label: s.String()}
}

// stateOf is the state that a message names, by its number or, without one, by its label.
func stateOf(m *lifecyclemsgs.State) (state, error) {
	for s, name := range stateNames {
		if m.ID == uint8(s) || m.ID == 0 && m.Label == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("there is no state %d %q; want unconfigured (1), inactive (2), active (3) or finalized (4)",
		m.ID, m.Label)
}

// component is a <ros2_control> with its state.
type component struct {
	spec  scene.HardwareComponent
	state state
}

// available reports whether controllers can claim its interfaces.
func (c *component) available() bool { return c.state == inactive || c.state == active }

// hardware is the hardware that the controllers of a robot share.
type hardware struct {
	components []component
	commands   map[string]place // by full name
	states     map[string]place
}

// place is an interface with the index of its component.
type place struct {
	scene.HardwareInterface
	component int
}

// newHardware is the hardware of a file, which is active: the joints of the simulation take commands.
func newHardware(c *scene.ROS2Control) hardware {
	h := hardware{commands: map[string]place{}, states: map[string]place{}}
	for i, spec := range c.Components {
		h.components = append(h.components, component{spec, active})
		for _, f := range spec.Commands {
			h.commands[f.FullName()] = place{f, i}
		}
		for _, f := range spec.States {
			if _, taken := h.states[f.FullName()]; !taken {
				h.states[f.FullName()] = place{f, i}
			}
		}
	}
	return h
}

// lack says which of the wanted interfaces cannot be claimed; empty: all can.
func (h *hardware) lack(wanted []string, kind string, have map[string]place) string {
	for _, name := range wanted {
		p, ok := have[name]
		if !ok {
			joint, _, _ := strings.Cut(name, "/")
			var there []string
			for full := range have {
				if strings.HasPrefix(full, joint+"/") {
					there = append(there, full)
				}
			}
			slices.Sort(there)
			return fmt.Sprintf("there is no %s interface %q; of %q there are [%s]", kind, name, joint,
				strings.Join(there, ", "))
		}
		if c := &h.components[p.component]; !c.available() {
			return fmt.Sprintf("%s interface %q is not available: its hardware %q is %s; want inactive or active",
				kind, name, c.spec.Name, c.state)
		}
	}
	return ""
}

// interfaces are those of a component as messages, or of all with -1.
func (m *Manager) interfaces(of int) (commands, states []controllermanagermsgs.HardwareInterface) {
	for i := range m.hardware.components {
		c := &m.hardware.components[i]
		if of >= 0 && of != i {
			continue
		}
		for _, f := range c.spec.Commands {
			commands = append(commands, controllermanagermsgs.HardwareInterface{Name: f.FullName(),
				DataType: "double", IsAvailable: c.available(), IsClaimed: m.claimant(f.FullName()) != nil})
		}
		for _, f := range c.spec.States {
			states = append(states, controllermanagermsgs.HardwareInterface{Name: f.FullName(),
				DataType: "double", IsAvailable: c.available()})
		}
	}
	return commands, states
}

// claimant is the active controller that has a command interface; nil: none has.
func (m *Manager) claimant(name string) *controller {
	for _, c := range m.controllers {
		if c.state == active && slices.Contains(c.wants.commands, name) {
			return c
		}
	}
	return nil
}

// moveHardware brings a component into a state, and gives the state in which it is.
func (m *Manager) moveHardware(ctx context.Context,
	q *controllermanagermsgs.SetHardwareComponentStateRequest) (state, error) {
	at := slices.IndexFunc(m.hardware.components,
		func(c component) bool { return c.spec.Name == q.Name })
	if at < 0 {
		var there []string
		for _, c := range m.hardware.components {
			there = append(there, c.spec.Name)
		}
		return 0, fmt.Errorf("there is no hardware %q; there are [%s]", q.Name, strings.Join(there, ", "))
	}
	h := &m.hardware.components[at]
	to, err := stateOf(&q.TargetState)
	if err != nil {
		return h.state, err
	}
	if h.state == finalized && to != finalized {
		return h.state, fmt.Errorf("%w: it is finalized, which is for good", errState)
	}
	x := &exchange{manager: m}
	for _, c := range m.controllers {
		if c.state == active && to != active && m.uses(c, at) {
			x.deactivate = append(x.deactivate, c)
		}
	}
	if err := x.do(ctx, builtininterfaces.Duration{}); err != nil {
		return h.state, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	h.state = to
	return to, nil
}

// uses reports whether a controller commands a component.
func (m *Manager) uses(c *controller, component int) bool {
	return slices.ContainsFunc(c.wants.commands,
		func(name string) bool { return m.hardware.commands[name].component == component })
}
