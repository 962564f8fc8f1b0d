package dynamics

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// stepLengths are usual step lengths of worlds, s.
var stepLengths = [...]float64{0.001, 1.0 / 240, 0.004, 1.0 / 60}

func TestASkidSteerRobotDrivesStraight(t *testing.T) {
	for _, dt := range stepLengths {
		t.Run(fmt.Sprintf("dt=%.4f", dt), func(t *testing.T) {
			s := newScene(t, 0.8, earth())
			s.ground()
			chassis, _ := s.robot4(0, 0, 1, 6, 6)
			n := int(math.Round(5 / dt))
			s.stepChecked(dt, n)
			p := s.Body(chassis).Pose()
			s.stepChecked(dt, n)
			q := s.Body(chassis).Pose()
			v := (q.Pos.X - p.Pos.X) / (float64(n) * dt)
			if math.Abs(v/0.6-1) > 0.002 {
				t.Errorf("speed %.5f m/s, want 0.6 (%.3f %%)", v, 100*(v/0.6-1))
			}
			if math.Abs(q.Pos.Y) > 0.005 || math.Abs(q.Rot.Yaw()) > 0.002 {
				t.Errorf("off by %v m and %v rad to the side", q.Pos.Y, q.Rot.Yaw())
			}
		})
	}
}

// TestFastWheelsDoNotSlip: at 1.5 m/s and 250 Hz the robot travels the distance that its wheels turn.
func TestFastWheelsDoNotSlip(t *testing.T) {
	s := newScene(t, 0.8, earth())
	s.ground()
	chassis, _ := s.robot4(0, 0, 1, 15, 15)
	s.stepChecked(0.004, 500)
	x := s.Body(chassis).Pose().Pos.X
	s.stepChecked(0.004, 500)
	if v := (s.Body(chassis).Pose().Pos.X - x) / 2; math.Abs(v/1.5-1) > 0.005 {
		t.Errorf("speed %.4f m/s, want 1.5 (%.2f %%)", v, 100*(v/1.5-1))
	}
}

// diffDrive is the robot of scene C2's arc: two wheels and two frictionless casters.
func (s *scene) diffDrive(left, right float64) BodyID {
	s.Helper()
	chassis := s.body(shape.Box{Half: r3.V(0.2, 0.15, 0.06)}, 10, at(0, 0, 0.13), 1)
	for _, x := range []float64{0.16, -0.16} {
		must[GeomID](s)(s.AddGeom(chassis, GeomDef{Shape: shape.Sphere{Radius: 0.05}, Pose: at(x, 0, -0.08)}))
	}
	cyl := shape.Cylinder{Radius: 0.1, Half: 0.02}
	s.wheel(chassis, cyl, 0, 0.2, 0.1, 0.5, left, 5, 1)
	s.wheel(chassis, cyl, 0, -0.2, 0.1, 0.5, right, 5, 1)
	return chassis
}

func TestADifferentialDriveFollowsItsArc(t *testing.T) {
	for _, dt := range stepLengths {
		t.Run(fmt.Sprintf("dt=%.4f", dt), func(t *testing.T) {
			s := newScene(t, 0.8, earth())
			s.ground()
			chassis := s.diffDrive(4, 6)
			n := int(math.Round(5 / dt))
			s.stepChecked(dt, n)
			yaw, length := s.travel(chassis, dt, n)
			time := float64(n) * dt
			if math.Abs(yaw/time/0.5-1) > 0.005 {
				t.Errorf("yaw rate %.5f rad/s, want 0.5 (%.3f %%)", yaw/time, 100*(yaw/time/0.5-1))
			}
			if math.Abs(length/time/0.5-1) > 0.005 {
				t.Errorf("speed %.5f m/s, want 0.5 (%.3f %%)", length/time, 100*(length/time/0.5-1))
			}
		})
	}
}

// travel steps the scene and returns the yaw, rad, and the path length, m, of a body.
func (s *scene) travel(b BodyID, dt float64, n int) (yaw, length float64) {
	s.Helper()
	last := s.Body(b).Pose()
	for range n {
		s.stepChecked(dt, 1)
		p := s.Body(b).Pose()
		yaw += articulation.WrapAngle(p.Rot.Yaw() - last.Rot.Yaw())
		length += math.Hypot(p.Pos.X-last.Pos.X, p.Pos.Y-last.Pos.Y)
		last = p
	}
	return yaw, length
}

// burger is a robot like the TurtleBot3 Burger at z = 0: 1 kg, wheels of 33 mm radius with little inertia, a
// caster.
func (s *scene) burger(caster shape.Shape) (BodyID, [2]JointID) {
	s.Helper()
	b := must[BodyID](s)(s.AddBody(BodyDef{
		Type: Dynamic, Pose: at(0, 0, 0.01), Mass: 0.8257, COM: r3.V(-0.032, 0, 0.07), Group: 1,
		Inertia: r3.Mat{XX: 2.2125e-3, XY: -1.2294e-5, XZ: 3.4938e-5, YX: -1.2294e-5, YY: 2.1193e-3,
			YZ: -5.0120e-6,
			ZX: 3.4938e-5, ZY: -5.0120e-6, ZZ: 2.0064e-3},
	}))
	s.geom(b, shape.BoxOf(r3.V(0.14, 0.14, 0.143)), at(-0.032, 0, 0.07))
	must[GeomID](s)(s.AddGeom(b, GeomDef{Shape: caster, Pose: at(-0.081, 0, -0.005),
		Material: Material{Friction: 0.1}}))
	s.added = append(s.added, b)
	var joints [2]JointID
	for i, y := range []float64{0.08, -0.08} {
		wheel := must[BodyID](s)(s.AddBody(BodyDef{
			Type: Dynamic, Pose: wheelPose(0, y, 0.033), Mass: 0.0285, Group: 1,
			Inertia: r3.Diag(r3.V(1.1e-5, 1.1e-5, 2.0712e-5)),
		}))
		s.geom(wheel, shape.Cylinder{Radius: 0.033, Half: 0.009}, r3.Pose{})
		s.added = append(s.added, wheel)
		joints[i] = s.hinge(b, wheel, r3.V(0, y, 0.033), r3.V(0, 1, 0))
	}
	return b, joints
}

func TestATurtleBotDrivesStraightTurnsAndStops(t *testing.T) {
	casters := map[string]shape.Shape{"ball": shape.Sphere{Radius: 0.005},
		"box": shape.BoxOf(r3.V(0.03, 0.009, 0.01))}
	grounds := map[string]func(*scene){
		"plane": func(s *scene) { s.ground() },
		"box":   func(s *scene) { s.fixed(shape.BoxOf(r3.V(50, 50, 2)), at(0, 0, -1)) },
		"mesh":  func(s *scene) { s.fixed(shapetest.FloorMesh(s, 10, 0.5), r3.Pose{}) },
	}
	for gname, ground := range grounds {
		for cname, caster := range casters {
			for _, dt := range stepLengths {
				t.Run(fmt.Sprintf("%s,%s,dt=%.4f", gname, cname, dt), func(t *testing.T) {
					s := newScene(t, 0.8, Config{Gravity: r3.V(0, 0, -9.81)})
					ground(s)
					b, joints := s.burger(caster)
					driveBurger(t, s, b, joints, dt)
				})
			}
		}
	}
}

func driveBurger(t *testing.T, s *scene, b BodyID, joints [2]JointID, dt float64) {
	t.Helper()
	command := func(left, right float64) {
		for i, v := range []float64{left, right} {
			if err := s.Joint(joints[i]).SetMotorVelocity(v/0.033, 20); err != nil {
				t.Fatal(err)
			}
		}
	}
	second := int(math.Round(1 / dt))
	command(0.2, 0.2)
	s.stepChecked(dt, second)
	from := s.Body(b).Pose()
	s.stepChecked(dt, 3*second)
	to := s.Body(b).Pose()
	v := (to.Pos.X - from.Pos.X) / (float64(3*second) * dt)
	if math.Abs(v/0.2-1) > 0.002 {
		t.Errorf("speed %.5f m/s, want 0.2 (%.3f %%)", v, 100*(v/0.2-1))
	}
	if math.Abs(to.Pos.Y) > 0.003 || math.Abs(to.Rot.Yaw()) > 0.005 {
		t.Errorf("off by %v m and %v rad", to.Pos.Y, to.Rot.Yaw())
	}
	command(-0.08, 0.08)
	s.stepChecked(dt, second)
	yaw, _ := s.travel(b, dt, 2*second)
	if rate := yaw / (float64(2*second) * dt); math.Abs(rate-1) > 0.01 {
		t.Errorf("yaw rate %.5f rad/s, want 1", rate)
	}
	command(0, 0)
	s.stepChecked(dt, second)
	stop := s.Body(b).Pose()
	worst := 0.0
	for range second {
		s.stepChecked(dt, 1)
		worst = max(worst, s.Body(b).Twist().Linear.Len(), s.Body(b).Twist().Angular.Len()*0.1)
	}
	if moved := s.Body(b).Pose().Pos.Dist(stop.Pos); moved > 1e-5 || worst > 2e-3 {
		t.Errorf("stopped, but crept %v m and jittered at up to %v m/s", moved, worst)
	}
	if s.Body(b).Awake() {
		t.Error("does not fall asleep")
	}
}

// TestWheelsThatSlipHaveTheFrictionOfTheirLoad: the wheels of one side stand, those of the other turn, and
// all of them slip. Friction is µ times the load of each wheel, though it tips the robot to one side.
func TestWheelsThatSlipHaveTheFrictionOfTheirLoad(t *testing.T) {
	const mu = 0.8
	for _, dt := range []float64{0.004, 0.001} {
		s := newScene(t, mu, earth())
		s.ground()
		chassis := s.body(shape.Box{Half: r3.V(0.25, 0.15, 0.05)}, 10, at(0, 0, 0.15), 1)
		var joints []JointID
		for k, d := range [4][2]float64{{0.2, 0.2}, {-0.2, 0.2}, {0.2, -0.2}, {-0.2, -0.2}} {
			speed := -2 + 4*float64(k/2)
			tyre := shape.Cylinder{Radius: 0.1, Half: 0.001}
			joints = append(joints, s.wheel(chassis, tyre, d[0], d[1], 0.1, 0.5, speed, 0, 1))
		}
		s.check(s.Articulate(joints))
		s.stepChecked(dt, int(math.Round(2/dt)))
		for i, j := range joints {
			s.check(s.Joint(j).SetMotorVelocity(4*float64(i/2), 0))
		}
		s.stepChecked(dt, int(math.Round(2/dt)))
		contacts := s.Contacts(nil)
		if len(contacts) != 4 {
			t.Fatalf("%d wheels touch the ground", len(contacts))
		}
		for _, c := range contacts {
			load := 0.0
			for _, p := range c.Points[:c.Count] {
				load += p.Force
			}
			if f := c.Friction.Len(); math.Abs(f-mu*load) > 0.01*mu*load {
				t.Errorf("dt %v: a wheel that slips has %.2f N of friction under a load of %.2f N", dt, f,
					load)
			}
		}
	}
}

// TestWheelsThatSpinFastTurnARobotAlikeAtEveryStep: wheels spin up under a robot that turns. Where its
// contact points stayed in the world for a step, the ends of a tread would load in turn, by its length.
func TestWheelsThatSpinFastTurnARobotAlikeAtEveryStep(t *testing.T) {
	want := 0.0
	for _, dt := range []float64{0.00025, 0.001, 0.002, 0.004} {
		s := newScene(t, 0.8, earth())
		s.ground()
		chassis, joints := s.robot4(0, 0, 1, 30, 60)
		s.check(s.Articulate(joints))
		for i, j := range joints {
			s.check(s.Joint(j).SetMotorVelocity(float64(30+30*(i/2)), 0))
		}
		s.stepChecked(dt, int(math.Round(0.5/dt)))
		turn := s.Body(chassis).Twist().Angular.Z
		if want == 0 {
			want = turn
		}
		if math.Abs(turn-want) > 0.02*math.Abs(want) {
			t.Errorf("dt %v: turns at %.3f rad/s, want %.3f", dt, turn, want)
		}
	}
}
