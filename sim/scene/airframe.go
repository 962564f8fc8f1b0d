package scene

import "simdeck/sim/r3"

// Airframe is the aerodynamics of a whole aircraft as coefficients of one link (Gazebo's AdvancedLiftDrag).
// Its axes are those of flight mechanics: x forward, y to the right wing, z down. Angles are in rad. Rates
// are times half of the span over the speed, that of pitch times half of the chord.
type Airframe struct {
	Link       int
	Centre     r3.Vec  // of pressure, in the link's frame
	Forward    r3.Vec  // in the link's frame, of length 1
	Upward     r3.Vec  // likewise, across Forward
	Area       float64 // m²
	Aspect     float64 // span² over area
	Chord      float64 // m, mean
	Efficiency float64 // Oswald's; 0: lift induces no drag
	Density    float64 // kg/m³; 0: that of the medium
	Stall      float64 // rad, the angle of attack of the stall
	Blend      float64 // 1/rad: the steepness by which the flow detaches
	Plate      [2]float64
	Level      Coefficients // at no angle and no rate
	Attack     Coefficients // by the angle of attack
	Slip       Coefficients // by the angle of sideslip
	Rates      [3]Coefficients
	PitchStall float64 // of the pitching moment by the angle of attack beyond the stall
	Surfaces   []ControlSurface
}

// Coefficients are those of the forces on an aircraft, and of the moments on it.
type Coefficients struct{ Drag, Side, Lift, Roll, Pitch, Yaw float64 }

// AddScaled is c + k·o.
func (c Coefficients) AddScaled(k float64, o *Coefficients) Coefficients {
	return Coefficients{c.Drag + float64(k*o.Drag), c.Side + float64(k*o.Side), c.Lift + float64(k*o.Lift),
		c.Roll + float64(k*o.Roll), c.Pitch + float64(k*o.Pitch), c.Yaw + float64(k*o.Yaw)}
}

// ControlSurface is a rudder, flap or elevator of an aircraft.
type ControlSurface struct {
	Joint  int
	Effect Coefficients // by its joint's angle, 1/rad
}
