package engine

import (
	"errors"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestBoundsAtRestAreThoseOfShapesElseOfWhatIsSeen(t *testing.T) {
	box, err := RestBounds(armLike(true))
	if err != nil || box.Min != r3.V(-0.5, -0.5, -0.5) || box.Max != r3.V(0.5, 0.5, 2.5) {
		t.Errorf("%v, %v", box, err)
	}
	if seen, err := RestBounds(armLike(false)); err != nil || seen != box {
		t.Errorf("by what is seen %v, %v; want %v", seen, err, box)
	}
	if _, err := RestBounds(scenetest.Ground()); !errors.Is(err, sim.ErrFailed) {
		t.Errorf("a plane has bounds: %v", err)
	}
}

// armLike is two boxes of 1 m, the second 2 m above the first.
func armLike(solidToo bool) *scene.ModelSpec {
	m := scenetest.Box(1)
	m.Links[0].Pose = at(3, 0, 0)
	m.Frame = at(3, 0, 0)
	upper := m.Links[0]
	upper.Name, upper.Pose = "upper", at(3, 0, 2)
	m.Links = append(m.Links, upper)
	m.Joints = []scene.Joint{{Name: "j", Kind: scene.Fixed, Parent: 0, Child: 1, Pose: r3.IdentityPose()}}
	for i := range m.Links {
		if !solidToo {
			m.Links[i].Visuals, m.Links[i].Collisions = m.Links[i].Collisions, nil
		}
	}
	return m
}
