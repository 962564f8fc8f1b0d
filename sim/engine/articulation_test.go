package engine

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// bars is a bench that hangs by two ropes of a link each: a ring of four.
func bars() *scene.ModelSpec {
	m := scenetest.Linked(4, scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed},
		scene.Joint{Parent: 0, Child: 1}, scene.Joint{Parent: 0, Child: 2},
		scene.Joint{Parent: 1, Child: 3}, scene.Joint{Parent: 2, Child: 3})
	m.Joints[4].Pose = at(0.5, 0, 0)
	m.Links[1].Pose, m.Links[2].Pose, m.Links[3].Pose = at(0, 0, 1), at(0.5, 0, 1), at(0.1, 0, 0.5)
	m.Links[3].Inertial.Pose = at(0.25, 0, 0)
	return m
}

func TestAModelMovesWithWhatItsJointsLeaveFree(t *testing.T) {
	for name, m := range map[string]*scene.ModelSpec{
		"universal, screw, planar": scenetest.Linked(4,
			scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed},
			scene.Joint{Parent: 0, Child: 1, Kind: scene.Universal, Axis2: r3.V(1, 0, 0)},
			scene.Joint{Parent: 1, Child: 2, Kind: scene.Screw, Pitch: 0.1},
			scene.Joint{Parent: 2, Child: 3, Kind: scene.Planar}),
		"four bars": bars(),
	} {
		w := yard(t, sim.Playing)
		p := compiled(t, m)
		e := &entity{name: name, id: w.entities.newID(), model: p, initialPose: at(5, 5, 1)}
		if err := w.entities.insert(e, w.physics, w.options.Seed, &w.clock); err != nil {
			t.Fatal(err)
		}
		w.onStructureChanged()
		before := w.physics.Body(e.bodies[3]).COM()
		steps(t, w, 250)
		if err := w.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if w.physics.Body(e.bodies[3]).COM().Dist(before) < 0.01 {
			t.Errorf("%s: nothing moves", name)
		}
		for _, j := range e.joints {
			if gap := w.physics.Joint(j).Gap(); gap > 1e-9 {
				t.Errorf("%s: a joint parts by %v m", name, gap)
			}
		}
	}
}

func TestJointsOfTwoTreesFollowEachOther(t *testing.T) {
	m := scenetest.Linked(2, scene.Joint{Parent: scene.World, Child: 0},
		scene.Joint{Parent: scene.World, Child: 1})
	for i := range m.Joints {
		m.Joints[i].Axis = r3.V(0, 0, 1)
	}
	m.Joints[1].Mimic = scene.Mimic{Set: true, Joint: 0, Multiplier: -2, Offset: 0.1}
	w, e := stood(t, m)
	if len(e.model.Articulations) != 2 {
		t.Fatalf("%d trees, want 2", len(e.model.Articulations))
	}
	apply(t, w, sim.SetJoint{Name: m.Name, Joint: "0", Mode: sim.JointEffort, Target: 0.01})
	steps(t, w, 250)
	a, b := w.physics.Joint(e.joints[0]).State(), w.physics.Joint(e.joints[1]).State()
	// 0.01 kg·m² each: the leader feels five times its own, and stands where both have met meanwhile.
	if math.Abs(b.Position+2*a.Position-0.1) > 1e-4 || math.Abs(b.Velocity+2*a.Velocity) > 1e-4 ||
		math.Abs(a.Velocity-0.2) > 2e-3 {
		t.Errorf("the leader is at %+v, the follower at %+v", a, b)
	}
}
