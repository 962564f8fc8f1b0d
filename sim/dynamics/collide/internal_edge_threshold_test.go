package collide

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// onSupport judges contacts of a ball on a support with a neighbor, with normals out of the support.
func onSupport(support, neighbor Instance) internalEdges {
	ball := instance(shape.Sphere{Radius: 0.1}, at(0, 0, 0.1))
	return internalEdges{support: support, other: ball, normalSign: 1, middle: r3.V(0, 0, 0.1),
		neighbors: []Instance{neighbor}}
}

// onePoint is a manifold of one point that touches.
func onePoint(normal, position r3.Vec) *Manifold {
	var m Manifold
	m.start(normal)
	m.add(position, 0, 0)
	return &m
}

// TestAContactAtASeamMayLeanByTwoThousandths: the seam of two flush tiles is an edge of both. A contact
// there that leans over the other tile by less counts, one that leans by more is hidden.
func TestAContactAtASeamMayLeanByTwoThousandths(t *testing.T) {
	tile := shape.BoxOf(r3.V(1, 1, 0.2))
	e := onSupport(instance(tile, at(-0.5, 0, -0.1)), instance(tile, at(0.5, 0, -0.1)))
	for lean, counts := range map[float64]bool{0.0014: true, 0.0028: false} {
		m := onePoint(r3.V(lean, 0, math.Sqrt(1-lean*lean)), r3.Vec{})
		if got := e.isUncovered(m); got != counts {
			t.Errorf("leans over the seam by %v: counts %v, want %v", lean, got, counts)
		}
	}
}

// TestAContactOfAFaceMayLeanByATenth: a point on the top of a tile is on the top of a ramp too. It is a
// millimetre from the tile's end, beyond which it would be free of the ramp. A ramp that rises by less than
// a tenth does not hide it.
func TestAContactOfAFaceMayLeanByATenth(t *testing.T) {
	tile := instance(shape.BoxOf(r3.V(1, 1, 0.2)), at(-0.499, 0, -0.1))
	for lean, counts := range map[float64]bool{0.07: true, 0.14: false} {
		turn := r3.AxisAngle(r3.V(0, 1, 0), math.Asin(lean))
		ramp := instance(shape.BoxOf(r3.V(1, 1, 0.2)), r3.Pose{Pos: turn.Rotate(r3.V(0, 0, -0.1)), Rot: turn})
		e := onSupport(tile, ramp)
		if got := e.isUncovered(onePoint(r3.V(0, 0, 1), r3.Vec{})); got != counts {
			t.Errorf("a ramp that leans by %v: counts %v, want %v", lean, got, counts)
		}
	}
}

// TestAPointIsOnTheSupportUpToAMicrometreAboveIt: on a box as on a mesh.
func TestAPointIsOnTheSupportUpToAMicrometreAboveIt(t *testing.T) {
	flat, err := shape.NewMesh([]r3.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {Y: 1}}, [][3]int32{{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for name, support := range map[string]Instance{
		"box": instance(shape.BoxOf(r3.V(1, 1, 0.2)), at(0, 0, -0.1)), "mesh": instance(flat, at(0, 0, 0)),
	} {
		e := onSupport(support, support)
		for height, on := range map[float64]bool{0: true, 0.7e-6: true, 1.4e-6: false} {
			if got := e.isOnSupport(r3.V(0.1, 0, height), r3.V(0, 0, 1)); got != on {
				t.Errorf("%v m above a %s: on it %v, want %v", height, name, got, on)
			}
		}
	}
}

// funnel is a mesh whose sides rise around its lowest point, as many as there are.
func funnel(t *testing.T, sides int) *shape.Mesh {
	points, faces := []r3.Vec{{}}, [][3]int32{}
	for k := range sides {
		turn := 2 * math.Pi * float64(k) / float64(sides)
		points = append(points, r3.V(math.Cos(turn), math.Sin(turn), 1))
		faces = append(faces, [3]int32{0, int32(k + 1), int32((k+1)%sides + 1)})
	}
	mesh, err := shape.NewMesh(points, faces)
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

// TestABallInAFunnelTouchesFourOfItsSides: or all of them where there are fewer.
func TestABallInAFunnelTouchesFourOfItsSides(t *testing.T) {
	for sides, want := range map[int]int{3: 3, 4: 4, 7: 4} {
		steep := math.Atan(1 / math.Cos(math.Pi/float64(sides))) // of a side
		ball := shape.Sphere{Radius: 0.2}
		q := query(ball, at(0, 0, (ball.Radius+0.001)/math.Cos(steep)), funnel(t, sides), at(0, 0, 0))
		if got := len(q.Manifolds()); got != want {
			t.Errorf("in a funnel of %d sides it touches %d, want %d", sides, got, want)
		}
	}
}

// TestReduceKeepsAllOfFourPointsAndFourOfSix: of a hexagon as of an octagon four corners stay.
func TestReduceKeepsAllOfFourPointsAndFourOfSix(t *testing.T) {
	for corners, want := range map[int]int{3: 3, 4: 4, 6: 4, 8: 4} {
		var m Manifold
		m.start(r3.V(0, 0, -1))
		for k := range corners {
			turn := 2 * math.Pi * float64(k) / float64(corners)
			m.add(r3.V(math.Cos(turn), math.Sin(turn), 0), -1e-3, uint32(k))
		}
		var keep [MaxPoints]int
		if got := m.Reduce(&keep); got != want {
			t.Errorf("of %d corners %d are kept, want %d", corners, got, want)
		}
	}
}
