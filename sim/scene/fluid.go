package scene

import (
	"math"

	"simdeck/sim/r3"
)

// Fluid is a medium around a link, as a description has it. Package medium has its forces: on the box that
// has the link's inertia, or on ellipsoids.
type Fluid struct {
	Density    float64     // kg/m³
	Viscosity  float64     // Pa·s
	Wind       r3.Vec      // m/s, in the world's axes
	Ellipsoids []Ellipsoid // in place of the box; empty: the box
}

// Ellipsoid is a shape of a link in a fluid.
type Ellipsoid struct {
	Pose r3.Pose // in the link's frame
	Half r3.Vec  // semi-axes, m
	Coef FluidCoef
	// Along is the mass that moves along with it, m³, and its inertia, m⁵, both per density.
	Along [2]r3.Vec
}

// FluidCoef is the coefficients of the forces on an ellipsoid (MuJoCo's fluidcoef).
type FluidCoef struct{ Blunt, Slender, Angular, Kutta, Magnus float64 }

// DefaultFluidCoef is MuJoCo's.
func DefaultFluidCoef() FluidCoef {
	return FluidCoef{Blunt: 0.5, Slender: 0.25, Angular: 1.5, Kutta: 1, Magnus: 1}
}

// BoxOf is the edges of the box with a mass and principal moments, m.
func BoxOf(mass float64, moments r3.Vec) r3.Vec {
	edge := func(a, b, own float64) float64 { return math.Sqrt(max(0, a+b-own) / mass * 6) }
	return r3.V(edge(moments.Y, moments.Z, moments.X), edge(moments.X, moments.Z, moments.Y),
		edge(moments.X, moments.Y, moments.Z))
}

// NewEllipsoid is an ellipsoid of semi-axes half.
func NewEllipsoid(pose r3.Pose, half r3.Vec, c FluidCoef) Ellipsoid {
	e := Ellipsoid{Pose: pose, Half: half, Coef: c}
	volume := 4.0 / 3 * math.Pi * half.X * half.Y * half.Z
	k := [3]float64{}
	for i := range k {
		k[i] = added(half, half.At(i))
	}
	mass := func(i int) float64 { return volume * k[i] / max(1e-15, 2-k[i]) }
	e.Along[0] = r3.V(mass(0), mass(1), mass(2))
	inertia := func(b, c int) float64 {
		x, y := float64(half.At(b)*half.At(b)), float64(half.At(c)*half.At(c))
		diff := x - y
		under := float64(2*diff) + float64((x+y)*(k[b]-k[c]))
		if math.Abs(under) < 1e-15 {
			return 0
		}
		return volume / 5 * math.Abs(diff*diff*(k[c]-k[b])/under)
	}
	e.Along[1] = r3.V(inertia(1, 2), inertia(2, 0), inertia(0, 1))
	return e
}

// added is the integral over all confocal ellipsoids, for the semi-axis own, from which the mass follows that
// moves along with one. With λ = a²·t²/(1−t)² it is over t from 0 to 1. Source: Lamb, "Hydrodynamics", §114.
func added(half r3.Vec, own float64) (sum float64) {
	const parts = 400
	scale := max(half.X, half.Y, half.Z)
	for i := range parts {
		t := (float64(i) + 0.5) / parts
		root := scale * t / (1 - t)
		x := float64(root * root)
		step := 2 * root * scale / ((1 - t) * (1 - t)) / parts
		at := func(axis float64) float64 { return float64(axis*axis) + x }
		sum += step / (at(own) * math.Sqrt(at(half.X)*at(half.Y)*at(half.Z)))
	}
	return sum * half.X * half.Y * half.Z
}
