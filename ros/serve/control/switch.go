package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/controllermanagermsgs"
	"simdeck/sim"
)

// errSwitch is a switch that is not done; nothing has changed then.
var errSwitch = errors.New("no controller is switched")

// exchange is a switch of controllers on its way.
type exchange struct {
	manager    *Manager
	strict     bool // one that cannot be switched stops all
	force      bool // controllers that are in the way become inactive
	activate   []*controller
	deactivate []*controller
	left       []string // why controllers are left as they are, without strict
}

// change does what a request asks for, whole or not at all: at the next step, by one command for all joints.
// Without strictness it leaves out what cannot be done, and fails when nothing is left.
func (m *Manager) change(ctx context.Context,
	q *controllermanagermsgs.SwitchControllerRequest) (string, error) {
	x := &exchange{manager: m}
	switch q.Strictness {
	case 0, controllermanagermsgs.SwitchControllerRequestBestEffort:
	case controllermanagermsgs.SwitchControllerRequestStrict,
		controllermanagermsgs.SwitchControllerRequestAuto:
		x.strict = true
	case controllermanagermsgs.SwitchControllerRequestForceAuto:
		x.strict, x.force = true, true
	default:
		return "", fmt.Errorf("%w: strictness %d; want 1 (BEST_EFFORT) to 4 (FORCE_AUTO)", errSwitch,
			q.Strictness)
	}
	for _, pick := range []func() error{
		func() error { return x.choose(q.DeactivateControllers, active, &x.deactivate) },
		func() error { return x.choose(q.ActivateControllers, inactive, &x.activate) },
		x.admit,
	} {
		if err := pick(); err != nil {
			return "", fmt.Errorf("%w: %w", errSwitch, err)
		}
	}
	if len(x.activate)+len(x.deactivate) == 0 && len(x.left) > 0 {
		return "", fmt.Errorf("%w: %s", errSwitch, strings.Join(x.left, "; "))
	}
	if err := x.do(ctx, q.Timeout); err != nil {
		return "", fmt.Errorf("%w: %w", errSwitch, err)
	}
	return x.told(), nil
}

// choose looks up controllers that are to leave a state.
func (x *exchange) choose(names []string, from state, into *[]*controller) error {
	for _, name := range names {
		c := x.manager.find(name)
		why := ""
		switch {
		case c == nil:
			why = fmt.Sprintf("controller %q is not loaded", name)
		case slices.Contains(*into, c):
			continue
		case c.state == active && from == inactive && slices.Contains(x.deactivate, c): // it begins anew
		case c.state != from && !x.strict && (c.state == active || c.state == inactive):
			continue // there is nothing to do
		case c.state != from:
			why = fmt.Sprintf("controller %q is %s; want %s", name, c.state, from)
		}
		if why == "" {
			*into = append(*into, c)
		} else if err := x.leave(why); err != nil {
			return err
		}
	}
	return nil
}

// leave is the error that stops a strict switch; others go on without that controller.
func (x *exchange) leave(why string) error {
	if x.strict {
		return errors.New(why)
	}
	x.left = append(x.left, why)
	return nil
}

// admit sees that the interfaces of controllers that become active are there, and nobody else's.
func (x *exchange) admit() error {
	m := x.manager
	m.mu.Lock()
	defer m.mu.Unlock()
	taken := map[string]string{}
	var admitted []*controller
	for _, c := range x.activate {
		why := m.hardware.lack(c.wants.commands, "command", m.hardware.commands)
		if why == "" {
			why = m.hardware.lack(c.wants.states, "state", m.hardware.states)
		}
		for _, name := range c.wants.commands {
			holder := m.claimant(name)
			if holder != nil && x.force && !slices.Contains(x.deactivate, holder) {
				x.deactivate = append(x.deactivate, holder)
			}
			switch {
			case why != "":
			case taken[name] != "":
				why = fmt.Sprintf("command interface %q is wanted by %q, too", name, taken[name])
			case holder != nil && !slices.Contains(x.deactivate, holder):
				why = fmt.Sprintf("command interface %q is claimed by %q; deactivate that first, or with it",
					name, holder.name)
			}
		}
		if why != "" {
			if err := x.leave(fmt.Sprintf("controller %q cannot become active: %s", c.name, why)); err != nil {
				return err
			}
			continue
		}
		for _, name := range c.wants.commands {
			taken[name] = c.name
		}
		admitted = append(admitted, c)
	}
	x.activate = admitted
	return nil
}

// do changes the states with one command for all joints.
func (x *exchange) do(ctx context.Context, timeout builtininterfaces.Duration) error {
	m := x.manager
	if t := span(timeout); t > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, t,
			fmt.Errorf("the simulation has not taken the switch within %v", t))
		defer stop()
	}
	l := m.now()
	targets := map[string]sim.JointTarget{}
	var order []string
	add := func(all []sim.JointTarget) {
		for _, t := range all {
			if _, there := targets[t.Joint]; !there {
				order = append(order, t.Joint)
			}
			targets[t.Joint] = t
		}
	}
	for _, c := range x.deactivate {
		add(c.hushed(c.run.end))
	}
	for _, c := range x.activate {
		add(c.hushed(func() []sim.JointTarget { return c.run.begin(l) }))
	}
	if len(order) > 0 {
		command := sim.SetJoints{Name: m.config.Entity}
		for _, joint := range order {
			command.Targets = append(command.Targets, targets[joint])
		}
		if _, err := m.config.Backend.Do(sim.WithSender(ctx, "ros"), command); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return err
		}
	}
	m.mu.Lock()
	for _, c := range x.deactivate {
		c.state = inactive
		c.active.Store(false)
	}
	for _, c := range x.activate {
		c.state = active
		c.active.Store(true)
	}
	m.mu.Unlock()
	x.showFirst(l)
	return nil
}

// showFirst has controllers that have become active publish what is, which the next snapshot of a paused
// simulation would not.
func (x *exchange) showFirst(l look) {
	if l.snapshot == nil {
		return
	}
	for _, c := range x.activate {
		c.any = false
		if err := c.show(l); err != nil {
			c.node.Log().Error("the controller could not publish", "error", err)
		}
	}
}

// told is the outcome of the switch, for people.
func (x *exchange) told() string {
	names := func(all []*controller) string {
		var out []string
		for _, c := range all {
			out = append(out, c.name)
		}
		return strings.Join(out, ", ")
	}
	said := fmt.Sprintf("active now: [%s], inactive now: [%s]", names(x.activate), names(x.deactivate))
	if len(x.left) > 0 {
		said += "; left as they are: " + strings.Join(x.left, "; ")
	}
	return said
}

func span(d builtininterfaces.Duration) time.Duration {
	return time.Duration(d.Sec)*time.Second + time.Duration(d.Nanosec)
}
