package medium

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// The values are those of the tables of ISO 2533.
func TestTheAirIsTheStandardAtmosphere(t *testing.T) {
	for height, want := range map[float64][3]float64{0: {101325, 288.15, 1.2250},
		1000: {89876, 281.65, 1.1117}, 5000: {54048, 255.65, 0.73643}, 11000: {22632, 216.65, 0.36392},
		15000: {12111, 216.65, 0.19475}} {
		p, temperature, d := Air(&scene.Earth{}, height)
		// The tables are by geometric heights, which differ by the height over the earth's radius.
		if math.Abs(p/want[0]-1) > 6e-3 || math.Abs(temperature-want[1]) > 0.2 ||
			math.Abs(d/want[2]-1) > 6e-3 {
			t.Errorf("at %v m: %v Pa, %v K, %v kg/m³, want %v", height, p, temperature, d, want)
		}
	}
	// A world says what its air is at sea level, wherever its origin is.
	high := scene.Earth{Pressure: 101325, Temperature: 288.15, Elevation: 900}
	p, temperature, _ := Air(&high, 100)
	usual, warm, _ := Air(&scene.Earth{}, 1000)
	if sea, _, _ := Air(&high, -900); sea != 101325 || p != usual || temperature != warm {
		t.Errorf("900 m up it has %v Pa at the sea, %v Pa and %v K 100 m above", sea, p, temperature)
	}
	if v := airViscosity(288.15); math.Abs(v/1.7894e-5-1) > 1e-3 {
		t.Errorf("a viscosity of %v Pa·s at the sea, want 1.7894e-5", v)
	}
}

// The pressure carries the air above it at any gradient of the temperature: dp/dh = −ρ·g.
func TestThePressureCarriesTheAirAbove(t *testing.T) {
	const h, g = 1.0, 9.80665
	for _, gradient := range []*float64{nil, new(float64), at(-0.0098), at(0.004)} {
		for _, height := range []float64{-100, 0, 300, 9000, 12000} {
			e := scene.Earth{Gradient: gradient}
			low, _, _ := Air(&e, height-h)
			high, _, _ := Air(&e, height+h)
			_, _, density := Air(&e, height)
			if fall := (low - high) / (2 * h); math.Abs(fall/(density*g)-1) > 1e-5 {
				t.Errorf("gradient %v at %v m: the pressure falls by %v Pa/m, the air weighs %v", gradient,
					height, fall, density*g)
			}
		}
	}
	if p, _, d := Air(&scene.Earth{Gradient: at(-0.01)}, 40000); p != 0 || d != 0 {
		t.Errorf("above the air there are %v Pa and %v kg/m³", p, d)
	}
}

func at(x float64) *float64 { return &x }

// worldWith is a medium of a world.
func worldWith(m scene.Medium) *Medium { return New(&scene.WorldSpec{Medium: m}, 7) }

func TestAWindRisesAndSways(t *testing.T) {
	m := worldWith(scene.Medium{Wind: scene.Wind{Velocity: r3.V(3, 4, 1), Rise: 2, RiseUp: 4,
		Sway: scene.Sway{Amplitude: 0.5, Period: 8}}})
	swaying := r3.V(3, 4, 0).Scale((1 - 1/math.E) * 1.5).Add(r3.V(0, 0, 1-math.Exp(-0.5)))
	for at, want := range map[float64]r3.Vec{0: {}, 2: swaying, 400: r3.V(3, 4, 1)} {
		if got := m.Wind(at); got.Dist(want) > 1e-12 {
			t.Errorf("after %v s the wind is %v, want %v", at, got, want)
		}
	}
	turned := worldWith(scene.Medium{Wind: scene.Wind{Velocity: r3.V(2, 0, 0),
		Veer: scene.Sway{Amplitude: math.Pi / 2, Period: 4}}})
	if got := turned.Wind(1); got.Dist(r3.V(0, 2, 0)) > 1e-12 {
		t.Errorf("a wind that veers by a quarter is %v", got)
	}
}

func TestNoiseOfTheWindFollowsTheSeedAndTheTime(t *testing.T) {
	spec := scene.Medium{Wind: scene.Wind{Velocity: r3.V(5, 0, 0), Noise: scene.Noise{Std: 0.5},
		NoiseUp: scene.Noise{Std: 0.2}}}
	m, other := worldWith(spec), New(&scene.WorldSpec{Medium: spec}, 8)
	var mean, square, same float64
	const n = 4000
	for i := range n {
		x := m.Wind(float64(i) / 1000).X
		mean, square = mean+x/n, square+(x-5)*(x-5)/n
		if x == other.Wind(float64(i)/1000).X {
			same++
		}
	}
	if math.Abs(mean-5) > 0.03 || math.Abs(math.Sqrt(square)-0.5) > 0.03 || same > 0 {
		t.Errorf("mean %v, deviation %v, %v times as with another seed", mean, math.Sqrt(square), same)
	}
	if m.Wind(1.25) != m.Wind(1.25) {
		t.Error("the wind of a moment changes")
	}
}

func TestTheStateOfTheMediumGoesByHeight(t *testing.T) {
	m := worldWith(scene.Medium{Wind: scene.Wind{Velocity: r3.V(2, 0, 0)},
		Layers: []scene.Layer{{From: math.Inf(-1), Density: 1025}, {From: 1, Density: 1.2}}})
	if s := m.At(r3.V(0, 0, 0.5), 3); s != (State{Density: 1025, Viscosity: waterViscosity}) {
		t.Errorf("under water: %+v", s)
	}
	if s := m.At(r3.V(0, 0, 1.5), 3); math.Abs(s.Density-1.225) > 1e-3 || s.Velocity != r3.V(2, 0, 0) {
		t.Errorf("above it: %+v", s)
	}
	if level, ok := m.Level(); !ok || level != 1 {
		t.Errorf("the water reaches %v, %v", level, ok)
	}
}

// A box of 2 m × 2 m × 2 m half in water, half in oil of half the density.
func TestLayersDisplaceTheirParts(t *testing.T) {
	m := worldWith(scene.Medium{Layers: []scene.Layer{{From: math.Inf(-1), Density: 1000},
		{From: 0, Density: 500}, {From: 0.5, Density: 0}}})
	box := shape.Box{Half: r3.V(1, 1, 1)}
	solid := Solid{Shape: box, Whole: shape.Whole(box)}
	d := m.Displaced(&solid, r3.PoseRPY(3, 4, 0, 0, math.Pi/2, 0), 0)
	mass, centre := d.Mass, d.Centre
	want := r3.V(3, 4, (-0.5*4000+0.25*1000)/5000)
	if math.Abs(mass-5000) > 1e-9 || centre.Dist(want) > 1e-12 {
		t.Errorf("%v kg at %v, want 5000 at %v", mass, centre, want)
	}
	if mass := m.Displaced(&solid, r3.PoseRPY(0, 0, 9, 0, 0, 0), 0).Mass; mass != 0 {
		t.Errorf("above everything %v kg", mass)
	}
	uniform := worldWith(scene.Medium{Layers: []scene.Layer{{From: math.Inf(-1), Density: 1000}}})
	mass = uniform.Displaced(&solid, r3.PoseRPY(0, 0, 900, 0, 0, 0), 0).Mass
	if math.Abs(mass-8000) > 1e-9 {
		t.Errorf("in a fluid without a surface %v kg, want 8000", mass)
	}
}

func TestOnlyNamedThingsFloatWhereSomeAreNamed(t *testing.T) {
	m := worldWith(scene.Medium{Carries: []string{"boat", "raft::deck"}})
	for what, want := range map[[2]string]bool{{"boat", "hull"}: true, {"raft", "deck"}: true,
		{"raft", "mast"}: false, {"stone", "l"}: false} {
		if got := m.Carries(what[0], what[1]); got != want {
			t.Errorf("%v floats: %v", what, got)
		}
	}
}

// The wing is that of Gazebo's documentation, in closed form at small and at stalled angles of attack.
func TestAWingLiftsByItsAngleOfAttack(t *testing.T) {
	w := scene.Wing{Forward: r3.V(1, 0, 0), Upward: r3.V(0, 0, 1), Area: 2, Density: 1.2, Zero: 0.05,
		Stall: 0.3, Lift: scene.Slope{Attached: 4, Detached: -2},
		Drag: scene.Slope{Attached: 0.5, Detached: 1}, JointLift: 3}
	for _, c := range []struct{ attack, joint, cl, cd float64 }{
		{0.1, 0, 4 * 0.15, 0.5 * 0.15}, {-0.2, 0, 4 * -0.15, 0.5 * 0.15},
		{0.1, 0.2, 4*0.15 + 0.6, 0.5 * 0.15},
		{0.45, 0, 4*0.3 - 2*0.2, 0.5*0.3 + 0.2},
	} {
		v := r3.V(math.Cos(c.attack), 0, -math.Sin(c.attack)).Scale(20)
		pressure := 0.5 * 1.2 * 400 * 2
		lift := r3.V(math.Sin(c.attack), 0, math.Cos(c.attack)).Scale(c.cl * pressure)
		want := lift.AddScaled(-c.cd*pressure/20, v)
		if got := OnWing(&w, v, 99, c.joint); got.Dist(want) > 1e-9*want.Len() {
			t.Errorf("at %v rad: %v, want %v", c.attack, got, want)
		}
	}
	if got := OnWing(&w, r3.V(0.005, 0, 0), 0, 0); got != (r3.Vec{}) {
		t.Errorf("in still air %v", got)
	}
	w.Density = 0
	thin, dense := OnWing(&w, r3.V(9, 0, 0), 1, 0), OnWing(&w, r3.V(9, 0, 0), 2, 0)
	if thin.Scale(2).Dist(dense) > 1e-9 || thin == (r3.Vec{}) {
		t.Errorf("%v in air of 1 kg/m³, %v in air of 2", thin, dense)
	}
	w.Radial, w.Zero = true, 0
	if got := OnWing(&w, r3.V(10, 0.4, 0), 1, 0); !(got.Y < 0) || math.Abs(got.Z) > 1e-9 {
		t.Errorf("a body of revolution that slips to the left is pushed by %v, want to the right", got)
	}
}

func TestAHullIsHeldBackByItsTerms(t *testing.T) {
	h := scene.Hull{Quadratic: []scene.DragTerm{{Force: 0, Of: 0, Times: 0, Value: -6},
		{Force: 5, Of: 1, Times: 5, Value: 2}}}
	h.Linear[0][0], h.Linear[4][2] = -3, 0.5
	force, torque := OnHull(&h, r3.Twist{Linear: r3.V(-2, 1, 4), Angular: r3.V(0, 0, -3)})
	if force.Dist(r3.V(3*2+6*2*2, 0, 0)) > 1e-12 || torque.Dist(r3.V(0, 2, 2*1*3)) > 1e-12 {
		t.Errorf("force %v, torque %v", force, torque)
	}
}

// With the answer of the added mass, a rigid body accelerates as both masses together do.
func TestAnAddedMassAnswersAsPartOfTheBody(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	vec := func() r3.Vec { return r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }
	for range 50 {
		a := scene.AddedMass{Linear: r3.Diag(r3.V(1, 5, 9)).Turned(r3.AxisAngle(vec(), r.Float64())),
			Mixed: r3.Columns(vec(), vec(), vec()).Scale(0.2), Angular: r3.Diag(r3.V(2, 3, 4))}
		mass, inertia, arm := 3.0, r3.Diag(r3.V(1, 1.5, 2)), vec().Scale(0.3)
		force, torque := vec(), vec()
		df, dt := Yield(&a, mass, inertia, arm, force, torque)
		accel := force.Add(df).Scale(1 / mass)
		inverse, _ := inertia.Inverse()
		turn := inverse.Apply(torque.Add(dt))
		// The fluid is given the time derivative of its momentum, about its own origin.
		origin := accel.Add(turn.Cross(arm))
		p := a.Linear.Apply(origin).Add(a.Mixed.Apply(turn))
		h := a.Mixed.ApplyT(origin).Add(a.Angular.Apply(turn)).Add(arm.Cross(p))
		if df.Add(p).Len() > 1e-9 || dt.Add(h).Len() > 1e-9 {
			t.Errorf("the body gives %v and %v to the fluid, which takes %v and %v", df.Neg(), dt.Neg(), p, h)
		}
	}
}

func TestTheEvenPartOfAnAddedMassIsAMass(t *testing.T) {
	a := scene.AddedMass{Linear: r3.Diag(r3.V(2, 5, 9)), Angular: r3.Diag(r3.V(1, 1, 1))}
	mass, rest := Split(&a)
	if math.Abs(mass-2) > 1e-12 || rest.Linear.Apply(r3.V(1, 1, 1)).Dist(r3.V(0, 3, 7)) > 1e-12 ||
		rest.Angular != (r3.Mat{}) {
		t.Errorf("%v kg and %+v", mass, rest)
	}
	even := scene.AddedMass{Linear: r3.Diag(r3.V(4, 4, 4))}
	if mass, rest := Split(&even); mass != 4 || !rest.IsZero() {
		t.Errorf("of an even one %v kg and %+v", mass, rest)
	}
}

func TestARotorThrustsWithTheSquareOfItsSpeed(t *testing.T) {
	r := scene.Rotor{Thrust: 2e-5, Torque: 4e-7, SideDrag: 1e-4, Rolling: 1e-6, Most: 800,
		Rise: 0.01, Fall: 0.02}
	up := r3.V(0, 0, 1)
	force, torque := OnRotor(&r, up, r3.V(3, 0, 5), 400)
	if force.Dist(r3.V(-400*1e-4*3, 0, 3.2)) > 1e-12 || torque.Dist(r3.V(-400*1e-6*3, 0, -0.064)) > 1e-12 {
		t.Errorf("force %v, torque %v", force, torque)
	}
	if w := SpeedFor(&r, 3.2); math.Abs(w-400) > 1e-9 {
		t.Errorf("3.2 N take %v rad/s, want 400", w)
	}
	if w := NextSpeed(&r, 100, 200, 0.01); math.Abs(w-(200-100/math.E)) > 1e-9 {
		t.Errorf("it rises to %v", w)
	}
	if w := NextSpeed(&r, 200, 100, 0.02); math.Abs(w-(100+100/math.E)) > 1e-9 {
		t.Errorf("it falls to %v", w)
	}
	if Allowed(&r, 900) != 800 || Allowed(&r, -5) != 0 {
		t.Errorf("it may turn at %v and %v rad/s", Allowed(&r, 900), Allowed(&r, -5))
	}
	r.Reverses = true
	if Allowed(&r, -900) != -800 {
		t.Errorf("backward it may turn at %v rad/s", Allowed(&r, -900))
	}
}
