package model

import (
	"slices"
	"testing"

	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestTheCompilerChoosesTheCoordinatesOfJoints(t *testing.T) {
	j := func(parent, child int) scene.Joint { return scene.Joint{Parent: parent, Child: child} }
	of := func(parent, child int, kind scene.JointKind) scene.Joint {
		return scene.Joint{Parent: parent, Child: child, Kind: kind}
	}
	wheel := func(m *scene.ModelSpec, links ...int) *scene.ModelSpec {
		for _, l := range links {
			m.Links[l].Name = "wheel_" + m.Links[l].Name
		}
		return m
	}
	follower := j(0, 2)
	follower.Mimic = scene.Mimic{Set: true, Joint: 0, Multiplier: 1}
	for name, c := range map[string]struct {
		m                *scene.ModelSpec
		reduced, maximal []string
	}{
		"door on the world": {scenetest.Linked(1, j(scene.World, 0)), []string{"0"}, nil},
		"arm on the world": {scenetest.Linked(3, of(scene.World, 0, scene.Fixed), j(0, 1), j(1, 2)),
			[]string{"1", "2"}, nil},
		"flap on a thing":    {scenetest.Linked(2, j(0, 1)), []string{"0"}, nil},
		"chain on a thing":   {scenetest.Linked(3, j(0, 1), j(1, 2)), []string{"0", "1"}, nil},
		"gripper on a thing": {scenetest.Linked(3, j(0, 1), follower), []string{"0", "1"}, nil},
		"wheel and caster": {wheel(scenetest.Linked(4, of(0, 1, scene.Continuous),
			of(0, 2, scene.Continuous), of(2, 3, scene.Continuous)), 1, 3), []string{"0", "1", "2"}, nil},
		"steered wheel and arm": {wheel(scenetest.Linked(5, j(0, 1), of(1, 2, scene.Continuous), j(0, 3),
			j(3, 4)), 2), []string{"0", "1", "2", "3"}, nil},
		"four bars": {scenetest.Linked(4, of(scene.World, 0, scene.Fixed), j(0, 1), j(0, 3),
			j(1, 2), j(3, 2)), []string{"1", "2", "3"}, []string{"4"}},
		"ring in the air": {scenetest.Linked(3, j(0, 1), j(1, 2), j(2, 0)), []string{"0", "1"},
			[]string{"2"}},
		"universal, screw, planar": {scenetest.Linked(4, of(0, 1, scene.Universal), of(1, 2, scene.Screw),
			of(2, 3, scene.Planar)), []string{"0", "1", "2"}, nil},
		"arm with a turning finger": {scenetest.Linked(4, of(scene.World, 0, scene.Fixed), j(0, 1), j(1, 2),
			of(2, 3, scene.Continuous)), []string{"1", "2", "3"}, nil},
	} {
		reduced, maximal, err := Coordinates(c.m)
		if err != nil || !slices.Equal(reduced, c.reduced) || !slices.Equal(maximal, c.maximal) {
			t.Errorf("%s: reduced %v, maximal %v, %v; want %v and %v", name, reduced, maximal, err, c.reduced,
				c.maximal)
		}
	}
}

// TestALinkageIsOneTree where its loop is closed between two arms of the same stand.
func TestALinkageIsOneTree(t *testing.T) {
	j := func(parent, child int) scene.Joint { return scene.Joint{Parent: parent, Child: child} }
	stand := scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed}
	for name, c := range map[string]struct {
		m     *scene.ModelSpec
		trees []int // number of joints of each
	}{
		"closed": {scenetest.Linked(4, stand, j(0, 1), j(1, 2), j(0, 3), j(2, 3)),
			[]int{3}},
		"open": {scenetest.Linked(4, stand, j(0, 1), j(1, 2), j(0, 3)), []int{2, 1}},
		"closed from the second": {scenetest.Linked(4, stand, j(0, 3), j(0, 1), j(1, 2), j(3, 2)),
			[]int{3}},
		"three arms, two of them meet": {scenetest.Linked(5, stand, j(0, 1), j(0, 2), j(0, 3), j(2, 4),
			j(3, 4)), []int{1, 3}},
		"three arms, all of which meet": {scenetest.Linked(5, stand, j(0, 1), j(0, 2), j(0, 3), j(1, 4),
			j(2, 4), j(3, 4)), []int{4}},
	} {
		p, trees := compiled(t, c.m), []int(nil)
		for _, tree := range p.Articulations {
			trees = append(trees, len(tree))
		}
		if !slices.Equal(trees, c.trees) {
			t.Errorf("%s: trees of %v joints, want %v", name, trees, c.trees)
		}
	}
}
