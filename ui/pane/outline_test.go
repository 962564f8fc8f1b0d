package pane

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func area(p []point) float64 {
	a := 0.0
	for i := range p {
		q := p[(i+1)%len(p)]
		a += p[i].x*q.y - q.x*p[i].y
	}
	return a / 2
}

func TestAHullHoldsAllItsPointsAndTurnsLeft(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		p := make([]point, 3+random.IntN(40))
		for i := range p {
			p[i] = point{math.Round(random.Float64() * 20), math.Round(random.Float64() * 20)}
		}
		all := append([]point(nil), p...)
		h := hull(p)
		if len(h) < 3 {
			continue // all on a line
		}
		for i := range h {
			a, b := h[i], h[(i+1)%len(h)]
			for _, q := range all {
				if turn(a, b, q) < -1e-9 {
					t.Fatalf("%v lies outside of %v", q, h)
				}
			}
		}
	}
}

func TestShapesCastTheirPlan(t *testing.T) {
	id := r3.IdentityPose()
	octahedron := &scene.Mesh{Vertices: []r3.Vec{r3.V(1, 0, 0), r3.V(-1, 0, 0), r3.V(0, 1, 0), r3.V(0, -1, 0),
		r3.V(0, 0, 1), r3.V(0, 0, -1)}}
	for name, c := range map[string]struct {
		geom scene.Geom
		at   r3.Pose
		want float64
	}{
		"box": {scene.Geom{Kind: scene.Box, Pose: id, Size: r3.V(2, 3, 9)},
			r3.PoseRPY(5, 5, 0, 0, 0, 0.7), 6},
		"box on edge": {scene.Geom{Kind: scene.Box, Pose: id, Size: r3.V(1, 1, 1)},
			r3.PoseRPY(0, 0, 0, math.Pi/4, 0, 0), math.Sqrt2},
		"cylinder": {scene.Geom{Kind: scene.Cylinder, Pose: id, Radius: 1, Length: 4}, id, math.Pi},
		"lying cylinder": {scene.Geom{Kind: scene.Cylinder, Pose: r3.PoseRPY(0, 0, 0, math.Pi/2, 0, 0),
			Radius: 1, Length: 4}, id, 8},
		"sphere": {scene.Geom{Kind: scene.Sphere, Pose: id, Radius: 2}, r3.PoseRPY(0, 0, 3, 1, 1, 1),
			4 * math.Pi},
		"capsule": {scene.Geom{Kind: scene.Capsule, Pose: r3.PoseRPY(0, 0, 0, 0, math.Pi/2, 0),
			Radius: 1, Length: 2}, id, 4 + math.Pi},
		"mesh": {scene.Geom{Kind: scene.MeshGeom, Pose: id, Mesh: octahedron, Scale: r3.V(2, 1, 1)},
			id, 4},
	} {
		var p []point
		for _, v := range corners(&c.geom) {
			w := c.at.Apply(v)
			p = append(p, point{w.X, w.Y})
		}
		if got := area(hull(p)); math.Abs(got-c.want) > 0.06*c.want {
			t.Errorf("%s covers %.3f m², want %.3f", name, got, c.want)
		}
	}
	if c := corners(&scene.Geom{Kind: scene.Plane}); len(c) != 0 {
		t.Error("a plane has an outline")
	}
}

// TestAWallsMeshIsCutNotWrapped takes a mesh of two separate walls: their
// plan is two lines, not the hull around both.
func TestAWallsMeshIsCutNotWrapped(t *testing.T) {
	mesh := &scene.Mesh{
		Vertices: []r3.Vec{
			r3.V(0, 0, 0), r3.V(0, 2, 0), r3.V(0, 2, 1), r3.V(0, 0, 1),
			r3.V(5, 0, 0), r3.V(5, 2, 0), r3.V(5, 2, 1), r3.V(5, 0, 1),
		},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}},
	}
	g := scene.Geom{Kind: scene.MeshGeom, Pose: r3.IdentityPose(), Mesh: mesh, Scale: r3.V(1, 1, 1)}
	s := solid{geom: &g, corners: corners(&g)}
	length := 0.0
	for _, seg := range s.wall(nil, r3.IdentityPose()) {
		if seg.a.x != seg.b.x {
			t.Errorf("%v crosses from wall to wall", seg)
		}
		length += math.Abs(seg.a.y - seg.b.y)
	}
	if math.Abs(length-4) > 1e-9 {
		t.Errorf("the walls are %v m long, want 4", length)
	}
	if !isFloor(s.corners, r3.PoseRPY(0, 0, -3, 0, 0, 0)) || isFloor(s.corners, r3.IdentityPose()) {
		t.Error("floor is what ends at the ground")
	}
}

func TestATerrainHasLevelLinesOnTheMap(t *testing.T) {
	// A slope that rises 8 m along x over 16 m: level lines every metre of height, across y.
	h := &scene.Heights{Columns: 3, Rows: 2, X: 16, Y: 4, Z: []float32{0, 4, 8, 0, 4, 8}}
	s := solids(&scene.ModelSpec{Links: []scene.Link{{Collisions: []scene.Geom{{Kind: scene.Heightfield,
		Pose: r3.IdentityPose(), Heights: h}}}}})
	if len(s) != 1 || isFloor(s[0].corners, r3.IdentityPose()) {
		t.Fatalf("%d shapes", len(s))
	}
	at := map[int]float64{} // by x: how much of y
	for _, line := range s[0].wall(nil, r3.IdentityPose()) {
		x := math.Round(line.a.x)
		if math.Abs(line.a.x-line.b.x) > 1e-9 || math.Abs(line.a.x-x) > 1e-6 {
			t.Fatalf("%v is no level line", line)
		}
		at[int(x)] += math.Abs(line.a.y - line.b.y)
	}
	for x := -6; x <= 6; x += 2 {
		if math.Abs(at[x]-4) > 1e-6 {
			t.Errorf("the line at x = %d is %v long, want 4", x, at[x])
		}
	}
	if len(at) != 7 {
		t.Errorf("%d lines, want 7", len(at))
	}
}
