package webots

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// drone is a robot whose propeller has some fields.
func drone(fields string) string {
	return "Robot { name \"drone\" boundingObject Box { } physics Physics { } children [\n" +
		"Pose { translation 1 0 0 children [\nPropeller { " + fields + " } ] } ] }"
}

func TestAPropellerIsARotorThatItsMotorTurns(t *testing.T) {
	w := world(t, nil, `Robot { name "drone" boundingObject Box { } physics Physics { density -1 mass 2 } children [
		Pose { translation 1 0 0 rotation 0 1 0 -1.5707963267948966 children [
			Propeller { shaftAxis 2 0 0 centerOfThrust 0.5 0 0 thrustConstants -3 0.1 torqueConstants 0.2 0.4
				device RotationalMotor { name "blades" maxVelocity 500 maxTorque 30 acceleration 50 }
				slowHelix Solid { name "blades" translation 0.6 0 0 children [ Shape { geometry Box { size 0.1 1 0.1 } } ] boundingObject Box { } physics Physics { } }
				fastHelix Solid { children [ Shape { geometry Sphere { } } ] } } ] } ] }`)
	m := w.Models[0].Model
	if len(m.Flow.Rotors) != 1 || len(m.Links) != 2 || len(m.Joints) != 1 {
		t.Fatalf("%d rotors, %d links, %d joints", len(m.Flow.Rotors), len(m.Links), len(m.Joints))
	}
	got := m.Flow.Rotors[0]
	near(t, "axis", got.Axis, r3.V(1, 0, 0))
	got.Axis = r3.Vec{}
	want := scene.Rotor{Turn: 1, Thrust: -3, Inflow: 0.1, Torque: 0.2, Windmill: 0.4, Stall: 30, Accel: 30,
		Most: 500, Reverses: true}
	if got != want {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
	j := m.Joints[0]
	if j.Name != "blades" || j.Kind != scene.Continuous || j.Hold || j.Parent != 0 {
		t.Errorf("joint %+v", j)
	}
	near(t, "hub", m.Links[1].Pose.Apply(j.Pose.Pos), r3.V(1, 0, 0.5))
	near(t, "axis in the robot", m.Links[1].Pose.Rot.Rotate(m.Flow.Rotors[0].Axis), r3.V(0, 0, 1))
	blades := m.Links[1]
	if blades.Name != "blades_1" || len(blades.Collisions) > 0 || blades.Inertial.Mass != 0 ||
		len(blades.Visuals) != 1 {
		t.Fatalf("blades %+v", blades)
	}
	near(t, "blades", blades.Visuals[0].Pose.Pos, r3.V(0.1, 0, 0))
	if d := m.Robot.Devices; len(d) != 1 || d[0].Name != "blades" || d[0].Joint != "blades" ||
		d[0].Motor.MaxVelocity != 500 {
		t.Errorf("devices %+v", d)
	}
	if n := noted(w.Notes, "helices of Propellers are only seen"); n == nil || len(w.Notes) != 1 {
		t.Errorf("notes %v", w.Notes)
	}
}

func TestAPropellerThatCannotTurnIsNotedWithItsPlace(t *testing.T) {
	const look = " slowHelix Solid { children [ Shape { geometry Sphere { } } ] }"
	const motor = " device RotationalMotor { }"
	for _, c := range []struct {
		fields, note string
		line, column int
		rotors       int
	}{
		{look, "Propeller without a device gives no thrust; want a RotationalMotor", 4, 1, 0},
		{"device LinearMotor { }" + look, "Propeller with a LinearMotor as its device gives no thrust", 4, 1, 0},
		{"shaftAxis 0 0 0" + motor + look, "a shaftAxis without direction; using", 4, 1, 1},
		{"thrustConstants 1" + motor + look, "thrustConstants of 1 numbers, the first of them 1; want two finite numbers", 4, 29, 1},
		{"torqueConstants 1 1e20" + motor + look, "torqueConstants of 2 numbers, the second of them 1e+20", 4, 29, 1},
	} {
		text := drone(c.fields)
		w := world(t, nil, text)
		m := w.Models[0].Model
		if n := noted(w.Notes, c.note); n == nil || n.Line != c.line || n.Column != c.column {
			t.Errorf("%s\nnotes %v, want %q at %d:%d", text, w.Notes, c.note, c.line, c.column)
		}
		seen := 0
		for _, l := range m.Links {
			seen += len(l.Visuals)
		}
		if len(m.Flow.Rotors) != c.rotors || seen != 1 {
			t.Errorf("%s\n%d rotors and %d shapes that are seen", text, len(m.Flow.Rotors), seen)
		}
		for _, r := range m.Flow.Rotors {
			if math.Abs(r.Axis.Len()-1) > 1e-9 || r.Most != 10 || r.Stall != 10 || r.Accel != 10 {
				t.Errorf("%s\nread as %+v", text, r)
			}
		}
	}
}
