package webots

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestJointsStandWhereTheFileShowsThem(t *testing.T) {
	w := world(t, nil, `Robot { children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 1 0 0 position 1.5707963267948966 minStop -2 maxStop 2 dampingConstant 0.5 springConstant 3 staticFriction 0.1 }
    device [ PositionSensor { name "s" noise 0.01 resolution 0.1 } RotationalMotor { name "arm" maxTorque 7 maxVelocity 2 } ]
    endPoint Solid { translation 1 0.5 0 rotation 0 0 1 1.5707963267948966 name "a" boundingObject Box { size 1 0.1 0.1 } physics Physics { density -1 mass 2 }
      children [ SliderJoint { jointParameters JointParameters { axis 1 0 0 position 0.2 } device LinearMotor { name "slide" minPosition 0 maxPosition 0.3 maxForce 5 }
        endPoint Solid { translation 0.7 0 0 name "b" boundingObject Sphere { radius 0.1 } physics Physics { } } } ] } } ] }`)
	m := w.Models[0].Model
	near(t, "arm at zero", m.Links[1].Pose.Pos, r3.V(1.5, 0, 0))
	near(t, "slide at zero", m.Links[2].Pose.Pos, r3.V(2, 0, 0))
	arm, slide := m.Joints[0], m.Joints[1]
	if arm.Name != "s" && arm.Name != "arm" || arm.Initial != math.Pi/2 || !arm.Limit.Set ||
		arm.Limit.Upper != 2 || arm.Limit.Effort != 7 || arm.Limit.Velocity != 2 ||
		arm.Damping != 0.5 || arm.Stiffness != 3 || arm.Friction != 0.1 {
		t.Errorf("%+v", arm)
	}
	if arm.Encoder != (scene.Encoder{Set: true, Position: scene.Noise{Std: 0.01, Precision: 0.1}}) ||
		slide.Encoder.Set || !arm.Limit.MotorOnly {
		t.Errorf("encoders %+v and %+v, limit %+v", arm.Encoder, slide.Encoder, arm.Limit)
	}
	near(t, "anchor in the child", arm.Pose.Pos, r3.V(-0.5, 0, 0))
	if slide.Kind != scene.Prismatic || slide.Limit.Upper != 0.3 || slide.Initial != 0.2 ||
		slide.Limit.Effort != 5 {
		t.Errorf("%+v", slide)
	}
	if last := m.Joints[len(m.Joints)-1]; m.Static || last.Parent != scene.World || last.Kind != scene.Fixed {
		t.Errorf("a robot whose base has no Physics is fixed to the world: %+v", last)
	}
}

func TestTwoAxesHaveAKnuckleBetween(t *testing.T) {
	w := world(t, nil, `Robot { boundingObject Box { size 2 1 0.5 } physics Physics { } children [
  Hinge2Joint { jointParameters HingeJointParameters { axis 0 0 1 anchor 1 0.5 0 minStop -0.5 maxStop 0.5 } jointParameters2 JointParameters { axis 0 1 0 }
    device RotationalMotor { name "steer" } device2 RotationalMotor { name "roll" }
    endPoint Solid { translation 1 0.6 0 boundingObject Sphere { radius 0.3 } physics Physics { } } }
  BallJoint { jointParameters BallJointParameters { anchor -1 0 0 } endPoint Solid { translation -1.5 0 0 boundingObject Sphere { radius 0.2 } physics Physics { } } } ] }`)
	m := w.Models[0].Model
	steer, roll, ball := m.Joints[0], m.Joints[1], m.Joints[2]
	if steer.Name != "steer" || roll.Name != "roll" || roll.Parent != steer.Child ||
		steer.Kind != scene.Revolute || roll.Kind != scene.Continuous || ball.Kind != scene.Ball {
		t.Fatalf("%+v", m.Joints)
	}
	near(t, "knuckle", m.Links[steer.Child].Pose.Pos, r3.V(1, 0.5, 0))
	near(t, "wheel", m.Links[roll.Child].Pose.Pos, r3.V(1, 0.6, 0))
	near(t, "second anchor", roll.Pose.Pos, r3.V(0, -0.1, 0))
	near(t, "ball", ball.Pose.Pos, r3.V(0.5, 0, 0))
}

func TestARobotOfAnOldWorldDrivesByItsTwoWheels(t *testing.T) {
	w := world(t, nil, `#VRML_SIM V8.5 utf8
WorldInfo { gravity 0 -9.81 0 }
DifferentialWheels { name "puck" translation 1 0 2 axleLength 0.052 wheelRadius 0.0205 maxSpeed 6.28 controller "c"
  children [ DEF R Solid { name "left wheel" translation -0.026 0.0205 0 rotation 1 0 0 0.5 boundingObject DEF B Transform { rotation 0 0 1 1.5707963267948966 children [ Cylinder { radius 0.0205 height 0.005 } ] } physics Physics { } }
    Solid { name "right wheel" translation 0.026 0.0205 0 boundingObject USE B physics Physics { } } ]
  boundingObject Transform { translation 0 0.03 0 children [ Cylinder { radius 0.03 height 0.04 } ] } physics Physics { density -1 mass 0.15 } }`)
	m := w.Models[0].Model
	if len(m.Drives) != 1 || m.Drives[0].Separation != 0.052 || m.Drives[0].Radius != 0.0205 ||
		m.Drives[0].Inferred || math.Abs(m.Drives[0].MaxLinearSpeed-6.28*0.0205) > 1e-12 {
		t.Fatalf("%+v", m.Drives)
	}
	left := m.Joints[m.Drives[0].Left[0]]
	near(t, "left wheel", m.Links[left.Child].Pose.Pos, r3.V(0, 0.026, 0.0205))
	near(t, "axle", m.Links[left.Child].Pose.Mul(left.Pose).Rot.Rotate(left.Axis), r3.V(0, 1, 0))
	wheel := m.Links[left.Child].Collisions[0]
	near(t, "wheel's axis", absolute(m.Links[left.Child].Pose.Mul(wheel.Pose).Rot.Rotate(r3.V(0, 0, 1))),
		r3.V(0, 1, 0))
	near(t, "place", w.Models[0].Pose.Pos, r3.V(2, 1, 0))
}

func TestMotorsThatShareANameMoveTogether(t *testing.T) {
	finger := `SliderJoint { jointParameters JointParameters { axis 0 1 0 } device [ PositionSensor { name "s%[1]d" } LinearMotor { name "grip::%[1]d" multiplier %[2]d } ]
		endPoint Solid { boundingObject Box { size 1 1 1 } physics Physics { } } }`
	w := world(t, nil, "Robot { children [ "+fmt.Sprintf(finger, 1, 2)+fmt.Sprintf(finger, 2, -2)+
		" ] boundingObject Box { size 1 1 1 } physics Physics { } }")
	j := w.Models[0].Model.Joints
	if j[0].Name != "grip::1" || j[0].Mimic.Set || !j[0].Hold || !j[1].Mimic.Set || j[1].Mimic.Joint != 0 ||
		j[1].Mimic.Multiplier != -1 || j[1].Hold {
		t.Errorf("%+v", j)
	}
}

func TestJointParametersWithoutAnAxisSlideUpwards(t *testing.T) {
	w := world(t, nil, `Robot { children [ SliderJoint { jointParameters JointParameters { maxStop 1 } endPoint Solid { boundingObject Box { } physics Physics { } } } ] }`)
	near(t, "axis", w.Models[0].Model.Joints[0].Axis, r3.V(0, 0, 1))
}
