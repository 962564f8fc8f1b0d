package webots

import (
	"strconv"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// role is what a base node is to the reader.
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
	motor // stands in a joint
	part  // of the node that holds it
)

// base is what is known of a base node: the fields that count, and those that may be there and change nothing
// here.
type base struct {
	role   role
	fields string
}

const (
	pose       = " translation rotation scale translationStep rotationStep "
	tree       = pose + "children "
	solidity   = tree + "name model description contactMaterial immersionProperties boundingObject physics locked linearVelocity angularVelocity recognitionColors radarCrossSection "
	controlled = "controller controllerArgs customData data supervisor synchronization battery cpuConsumption selfCollision window showWindow remoteControl robotWindow gpsCoordinateSystem "
	lightness  = " ambientIntensity color intensity on castShadows "
	motoring   = " name maxVelocity minPosition maxPosition acceleration consumptionFactor controlPID multiplier sound "
	stopping   = " position minStop maxStop springConstant dampingConstant staticFriction "
)

// baseNodes are the nodes of Webots that are no PROTO.
var baseNodes = map[string]base{
	"WorldInfo": {worldInfo, "info title basicTimeStep gravity coordinateSystem contactProperties defaultDamping gpsReference gpsCoordinateSystem window FPS optimalThreadCount lineScale northDirection randomSeed physicsDisableTime physicsDisableLinearThreshold physicsDisableAngularThreshold inkEvaporation fast dragForceScale dragTorqueScale"},
	"Viewpoint": {surrounding, "*"}, "NavigationInfo": {surrounding, "*"}, "Fog": {surrounding, "*"},
	"Background": {background,
		"skyColor luminosity frontUrl backUrl leftUrl rightUrl topUrl bottomUrl frontIrradianceUrl backIrradianceUrl leftIrradianceUrl rightIrradianceUrl topIrradianceUrl bottomIrradianceUrl skyboxAsCubemap"},
	"DirectionalLight": {light, lightness + "direction"},
	"PointLight":       {light, lightness + "attenuation location radius"},
	"SpotLight":        {light, lightness + "attenuation location radius direction beamWidth cutOffAngle"},
	"Group":            {group, "children"}, "Transform": {group, tree}, "Pose": {group, tree},
	"Shape":     {visual, "appearance geometry castShadows isPickable castLight"},
	"CadShape":  {visual, "url ccw castShadows isPickable"},
	"Billboard": {surrounding, "*"},
	"Solid":     {solid, solidity}, "SolidPipe": {solid, "*"},
	"Charger": {solid, solidity + "*"}, "SolidReference": {part, "solidName"},
	"Slot":  {part, "type endPoint"},
	"Robot": {robot, solidity + controlled}, "Supervisor": {robot, solidity + controlled},
	// Of worlds before R2018: a robot whose wheels are Solids with names that say so.
	"DifferentialWheels": {robot, solidity + controlled +
		"motorConsumption axleLength wheelRadius maxSpeed maxAcceleration speedUnit slipNoise encoderNoise encoderResolution maxForce"},

	"HingeJoint":  {joint, "jointParameters device endPoint"},
	"SliderJoint": {joint, "jointParameters device endPoint"},
	"Hinge2Joint": {joint, "jointParameters jointParameters2 device device2 endPoint"},
	"BallJoint": {joint,
		"jointParameters jointParameters2 jointParameters3 device device2 device3 endPoint"},
	"JointParameters": {part, "axis" + stopping},
	"HingeJointParameters": {part,
		"axis anchor" + stopping + "suspensionSpringConstant suspensionDampingConstant suspensionAxis stopERP stopCFM"},
	"BallJointParameters": {part, "axis anchor" + stopping},
	"RotationalMotor":     {motor, motoring + "maxTorque"}, "LinearMotor": {motor, motoring + "maxForce"},
	"PositionSensor": {motor, "name noise resolution"}, "Brake": {motor, "name"},
	"Physics": {part, "density mass centerOfMass inertiaMatrix damping"}, "Damping": {part, "linear angular"},
	"ContactProperties": {part, "material1 material2 coulombFriction frictionRotation bounce bounceVelocity rollingFriction forceDependentSlip softERP softCFM bumpSound rollSound slideSound maxContactJoints"},

	"Box": {part, "size"}, "Sphere": {part, "radius subdivision ico"},
	"Capsule":  {part, "height radius bottom top side subdivision"},
	"Cylinder": {part, "height radius bottom top side subdivision"},
	"Cone":     {part, "height bottomRadius bottom side subdivision"},
	"Plane":    {part, "size"}, "Mesh": {part, "url name ccw materialIndex"},
	"IndexedFaceSet": {part, "coord normal texCoord color solid ccw convex normalPerVertex normalIndex coordIndex texCoordIndex creaseAngle"},
	"ElevationGrid":  {part, "height xDimension yDimension zDimension xSpacing ySpacing zSpacing thickness color colorPerVertex texCoord solid ccw creaseAngle"},
	"IndexedLineSet": {part, "*"}, "PointSet": {part, "*"}, "Coordinate": {part, "point"},
	"TextureCoordinate": {part, "point"},
	"Normal":            {part, "vector"}, "Color": {part, "color"},
	"Appearance":    {part, "material texture textureTransform name"},
	"PBRAppearance": {part, "*"}, "Material": {part,
		"ambientIntensity diffuseColor emissiveColor shininess specularColor transparency"},
	"ImageTexture": {part, "*"}, "TextureTransform": {part, "*"},

	"DistanceSensor": {device, solidity +
		"lookupTable type numberOfRays aperture gaussianWidth resolution redColorSensitivity"},
	"Lidar": {device, solidity +
		"tiltAngle horizontalResolution fieldOfView verticalFieldOfView numberOfLayers near minRange maxRange type projection noise resolution defaultFrequency minFrequency maxFrequency rotatingHead spherical"},
	"RangeFinder": {device, solidity +
		"fieldOfView width height projection near minRange maxRange motionBlur noise resolution lens spherical"},
	"Camera": {device, solidity +
		"fieldOfView width height projection near far exposure antiAliasing ambientOcclusionRadius bloomThreshold motionBlur noise noiseMaskUrl lens focus zoom recognition lensFlare spherical"},
	"GPS": {device, solidity +
		"type accuracy noiseCorrelation resolution speedNoise speedResolution"},
	"InertialUnit":  {device, solidity + "lookupTable xAxis yAxis zAxis resolution noise"},
	"Accelerometer": {device, solidity + "lookupTable xAxis yAxis zAxis resolution"},
	"Gyro":          {device, solidity + "lookupTable xAxis yAxis zAxis resolution"},
	"Compass":       {device, solidity + "lookupTable xAxis yAxis zAxis resolution"},
	"Altimeter":     {device, solidity + "accuracy resolution"},
	"TouchSensor":   {device, solidity + "type lookupTable resolution"},

	"LightSensor": {device, "*"}, "LED": {device, "*"}, "Emitter": {device, "*"}, "Receiver": {device, "*"},
	"Display": {device, "*"},
	"Pen":     {device, "*"}, "Speaker": {device, "*"}, "Microphone": {device, "*"}, "Radar": {device, "*"},
	"Connector": {device, "*"},
	"Propeller": {device, "*"}, "VacuumGripper": {device, "*"}, "Track": {device, "*"},
	"Skin": {other, "*"}, "Muscle": {other, "*"}, "TrackWheel": {group, "*"}, "Radio": {device, "*"},
	"ImmersionProperties": {part, "*"}, "Fluid": {other, "*"}, "Recognition": {part, "*"},
	"Lens": {part, "*"}, "LensFlare": {part, "*"},
	"Focus": {part, "*"}, "Zoom": {part, "*"}, "JointSensor": {part, "*"}, "BoundingObject": {part, "*"},
}

// unknown notes fields that a base node does not have.
func (rd *reader) unknown(r ref) {
	b := baseNodes[r.n.Type]
	if strings.HasSuffix(b.fields, "*") {
		return
	}
	for i := range r.n.Fields {
		if f := &r.n.Fields[i]; !strings.Contains(" "+b.fields+" ", " "+f.Name+" ") &&
			!(strings.Contains(f.Name, "_") && strings.HasPrefix(f.Name, "translation")) {
			rd.note(scene.Unsupported, r.file, f.Pos, "field %q of %s is not run%s", clip(f.Name), r.n.Type,
				source.Near(f.Name, strings.Fields(b.fields)))
		}
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
