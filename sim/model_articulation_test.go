package sim

import (
	"math"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// linked is a model of heavy links along x, whose joints are listed.
func linked(n int, joints ...scene.Joint) *scene.ModelSpec {
	m := &scene.ModelSpec{Name: "linked", Frame: r3.IdentityPose()}
	for i := range n {
		m.Links = append(m.Links, scene.Link{Name: string(rune('a' + i)), Pose: at(0.5*float64(i), 0, 1),
			Inertial: scene.Inertial{Mass: 1, Pose: at(0, 0, 0), Inertia: r3.Diag(r3.V(0.01, 0.01, 0.01))}})
	}
	for i := range joints {
		joints[i].Name, joints[i].Pose = string(rune('0'+i)), r3.IdentityPose()
		if joints[i].Kind == 0 {
			joints[i].Kind = scene.Revolute
			joints[i].Limit = scene.Limit{Set: true, Lower: -1, Upper: 1}
		}
		if joints[i].Axis == (r3.Vec{}) {
			joints[i].Axis = r3.V(0, 1, 0)
		}
	}
	m.Joints = joints
	return m
}

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
		"door on the world":         {linked(1, j(scene.World, 0)), []string{"0"}, nil},
		"arm on the world":          {linked(3, of(scene.World, 0, scene.Fixed), j(0, 1), j(1, 2)), []string{"1", "2"}, nil},
		"flap on a thing":           {linked(2, j(0, 1)), nil, []string{"0"}},
		"chain on a thing":          {linked(3, j(0, 1), j(1, 2)), []string{"0", "1"}, nil},
		"gripper on a thing":        {linked(3, j(0, 1), follower), []string{"0", "1"}, nil},
		"wheel and caster":          {wheel(linked(4, of(0, 1, scene.Continuous), of(0, 2, scene.Continuous), of(2, 3, scene.Continuous)), 1, 3), nil, []string{"0", "1", "2"}},
		"steered wheel and arm":     {wheel(linked(5, j(0, 1), of(1, 2, scene.Continuous), j(0, 3), j(3, 4)), 2), []string{"2", "3"}, []string{"0", "1"}},
		"four bars":                 {linked(4, of(scene.World, 0, scene.Fixed), j(0, 1), j(0, 3), j(1, 2), j(3, 2)), []string{"1", "2", "3"}, []string{"4"}},
		"ring in the air":           {linked(3, j(0, 1), j(1, 2), j(2, 0)), []string{"0", "1"}, []string{"2"}},
		"universal, screw, planar":  {linked(4, of(0, 1, scene.Universal), of(1, 2, scene.Screw), of(2, 3, scene.Planar)), []string{"0", "1", "2"}, nil},
		"arm with a turning finger": {linked(4, of(scene.World, 0, scene.Fixed), j(0, 1), j(1, 2), of(2, 3, scene.Continuous)), []string{"1", "2", "3"}, nil},
	} {
		reduced, maximal, err := Coordinates(c.m)
		if err != nil || !slices.Equal(reduced, c.reduced) || !slices.Equal(maximal, c.maximal) {
			t.Errorf("%s: reduced %v, maximal %v, %v; want %v and %v", name, reduced, maximal, err, c.reduced, c.maximal)
		}
	}
}

// bars is a bench that hangs by two ropes of a link each: a ring of four.
func bars() *scene.ModelSpec {
	m := linked(4, scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed}, scene.Joint{Parent: 0, Child: 1}, scene.Joint{Parent: 0, Child: 2},
		scene.Joint{Parent: 1, Child: 3}, scene.Joint{Parent: 2, Child: 3})
	m.Joints[4].Pose = at(0.5, 0, 0)
	m.Links[1].Pose, m.Links[2].Pose, m.Links[3].Pose = at(0, 0, 1), at(0.5, 0, 1), at(0.1, 0, 0.5)
	m.Links[3].Inertial.Pose = at(0.25, 0, 0)
	return m
}

func TestAModelMovesWithWhatItsJointsLeaveFree(t *testing.T) {
	for name, m := range map[string]*scene.ModelSpec{
		"universal, screw, planar": linked(4, scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed}, scene.Joint{Parent: 0, Child: 1, Kind: scene.Universal, Axis2: r3.V(1, 0, 0)},
			scene.Joint{Parent: 1, Child: 2, Kind: scene.Screw, Pitch: 0.1}, scene.Joint{Parent: 2, Child: 3, Kind: scene.Planar}),
		"four bars": bars(),
	} {
		w := yard(t, Playing)
		p := planOf(t, m)
		w.lastID++
		e := &entity{name: name, id: w.lastID, model: p, initialPose: at(5, 5, 1)}
		if err := w.insert(e); err != nil {
			t.Fatal(err)
		}
		w.onStructureChanged()
		before := w.physics.COM(e.bodies[3])
		steps(t, w, 250)
		if err := w.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if w.physics.COM(e.bodies[3]).Dist(before) < 0.01 {
			t.Errorf("%s: nothing moves", name)
		}
		for _, j := range e.joints {
			if gap := w.physics.JointGap(j); gap > 1e-9 {
				t.Errorf("%s: a joint parts by %v m", name, gap)
			}
		}
	}
}

// TestALinkageIsOneTree where its loop is closed between two arms of the same stand.
func TestALinkageIsOneTree(t *testing.T) {
	j := func(parent, child int) scene.Joint { return scene.Joint{Parent: parent, Child: child} }
	stand := scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed}
	for name, c := range map[string]struct {
		m     *scene.ModelSpec
		trees []int // how many joints each has
	}{
		"closed":                        {linked(4, stand, j(0, 1), j(1, 2), j(0, 3), j(2, 3)), []int{3}},
		"open":                          {linked(4, stand, j(0, 1), j(1, 2), j(0, 3)), []int{2, 1}},
		"closed from the second":        {linked(4, stand, j(0, 3), j(0, 1), j(1, 2), j(3, 2)), []int{3}},
		"three arms, two of them meet":  {linked(5, stand, j(0, 1), j(0, 2), j(0, 3), j(2, 4), j(3, 4)), []int{1, 3}},
		"three arms, all of which meet": {linked(5, stand, j(0, 1), j(0, 2), j(0, 3), j(1, 4), j(2, 4), j(3, 4)), []int{4}},
	} {
		p, trees := planOf(t, c.m), []int(nil)
		for _, tree := range p.articulations {
			trees = append(trees, len(tree))
		}
		if !slices.Equal(trees, c.trees) {
			t.Errorf("%s: trees of %v joints, want %v", name, trees, c.trees)
		}
	}
}

func TestJointsOfTwoTreesFollowEachOther(t *testing.T) {
	m := linked(2, scene.Joint{Parent: scene.World, Child: 0}, scene.Joint{Parent: scene.World, Child: 1})
	for i := range m.Joints {
		m.Joints[i].Axis = r3.V(0, 0, 1)
	}
	m.Joints[1].Mimic = scene.Mimic{Set: true, Joint: 0, Multiplier: -2, Offset: 0.1}
	w, e := stood(t, m)
	if len(e.model.articulations) != 2 {
		t.Fatalf("%d trees, want 2", len(e.model.articulations))
	}
	apply(t, w, SetJoint{Name: m.Name, Joint: "0", Mode: JointEffort, Target: 0.01})
	steps(t, w, 250)
	a, b := w.physics.JointState(e.joints[0]), w.physics.JointState(e.joints[1])
	// 0.01 kg·m² each: the leader feels five times its own, and stands where both have met meanwhile.
	if math.Abs(b.Position+2*a.Position-0.1) > 1e-4 || math.Abs(b.Velocity+2*a.Velocity) > 1e-4 || math.Abs(a.Velocity-0.2) > 2e-3 {
		t.Errorf("the leader is at %+v, the follower at %+v", a, b)
	}
}
