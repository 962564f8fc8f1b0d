package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// pairScene has two geoms at given poses, on which the narrow phase has run once.
func pairScene(t testing.TB, a shape.Shape, pa r3.Pose, b shape.Shape, pb r3.Pose) (*scene, *contact) {
	t.Helper()
	s := newScene(t, 0.5, Config{NoSleep: true})
	s.body(a, 1, pa, 0)
	if c, ok := b.(shape.Convex); ok {
		s.body(c, 1, pb, 0)
	} else {
		s.fixed(b, pb)
	}
	s.time.dt = 1.0 / 240
	findPairs(s.World)
	collideAll(s.World)
	if len(s.contacts.pairs.sorted) == 0 {
		return s, nil
	}
	return s, &s.contacts.all[s.contacts.pairs.sorted[0].contact]
}

func randomPose(r *rand.Rand, s float64) r3.Pose {
	q, _ := r3.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Unit()
	return r3.Pose{Pos: r3.V(s*r.NormFloat64(), s*r.NormFloat64(), s*r.NormFloat64()), Rot: q}
}

// TestAWheelTouchesAlongItsLineWithSteadyFeatures: a wheel above or in any kind of ground has two contact
// points, at its rims. Their positions do not change while it turns.
func TestAWheelTouchesAlongItsLineWithSteadyFeatures(t *testing.T) {
	wheel := shape.Cylinder{Radius: 0.033, Half: 0.009}
	grounds := map[string]struct {
		s shape.Shape
		p r3.Pose
	}{
		"plane": {shape.Plane{}, r3.IdentityPose()},
		"box":   {shape.BoxOf(r3.V(4, 4, 1)), at(0.3, 0.2, -0.5)},
		"mesh":  {shapetest.FloorMesh(t, 4, 0.5), r3.IdentityPose()},
		"field": {flatField(t, 4, 0.5), r3.IdentityPose()},
	}
	for name, g := range grounds {
		for _, depth := range []float64{-0.001, 1e-6, 0.0005, 0.003} {
			for turn := range 50 {
				p := wheelPose(0.11, 0.07, 0.033-depth)
				p.Rot = p.Rot.Mul(r3.AxisAngle(r3.V(0, 0, 1), 0.2*float64(turn)))
				s := newScene(t, 0.5, Config{})
				s.body(wheel, 1, p, 0)
				s.fixed(g.s, g.p)
				findPairs(s.World)
				collideAll(s.World)
				c := &s.contacts.all[s.contacts.pairs.sorted[0].contact]
				if c.count != 1 {
					t.Fatalf("%s depth %v turn %d: %d manifolds", name, depth, turn, c.count)
				}
				s.checkWheel(name, c, depth)
			}
		}
	}
}

// checkWheel wants a manifold of two points, one at each rim, straight below the axle, with a gap of -depth.
func (t *scene) checkWheel(name string, c *contact, depth float64) {
	t.Helper()
	m := &t.contacts.manifolds[c.base]
	if m.n != 2 || math.Abs(math.Abs(m.normal.Z)-1) > 1e-9 {
		t.Fatalf("%s depth %v: %d points, normal %v", name, depth, m.n, m.normal)
	}
	low := m.points[0].arm.Y < m.points[1].arm.Y
	for i, p := range m.points[:2] {
		y := 0.061
		if (i == 0) != low {
			y = 0.079
		}
		if spot := t.contacts.pointOnA(&t.bodies, t.contacts.pairs.sorted[0].contact,
			&p); math.Abs(spot.X-0.11) > 1e-9 ||
			math.Abs(spot.Y-y) > 1e-9 || math.Abs(p.gap+depth) > 1e-9 {
			t.Fatalf("%s depth %v: point %+v", name, depth, p)
		}
	}
}

// TestABoxLiesOnFourCorners: the contact points of a box on any kind of ground are its four corners. After 2
// s their forces sum to its weight of 9.81 N.
func TestABoxLiesOnFourCorners(t *testing.T) {
	for _, g := range []shape.Shape{shape.Plane{}, shape.BoxOf(r3.V(4, 4, 2)), shapetest.FloorMesh(t, 4, 0.3),
		flatField(t, 4, 0.3)} {
		p := at(0, 0, 0)
		if g.Kind() == shape.KindBox {
			p = at(0, 0, -1)
		}
		s := newScene(t, 0.5, earth())
		s.body(shape.Box{Half: r3.V(0.2, 0.3, 0.1)}, 1, at(0.05, 0.02, 0.0999), 0)
		s.fixed(g, p)
		s.stepChecked(1.0/240, 1)
		c := s.Contacts(nil)
		if len(c) != 1 || c[0].Count != 4 {
			t.Fatalf("%v: %d patches, %d points", g.Kind(), len(c), c[0].Count)
		}
		for _, pt := range c[0].Points {
			if math.Abs(math.Abs(pt.Position.X-0.05)-0.2) > 1e-9 ||
				math.Abs(math.Abs(pt.Position.Y-0.02)-0.3) > 1e-9 {
				t.Errorf("%v: point %v is no corner", g.Kind(), pt.Position)
			}
		}
		s.stepChecked(1.0/240, 480)
		force := 0.0
		for _, pt := range s.Contacts(nil)[0].Points {
			force += pt.Force
		}
		if math.Abs(force-9.81) > 0.01 {
			t.Errorf("%v: carried by %v N, weighs 9.81", g.Kind(), force)
		}
	}
}

// TestAThinPlateLiesOnItsLowerCorners: the corners of the upper side are within the contact margin too, but
// must carry no load. Plates of 1 to 9 mm come to lie flat from any orientation, with their centers at half
// their thickness.
func TestAThinPlateLiesOnItsLowerCorners(t *testing.T) {
	for _, thick := range []float64{0.001, 0.004, 0.009} {
		for _, g := range []shape.Shape{shape.Plane{}, shapetest.FloorMesh(t, 4, 0.3)} {
			r := rand.New(rand.NewPCG(3, uint64(1e4*thick)))
			s := newScene(t, 0, earth())
			s.fixed(g, at(0, 0, 0))
			for i := range 9 {
				p := at(0.3*float64(i%3)-0.3, 0.3*float64(i/3)-0.3, 0.08)
				p.Rot = r3.AxisAngle(r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()), r.Float64())
				s.body(shape.BoxOf(r3.V(0.08, 0.06, thick)), 0.05, p, 0)
			}
			s.stepChecked(0.004, 500)
			for _, b := range s.added {
				up, z := math.Abs(s.Body(b).Pose().Rot.Rotate(r3.V(0, 0, 1)).Z), s.Body(b).COM().Z
				if 1-up > 1e-4 || math.Abs(z-0.5*thick) > 5e-4 {
					t.Errorf("%v, %v m thick: its middle is at %v m, its normal leans by %v", g.Kind(), thick,
						z, math.Acos(min(1, up)))
				}
			}
		}
	}
}

// TestNothingCatchesOnInternalEdgesOfAFloor: a box, a ball and a cylinder slide without friction over flat
// meshes and heightfields. They keep 2 m/s and get no vertical velocity.
func TestNothingCatchesOnInternalEdgesOfAFloor(t *testing.T) {
	sliders := []shape.Shape{shape.Box{Half: r3.V(0.1, 0.1, 0.05)}, shape.Sphere{Radius: 0.05},
		shape.Cylinder{Radius: 0.08, Half: 0.05}}
	for i, floor := range []shape.Shape{
		shapetest.FloorMesh(t, 20, 0.17), shapetest.FloorMesh(t, 20, 0.17), shapetest.FloorMesh(t, 20, 0.17),
		flatField(t, 20, 0.17),
		flatField(t, 20, 0.17), flatField(t, 20, 0.17),
	} {
		sh := sliders[i%3]
		s := newScene(t, 0, earth())
		s.fixed(floor, r3.Pose{})
		h := -sh.Bounds(r3.IdentityPose()).Min.Z
		b := s.body(sh, 1, at(-2, 0.03, h), 0)
		if err := s.Body(b).SetTwist(r3.Twist{Linear: r3.V(2, 0.1, 0)}); err != nil {
			t.Fatal(err)
		}
		for range 400 {
			s.stepChecked(0.004, 1)
			if tw := s.Body(b).Twist(); math.Abs(tw.Linear.X-2) > 1e-3 || math.Abs(tw.Linear.Z) > 2e-3 {
				t.Fatalf("%v: at %v its speed has become %v", sh.Kind(), s.Body(b).Pose().Pos, tw.Linear)
			}
		}
	}
}

// TestTheBroadPhaseMissesNoPair: an exhaustive search finds no two overlapping geoms that are no pair, while
// bodies of all shapes fall.
func TestTheBroadPhaseMissesNoPair(t *testing.T) {
	s := mixedShapes(t, earth())
	for range 300 {
		s.step(0.004, 1)
		for i := range s.geoms.all {
			for k := i + 1; k < len(s.geoms.all); k++ {
				a, b := &s.geoms.all[i], &s.geoms.all[k]
				if a.body == b.body || s.immovable(a, b) ||
					!s.geoms.placements[i].tight.Overlaps(s.geoms.placements[k].tight) {
					continue
				}
				found := false
				for _, r := range s.contacts.pairs.sorted {
					found = found || r.key == pairKey(int32(i), int32(k))
				}
				if !found && !s.geoms.placements[i].moved && !s.geoms.placements[k].moved {
					t.Fatalf("step %d: geoms %d and %d overlap and are no pair", s.Steps(), i, k)
				}
			}
		}
	}
}

// immovable reports that neither geom belongs to a dynamic body.
func (s *scene) immovable(a, b *geom) bool {
	return s.World.bodies.all[a.body].kind != Dynamic && s.World.bodies.all[b.body].kind != Dynamic
}

// TestAMeshThatIsTooFineIsCounted: Stats.TrianglesLeft counts the triangles under a box that its contact has
// no room for.
func TestAMeshThatIsTooFineIsCounted(t *testing.T) {
	for _, c := range []struct {
		cell float64
		left bool
	}{{0.5, false}, {0.045, false}, {0.03, true}, {0.02, true}} {
		s := newScene(t, 0.5, earth())
		s.fixed(shapetest.FloorMesh(t, 20, c.cell), r3.Pose{})
		s.body(shape.BoxOf(r3.V(0.6, 0.6, 0.1)), 1, at(0, 0, 0.049), 0)
		s.stepChecked(0.004, 1)
		if got := s.Stats().TrianglesLeft; (got > 0) != c.left {
			t.Errorf("cells of %v m: %d triangles left out", c.cell, got)
		}
	}
}
