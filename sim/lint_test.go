package sim

import (
	"errors"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestDoubtsFindWhatLooksWrongOnlyTogether(t *testing.T) {
	wide := func(edge float64, static bool) *scene.ModelSpec {
		mesh := &scene.Mesh{URI: "plate.stl", Vertices: []r3.Vec{{}, {X: edge}, {Y: edge / 2}, {Z: edge / 3}}, Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}}
		m := solid("plate", 1, scene.Geom{Name: "skin", Kind: scene.MeshGeom, Mesh: mesh, Scale: r3.V(1, 1, 1), Pose: r3.IdentityPose()})
		m.Static = static
		return m
	}
	clash := armModel()
	for i, x := range []float64{0, 5, 0.2} { // the finger stands in the base
		clash.Links[i].Pose = at(x, 0, 1)
		clash.Links[i].Collisions = []scene.Geom{{Name: "skin", Kind: scene.Sphere, Radius: 0.15, Pose: r3.IdentityPose()}}
	}
	heavy := ballModel()
	heavy.Links[0].Inertial.Inertia = r3.Diag(r3.V(1, 0.1, 0.1))
	for name, c := range map[string]struct {
		model *scene.ModelSpec
		want  string // empty: no doubt
	}{
		"a robot in millimetres": {wide(250, false), "plate.stl is 250 m wide; if it is in millimetres, a scale of 0.001 makes it 0.25 m"},
		"a robot":                {wide(2.5, false), ""},
		"a building":             {wide(250, true), ""},
		"a speck":                {wide(0.0002, true), "0.2 mm wide"},
		"links in each other":    {clash, `links "base" and "finger" are 100 mm in each other`},
		"an impossible inertia":  {heavy, "which no body has"},
		"a ball":                 {ballModel(), ""},
		"a rover":                {roverModel(), ""},
	} {
		text := ""
		for _, n := range Lint(c.model) {
			if n.Kind == scene.Suspicious {
				text += n.String() + "\n"
			}
		}
		if c.want == "" && text != "" || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

func TestBoundsAtRestAreThoseOfShapesElseOfWhatIsSeen(t *testing.T) {
	box, err := RestBounds(armLike(true))
	if err != nil || box.Min != r3.V(-0.5, -0.5, -0.5) || box.Max != r3.V(0.5, 0.5, 2.5) {
		t.Errorf("%v, %v", box, err)
	}
	if seen, err := RestBounds(armLike(false)); err != nil || seen != box {
		t.Errorf("by what is seen %v, %v; want %v", seen, err, box)
	}
	if _, err := RestBounds(groundModel()); !errors.Is(err, ErrFailed) {
		t.Errorf("a plane has bounds: %v", err)
	}
}

// armLike is two boxes of 1 m, the second 2 m above the first.
func armLike(solidToo bool) *scene.ModelSpec {
	m := boxModel(1)
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
