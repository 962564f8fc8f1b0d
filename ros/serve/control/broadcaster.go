package control

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simdeck/ros/msgs/controlmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// broadcaster is joint_state_broadcaster: it tells the state interfaces of joints.
type broadcaster struct {
	c       *controller
	states  *node.Publisher[sensormsgs.JointState]
	dynamic *node.Publisher[controlmsgs.DynamicJointState]
	msg     sensormsgs.JointState
	all     controlmsgs.DynamicJointState
	from    []told
	extra   int // joints at the end that are always at zero
	mapped  map[string]string
}

// told is a state interface with its place in DynamicJointState.
type told struct {
	place
	joint, value int
}

var movements = []string{"position", "velocity", "effort"}

func broadcasterParameters() []node.Declaration {
	all := []node.Declaration{texts("joints"), texts("interfaces"), texts("extra_joints"),
		truth("use_local_topics", false), truth("use_urdf_to_filter", true), text("frame_id", "base_link"),
		truth("publish_dynamic_joint_states", true)}
	for _, name := range movements {
		all = append(all, text("map_interface_to_joint_state."+name, name))
	}
	return all
}

func (b *broadcaster) configure(c *controller) (wants, error) {
	b.c, b.mapped = c, map[string]string{}
	for _, name := range movements {
		b.mapped[cmp.Or(c.text("map_interface_to_joint_state."+name), name)] = name
	}
	joints, names := c.texts("joints"), c.texts("interfaces")
	if len(joints) == 0 != (len(names) == 0) {
		return wants{}, fmt.Errorf("%w: joints are %v and interfaces %v; want both, or none for all",
			errParameters, joints, names)
	}
	h := &c.manager.hardware
	var w wants
	for _, one := range h.components {
		for _, f := range one.spec.States {
			if len(joints) == 0 || slices.Contains(joints, f.Joint) && slices.Contains(names, f.Name) {
				w.states = append(w.states, f.FullName())
			}
		}
	}
	for _, want := range interfacesOf(joints, names) {
		if !slices.Contains(w.states, want) {
			return wants{}, fmt.Errorf("%w: %s", errParameters, h.lack([]string{want}, "state", h.states))
		}
	}
	for _, full := range w.states {
		p := h.states[full]
		at := slices.Index(b.all.JointNames, p.Joint)
		if at < 0 {
			at = len(b.all.JointNames)
			b.all.JointNames = append(b.all.JointNames, p.Joint)
			b.all.InterfaceValues = append(b.all.InterfaceValues, controlmsgs.InterfaceValue{})
			b.msg.Name = append(b.msg.Name, p.Joint)
		}
		v := &b.all.InterfaceValues[at]
		v.InterfaceNames, v.Values = append(v.InterfaceNames, p.Name), append(v.Values, math.NaN())
		b.from = append(b.from, told{p, at, len(v.Values) - 1})
	}
	for _, name := range c.texts("extra_joints") {
		if !slices.Contains(b.msg.Name, name) {
			b.msg.Name = append(b.msg.Name, name)
			b.extra++
		}
	}
	b.msg.Header.FrameID, b.all.Header.FrameID = c.text("frame_id"), c.text("frame_id")
	return w, b.open()
}

// open makes the topics.
func (b *broadcaster) open() (err error) {
	prefix := ""
	if b.c.truth("use_local_topics") {
		prefix = "~/"
	}
	if b.states, err = publish[sensormsgs.JointState](b.c, prefix+"joint_states"); err != nil {
		return err
	}
	if b.c.truth("publish_dynamic_joint_states") {
		b.dynamic, err = publish[controlmsgs.DynamicJointState](b.c, prefix+"dynamic_joint_states")
	}
	return err
}

func (b *broadcaster) begin(look) []sim.JointTarget { return nil }
func (b *broadcaster) end() []sim.JointTarget       { return nil }

func (b *broadcaster) show(l look) error {
	if !b.c.due(l, float64(b.c.rate)) {
		return nil
	}
	n := len(b.msg.Name)
	b.msg.Position, b.msg.Velocity, b.msg.Effort = unknown(b.msg.Position, n, b.extra),
		unknown(b.msg.Velocity, n, b.extra), unknown(b.msg.Effort, n, b.extra)
	states := l.joints()
	for _, p := range b.from {
		at, x := p.joint, reading(&states[p.Index], p.Name)
		b.all.InterfaceValues[at].Values[p.value] = x
		switch b.mapped[p.Name] {
		case "position":
			b.msg.Position[at] = x
		case "velocity":
			b.msg.Velocity[at] = x
		case "effort":
			b.msg.Effort[at] = x
		}
	}
	b.msg.Header.Stamp = node.SimTime(l.time())
	b.all.Header.Stamp = b.msg.Header.Stamp
	if err := b.states.Publish(&b.msg); err != nil || b.dynamic == nil {
		return err
	}
	return b.dynamic.Publish(&b.all)
}

// unknown is n values that nothing is known of, but the last ones, which are zero.
func unknown(list []float64, n, zero int) []float64 {
	list = list[:0]
	for i := range n {
		x := math.NaN()
		if i >= n-zero {
			x = 0
		}
		list = append(list, x)
	}
	return list
}
