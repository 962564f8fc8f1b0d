package dynamics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// weldedDiscs are two thin discs of random size and density on a fixed joint. They fall to the ground and
// rock on their rims without rolling resistance.
func weldedDiscs(t testing.TB, seed uint64, mu float64, substeps int) *scene {
	r := rand.New(rand.NewPCG(seed, 9))
	s := newScene(t, mu, Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true, Substeps: substeps})
	s.ground()
	disc := func(p r3.Vec) BodyID {
		l := 0.05 * math.Pow(8, r.Float64())
		sh := shape.Cylinder{Radius: 0.5 * l, Half: 0.02 * l}
		return s.body(sh, sh.Mass(200*math.Pow(100, r.Float64())).Mass,
			r3.Pose{Pos: p, Rot: randomPose(r, 1).Rot}, 0)
	}
	a := disc(r3.V(0, 0, 0.4))
	b := disc(r3.V(0.4*r.Float64(), 0.2, 0.45))
	pa, pb := s.Body(a).Pose(), s.Body(b).Pose()
	point := r3.Pose{Pos: pa.Pos.Lerp(pb.Pos, r.Float64()), Rot: r3.Identity()}
	must[JointID](s)(s.AddJoint(JointDef{Type: Fixed, Parent: a, Child: b, ParentFrame: pa.Relative(point),
		ChildFrame: pb.Relative(point), Axis: r3.V(0, 0, 1)}))
	return s
}

// eccentricWheels are two wheels on one axle with the center of mass 4 cm off the axle, so that they roll to
// and fro.
func eccentricWheels(t testing.TB, mu float64, substeps int) *scene {
	s := newScene(t, mu, Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true, Substeps: substeps})
	s.ground()
	b := must[BodyID](s)(s.AddBody(BodyDef{
		Type: Dynamic, Pose: r3.Pose{Pos: r3.V(0, 0, 0.1), Rot: r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2)},
		Mass: 1, COM: r3.V(0.04, 0, 0),
		Inertia: r3.Diag(r3.V(0.004, 0.004, 0.004)),
	}))
	s.added = append(s.added, b)
	for _, side := range []float64{-0.05, 0.05} {
		s.geom(b, shape.Cylinder{Radius: 0.1, Half: 0.005}, at(0, 0, side))
	}
	return s
}

// TestBodiesRockingOnTheirRimsGainNoEnergy: the peak energy per 500 steps never rises by more than 1e-4 of
// its scale over 100,000 steps. The bodies are eccentric wheels and welded discs, with steps of 4 ms and of
// 1/60 s.
func TestBodiesRockingOnTheirRimsGainNoEnergy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 15 s")
	}
	worlds := map[string]*scene{}
	for _, substeps := range []int{0, 2, 4} {
		worlds[fmt.Sprintf("wheels, %d substeps", substeps)] = eccentricWheels(t, 0.3, substeps)
		if substeps == 0 {
			continue
		}
		for _, seed := range []uint64{8, 9, 14} {
			worlds[fmt.Sprintf("discs %d, %d substeps", seed, substeps)] = weldedDiscs(t, seed, 0.5, substeps)
		}
	}
	for name, s := range worlds {
		const swing = 500
		dt := 0.004
		if s.cfg.Substeps == 0 {
			dt = 1.0 / 60
		}
		base := 0.0
		for _, b := range s.added {
			base += s.bodies.massProps[b.slot].mass * 9.81 * s.bodies.massProps[b.slot].radius
		}
		s.step(dt, 2*swing)
		least := math.Inf(1)
		for i := range 100_000 / swing {
			top := math.Inf(-1)
			for range swing {
				s.step(dt, 1)
				top = max(top, s.heapEnergy())
			}
			if top > least+1e-4*base {
				t.Errorf("%s: %.6g J after %d steps, had come down to %.6g J", name, top, (i+1)*swing, least)
				break
			}
			least = min(least, top)
		}
	}
}

// TestEccentricWheelsRollHardlyDamped: the rolling contact dissipates less than 0.1 % of the energy in 4 s.
func TestEccentricWheelsRollHardlyDamped(t *testing.T) {
	s := eccentricWheels(t, 1, 2)
	s.step(0.002, 1)
	before := s.heapEnergy()
	s.step(0.002, 2000)
	top := 0.0
	for range 500 {
		s.step(0.002, 1)
		top = max(top, s.heapEnergy())
	}
	if !(top > 0.999*before) {
		t.Errorf("%.4g J after 4 s, %.4g J before", top, before)
	}
}

// rollingSteps are the step rates of these tests, Hz: games, robot controllers, and fine ones.
var rollingSteps = []int{60, 240, 1000}

// leapfrogEnergy is heapEnergy in the middle of the last substep, where a leapfrog integrator's velocities
// belong. Such an integrator conserves this energy and not heapEnergy.
func (s *scene) leapfrogEnergy(dt float64) float64 {
	e, h := s.heapEnergy(), dt/float64(s.stats.Substeps)
	for _, b := range s.added {
		e -= 0.5 * h * 9.81 * s.bodies.massProps[b.slot].mass * s.bodies.motion[b.slot].v.Z
	}
	return e
}

// energies returns the least and the largest energy over some seconds, relative to the energy after the first
// step.
func (s *scene) energies(dt, seconds float64) (least, most float64) {
	s.step(dt, 1)
	first := s.leapfrogEnergy(dt)
	least, most = first, first
	for range int(seconds / dt) {
		s.step(dt, 1)
		e := s.leapfrogEnergy(dt)
		least, most = min(least, e), max(most, e)
	}
	return least / first, most / first
}

// eccentricTurn is the angle, rad, by which eccentricWheels have turned after a time when they roll without
// slipping. They start at w with the center of mass beside the axle.
//
// Their equation of motion is (I + m·c²)·θ” = m·e·g·cos θ + m·e·r·cos θ·θ'², where c is the distance from the
// contact point to the center of mass. A leapfrog integrator with substeps of h has w half a substep earlier.
func eccentricTurn(w, h, time float64) float64 {
	const mass, e, r, inertia = 1, 0.04, 0.1, 0.004
	slope := func(x [4]float64) [4]float64 {
		height := r - e*math.Sin(x[0]) // of the centre of mass
		side := e * math.Cos(x[0])
		all := inertia + mass*(height*height+side*side)
		return [4]float64{x[1], (mass*g*side + mass*r*side*x[1]*x[1]) / all}
	}
	n := int(math.Ceil(time / 1e-4))
	start := slope([4]float64{0, w})[1]
	x := rungeKutta([4]float64{0, w + 0.5*h*start}, time/float64(n), n, slope, along4)
	return x[0]
}

// rollingWheels are eccentricWheels that roll without slipping from the start, at w.
func rollingWheels(t testing.TB, w float64) *scene {
	s := eccentricWheels(t, 5, 0)
	b := s.added[0]
	turn := r3.V(0, w, 0)
	s.check(s.Body(b).SetTwist(r3.Twist{Linear: turn.Cross(s.Body(b).Pose().Pos), Angular: turn}))
	return s
}

// TestEccentricWheelsFollowTheirEquationOfMotion: for two seconds their position agrees with a Runge–Kutta
// solution, and for a minute they keep their energy. They rock to and fro at w = 0 and keep rolling at 8
// rad/s.
func TestEccentricWheelsFollowTheirEquationOfMotion(t *testing.T) {
	// The bound is in m per s of a substep. A start near the unstable equilibrium amplifies the error of the
	// first steps.
	for w, bound := range map[float64]float64{0: 0.3, 8: 5} {
		for _, hertz := range rollingSteps {
			name, dt := fmt.Sprintf("%v rad/s at 1/%d s", w, hertz), 1/float64(hertz)
			s := rollingWheels(t, w)
			s.step(dt, 2*hertz)
			got, want := s.Body(s.added[0]).COM(), eccentricTurn(w, dt/float64(s.stats.Substeps), 2)
			off := math.Abs(got.X - float64(0.1*want) - float64(0.04*math.Cos(want)))
			least, most := rollingWheels(t, w).energies(dt, 60)
			if !(off <= bound/float64(hertz*s.stats.Substeps)) {
				t.Errorf("%s: off by %.3g m after %.3g m", name, off, 0.1*want)
			}
			if !(least > 0.996 && most < 1.0003) {
				t.Errorf("%s: energy went from %.5f to %.5f of what it was", name, least, most)
			}
		}
	}
}

// eulersDisc is Euler's disc without dissipation: a thin disc tilted on its rim that precesses about its
// center of mass, which stays at rest. Its angular velocity is along the line from its center to the contact
// point.
func eulersDisc(t testing.TB, radius, tilt float64) *scene {
	s := newScene(t, 2, earth())
	s.ground()
	half := 0.02 * radius
	rot := r3.AxisAngle(r3.V(0, 1, 0), tilt)
	low := rot.Rotate(r3.V(radius, 0, -half))
	b := s.body(shape.Cylinder{Radius: radius, Half: half}, 1, r3.Pose{Pos: r3.V(0, 0, -low.Z), Rot: rot}, 0)
	// With ω = k·u the angular momentum is k·l and precesses about the vertical at k·rate, as the axis does.
	// The moment of the ground's force gives k²·rate·(z × l) = low × g.
	u, _ := low.Unit()
	axis := rot.Rotate(r3.V(0, 0, 1))
	in := s.Body(b).Mass().Inertia
	l := axis.Scale(in.ZZ*u.Dot(axis)).AddScaled(in.XX, u.AddScaled(-u.Dot(axis), axis))
	rate := u.Z - u.X*axis.Z/axis.X
	k := math.Sqrt(low.Cross(r3.V(0, 0, g)).Y / (rate * r3.V(0, 0, 1).Cross(l).Y))
	s.check(s.Body(b).SetTwist(r3.Twist{Angular: u.Scale(k)}))
	return s
}

// TestEulersDiscKeepsItsEnergyAndTilt: without rolling resistance the disc keeps its energy to 1.5 % and its
// height to 3 % for a minute. The fastest one precesses by 0.6 rad per step.
func TestEulersDiscKeepsItsEnergyAndTilt(t *testing.T) {
	for _, d := range []struct{ radius, tilt float64 }{{0.4, 0.5}, {0.1, 0.3}, {0.0375, 0.3}, {0.1, 1.2}} {
		for _, hertz := range rollingSteps {
			s, dt := eulersDisc(t, d.radius, d.tilt), 1/float64(hertz)
			z := s.Body(s.added[0]).COM().Z
			least, most := s.energies(dt, 60)
			high := s.Body(s.added[0]).COM().Z / z
			if !(least > 0.985 && most < 1.0003 && math.Abs(high-1) < 0.03) {
				t.Errorf(
					"%v m, %v rad at 1/%d s: energy went from %.5f to %.5f of what it was, the height to %.4f",
					d.radius, d.tilt, hertz, least, most, high)
			}
		}
	}
}

// TestARollingContactIsSolvedToAHundredthInOnePass: its one point needs friction as well as a normal impulse,
// and each changes the other.
func TestARollingContactIsSolvedToAHundredthInOnePass(t *testing.T) {
	for _, tilt := range []float64{0.3, 0.5, 1.2} {
		s := eulersDisc(t, 0.1, tilt)
		s.stepChecked(0.001, 20)
		so := &s.solver
		if len(so.rollingContacts) != 1 || len(so.batches) != 1 {
			t.Fatalf("%d rolling contacts in %d batches, want one", len(so.rollingContacts), len(so.batches))
		}
		e, b := &so.rollingContacts[0], &so.batches[0]
		for k := range e.n {
			so.rows[int(b.firstRow)+k].impulse[e.lane] = 0
		}
		b.tangentImpulse1[e.lane], b.tangentImpulse2[e.lane] = 0, 0
		body := &so.states[e.body]
		body.v.Z -= 0.01
		began := *body
		so.solveBatches(0, 1, &so.relaxIteration)
		so.iterateRollingContacts(&so.relaxIteration)
		got := *body
		for range 200 {
			so.solveContactLane(b, int(e.lane), &so.relaxIteration)
		}
		left := max(got.v.Sub(body.v).Len()/body.v.Sub(began.v).Len(),
			got.w.Sub(body.w).Len()/body.w.Sub(began.w).Len())
		if left > 0.01 {
			t.Errorf("tilted by %v rad: a pass leaves a part of %v of the change of velocity", tilt, left)
		}
	}
}
