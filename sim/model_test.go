package sim

import (
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

func planOf(t *testing.T, m *scene.ModelSpec) *compiledModel {
	t.Helper()
	p, err := compileModel(m, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLinksOnFixedJointsAreOneBody(t *testing.T) {
	p := planOf(t, roverModel())
	if len(p.bodies) != 3 {
		t.Fatalf("%d bodies, want chassis and two wheels", len(p.bodies))
	}
	for link, want := range []int{0, 0, 1, 2, 0} {
		if p.placements[link].body != want {
			t.Errorf("link %d is in body %d, want %d", link, p.placements[link].body, want)
		}
	}
	b := p.bodies[0]
	// 5 kg at 0.1 m and 0.2 kg at 0.3 m, in the frame of base_footprint, and wheels of 1 kg at 0.1 m.
	if m := p.whole(); math.Abs(m.Mass-6.2) > 1e-12 || math.Abs(m.COM.Z-(0.5+0.06+0.1)/6.2) > 1e-12 || len(b.geoms) != 2 {
		t.Errorf("a rover of %v kg, centre %v, its chassis of %d shapes", m.Mass, m.COM, len(b.geoms))
	}
	if len(p.notes) != 0 {
		t.Errorf("notes on a model that says everything: %v", p.notes)
	}
}

func TestPosesFollowFromJointPositions(t *testing.T) {
	p := planOf(t, armModel())
	q := map[int]float64{1: math.Pi / 2, 2: 0.3}
	poses := p.pose(at(10, 0, 1), func(j int) float64 { return q[j] })
	for link, want := range map[int]r3.Vec{0: r3.V(10, 0, 1), 1: r3.V(10.5, 0, 1), 2: r3.V(10.5, 0.8, 1)} {
		place := p.placements[link]
		if got := poses[place.body].Mul(place.pose).Pos; !near(got, want) {
			t.Errorf("link %d at %v, want %v", link, got, want)
		}
	}
	// Seen from its other end the arm is the same.
	m := armModel()
	m.Canonical = 2
	back := planOf(t, m)
	poses = back.pose(r3.Pose{Pos: r3.V(10.5, 0.8, 1), Rot: r3.FromRPY(0, 0, math.Pi/2)}, func(j int) float64 { return q[j] })
	place := back.placements[0]
	if got := poses[place.body].Mul(place.pose).Pos; !near(got, r3.V(10, 0, 1)) {
		t.Errorf("base at %v, want where it was", got)
	}
}

func TestWhatIsBoltedToTheWorldIsStatic(t *testing.T) {
	p := planOf(t, armModel())
	if p.bodies[0].kind != dynamics.Static || p.bodies[1].kind != dynamics.Dynamic || p.bodies[2].kind != dynamics.Dynamic {
		t.Errorf("kinds %v %v %v", p.bodies[0].kind, p.bodies[1].kind, p.bodies[2].kind)
	}
	m := boxModel(1)
	m.Joints = []scene.Joint{{Name: "hinge", Kind: scene.Revolute, Parent: scene.World, Child: 0, Pose: at(0.5, 0, 0), Axis: r3.V(0, 0, 1)}}
	p = planOf(t, m)
	if len(p.bodies) != 2 || p.bodies[1].kind != dynamics.Static || p.joints[0].parent != 1 || p.joints[0].child != 0 {
		t.Errorf("a door hangs on %+v", p.joints[0])
	}
	if p := planOf(t, groundModel()); len(p.bodies) != 1 || p.bodies[0].kind != dynamics.Static {
		t.Errorf("ground is %+v", p.bodies)
	}
}

func TestAModelWithoutMassIsWeighedByItsShapes(t *testing.T) {
	p := planOf(t, solid("block", 0, scene.Geom{Kind: scene.Box, Size: r3.V(1, 2, 3)}))
	if m := p.bodies[0].mass; math.Abs(m.Mass-6000) > 1e-6 || math.Abs(m.Inertia.XX-6000*13.0/12) > 1e-6 {
		t.Errorf("mass %v kg, inertia %v; want 6000 kg of water", m.Mass, m.Inertia)
	}
	if !p.notes.Has(scene.Inferred) {
		t.Error("nothing says that the mass was inferred")
	}
	nothing := solid("nothing", 0, scene.Geom{})
	nothing.Links[0].Collisions = nil
	p = planOf(t, nothing)
	if m := p.bodies[0].mass; math.Abs(m.Mass-1) > 1e-9 || m.Check() != nil {
		t.Errorf("mass %+v, want a ball of 1 kg", m)
	}
}

func TestAMasslessLeafIsHeldStill(t *testing.T) {
	m := roverModel()
	m.Links = append(m.Links, scene.Link{Name: "flag", Pose: at(0, 0, 1)}, scene.Link{Name: "cloth", Pose: at(0, 0, 1.1)})
	m.Joints = append(m.Joints,
		scene.Joint{Name: "flap", Kind: scene.Revolute, Parent: 4, Child: 5, Axis: r3.V(1, 0, 0)},
		scene.Joint{Name: "wave", Kind: scene.Revolute, Parent: 5, Child: 6, Axis: r3.V(1, 0, 0)})
	p := planOf(t, m)
	if len(p.bodies) != 3 || p.joints[4].moves || p.joints[5].moves || len(p.notes) != 2 {
		t.Errorf("%d bodies, %+v", len(p.bodies), p.notes)
	}
}

func TestAnImpossibleInertiaIsMadePossible(t *testing.T) {
	for _, i := range []r3.Mat{
		{}, r3.Diag(r3.V(1, 0, 0)), r3.Diag(r3.V(1, 1, 5)), r3.Diag(r3.V(-1, 1, 1)), r3.Diag(r3.V(1e-20, 1e-20, 1e-20)),
		{XX: 1, XY: 3, YX: 3, YY: 1, ZZ: 1}, {XX: 1, XY: 0.5, YY: 1, ZZ: 1},
	} {
		m := boxModel(1)
		m.Links[0].Inertial.Inertia = i
		p := planOf(t, m)
		if err := p.bodies[0].mass.Check(); err != nil {
			t.Errorf("%v: %v", i, err)
		}
		if !p.notes.Has(scene.Suspicious) {
			t.Errorf("%v: nobody says that it was changed", i)
		}
	}
}

func TestShapesFollowTheirGeoms(t *testing.T) {
	mesh := &scene.Mesh{Vertices: []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}}, Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}
	g := scene.Geom{Kind: scene.MeshGeom, Mesh: mesh, Scale: r3.V(2, 1, 1)}
	for static, kind := range map[bool]shape.Kind{true: shape.KindMesh, false: shape.KindHull} {
		p, err := compileModel(solid("mesh", 1, g), static)
		if err != nil {
			t.Fatal(err)
		}
		s := p.bodies[0].geoms[0].def.Shape
		if s.Kind() != kind || s.Bounds(r3.IdentityPose()).Max.Dist(r3.V(2, 1, 1)) > 1e-9 {
			t.Errorf("static %v: %v with bounds %v", static, s.Kind(), s.Bounds(r3.IdentityPose()))
		}
	}
	p, _ := compileModel(solid("wall", 0, scene.Geom{Kind: scene.Plane, Normal: r3.V(1, 0, 0)}), true)
	if n := p.bodies[0].geoms[0].def.Pose.Rot.Rotate(r3.V(0, 0, 1)); !near(n, r3.V(1, 0, 0)) {
		t.Errorf("a plane with the normal x faces %v", n)
	}
}

func TestWhatCannotBeUsedIsLeftOutAndNoted(t *testing.T) {
	for name, g := range map[string]scene.Geom{
		"a moving plane": {Kind: scene.Plane}, "no size": {Kind: scene.Box}, "a moving terrain": {Kind: scene.Heightfield, Heights: slopeModel().Links[0].Collisions[0].Heights},
		"a terrain of one row": {Kind: scene.Heightfield, Heights: &scene.Heights{Columns: 2, Rows: 1, X: 1, Y: 1, Z: make([]float32, 2)}},
		"a flat mesh":          {Kind: scene.MeshGeom, Mesh: &scene.Mesh{Vertices: make([]r3.Vec, 3), Triangles: [][3]int32{{0, 1, 2}}}},
		"no pose":              {Kind: scene.Sphere, Radius: 1, Pose: r3.Pose{Pos: r3.V(math.NaN(), 0, 0)}},
	} {
		p := planOf(t, solid("odd", 1, g))
		if len(p.bodies[0].geoms) != 0 || len(p.notes) == 0 {
			t.Errorf("%s: %d shapes, notes %v", name, len(p.bodies[0].geoms), p.notes)
		}
	}
	m := roverModel()
	m.Drives = append(m.Drives, scene.Drive{Kind: scene.Ackermann}, scene.Drive{Kind: scene.Differential, Left: []int{0}, Right: []int{99}, Separation: 1, Radius: 1})
	m.Links[4].Sensors[0].Lidar.Columns = 0
	m.Links[4].Sensors = append(m.Links[4].Sensors, scene.Sensor{Name: "sonar", Kind: scene.OtherSensor})
	p := planOf(t, m)
	if !p.drives[0] || p.drives[1] || p.drives[2] || p.sensors[0].lidar != nil || len(p.sensors) != 2 || len(p.notes) != 4 {
		t.Errorf("drives %v, notes %v", p.drives, p.notes)
	}
}

func TestADescriptionThatContradictsItselfIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*scene.ModelSpec){
		"no links":       func(m *scene.ModelSpec) { m.Links = nil },
		"no such link":   func(m *scene.ModelSpec) { m.Canonical = 5 },
		"joint parent":   func(m *scene.ModelSpec) { m.Joints[1].Parent = 99 },
		"joint child":    func(m *scene.ModelSpec) { m.Joints[1].Child = -1 },
		"joint to self":  func(m *scene.ModelSpec) { m.Joints[1].Child = m.Joints[1].Parent },
		"NaN link pose":  func(m *scene.ModelSpec) { m.Links[2].Pose.Pos.X = math.NaN() },
		"NaN mass":       func(m *scene.ModelSpec) { m.Links[2].Inertial.Mass = math.NaN() },
		"negative mass":  func(m *scene.ModelSpec) { m.Links[2].Inertial.Mass = -1 },
		"NaN joint axis": func(m *scene.ModelSpec) { m.Joints[1].Axis.Y = math.NaN() },
	} {
		m := roverModel()
		spoil(m)
		if _, err := compileModel(m, false); !errors.Is(err, ErrParse) || !strings.Contains(err.Error(), "rover") {
			t.Errorf("%s: %v, want ErrParse that names the model", name, err)
		}
	}
}

func TestLidarsOfAModelShareABudgetOfRays(t *testing.T) {
	m := roverModel()
	big := scene.Sensor{Name: "big", Kind: scene.Lidar, Lidar: scene.LidarSpec{Columns: 1 << 10, Rows: 1 << 10, MaxRange: 1}}
	m.Links[4].Sensors = []scene.Sensor{big, big, big}
	p := planOf(t, m)
	if p.sensors[0].lidar == nil || p.sensors[1].lidar != nil || len(p.notes) != 2 {
		t.Errorf("a file of three lidars of a million rays is run; notes %v", p.notes)
	}
}

func TestACasterIsHeavyEnoughToBeStoodOn(t *testing.T) {
	m := roverModel()
	m.Links = append(m.Links, scene.Link{Name: "ball", Pose: at(-0.15, 0, 0.05),
		Inertial:   scene.Inertial{Mass: 0.001, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(1e-6, 1e-6, 1e-6))},
		Collisions: []scene.Geom{{Kind: scene.Sphere, Radius: 0.05}}})
	m.Joints = append(m.Joints, scene.Joint{Name: "roll", Kind: scene.Ball, Parent: 1, Child: 5})
	p := planOf(t, m)
	if got := p.bodies[3].mass; got.Mass < 0.5 || got.Inertia.XX != 1e-6 || len(p.notes) != 0 {
		t.Errorf("a ball of 1 g under 5.2 kg weighs %+v; notes %v", got, p.notes)
	}
	if all := p.whole(); math.Abs(all.Mass-6.201) > 1e-12 {
		t.Errorf("the rover weighs %v kg", all.Mass)
	}
}
