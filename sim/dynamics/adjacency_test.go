package dynamics

import (
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

func TestPartsOfABodyThatTouchAreFoundAmongManyAsAmongFew(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	w, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.AddBody(BodyDef{Type: Dynamic, Pose: r3.IdentityPose(), Mass: 1,
		Inertia: r3.Diag(r3.V(1, 1, 1))})
	if err != nil {
		t.Fatal(err)
	}
	for range 400 {
		pose := r3.Pose{Pos: r3.V(random.Float64(), random.Float64(), random.Float64()),
			Rot: r3.FromRPY(random.Float64(), random.Float64(), 0)}
		if _, err := w.AddGeom(id, GeomDef{Shape: shape.Box{Half: r3.V(0.04, 0.02, 0.01)}, Pose: pose,
			Material: DefaultMaterial()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Step(0.001); err != nil {
		t.Fatal(err)
	}
	var want []uint64
	for s := range w.geoms.all {
		for o := range w.geoms.all {
			a, b := w.geoms.all[s].Shape.Bounds(w.geoms.all[s].local),
				w.geoms.all[o].Shape.Bounds(w.geoms.all[o].local)
			if s != o && a.Near(&b, collide.NeighborDistance) {
				want = append(want, adjacencyKey(int32(s), int32(o)))
			}
		}
	}
	if !slices.Equal(w.geoms.adjacency.keys, want) || len(want) < 100 {
		t.Errorf("%d pairs of parts are known to touch, want %d", len(w.geoms.adjacency.keys), len(want))
	}
}
