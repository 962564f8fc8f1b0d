package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// crankBar and the others are a four-bar linkage's lengths in the x–z plane, m: crank from the origin,
// coupler, rocker from (ground, 0), ground. The crank makes full turns.
const crankBar, couplerBar, rockerBar, groundBar = 0.3, 0.9, 0.6, 1.0

// linkage returns the angles of coupler and rocker at an angle of the crank, and their derivatives.
func linkage(theta float64) (phi, psi, dPhi, dPsi float64) {
	ax, az := crankBar*math.Cos(theta), crankBar*math.Sin(theta)
	dx, dz := groundBar-ax, -az
	far := math.Hypot(dx, dz)
	phi = math.Atan2(dz, dx) + math.Acos((far*far+
		couplerBar*couplerBar-rockerBar*rockerBar)/(2*far*couplerBar))
	bx, bz := ax+couplerBar*math.Cos(phi), az+couplerBar*math.Sin(phi)
	psi = math.Atan2(bz, bx-groundBar)
	dPhi = -crankBar * math.Sin(psi-theta) / (couplerBar * math.Sin(psi-phi))
	dPsi = crankBar * math.Sin(phi-theta) / (rockerBar * math.Sin(phi-psi))
	return phi, psi, dPhi, dPsi
}

// fourBar is such a linkage on the world; the joint of coupler and rocker closes the loop, and the crank
// turns at a speed, rad/s.
func fourBar(t testing.TB, c Config, theta, speed float64) (s *scene, joints []JointID) {
	s = newScene(t, 0, c)
	phi, psi, dPhi, dPsi := linkage(theta)
	y := r3.V(0, -1, 0) // so that angles go from x to z
	bar := func(x, z, angle, length, spin float64, from r3.Vec) BodyID {
		half := r3.V(0.5*length, 0.02, 0.02)
		rot := r3.AxisAngle(y, angle)
		pos := r3.V(x, 0, z).Add(rot.Rotate(r3.V(0.5*length, 0, 0)))
		b := s.body(shape.Box{Half: half}, length, r3.Pose{Pos: pos, Rot: rot}, 1)
		w := y.Scale(spin)
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: from.Add(w.Cross(rot.Rotate(r3.V(0.5*length, 0, 0)))),
			Angular: w}))
		return b
	}
	a := r3.V(crankBar*math.Cos(theta), 0, crankBar*math.Sin(theta))
	b := r3.V(groundBar+rockerBar*math.Cos(psi), 0, rockerBar*math.Sin(psi))
	crank := bar(0, 0, theta, crankBar, speed, r3.Vec{})
	coupler := bar(a.X, a.Z, phi, couplerBar, dPhi*speed, y.Scale(speed).Cross(a))
	rocker := bar(groundBar, 0, psi, rockerBar, dPsi*speed, r3.Vec{})
	joints = []JointID{s.hinge(BodyID{}, crank, r3.Vec{}, y), s.hinge(crank, coupler, a, y),
		s.hinge(BodyID{}, rocker, r3.V(groundBar, 0, 0), y)}
	s.check(s.Articulate(joints))
	return s, append(joints, s.hinge(coupler, rocker, b, y))
}

// fourBarInertia is the linkage's inertia reflected to the crank, kg·m², and its potential energy, J.
func fourBarInertia(theta float64) (inertia, weight float64) {
	phi, psi, dPhi, dPsi := linkage(theta)
	// of a box of as many kg
	about := func(length float64) float64 { return length * (length*length + 0.04*0.04) / 12 }
	// Crank and rocker rotate about their pivots; the coupler moves with the crank's end and rotates about
	// it.
	x := -crankBar*math.Sin(theta) - 0.5*couplerBar*math.Sin(phi)*dPhi
	z := crankBar*math.Cos(theta) + 0.5*couplerBar*math.Cos(phi)*dPhi
	inertia = about(crankBar) + crankBar*0.25*crankBar*crankBar + about(couplerBar)*dPhi*dPhi +
		couplerBar*(x*x+z*z) +
		(about(rockerBar)+rockerBar*0.25*rockerBar*rockerBar)*dPsi*dPsi
	weight = crankBar*0.5*crankBar*math.Sin(theta) +
		couplerBar*(crankBar*math.Sin(theta)+0.5*couplerBar*math.Sin(phi)) +
		rockerBar*0.5*rockerBar*math.Sin(psi)
	return inertia, weight * g
}

// fourBarAt integrates the crank's angle over n steps of 0.1 ms, by Lagrange's equation ½(I θ'²)' = -V' and
// the Runge–Kutta rule.
func fourBarAt(theta, speed, gravity float64, n int) float64 {
	const d = 1e-5
	slope := func(x [4]float64) [4]float64 {
		in, _ := fourBarInertia(x[0])
		up, high := fourBarInertia(x[0] + d)
		down, low := fourBarInertia(x[0] - d)
		return [4]float64{x[1], -(0.5*(up-down)/(2*d)*x[1]*x[1] + gravity*(high-low)/(2*d)) / in}
	}
	return rungeKutta([4]float64{theta, speed}, 1e-4, n, slope, along4)[0]
}

// TestAFourBarLinkageFollowsLagrangesEquation for a minute: the coupler follows the crank's angle within a
// nanometre, that angle Lagrange's equation, and energy is conserved.
func TestAFourBarLinkageFollowsLagrangesEquation(t *testing.T) {
	for _, c := range []struct {
		name                  string
		gravity, theta, speed float64
		dt                    float64
		// at most: of the crank after 2 s, rad; of energy, a part; of the coupler, m; of the joint, m
		angle, drift, off, gap float64
	}{
		{"swings, 1 ms", 1, -0.4, 0, 0.001, 2e-5, 1e-9, 1e-11, 1e-11},
		{"swings, 4 ms", 1, -0.4, 0, 0.004, 1e-4, 1e-9, 1e-10, 1e-10},
		{"goes round without weight", 0, 0.5, 3, 0.004, 2e-6, 1e-9, 1e-11, 1e-11},
		{"goes round fast", 0, 0.5, 20, 0.001, 1e-4, 1e-9, 1e-10, 1e-10},
	} {
		s, joints := fourBar(t, Config{Gravity: r3.V(0, 0, -g*c.gravity), NoSleep: true}, c.theta, c.speed)
		run := []moment{s.moment()}
		turned, off, gap := 0.0, 0.0, 0.0
		for i := range int(60 / c.dt) {
			s.stepChecked(c.dt, 1)
			gap = max(gap, s.Joint(joints[3]).Gap())
			theta := c.theta + s.Joint(joints[0]).State().Position
			phi, _, _, _ := linkage(theta)
			want := r3.V(crankBar*math.Cos(theta)+0.5*couplerBar*math.Cos(phi), 0,
				crankBar*math.Sin(theta)+0.5*couplerBar*math.Sin(phi))
			off = max(off, s.Body(s.added[1]).COM().Dist(want))
			if i+1 == int(math.Round(2/c.dt)) {
				turned = theta
			}
			if i%50 == 0 {
				run = append(run, s.moment())
			}
		}
		angle := math.Abs(turned - fourBarAt(c.theta, c.speed, c.gravity, 20000))
		t.Logf("%-26s crank off by %.2g rad after 2 s, energy by %.2g, coupler by %.2g m, joint by %.2g m",
			c.name, angle, s.drift(run), off, gap)
		if !(angle <= c.angle && s.drift(run) <= c.drift && off <= c.off && gap <= c.gap) {
			t.Errorf(
				"%s: crank off by %.2g rad after 2 s, at most %v; energy by %.2g, %v; coupler by %.2g m, %v; joint by %.2g m, %v",
				c.name, angle, c.angle, s.drift(run), c.drift, off, c.off, gap, c.gap)
		}
	}
}

// TestAMotorDrivesALinkage at its speed against the friction of all four joints, with the loop closed.
func TestAMotorDrivesALinkage(t *testing.T) {
	for _, dt := range []float64{0.001, 0.004} {
		s, joints := fourBar(t, earth(), 0.5, 0)
		for _, j := range joints {
			s.World.joints.all[j.slot].friction = 0.05
		}
		s.check(s.Joint(joints[0]).SetMotorVelocity(4, 50))
		gap, off := 0.0, 0.0
		for i := range int(10 / dt) {
			s.stepChecked(dt, 1)
			gap = max(gap, s.Joint(joints[3]).Gap())
			if float64(i)*dt > 0.5 {
				off = max(off, math.Abs(s.Joint(joints[0]).State().Velocity-4))
			}
		}
		turned := s.Joint(joints[0]).State().Position
		t.Logf("%v: turned %v rad in 10 s, its speed off by %.2g, joint by %.2g m", dt, turned, off, gap)
		if gap > 1e-8 || off > 2e-3 || math.Abs(turned-40) > 0.05 {
			t.Errorf(
				"%v: turned %v rad in 10 s at 4 rad/s, its speed off by %v rad/s; the loop parts by %v m",
				dt, turned, off, gap)
		}
	}
}

// floatingLoop is a loop of five bars on ball and universal joints that tumbles in space; four joints are an
// articulation.
func floatingLoop(t testing.TB) (*scene, JointID) {
	s := newScene(t, 0, Config{NoSleep: true})
	var bars []BodyID
	corner := func(i int) r3.Vec {
		a := 2 * math.Pi * float64(i) / 5
		return r3.V(math.Cos(a), math.Sin(a), 0.1*float64(i%2))
	}
	for i := range 5 {
		a, b := corner(i), corner(i+1)
		mid, way := a.Lerp(b, 0.5), b.Sub(a)
		bars = append(bars, s.body(shape.Box{Half: r3.V(0.3*way.Len(), 0.03, 0.04)}, 1+float64(i),
			r3.Pose{Pos: mid, Rot: r3.Between(r3.V(1, 0, 0), way)}, 1))
	}
	var joints []JointID
	for i := range 5 {
		at := r3.Pose{Pos: corner(i + 1), Rot: r3.Identity()}
		d := JointDef{Type: Ball, Parent: bars[i], Child: bars[(i+1)%5],
			ParentFrame: s.Body(bars[i]).Pose().Relative(at),
			ChildFrame:  s.Body(bars[(i+1)%5]).Pose().Relative(at),
			Axis:        r3.V(0, 0, 1)}
		if i%2 == 0 {
			d.Type = Universal
		}
		joints = append(joints, must[JointID](s)(s.AddJoint(d)))
	}
	s.check(s.Articulate(joints[:4]))
	s.check(s.Body(bars[0]).SetTwist(r3.Twist{Linear: r3.V(0, 0, 1), Angular: r3.V(1, 2, 0.5)}))
	s.check(s.Body(bars[2]).SetTwist(r3.Twist{Linear: r3.V(0.3, 0.1, -1), Angular: r3.V(0, 1, -2)}))
	s.MeasureJoints()
	s.step(0.004, 1)
	return s, joints[4]
}

// TestAFloatingLoopConservesEnergyAndMomentum for a minute.
func TestAFloatingLoopConservesEnergyAndMomentum(t *testing.T) {
	s, loop := floatingLoop(t)
	run, gap := []moment{s.moment()}, 0.0
	for range 1500 {
		s.stepChecked(0.004, 10)
		gap = max(gap, s.Joint(loop).Gap())
		run = append(run, s.moment())
	}
	p := strayed(run, func(m moment) r3.Vec { _, _, p, _ := s.sums(m); return p }, nothing)
	l := strayed(run, func(m moment) r3.Vec { _, _, _, l := s.sums(m); return l }, nothing)
	t.Logf("energy off by %.2g, momentum by %.2g, angular by %.2g; the loop parts by %.2g m", s.drift(run), p,
		l, gap)
	if s.drift(run) > 1e-9 || p > 1e-9 || l > 1e-9 || gap > 1e-9 {
		t.Errorf("energy off by %v, momentum by %v, angular by %v; the loop parts by %v m", s.drift(run), p,
			l, gap)
	}
}

// TestAnArticulationWithALoopContinuesEquallyFromARestoredStateAndInACopy, without allocation: a driven
// linkage that is hit.
func TestAnArticulationWithALoopContinuesEquallyFromARestoredStateAndInACopy(t *testing.T) {
	build := func() *scene {
		s, joints := fourBar(t, earth(), 0.5, 0)
		s.mu = 0.6
		s.check(s.Joint(joints[0]).SetMotorVelocity(3, 20))
		s.fixed(shape.BoxOf(r3.V(4, 4, 0.1)), at(0, 0, -0.6))
		for i := range 6 {
			s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), 0.5, at(0.2*float64(i), 0, 1.2), 0)
		}
		return s
	}
	a := build()
	a.stepChecked(0.004, 200)
	b, c := build(), newScene(t, 0.6, Config{})
	b.check(b.RestoreState(a.AppendState(nil)))
	c.CopyFrom(a.World)
	for i := range 300 {
		a.stepChecked(0.004, 1)
		b.stepChecked(0.004, 1)
		c.stepChecked(0.004, 1)
		if a.Hash() != b.Hash() || a.Hash() != c.Hash() {
			t.Fatalf("apart after %d steps", i+1)
		}
	}
	if n := testing.AllocsPerRun(100, func() { a.step(0.004, 1) }); n > 0 {
		t.Errorf("%v allocations per step", n)
	}
}
