package wire

import "strings"

// Commands of every device.
const (
	Configure         = 0 // both ways
	SetSamplingPeriod = 1 // from a controller: uint16 ms; 0: off
)

// Commands of a robot to its controller.
const (
	RobotQuit          = 2
	RobotTime          = 4 // float64 s
	RobotBattery       = 5
	RobotKeyboard      = 6 // a number of keys, an int32 each
	RobotMode          = 10
	RobotCustomData    = 11
	RobotInputEvent    = 80 // both ways
	RobotWindowMessage = 81 // both ways
)

// Commands of a controller to its robot.
const (
	Console               = 30 // stream, size, text
	SetBatteryPeriod      = 31
	RemoteOn, RemoteOff   = 32, 33
	SetKeyboardPeriod     = 34
	SetJoystickPeriod     = 35
	SetMousePeriod        = 36
	SetCustomData         = 37
	Exit                  = 38
	MousePosition         = 39
	Pin                   = 40
	JoystickForce         = 41 // and the following, up to JoystickForceAxis
	JoystickForceDuration = 42
	JoystickAutoCentering = 43
	JoystickResistance    = 44
	JoystickForceAxis     = 45
	AskURDF               = 46 // answered by the same
)

// Pictures over TCP.
const SerialImage = 0

// Commands of cameras, range finders and lidars.
const (
	CameraFOV, CameraFocal, CameraExposure = 4, 5, 6
	CameraFile                             = 8 // memory that is mapped: size, name
	CameraRecognition                      = 10
	CameraSegmentation                     = 11
	LidarFrequency                         = 16
	LidarPointCloud, LidarNoPointCloud     = 17, 18
)

// Commands of motors; a controller writes them as uint16.
const (
	MotorPosition       = 1
	MotorVelocity       = 2
	MotorAvailableForce = 3
	MotorForce          = 4
	MotorFeedback       = 5
	MotorAcceleration   = 6
	MotorPID            = 7
	MotorAssociated     = 8
)

// Commands of the other devices.
const (
	PositionSensorData       = 1
	PositionSensorAssociated = 2
	GPSData                  = 2
	AltimeterData            = 1
	TouchSensorData          = 40
	TouchSensorData3D        = 41
	DistanceSensorData       = 50
	AccelerometerData        = 51
	CompassData              = 52
	GyroData                 = 53
	InertialUnitData         = 54
	LightSensorData          = 55
	LEDSet                   = 1
	EmitterSend              = 0
	EmitterChannel           = 1
	EmitterRange             = 2
	ReceiverReceive          = 1
	ReceiverChannel          = 2
)

// Nodes numbers the types of nodes as the controller library of a release does.
type Nodes map[string]uint16

// nodeNames are the types of nodes in the order of their numbers.
const nodeNames = `- Appearance Background Billboard Box CadShape Capsule Color Cone Coordinate Cylinder
	DirectionalLight ElevationGrid Fog Group ImageTexture IndexedFaceSet IndexedLineSet Material Mesh Muscle
	Normal PBRAppearance Plane PointLight PointSet Pose Shape Sphere SpotLight TextureCoordinate
	TextureTransform Transform Viewpoint Robot Accelerometer Altimeter Brake Camera Compass Connector Display
	DistanceSensor Emitter GPS Gyro InertialUnit LED Lidar LightSensor LinearMotor Pen PositionSensor
	Propeller Radar RangeFinder Receiver RotationalMotor Skin Speaker TouchSensor VacuumGripper BallJoint
	BallJointParameters Charger ContactProperties Damping Fluid Focus HingeJoint HingeJointParameters
	Hinge2Joint ImmersionProperties JointParameters Lens LensFlare Physics Recognition SliderJoint Slot Solid
	SolidReference Track TrackWheel WorldInfo Zoom Microphone Radio`

// NodesOf are the numbers of a release: 20230 is R2023a, 20231 is R2023b, from which on Pose is a node.
// VacuumGripper came later, behind every device that is served.
func NodesOf(release int) Nodes {
	out, n := Nodes{}, uint16(0)
	for _, name := range strings.Fields(nodeNames) {
		if release < 20231 && (name == "Pose" || name == "VacuumGripper") {
			continue
		}
		out[name] = n
		n++
	}
	return out
}
