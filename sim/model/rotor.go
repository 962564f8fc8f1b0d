package model

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Rotor is the compiled part of a rotor. A fused one is part of the body that carries it: its link turns for
// show, and its angular momentum acts as if it turned. That is as good as a joint for a light, balanced
// rotor, and costs a tenth.
type Rotor struct {
	Fused  bool
	Axis   r3.Vec  // of its joint, in the frame of its link, of length 1
	Moment float64 // kg·m²: of its link about the axis; of a fused one
}

// Bounds of fusing: the distance in m of a rotor's centre of mass from its axis. And the difference of its
// moments across the axis, in parts of its mount's least.
const (
	fusedOffset = 1e-3
	fusedUneven = 0.05
)

// fuseRotors finds the rotors whose links become part of their mounts' bodies.
func (c *compiler) fuseRotors() {
	list := c.Spec.Flow.Rotors
	if len(list) == 0 {
		return
	}
	c.Rotors = make([]Rotor, len(list))
	for i := range list {
		j := &c.Spec.Joints[list[i].Joint]
		r := &c.Rotors[i]
		r.Axis, _ = j.Pose.Upright().Rot.Rotate(j.Axis).Unit()
		if list[i].Turn == 0 || !c.turnsAlone(list[i].Joint) || !c.isBalanced(j, r.Axis) {
			continue
		}
		r.Fused, r.Moment = true, c.linkMasses[j.Child].Inertia.Apply(r.Axis).Dot(r.Axis)
		if c.spun == nil {
			c.spun = make([]int, len(c.Spec.Links))
		}
		c.spun[j.Child] = i + 1
	}
}

// turnsAlone reports that a joint turns without bounds, and that nothing but its link hangs on it.
func (c *compiler) turnsAlone(joint int) bool {
	s, j := c.Spec, &c.Spec.Joints[joint]
	if j.Hold || j.Speed != 0 || j.Servo != (scene.Servo{}) || j.Limit.Acceleration > 0 {
		return false
	}
	endless := j.Kind == scene.Continuous || j.Kind == scene.Revolute &&
		(!j.Limit.Set || j.Limit.Upper-j.Limit.Lower >= noLimit)
	child := &s.Links[j.Child]
	if c.Static || !endless || j.Parent == scene.World || j.PullsTogether() || j.Mimic.Set ||
		child.Kinematic || j.Child == s.Canonical || len(child.Sensors) > 0 || len(s.Transmissions) > 0 ||
		child.Added != nil {
		return false
	}
	for i := range s.Joints {
		if o := &s.Joints[i]; i != joint && (o.Parent == j.Child || o.Child == j.Child) ||
			o.Mimic.Set && o.Mimic.Joint == joint {
			return false
		}
	}
	return !s.Flow.Pushes(j.Child)
}

// isBalanced reports that it makes no difference how far a rotor's link has turned.
func (c *compiler) isBalanced(j *scene.Joint, axis r3.Vec) bool {
	own, mount := c.linkMasses[j.Child], c.linkMasses[j.Parent]
	if own.Mass == 0 && len(c.Spec.Links[j.Child].Collisions) == 0 && axis != (r3.Vec{}) { // it is only seen
		return true
	}
	if !(own.Mass > 0) || !(mount.Mass > 0) || axis == (r3.Vec{}) {
		return false
	}
	off := func(p r3.Vec) float64 {
		arm := p.Sub(j.Pose.Pos)
		return arm.AddScaled(-arm.Dot(axis), axis).Len()
	}
	across := own.Inertia.Add(r3.Columns(axis.Scale(axis.X), axis.Scale(axis.Y), axis.Scale(axis.Z)).
		Scale(-own.Inertia.Apply(axis).Dot(axis)))
	u, v := axis.Basis()
	uneven := max(math.Abs(across.Apply(u).Dot(u)-across.Apply(v).Dot(v)), across.Apply(axis).Len(),
		math.Abs(across.Apply(u).Dot(v)))
	least, _ := mount.Inertia.Eigen()
	if off(own.COM) > fusedOffset || uneven > fusedUneven*min(least.X, least.Y, least.Z) {
		return false
	}
	for i := range c.Spec.Links[j.Child].Collisions {
		g := &c.Spec.Links[j.Child].Collisions[i]
		along := math.Abs(g.Pose.Upright().Rot.Rotate(r3.V(0, 0, 1)).Dot(axis))
		upright := (g.Kind == scene.Cylinder || g.Kind == scene.Capsule) && along > 0.9999
		round := g.Kind == scene.Sphere || upright
		if !round || off(g.Pose.Pos) > fusedOffset {
			return false
		}
	}
	return true
}

// isFused reports that a joint is that of a fused rotor.
func (m *Model) isFused(joint int) bool {
	for i := range m.Rotors {
		if m.Rotors[i].Fused && m.Spec.Flow.Rotors[i].Joint == joint {
			return true
		}
	}
	return false
}

// SpunBy is the fused rotor that turns a link, by ModelSpec.Flow.Rotors; -1: none does.
func (m *Model) SpunBy(link int) int {
	if m.spun == nil {
		return -1
	}
	return m.spun[link] - 1
}

// Turned is the frame of a fused rotor's link at an angle, rad, in that at angle zero.
func (m *Model) Turned(rotor int, angle float64) r3.Pose {
	at := m.Spec.Joints[m.Spec.Flow.Rotors[rotor].Joint].Pose.Upright().Pos
	turn := r3.AxisAngle(m.Rotors[rotor].Axis, angle)
	return r3.Pose{Pos: at.Sub(turn.Rotate(at)), Rot: turn}
}
