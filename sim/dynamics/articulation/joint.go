package articulation

import (
	"fmt"

	"simdeck/sim/r3"
)

// JointType says which degrees of freedom a joint has.
type JointType uint8

const (
	// Fixed has no degree of freedom.
	Fixed JointType = iota
	// Revolute rotates about its axis, usually within limits.
	Revolute
	// Continuous rotates about its axis without limits.
	Continuous
	// Prismatic slides along its axis.
	Prismatic
	// Ball rotates freely about a point.
	Ball
	// Universal rotates about its axis, and about a second one across it that rotates with it.
	Universal
	// Screw rotates about its axis and advances along it in proportion.
	Screw
	// Planar slides in the plane across its axis and rotates about the axis.
	Planar
)

// String is the type's name in URDF.
func (t JointType) String() string {
	names := [...]string{"fixed", "revolute", "continuous", "prismatic", "ball", "universal", "screw",
		"planar"}
	if int(t) >= len(names) {
		return fmt.Sprintf("joint type %d", uint8(t))
	}
	return names[t]
}

// Turns reports that the joint's position is an angle.
func (t JointType) Turns() bool {
	return t == Revolute || t == Continuous || t == Screw || t == Universal
}

// HasAxis reports that the joint has a position.
func (t JointType) HasAxis() bool { return t.Turns() || t == Prismatic }

// DOFs is the number of degrees of freedom.
func (t JointType) DOFs() int32 {
	switch t {
	case Fixed:
		return 0
	case Universal:
		return 2
	case Ball, Planar:
		return 3
	}
	return 1
}

// Joint is the joint between a link and its parent. Its frames in both bodies coincide at position 0; z is
// the axis, x the second axis.
type Joint struct {
	Type             JointType
	Pitch            float64 // m/rad, of a screw
	AnchorA, AnchorB r3.Vec  // m, of the frames in parent and link: from the COM, body axes
	RotA, RotB       r3.Quat // joint frame to parent, joint frame to link
	Damping          float64 // N·m·s/rad or N·s/m, of each degree of freedom
	Armature         float64 // kg·m² or kg, likewise
	// of a spring, N·m/rad or N/m: of an axis joint at its first degree of freedom, of a Ball against any
	// rotation
	Stiffness  float64
	SpringRest float64 // rad or m, where the spring is relaxed; of a joint with an axis
}
