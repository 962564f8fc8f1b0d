package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const g = 9.81

var none = math.NaN()

// accuracyMotions are bodies that fall, roll, spin, swing and collide.
func accuracyMotions() []accuracyCase {
	return []accuracyCase{
		{name: "free fall", unit: "way after 60 s, part", dt: 0.004, seconds: 60, every: 250, build: freeBall,
			judge: func(s *scene, run []moment) verdict {
				want := 0.5 * g * 3600
				m := strayed(run, func(m moment) r3.Vec { return m.twist[0].Linear },
					func(k int) r3.Vec { return r3.V(0, 0, -g*float64(k)) })
				return verdict{math.Abs(run[60].pose[0].Pos.Z+want) / want, s.drift(run), m}
			}, most: verdict{4e-5, 4e-5, 1e-10}},
		{name: "rolls down 10 degrees", unit: "way after 2 s, part", dt: 0.004, seconds: 2, every: 50,
			build: func(t testing.TB) *scene {
				s := newScene(t, 0.5, tilted(10))
				s.ground()
				s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0.1), 0)
				return s
			}, judge: func(_ *scene, run []moment) verdict {
				want := 0.5 * 5 / 7 * g * math.Sin(10*math.Pi/180) * 4
				return verdict{math.Abs(run[len(run)-1].pose[0].Pos.X/want - 1), none, none}
			}, most: verdict{0.003, none, none}},
		{name: "rolls on the level, 1 m/s", unit: "way after 60 s, part", dt: 0.004, seconds: 60, every: 250,
			build: rollingBall,
			judge: func(s *scene, run []moment) verdict {
				p := strayed(run, func(m moment) r3.Vec { return m.twist[0].Linear }, nothing)
				return verdict{math.Abs(run[60].pose[0].Pos.X/60 - 1), s.drift(run), p}
			}, most: verdict{1e-9, 1e-3, 1e-9}},
		{name: "spinning top, 30 degrees", unit: "precession in 60 s, part", dt: 0.004, seconds: 60, every: 5,
			build: top, judge: precesses,
			most: verdict{1.5e-3, 1e-4, 1e-3}},
		{name: "box tumbles freely, 17 rad/s", unit: "turned in 2 s, rad off", dt: 0.004, seconds: 60,
			every: 5, build: tumbling(1), judge: tumbles,
			most: verdict{3e-4, 2e-5, 1e-9}},
		{name: "box tumbles freely, 84 rad/s", unit: "turned in 2 s, rad off", dt: 0.004, seconds: 60,
			every: 5, build: tumbling(5), judge: tumbles,
			most: verdict{0.03, 5e-4, 1e-9}},
		{name: "double pendulum", unit: "end after 2 s, m", dt: 0.004, seconds: 60, every: 5,
			build: doublePendulum, judge: swings, most: verdict{0.0004, 0.006, none}},
		{name: "chain of four floats and tumbles", unit: "centre after 60 s, m", dt: 0.004, seconds: 60,
			every: 50, build: floatingChain, judge: driftsAlong,
			most: verdict{1e-9, 5e-5, 1e-7}},
		{name: "1 kg hits 3 kg, elastic", unit: "speeds, m/s", dt: 0.004, seconds: 60, every: 250,
			bounce: true,
			build:  func(t testing.TB) *scene { return colliding(t, 1) }, judge: collided(-0.5, 0.5),
			most: verdict{1e-9, 1e-9, 1e-12}},
		{name: "1 kg hits 3 kg, plastic", unit: "speeds, m/s", dt: 0.004, seconds: 60, every: 250,
			build: func(t testing.TB) *scene { return colliding(t, 0) }, judge: collided(0.25, 0.25),
			most: verdict{1e-9, none, 1e-12}},
	}
}

func freeBall(t testing.TB) *scene {
	s := newScene(t, 0.5, earth())
	s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 0)
	return s
}

func rollingBall(t testing.TB) *scene {
	s := newScene(t, 0.5, earth())
	s.ground()
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0.1), 0)
	s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0, 10, 0)}))
	return s
}

const (
	topArm, topTilt, topSpin = 0.1, math.Pi / 6, 100.0 // m, rad, rad/s about its axis
)

// precession is the slow rate, in rad/s, of a heavy top's steady precession: I₁ cos θ Ω² − I₃ ω₃ Ω + m g l =
// 0.
func precession(m shape.Mass) float64 {
	a, b, c := (m.Inertia.XX+m.Mass*topArm*topArm)*math.Cos(topTilt), -m.Inertia.ZZ*topSpin, m.Mass*g*topArm
	return 2 * c / (-b + math.Sqrt(b*b-4*a*c))
}

// top is a disc of 1 kg on a rod without mass that stands on a point, and precesses steadily.
func top(t testing.TB) *scene {
	s := newScene(t, 0.5, earth())
	rot := r3.AxisAngle(r3.V(0, 1, 0), topTilt)
	axis := rot.Rotate(r3.V(0, 0, 1))
	b := s.body(shape.Cylinder{Radius: 0.1, Half: 0.01}, 1, r3.Pose{Pos: axis.Scale(topArm), Rot: rot}, 0)
	j := must[JointID](t)(s.AddJoint(JointDef{Type: Ball, Child: b, ParentFrame: r3.IdentityPose(),
		ChildFrame: at(0, 0, -topArm)}))
	s.check(s.Articulate([]JointID{j}))
	rate := precession(s.Body(b).Mass())
	w := axis.Scale(topSpin).Add(r3.V(0, 0, rate).AddScaled(-rate*math.Cos(topTilt), axis))
	s.check(s.Body(b).SetTwist(r3.Twist{Linear: w.Cross(axis.Scale(topArm)), Angular: w}))
	s.MeasureJoints()
	return s
}

func precesses(s *scene, run []moment) verdict {
	turned, last := 0.0, 0.0
	for _, m := range run {
		azimuth := math.Atan2(m.pose[0].Pos.Y, m.pose[0].Pos.X)
		turned += articulation.WrapAngle(azimuth - last)
		last = azimuth
	}
	want := precession(s.Body(s.added[0]).Mass()) * 60
	upright := func(m moment) r3.Vec { _, _, _, l := s.sums(m); return r3.V(0, 0, l.Z) }
	return verdict{math.Abs(turned/want - 1), s.drift(run), strayed(run, upright, nothing)}
}

// tumbling is a box in free space that spins about none of its axes.
func tumbling(times float64) func(testing.TB) *scene {
	return func(t testing.TB) *scene {
		s := newScene(t, 0.5, Config{NoSleep: true})
		b := s.body(shape.Box{Half: r3.V(0.05, 0.1, 0.2)}, 1, at(0, 0, 0), 0)
		s.check(s.Body(b).SetTwist(r3.Twist{Angular: r3.V(8, 6, 14).Scale(times)}))
		return s
	}
}

// rungeKutta follows a state through n steps of h by the classic rule of Runge and Kutta; along goes some
// time along a slope.
func rungeKutta[S any](x S, h float64, n int, slope func(S) S, along func(x, k S, h float64) S) S {
	for range n {
		k1 := slope(x)
		k2 := slope(along(x, k1, h/2))
		k3 := slope(along(x, k2, h/2))
		k4 := slope(along(x, k3, h))
		x = along(along(along(along(x, k1, h/6), k2, h/3), k3, h/3), k4, h/6)
	}
	return x
}

func along4(x, k [4]float64, h float64) [4]float64 {
	for i := range x {
		x[i] += h * k[i]
	}
	return x
}

// tumbles compares with Euler's equations, solved by Runge and Kutta's rule.
func tumbles(s *scene, run []moment) verdict {
	in := s.Body(s.added[0]).Mass().Inertia
	type state struct {
		q r3.Quat
		w r3.Vec // in body axes
	}
	slope := func(x state) state {
		w := x.w
		d := r3.V((in.YY-in.ZZ)*w.Y*w.Z/in.XX, (in.ZZ-in.XX)*w.Z*w.X/in.YY, (in.XX-in.YY)*w.X*w.Y/in.ZZ)
		q := x.q.Mul(r3.Quat{X: w.X / 2, Y: w.Y / 2, Z: w.Z / 2})
		return state{q, d}
	}
	along := func(x, k state, h float64) state {
		return state{r3.Quat{W: x.q.W + h*k.q.W, X: x.q.X + h*k.q.X, Y: x.q.Y + h*k.q.Y, Z: x.q.Z + h*k.q.Z},
			x.w.AddScaled(h, k.w)}
	}
	x := state{run[0].pose[0].Rot, run[0].twist[0].Angular}
	x = rungeKutta(x, 2e-5, 100000, slope, along)
	want, _ := x.q.Unit()
	spin := func(m moment) r3.Vec { _, _, _, l := s.sums(m); return l }
	return verdict{run[100].pose[0].Rot.Mul(want.Conj()).Vector().Len(), s.drift(run),
		strayed(run, spin, nothing)}
}

// doublePendulum is two bars of 1 m and 1 kg, let go from the horizontal.
func doublePendulum(t testing.TB) *scene {
	s := newScene(t, 0.5, earth())
	var joints []JointID
	parent := BodyID{}
	for i := range 2 {
		rot := r3.AxisAngle(r3.V(0, 1, 0), -math.Pi/2) // local -z along +x
		b := s.body(shape.Box{Half: r3.V(0.02, 0.02, 0.5)}, 1,
			r3.Pose{Pos: r3.V(0.5+float64(i), 0, 0), Rot: rot}, 1)
		joints = append(joints, s.hinge(parent, b, r3.V(float64(i), 0, 0), r3.V(0, 1, 0)))
		parent = b
	}
	s.check(s.Articulate(joints))
	return s
}

// swings compares with the equations of motion, solved by Runge and Kutta's rule in steps of 0.1 ms.
func swings(s *scene, run []moment) verdict {
	inertia := s.Body(s.added[0]).Mass().Inertia.YY
	x := [4]float64{math.Pi / 2, math.Pi / 2, 0, 0} // angles from hanging, and their rates
	slope := func(x [4]float64) [4]float64 {
		d := x[0] - x[1]
		m11, m22, m12 := inertia+0.25+1, inertia+0.25, 0.5*math.Cos(d)
		f1 := -0.5*math.Sin(d)*x[3]*x[3] - 1.5*g*math.Sin(x[0])
		f2 := 0.5*math.Sin(d)*x[2]*x[2] - 0.5*g*math.Sin(x[1])
		det := m11*m22 - m12*m12
		return [4]float64{x[2], x[3], (m22*f1 - m12*f2) / det, (m11*f2 - m12*f1) / det}
	}
	x = rungeKutta(x, 1e-4, 20000, slope, along4)
	want := r3.V(math.Sin(x[0])+math.Sin(x[1]), 0, -math.Cos(x[0])-math.Cos(x[1]))
	end := run[100].pose[1].Apply(r3.V(0, 0, -0.5))
	return verdict{end.Dist(want), s.drift(run), none}
}

// floatingChain is four bars on hinges about different axes in free space. They start with the velocities of
// one rigid body: hinges are at rest, as in an engine that knows bodies' motion alone.
func floatingChain(t testing.TB) *scene {
	s := newScene(t, 0.5, Config{NoSleep: true})
	var joints []JointID
	for i := range 4 {
		b := s.body(shape.Box{Half: r3.V(0.15, 0.03, 0.02)}, 1+float64(i), at(0.4*float64(i), 0, 0), 1)
		if i > 0 {
			joints = append(joints, s.hinge(s.added[i-1], b, r3.V(0.4*float64(i)-0.2, 0, 0),
				r3.V(0, 1-0.5*float64(i), 1)))
		}
	}
	s.check(s.Articulate(joints))
	for _, b := range s.added {
		w := r3.V(3, 1, 6)
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(0, 0.3, 0.2).Add(w.Cross(s.Body(b).COM())),
			Angular: w}))
	}
	s.MeasureJoints()
	return s
}

// driftsAlong compares the center of mass with its uniform motion by the initial momentum.
func driftsAlong(s *scene, run []moment) verdict {
	centre := func(m moment) (sum r3.Vec) {
		mass := 0.0
		for i, b := range s.added {
			mass += s.Body(b).Mass().Mass
			sum = sum.AddScaled(s.Body(b).Mass().Mass, m.pose[i].Apply(s.Body(b).Mass().COM))
		}
		return sum.Scale(1 / mass)
	}
	mass := 0.0
	for _, b := range s.added {
		mass += s.Body(b).Mass().Mass
	}
	_, _, p, _ := s.sums(run[0])
	spin := func(m moment) r3.Vec { _, _, _, l := s.sums(m); return l }
	return verdict{centre(run[len(run)-1]).Dist(centre(run[0]).AddScaled(60/mass, p)), s.drift(run),
		strayed(run, spin, nothing)}
}

// colliding is a ball of 1 kg that hits one of 3 kg in free space.
func colliding(t testing.TB, restitution float64) *scene {
	s := newScene(t, 0.5, Config{NoSleep: true})
	for i, mass := range []float64{1, 3} {
		ball := shape.Sphere{Radius: 0.1}
		unit := ball.Mass(1)
		b := must[BodyID](t)(s.AddBody(BodyDef{Type: Dynamic, Pose: at(float64(i)-1, 0, 0), Mass: mass,
			Inertia: unit.Inertia.Scale(mass / unit.Mass)}))
		must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: ball,
			Material: Material{Friction: 0.5, Restitution: restitution}}))
		s.added = append(s.added, b)
	}
	s.check(s.Body(s.added[0]).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0)}))
	return s
}

func collided(v1, v2 float64) func(*scene, []moment) verdict {
	return func(s *scene, run []moment) verdict {
		end := run[len(run)-1]
		off := max(end.twist[0].Linear.Dist(r3.V(v1, 0, 0)), end.twist[1].Linear.Dist(r3.V(v2, 0, 0)))
		energy := none
		if v1 != v2 {
			energy = s.drift([]moment{run[0], end})
		}
		p := func(m moment) r3.Vec { _, _, p, _ := s.sums(m); return p }
		return verdict{off, energy, strayed(run, p, nothing)}
	}
}
