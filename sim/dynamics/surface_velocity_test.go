package dynamics

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// belt is a box whose surface moves, with its top at z = 0.
func (s *scene) belt(v SurfaceVelocity, bodyType BodyType, mass float64) (BodyID, GeomID) {
	s.Helper()
	box := shape.BoxOf(r3.V(6, 2, 0.1))
	m := box.Mass(1)
	b := must[BodyID](s)(s.AddBody(BodyDef{Type: bodyType, Pose: at(0, 0, -0.05), Mass: mass,
		Inertia: m.Inertia.Scale(mass / m.Mass)}))
	return b, must[GeomID](s)(s.AddGeom(b,
		GeomDef{Shape: box, Material: Material{Friction: s.mu, Velocity: v}}))
}

// riders are bodies that touch a surface, by how they are solved.
func riders() map[string]func(*scene) BodyID {
	cube := shape.BoxOf(r3.V(0.2, 0.2, 0.2))
	pair := func(s *scene) (lower BodyID, joint JointID) {
		lower = s.body(cube, 1, at(0, 0, 0.1), 1)
		upper := s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.02)), 0.1, at(0, 0, 0.21), 1)
		return lower, s.hinge(lower, upper, r3.V(0, 0, 0.2), r3.V(0, 0, 1))
	}
	robot := func(s *scene) BodyID {
		b, j := pair(s)
		if err := s.Articulate([]JointID{j}); err != nil {
			s.Fatal(err)
		}
		return b
	}
	return map[string]func(*scene) BodyID{
		"free body": func(s *scene) BodyID { return s.body(cube, 1, at(0, 0, 0.1), 0) },
		"compliant": func(s *scene) BodyID {
			b := s.body(cube, 1, at(0, 0, 0.1), 0)
			s.geoms.all[s.Body(b).Geoms(nil)[0].slot].material.Slip = 1e-6
			return b
		},
		"robot": robot,
		"robot in passes": func(s *scene) BodyID {
			s.solver.passesOnly = true
			return robot(s)
		},
		"bodies on a joint": func(s *scene) BodyID {
			b, _ := pair(s)
			return b
		},
		"reweighted": func(s *scene) BodyID {
			return s.body(shape.BoxOf(r3.V(0.4, 0.2, 0.1)), 1, at(0, 0, 0.05), 0)
		},
	}
}

// TestABeltTakesAlongWhatLiesOnIt: under friction µ·g until both are as fast, at v·t − v²/(2µg).
func TestABeltTakesAlongWhatLiesOnIt(t *testing.T) {
	for name, put := range riders() {
		for kind, v := range map[string]SurfaceVelocity{
			"field": {Linear: r3.V(0.5, 0, 0)},
			"belt":  {Belt: r3.V(0, 0.5, 0)},
		} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				s := newScene(t, 0.6, earth())
				s.belt(v, Static, 0)
				b := put(s)
				s.stepChecked(0.001, 2000)
				want := 0.5*2 - 0.25/(2*0.6*9.81)
				x, w := s.Body(b).COM(), s.Body(b).Twist()
				if math.Abs(x.X-want) > 2e-3 || math.Abs(x.Y) > 1e-4 || math.Abs(w.Linear.X-0.5) > 1e-4 ||
					w.Angular.Len() > 1e-3 {
					t.Errorf("at %v after 2 s with %v; want x %.4f and 0.5 m/s", x, w, want)
				}
			})
		}
	}
}

// TestABeltRunsBackBelowIt: what hangs under a belt's box, pressed against it, goes the other way.
func TestABeltRunsBackBelowIt(t *testing.T) {
	s := newScene(t, 0.6, Config{Gravity: r3.V(0, 0, 9.81), NoSleep: true})
	s.belt(SurfaceVelocity{Belt: r3.V(0, 0.5, 0)}, Static, 0)
	b := s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(0, 0, -0.2), 0)
	s.stepChecked(0.001, 1000)
	if v := s.Body(b).Twist().Linear.X; math.Abs(v+0.5) > 1e-4 {
		t.Errorf("%g m/s under a belt of 0.5 m/s, want −0.5", v)
	}
}

// TestATurntableTurnsWhatLiesOnIt: in its middle on the spot, else around; friction holds it there.
func TestATurntableTurnsWhatLiesOnIt(t *testing.T) {
	for name, put := range riders() {
		for _, from := range []float64{0, 0.5} {
			s := newScene(t, 0.6, earth())
			s.belt(SurfaceVelocity{Angular: r3.V(0, 0, 1)}, Static, 0)
			b := put(s)
			for _, id := range s.added {
				p := s.Body(id).Pose()
				p.Pos.X += from
				if err := s.Body(id).SetPose(p); err != nil {
					t.Fatal(err)
				}
			}
			s.stepChecked(0.001, 2000)
			x, w := s.Body(b).COM(), s.Body(b).Twist().Angular.Z
			if r := math.Hypot(x.X, x.Y); math.Abs(r-from) > 0.02 || math.Abs(w-1) > 5e-3 {
				t.Errorf("%s, %g m from the axis: %.4f m and %.4f rad/s after 2 s, want the same and 1", name, from,
					r, w)
			}
		}
	}
}

// TestABeltPushesItsOwnBodyBack keeps the sum of momenta where nothing else holds the belt.
func TestABeltPushesItsOwnBodyBack(t *testing.T) {
	for name, put := range riders() {
		s := newScene(t, 0, Config{NoSleep: true, Gravity: r3.V(0, 0, -9.81)})
		s.fixed(shape.Plane{}, at(0, 0, -0.1))
		s.mu = 0.6
		belt, _ := s.belt(SurfaceVelocity{Linear: r3.V(0.5, 0, 0)}, Dynamic, 10)
		b := put(s)
		s.stepChecked(0.001, 1000)
		sum, mass := 10*s.Body(belt).Twist().Linear.X, 0.0
		for _, id := range s.added {
			m := s.Body(id).Mass().Mass
			mass += m
			sum += m * s.Body(id).Twist().Linear.X
		}
		off := s.Body(b).Twist().Linear.X - s.Body(belt).Twist().Linear.X
		if math.Abs(sum) > 1e-4 || math.Abs(off-0.5) > 1e-3 || mass == 0 {
			t.Errorf("%s: momentum %g N·s and %g m/s against the belt, want 0 and 0.5", name, sum, off)
		}
	}
}

// trackedVehicle is a hull with a belt on each side, 0.5 m apart, and with an arm a robot.
func (s *scene) trackedVehicle(length, left, right float64, arm bool) BodyID {
	s.Helper()
	hull := shape.BoxOf(r3.V(0.6, 0.3, 0.1))
	m := hull.Mass(1)
	b := must[BodyID](s)(s.AddBody(BodyDef{Type: Dynamic, Pose: at(0, 0, 0.1), Mass: 10,
		Inertia: m.Inertia.Scale(10 / m.Mass)}))
	for side, v := range [2]float64{left, right} {
		g := must[GeomID](s)(s.AddGeom(b, GeomDef{Shape: shape.BoxOf(r3.V(length, 0.1, 0.2)),
			Pose:     at(0, 0.25-0.5*float64(side), 0),
			Material: Material{Friction: s.mu, Velocity: SurfaceVelocity{Belt: r3.V(0, 1, 0)}}}))
		if err := s.Geom(g).SetSurfaceSpeed(v); err != nil {
			s.Fatal(err)
		}
	}
	if arm {
		top := s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), 1, at(0, 0, 0.3), 0)
		if err := s.Articulate([]JointID{s.hinge(b, top, r3.V(0, 0, 0.2), r3.V(0, 0, 1))}); err != nil {
			s.Fatal(err)
		}
	}
	return b
}

// TestBeltsDriveAVehicleStraightOn, as fast as they run.
func TestBeltsDriveAVehicleStraightOn(t *testing.T) {
	for _, arm := range []bool{false, true} {
		for _, v := range []float64{1, -0.5} {
			s := newScene(t, 0.8, earth())
			s.ground()
			b := s.trackedVehicle(0.6, v, v, arm)
			s.stepChecked(0.001, 2000)
			if w := s.Body(b).Twist(); math.Abs(w.Linear.X-v) > 1e-3 || w.Angular.Len() > 1e-3 {
				t.Errorf("arm %v, belts of %g m/s: %v", arm, v, w)
			}
		}
	}
}

// TestBeltsTurnAVehicleOnTheSpotAsTheirSlipLetsThem: as fast as Coulomb's friction at the four corners of
// each belt would, whose torques are none together at that speed.
func TestBeltsTurnAVehicleOnTheSpotAsTheirSlipLetsThem(t *testing.T) {
	for _, length := range []float64{0.3, 0.6, 0.9} {
		for _, v := range []float64{0.1, 0.5, 1} {
			for _, arm := range []bool{false, true} {
				s := newScene(t, 0.8, earth())
				s.ground()
				b := s.trackedVehicle(length, -v, v, arm)
				s.stepChecked(0.001, 1000)
				from := s.Body(b).Pose().Rot.Yaw()
				s.step(0.001, 500)
				got := math.Remainder(s.Body(b).Pose().Rot.Yaw()-from, 2*math.Pi) / 0.5
				if want := spotTurn(length, v); math.Abs(got-want) > 0.05*want {
					t.Errorf("belts of %g m at %g m/s, arm %v: %.4f rad/s, by corners %.4f", length, v, arm, got, want)
				}
			}
		}
	}
}

// spotTurn is the speed, rad/s, at which the friction at the corners of two belts that run against each other
// has no torque. The belts are 0.1 m wide and 0.5 m apart.
func spotTurn(length, v float64) float64 {
	torque := func(w float64) (sum float64) {
		for _, x := range [2]float64{-length / 2, length / 2} {
			for _, y := range [2]float64{0.2, 0.3} {
				along, across := v-w*y, w*x
				sum += (along*y - across*x) / math.Hypot(along, across)
			}
		}
		return sum
	}
	low, high := 0.0, v/0.2
	for range 60 {
		if mid := (low + high) / 2; torque(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// TestABeltThatStandsLetsSleepAndWakesWhenItRuns: what it rubs on stays awake.
func TestABeltThatStandsLetsSleepAndWakesWhenItRuns(t *testing.T) {
	s := newScene(t, 0.6, Config{Gravity: r3.V(0, 0, -9.81)})
	_, g := s.belt(SurfaceVelocity{Linear: r3.V(0.5, 0, 0)}, Static, 0)
	if err := s.Geom(g).SetSurfaceSpeed(0); err != nil {
		t.Fatal(err)
	}
	b := s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(0, 0, 0.1), 0)
	s.fixed(shape.BoxOf(r3.V(0.2, 1, 1)), at(1, 0, 0.5))
	s.stepChecked(0.004, 500)
	if s.Body(b).Awake() {
		t.Fatal("awake on a belt that stands")
	}
	if err := s.Geom(g).SetSurfaceSpeed(1); err != nil {
		t.Fatal(err)
	}
	if !s.Body(b).Awake() {
		t.Fatal("asleep on a belt that runs")
	}
	s.stepChecked(0.004, 1000)
	if x := s.Body(b).COM().X; math.Abs(x-0.8) > 0.01 || !s.Body(b).Awake() {
		t.Errorf("at %g before a wall, awake %v; want at 0.8 and awake: the belt rubs", x, s.Body(b).Awake())
	}
	if err := s.Geom(g).SetSurfaceSpeed(0); err != nil {
		t.Fatal(err)
	}
	s.stepChecked(0.004, 500)
	if s.Body(b).Awake() {
		t.Error("awake on a belt that stands again")
	}
}

// TestTheSpeedOfASurfaceIsPartOfTheState: of copies, and of states that are saved.
func TestTheSpeedOfASurfaceIsPartOfTheState(t *testing.T) {
	s := newScene(t, 0.6, earth())
	_, g := s.belt(SurfaceVelocity{Linear: r3.V(0.5, 0, 0)}, Static, 0)
	s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(0, 0, 0.1), 0)
	s.step(0.001, 10)
	before, state := s.Hash(), s.AppendState(nil)
	if err := s.Geom(g).SetSurfaceSpeed(-2); err != nil {
		t.Fatal(err)
	}
	other := newScene(t, 0.6, earth())
	other.CopyFrom(s.World)
	s.step(0.001, 100)
	other.step(0.001, 100)
	if a, b := s.Hash(), other.Hash(); a != b {
		t.Errorf("a copy goes on to %016x, the world itself to %016x", b, a)
	}
	if err := s.RestoreState(state); err != nil {
		t.Fatal(err)
	}
	if h, v := s.Hash(), s.Geom(g).SurfaceSpeed(); h != before || v != 1 {
		t.Errorf("restored to %016x and the factor %g, want %016x and 1", h, v, before)
	}
}

// TestSurfaceSpeedsAreChecked: they are finite and bounded, and of a surface that moves.
func TestSurfaceSpeedsAreChecked(t *testing.T) {
	s := newScene(t, 0.6, earth())
	b, g := s.belt(SurfaceVelocity{Linear: r3.V(0.5, 0, 0)}, Static, 0)
	still := s.geom(b, shape.Sphere{Radius: 1}, at(0, 0, 9))
	for _, c := range []struct {
		of   GeomID
		v    float64
		want error
	}{
		{g, math.NaN(), ErrInvalid}, {g, math.Inf(1), ErrInvalid}, {g, 1.5e6, ErrInvalid},
		{still, 1, ErrInvalid}, {GeomID{77, 1}, 1, ErrGone}, {g, -3, nil}, {g, 0.9e6, nil},
	} {
		if err := s.Geom(c.of).SetSurfaceSpeed(c.v); !errors.Is(err, c.want) {
			t.Errorf("speed %g of %v: %v, want %v", c.v, c.of, err, c.want)
		}
	}
	for _, v := range []SurfaceVelocity{{Linear: r3.V(math.NaN(), 0, 0)}, {Angular: r3.V(0, math.Inf(1), 0)},
		{Belt: r3.V(0, 0, 1e7)}} {
		d := GeomDef{Shape: shape.Sphere{Radius: 1}, Material: Material{Velocity: v}}
		if _, err := s.AddGeom(b, d); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v, want %v", v, err, ErrInvalid)
		}
	}
}
