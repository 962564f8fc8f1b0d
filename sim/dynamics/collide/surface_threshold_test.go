package collide

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// TestABeadBesideACornerIsNearerByAFiftiethOfThePlatesHalfThickness: the distance algorithm rounds corners,
// and the normal of a small ball beside one leans. Its gap is short by some 2 % of the plate's half
// thickness. Half the rounding would leave it 0.8 %, twice the rounding 3.7 %.
func TestABeadBesideACornerIsNearerByAFiftiethOfThePlatesHalfThickness(t *testing.T) {
	for _, half := range []float64{0.004, 0.01, 0.018} {
		bead := shape.Sphere{Radius: 0.2 * half}
		plate := shape.BoxOf(r3.V(0.2, 0.2, 2*half))
		out, _ := r3.V(1, 0.01, 0.01).Unit()
		p := r3.V(0.1, 0.1, half).AddScaled(bead.Radius, out)
		m := query(bead, r3.Pose{Pos: p, Rot: r3.Identity()}, plate, at(0, 0, 0)).Manifolds()[0]
		if off := -m.Points[0].Gap / half; m.Count != 1 || off < 0.013 || off > 0.026 {
			t.Errorf("half thickness %v m: %d points, gap short by %v of it", half, m.Count, off)
		}
	}
}

// TestATriangleIsASlabOfACentimetre: what is 7 mm behind its face is in it, what is 14 mm behind is beyond.
func TestATriangleIsASlabOfACentimetre(t *testing.T) {
	floor := shapetest.FloorMesh(t, 1, 1)
	x, above := floor.Bounds(r3.IdentityPose()).Centre(), r3.V(0, 0, 1)
	p, q, r := floor.Triangle(0)
	x = p.Add(q).Add(r).Scale(1.0 / 3)
	for depth, inside := range map[float64]bool{0: true, 0.007: true, 0.014: false} {
		var c normalCone
		if got := c.findTriangle(floor, 0, x.AddScaled(-depth, above), above, above, NeighborDistance,
			internalEdgeDepth); got != inside {
			t.Errorf("%v m behind the face: inside %v, want %v", depth, got, inside)
		}
	}
}

// TestAPointNearTheTipOfATriangleComesToItsEdges: the edges meet at 60°, and the way to one of them leaves
// the other. A quarter of the rounding is left after two ways, half of it after one.
func TestAPointNearTheTipOfATriangleComesToItsEdges(t *testing.T) {
	box := NewGeometry(shape.BoxOf(r3.V(0.2, 0.2, 0.2)))
	radius := box.roundingRadius()
	tip, up := r3.Vec{}, r3.V(0, 0, 1)
	left, right := r3.V(-0.5*math.Sqrt(3), 0.5, 0), r3.V(0.5*math.Sqrt(3), 0.5, 0) // out of its edges
	surface, err := shape.NewMesh([]r3.Vec{tip, {X: -0.5, Y: -0.5 * math.Sqrt(3)},
		{X: 0.5, Y: -0.5 * math.Sqrt(3)}}, [][3]int32{{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	q := Query{mesh: meshQuery{surface: surface, middle: up}}
	q.edges.other = Instance{Geometry: &box}
	along, _ := left.Add(right).Add(up).Unit()
	x := q.unroundOnTriangle(0, left.Add(right).Scale(2*radius), along)
	for _, out := range []r3.Vec{left, right} {
		if off := math.Abs(out.Dot(x)) / radius; off > 0.35 {
			t.Errorf("the point is %v of the rounding beside an edge", off)
		}
	}
}

// TestAHiddenContactIsKeptWhereItIsFreeWithinTenCentimetres: a contact with a floor lies in a neighbour whose
// face hardly leans. Along the floor it comes out of the neighbour after 8 cm, and counts, or after 12 cm.
func TestAHiddenContactIsKeptWhereItIsFreeWithinTenCentimetres(t *testing.T) {
	floor := instance(shape.BoxOf(r3.V(2, 2, 0.2)), at(0, 0, -0.1))
	up := r3.V(0, 0, 1)
	for far, free := range map[float64]bool{0.08: true, 0.12: false} {
		const depth = internalEdgeDepth
		lean := (1.1*NeighborDistance + depth) / far
		e := internalEdges{support: floor, coveringCount: 1}
		e.supportCone.find(floor, r3.Vec{}, up)
		e.coveringFacets[0] = facet{r3.V(lean, 0, math.Sqrt(1-lean*lean)), -depth}
		if got := e.isFreeBeyond(r3.Vec{}, up, 1, faceLeanTolerance); got != free {
			t.Errorf("free after %v m: %v, want %v", far, got, free)
		}
	}
}
