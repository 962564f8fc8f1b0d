package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// newtonIslandsOf is the number of islands that Newton's method solved in the last step.
func (s *scene) newtonIslandsOf() int { return len(s.solver.newtonIslands) }

// TestALinkageAlongAWallFollowsLagrangesEquation: a wall without friction, along which the bars move, does
// nothing, but Newton's method solves the linkage. Its crank follows Lagrange's equation, its coupler the
// crank, and its energy stays to the second order. In islands of Newton's method weights do work by the mean
// velocity, while links move by the last one. So a swing loses energy in proportion to the step.
func TestALinkageAlongAWallFollowsLagrangesEquation(t *testing.T) {
	for _, c := range []struct {
		name                  string
		gravity, theta, speed float64
		dt                    float64
		// at most, in 2 s: of the crank, rad; loss and gain of energy, a part
		angle, loss, gain float64
	}{
		{"swings, 1 ms", 1, -0.4, 0, 0.001, 0.1, 0.025, 1e-9},
		{"swings, 0.25 ms", 1, -0.4, 0, 0.00025, 0.025, 0.006, 1e-9},
		{"goes round without weight, 4 ms", 0, 0.5, 3, 0.004, 2e-3, 1e-4, 1e-4},
		{"goes round without weight, 1 ms", 0, 0.5, 3, 0.001, 5e-4, 1e-5, 1e-5},
		{"goes round fast, 1 ms", 0, 0.5, 20, 0.001, 6e-3, 2e-3, 3e-4},
		{"goes round fast, 0.25 ms", 0, 0.5, 20, 0.00025, 3e-3, 1e-4, 3e-5},
	} {
		s, joints := fourBar(t, Config{Gravity: r3.V(0, 0, -g*c.gravity), NoSleep: true}, c.theta, c.speed)
		s.fixed(shape.BoxOf(r3.V(8, 1, 8)), at(0, 0.52, 0))
		before, _, _, _ := s.sums(s.moment())
		most, least, off, gap, theta, passes := before, before, 0.0, 0.0, 0.0, 0
		for range int(math.Round(2 / c.dt)) {
			s.stepChecked(c.dt, 1)
			if s.newtonIslandsOf() != 1 {
				passes++
			}
			gap = max(gap, s.Joint(joints[3]).Gap())
			theta = c.theta + s.Joint(joints[0]).State().Position
			phi, _, _, _ := linkage(theta)
			want := r3.V(crankBar*math.Cos(theta)+0.5*couplerBar*math.Cos(phi), 0,
				crankBar*math.Sin(theta)+0.5*couplerBar*math.Sin(phi))
			off = max(off, s.Body(s.added[1]).COM().Dist(want))
			e, _, _, _ := s.sums(s.moment())
			most, least = max(most, e), min(least, e)
		}
		angle := math.Abs(theta - fourBarAt(c.theta, c.speed, c.gravity, 20000))
		loss, gain := (before-least)/math.Abs(before), (most-before)/math.Abs(before)
		t.Logf("%-31s crank off by %.2g rad, loses %.2g, gains %.2g, coupler off by %.2g m, joint by %.2g m",
			c.name, angle, loss, gain, off, gap)
		if !(angle <= c.angle && loss <= c.loss && gain <= c.gain && off <= 1e-9 && gap <= 1e-9) ||
			passes > 0 {
			t.Errorf("%s: crank off by %.2g rad, at most %v; loses %.2g, %v; gains %.2g, %v; "+
				"coupler off by %.2g m; joint by %.2g m; passes solved %d steps",
				c.name, angle, c.angle, loss, c.loss, gain, c.gain, off, gap, passes)
		}
	}
}

// lightRing is a ring of six bars of 10 g on hinges, flat on the ground; the last hinge closes it.
func lightRing(s *scene) (loop JointID) {
	const n, radius, thick = 6, 0.3, 0.04
	corner := func(i int) r3.Vec {
		a := 2 * math.Pi * float64(i) / n
		return r3.V(radius*math.Cos(a), radius*math.Sin(a), 0.5*thick)
	}
	var bars []BodyID
	for i := range n {
		a, b := corner(i), corner(i+1)
		bars = append(bars, s.body(shape.BoxOf(r3.V(radius-0.06, thick, thick)), 0.01,
			r3.Pose{Pos: a.Lerp(b, 0.5), Rot: r3.Between(r3.V(1, 0, 0), b.Sub(a))}, 1))
	}
	var joints []JointID
	for i := range n {
		joints = append(joints, s.hinge(bars[i], bars[(i+1)%n], corner(i+1), r3.V(0, 0, 1)))
	}
	s.check(s.Articulate(joints[:n-1]))
	return joints[n-1]
}

// TestARingOfLightBarsCarriesAHeavyBox of 3000 times the mass of a bar.
func TestARingOfLightBarsCarriesAHeavyBox(t *testing.T) {
	for _, dt := range []float64{0.001, 0.004, 1.0 / 60} {
		s := newScene(t, 0.6, earth())
		s.ground()
		loop := lightRing(s)
		box := s.body(shape.BoxOf(r3.V(0.8, 0.8, 0.1)), 30, at(0, 0, 0.095), 0)
		gap, deepest := 0.0, 0.0
		for i := range int(3 / dt) {
			s.stepChecked(dt, 1)
			gap = max(gap, s.Joint(loop).Gap())
			if float64(i)*dt > 1 {
				deepest = max(deepest, s.deepest())
			}
		}
		speed := s.Body(box).Twist().Linear.Len()
		t.Logf("%.4f s: overlaps up to %.2g mm, the loop parts by %.2g m, the box moves at %.2g m/s; "+
			"%d islands", dt,
			1000*deepest, gap, speed, s.newtonIslandsOf())
		if deepest > 1e-3 || gap > 1e-9 || speed > 1e-4 || s.newtonIslandsOf() != 1 {
			t.Errorf("%v: overlaps up to %v m, the loop parts by %v m, the box moves at %v m/s", dt, deepest,
				gap,
				speed)
		}
	}
}

// hexapod is a Stewart platform: six legs of two parts from the ground to a platform. They have universal
// joints below, balls above, and position servos in the slides. Five balls close loops. A box lies on it.
func hexapod(t testing.TB) (s *scene, platform, box BodyID, slides, loops []JointID) {
	s = newScene(t, 0.6, earth())
	s.ground()
	platform = s.body(shape.Cylinder{Radius: 0.25, Half: 0.02}, 5, at(0, 0, 0.6), 1)
	var tree []JointID
	for i := range 6 {
		pair, side := float64(i/2), float64(i%2)-0.5
		a, b := 2*math.Pi/3*pair+0.4*side, 2*math.Pi/3*(pair+0.5*(2*side))+(-0.4)*side
		foot := r3.V(0.4*math.Cos(a), 0.4*math.Sin(a), 0.06)
		head := r3.V(0.22*math.Cos(b), 0.22*math.Sin(b), 0.6)
		way, _ := head.Sub(foot).Unit()
		rot := r3.Between(r3.V(0, 0, 1), way)
		lower := s.body(shape.Cylinder{Radius: 0.02, Half: 0.12}, 0.4,
			r3.Pose{Pos: foot.AddScaled(0.14, way), Rot: rot}, 1)
		upper := s.body(shape.Cylinder{Radius: 0.012, Half: 0.12}, 0.2,
			r3.Pose{Pos: head.AddScaled(-0.14, way), Rot: rot}, 1)
		at := func(p r3.Vec) r3.Pose { return r3.Pose{Pos: p, Rot: rot} }
		joint := func(kind JointType, parent, child BodyID, p r3.Vec) JointID {
			frame := at(p)
			if parent != (BodyID{}) {
				frame = s.Body(parent).Pose().Relative(at(p))
			}
			return must[JointID](s)(s.AddJoint(JointDef{Type: kind, Parent: parent, Child: child,
				ParentFrame: frame, ChildFrame: s.Body(child).Pose().Relative(at(p)),
				Axis:  map[JointType]r3.Vec{Universal: r3.V(1, 0, 0), Prismatic: r3.V(0, 0, 1)}[kind],
				Axis2: r3.V(0, 1, 0)}))
		}
		slide := joint(Prismatic, lower, upper, head.AddScaled(-0.3, way))
		s.check(s.Joint(slide).SetMotorPosition(0, 40000, 800, 400))
		slides = append(slides, slide)
		tree = append(tree, joint(Universal, BodyID{}, lower, foot), slide)
		if i == 0 {
			tree = append(tree, joint(Ball, upper, platform, head))
		} else {
			loops = append(loops, joint(Ball, upper, platform, head))
		}
	}
	s.check(s.Articulate(tree))
	box = s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.1)), 4, at(0, 0, 0.671), 0)
	return s, platform, box, slides, loops
}

// TestAStewartPlatformLiftsABox by 4 cm of its legs, and stands.
func TestAStewartPlatformLiftsABox(t *testing.T) {
	for _, dt := range []float64{0.001, 0.004} {
		s, platform, box, slides, loops := hexapod(t)
		gap, islands := 0.0, 0
		run := func(seconds float64) {
			for range int(seconds / dt) {
				s.stepChecked(dt, 1)
				islands += s.newtonIslandsOf()
				for _, j := range loops {
					gap = max(gap, s.Joint(j).Gap())
				}
			}
		}
		run(1)
		low := s.Body(platform).COM().Z
		for _, j := range slides {
			s.check(s.Joint(j).SetMotorPosition(0.04, 40000, 800, 400))
		}
		run(2)
		lifted := s.Body(platform).COM().Z - low
		over := s.Body(box).COM().Z - s.Body(platform).COM().Z
		speed := s.Body(box).Twist().Linear.Len()
		t.Logf("%v: lifted by %.5g m, the box lies %.5g m over it at %.2g m/s, loops part by %.2g m; "+
			"%d steps",
			dt, lifted, over, speed, gap, islands)
		if lifted < 0.04 || lifted > 0.05 || math.Abs(over-0.07) > 1e-3 || speed > 1e-3 || gap > 1e-9 {
			t.Errorf("%v: lifted by %v m, the box lies %v m over it at %v m/s, loops part by %v m", dt,
				lifted,
				over, speed, gap)
		}
	}
}

// TestALimitOfALoopJointStopsALinkageAlongAWall, which a motor drives: nothing parts, and nothing moves.
func TestALimitOfALoopJointStopsALinkageAlongAWall(t *testing.T) {
	for _, dt := range []float64{0.001, 0.004, 1.0 / 60} {
		s, joints := fourBar(t, earth(), 0.5, 0)
		s.fixed(shape.BoxOf(r3.V(8, 1, 8)), at(0, 0.52, 0))
		j := &s.World.joints.all[joints[3].slot]
		j.kind, j.limited, j.lower, j.upper = Revolute, true, -0.2, 0.2
		s.check(s.Joint(joints[0]).SetMotorVelocity(4, 20))
		gap, far := 0.0, 0.0
		for range int(3 / dt) {
			s.stepChecked(dt, 1)
			gap = max(gap, s.Joint(joints[3]).Gap())
			far = max(far, math.Abs(s.Joint(joints[3]).State().Position))
		}
		state := s.Joint(joints[0]).State()
		t.Logf("%.4f s: stands at %.4g rad, %.2g rad/s, %.4g N·m; loop at most %.6g rad, parts by %.2g m", dt,
			state.Position, state.Velocity, state.Effort, far, gap)
		if gap > 1e-9 || far > 0.2+1e-4 || math.Abs(state.Velocity) > 1e-4 || s.newtonIslandsOf() != 1 {
			t.Errorf("%v: %+v; the loop joint turns by up to %v rad and parts by %v m", dt, state, far, gap)
		}
	}
}

// delta is a delta robot that hangs from the world: three driven cranks, and two rods from each to the
// platform. Rods have universal joints above and balls below. Five balls close loops. A cup on the platform
// holds a ball.
func delta(t testing.TB) (s *scene, platform BodyID, cranks, loops []JointID) {
	const arm, rod, wide, reach, top, low = 0.2, 0.4, 0.1, 0.1, 1.0, 0.65
	s = newScene(t, 0.6, earth())
	platform = s.body(shape.BoxOf(r3.V(0.12, 0.12, 0.02)), 0.3, at(0, 0, low), 1)
	for i := range 4 { // walls of the cup
		a := 0.5 * math.Pi * float64(i)
		s.geom(platform, shape.BoxOf(r3.V(0.01, 0.12, 0.05)),
			r3.Pose{Pos: r3.V(0.055*math.Cos(a), 0.055*math.Sin(a), 0.03),
				Rot: r3.AxisAngle(r3.V(0, 0, 1), a)})
	}
	var tree []JointID
	for i := range 3 {
		a := 2 * math.Pi / 3 * float64(i)
		out, along := r3.V(math.Cos(a), math.Sin(a), 0), r3.V(-math.Sin(a), math.Cos(a), 0)
		hip := out.Scale(reach).Add(r3.V(0, 0, top))
		knee := hip.AddScaled(arm, out)
		crank := s.body(shape.BoxOf(r3.V(arm, 0.02, 0.02)), 0.2,
			r3.Pose{Pos: hip.Lerp(knee, 0.5), Rot: r3.Between(r3.V(1, 0, 0), out)}, 1)
		hinge := s.hinge(BodyID{}, crank, hip, along)
		s.check(s.Joint(hinge).SetMotorPosition(0, 400, 8, 30))
		cranks, tree = append(cranks, hinge), append(tree, hinge)
		for side := range 2 {
			shift := along.Scale(wide * (float64(side) - 0.5))
			from, to := knee.Add(shift), out.Scale(0.06).Add(shift).Add(r3.V(0, 0, low))
			way, _ := to.Sub(from).Unit()
			frame := func(p r3.Vec) r3.Pose {
				z, _ := way.Cross(along).Unit()
				m := r3.Mat{XX: along.X, YX: along.Y, ZX: along.Z, XY: z.X, YY: z.Y, ZY: z.Z, XZ: way.X,
					YZ: way.Y, ZZ: way.Z}
				if m.Det() < 0 {
					m.XY, m.YY, m.ZY = -m.XY, -m.YY, -m.ZY
				}
				return r3.Pose{Pos: p, Rot: m.Quat()}
			}
			bar := s.body(shape.Cylinder{Radius: 0.006, Half: 0.5 * from.Dist(to)}, 0.05,
				frame(from.Lerp(to, 0.5)), 1)
			tree = append(tree, must[JointID](s)(s.AddJoint(JointDef{
				Type: Universal, Parent: crank, Child: bar,
				ParentFrame: s.Body(crank).Pose().Relative(frame(from)),
				ChildFrame:  s.Body(bar).Pose().Relative(frame(from)), Axis: r3.V(1, 0, 0),
				Axis2: r3.V(0, 1, 0)})))
			if ball := s.ball(bar, platform, to); i == 0 && side == 0 {
				tree = append(tree, ball)
			} else {
				loops = append(loops, ball)
			}
		}
	}
	s.check(s.Articulate(tree))
	s.body(shape.Sphere{Radius: 0.03}, 0.5, at(0, 0, low+0.041), 0)
	return s, platform, cranks, loops
}

// TestADeltaRobotMovesABallUpright: its platform stays level within a milliradian while its cranks swing.
func TestADeltaRobotMovesABallUpright(t *testing.T) {
	for _, dt := range []float64{0.001, 0.004} {
		s, platform, cranks, loops := delta(t)
		gap, tilt, islands, high, low := 0.0, 0.0, 0, math.Inf(-1), math.Inf(1)
		for i := range int(4 / dt) {
			for k, j := range cranks {
				angle := 0.3 * math.Sin(3*float64(i)*dt+0.4*float64(k)*float64(i)*dt)
				s.check(s.Joint(j).SetMotorPosition(angle, 400, 8,
					30))
			}
			s.stepChecked(dt, 1)
			islands += s.newtonIslandsOf()
			for _, j := range loops {
				gap = max(gap, s.Joint(j).Gap())
			}
			p := s.Body(platform).Pose()
			tilt = max(tilt, p.Rot.Rotate(r3.V(0, 0, 1)).Cross(r3.V(0, 0, 1)).Len())
			high, low = max(high, p.Pos.Z), min(low, p.Pos.Z)
		}
		ball := s.Body(s.added[len(s.added)-1]).COM().Dist(s.Body(platform).COM())
		t.Logf("%v: moves from %.3f to %.3f m, tilts by %.2g, loops part by %.2g m, "+
			"the ball is %.3f m away; %d steps",
			dt, low, high, tilt, gap, ball, islands)
		if high-low < 0.05 || tilt > 1e-3 || gap > 1e-9 || ball > 0.08 || 2*islands < int(4/dt) {
			t.Errorf("%v: moves from %v to %v m, tilts by %v, loops part by %v m, "+
				"the ball is %v m away; %d steps",
				dt, low, high, tilt, gap, ball, islands)
		}
	}
}

// TestALoopThatWasPulledApartClosesWithoutSpeed, wherever its coupler was put: positions move, and hardly any
// velocity stays.
func TestALoopThatWasPulledApartClosesWithoutSpeed(t *testing.T) {
	for _, turn := range []float64{0.001, 0.02, 0.3} {
		for _, dt := range []float64{0.001, 0.004} {
			s, joints := fourBar(t, Config{NoSleep: true}, 0.5, 0)
			s.fixed(shape.BoxOf(r3.V(8, 1, 8)), at(0, 0.52, 0))
			tip := r3.V(crankBar*math.Cos(0.5), 0, crankBar*math.Sin(0.5))
			rot, p := r3.AxisAngle(r3.V(0, 1, 0), turn), s.Body(s.added[1]).Pose()
			s.check(s.Body(s.added[1]).SetPose(r3.Pose{Pos: tip.Add(rot.Rotate(p.Pos.Sub(tip))),
				Rot: rot.Mul(p.Rot)}))
			s.MeasureJoints()
			apart, fastest := s.Joint(joints[3]).Gap(), 0.0
			for range int(0.3 / dt) {
				s.stepChecked(dt, 1)
				for _, b := range s.added {
					fastest = max(fastest, s.Body(b).Twist().Angular.Len())
				}
			}
			gap := s.Joint(joints[3]).Gap()
			t.Logf("%v: apart by %.3g m, then by %.2g m; turned at %.2g rad/s at most", dt, apart, gap,
				fastest)
			if apart < 5e-4 || gap > 1e-9 || fastest > 0.1 || s.newtonIslandsOf() != 1 {
				t.Errorf("%v: apart by %v m, then by %v m; turned at %v rad/s", dt, apart, gap, fastest)
			}
		}
	}
}

// TestALoopThatIsOpenByAMicrometreIsLeftToPasses, and one that is open by less to Newton's method.
func TestALoopThatIsOpenByAMicrometreIsLeftToPasses(t *testing.T) {
	for turn, islands := range map[float64]int{0.9e-6: 1, 1.5e-6: 0} {
		s, joints := fourBar(t, Config{NoSleep: true}, 0.5, 0)
		s.fixed(shape.BoxOf(r3.V(8, 1, 8)), at(0, 0.52, 0))
		tip := r3.V(crankBar*math.Cos(0.5), 0, crankBar*math.Sin(0.5))
		rot, p := r3.AxisAngle(r3.V(0, 1, 0), turn), s.Body(s.added[1]).Pose()
		s.check(s.Body(s.added[1]).SetPose(r3.Pose{Pos: tip.Add(rot.Rotate(p.Pos.Sub(tip))),
			Rot: rot.Mul(p.Rot)}))
		s.MeasureJoints()
		apart := s.Joint(joints[3]).Gap()
		s.stepChecked(0.001, 1)
		first := s.newtonIslandsOf()
		s.stepChecked(0.001, 20)
		if first != islands || s.newtonIslandsOf() != 1 || s.Joint(joints[3]).Gap() > 1e-9 {
			t.Errorf("apart by %.3g m: %d islands of Newton's method in the first step, want %d; "+
				"then %d, apart by %.2g m",
				apart, first, islands, s.newtonIslandsOf(), s.Joint(joints[3]).Gap())
		}
	}
}

// TestLoopsAreClosedInSixRounds, unless they are closed within 1e-11 m before, or a round does not halve
// their gap. A round that opens them is undone.
func TestLoopsAreClosedInSixRounds(t *testing.T) {
	for _, c := range []struct {
		name        string
		gap, part   float64 // m, before the first round, and what each leaves of it
		rounds      int
		undoneAtEnd bool
	}{
		{"slowly", 1e-3, 0.4, 6, false}, {"at once", 1e-3, 0.9e-8, 1, false},
		{"hardly", 1e-3, 1.2e-8, 2, false}, {"by less than half", 1e-3, 0.6, 1, false},
		{"never", 1e-3, 1.1, 1, true}, {"before", 0.7e-11, 0.4, 0, false},
	} {
		closing, gap, rounds := closing{gap: math.Inf(1)}, c.gap, 0
		undo, again := closing.next(gap)
		for again && !undo && rounds < 100 {
			gap *= c.part
			rounds++
			undo, again = closing.next(gap)
		}
		if rounds != c.rounds || undo != c.undoneAtEnd {
			t.Errorf("loops that close %s: %d rounds, the last undone %v; want %d, %v", c.name, rounds, undo,
				c.rounds, c.undoneAtEnd)
		}
	}
}

// TestALoadLowersComplianceFromSevenCentimetresASecondOn, to a thousandth of it at least.
func TestALoadLowersComplianceFromSevenCentimetresASecondOn(t *testing.T) {
	for _, c := range []struct{ impulse, want float64 }{
		{0, 2}, {0.03, 2}, {-0.03, 2}, {0.05, 1.4}, {-0.05, 1.4}, {5, 0.014}, {50, 0.002}, {5000, 0.002},
	} {
		if got := underLoad(2, c.impulse); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("a compliance of 2 under %v N·s: %v, want %v", c.impulse, got, c.want)
		}
	}
}
