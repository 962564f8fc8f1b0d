package webots

import (
	"strconv"
	"strings"
)

// role is the kind of a base node for the reader.
type role uint8

const (
	other role = iota
	worldInfo
	surrounding // says how the world is looked at, or sounds: nothing of it is simulated
	background
	light
	group
	visual
	solid
	robot
	device // a Solid that measures or acts
	joint
	fluid
	propeller
	motor // stands in a joint
	part  // of the node that holds it
)

// base is the record of a base node.
type base struct{ role role }

// baseNodes are the nodes of Webots that are no PROTO.
var baseNodes = nodesOf(map[role]string{
	worldInfo:   "WorldInfo",
	surrounding: "Viewpoint NavigationInfo Fog Billboard",
	background:  "Background",
	light:       "DirectionalLight PointLight SpotLight",
	group:       "Group Transform Pose TrackWheel",
	visual:      "Shape CadShape",
	solid:       "Solid Charger",
	robot:       "Robot Supervisor DifferentialWheels",
	fluid:       "Fluid",
	propeller:   "Propeller",
	joint:       "HingeJoint SliderJoint Hinge2Joint BallJoint",
	motor:       "RotationalMotor LinearMotor PositionSensor Brake",
	part: `SolidReference Slot JointParameters HingeJointParameters Hinge2JointParameters BallJointParameters Physics
		Damping ContactProperties Box Sphere Capsule Cylinder Cone Plane Mesh IndexedFaceSet ElevationGrid
		IndexedLineSet PointSet Coordinate TextureCoordinate Normal Color Appearance PBRAppearance Material
		ImageTexture TextureTransform Cubemap ImmersionProperties Recognition Lens LensFlare Focus Zoom`,
	device: `DistanceSensor Lidar RangeFinder Camera GPS InertialUnit Accelerometer Gyro Compass Altimeter
		TouchSensor LightSensor LED Emitter Receiver Display Pen Speaker Microphone Radar Connector
		VacuumGripper Track Radio`,
	other: "Skin Muscle",
})

// nodesOf says of each node which role it has.
func nodesOf(roles map[role]string) map[string]base {
	all := map[string]base{}
	for r, names := range roles {
		for _, name := range strings.Fields(names) {
			all[name] = base{r}
		}
	}
	return all
}

func itoa(n int) string { return strconv.Itoa(n) }
