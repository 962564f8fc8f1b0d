package scene

import (
	"slices"

	"simdeck/sim/r3"
)

// Flow is the part of a model on which air and water act by coefficients of its file.
type Flow struct {
	Wings   []Wing
	Frames  []Airframe
	Hulls   []Hull
	Floats  []Float
	Rotors  []Rotor
	Engines []BuoyancyEngine
	Waves   Waves // that the model asks of the water of its world; see WorldSpec.Medium
}

// Pushes reports that air or water acts on a link by coefficients.
func (f *Flow) Pushes(link int) bool {
	return slices.ContainsFunc(f.Wings, func(w Wing) bool { return w.Link == link }) ||
		slices.ContainsFunc(f.Frames, func(a Airframe) bool { return a.Link == link }) ||
		slices.ContainsFunc(f.Floats, func(o Float) bool { return o.Link == link }) ||
		slices.ContainsFunc(f.Hulls, func(h Hull) bool { return h.Link == link }) ||
		slices.ContainsFunc(f.Engines, func(e BuoyancyEngine) bool { return e.Link == link })
}

// BuoyancyEngine is a bladder at a link's origin that is filled and drained (Gazebo's BuoyancyEngine). It
// displaces a fluid of its own, and what fills it weighs as much as the fluid in its neutral volume.
type BuoyancyEngine struct {
	Link    int
	Least   float64 // m³
	Most    float64 // m³
	Start   float64 // m³, its volume at the beginning
	Told    float64 // m³, the volume to which it goes before its first command
	Neutral float64 // m³, the volume at which it neither lifts nor pulls down
	Rate    float64 // m³/s, of its filling and draining at most
	Density float64 // kg/m³, of the fluid
	Surface float64 // m, the height at which the fluid ends; +Inf: nowhere
	Topic   string  // of commands in ROS, m³; that of its volume is below it
}

// Float is a solid of a link that floats in water of its own (VRX's Surface and PolyhedraBuoyancyDrag), at
// the waves of the world. Its drags are by the mass of its link, as far as it is under water.
type Float struct {
	Link    int
	Geom    Geom    // in the link's frame
	Density float64 // kg/m³, of the water
	Level   float64 // m, of its surface at rest
	Drag    float64 // 1/s, by the velocity against the water
	Swirl   float64 // m²/s, by the angular velocity
}

// AddedMass is the inertia of the fluid that moves along with a link, about its origin and in its axes. Of
// its six by six numbers these are the quarters, of which the fourth is Mixed transposed.
type AddedMass struct {
	Linear  r3.Mat // kg
	Mixed   r3.Mat // kg·m; rows linear, columns angular
	Angular r3.Mat // kg·m²
}

// IsZero reports that there is none.
func (a *AddedMass) IsZero() bool { return *a == AddedMass{} }

// Wing is a lifting surface of a link (Gazebo's LiftDrag).
type Wing struct {
	Link      int
	Centre    r3.Vec  // of pressure, in the link's frame
	Forward   r3.Vec  // in the link's frame, of length 1
	Upward    r3.Vec  // likewise
	Radial    bool    // it lifts against any flow aslant, as a body of revolution: Upward does not count
	Area      float64 // m²
	Density   float64 // kg/m³; 0: that of the medium
	Zero      float64 // rad, the angle of attack of a flow along Forward
	Stall     float64 // rad, the angle of attack from which the flow is detached
	Lift      Slope
	Drag      Slope
	Joint     int     // 1 + the joint of its control surface; 0: none
	JointLift float64 // change of the lift coefficient with the joint's position, 1/rad
}

// Slope is the change of a coefficient with the angle of attack, 1/rad.
type Slope struct{ Attached, Detached float64 }

// Hull is a link in water by the coefficients of its drag (Fossen, "Handbook of Marine Craft Hydrodynamics
// and Motion Control", 2011, section 6.4). Its motion is that of the link's origin against the water: three
// velocities, m/s, and three angular ones, rad/s, in the link's axes.
type Hull struct {
	Link      int
	Linear    [6][6]float64 // force by motion: N·s/m and so on; below zero on its diagonal, as is drag
	Quadratic []DragTerm
	Current   r3.Vec // m/s, the velocity of the water in the world frame
}

// DragTerm is a force that grows with the square of the motion: Value·motion[Of]·|motion[Times]|.
type DragTerm struct {
	Force, Of, Times uint8
	Value            float64
}

// Rotor is a propeller on a joint, which turns at a speed ω, rad/s (Gazebo's MulticopterMotorModel and
// Thruster, Webots' Propeller). Its thrust acts on the joint's parent, where the joint is. There its
// velocity against the air along Axis is V, m/s.
type Rotor struct {
	Joint  int
	Axis   r3.Vec  // of the thrust at a positive ω, in the frame of the joint's child, of length 1
	Turn   float64 // of the joint by ω: rad/s for rad/s; 0: the joint is not turned
	Thrust float64 // thrust by ω·|ω|, N·s²
	Inflow float64 // loss of thrust by V and |ω|: N·s²/m
	// Torque is that on the parent against Axis, by ω·|ω|, N·m·s². It is below zero where a positive ω turns
	// clockwise about Axis.
	Torque   float64
	Windmill float64 // loss of that torque by V and |ω|: N·s²
	Stall    float64 // N·m, the most of that torque; 0: unbounded
	SideDrag float64 // force against the speed across the axis, by it and |ω|: N·s²/m
	Rolling  float64 // torque likewise: N·s²
	Rise     float64 // s, time constant of an ω that grows; 0: at once
	Fall     float64 // s, of one that falls
	Accel    float64 // rad/s², the most by which ω changes; 0: unbounded
	Most     float64 // rad/s; 0: unbounded
	Reverses bool    // ω may be below zero
	// Force bounds the thrusts that are commanded in place of speeds, N: of one that takes those.
	Force   [2]float64
	ByForce bool
	Topic   string // of commands in ROS
	Index   int    // of its number in a message on that topic
}
