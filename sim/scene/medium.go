package scene

import (
	"slices"

	"simdeck/sim/r3"
)

// Medium is the air and the water of a world. The zero value is still air, in which nothing floats.
type Medium struct {
	Wind   Wind
	Layers []Layer // of the fluid that carries things, from below upward; nil: nothing floats
	// Carries are the entities, and the links as "entity::link", that float; nil: all.
	Carries []string
	Waves   Waves // of the surface of the highest liquid
	// Volumes are fluids within bounds. Only links that name one feel it (Link.Immersions).
	Volumes []FluidVolume
}

// FluidVolume is a fluid within bounds (Webots' Fluid).
type FluidVolume struct {
	Name      string
	Density   float64 // kg/m³
	Viscosity float64 // Pa·s
	Stream    r3.Vec  // m/s, its velocity in the world frame
	Bounds    []FluidBound
}

// FluidBound is a shape that a fluid fills. A solid that touches it is in the fluid with its part below the
// plane that touches the shape from above.
type FluidBound struct {
	Geom Geom   // in the world frame
	Up   r3.Vec // of length 1, in the world frame: across that plane
}

// Immersion is the coefficients of a link in a fluid within bounds (Webots' ImmersionProperties), along the
// axes of the link. They hold for the part of each of its collision shapes that is in the fluid.
type Immersion struct {
	Fluid string // by FluidVolume.Name
	// Projected: drags go by the areas of the part's projections along the axes. Else they go by its surface,
	// and Drag.X and Turn.X hold in all directions.
	Projected bool
	Drag      r3.Vec  // force by density, area and the square of the velocity against the stream
	Turn      r3.Vec  // torque by density, area and the square of the angular velocity: m³
	Viscous   float64 // force by viscosity, immersed part of the surface and that velocity: m
	Twisting  float64 // torque by viscosity, that part and the angular velocity: m³
}

// Layer is a layer of a fluid, up to the next one above it.
type Layer struct {
	From    float64 // m, the height where it begins; -Inf for the lowest
	Density float64 // kg/m³
}

// LeastLiquid is the density, kg/m³, from which a layer counts as a liquid: no air gets there.
const LeastLiquid = 50

// TopLiquid is the highest liquid that has something above it, by its index; -1: there is none, or nothing is
// above it.
func TopLiquid(layers []Layer) int {
	for i, l := range slices.Backward(layers) {
		if l.Density >= LeastLiquid {
			if i+1 == len(layers) {
				return -1
			}
			return i
		}
	}
	return -1
}

// Wind is the motion of the air: a mean that rises from still air, and what sways about it.
type Wind struct {
	Velocity r3.Vec // m/s, in the world frame
	// Push is the acceleration of a link that the wind pushes (Link.Wind) by its speed against it, 1/s
	// (Gazebo's WindEffects); 0: none is pushed.
	Push    float64
	Rise    float64 // s, the time constant of the horizontal mean; 0: it blows at once
	RiseUp  float64 // s, that of the vertical one
	Sway    Sway    // of the horizontal speed, relative to its mean
	Veer    Sway    // of the direction, rad
	Noise   Noise   // of the horizontal speed, m/s, drawn anew every millisecond
	NoiseUp Noise   // of the vertical speed
	Veering Noise   // of the direction, rad
}

// Sway is a sine over time.
type Sway struct {
	Amplitude float64
	Period    float64 // s; 0: it does not sway
}

// Still reports that the wind never blows.
func (w *Wind) Still() bool {
	return w.Velocity == (r3.Vec{}) && w.Noise == (Noise{}) && w.NoiseUp == (Noise{})
}
