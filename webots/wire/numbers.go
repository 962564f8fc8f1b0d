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
	RobotKeyboard      = 6 // a number of keys in a byte, an int32 each, the one pressed last first
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

// MaxKeys is the number of keys that the library takes of a RobotKeyboard; it leaves out the rest.
const MaxKeys = 7

// Codes of keys without a sign; the others have the code of their sign, letters of that in upper case. Bits
// are added for the modifiers that are held.
const (
	KeyEnd      = 312
	KeyHome     = 313
	KeyLeft     = 314
	KeyUp       = 315
	KeyRight    = 316
	KeyDown     = 317
	KeyPageUp   = 366
	KeyPageDown = 367

	KeyShift   = 1 << 16
	KeyControl = 1 << 17
	KeyAlt     = 1 << 18
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

// Commands of a supervisor, and their answers. A node is an id, a field the place in its node's list.
const (
	FieldCountChanged  = 20 // to a controller: node, name of the field, its new count
	ExportImage        = 50
	LoadWorld          = 51
	ReloadWorld        = 52
	SetLabel           = 53
	SimulationQuit     = 54
	SimulationReset    = 55
	ChangeMode         = 56
	ResetPhysics       = 57
	StartMovie         = 58
	StopMovie          = 59
	StartAnimation     = 60
	StopAnimation      = 61
	FieldSet           = 62
	FieldRemove        = 63
	FieldFromIndex     = 64
	FieldCount         = 65
	NodeSetVelocity    = 66
	NodeResetPhysics   = 67
	NodeRestart        = 68
	NodeSetVisibility  = 69
	NodeMoveViewpoint  = 70
	NodeAddForce       = 71
	NodeAddForceAt     = 72
	NodeAddTorque      = 73
	NodeSaveState      = 74
	NodeLoadState      = 75
	NodeSetJoint       = 76
	NodeExport         = 77
	NodeProto          = 78
	SaveWorld          = 82
	NodeFromID         = 83
	NodeFromDef        = 84
	NodeFromTag        = 85
	NodeSelected       = 86
	FieldFromName      = 87
	FieldGet           = 88
	FieldInsert        = 89
	NodePosition       = 90
	NodeOrientation    = 91
	NodePose           = 92
	NodeCenterOfMass   = 93
	NodeContactPoints  = 94
	NodeStaticBalance  = 95
	NodeVelocity       = 96
	NodeRemove         = 97
	HeadsetUsed        = 98
	HeadsetPosition    = 99
	HeadsetOrientation = 100
	TrackField         = 101
	TrackPose          = 102
	TrackContactPoints = 103
	AnimationStarted   = 16 // to a controller: 1 or 0
	AnimationStopped   = 17
)

// Types of fields. A list of values has ManyValues added.
const (
	FieldBool     = 1
	FieldInt32    = 2
	FieldFloat    = 3
	FieldVec2     = 4
	FieldVec3     = 5
	FieldRotation = 6
	FieldColor    = 7
	FieldString   = 8
	FieldNode     = 9
	ManyValues    = 16
)
