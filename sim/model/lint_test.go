package model

import (
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestLintFindsWhatLooksWrongOnlyTogether(t *testing.T) {
	wide := func(edge float64, static bool) *scene.ModelSpec {
		mesh := &scene.Mesh{URI: "plate.stl", Vertices: []r3.Vec{{}, {X: edge}, {Y: edge / 2}, {Z: edge / 3}},
			Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}}
		m := scenetest.Solid("plate", 1,
			scene.Geom{Name: "skin", Kind: scene.MeshGeom, Mesh: mesh, Scale: r3.V(1, 1, 1),
				Pose: r3.IdentityPose()})
		m.Static = static
		return m
	}
	clash := func(change func(m *scene.ModelSpec)) *scene.ModelSpec { // the finger stands in the base
		m := scenetest.Arm()
		for i, x := range []float64{0, 5, 0.2} {
			m.Links[i].Pose, m.Links[i].SelfCollide = scenetest.At(x, 0, 1), true
			m.Links[i].Collisions = []scene.Geom{{Name: "skin", Kind: scene.Sphere, Radius: 0.15,
				Pose: r3.IdentityPose()}}
		}
		change(m)
		return m
	}
	heavy := scenetest.Ball()
	heavy.Links[0].Inertial.Inertia = r3.Diag(r3.V(1, 0.1, 0.1))
	for name, c := range map[string]struct {
		model *scene.ModelSpec
		want  string // empty: no diagnostic
	}{
		"a robot in millimetres": {wide(250, false),
			"plate.stl is 250 m wide; if it is in millimetres, a scale of 0.001 makes it 0.25 m"},
		"a robot":    {wide(2.5, false), ""},
		"a building": {wide(250, true), ""},
		"a speck":    {wide(0.0002, true), "0.2 mm wide"},
		"links in each other": {clash(func(*scene.ModelSpec) {}),
			`links "base" and "finger" are 100 mm in each other`},
		"links that may not collide": {clash(func(m *scene.ModelSpec) {
			for i := range m.Links {
				m.Links[i].SelfCollide = false
			}
		}), ""},
		"links that the file keeps apart": {clash(func(m *scene.ModelSpec) { m.Apart = [][2]int{{2, 0}} }), ""},
		"links whose masks do not meet": {clash(func(m *scene.ModelSpec) {
			m.Links[0].Collisions[0].Category, m.Links[0].Collisions[0].Mask = 1, 2
			m.Links[2].Collisions[0].Category, m.Links[2].Collisions[0].Mask = 4, 1
		}), ""},
		"an impossible inertia": {heavy, "which no body has"},
		"a ball":                {scenetest.Ball(), ""},
		"a rover":               {scenetest.Rover(), ""},
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
