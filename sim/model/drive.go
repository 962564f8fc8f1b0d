package model

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// cannotDrive is the reason why the engine does not run a drive; empty: it does.
func (c *compiler) cannotDrive(d *scene.Drive) string {
	wheels := len(d.Left) + len(d.Right)
	switch {
	case d.Kind < scene.Differential || d.Kind > scene.FixedWing:
		return fmt.Sprintf("kind %d is unknown", d.Kind)
	case c.Static:
		return "the model is static"
	case d.Kind >= scene.Multicopter:
		return c.cannotGoWithoutWheels(d)
	case d.Kinematic && wheels == 0:
		return ""
	case d.Kind != scene.Ackermann && (len(d.Left) == 0 || len(d.Right) == 0), wheels == 0:
		return "it has no left or no right wheel"
	case !(d.Separation > 0) || d.Separation > 1e3 || !(d.Radius > 0) || d.Radius > 1e3:
		return fmt.Sprintf("wheel separation %v m and radius %v m are not positive", d.Separation, d.Radius)
	case d.Kind != scene.Differential && (!(d.WheelBase > 0) || d.WheelBase > 1e3):
		return fmt.Sprintf("a wheel base of %v m is not positive", d.WheelBase)
	case d.Kind == scene.Mecanum && (len(d.Left) != 2 || len(d.Right) != 2):
		return fmt.Sprintf("%d wheels on the left and %d on the right; a mecanum drive has a front and a rear one on each side",
			len(d.Left), len(d.Right))
	case d.Kind == scene.Ackermann && (len(d.SteerLeft) == 0 || len(d.SteerRight) == 0):
		return "it has no left or no right joint that steers"
	}
	for _, j := range d.Joints() {
		if !c.turns(j) {
			return fmt.Sprintf("joint %d is no wheel joint and does not steer", j)
		}
	}
	return ""
}

// cannotGoWithoutWheels is cannotDrive for what has rotors, thrusters or belts.
func (c *compiler) cannotGoWithoutWheels(d *scene.Drive) string {
	switch d.Kind {
	case scene.Multicopter:
		return c.cannotFly(d.Flight)
	case scene.Vessel:
		return c.cannotSwim(d.Propulsion)
	case scene.FixedWing:
		return cannotGlide(c, d.Aircraft)
	}
	return c.cannotTrack(d)
}

// cannotSwim is the reason why the thrusters of a vessel do not drive it; empty: they do.
func (c *compiler) cannotSwim(by *scene.Propulsion) string {
	if by == nil {
		return "it has no thrusters"
	}
	for _, j := range by.Thrusters {
		if j < 0 || j >= len(c.Spec.Joints) {
			return fmt.Sprintf("there is no joint %d", j)
		}
	}
	if _, _, controlled := c.ThrusterAllocation(by); !controlled[Surge] {
		return "no thruster pushes it ahead"
	}
	return ""
}

// cannotTrack is the reason why belts do not drive a vehicle; empty: they do.
func (c *compiler) cannotTrack(d *scene.Drive) string {
	for side, links := range d.Tracks {
		if len(links) == 0 {
			return [2]string{"it has no belt on its left", "it has no belt on its right"}[side]
		}
		for _, l := range links {
			if l < 0 || l >= len(c.Spec.Links) {
				return fmt.Sprintf("there is no link %d", l)
			}
			if c.Spec.Links[l].Track == nil {
				return fmt.Sprintf("link %q has no TrackController, which would move its belt", c.Spec.Links[l].Name)
			}
		}
	}
	if !(d.Separation > 0) || d.Separation > 1e3 || d.Radius != 1 {
		return fmt.Sprintf("a separation of %v m between its belts; want more than 0 and at most 1000", d.Separation)
	}
	return ""
}

// cannotFly is the reason why the rotors of a multicopter do not fly it; empty: they do.
func (c *compiler) cannotFly(f *scene.Flight) string {
	if f == nil {
		return "it has no rotors"
	}
	for _, j := range f.Joints {
		if j < 0 || j >= len(c.Spec.Joints) {
			return fmt.Sprintf("there is no joint %d", j)
		}
		if !slices.ContainsFunc(c.Spec.Flow.Rotors,
			func(r scene.Rotor) bool { return r.Joint == j && r.Thrust > 0 }) {
			return fmt.Sprintf("joint %q has no rotor with a thrust", c.Spec.Joints[j].Name)
		}
	}
	if shares, _ := c.Allocation(f); shares == nil {
		return fmt.Sprintf("its %d rotors cannot turn it about every axis", len(f.Joints))
	}
	return ""
}

// turns reports that there is a joint of that index that moves and is revolute or continuous.
func (c *compiler) turns(j int) bool {
	if j < 0 || j >= len(c.Joints) || !c.Joints[j].Moves {
		return false
	}
	kind := c.Joints[j].Def.Type
	return kind == dynamics.Revolute || kind == dynamics.Continuous
}

// SteerLimit is the largest steering angle at the axle's middle, in rad, by the steering joints' limits
// (Ackermann geometry); 0: there is none.
func (m *Model) SteerLimit(d *scene.Drive) float64 {
	limit := math.Inf(1)
	for _, joints := range [...][]int{d.SteerLeft, d.SteerRight} {
		for _, j := range joints {
			if j < 0 || j >= len(m.Joints) || !m.Joints[j].Def.Limited {
				continue
			}
			limit = min(limit, m.Joints[j].Def.Upper, -m.Joints[j].Def.Lower)
		}
	}
	if math.IsInf(limit, 1) || limit <= 0 || !(d.WheelBase > 0) {
		return 0
	}
	width := d.KingpinWidth
	if width == 0 {
		width = d.Separation
	}
	// The inner wheel turns furthest: cot(inner) = cot(middle) - width/2L.
	return r3.Atan2(1, 1/r3.Tan(min(limit, 1.5))+float64(width/(2*d.WheelBase)))
}

// DriveTorque is the limit of a drive's motor on each wheel, N·m: the file's, else 0 (the joint's), else
// enough for wheels to slip.
func (m *Model) DriveTorque(d *scene.Drive) float64 {
	if d.MaxTorque > 0 {
		return d.MaxTorque
	}
	for _, wheels := range [][]int{d.Left, d.Right} {
		for _, j := range wheels {
			if m.Joints[j].Def.MaxEffort > 0 {
				return 0
			}
		}
	}
	mass := 0.0
	for i := range m.Bodies {
		mass += m.Bodies[i].Mass.Mass
	}
	const slip = 2 * 9.81 // twice the weight on one wheel of friction 1
	return max(1, float64(mass*slip)*d.Radius)
}
