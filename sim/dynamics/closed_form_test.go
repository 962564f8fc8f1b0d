package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// tilted is a configuration with the gravity of a slope that descends along +x.
func tilted(deg float64) Config {
	s, c := math.Sincos(deg * math.Pi / 180)
	return Config{Gravity: r3.V(9.81*s, 0, -9.81*c), NoSleep: true}
}

func TestAFallingBallFollowsSemiImplicitEuler(t *testing.T) {
	s := newScene(t, 0.5, earth())
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 10), 0)
	s.stepChecked(1.0/240, 240)
	h := 1.0 / 240 / float64(s.Stats().Substeps)
	want := 10 - 0.5*9.81 - 0.5*9.81*h
	if got := s.Body(b).Pose().Pos.Z; math.Abs(got-want) > 1e-9 {
		t.Errorf("z after 1 s is %v, want %v", got, want)
	}
	if v := s.Body(b).Twist().Linear.Z; math.Abs(v+9.81) > 1e-9 {
		t.Errorf("speed %v", v)
	}
	if a := s.Body(b).Acceleration().Linear.Z; math.Abs(a+9.81) > 1e-9 {
		t.Errorf("acceleration %v", a)
	}
}

func TestABoxOnASlopeSticksBelowItsFrictionAngleAndSlidesAbove(t *testing.T) {
	for _, dt := range []float64{1.0 / 240, 0.001, 1.0 / 60} {
		for _, deg := range []float64{20, 26, 27, 30} {
			s := newScene(t, 0.5, tilted(deg))
			s.ground()
			b := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0, 0, 0.1), 0)
			s.stepChecked(dt, int(math.Round(2/dt)))
			sin, cos := math.Sincos(deg * math.Pi / 180)
			want := max(0, 0.5*9.81*(sin-0.5*cos)*4)
			got := s.Body(b).Pose().Pos
			// In the first steps the box sinks into its contacts and rocks a little, more so at long steps.
			if math.Abs(got.X-want) > 0.003+0.01*want+0.3*dt {
				t.Errorf("dt %.4f, %v°: slid %.5f m, want %.5f", dt, deg, got.X, want)
			}
			if math.Abs(got.Z-0.1) > 1e-3 || math.Abs(got.Y) > 1e-3 {
				t.Errorf("dt %.4f, %v°: ended at %v", dt, deg, got)
			}
		}
	}
}

func TestABallRollsDownASlopeAsTheTextbookSays(t *testing.T) {
	s := newScene(t, 0.5, tilted(10))
	s.ground()
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0.1), 0)
	s.stepChecked(1.0/240, 480)
	want := 0.5 * 5 / 7 * 9.81 * math.Sin(10*math.Pi/180) * 4
	if got := s.Body(b).Pose().Pos.X; math.Abs(got/want-1) > 0.003 {
		t.Errorf("rolled %v, want %v", got, want)
	}
	tw := s.Body(b).Twist()
	if slip := tw.Linear.X - tw.Angular.Y*0.1; math.Abs(slip) > 1e-3 {
		t.Errorf("slips at %v m/s", slip)
	}
}

func TestABarPendulumKeepsItsPeriod(t *testing.T) {
	s := newScene(t, 0.5, earth())
	rot := r3.AxisAngle(r3.V(0, 1, 0), math.Pi/2)
	b := s.body(shape.Box{Half: r3.V(0.02, 0.02, 0.5)}, 1, r3.Pose{Pos: r3.V(0.5, 0, 5), Rot: rot}, 0)
	j := s.hinge(BodyID{}, b, r3.V(0, 0, 5), r3.V(0, 1, 0))
	inertia := s.Body(b).Mass().Inertia.YY + 0.25
	k := agm(1, math.Sqrt(0.5)) // swings by 90° to each side
	period := 4 * math.Sqrt(inertia/(9.81*0.5)) * math.Pi / (2 * k)
	const dt = 1.0 / 240
	var crossings []float64
	last, top := 0.5, 0.0
	for i := range 2400 {
		s.stepChecked(dt, 1)
		x := s.Body(b).Pose().Pos.X
		if (x > 0) != (last > 0) {
			crossings = append(crossings, (float64(i)+last/(last-x))*dt)
		}
		last = x
		if i > 2000 {
			top = max(top, s.Body(b).Pose().Pos.Z)
		}
		if gap := s.Joint(j).Gap(); gap > 1e-3 {
			t.Fatalf("joint gap %v m at step %d", gap, i)
		}
	}
	n := (len(crossings) - 1) / 2 * 2
	got := (crossings[n] - crossings[0]) / float64(n/2)
	if math.Abs(got/period-1) > 0.01 {
		t.Errorf("period %v s, want %v", got, period)
	}
	if math.Abs(top-5) > 0.05 {
		t.Errorf("after 10 s it swings up to %v, started at 5", top)
	}
}

func agm(a, b float64) float64 {
	for range 40 {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	return a
}

func TestATumblingBoxKeepsItsEnergyAndMomentum(t *testing.T) {
	s := newScene(t, 0.5, Config{NoSleep: true})
	b := s.body(shape.Box{Half: r3.V(0.1, 0.2, 0.4)}, 1, at(0, 0, 10), 0)
	if err := s.Body(b).SetTwist(r3.Twist{Angular: r3.V(0.01, 5, 0.01)}); err != nil {
		t.Fatal(err)
	}
	inertia := s.Body(b).Mass().Inertia
	measure := func() (energy, momentum, spin float64) {
		w := s.Body(b).Pose().Rot.RotateBack(s.Body(b).Twist().Angular)
		l := inertia.Apply(w)
		return 0.5 * w.Dot(l), l.Len(), w.Y
	}
	e0, l0, _ := measure()
	least := 9.0
	for range 2400 {
		s.stepChecked(1.0/240, 1)
		_, _, y := measure()
		least = min(least, y)
	}
	e1, l1, _ := measure()
	if math.Abs(e1/e0-1) > 1e-3 || math.Abs(l1/l0-1) > 1e-9 {
		t.Errorf("energy × %v, momentum × %v", e1/e0, l1/l0)
	}
	if least > -4.9 {
		t.Errorf("turned about its middle axis it must flip; least spin %v", least)
	}
}
