package collide

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

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
