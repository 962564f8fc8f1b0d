package webots

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// commanded are the fields of every robot.
const commanded = ` field SFString controller "void" field MFString controllerArgs [ ] field SFString customData "" field SFBool supervisor FALSE field SFBool synchronization TRUE field MFFloat battery [ ] field SFString window "" field SFBool selfCollision FALSE `

// acting hands them on.
const acting = " name IS name controller IS controller controllerArgs IS controllerArgs customData IS customData supervisor IS supervisor synchronization IS synchronization "

// slippery is the material of what glides: a caster's ball.
const slippery = "slippery: a caster"

// wheeled is a driven wheel beside a robot's middle.
func wheeled(motor, sensor, name string, at r3.Vec, radius, width, mass, speed, torque float64) string {
	return fmt.Sprintf(`HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor %s }
		device [ RotationalMotor { name "%s" maxVelocity %s maxTorque %s } PositionSensor { name "%s" } ]
		endPoint Solid { translation %s rotation 1 0 0 1.5707963267948966 name "%s"
			children [ DEF %s Shape { appearance %s geometry Cylinder { radius %s height %s } } ]
			boundingObject USE %s physics Physics { density -1 mass %s } } }
`, vec(at), motor, g(speed), g(torque), sensor, vec(at), name, "W_"+legal(name), paint(0.15, 0.15, 0.15), g(radius), g(width), "W_"+legal(name), g(mass))
}

// caster is a ball that glides.
func caster(name string, at r3.Vec, radius float64) string {
	return fmt.Sprintf(`Solid { translation %s name "%s" contactMaterial "%s" children [ DEF C_%s Shape { appearance %s geometry Sphere { radius %s } } ] boundingObject USE C_%s }
`, vec(at), name, slippery, legal(name), paint(0.3, 0.3, 0.3), g(radius), legal(name))
}

var robots = map[string]*builtin{
	"E-puck": {
		fields: placed + `"e-puck"` + commanded +
			`field SFString version "1" field SFFloat camera_fieldOfView 0.84 field SFInt32 camera_width 52 field SFInt32 camera_height 39 field SFBool camera_antiAliasing FALSE field SFRotation camera_rotation 0 0 1 0 field SFFloat camera_noise 0 field SFFloat camera_motionBlur 0 field SFInt32 distance_sensor_numberOfRays 1 field SFInt32 emitter_channel 1 field SFInt32 receiver_channel 1 field SFFloat max_velocity 6.28 field MFNode turretSlot [ ] field MFNode groundSensorsSlot [ ] field SFBool kinematic FALSE`,
		body: epuck,
		note: "a model of its own stands in: wheels, body, camera, eight proximity sensors, accelerometer and gyro of the real one",
	},
	"TurtleBot3Burger": {
		fields: placed + `"TurtleBot3Burger"` + commanded +
			`field MFNode extensionSlot [ ] field SFBool lidar FALSE`,
		body: burger,
		note: "a model of its own stands in: wheels, caster and body of the real one",
	},
	"RobotisLds01": {
		fields: placed + `"LDS-01" field SFBool enablePhysics TRUE field SFFloat noise 0.0043`,
		body: func(a *args) string {
			return fmt.Sprintf(`Lidar { %s name IS name noise IS noise horizontalResolution 360 fieldOfView 6.28318530718 numberOfLayers 1 minRange 0.12 maxRange 3.5 defaultFrequency 5 type "rotating"
				children [ Shape { appearance %s geometry Cylinder { radius 0.035 height 0.03 } } ] }`, a.walk(), paint(0.1, 0.1, 0.1))
		},
	},
}

// epuck has the measures that its makers publish: wheels of 20.5 mm radius 52 mm apart, a body of 70 mm and
// 150 g.
func epuck(a *args) string {
	const wheel, track = 0.0205, 0.052
	parts := piece(r3.V(0, 0, 0.026), "DEF BODY Cylinder { radius 0.035 height 0.04 }",
		paint(0.35, 0.75, 0.35))
	parts += piece(r3.V(0, 0, 0.049), "Cylinder { radius 0.035 height 0.004 }", paint(0.15, 0.35, 0.15))
	speed := math.Max(a.num("max_velocity"), 0.1)
	parts += wheeled("left wheel motor", "left wheel sensor", "left wheel", r3.V(0, track/2, wheel), wheel,
		0.005, 0.01, speed, 0.05)
	parts += wheeled("right wheel motor", "right wheel sensor", "right wheel", r3.V(0, -track/2, wheel),
		wheel, 0.005, 0.01, speed, 0.05)
	parts += caster("front slider", r3.V(0.028, 0, 0.004), 0.004) + caster("rear slider",
		r3.V(-0.028, 0, 0.004), 0.004)
	for i, turn := range [...]float64{-0.3, -0.8, -1.57, -2.64, 2.64, 1.57, 0.8, 0.3} {
		parts += fmt.Sprintf("DistanceSensor { translation %s rotation 0 0 1 %s name \"ps%d\" type \"infra-red\" numberOfRays IS distance_sensor_numberOfRays aperture 0.3 lookupTable [ 0 0 0.02, 0.07 0 0.02 ] }\n",
			vec(r3.V(0.034*math.Cos(turn), 0.034*math.Sin(turn), 0.034)), g(turn), i)
	}
	parts += fmt.Sprintf("Camera { translation 0.034 0 0.028 name \"camera\" width %s height %s fieldOfView IS camera_fieldOfView noise IS camera_noise near 0.0055 }\n",
		g(a.num("camera_width")), g(a.num("camera_height")))
	parts += "Accelerometer { translation 0 0 0.03 } Gyro { translation 0 0 0.03 }\n"
	if a.text("version") == "2" {
		parts += "DistanceSensor { translation 0.034 0 0.038 name \"tof\" type \"laser\" lookupTable [ 0 0 0.01, 2 0 0.01 ] }\n"
	}
	parts += "Group { children IS groundSensorsSlot } Pose { translation 0 0 0.051 children IS turretSlot }"
	return fmt.Sprintf("Robot { %s %s children [ %s ] boundingObject Pose { translation 0 0 0.026 children [ USE BODY ] } physics Physics { density -1 mass 0.13 centerOfMass [ 0 0 0.015 ] } }",
		a.walk(), acting, parts)
}

// burger has the measures of the robot's maker: wheels of 33 mm radius 160 mm apart, 1 kg.
func burger(a *args) string {
	const wheel, track = 0.033, 0.16
	parts := piece(r3.V(-0.032, 0, 0.075), "DEF BODY Box { size 0.138 0.138 0.13 }", paint(0.15, 0.15, 0.16))
	parts += wheeled("left wheel motor", "left wheel sensor", "left wheel", r3.V(0, track/2, wheel), wheel,
		0.018, 0.028, 6.67, 1)
	parts += wheeled("right wheel motor", "right wheel sensor", "right wheel", r3.V(0, -track/2, wheel),
		wheel, 0.018, 0.028, 6.67, 1)
	parts += caster("caster", r3.V(-0.081, 0, 0.005), 0.005)
	parts += "Accelerometer { name \"accelerometer\" } Gyro { name \"gyro\" } Compass { name \"compass\" }\n"
	parts += "Pose { translation -0.03 0 0.153 children IS extensionSlot }"
	return fmt.Sprintf("Robot { %s %s children [ %s ] boundingObject Pose { translation -0.032 0 0.075 children [ USE BODY ] } physics Physics { density -1 mass 0.94 centerOfMass [ -0.032 0 0.07 ] } }",
		a.walk(), acting, parts)
}
