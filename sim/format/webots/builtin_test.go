package webots

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestBuiltInsHaveTheSizesTheyAreGiven(t *testing.T) {
	for _, c := range []struct {
		text   string
		shapes int
		box    r3.Vec // of the first shape
		at     r3.Vec
		mass   float64
	}{
		{"RectangleArena { floorSize 4 2 wallThickness 0.5 wallHeight 1 }", 5, r3.V(4, 2, floorDepth),
			r3.V(0, 0, -floorDepth/2), 0},
		{"WoodenBox { size 1 2 3 mass 4 }", 1, r3.V(1, 2, 3), r3.V(0, 0, 0.3), 4},
		{"CardboardBox { translation 5 0 0 }", 1, r3.V(0.6, 0.6, 0.6), r3.V(5, 0, 0), 0},
		{"SolidBox { size 1 2 3 physics Physics { density -1 mass 2 } }", 1, r3.V(1, 2, 3), r3.V(0, 0, 0), 2},
		{"Wall { size 5 0.2 2 translation 1 1 0 }", 1, r3.V(5, 0.2, 2), r3.V(1, 1, 1), 0},
		{"Table { size 1 2 0.8 frameThickness 0.1 }", 5, r3.V(1, 2, 0.1), r3.V(0, 0, 0.75), 0},
		{"Cabinet { depth 1 outerThickness 0.5 rowsHeights [ 1 1 ] columnsWidths [ 2 ] }", 1, r3.V(1, 3, 3),
			r3.V(0.5, 0, 1.5), 0},
		{"CircleArena { subdivision 12 }", 13, r3.Vec{}, r3.V(0, 0, -floorDepth/2), 0},
		{"Door { }", 4, r3.V(0.2, 1, 0.05), r3.V(0, 0, 2.375), 0},
		{"Door { position -1.5 }", 3, r3.V(0.2, 1, 0.05), r3.V(0, 0, 2.375), 0},
	} {
		w := world(t, nil, c.text)
		l := w.Models[0].Model.Links[0]
		at := w.Models[0].Pose.Mul(l.Collisions[0].Pose)
		near(t, c.text, at.Pos, c.at)
		near(t, c.text+" size", l.Collisions[0].Size, c.box)
		if len(l.Collisions) != c.shapes || len(l.Visuals) != c.shapes ||
			math.Abs(l.Inertial.Mass-c.mass) > 1e-9 {
			t.Errorf("%s: %d shapes, %d seen, %g kg", c.text, len(l.Collisions), len(l.Visuals),
				l.Inertial.Mass)
		}
	}
}

// TestBuiltInsStandUprightInOldWorlds gives sizes in the order of old files: along x, up, and along z.
func TestBuiltInsStandUprightInOldWorlds(t *testing.T) {
	for _, head := range []string{"#VRML_SIM R2019a utf8\n",
		"#VRML_SIM R2021b utf8\nWorldInfo { coordinateSystem \"NUE\" }\n"} {
		w := world(t, nil, head+"Wall { translation 1 0 2 size 5 2 0.2 } RectangleArena { floorSize 4 2 } E-puck { translation 3 0 0 }")
		wall := w.Models[0]
		box := wall.Model.Links[0].Collisions[0]
		size := absolute(wall.Pose.Mul(box.Pose).Rot.Rotate(box.Size))
		near(t, "size in the world", size, r3.V(0.2, 5, 2))
		near(t, "middle", wall.Pose.Mul(box.Pose).Pos, r3.V(2, 1, 1))
		near(t, "up", wall.Pose.Rot.Rotate(r3.V(0, 0, 1)), r3.V(0, 0, 1))
		robot := w.Models[2]
		near(t, "robot", robot.Pose.Pos, r3.V(0, 3, 0))
		near(t, "its front", robot.Pose.Rot.Rotate(r3.V(1, 0, 0)), r3.V(-1, 0, 0)) // −z of the file
		if len(robot.Model.Drives) != 1 || robot.Model.Drives[0].Radius != 0.0205 {
			t.Errorf("%+v", robot.Model.Drives)
		}
	}
}

func TestEveryBuiltInStandsWithItsDefaults(t *testing.T) {
	for name := range builtins {
		text := name + " { }"
		if _, looks := appearances()[name]; looks {
			text = "Shape { appearance " + name + " { } geometry Sphere { } }"
		}
		w := world(t, nil, text)
		if bare := name == "TexturedBackground" || name == "TexturedBackgroundLight"; !bare &&
			len(w.Models) != 1 {
			t.Errorf("%s makes %d models: %v", name, len(w.Models), w.Notes)
		}
		for _, n := range w.Notes {
			if n.Kind != scene.Inferred {
				t.Errorf("%s: %v", name, n)
			}
		}
	}
}
