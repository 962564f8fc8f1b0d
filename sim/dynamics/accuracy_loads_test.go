package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// accuracyLoads are cases with loads: sliding, driving, slipping and standing.
func accuracyLoads() []accuracyCase {
	stands := func(_ *scene, run []moment) verdict { return verdict{farthest(run), none, none} }
	return []accuracyCase{
		{name: "incline of 26 degrees, mu 0.5", unit: "slid in 60 s, m", dt: 0.004, seconds: 60, every: 250,
			build: inclined(26),
			judge: stands, most: verdict{1e-4, none, none}},
		{name: "incline of 27 degrees, mu 0.5", unit: "way after 2 s, part", dt: 0.004, seconds: 2, every: 50,
			build: inclined(27),
			judge: slides(27), most: verdict{0.03, none, none}},
		{name: "incline of 30 degrees, mu 0.5", unit: "way after 2 s, part", dt: 0.004, seconds: 2, every: 50,
			build: inclined(30),
			judge: slides(30), most: verdict{0.004, none, none}},
		{name: "gear train 3 : 1, 1 N·m for 2 s", unit: "speed, part; teeth off", dt: 0.004, seconds: 2,
			every: 50, build: geared,
			judge: meshes, most: verdict{1e-9, none, 1e-9}},
		{name: "arm holds its load, servos", unit: "end from statics, m", dt: 0.004, seconds: 60, every: 1250,
			build: holding,
			judge: holds, most: verdict{1e-9, none, none}},
		{name: "wheels pull at half of traction", unit: "speed after 1 s, part", dt: 0.004, seconds: 1,
			every: 50, build: pulling(0.5),
			judge: pulls(0.5), most: verdict{1e-5, none, none}},
		{name: "wheels pull beyond traction", unit: "speed after 1 s, part", dt: 0.004, seconds: 1, every: 50,
			build: pulling(1.5),
			judge: pulls(1.5), most: verdict{1e-4, none, none}},
		{name: "stack of 20 boxes", unit: "farthest in 60 s, m", dt: 0.004, seconds: 60, every: 250,
			build: stack,
			judge: stands, most: verdict{0.03, none, none}},
		{name: "arch of 11 blocks", unit: "farthest in 60 s, m", dt: 0.004, seconds: 60, every: 250,
			build: func(t testing.TB) *scene { return arch(t, 11, 0.3) }, judge: stands,
			most: verdict{0.006, none, none}},
		{name: "house of cards", unit: "farthest in 60 s, m", dt: 0.002, seconds: 60, every: 500,
			build: cardHouse,
			judge: stands, most: verdict{0.001, none, none}},
	}
}

func inclined(deg float64) func(testing.TB) *scene {
	return func(t testing.TB) *scene {
		s := newScene(t, 0.5, tilted(deg))
		s.ground()
		s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0, 0, 0.1), 0)
		return s
	}
}

func slides(deg float64) func(*scene, []moment) verdict {
	return func(_ *scene, run []moment) verdict {
		sin, cos := math.Sincos(deg * math.Pi / 180)
		want := 0.5 * g * (sin - 0.5*cos) * 4
		return verdict{math.Abs(run[len(run)-1].pose[0].Pos.X/want - 1), none, none}
	}
}

const gearTorque = 1.0

// geared is two wheels on hinges of the world; the second turns at -3 times the speed of the first.
func geared(t testing.TB) *scene {
	s := newScene(t, 0.5, Config{NoSleep: true})
	var joints []JointID
	for i, radius := range []float64{0.3, 0.1} {
		p := at(0.45*float64(i), 0, 0)
		b := s.body(shape.Cylinder{Radius: radius, Half: 0.02}, 4, p, 1)
		joints = append(joints, s.hinge(BodyID{}, b, p.Pos, r3.V(0, 0, 1)))
	}
	s.check(s.Articulate(joints))
	s.check(s.SetCoupling(joints[1], joints[0], -3, 0))
	s.check(s.Joint(joints[0]).SetMotorEffort(gearTorque))
	return s
}

func meshes(s *scene, run []moment) verdict {
	end := run[len(run)-1]
	w1, w2 := end.twist[0].Angular.Z, end.twist[1].Angular.Z
	want := gearTorque / (s.Body(s.added[0]).Mass().Inertia.ZZ + 9*s.Body(s.added[1]).Mass().Inertia.ZZ) * 2
	return verdict{math.Abs(w1/want - 1), none, math.Abs(w2/w1 + 3)}
}

const servoStiff, servoDamp = 2000.0, 200.0 // N·m/rad, N·m·s/rad

// holding is scene D's arm with servos that hold its start pose.
func holding(t testing.TB) *scene {
	s := newScene(t, 0.5, earth())
	for _, j := range s.articulatedArm().joints {
		s.check(s.Joint(j).SetMotorPosition(0, servoStiff, servoDamp, 0))
	}
	return s
}

// holds compares with statics: every joint gives way until its servo bears what hangs on it.
func holds(s *scene, run []moment) verdict {
	var q, down [6]float64
	for range 60 {
		for i := range q {
			const d = 1e-5
			a, b := q, q
			a[i], b[i] = a[i]+d, b[i]-d
			_, high := s.armAt(a)
			_, low := s.armAt(b)
			down[i] = (high - low) / (2 * d)
		}
		for i := range q {
			q[i] = -down[i] / servoStiff
		}
	}
	want, _ := s.armAt(q)
	end := run[len(run)-1].pose[5].Apply(r3.V(0, 0, 0.05))
	return verdict{end.Dist(want), none, none}
}

// armAt is the end of scene D's arm and its potential energy, with its joints off their start.
func (s *scene) armAt(off [6]float64) (end r3.Vec, height float64) {
	start := [6]float64{0, 0.5, 0.8, 0.4, 0.3, 0.2}
	axes := [6]r3.Vec{{Z: 1}, {Y: 1}, {Y: 1}, {Y: 1}, {Z: 1}, {Y: 1}}
	p := r3.IdentityPose()
	for i, b := range s.added {
		p.Rot = p.Rot.Mul(r3.AxisAngle(axes[i], start[i]+off[i]))
		height += s.Body(b).Mass().Mass * g * p.Apply(r3.V(0, 0, armLength[i]/2)).Z
		p = p.Mul(at(0, 0, armLength[i]))
	}
	return p.Pos, height
}

const slippery = 0.3

// pulling is scene C's robot with a torque on each wheel, on a floor where it slips before it tips over.
func pulling(torque float64) func(testing.TB) *scene {
	return func(t testing.TB) *scene {
		s := newScene(t, slippery, earth())
		s.ground()
		_, joints := s.robot4(0, 0, 1, 0, 0)
		for _, j := range joints {
			s.check(s.Joint(j).SetMotorEffort(torque))
		}
		return s
	}
}

// pulls compares with Newton: the wheels' torque speeds up the robot and the wheels, as far as friction goes.
func pulls(torque float64) func(*scene, []moment) verdict {
	return func(s *scene, run []moment) verdict {
		spin := s.Body(s.added[1]).Mass().Inertia.ZZ
		want := min(slippery*g, 4*torque/0.1/(12+4*spin/0.01))
		return verdict{math.Abs(run[len(run)-1].twist[0].Linear.X/want - 1), none, none}
	}
}

func stack(t testing.TB) *scene {
	s := newScene(t, 0.6, earth())
	s.ground()
	for k := range 20 {
		s.body(shape.BoxOf(r3.V(0.5, 0.5, 0.5)), 125, at(0, 0, 0.25+0.5*float64(k)), 0)
	}
	return s
}
