package webots

import (
	"reflect"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// deviceOf is a device of the only robot of a world, by its name.
func deviceOf(t *testing.T, w *scene.WorldSpec, name string) *scene.Device {
	t.Helper()
	r := w.Models[0].Model.Robot
	for i := range r.Devices {
		if r.Devices[i].Name == name {
			return &r.Devices[i]
		}
	}
	t.Fatalf("no device %q among %+v", name, r.Devices)
	return nil
}

func TestAControllerIsToldOfItsRobotAsTheFileHasIt(t *testing.T) {
	w := world(t, nil, `DEF R Robot { name "my robot(1)" model "m" customData "d" supervisor TRUE synchronization FALSE controller "<extern>" controllerArgs [ "-v" "2 m/s" ] }
		DEF BOX Solid { name "box" }`)
	m := w.Models[0].Model
	want := &scene.ControlledRobot{Name: "my robot(1)", Model: "m", CustomData: "d", Supervisor: true,
		Asynchronous: true, Args: []string{"-v", "2 m/s"}}
	if !reflect.DeepEqual(m.Robot, want) || m.Def != "R" || m.Controller != scene.ExternController {
		t.Errorf("%+v, DEF %q, controller %q", m.Robot, m.Def, m.Controller)
	}
	if box := w.Models[1]; box.Model.Robot != nil || box.Model.Def != "BOX" || !box.Deletable {
		t.Errorf("%+v: a supervisor may remove it", box)
	}
	if w = world(t, nil, `Robot { } Solid { }`); w.Models[1].Deletable || w.Models[0].Model.Robot.Supervisor {
		t.Error("nobody may remove anything of a world without a supervisor")
	}
}

// manyDevices is a world with a robot that has devices of many kinds.
func manyDevices(t *testing.T) *scene.WorldSpec {
	t.Helper()
	return world(t, nil, `Robot { name "r" children [
		HingeJoint { device [ PositionSensor { name "before" } RotationalMotor { name "a::1" multiplier 2 maxVelocity 3 controlPID 5 1 0 } PositionSensor { name "after" } ]
			endPoint Solid { name "arm" physics Physics { } boundingObject Box { } children [ GPS { name "tip" translation 1 2 3 accuracy 0.5 } ] } }
		Gyro { name "g" lookupTable [ -10 -1 0, 10 1 0 ] } InertialUnit { }
		Emitter { channel 4 allowedChannels [ 4 5 ] range 2 baudRate 800 } Receiver { type "infra-red" bufferSize 10 }
		DistanceSensor { name "ds" } TouchSensor { name "t" type "force" boundingObject Box { } }
	] boundingObject Box { } physics Physics { } }`)
}

func TestDevicesAreListedInTheOrderOfTheFileWithTheirJoints(t *testing.T) {
	w := manyDevices(t)
	var names []string
	for _, d := range w.Models[0].Model.Robot.Devices {
		names = append(names, d.Name)
	}
	want := []string{"before", "a::1", "after", "tip", "g", "inertial unit", "emitter", "receiver", "ds", "t"}
	if !reflect.DeepEqual(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	for _, name := range []string{"before", "a::1", "after"} {
		if d := deviceOf(t, w, name); d.Joint != "a::1" || d.Link != 0 {
			t.Errorf("%s: joint %q, link %d", name, d.Joint, d.Link)
		}
	}
	if m := deviceOf(t, w, "a::1").Motor; m == nil || m.Multiplier != 2 || m.MaxVelocity != 3 ||
		m.PID != [3]float64{5, 1, 0} || m.MaxEffort != 10 || m.Acceleration != -1 {
		t.Errorf("motor %+v", m)
	}
}

func TestDevicesAreListedWithTheSensorsThatMeasureForThem(t *testing.T) {
	w := manyDevices(t)
	if d := deviceOf(t, w, "tip"); d.Link != 1 || d.Pose.Pos != r3.V(1, 2, 3) || d.Noise != 0.5 ||
		d.Sensor == "" {
		t.Errorf("GPS %+v", d)
	}
	if g, u := deviceOf(t, w, "g"), deviceOf(t, w, "inertial unit"); g.Sensor == "" || g.Sensor != u.Sensor ||
		len(g.Table) != 6 {
		t.Errorf("both measure by one IMU: %+v, %+v", g, u)
	}
	if d := deviceOf(t, w, "ds"); len(d.Table) != 6 || d.Sensor != "ds" {
		t.Errorf("a distance sensor without a table has the manual's: %+v", d)
	}
	if d := deviceOf(t, w, "t"); d.Kind != "force" || d.Sensor != "t" {
		t.Errorf("touch sensor %+v", d)
	}
}

func TestEmittersAndReceiversAreListedWithTheirChannels(t *testing.T) {
	w := manyDevices(t)
	if r := deviceOf(t, w, "emitter").Radio; r.Channel != 4 || len(r.Channels) != 2 || r.Range != 2 ||
		r.MaxRange != -1 || r.BaudRate != 800 {
		t.Errorf("emitter %+v", r)
	}
	if d := deviceOf(t, w, "receiver"); d.Kind != "infra-red" || d.Radio.BufferSize != 10 {
		t.Errorf("receiver %+v", d)
	}
}

func TestATableThatDoesNotRiseIsNoTable(t *testing.T) {
	for _, table := range []string{"0 0", "1 0 0, 0 1 0"} {
		w := world(t, nil, `Robot { children [ Gyro { lookupTable [ `+table+` ] } ] }`)
		if deviceOf(t, w, "gyro").Table != nil || noted(w.Notes, "lookupTable of") == nil {
			t.Errorf("%s: %v", table, w.Notes)
		}
	}
}

// TestARobotThatAPROTODefinesNamesItsControllerAsOneOfTheWorldDoes: by its fields, and by what it passes on.
func TestARobotThatAPROTODefinesNamesItsControllerAsOneOfTheWorldDoes(t *testing.T) {
	w := world(t, map[string]string{"worlds/Arm.proto": `#VRML_SIM R2023b utf8
PROTO Arm [ field SFString controller "arm" field MFString controllerArgs [ "a" ] ] {
  Robot { name "arm" controller IS controller controllerArgs IS controllerArgs } }`},
		"EXTERNPROTO \"Arm.proto\"\n"+`Arm { } Arm { controller "own" controllerArgs [ "b" "c" ] }`)
	if len(w.Models) != 2 {
		t.Fatalf("%d models", len(w.Models))
	}
	for i, want := range [][]string{{"arm", "a"}, {"own", "b", "c"}} {
		m := w.Models[i].Model
		if got := append([]string{m.Controller}, m.Robot.Args...); !slices.Equal(got, want) {
			t.Errorf("robot %d: %q, want %q", i, got, want)
		}
	}
}
