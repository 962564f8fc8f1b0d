package engine

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// stood puts a model into a playing world.
func stood(t *testing.T, m *scene.ModelSpec) (*World, *entity) {
	t.Helper()
	w := yard(t, sim.Playing)
	e := &entity{name: m.Name, id: w.entities.newID(), model: compiled(t, m), initialPose: at(5, 5, 1)}
	if err := w.entities.insert(e, w.physics, w.options.Seed, &w.clock); err != nil {
		t.Fatal(err)
	}
	w.onStructureChanged()
	return w, e
}

func TestAServoHoldsItsTargetAsASpringDoes(t *testing.T) {
	m := scenetest.Linked(2, scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed},
		scene.Joint{Parent: 0, Child: 1})
	m.Links[1].Inertial.Pose.Pos.X = 0.5 // 1 kg at the end of half a metre pulls with 4.905 N·m
	m.Joints[1].Limit = scene.Limit{Set: true, Lower: -2, Upper: 2}
	m.Joints[1].Servo = scene.Servo{Stiffness: 50, Damping: 10, Target: 0.3}
	w, e := stood(t, m)
	steps(t, w, 1500)
	sag := func(target float64) float64 { // 50·(q − target) = 4.905·cos q, about −y
		q := target
		for range 100 {
			q = target + 9.81*0.5*math.Cos(q)/50
		}
		return q
	}
	if q := w.physics.Joint(e.joints[1]).State().Position; math.Abs(q-sag(0.3)) > 1e-3 {
		t.Errorf("the servo holds %v, a spring %v", q, sag(0.3))
	}
	apply(t, w, sim.SetJoint{Name: m.Name, Joint: "1", Mode: sim.JointPosition, Target: -0.4})
	steps(t, w, 1500)
	if q := w.physics.Joint(e.joints[1]).State().Position; math.Abs(q-sag(-0.4)) > 1e-3 {
		t.Errorf("commanded, the servo holds %v, a spring %v", q, sag(-0.4))
	}
}

func TestTwoHingesOfOneBodyMoveItAsAUniversalJointDoes(t *testing.T) {
	mass := scene.Inertial{Mass: 2, Pose: at(0, 0, -0.5), Inertia: r3.Diag(r3.V(0.02, 0.03, 0.01))}
	fixed := scene.Joint{Name: "base", Parent: scene.World, Child: 0, Kind: scene.Fixed,
		Pose: r3.IdentityPose()}
	base := scene.Link{Name: "base", Pose: at(0, 0, 1),
		Inertial: scene.Inertial{Mass: 1, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(1, 1, 1))}}
	x, y := r3.V(1, 0, 0), r3.V(0, 1, 0)
	one := &scene.ModelSpec{Name: "one", Frame: r3.IdentityPose(),
		Links: []scene.Link{base, {Name: "bob", Pose: at(0, 0, 1), Inertial: mass}},
		Joints: []scene.Joint{fixed, {Name: "u", Kind: scene.Universal, Parent: 0, Child: 1,
			Pose: r3.IdentityPose(), Axis: x, Axis2: y}}}
	two := &scene.ModelSpec{Name: "two", Frame: r3.IdentityPose(),
		Links: []scene.Link{base, {Name: "axis", Pose: at(0, 0, 1), Virtual: true},
			{Name: "bob", Pose: at(0, 0, 1), Inertial: mass}},
		Joints: []scene.Joint{fixed, {Name: "a", Kind: scene.Continuous, Parent: 0, Child: 1,
			Pose: r3.IdentityPose(), Axis: x},
			{Name: "b", Kind: scene.Continuous, Parent: 1, Child: 2, Pose: r3.IdentityPose(), Axis: y}}}
	if p := compiled(t, two); len(p.Notes) > 0 {
		t.Errorf("notes on a link that only stands between joints: %v", p.Notes)
	}
	wa, ea := stood(t, one)
	wb, eb := stood(t, two)
	turn := func(w *World, b dynamics.BodyID, speed r3.Vec) {
		if err := w.physics.Body(b).SetTwist(r3.Twist{Angular: speed}); err != nil {
			t.Fatal(err)
		}
	}
	turn(wa, ea.bodies[1], r3.V(2, 1.5, 0))
	turn(wb, eb.bodies[1], r3.V(2, 0, 0))
	turn(wb, eb.bodies[2], r3.V(2, 1.5, 0))
	wa.physics.MeasureJoints()
	wb.physics.MeasureJoints()
	for range 250 {
		steps(t, wa, 1)
		steps(t, wb, 1)
		a, b := wa.physics.Body(ea.bodies[1]).COM(), wb.physics.Body(eb.bodies[2]).COM()
		if a.Dist(b) > 3e-3 {
			t.Fatalf("after step %d: %v on a universal joint, %v on two hinges", wa.Total(), a, b)
		}
	}
}

func TestLinksThatAreKeptApartAndShapesThatDoNotMeetPassThroughEachOther(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*scene.ModelSpec)
		rests  bool
	}{
		"as they are": {func(*scene.ModelSpec) {}, true},
		"kept apart":  {func(m *scene.ModelSpec) { m.Apart = [][2]int{{0, 1}} }, false},
		"other layers": {func(m *scene.ModelSpec) {
			m.Links[1].Collisions[0].Category,
				m.Links[1].Collisions[0].Mask = 2, 4
		}, false},
		"one layer": {func(m *scene.ModelSpec) {
			m.Links[1].Collisions[0].Category, m.Links[1].Collisions[0].Mask = 2, 2
			m.Links[0].Collisions[0].Category, m.Links[0].Collisions[0].Mask = 2, 3
		}, true},
	} {
		m := scenetest.Solid("pile", 1,
			scene.Geom{Kind: scene.Box, Size: r3.V(0.2, 0.2, 0.2), Category: 1, Mask: 1})
		m.Links[0].SelfCollide, m.Links[0].Inertial.Mass = true, 50
		top := m.Links[0]
		top.Name, top.Pose, top.Inertial.Mass = "top", at(0, 0, 0.25), 1
		top.Collisions = []scene.Geom{m.Links[0].Collisions[0]}
		m.Links = append(m.Links, top)
		m.Joints = []scene.Joint{{Name: "still", Kind: scene.Fixed, Parent: scene.World, Child: 0,
			Pose: r3.IdentityPose()}}
		c.change(m)
		w, e := stood(t, m)
		steps(t, w, 100)
		if z := w.physics.Body(e.bodies[1]).COM().Z; (z > 1.15) != c.rests {
			t.Errorf("%s: the upper box is at %v m", name, z)
		}
	}
	m := scenetest.Box(1)
	m.Apart = [][2]int{{0, 3}}
	if _, err := model.Compile(m, false); !errors.Is(err, sim.ErrParse) {
		t.Errorf("a link that is not there is kept apart: %v", err)
	}
}

// TestAVelocityLimitHoldsWhateverPushesOrOnlyTheMotor: SDF's and URDF's as Gazebo keeps it, and Webots'.
func TestAVelocityLimitHoldsWhateverPushesOrOnlyTheMotor(t *testing.T) {
	for _, motorOnly := range []bool{false, true} {
		m := scenetest.Linked(2, scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed},
			scene.Joint{Parent: 0, Child: 1})
		m.Links[1].Inertial.Pose.Pos.X = 0.5
		m.Joints[1].Limit = scene.Limit{Set: true, Lower: -3, Upper: 3, Velocity: 0.8, MotorOnly: motorOnly}
		w, e := stood(t, m)
		steps(t, w, 100)
		v := math.Abs(w.physics.Joint(e.joints[1]).State().Velocity)
		if motorOnly != (v > 2) || !motorOnly && math.Abs(v-0.8) > 0.01 {
			t.Errorf("motor only %v: falls at %v rad/s; the limit is 0.8", motorOnly, v)
		}
		apply(t, w, sim.SetJoint{Name: m.Name, Joint: "1", Mode: sim.JointVelocity, Target: -5})
		steps(t, w, 50)
		if v := w.physics.Joint(e.joints[1]).State().Velocity; math.Abs(v+0.8) > 0.01 {
			t.Errorf("motor only %v: the motor turns it at %v rad/s, want -0.8", motorOnly, v)
		}
	}
}

// TestACommandBoundsTheSpeedAndTheEffortOfItsMotor: a motor that may go at 2 rad/s goes at 0.5. One that
// bears 1 N·m does not hold an arm that pulls with 4.9.
func TestACommandBoundsTheSpeedAndTheEffortOfItsMotor(t *testing.T) {
	m := scenetest.Linked(2, scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed},
		scene.Joint{Parent: 0, Child: 1})
	m.Links[1].Inertial.Pose.Pos.X = 0.5
	m.Joints[1].Limit = scene.Limit{Set: true, Lower: -2, Upper: 2, Velocity: 2, MotorOnly: true}
	w, e := stood(t, m)
	second := int(1 / w.StepSize().Seconds())
	goTo := func(target, speed, effort float64) {
		apply(t, w, sim.SetJoints{Name: m.Name, Targets: []sim.JointTarget{{Joint: "1",
			Mode: sim.JointPosition, Target: target, Speed: speed, Effort: effort}}})
	}
	position := func() float64 { return w.physics.Joint(e.joints[1]).State().Position }
	goTo(1, 0.5, 0)
	steps(t, w, second)
	if q := position(); math.Abs(q-0.5) > 0.02 {
		t.Errorf("after a second at 0.5 rad/s it is at %v", q)
	}
	goTo(1, 0, 0)
	steps(t, w, second)
	if q := position(); math.Abs(q-1) > 1e-3 {
		t.Errorf("without a bound it comes to %v, want 1", q)
	}
	goTo(1, 0, 1)
	steps(t, w, second)
	if q := position(); q < 1.2 { // about −y: the arm hangs at π/2
		t.Errorf("1 N·m holds it at %v", q)
	}
	for _, bad := range []sim.JointTarget{{Speed: -1}, {Effort: -1}, {Speed: math.NaN()},
		{Effort: math.Inf(1)}} {
		bad.Joint, bad.Mode = "1", sim.JointPosition
		c := sim.SetJoints{Name: m.Name, Targets: []sim.JointTarget{bad}}
		if _, err := try(w, c); !errors.Is(err, sim.ErrFailed) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
