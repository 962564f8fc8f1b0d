package medium

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// MuJoCo 4.0 has these for an ellipsoid of semi-axes 0.3, 0.2 and 0.1 m at a density of 1.
func TestAnEllipsoidTakesAlongWhatMuJoCoSays(t *testing.T) {
	e := scene.NewEllipsoid(r3.IdentityPose(), r3.V(0.3, 0.2, 0.1), scene.DefaultFluidCoef())
	want := [2]r3.Vec{r3.V(4.65600130e-03, 9.16196969e-03, 3.42189234e-02),
		r3.V(9.63256192e-05, 3.55998376e-04, 3.91419015e-05)}
	for i := range want {
		if far := e.Along[i].Dist(want[i]); far > 1e-4*want[i].Len() {
			t.Errorf("%v, want %v", e.Along[i], want[i])
		}
	}
}

// A sphere takes half of the fluid along whose place it has, and its drag is along its motion.
func TestASphereInAFluidIsPushedStraightBack(t *testing.T) {
	e := scene.NewEllipsoid(r3.IdentityPose(), r3.V(0.1, 0.1, 0.1), scene.DefaultFluidCoef())
	volume := 4.0 / 3 * math.Pi * 1e-3
	half := r3.V(1, 1, 1).Scale(volume / 2)
	if e.Along[0].Dist(half) > 1e-5*volume || e.Along[1].Len() > 1e-12 {
		t.Errorf("it takes along %v", e.Along)
	}
	f := scene.Fluid{Density: 1000, Viscosity: 2}
	v := r3.V(0.3, -0.2, 0.1)
	force, torque := OnEllipsoid(&f, &e, r3.Twist{Linear: v})
	along := math.Pi * 0.01 * 0.5 * 1000 * v.Len() * v.Len() // blunt drag
	stokes := 6 * math.Pi * 0.1 * 2 * v.Len()
	if want := v.Scale(-(along + stokes) / v.Len()); force.Sub(want).Len() > 1e-9*want.Len() ||
		torque.Len() > 1e-9 {
		t.Errorf("force %v and torque %v; want %v", force, torque, want)
	}
}

// MuJoCo 4.0 pushes a body with these forces and torques, in a fluid of 3 kg/m³ and 0.2 Pa·s.
func TestAFluidPushesAsMuJoCos(t *testing.T) {
	f := scene.Fluid{Density: 3, Viscosity: 0.2}
	v := r3.Twist{Linear: r3.V(0.5, -0.3, 0.8), Angular: r3.V(1.1, 0.7, -0.6)}
	e := scene.NewEllipsoid(r3.IdentityPose(), r3.V(0.3, 0.2, 0.1),
		scene.FluidCoef{Blunt: 0.6, Slender: 0.3, Angular: 1.2, Kutta: 0.9, Magnus: 0.8})
	near := func(what string, got, want r3.Vec) {
		t.Helper()
		if far := got.Dist(want); far > 1e-5*want.Len() {
			t.Errorf("%s %v, want %v", what, got, want)
		}
	}
	force, torque := OnEllipsoid(&f, &e, v)
	near("force on an ellipsoid", force, r3.V(-4.17822806e-01, 2.77929293e-01, -1.01775727))
	near("torque on an ellipsoid", torque, r3.V(-3.67915714e-02, 9.49332773e-04, 3.11187538e-02))
	box := scene.BoxOf(2, r3.V(0.03333333, 0.06666667, 0.08666667))
	near("edges", box, r3.V(0.6, 0.4, 0.2))
	force, torque = OnBox(&f, r3.V(0.6, 0.4, 0.2), v)
	near("force on a box", force, r3.V(-0.40699112, 0.24239467, -0.83358579))
	near("torque on a box", torque, r3.V(-0.04515927, -0.02935407, 0.02465123))
}
