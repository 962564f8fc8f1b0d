package webots

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

// FuzzWorld reads any text as a world and as a model: whatever comes out is finite and hangs together.
func FuzzWorld(f *testing.F) {
	for _, text := range []string{
		header + "WorldInfo { basicTimeStep 8 contactProperties ContactProperties { material1 \"a\" coulombFriction 2 } }\nTexturedBackground { } RectangleArena { floorSize 2 2 } E-puck { turretSlot GPS { } }",
		header + "PROTO P [ field SFVec3f translation 0 0 0 field MFNode slot [ ] ] { Solid { translation IS translation children IS slot } }\nP { slot [ P { } ] }",
		"#VRML_SIM R2019a utf8\nRobot { children [ HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 position 1 } device RotationalMotor { } endPoint Solid { boundingObject Cylinder { } physics Physics { } } } Lidar { } Camera { } ] physics Physics { density -1 mass 1 } }",
		header + "Solid { scale 1 2 3 children [ Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 -1 ] } } Shape { geometry ElevationGrid { xDimension 2 yDimension 2 height [ 0 1 ] } } ] }",
		header + "Robot { children [ Hinge2Joint { endPoint Solid { } } SliderJoint { endPoint SolidReference { solidName \"robot\" } } TouchSensor { } DistanceSensor { numberOfRays 9 } InertialUnit { } Gyro { } PointLight { } ] }",
		header + "Door { position 1 } Table { size 1 1 1 } CircleArena { } Wall { size 1 2 3 } CeilingLight { } TurtleBot3Burger { extensionSlot RobotisLds01 { } }",
		header + "Fluid { name \"a\" density 2 streamVelocity 1 0 0 boundingObject Group { children [ Box { } Plane { } Capsule { } ] } children [ Shape { geometry Box { } } ] } Robot { boundingObject Box { } physics Physics { } immersionProperties [ ImmersionProperties { fluidName \"a\" referenceArea \"xyz-projection\" dragForceCoefficients 1 2 3 } ] children [ Propeller { shaftAxis 0 1 0 thrustConstants 1 2 device RotationalMotor { name \"m\" acceleration 3 } slowHelix Solid { name \"m\" children [ Shape { geometry Sphere { } } Solid { } ] } } ] }",
		header + "PROTO P [ field MFNode slot [ DEF D Solid { } ] field SFNode end NULL ] { Robot { supervisor TRUE children [ HingeJoint { jointParameters HingeJointParameters { position 1 } endPoint IS end } Group { children IS slot } ] } }\nDEF A P { end Solid { children [ DEF S Shape { } USE S ] } } DEF B P { slot [ P { } GPS { } ] }",
	} {
		f.Add(text)
	}
	files := fakeFiles{"a.proto": header +
		"PROTO a [ field SFFloat r 1 ] { Solid { boundingObject Sphere { radius IS r } } }"}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := World("w.wbt", asset.Ref{Path: "w.wbt"}, []byte(text), files)
		if err == nil {
			names := map[string]bool{}
			for _, p := range w.Models {
				if names[p.Name] || !p.Pose.IsFinite() {
					t.Fatalf("model %q stands at %v, or is not the only one of its name", p.Name, p.Pose)
				}
				names[p.Name] = true
				whole(t, p.Model)
			}
			for _, v := range w.Medium.Volumes {
				wholeFluid(t, &v)
			}
		} else if !errors.Is(err, scene.ErrParse) && !errors.Is(err, scene.ErrUnsupportedFormat) {
			t.Fatalf("an error of no kind: %v", err)
		}
		if m, err := Model("m.proto", asset.Ref{Path: "m.proto"}, []byte(text), files); err == nil {
			whole(t, m)
		}
	})
}

// whole checks that a model's parts belong together.
func whole(t *testing.T, m *scene.ModelSpec) {
	t.Helper()
	names := map[string]bool{}
	for i := range m.Links {
		l := &m.Links[i]
		if names[l.Name] || !l.Pose.IsFinite() || !l.Inertial.Inertia.IsFinite() || l.Inertial.Mass < 0 {
			t.Fatalf("link %+v", l)
		}
		names[l.Name] = true
		for _, g := range append(l.Collisions[:len(l.Collisions):len(l.Collisions)], l.Visuals...) {
			if !g.Pose.IsFinite() || g.Kind == scene.MeshGeom && g.Mesh == nil {
				t.Fatalf("shape %+v", g)
			}
		}
	}
	for _, j := range m.Joints {
		if j.Child < 0 || j.Child >= len(m.Links) || j.Parent < scene.World || j.Parent >= len(m.Links) ||
			j.Parent == j.Child || !j.Pose.IsFinite() || !j.Axis.IsFinite() {
			t.Fatalf("joint %+v", j)
		}
	}
	for _, r := range m.Flow.Rotors {
		wholeRotor(t, &r, len(m.Joints))
	}
	for _, d := range m.Drives {
		if !(d.Radius > 0) || !(d.Separation > 0) {
			t.Fatalf("drive %+v", d)
		}
	}
}

// wholeRotor checks that a rotor is on one of so many joints, and has finite numbers.
func wholeRotor(t *testing.T, r *scene.Rotor, joints int) {
	t.Helper()
	most := max(math.Abs(r.Thrust), math.Abs(r.Inflow), math.Abs(r.Torque), math.Abs(r.Windmill))
	if r.Joint < 0 || r.Joint >= joints || math.Abs(r.Axis.Len()-1) > 1e-6 || r.Most < 0 ||
		!(most <= mostCoefficient) {
		t.Fatalf("rotor %+v", r)
	}
}

// wholeFluid checks that a fluid has finite numbers, and that its bounds have a way up.
func wholeFluid(t *testing.T, v *scene.FluidVolume) {
	t.Helper()
	if !(v.Density >= 0) || !(v.Viscosity >= 0) || !v.Stream.IsFinite() {
		t.Fatalf("fluid %+v", v)
	}
	for _, b := range v.Bounds {
		if !b.Geom.Pose.IsFinite() || math.Abs(b.Up.Len()-1) > 1e-6 {
			t.Fatalf("bound %+v", b)
		}
	}
}
