package dynamics

import (
	"math"
	"reflect"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// gripper is a carriage on a vertical slide with two fingers on slides, in reduced coordinates.
func (s *scene) gripper() (lift, left, right JointID) {
	palm := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.02)}, 1, at(0, 0, 0.4), 1)
	lift = must[JointID](s)(s.AddJoint(JointDef{Type: Prismatic, Child: palm, ParentFrame: at(0, 0, 0.4),
		Axis: r3.V(0, 0, 1)}))
	finger := func(x float64) JointID {
		f := s.body(shape.Box{Half: r3.V(0.01, 0.03, 0.1)}, 0.2, at(x, 0, 0.28), 1)
		return must[JointID](s)(s.AddJoint(JointDef{
			Type: Prismatic, Parent: palm, Child: f, ParentFrame: at(x, 0, -0.12),
			Axis:    r3.V(-math.Copysign(1, x), 0, 0),
			Limited: true, Lower: 0, Upper: 0.08,
		}))
	}
	left, right = finger(-0.09), finger(0.09)
	s.check(s.Articulate([]JointID{lift, left, right}))
	s.check(s.Joint(lift).SetMotorPosition(0, 0, 0, 1000))
	return lift, left, right
}

func TestAGripperLiftsUpToItsFrictionLimit(t *testing.T) {
	for _, dt := range []float64{0.002, 0.004} {
		for _, c := range []struct {
			mass  float64
			holds bool
		}{{1.8, true}, {2.3, false}} { // 2 · 0.5 · 20 N carry 2.04 kg
			s := newScene(t, 0.5, earth())
			s.ground()
			box := s.body(shape.Box{Half: r3.V(0.04, 0.04, 0.04)}, c.mass, at(0, 0, 0.2), 0)
			stand := s.fixed(shape.Box{Half: r3.V(0.03, 0.03, 0.08)}, at(0, 0, 0.08))
			lift, left, right := s.gripper()
			s.check(s.Joint(left).SetMotorVelocity(0.2, 20))
			s.check(s.Joint(right).SetMotorVelocity(0.2, 20))
			s.stepChecked(dt, int(0.5/dt))
			s.check(s.RemoveBody(stand))
			s.check(s.Joint(lift).SetMotorVelocity(0.1, 1000))
			s.stepChecked(dt, int(2/dt))
			rise := s.Body(box).Pose().Pos.Z - 0.2
			if c.holds != (math.Abs(rise-0.2) < 0.01) || !c.holds && s.Body(box).Pose().Pos.Z > 0.1 {
				t.Errorf("dt %v: a box of %v kg was lifted by %v m", dt, c.mass, rise)
			}
			if e := s.Joint(left).State().Effort; c.holds && math.Abs(e-20) > 1e-9 {
				t.Errorf("dt %v: the finger force is %v N", dt, e)
			}
		}
	}
}

// load is the sum of all contacts' forces along their normals.
func (s *scene) load() (sum float64) {
	for _, c := range s.Contacts(nil) {
		for _, p := range c.Points[:c.Count] {
			sum += p.Force
		}
	}
	return sum
}

// TestALinkRestsOnTheGroundAndIsHit by Newton's method and by passes.
func TestALinkRestsOnTheGroundAndIsHit(t *testing.T) {
	for _, passesOnly := range []bool{false, true} {
		for _, mu := range []float64{0, 0.6} {
			linkOnGround(t, mu, passesOnly)
		}
	}
}

func linkOnGround(t *testing.T, mu float64, passesOnly bool) {
	s := newScene(t, mu, Config{Gravity: r3.V(0, 0, -9.81)})
	s.solver.passesOnly = passesOnly
	s.ground()
	// A post, and a bar on a hinge at its top that falls onto the ground; a ball falls onto the bar.
	bar := s.body(shape.Box{Half: r3.V(0.5, 0.05, 0.02)}, 2, at(0.5, 0, 0.3), 0)
	hinge := must[JointID](t)(s.AddJoint(JointDef{Type: Revolute, Child: bar, ParentFrame: at(0, 0, 0.3),
		ChildFrame: at(-0.5, 0, 0), Axis: r3.V(0, 1, 0), Damping: 0.05}))
	s.check(s.Articulate([]JointID{hinge}))
	s.stepChecked(0.004, 1000)
	want := math.Asin((0.3 - 0.02*math.Cos(0.285)) / 1.0)
	if p := s.Joint(hinge).State().Position; math.Abs(p-want) > 5e-3 {
		t.Errorf("the bar tilts at %v rad, want %v", p, want)
	}
	// The tip carries half of the weight. Friction has stopped it from sliding inward as the bar fell.
	load, turning, friction := s.load(), 0.0, 0.0
	for _, c := range s.Contacts(nil) {
		for _, p := range c.Points[:c.Count] {
			turning += p.Force * p.Position.X
		}
		friction += c.Friction.X
		turning -= c.Friction.X * 0.3
	}
	if want := 9.81 * math.Cos(want); math.Abs(turning-want) > 0.02*want || mu == 0 &&
		math.Abs(load-9.81) > 0.1 {
		t.Errorf(
			"friction %v: the tip has %v N normal and %v N friction force; about the hinge %v N·m, want %v",
			mu, load, friction, turning, want)
	}
	// Either way is in balance at rest; Newton's method keeps that of the sliding.
	if math.Abs(friction) > mu*load+1e-9 || !passesOnly && (friction < -1e-9 || mu > 0 && friction < 1) {
		t.Errorf("friction %v: the tip, which slid inward as it fell, has %v N friction under %v N", mu,
			friction, load)
	}
	if s.Body(bar).Awake() {
		t.Error("the bar does not sleep")
	}
	ball := s.body(shape.Sphere{Radius: 0.05}, 0.5, at(0.5, 0, 1), 0)
	woke := false
	for range 250 {
		s.stepChecked(0.004, 1)
		woke = woke || s.Body(bar).Awake()
	}
	if !woke || s.Body(ball).Pose().Pos.X < 0.52 {
		t.Errorf("the ball: woke %v, at %v", woke, s.Body(ball).Pose().Pos)
	}
}

func TestALinkBouncesByItsRestitution(t *testing.T) {
	s := newScene(t, 0, earth())
	s.ground()
	b := must[BodyID](t)(s.AddBody(BodyDef{Type: Dynamic, Pose: at(0, 0, 1.1), Mass: 1,
		Inertia: r3.Diag(r3.V(0.01, 0.01, 0.01))}))
	must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 0.1},
		Material: Material{Restitution: 0.8}}))
	j := must[JointID](t)(s.AddJoint(JointDef{Type: Prismatic, Child: b, ParentFrame: at(0, 0, 1.1),
		Axis: r3.V(0, 0, 1)}))
	s.check(s.Articulate([]JointID{j}))
	top, down := 0.0, false
	for range 900 {
		s.stepChecked(0.001, 1)
		down = down || s.Body(b).Pose().Pos.Z < 0.11
		if down {
			top = max(top, s.Body(b).Pose().Pos.Z-0.1)
		}
	}
	if math.Abs(top-0.64) > 0.02 {
		t.Errorf("rises to %v m, want 0.64", top)
	}
}

// quadruped is a trunk of 8 kg on four legs of two links, every joint a servo of 40 N·m.
func (s *scene) quadruped(reduced bool) (trunk BodyID, joints []JointID) {
	trunk = s.body(shape.Box{Half: r3.V(0.25, 0.12, 0.06)}, 8, at(0, 0, 0.36), 1)
	for i := range 4 {
		x, y := 0.2*float64(1-2*(i/2)), 0.15*float64(1-2*(i%2))
		hip := at(x, y, 0.36)
		up := hip.Mul(r3.Pose{Rot: r3.AxisAngle(r3.V(0, 1, 0), 0.7)})
		knee := up.Mul(at(0, 0, -0.2))
		low := knee.Mul(r3.Pose{Rot: r3.AxisAngle(r3.V(0, 1, 0), -1.4)})
		stub := s.body(shape.Box{Half: r3.V(0.03, 0.03, 0.03)}, 0.5, hip, 1)
		thigh := s.body(shape.Capsule{Radius: 0.02, Half: 0.08}, 1, up.Mul(at(0, 0, -0.1)), 1)
		shin := s.body(shape.Capsule{Radius: 0.02, Half: 0.08}, 0.3, low.Mul(at(0, 0, -0.1)), 1)
		s.geom(shin, shape.Sphere{Radius: 0.025}, at(0, 0, -0.1))
		add := func(parent, child BodyID, frame r3.Pose, axis r3.Vec) {
			joints = append(joints, must[JointID](s)(s.AddJoint(JointDef{
				Type: Revolute, Parent: parent, Child: child,
				ParentFrame: s.Body(parent).Pose().Relative(frame),
				ChildFrame:  s.Body(child).Pose().Relative(frame),
				Axis:        axis, Limited: true, Lower: -1, Upper: 1, MaxEffort: 40, Damping: 0.1,
			})))
		}
		add(trunk, stub, hip, r3.V(1, 0, 0))
		add(stub, thigh, up, r3.V(0, 1, 0))
		add(thigh, shin, low, r3.V(0, 1, 0))
	}
	if reduced {
		s.check(s.Articulate(joints))
	}
	return trunk, joints
}

func TestAQuadrupedStandsAndSleeps(t *testing.T) {
	for _, dt := range []float64{0.002, 0.004} {
		s := newScene(t, 0.8, Config{Gravity: r3.V(0, 0, -9.81)})
		s.ground()
		trunk, joints := s.quadruped(true)
		for _, j := range joints {
			s.check(s.Joint(j).SetMotorPosition(0, 300, 10, 0))
		}
		s.stepChecked(dt, int(4/dt))
		p := s.Body(trunk).Pose()
		load := s.load()
		t.Logf("dt %v: trunk at %.5f, tilt %.2g, load %.3f N, awake %v", dt, p.Pos, p.Rot.Vector().Len(),
			load, s.Body(trunk).Awake())
		if math.Abs(load-15.2*9.81) > 0.5 || p.Pos.Z < 0.31 || math.Hypot(p.Pos.X, p.Pos.Y) > 0.01 ||
			p.Rot.Vector().Len() > 0.02 {
			t.Errorf("dt %v: trunk at %v, load %v N", dt, p, load)
		}
		if s.Body(trunk).Awake() {
			t.Errorf("dt %v: it does not sleep", dt)
		}
		s.check(s.Joint(joints[1]).SetMotorPosition(0.3, 300, 10, 0))
		s.stepChecked(dt, int(1/dt))
		if q := s.Joint(joints[1]).State().Position; math.Abs(q-0.3) > 0.1 {
			t.Errorf("dt %v: told to bend, a thigh is at %v", dt, q)
		}
	}
}

func TestAnArticulationContinuesEquallyFromARestoredStateAndInACopy(t *testing.T) {
	build := func() (*scene, []JointID) {
		s := newScene(t, 0.8, Config{Gravity: r3.V(0, 0, -9.81)})
		s.ground()
		_, joints := s.quadruped(true)
		s.chain(Ball, BodyID{}, 2)
		for _, j := range joints {
			s.check(s.Joint(j).SetMotorPosition(0.1, 300, 10, 0))
		}
		return s, joints
	}
	a, _ := build()
	a.stepChecked(0.004, 200)
	state := a.AppendState(nil)
	b, _ := build()
	b.check(b.RestoreState(state))
	c := newScene(t, 0.8, Config{})
	c.CopyFrom(a.World)
	for i := range 300 {
		a.stepChecked(0.004, 1)
		b.stepChecked(0.004, 1)
		c.stepChecked(0.004, 1)
		if a.Hash() != b.Hash() || a.Hash() != c.Hash() {
			t.Fatalf("apart after %d steps", i+1)
		}
	}
	if h, want := a.Hash(), uint64(0x2e8c871f499ba325); h != want {
		t.Errorf("hash %#x, want %#x", h, want)
	}
}

func TestAStepOfAnArticulationAllocatesNothing(t *testing.T) {
	s := newScene(t, 0.8, earth())
	s.ground()
	_, joints := s.quadruped(true)
	for _, j := range joints {
		s.check(s.Joint(j).SetMotorPosition(0, 300, 10, 0))
	}
	s.step(0.004, 300)
	if n := testing.AllocsPerRun(50, func() { s.step(0.004, 1) }); n > 0 {
		t.Errorf("%v allocations per step", n)
	}
}

// articulationScene is a quadruped that boxes fall on, a free arm and a chain of balls, in reduced
// coordinates.
func articulationScene(t testing.TB, c Config) *scene {
	s := newScene(t, 0.6, c)
	s.ground()
	_, joints := s.quadruped(true)
	for i, j := range joints {
		s.check(s.Joint(j).SetMotorPosition(0.1*float64(i%3), 200, 8, 0))
	}
	s.check(s.Articulate(s.chain(Ball, BodyID{}, 3)))
	for i := range 8 {
		s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), 0.5, at((s.rnd()-0.5)/2, (s.rnd()-0.5)/4, 0.6+float64(i)/8),
			0)
	}
	s.articulatedArm()
	return s
}

// withoutScratch copies articulations without scratch.
func withoutScratch(from []worldArticulation) []worldArticulation {
	out := make([]worldArticulation, len(from))
	for i := range from {
		l := &from[i]
		out[i] = worldArticulation{live: l.live, dirty: l.dirty, base: l.base, links: l.links,
			Articulation: l.Articulation}
		dropScratch(reflect.ValueOf(&out[i].Articulation).Elem())
	}
	return out
}

// dropScratch zeroes all fields of an articulation but the tree, its links and its degrees of freedom.
func dropScratch(art reflect.Value) {
	for i := range art.NumField() {
		switch f := art.Field(i); art.Type().Field(i).Name {
		case "Tree":
			dropScratch(f)
		case "floating", "links", "dofs":
		default:
			reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().SetZero()
		}
	}
}
