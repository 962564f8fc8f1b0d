package collide

import (
	"math"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// meshOf is a mesh of these triangles.
func meshOf(t *testing.T, points []r3.Vec, triangles ...[3]int32) *shape.Mesh {
	t.Helper()
	mesh, err := shape.NewMesh(points, triangles)
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

// TestAGentleRidgeCountsWhereItIsNearerThanAllFacesByAMicrometre: a ball stands on a ridge of 2°, over
// neither of its faces, and beside a wall. Where the wall is hardly further away, the wall is the contact.
func TestAGentleRidgeCountsWhereItIsNearerThanAllFacesByAMicrometre(t *testing.T) {
	const radius, gap = 0.1, 0.001
	for further, counts := range map[float64]bool{-1e-4: false, 0.7e-6: false, 1.4e-6: true, 1e-4: true} {
		low, wall := -0.5*math.Tan(math.Pi/180), radius+gap+further
		surface := meshOf(t, []r3.Vec{{Y: -1}, {Y: 1}, {X: 0.5, Z: low}, {X: -0.5, Z: low},
			{X: wall, Y: -1, Z: 0.02}, {X: wall, Z: 2}, {X: wall, Y: 1, Z: 0.02}},
			[3]int32{0, 2, 1}, [3]int32{0, 1, 3}, [3]int32{4, 5, 6})
		q := query(shape.Sphere{Radius: radius}, at(0, 0, radius+gap), surface, at(0, 0, 0))
		ridge := false
		for _, m := range q.Manifolds() {
			ridge = ridge || m.Normal.Z < -0.9
		}
		if ridge != counts || counts == (len(q.Manifolds()) == 1) {
			t.Errorf("a wall that is %v m further away: %d manifolds, one of the ridge: %v", further,
				len(q.Manifolds()), ridge)
		}
	}
}

// TestABodyAcrossAnEdgeIsHeldByItsBackUpToHalfACentimetre: the edge of a wall is a millimetre in the bottom
// of a leaning box, whose middle is behind the wall. The box reaches beyond the wall, and less than half a
// centimetre is pushed back.
func TestABodyAcrossAnEdgeIsHeldByItsBackUpToHalfACentimetre(t *testing.T) {
	const half, depth, lean = 0.05, 0.001, 0.3
	sin, cos := math.Sincos(lean)
	wall := meshOf(t, []r3.Vec{{Y: -1}, {Y: 1}, {Y: 1, Z: -1}, {Y: -1, Z: -1}}, [3]int32{0, 2, 1},
		[3]int32{0, 3, 2})
	for beyond, held := range map[float64]bool{0.003: true, 0.0045: true, 0.0075: false, 0.01: false} {
		corner := r3.V(beyond, 0, -(depth+sin*beyond)/cos)
		pose := r3.Pose{Pos: corner.Add(r3.V(half*(sin-cos), 0, half*(sin+cos))),
			Rot: r3.AxisAngle(r3.V(0, 1, 0), lean)}
		q := query(shape.BoxOf(r3.V(2*half, 2*half, 2*half)), pose, wall, at(0, 0, 0))
		if got := len(q.Manifolds()) > 0; got != held {
			t.Errorf("reaches %v m beyond the wall: held %v, want %v", beyond, got, held)
		}
	}
}

// TestTheEdgeOfAWallIsFreeAMillimetreAboveTheFloor: a wall stands in a floor of the same mesh. A contact with
// its upright edge counts half a millimetre below the top of the floor: a millimetre further up the edge is
// free. A contact that is deeper in the floor is hidden.
func TestTheEdgeOfAWallIsFreeAMillimetreAboveTheFloor(t *testing.T) {
	surface := meshOf(t, []r3.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1},
		{Z: -0.1}, {Z: 0.5}, {X: -0.5, Z: -0.1}, {X: -0.5, Z: 0.5}, {Y: -0.5, Z: -0.1}, {Y: -0.5, Z: 0.5}},
		[3]int32{0, 1, 2}, [3]int32{0, 2, 3}, [3]int32{4, 6, 5}, [3]int32{5, 6, 7}, [3]int32{4, 5, 8},
		[3]int32{5, 9, 8})
	ball := instance(shape.Sphere{Radius: 0.1}, at(0.1, 0.1, 0.1))
	out := r3.V(math.Sqrt2/2, math.Sqrt2/2, 0)
	for height, hidden := range map[float64]bool{0.01: false, -0.0005: false, -0.0012: true, -0.003: true} {
		var q Query
		q.Begin(ball, instance(surface, at(0, 0, 0)), margin)
		judged := 0
		for i := range int32(6) {
			a, b, c := surface.Triangle(i)
			tri := meshTriangle{solid: solid{triangle: [3]r3.Vec{a, b, c}}, index: i}
			if !slices.Contains(tri.triangle[:], r3.V(0, 0, -0.1)) {
				continue
			}
			judged++
			on := shape.Closest{A: r3.V(0, 0, height), Normal: out}
			if got := q.isInternalMeshEdge(&tri, &on); got != hidden {
				t.Errorf("%v m above the floor: hidden %v, want %v", height, got, hidden)
			}
		}
		if judged != 2 {
			t.Fatalf("%d triangles have the edge, want two", judged)
		}
	}
}
