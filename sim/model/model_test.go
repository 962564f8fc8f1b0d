package model

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/shape"
)

// wholeMass is the mass of all bodies of a model as one, joints at zero.
func wholeMass(m *Model) (all shape.Mass) {
	for i := range m.Bodies {
		if b := &m.Bodies[i]; b.Type == dynamics.Dynamic {
			all = all.Plus(b.Mass.Moved(b.Pose))
		}
	}
	return all
}

// compiled compiles a description that must not be refused.
func compiled(t *testing.T, m *scene.ModelSpec) *Model {
	t.Helper()
	p, err := Compile(m, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// near reports whether two points are the same to a nanometre.
func near(a, b r3.Vec) bool { return a.Dist(b) < 1e-9 }

func TestLinksOnFixedJointsAreOneBody(t *testing.T) {
	p := compiled(t, scenetest.Rover())
	if len(p.Bodies) != 3 {
		t.Fatalf("%d bodies, want chassis and two wheels", len(p.Bodies))
	}
	for link, want := range []int{0, 0, 1, 2, 0} {
		if p.Placements[link].Body != want {
			t.Errorf("link %d is in body %d, want %d", link, p.Placements[link].Body, want)
		}
	}
	b := p.Bodies[0]
	// 5 kg at 0.1 m and 0.2 kg at 0.3 m, in the frame of base_footprint, and wheels of 1 kg at 0.1 m.
	if m := wholeMass(p); math.Abs(m.Mass-6.2) > 1e-12 || math.Abs(m.COM.Z-(0.5+0.06+0.1)/6.2) > 1e-12 ||
		len(b.Geoms) != 2 {
		t.Errorf("a rover of %v kg, centre %v, its chassis of %d shapes", m.Mass, m.COM, len(b.Geoms))
	}
	if len(p.Notes) != 0 {
		t.Errorf("notes on a model that says everything: %v", p.Notes)
	}
}

func TestPosesFollowFromJointPositions(t *testing.T) {
	p := compiled(t, scenetest.Arm())
	q := map[int]float64{1: math.Pi / 2, 2: 0.3}
	poses := p.BodyPoses(scenetest.At(10, 0, 1), func(j int) float64 { return q[j] })
	for link, want := range map[int]r3.Vec{0: r3.V(10, 0, 1), 1: r3.V(10.5, 0, 1), 2: r3.V(10.5, 0.8, 1)} {
		place := p.Placements[link]
		if got := poses[place.Body].Mul(place.Pose).Pos; !near(got, want) {
			t.Errorf("link %d at %v, want %v", link, got, want)
		}
	}
	// Seen from its other end the arm is the same.
	m := scenetest.Arm()
	m.Canonical = 2
	back := compiled(t, m)
	poses = back.BodyPoses(r3.Pose{Pos: r3.V(10.5, 0.8, 1), Rot: r3.FromRPY(0, 0, math.Pi/2)},
		func(j int) float64 { return q[j] })
	place := back.Placements[0]
	if got := poses[place.Body].Mul(place.Pose).Pos; !near(got, r3.V(10, 0, 1)) {
		t.Errorf("base at %v, want where it was", got)
	}
}

func TestWhatIsBoltedToTheWorldIsStatic(t *testing.T) {
	p := compiled(t, scenetest.Arm())
	if p.Bodies[0].Type != dynamics.Static || p.Bodies[1].Type != dynamics.Dynamic ||
		p.Bodies[2].Type != dynamics.Dynamic {
		t.Errorf("kinds %v %v %v", p.Bodies[0].Type, p.Bodies[1].Type, p.Bodies[2].Type)
	}
	m := scenetest.Box(1)
	m.Joints = []scene.Joint{{Name: "hinge", Kind: scene.Revolute, Parent: scene.World, Child: 0,
		Pose: scenetest.At(0.5, 0, 0), Axis: r3.V(0, 0, 1)}}
	p = compiled(t, m)
	if len(p.Bodies) != 2 || p.Bodies[1].Type != dynamics.Static || p.Joints[0].Parent != 1 ||
		p.Joints[0].Child != 0 {
		t.Errorf("a door hangs on %+v", p.Joints[0])
	}
	if p := compiled(t, scenetest.Ground()); len(p.Bodies) != 1 || p.Bodies[0].Type != dynamics.Static {
		t.Errorf("ground is %+v", p.Bodies)
	}
}

func TestAModelWithoutMassIsWeighedByItsShapes(t *testing.T) {
	p := compiled(t, scenetest.Solid("block", 0, scene.Geom{Kind: scene.Box, Size: r3.V(1, 2, 3)}))
	if m := p.Bodies[0].Mass; math.Abs(m.Mass-6000) > 1e-6 || math.Abs(m.Inertia.XX-6000*13.0/12) > 1e-6 {
		t.Errorf("mass %v kg, inertia %v; want 6000 kg of water", m.Mass, m.Inertia)
	}
	if !p.Notes.Has(scene.Inferred) {
		t.Error("nothing says that the mass was inferred")
	}
	nothing := scenetest.Solid("nothing", 0, scene.Geom{})
	nothing.Links[0].Collisions = nil
	p = compiled(t, nothing)
	if m := p.Bodies[0].Mass; math.Abs(m.Mass-1) > 1e-9 || m.Check() != nil {
		t.Errorf("mass %+v, want a ball of 1 kg", m)
	}
}

func TestAMasslessLeafIsHeldStill(t *testing.T) {
	m := scenetest.Rover()
	m.Links = append(m.Links, scene.Link{Name: "flag", Pose: scenetest.At(0, 0, 1)},
		scene.Link{Name: "cloth", Pose: scenetest.At(0, 0, 1.1)})
	m.Joints = append(m.Joints,
		scene.Joint{Name: "flap", Kind: scene.Revolute, Parent: 4, Child: 5, Axis: r3.V(1, 0, 0)},
		scene.Joint{Name: "wave", Kind: scene.Revolute, Parent: 5, Child: 6, Axis: r3.V(1, 0, 0)})
	p := compiled(t, m)
	if len(p.Bodies) != 3 || p.Joints[4].Moves || p.Joints[5].Moves || len(p.Notes) != 2 {
		t.Errorf("%d bodies, %+v", len(p.Bodies), p.Notes)
	}
}

func TestAnImpossibleInertiaIsMadePossible(t *testing.T) {
	for _, i := range []r3.Mat{
		{}, r3.Diag(r3.V(1, 0, 0)), r3.Diag(r3.V(1, 1, 5)), r3.Diag(r3.V(-1, 1, 1)),
		r3.Diag(r3.V(1e-20, 1e-20, 1e-20)),
		{XX: 1, XY: 3, YX: 3, YY: 1, ZZ: 1}, {XX: 1, XY: 0.5, YY: 1, ZZ: 1},
	} {
		m := scenetest.Box(1)
		m.Links[0].Inertial.Inertia = i
		p := compiled(t, m)
		if err := p.Bodies[0].Mass.Check(); err != nil {
			t.Errorf("%v: %v", i, err)
		}
		if !p.Notes.Has(scene.Suspicious) {
			t.Errorf("%v: nobody says that it was changed", i)
		}
	}
}

func TestShapesFollowTheirGeoms(t *testing.T) {
	mesh := &scene.Mesh{Vertices: []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}
	g := scene.Geom{Kind: scene.MeshGeom, Mesh: mesh, Scale: r3.V(2, 1, 1)}
	for static, kind := range map[bool]shape.Kind{true: shape.KindMesh, false: shape.KindHull} {
		p, err := Compile(scenetest.Solid("mesh", 1, g), static)
		if err != nil {
			t.Fatal(err)
		}
		s := p.Bodies[0].Geoms[0].Def.Shape
		if s.Kind() != kind || s.Bounds(r3.IdentityPose()).Max.Dist(r3.V(2, 1, 1)) > 1e-9 {
			t.Errorf("static %v: %v with bounds %v", static, s.Kind(), s.Bounds(r3.IdentityPose()))
		}
	}
	p, _ := Compile(scenetest.Solid("wall", 0, scene.Geom{Kind: scene.Plane, Normal: r3.V(1, 0, 0)}), true)
	if n := p.Bodies[0].Geoms[0].Def.Pose.Rot.Rotate(r3.V(0, 0, 1)); !near(n, r3.V(1, 0, 0)) {
		t.Errorf("a plane with the normal x faces %v", n)
	}
}

func TestWhatCannotBeUsedIsLeftOutAndNoted(t *testing.T) {
	for name, g := range map[string]scene.Geom{
		"a moving plane": {Kind: scene.Plane}, "no size": {Kind: scene.Box},
		"a moving terrain": {Kind: scene.Heightfield,
			Heights: scenetest.Slope().Links[0].Collisions[0].Heights},
		"a terrain of one row": {Kind: scene.Heightfield,
			Heights: &scene.Heights{Columns: 2, Rows: 1, X: 1, Y: 1, Z: make([]float32, 2)}},
		"a flat mesh": {Kind: scene.MeshGeom,
			Mesh: &scene.Mesh{Vertices: make([]r3.Vec, 3), Triangles: [][3]int32{{0, 1, 2}}}},
		"no pose": {Kind: scene.Sphere, Radius: 1, Pose: r3.Pose{Pos: r3.V(math.NaN(), 0, 0)}},
	} {
		p := compiled(t, scenetest.Solid("odd", 1, g))
		if len(p.Bodies[0].Geoms) != 0 || len(p.Notes) == 0 {
			t.Errorf("%s: %d shapes, notes %v", name, len(p.Bodies[0].Geoms), p.Notes)
		}
	}
	m := scenetest.Rover()
	m.Drives = append(m.Drives, scene.Drive{Kind: scene.Ackermann},
		scene.Drive{Kind: scene.Differential, Left: []int{0}, Right: []int{99}, Separation: 1, Radius: 1})
	m.Links[4].Sensors[0].Lidar.Columns = 0
	m.Links[4].Sensors = append(m.Links[4].Sensors, scene.Sensor{Name: "sonar", Kind: scene.OtherSensor})
	p := compiled(t, m)
	if !p.DriveEnabled[0] || p.DriveEnabled[1] || p.DriveEnabled[2] || p.Sensors[0].Lidar != nil ||
		len(p.Sensors) != 2 || len(p.Notes) != 4 {
		t.Errorf("drives %v, notes %v", p.DriveEnabled, p.Notes)
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
		"fast link":      func(m *scene.ModelSpec) { m.Links[2].Twist.Linear.X = 2 * MaxSpeed },
		"NaN mass":       func(m *scene.ModelSpec) { m.Links[2].Inertial.Mass = math.NaN() },
		"negative mass":  func(m *scene.ModelSpec) { m.Links[2].Inertial.Mass = -1 },
		"NaN joint axis": func(m *scene.ModelSpec) { m.Joints[1].Axis.Y = math.NaN() },
	} {
		m := scenetest.Rover()
		spoil(m)
		if _, err := Compile(m, false); !errors.Is(err, scene.ErrParse) ||
			!strings.Contains(err.Error(), "rover") {
			t.Errorf("%s: %v, want ErrParse that names the model", name, err)
		}
	}
}

func TestLidarsOfAModelShareABudgetOfRays(t *testing.T) {
	m := scenetest.Rover()
	big := scene.Sensor{Name: "big", Kind: scene.Lidar,
		Lidar: scene.LidarSpec{Columns: 1 << 10, Rows: 1 << 10, MaxRange: 1}}
	m.Links[4].Sensors = []scene.Sensor{big, big, big}
	p := compiled(t, m)
	if p.Sensors[0].Lidar == nil || p.Sensors[1].Lidar != nil || len(p.Notes) != 2 {
		t.Errorf("a file of three lidars of a million rays is run; notes %v", p.Notes)
	}
}

func TestAModelKeepsTheMassesOfTheFileAndHasItsWheelsInATree(t *testing.T) {
	m := scenetest.Rover()
	m.Links = append(m.Links, scene.Link{Name: "ball", Pose: scenetest.At(-0.15, 0, 0.05),
		Inertial: scene.Inertial{Mass: 0.001, Pose: r3.IdentityPose(),
			Inertia: r3.Diag(r3.V(1e-6, 1e-6, 1e-6))},
		Collisions: []scene.Geom{{Kind: scene.Sphere, Radius: 0.05}}})
	m.Joints = append(m.Joints, scene.Joint{Name: "roll", Kind: scene.Ball, Parent: 1, Child: 5})
	p := compiled(t, m)
	if got := p.Bodies[3].Mass; got.Mass != 0.001 || got.Inertia.XX != 1e-6 || len(p.Notes) != 0 {
		t.Errorf("a ball of 1 g weighs %+v; notes %v", got, p.Notes)
	}
	if len(p.Articulations) != 1 || !slices.Contains(p.Articulations[0], 4) || len(p.Articulations[0]) < 3 {
		t.Errorf("its trees are of joints %v", p.Articulations)
	}
}
