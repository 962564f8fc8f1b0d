package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// farChain is a chain of small bodies with joints far from their centers of mass, like robots whose links
// have screws' inertias. The first joint is with the world.
func (s *scene) farChain(r *rand.Rand, n int, allowed []JointType) (joints []JointID) {
	before := BodyID{}
	for i := range n {
		p := randomPose(r, 1)
		p.Pos = r3.V(0.3*float64(i+1), 0.1*r.Float64(), 3-0.1*r.Float64())
		b := s.body([]shape.Shape{
			shape.BoxOf(r3.V(0.02, 0.03, 0.01)), shape.Sphere{Radius: 0.01},
			shape.BoxOf(r3.V(0.2, 0.005, 0.005)), shape.Cylinder{Radius: 0.05, Half: 0.002},
		}[r.IntN(4)], math.Pow(10, 2*r.Float64()-2), p, 1)
		point := r3.Pose{Pos: r3.V(0.3*float64(i)+0.15, 0.1, 3.1), Rot: randomPose(r, 1).Rot}
		d := JointDef{
			Type: allowed[r.IntN(len(allowed))], Parent: before, Child: b, ParentFrame: point,
			ChildFrame: p.Relative(point), Axis: r3.V(0, 0, 1), Pitch: 0.1,
		}
		if before != (BodyID{}) {
			d.ParentFrame = s.Body(before).Pose().Relative(point)
		}
		joints = append(joints, must[JointID](s)(s.AddJoint(d)))
		before = b
	}
	return joints
}

// TestFarJointsMoveAlikeInReducedAndMaximalCoordinates: a body on a joint far from its center of mass moves
// as in reduced coordinates, where the joint cannot separate.
func TestFarJointsMoveAlikeInReducedAndMaximalCoordinates(t *testing.T) {
	for seed := range uint64(40) {
		build := func() (*scene, []JointID) {
			s := newScene(t, 0, earth())
			return s, s.farChain(rand.New(rand.NewPCG(seed, 3)), 3,
				[]JointType{Revolute, Ball, Universal, Fixed, Continuous})
		}
		free, joints := build()
		tree, same := build()
		tree.check(tree.Articulate(same))
		gap, off := 0.0, 0.0
		for range 250 {
			free.stepChecked(0.001, 1)
			tree.stepChecked(0.001, 1)
			for i, b := range free.added {
				off = max(off, free.Body(b).COM().Dist(tree.Body(tree.added[i]).COM()))
			}
			for _, j := range joints {
				gap = max(gap, free.Joint(j).Gap())
			}
		}
		if len(free.solver.directIslands) != 1 {
			t.Errorf("seed %d: %d direct islands", seed, len(free.solver.directIslands))
		}
		// The second-order rule of articulations and the solver's differ by half a step, here over 0.25 s.
		if off > 0.02 || gap > 0.002 {
			t.Errorf("seed %d: %v m off the tree, ends %v m apart", seed, off, gap)
		}
	}
}

// TestFarJointsInSpaceConserveMomentumAndEnergy throws chains of every joint type: energy never increases,
// and no net force acts.
func TestFarJointsInSpaceConserveMomentumAndEnergy(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := newScene(t, 0, Config{NoSleep: true})
		joints := s.farChain(r, 4, kinds)
		s.check(s.RemoveJoint(joints[0]))
		for _, b := range s.added {
			s.check(s.Body(b).SetTwist(r3.Twist{Linear: randomPose(r, 0.3).Pos, Angular: randomPose(r,
				1).Pos}))
		}
		s.step(0.001, 1) // the first step enforces the joints
		e0 := s.kinetic()
		p0, l0 := s.momentum()
		s.stepChecked(0.001, 400)
		p1, l1 := s.momentum()
		if e := s.kinetic(); e > 1.0001*e0 || e < 0.8*e0 {
			t.Errorf("seed %d: %v J, began with %v J", seed, e, e0)
		}
		if p1.Dist(p0) > 1e-12 || l1.Dist(l0) > 0.01*l0.Len()+1e-4 {
			t.Errorf("seed %d: momentum %v → %v, angular %v → %v", seed, p0, p1, l0, l1)
		}
	}
}

// TestABoxStandsOnFarWeldedPins: a heavy box on four pins, each welded to it far from both centres of mass.
func TestABoxStandsOnFarWeldedPins(t *testing.T) {
	for _, dt := range stepLengths {
		s := newScene(t, 0.6, earth())
		s.ground()
		box := s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.1)), 20, at(0, 0, 0.5), 1)
		for i := range 4 {
			x, y := 0.4-0.8*float64(i%2), 0.4-0.8*float64(i/2)
			pin := s.body(shape.Sphere{Radius: 0.01}, 0.01, at(x, y, 0.011), 1)
			must[JointID](s)(s.AddJoint(JointDef{Type: Fixed, Parent: box, Child: pin,
				ParentFrame: at(0, 0, -0.05), ChildFrame: at(-x, -y, 0.439)}))
		}
		s.stepChecked(dt, int(2/dt))
		if p := s.Body(box).COM(); p.Dist(r3.V(0, 0, 0.499)) > 0.002 || s.kinetic() > 1e-9 ||
			len(s.solver.directIslands) != 1 {
			t.Errorf("step %v s: the box is at %v, %v J, %d direct islands", dt, p, s.kinetic(),
				len(s.solver.directIslands))
		}
	}
}

// TestBoxesWeldedIntoTheGroundStay: bodies of a direct island on fixed joints have no compliance. Contacts
// with the ground or each other find no impulse that would move them.
func TestBoxesWeldedIntoTheGroundStay(t *testing.T) {
	for _, dt := range stepLengths {
		s := newScene(t, 0.6, earth())
		on := s.ground()
		var want []r3.Vec
		for i := range 4 {
			p := at(0.13*float64(i%2), 0.11*float64(i/2), 0.05)
			b := s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, p, 0)
			joint := at(5, 1, 0.3)
			must[JointID](s)(s.AddJoint(JointDef{Type: Fixed, Parent: on, Child: b,
				ParentFrame: s.Body(on).Pose().Relative(joint), ChildFrame: p.Relative(joint)}))
			on, want = b, append(want, p.Pos)
		}
		s.stepChecked(dt, int(0.5/dt))
		for i, p := range want {
			if at := s.Body(s.added[i]).COM(); at.Dist(p) > 1e-6 || len(s.solver.directIslands) != 1 {
				t.Errorf("step %v s: box %d is at %v, was at %v, %d direct islands", dt, i, at, p,
					len(s.solver.directIslands))
			}
		}
	}
}

func TestAStepOfADirectIslandAllocatesNothing(t *testing.T) {
	s := newScene(t, 0.5, earth())
	s.ground()
	s.farChain(rand.New(rand.NewPCG(1, 1)), 6, []JointType{Revolute, Ball})
	s.step(0.004, 300)
	if n := testing.AllocsPerRun(50, func() { s.step(0.004, 1) }); n > 0 || len(s.solver.directIslands) == 0 {
		t.Errorf("%v allocations in a step with %d direct islands", n, len(s.solver.directIslands))
	}
}

// TestTheEnergyFractionStaysWithinItsBudget, also at rest, with a budget below zero by rounding.
func TestTheEnergyFractionStaysWithinItsBudget(t *testing.T) {
	for _, c := range []struct{ square, double, room, want float64 }{
		{0, 0, 0, 1}, {0, 0, -1e-30, 1}, {1, 0, 4, 1}, {1, 0, 0.25, 0.5}, {1, 1, 0.75, 0.5}, {1, -1, 0, 1},
		{2, -1, 0, 0.5}, {1, 1, -1e-9, 0}, {1, 0, -1, 0},
	} {
		if got := fractionWithinEnergy(c.square, c.double, c.room); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v x² + %v x within %v: %v, want %v", c.square, c.double, c.room, got, c.want)
		}
	}
}

// TestAHeavyBodyStandsOnALightFoot drops a body on a foot a thousand times as light. The joint must pass on
// the impact and then the weight. Iterations let the ends separate by the foot's half height.
func TestAHeavyBodyStandsOnALightFoot(t *testing.T) {
	for _, dt := range stepLengths {
		s := newScene(t, 0.8, earth())
		s.ground()
		foot := s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.1)), 1, at(0, 0, 0.25), 0)
		body := s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.4)), 1000, at(0, 0, 0.55), 0)
		j := must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Parent: foot, Child: body,
			ParentFrame: at(0, 0, 0.1), ChildFrame: at(0, 0, -0.2)}))
		gap := 0.0
		for range int(0.5 / dt) {
			s.stepChecked(dt, 1)
			gap = max(gap, s.Joint(j).Gap())
		}
		if gap > 1e-6 || s.deepest() > 1e-3 {
			t.Errorf("step %v s: ends %.3g m apart, the foot %.3g m deep", dt, gap, s.deepest())
		}
	}
}

// TestAnOpenLoopIsClosedByProjection: two heavy balls are on two light rods with long levers. One ball starts
// where the rods reach the gap only by turning. One step closes the gap to a twentieth of the levers, without
// any momentum, and the center of mass stays.
func TestAnOpenLoopIsClosedByProjection(t *testing.T) {
	for _, dt := range []float64{0.004, 1.0 / 120, 1.0 / 60} {
		for _, off := range []r3.Vec{{X: 0.04}, {X: -0.03, Y: 0.02}, {Z: 0.05}} {
			s := newScene(t, 0.5, Config{NoSleep: true})
			a := s.body(shape.Sphere{Radius: 0.03}, 10, at(-0.05, 0, 0), 1)
			b := s.body(shape.Sphere{Radius: 0.03}, 6, at(0.05, 0, 0), 1)
			for i, y := range []float64{0.15, -0.12} {
				rod := s.body(shape.Box{Half: r3.V(0.003, 0.012, 0.003)}, 0.001, at(0, y, 0), 1)
				side := 0.02 * float64(1-2*i)
				s.ball(a, rod, r3.V(-0.05, side, 0))
				s.ball(b, rod, r3.V(0.05, side, 0.01))
			}
			p := s.Body(b).Pose()
			p.Pos = p.Pos.Add(off)
			s.check(s.Body(b).SetPose(p))
			middle := func() r3.Vec { return s.Body(a).COM().Scale(10).AddScaled(6, s.Body(b).COM()) }
			before := middle()
			s.stepChecked(dt, 1)
			worst, lever := 0.0, 0.12
			for i := range s.joints.all {
				worst = max(worst, s.Joint(s.joints.id(int32(i))).Gap())
			}
			e, _ := s.treeEnergy()
			t.Logf("%v off, step %.4f s: gap %.3g m, %.3g J, the middle went %.2g m", off, dt, worst, e,
				middle().Dist(before)/16)
			if worst > 0.05*2*lever || e > 1e-4 || middle().Dist(before) > 16e-4 {
				t.Errorf("%v off, step %.4f s: gap %v m, kinetic energy %v J, the middle went %v m", off, dt,
					worst, e, middle().Dist(before)/16)
			}
		}
	}
}
