package collide

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestACylinderStandsOnItsCapUpToASmallTilt: a little below a sine of 0.02 it touches a plane with points all
// around, each on its rim. A little above, it touches with the lowest point alone.
func TestACylinderStandsOnItsCapUpToASmallTilt(t *testing.T) {
	const radius, half = 0.1, 0.05
	for sine, whole := range map[float64]bool{0.015: true, 0.03: false} {
		tilt := math.Asin(sine)
		low := half*math.Cos(tilt) + radius*sine
		pose := r3.Pose{Pos: r3.V(0, 0, low), Rot: r3.AxisAngle(r3.V(0, 1, 0), tilt)}
		m := &query(shape.Cylinder{Radius: radius, Half: half}, pose, shape.Plane{},
			at(0, 0, 0)).Manifolds()[0]
		if (m.Count > 2) != whole {
			t.Errorf("tilted by a sine of %v it has %d points", sine, m.Count)
		}
		for _, p := range m.Points[:m.Count] {
			local := pose.ApplyInverse(p.Position)
			if off := math.Hypot(local.X, local.Y) - radius; math.Abs(off) > 1e-12 {
				t.Errorf("tilted by a sine of %v it has a point %v m off its rim", sine, off)
			}
		}
	}
}

// TestEveryPointOfATiltedRimHasItsOwnID: a rim that is pressed into a plane touches it with its lowest point
// and with others, whichever way it leans. Points with the same id would share an impulse.
func TestEveryPointOfATiltedRimHasItsOwnID(t *testing.T) {
	for k := range 16 {
		turn := r3.AxisAngle(r3.V(0, 0, 1), float64(k)*math.Pi/8)
		pose := r3.Pose{Pos: r3.V(0, 0, 0.04), Rot: r3.AxisAngle(r3.V(0, 1, 0), 0.05).Mul(turn)}
		m := &query(shape.Cylinder{Radius: 0.1, Half: 0.05}, pose, shape.Plane{}, at(0, 0, 0)).Manifolds()[0]
		seen := map[uint32]bool{}
		for _, p := range m.Points[:m.Count] {
			seen[p.ID] = true
		}
		if m.Count < 5 || len(seen) != m.Count {
			t.Errorf("turned by %d/16: %d points have %d ids", k, m.Count, len(seen))
		}
	}
}

// TestADeepContactIsKeptThoughANeighborHidesIt: what is a millimeter and a half in the hidden side of a tile
// slides on, what is three in it must come out.
func TestADeepContactIsKeptThoughANeighborHidesIt(t *testing.T) {
	tile := shape.BoxOf(r3.V(1, 1, 0.2))
	left, right := instance(tile, at(-0.5, 0, -0.1)), instance(tile, at(0.5, 0, -0.1))
	for depth, kept := range map[float64]bool{0.0015: false, 0.003: true} {
		box := instance(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), at(depth-0.1, 0, 0.09))
		var q Query
		q.Begin(box, right, margin)
		q.EnableInternalEdges(false)
		q.AddNeighbor(left)
		q.Collide()
		q.RemoveInternalEdges()
		side := false
		for _, m := range q.Manifolds() {
			side = side || math.Abs(m.Normal.X) > 0.99
		}
		if side != kept {
			t.Errorf("%v m in the side of a tile: kept %v, want %v", depth, side, kept)
		}
	}
}

// coneOf is a cone of faces with these normals, all at the point.
func coneOf(along r3.Vec, normals ...r3.Vec) (c normalCone) {
	c.reset(NeighborDistance, internalEdgeDepth)
	for _, n := range normals {
		c.addFacet(n, 0, along)
	}
	return c
}

// TestTheTipOfAPyramidOfTwelveFacesAllowsItsAxis: the faces that a cone keeps must reach more than half way
// around the tip.
func TestTheTipOfAPyramidOfTwelveFacesAllowsItsAxis(t *testing.T) {
	var normals []r3.Vec
	for k := range 12 {
		turn := math.Pi / 6 * float64(k)
		normals = append(normals, r3.V(0.6*math.Cos(turn), 0.6*math.Sin(turn), 0.8))
	}
	axis := r3.V(0, 0, 1)
	c := coneOf(axis, normals...)
	var parts [maxConeFacets]float64
	if off := c.outsideCone(axis, &parts).Len(); off > 0.05 {
		t.Errorf("the axis lies %v outside the cone of the tip", off)
	}
}

// TestNormalsBetweenFacesAtFortyFiveDegreesAreInTheirCone: the projections converge to within the sine up to
// which an edge contact may lean.
func TestNormalsBetweenFacesAtFortyFiveDegreesAreInTheirCone(t *testing.T) {
	c := coneOf(r3.V(0, 0, 1), r3.V(0, 0, 1), r3.V(math.Sqrt2/2, 0, math.Sqrt2/2))
	var parts [maxConeFacets]float64
	for k := range 9 {
		turn := math.Pi / 32 * float64(k)
		if off := c.outsideCone(r3.V(math.Sin(turn), 0, math.Cos(turn)), &parts).Len(); off > 0.002 {
			t.Errorf("a normal between the faces lies %v outside their cone", off)
		}
	}
}

// TestOnlyNooksWiderThanSixtyDegreesAreLookedAt: a nook of 70° between the faces is looked at, in one of 50°
// nothing fits.
func TestOnlyNooksWiderThanSixtyDegreesAreLookedAt(t *testing.T) {
	for nook, want := range map[float64]int{70: 1, 50: 0} {
		turn := (180 - nook) * math.Pi / 180
		normal := r3.V(math.Sin(turn), 0, math.Cos(turn))
		e := internalEdges{cone: coneOf(normal, normal)}
		if e.coneCovers(r3.V(0, 0, 1), edgeLeanTolerance); e.coveringCount != want {
			t.Errorf("a nook of %v°: %d faces are looked at, want %d", nook, e.coveringCount, want)
		}
	}
}

// TestAPointIsOnAFaceUpToItsTolerance: 0.3 mm below the top of a box it is of its face, 0.6 mm below it is
// not.
func TestAPointIsOnAFaceUpToItsTolerance(t *testing.T) {
	box := instance(shape.BoxOf(r3.V(1, 1, 1)), at(0, 0, 0))
	for depth, want := range map[float64]int{0.0003: 1, 0.0006: 0} {
		var c normalCone
		if c.find(box, r3.V(0, 0, 0.5-depth), r3.V(0, 0, 1)); c.n != want {
			t.Errorf("%v m below a face a point is on %d faces, want %d", depth, c.n, want)
		}
	}
}

// TestAManifoldBesideItsDistanceGetsTheClosestPoint: faces that miss the distance by less than 10 µm are the
// contact. Up to a millimeter the closest point joins their points. Beyond that it stands alone.
func TestAManifoldBesideItsDistanceGetsTheClosestPoint(t *testing.T) {
	box, below := instance(shape.BoxOf(r3.V(1, 1, 1)), at(0, 0, 0)), at(0, 0, -0.999)
	s := solid{geometry: box.Geometry, proxy: &box.Proxy}
	for off, want := range map[float64]int{0.7e-5: 4, 1.5e-5: 5, 0.7e-3: 5, 1.5e-3: 1} {
		var m Manifold
		c := shape.Closest{Normal: r3.V(0, 0, -1), Distance: -0.001 - off, A: r3.V(0, 0, -0.5)}
		if m.clipFeatures(&s, &s, below, &c, margin); m.Count != want {
			t.Errorf("faces that miss the distance by %v m have %d points, want %d", off, m.Count, want)
		}
	}
}

// TestTheOutermostOfTheDeepestPointsComesFirst: on a large patch points up to half a millimeter higher count
// as deepest. On a small one the bound is a hundredth of its size.
func TestTheOutermostOfTheDeepestPointsComesFirst(t *testing.T) {
	for _, c := range []struct {
		size, height float64
		first        bool
	}{{1, 0.0004, true}, {1, 0.0007, false}, {0.01, 0.00007, true}, {0.01, 0.00014, false}} {
		var m Manifold
		m.start(r3.V(0, 0, -1))
		for _, p := range []r3.Vec{{X: 1}, {X: -0.5, Y: 0.6}, {X: -0.5, Y: -0.6}, {Y: 0.3}, {Y: -0.3}} {
			gap := -0.01
			if p.X == 1 {
				gap += c.height
			}
			m.add(p.Scale(c.size), gap, 0)
		}
		if at, _ := m.deepestOutermost(); (at == 0) != c.first {
			t.Errorf("on a patch of %v m, %v m less deep: point %d is first", c.size, c.height, at)
		}
	}
}
