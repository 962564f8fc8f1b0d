package webots

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestAFluidEndsAtTheTopOfItsBounds(t *testing.T) {
	w := world(t, nil, `Pose { translation 1 0 0 children [ Fluid { translation 0 0 2 rotation 0 0 1 1.5707963267948966 name "sea" density 1025 viscosity 0.002 streamVelocity 3 0 0
		children [ Shape { geometry Box { size 2 4 1 } } ]
		boundingObject Group { children [ Box { size 2 4 1 } Pose { translation 5 0 0 children [ Cylinder { radius 2 height 6 } ] } Plane { } ] } } ] }`)
	if len(w.Medium.Volumes) != 1 || len(w.Notes) > 0 {
		t.Fatalf("%d fluids, notes %v", len(w.Medium.Volumes), w.Notes)
	}
	v := w.Medium.Volumes[0]
	if v.Name != "sea" || v.Density != 1025 || v.Viscosity != 0.002 || v.Stream != r3.V(3, 0, 0) ||
		len(v.Bounds) != 3 {
		t.Fatalf("%+v", v)
	}
	near(t, "box", v.Bounds[0].Geom.Pose.Pos, r3.V(1, 0, 2))
	near(t, "cylinder", v.Bounds[1].Geom.Pose.Pos, r3.V(1, 5, 2))
	for _, b := range v.Bounds {
		near(t, "up", b.Up, r3.V(0, 0, 1))
	}
	if b := v.Bounds[0].Geom; b.Kind != scene.Box || b.Size != r3.V(2, 4, 1) {
		t.Errorf("%+v", b)
	}
	if len(w.Models) != 1 || !w.Models[0].Static || len(w.Models[0].Model.Links[0].Visuals) != 1 ||
		len(w.Models[0].Model.Links[0].Collisions) != 0 {
		t.Errorf("what is seen of it: %+v", w.Models)
	}
}

// Files before R2022a have y up, and so have their fluids.
func TestTheTopOfAFluidIsUpInOldFilesToo(t *testing.T) {
	w := world(t, nil, "#VRML_SIM R2021b utf8\n"+`WorldInfo { coordinateSystem "NUE" }
		Fluid { translation 1 2 3 boundingObject Group { children [ Box { size 2 4 6 } Sphere { } Cylinder { height 4 } ] } }
		Solid { immersionProperties [ ImmersionProperties { fluidName "fluid" dragForceCoefficients 1 2 3 } ] boundingObject Box { } physics Physics { } }`)
	v := w.Medium.Volumes[0]
	for _, b := range v.Bounds {
		near(t, "up", b.Up, r3.V(0, 0, 1))
		near(t, "place", b.Geom.Pose.Pos, r3.V(3, 1, 2))
	}
	// x is north, y up and z east there.
	near(t, "coefficients", w.Models[0].Model.Links[0].Immersions[0].Drag, r3.V(3, 1, 2))
}

func TestASolidSaysHowItFeelsFluids(t *testing.T) {
	w := world(t, nil, `Fluid { name "a" boundingObject Box { } } Fluid { name "b" boundingObject Sphere { } }
		Solid { boundingObject Box { } physics Physics { } immersionProperties [
			ImmersionProperties { fluidName "a" dragForceCoefficients 1 2 3 dragTorqueCoefficients 4 5 6 viscousResistanceForceCoefficient 7 viscousResistanceTorqueCoefficient 8 }
			ImmersionProperties { fluidName "b" referenceArea "xyz-projection" } ] }`)
	got, want := w.Models[0].Model.Links[0].Immersions, []scene.Immersion{
		{Fluid: "a", Drag: r3.V(1, 2, 3), Turn: r3.V(4, 5, 6), Viscous: 7, Twisting: 8},
		{Fluid: "b", Projected: true}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] || len(w.Notes) > 0 {
		t.Errorf("read %+v, want %+v; notes %v", got, want, w.Notes)
	}
	if v := w.Medium.Volumes[0]; v.Density != 1000 || v.Viscosity != 0.001 {
		t.Errorf("a fluid that says nothing is %+v", v)
	}
}

func TestWhatNoFluidCanBeIsNotedWithItsPlace(t *testing.T) {
	const solid = "boundingObject Box { } physics Physics { } immersionProperties [ ImmersionProperties { fluidName \"fluid\"\n"
	for _, c := range []struct {
		text, note   string
		line, column int
	}{
		{"Fluid { boundingObject Box { }\n density -3 }", "density -3 of Fluid; want at least 0 kg/m³; using 1000", 3, 10},
		{"Fluid { boundingObject Box { }\n viscosity -0.5 }", "viscosity -0.5 of Fluid; want at least 0 Pa·s; using 0.001", 3, 12},
		{"Fluid { boundingObject Box { }\n density 1e30 }", "density 1e+30 of Fluid", 3, 10},
		{"Fluid { }", "Fluid has no boundingObject: nothing is in it", 2, 1},
		{"Fluid { boundingObject Box { } }\nFluid { boundingObject Box { } }", `a second Fluid with the name "fluid"`, 3, 1},
		{"Fluid { boundingObject Box { } name \"pool\" } Solid { " + solid + "} ] }",
			`fluidName "fluid", which no Fluid has; there are "pool"`, 2, 151},
		{"Solid { " + solid + "} ] }", `fluidName "fluid", which no Fluid has: the Solid does not feel it`, 2, 106},
		{"Fluid { boundingObject Box { } } Solid { " + solid + " dragForceCoefficients 1 2 } ] }",
			"dragForceCoefficients of 2 numbers; want three, using 0 0 0", 3, 24},
		{"Fluid { boundingObject Box { } } Solid { " + solid + " dragTorqueCoefficients 1 -2 3 } ] }",
			"dragTorqueCoefficients 1 -2 3; want three of at least 0, using 0 for what is not", 3, 25},
		{"Fluid { boundingObject Box { } } Solid { " + solid + " viscousResistanceForceCoefficient -1 } ] }",
			"viscousResistanceForceCoefficient -1 of ImmersionProperties; want at least 0 m; using 0", 3, 36},
		{"Fluid { boundingObject Box { } } Solid { " + solid + " referenceArea \"all\" } ] }",
			`referenceArea "all"; "immersed area" and "xyz-projection" are known; using "immersed area"`, 3, 16},
		{"Fluid { boundingObject ElevationGrid { xDimension 2 yDimension 2 height [ 0 0 0 0 ] } }",
			"an ElevationGrid does not bound a Fluid", 2, 1},
	} {
		w := world(t, nil, c.text)
		if n := noted(w.Notes, c.note); n == nil || n.Line != c.line || n.Column != c.column {
			t.Errorf("%s\nnotes %v, want %q at %d:%d", c.text, w.Notes, c.note, c.line, c.column)
		}
		for _, v := range w.Medium.Volumes {
			if v.Density != 1000 || v.Viscosity != 0.001 {
				t.Errorf("%s\nread as %+v", c.text, v)
			}
		}
		for _, m := range w.Models {
			for _, k := range m.Model.Links[0].Immersions {
				if min(k.Drag.X, k.Turn.Y, k.Viscous) < 0 || math.IsNaN(k.Drag.X) {
					t.Errorf("%s\nread as %+v", c.text, k)
				}
			}
		}
	}
}
