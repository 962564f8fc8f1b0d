package scene

import (
	"math"
	"testing"

	"simdeck/sim/r3"
)

// crane is a base, an arm on a hinge over it, and a hook that slides along the arm.
func crane(canonical int) *ModelSpec {
	return &ModelSpec{Canonical: canonical, Links: []Link{
		{Name: "base"}, {Name: "arm", Pose: r3.PoseRPY(0, 0, 2, 0, 0, 0)},
		{Name: "hook", Pose: r3.PoseRPY(1, 0, 2, 0, 0, 0)},
		{Name: "loose", Pose: r3.PoseRPY(9, 0, 0, 0, 0, 0)}},
		Joints: []Joint{{Kind: Revolute, Parent: 0, Child: 1, Axis: r3.V(0, 0, 1)},
			{Kind: Prismatic, Parent: 1, Child: 2, Axis: r3.V(1, 0, 0)}}}
}

func TestLinksStandWhereTheirJointsPutThem(t *testing.T) {
	q := func(j int) float64 { return []float64{math.Pi / 2, 0.5}[j] }
	got := crane(0).LinkPoses(q, nil)
	for i, want := range []r3.Vec{{}, r3.V(0, 0, 2), r3.V(0, 1.5, 2), r3.V(9, 0, 0)} {
		if got[i].Pos.Dist(want) > 1e-12 {
			t.Errorf("link %d at %v, want %v", i, got[i].Pos, want)
		}
	}
	// From the hook everything else turns, by the inverse.
	back := crane(2).LinkPoses(q, nil)
	if back[2] != r3.PoseRPY(1, 0, 2, 0, 0, 0) {
		t.Errorf("the canonical link at %v: it stays", back[2])
	}
	for i := range 3 {
		a, b := got[2].Inverse().Mul(got[i]), back[2].Inverse().Mul(back[i])
		if a.Pos.Dist(b.Pos) > 1e-12 || a.Rot.Conj().Mul(b.Rot).Vector().Len() > 1e-9 {
			t.Errorf("link %d seen from the hook: %v, want %v", i, b, a)
		}
	}
}

func TestAJointToTheWorldMovesItsLinkAndARingIsPassedOver(t *testing.T) {
	m := &ModelSpec{Links: []Link{{Name: "a"}, {Name: "b", Pose: r3.PoseRPY(1, 0, 0, 0, 0, 0)}},
		Joints: []Joint{{Kind: Prismatic, Parent: World, Child: 1, Axis: r3.V(0, 0, 1)},
			{Kind: Fixed, Parent: 1, Child: 1}, {Kind: Revolute, Parent: 7, Child: 0}}}
	got := m.LinkPoses(func(int) float64 { return 3 }, nil)
	if got[0].Pos != (r3.Vec{}) || got[1].Pos.Dist(r3.V(1, 0, 3)) > 1e-12 {
		t.Errorf("%v", got)
	}
	ring := &ModelSpec{Links: []Link{{}, {}}, Joints: []Joint{{Kind: Prismatic, Parent: 0, Child: 1,
		Axis: r3.V(1, 0, 0)}, {Kind: Prismatic, Parent: 1, Child: 0, Axis: r3.V(0, 1, 0)}}}
	if got := ring.LinkPoses(func(int) float64 { return 1 }, nil); got[1].Pos != r3.V(1, 0, 0) {
		t.Errorf("a ring: %v", got)
	}
}
