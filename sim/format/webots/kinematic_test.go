package webots

import (
	"strings"
	"testing"

	"simdeck/sim/scene"
)

const kinematicRobot = `#VRML_SIM R2025a utf8
Robot { name "turret" children [
  DEF PAN HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 position 0.5 minStop -1 maxStop 1 }
    device [ RotationalMotor { name "pan" maxVelocity 2 acceleration 4 maxTorque 3 } PositionSensor { name "pan sensor" } ]
    endPoint Solid { name "head" rotation 0 0 1 0.5 children [
      HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0 0.2 position 0.25 }
        endPoint Solid { name "flap" translation 0 0 0.2 rotation 0 1 0 0.25 boundingObject Box { size 0.1 0.1 0.1 } } }
      Hinge2Joint { jointParameters HingeJointParameters { axis 1 0 0 } jointParameters2 JointParameters { axis 0 1 0 }
        device [ RotationalMotor { name "a" } ] device2 [ RotationalMotor { name "b" } ]
        endPoint Solid { name "wrist" } } ] } } ]
  BASE }`

func TestAMotorMovesWhatHasNoPhysics(t *testing.T) {
	w := world(t, nil, strings.Replace(kinematicRobot, "BASE", "", 1))
	m := w.Models[0].Model
	if m.Static || m.Joints[len(m.Joints)-1].Parent != scene.World {
		t.Fatalf("a robot without Physics that has motors stands in the world, and is not static: %+v", m)
	}
	joints := map[string]scene.Joint{}
	for _, j := range m.Joints {
		joints[j.Name] = j
		if j.Parent == scene.World {
			continue
		}
		l := m.Links[j.Child]
		if !j.Kinematic || j.Limit.Effort != 0 || !l.NoGravity || l.Inertial.Mass != kinematicMass {
			t.Errorf("%s: %+v of %+v", j.Name, j, l)
		}
	}
	pan := joints["pan"]
	want := scene.Limit{Set: true, Lower: -1, Upper: 1, Velocity: 2, Acceleration: 4, MotorOnly: true}
	if pan.Limit != want ||
		pan.Initial != 0.5 || !pan.Hold {
		t.Errorf("%+v", pan)
	}
	// a hinge without a motor keeps its position
	if flap := joints["flap_joint"]; flap.Kind != scene.Revolute || flap.Limit.Lower != 0.25 ||
		flap.Limit.Upper != 0.25 {
		t.Errorf("%+v", flap)
	}
	if noted(w.Notes, "without Physics go where their motors move them") == nil {
		t.Errorf("%v", w.Notes)
	}
	if len(m.Drives) != 0 {
		t.Errorf("a robot that stands in the world drives: %+v", m.Drives)
	}
}

func TestABaseWithPhysicsCarriesAMotorThatIsKinematic(t *testing.T) {
	m := world(t, nil, strings.Replace(kinematicRobot, "BASE",
		"boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 20 }", 1)).Models[0].Model
	for _, j := range m.Joints {
		if j.Parent == scene.World || !j.Kinematic || m.Links[j.Child].Inertial.Mass != 0.02 {
			t.Errorf("%s: %+v of %+v", j.Name, j, m.Links[j.Child].Inertial)
		}
	}
}

func TestWhatHasNeitherPhysicsNorAMotorIsStatic(t *testing.T) {
	text := strings.ReplaceAll(strings.Replace(kinematicRobot, "BASE", "", 1), "RotationalMotor", "Brake")
	w := world(t, nil, text)
	if m := w.Models[0].Model; !m.Static || noted(w.Notes, "no motor moves it") == nil {
		t.Errorf("static %t, %v", m.Static, w.Notes)
	}
}
