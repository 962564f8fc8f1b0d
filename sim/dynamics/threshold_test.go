package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// TestRestitutionActsFromHalfAMetrePerSecond: a ball that arrives at 0.4 m/s stays down, one at 0.6 m/s comes
// back with its part of the speed.
func TestRestitutionActsFromHalfAMetrePerSecond(t *testing.T) {
	for speed, want := range map[float64]float64{0.4: 0, 0.6: 0.48, 0.9: 0.72} {
		s := newScene(t, 0.5, Config{})
		s.ground()
		b := must[BodyID](t)(s.AddBody(BodyDef{
			Type: Dynamic, Pose: at(0, 0, 0.15), Mass: 1, Inertia: r3.Diag(r3.V(0.004, 0.004, 0.004)),
		}))
		must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 0.1},
			Material: Material{Friction: 0.5, Restitution: 0.8}}))
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(0, 0, -speed)}))
		s.stepChecked(0.001, 300)
		if up := s.Body(b).Twist().Linear.Z; math.Abs(up-want) > 0.02 {
			t.Errorf("a ball that arrives at %v m/s leaves at %v m/s, want %v", speed, up, want)
		}
	}
}

// TestBodiesAreContainedFromTheBoundsOfTheManual: a fifth below 10⁶ m/s and 10⁹ m a body moves on,
// a fifth above it is contained.
func TestBodiesAreContainedFromTheBoundsOfTheManual(t *testing.T) {
	for _, part := range []float64{0.8, 1.2} {
		for name, def := range map[string]BodyDef{
			"speed":  {Pose: at(0, 0, 0), Twist: r3.Twist{Linear: r3.V(part*1e6, 0, 0)}},
			"extent": {Pose: at(0, 0, part*1e9)},
		} {
			s := newScene(t, 0.5, Config{Contain: true})
			def.Type, def.Mass, def.Inertia = Dynamic, 1, r3.Diag(r3.V(0.004, 0.004, 0.004))
			b := must[BodyID](t)(s.AddBody(def))
			must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 0.1}}))
			s.step(0.001, 1)
			if got := s.Body(b).Contained(); got != (part > 1) {
				t.Errorf("%v of the bound of %s: contained %v", part, name, got)
			}
		}
	}
}

// TestAFaultNamesFourBodiesThatTouchedTheContainedOne: of six.
func TestAFaultNamesFourBodiesThatTouchedTheContainedOne(t *testing.T) {
	s := newScene(t, 0.5, Config{Contain: true})
	middle := s.body(shape.BoxOf(r3.V(1, 1, 1)), 1, at(0, 0, 0), 0)
	for _, p := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		s.body(shape.BoxOf(r3.V(0.9, 0.9, 0.9)), 1, at(0.95*p.X, 0.95*p.Y, 0.95*p.Z), 0)
	}
	s.step(0.001, 5)
	s.check(s.Body(middle).SetTwist(r3.Twist{Linear: r3.V(1e300, 0, 0)}))
	s.step(0.001, 1)
	f := s.Faults()
	if len(f) == 0 || f[0].Body != middle || len(f[0].Hits()) != 4 {
		t.Errorf("faults %+v, want one of the middle body with four hits", f)
	}
}

// TestDrawnAxesAreATenthOfAMetreLong: a frame can be read off beside bodies of robots.
func TestDrawnAxesAreATenthOfAMetreLong(t *testing.T) {
	s := newScene(t, 0.5, Config{})
	s.body(shape.Sphere{Radius: 0.1}, 1, at(1, 2, 3), 0)
	lines := Draw(s.World, DrawFrames, nil)
	if len(lines) != 3 {
		t.Fatalf("%d lines, want three axes", len(lines))
	}
	for _, l := range lines {
		if d := l.B.Sub(l.A).Len(); math.Abs(d-0.1) > 1e-12 {
			t.Errorf("an axis is %v m long, want 0.1", d)
		}
	}
}

// TestAPartedJointClosesAtFiveMetresPerSecond: and a twisted one at 20 rad/s; neither shoots together.
func TestAPartedJointClosesAtFiveMetresPerSecond(t *testing.T) {
	turned := r3.Pose{Rot: r3.AxisAngle(r3.V(0, 0, 1), 2.8)}
	for name, c := range map[string]struct {
		pose      r3.Pose
		low, high float64
		speed     func(r3.Twist) float64
	}{
		"parted":  {at(3, 0, 0), 4, 5.2, func(v r3.Twist) float64 { return v.Linear.Len() }},
		"twisted": {turned, 15, 20.8, func(v r3.Twist) float64 { return v.Angular.Len() }},
	} {
		s := newScene(t, 0.5, Config{})
		post := s.fixed(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), at(0, 0, 0))
		b := s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), 1, at(0, 0, 0), 0)
		must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Parent: post, Child: b}))
		s.check(s.Body(b).SetPose(c.pose))
		fastest := 0.0
		before := s.Body(b).Pose()
		for range 100 {
			s.stepChecked(0.001, 1)
			now := s.Body(b).Pose()
			moved := r3.Twist{Linear: now.Pos.Sub(before.Pos).Scale(1000),
				Angular: now.Rot.Mul(before.Rot.Conj()).Vector().Scale(1000)}
			before, fastest = now, max(fastest, c.speed(moved))
		}
		if fastest < c.low || fastest > c.high {
			t.Errorf("%s: it closes at up to %v, want between %v and %v", name, fastest, c.low, c.high)
		}
	}
}

// TestAPartedJointClosesByAQuarterInASubstep: its spring has a quarter of the frequency of substeps.
func TestAPartedJointClosesByAQuarterInASubstep(t *testing.T) {
	const gap = 1e-3
	s := newScene(t, 0.5, Config{})
	post := s.fixed(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), at(0, 0, 0))
	b := s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), 1, at(0, 0, 0), 0)
	must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Parent: post, Child: b}))
	s.check(s.Body(b).SetPose(at(gap, 0, 0)))
	s.stepChecked(0.001, 1)
	if closed := 1 - s.Body(b).Pose().Pos.X/gap; closed < 0.2 || closed > 0.31 {
		t.Errorf("a substep closes %.3g of the gap, want a quarter", closed)
	}
}

// TestAFreeBodyTurnsAtMostAQuarterTurnInASubstep: a faster spin comes down to that.
func TestAFreeBodyTurnsAtMostAQuarterTurnInASubstep(t *testing.T) {
	s := newScene(t, 0.5, Config{Substeps: 1})
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 0)
	s.check(s.Body(b).SetTwist(r3.Twist{Angular: r3.V(0, 1e5, 0)}))
	s.step(0.001, 1)
	if spin := s.Body(b).Twist().Angular.Len(); math.Abs(spin-500*math.Pi) > 1 {
		t.Errorf("it turns at %v rad/s after a step of a millisecond, want a quarter turn in that", spin)
	}
}

// TestGeomsTouchFromAGapOfAMillimetre: contacts are reported from there on, though points are found earlier.
func TestGeomsTouchFromAGapOfAMillimetre(t *testing.T) {
	for gap, want := range map[float64]int{0.0007: 1, 0.0014: 0} {
		s := newScene(t, 0.5, Config{})
		s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 0)
		s.body(shape.Sphere{Radius: 0.1}, 1, at(0.2+gap, 0, 0), 0)
		s.stepChecked(0.001, 1)
		if got := len(s.Contacts(nil)); got != want {
			t.Errorf("spheres with a gap of %v m have %d contacts, want %d", gap, got, want)
		}
	}
}

// TestAHeightfieldLiftsFromAMetreBelowIt: a ball somewhat less deep comes up, one deeper stays.
func TestAHeightfieldLiftsFromAMetreBelowIt(t *testing.T) {
	for z, lifted := range map[float64]bool{-0.8: true, -1.4: false} {
		s := newScene(t, 0.5, Config{})
		s.fixed(shapetest.Terrain(t, 41, 8, func(_, _ float64) float64 { return 0 }), r3.Pose{})
		b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0.1, 0.1, z), 0)
		s.stepChecked(0.004, 25)
		if up := s.Body(b).Pose().Pos.Z - z; (up > 0.01) != lifted {
			t.Errorf("a ball %v m below the ground came up by %v m in 0.1 s", -z, up)
		}
	}
}

// TestASpinIsLostFromABillionRadiansPerSecondOn: 30% below that it is a motion like others. Far above, the
// body is taken out because it was too fast.
func TestASpinIsLostFromABillionRadiansPerSecondOn(t *testing.T) {
	for spin, lost := range map[float64]bool{0.7e9: false, 1.4e9: true} {
		s := newScene(t, 0.5, Config{Contain: true})
		b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 0)
		s.step(0.001, 1)
		s.solver.states[s.solver.index[b.slot]].w = r3.V(0, spin, 0)
		s.containment.findLost(&s.bodies, s.articulations, &s.solver)
		if got := s.containment.lost; (len(got) > 0) != lost || lost && got[0].cause != FaultTooFast {
			t.Errorf("%v rad/s: lost %v, want %v", spin, got, lost)
		}
	}
}

// TestNeighboursAreGatheredUpToEightMillionKeys: of two tiles that touch each is a neighbour of the other. A
// geom that comes when there are more keys than that gets no more of them.
func TestNeighboursAreGatheredUpToEightMillionKeys(t *testing.T) {
	for keys, gathered := range map[int]bool{0: true, 8.5e6: false} {
		s := newScene(t, 0.5, Config{})
		s.fixed(shape.Sphere{Radius: 0.1}, at(9, 9, 9))
		s.fixed(shape.BoxOf(r3.V(1, 1, 0.2)), at(-0.5, 0, 0))
		s.fixed(shape.BoxOf(r3.V(1, 1, 0.2)), at(0.5, 0, 0))
		near := &s.geoms.adjacency
		near.keys, near.moved, near.dirty = make([]uint64, keys), []int32{1, 2}, false // of the far ball
		s.geoms.findAdjacent(&s.bodies)
		if got := len(near.of(1)) == 1 && len(near.of(2)) == 1; got != gathered {
			t.Errorf("beside %d keys: neighbours are gathered %v, want %v", keys, got, gathered)
		}
	}
}
