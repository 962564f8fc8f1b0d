package dynamics

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestAMotionBoundIsShortByANanometreAndAtMostAThirdOfAMetre: below its bound a contact is still valid. The
// bound is a part of the motion that changes nothing, less a nanometre for rounding. It is never more than
// the largest bound.
func TestAMotionBoundIsShortByANanometreAndAtMostAThirdOfAMetre(t *testing.T) {
	for _, c := range []struct {
		motion, moved float64
		valid         bool
	}{
		{0.01, coherentPart*0.01 - 1.4e-9, true}, {0.01, coherentPart*0.01 - 0.7e-9, false},
		{10, 0.3, true}, {10, 0.42, false},
	} {
		bodies := bodySet{motionBounds: make([]motionBound, 2)}
		pair := contact{bodyA: 0, bodyB: 1}
		bodies.setMotionBound(&pair, c.motion)
		bodies.motionBounds[1].predicted = c.moved
		if got := bodies.stillValid(&pair); got != c.valid {
			t.Errorf("bound of %v m, after %v m: valid %v, want %v", c.motion, c.moved, got, c.valid)
		}
	}
}

// TestAPointInheritsTheImpulseOfAnotherWithinACentimetre: though the features that meet are others.
func TestAPointInheritsTheImpulseOfAnotherWithinACentimetre(t *testing.T) {
	for off, inherits := range map[float64]bool{0: true, 0.0085: true, 0.012: false} {
		old := manifold{n: 1, normal: r3.V(0, 0, 1), ids: [maxManifoldPoints]uint32{7}}
		old.impulses[0], old.points[0].arm = 3, r3.V(0.2, 0, 0)
		m := manifold{n: 1, normal: r3.V(0, 0, 1), ids: [maxManifoldPoints]uint32{8}}
		m.points[0].arm = r3.V(0.2, off, 0)
		m.inherit(&old)
		if m.matched[0] != inherits || (m.impulses[0] == 3) != inherits {
			t.Errorf("a point %v m away has an impulse of %v N·s", off, m.impulses[0])
		}
	}
}

// TestOverlapsBetweenMovingBodiesCloseByATwelfthInASubstep: a contact pushes them apart by some 8 % of what
// is left of an overlap. Half the damping would be 13 %, twice the damping 4 %.
func TestOverlapsBetweenMovingBodiesCloseByATwelfthInASubstep(t *testing.T) {
	s := newScene(t, 0.5, Config{Substeps: 1})
	const overlap = 1e-4
	a := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 0)
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0.2-overlap, 0, 0), 0)
	s.stepChecked(0.001, 1)
	left := 0.2 - s.Body(b).Pose().Pos.Sub(s.Body(a).Pose().Pos).Len()
	if part := 1 - left/overlap; part < 0.06 || part > 0.1 {
		t.Errorf("a substep closes %v of an overlap", part)
	}
}

// TestAPointIsPushedByItsSpringWhereALoadCanHavePressedIt: a millimetre deep without a load, and four times
// as deep as it lies under its own weight.
func TestAPointIsPushedByItsSpringWhereALoadCanHavePressedIt(t *testing.T) {
	for _, c := range []struct {
		stiffness, gravity, deep float64
		pushed                   bool
	}{{1e6, 0, 0.0007, true}, {1e6, 0, 0.0014, false}, {100, 10, 0.3, true}, {100, 10, 0.6, false}} {
		// The weight of a kilogram lies mg/k deep: 0.1 m on the softer spring.
		s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -c.gravity), Substeps: 1})
		s.ground()
		b := must[BodyID](t)(s.AddBody(BodyDef{Type: Dynamic, Pose: at(0, 0, 1-c.deep), Mass: 1,
			Inertia: r3.Diag(r3.V(0.4, 0.4, 0.4))}))
		must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 1},
			Material: Material{Stiffness: c.stiffness, Damping: 1}}))
		s.stepChecked(0.0001, 1)
		if pushed := len(s.solver.contactSprings) > 0; pushed != c.pushed {
			t.Errorf("%v N/m, %v m deep: pushed by its spring %v, want %v", c.stiffness, c.deep, pushed, c.pushed)
		}
	}
}

// TestAClusterTakesPointsUpToTwentyFour: a heavy body that lies on a light one with more has the others
// solved by iterations.
func TestAClusterTakesPointsUpToTwentyFour(t *testing.T) {
	for _, points := range []int32{1, 3, 4} {
		var cs clusterSolver
		cs.clusterOf, cs.clusterPoints = cs.clusterOf.Reset(3), make([]int32, 3)
		cs.loadedBy = []float64{0, 0, 100}
		for i := range int32(60) {
			cs.joinCluster(i, &contactConstraint{a: 1, b: 2}, points)
		}
		if got := points * int32(len(cs.clusterContacts)); got != 24 {
			t.Errorf("of manifolds of %d points %d points are in a cluster", points, got)
		}
	}
}
