package prefab

import (
	"math"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// joints reads those that hang a body on another one, or on the world.
func (r *reader) joints(e *entity) {
	for _, c := range e.parts {
		kind, known := map[string]scene.JointKind{
			"EditorFixedJointComponent": scene.Fixed, "EditorHingeJointComponent": scene.Revolute,
			"EditorPrismaticJointComponent": scene.Prismatic, "EditorBallJointComponent": scene.Ball,
		}[c.kind]
		switch {
		case known:
			r.joint(e, kind, c)
		case c.kind == "EditorArticulationLinkComponent":
			r.articulation(e, component{c.kind, c.get("ArticulationConfiguration")})
		}
	}
}

// joint reads a joint between two bodies. Its x axis is that of hinges and slides.
func (r *reader) joint(e *entity, kind scene.JointKind, c component) {
	prefix := e.id[:strings.LastIndexByte(e.id, '/')+1]
	j := scene.Joint{Name: r.jointName(e), Kind: kind, Parent: scene.World, Child: e.link,
		Axis: r3.V(1, 0, 0),
		Pose: r3.Pose{Pos: c.vec(r3.Vec{}, "Configuration", "Local Position").Scale(e.grow),
			Rot: euler(c.vec(r3.Vec{}, "Configuration", "Local Rotation"))}}
	if lead := c.str("Configuration", "Parent Entity"); lead != "" {
		p := r.byID[above(prefix, "", lead)]
		for p != nil && p.link < 0 {
			p = p.parent
		}
		switch {
		case p == nil: // of the surroundings
		case p == e:
			r.note(scene.Suspicious, "joint of %q ties it to itself; left out", e.name)
			return
		default:
			j.Parent = p.link
		}
	}
	switch kind {
	case scene.Revolute:
		if c.flag(true, "Angular Limit", "Standard Limit Configuration", "Is Limited") {
			limit(&j, c.number(-45, "Angular Limit", "Negative Limit")*degree,
				c.number(45, "Angular Limit", "Positive Limit")*degree)
		} else {
			j.Kind = scene.Continuous
		}
	case scene.Prismatic:
		if c.flag(true, "Linear Limit", "Standard Limit Configuration", "Is Limited") {
			limit(&j, c.number(-1, "Linear Limit", "Lower Limit"), c.number(1, "Linear Limit", "Upper Limit"))
		}
	}
	if c.flag(false, "Motor", "UseMotor") {
		j.Limit.Effort = max(c.number(0, "Motor", "ForceLimit"), 0)
	}
	r.spec.Joints = append(r.spec.Joints, j)
}

// articulation reads a link of a tree in reduced coordinates: it hangs on the nearest link above.
func (r *reader) articulation(e *entity, c component) {
	p := e.parent
	for p != nil && p.link < 0 {
		p = p.parent
	}
	j := scene.Joint{Name: r.jointName(e), Kind: scene.Fixed, Parent: scene.World, Child: e.link,
		Axis: r3.V(1, 0, 0),
		Pose: r3.Pose{Pos: c.vec(r3.Vec{}, "Local Position").Scale(e.grow),
			Rot: euler(c.vec(r3.Vec{}, "Local Rotation"))}}
	if p == nil && !c.flag(false, "Fixed Base") {
		return
	}
	if p != nil {
		j.Parent = p.link
	}
	limited := c.flag(true, "Is Limited")
	switch c.number(0, "Articulation Joint Type") {
	case 1:
		j.Kind = scene.Continuous
		if limited {
			j.Kind = scene.Revolute
			limit(&j, c.number(-90, "Angular Limit Negative")*degree,
				c.number(90, "Angular Limit Positive")*degree)
		}
	case 2:
		j.Kind = scene.Prismatic
		if limited {
			limit(&j, c.number(-1, "Linear Limit Lower"), c.number(1, "Linear Limit Upper"))
		}
	}
	if c.flag(false, "Motor configuration", "UseMotor") {
		j.Hold = true // its drive has a stiffness, and the target where it stands
		j.Limit.Effort = max(c.number(0, "Motor configuration", "ForceLimit"), 0)
	}
	j.Friction = max(c.number(0, "JointFriction"), 0)
	r.spec.Joints = append(r.spec.Joints, j)
}

func limit(j *scene.Joint, a, b float64) {
	if math.IsNaN(a) || math.IsNaN(b) {
		return
	}
	j.Limit.Set, j.Limit.Lower, j.Limit.Upper = true, min(a, b), max(a, b)
}

// jointName is that of the ROS 2 frame's joint, or the link's.
func (r *reader) jointName(e *entity) string {
	name := r.spec.Links[e.link].Name + "_joint"
	if c, ok := e.part("ROS2FrameEditorComponent", "ROS2FrameComponent"); ok {
		for _, n := range []string{c.str("ROS2FrameConfiguration", "Joint Name"), c.str("Joint Name")} {
			if n != "" {
				name = n
			}
		}
	}
	for i := range r.spec.Joints {
		if r.spec.Joints[i].Name == name {
			return name + "_" + itoa(len(r.spec.Joints))
		}
	}
	return name
}

// drive reads the wheels of a vehicle that takes cmd_vel.
func (r *reader) drive(e *entity) {
	c, ok := e.part("SkidSteeringModelComponent", "AckermannVehicleModelComponent")
	if !ok {
		return
	}
	if c.kind == "AckermannVehicleModelComponent" {
		r.note(scene.Unsupported, "entity %q: its Ackermann steering is not run; its joints take commands",
			e.name)
		return
	}
	base := r.owner(e)
	d := scene.Drive{Kind: scene.Differential, Separation: c.number(0, "VehicleConfiguration", "Track"),
		MaxLinearSpeed:  c.number(0, "DriveModel", "Limits", "LinearLimit"),
		MaxAngularSpeed: c.number(0, "DriveModel", "Limits", "AngularLimit")}
	prefix := e.id[:strings.LastIndexByte(e.id, '/')+1]
	axles := c.get("VehicleConfiguration", "AxlesConfigurations")
	if axles == nil {
		return
	}
	for _, axle := range axles.kids {
		d.Radius = max(d.Radius, axle.number(0.25, "WheelRadius"))
		wheels := axle.get("AxleWheels")
		if wheels == nil {
			continue
		}
		for _, w := range wheels.kids {
			wheel := r.byID[above(prefix, "", w.text)]
			if wheel == nil || wheel.link < 0 {
				continue
			}
			for i := range r.spec.Joints {
				if r.spec.Joints[i].Child != wheel.link || r.spec.Joints[i].Kind == scene.Fixed {
					continue
				}
				if r.spec.Links[base].Pose.Relative(wheel.pose).Pos.Y > 0 {
					d.Left = append(d.Left, i)
				} else {
					d.Right = append(d.Right, i)
				}
			}
		}
	}
	if len(d.Left) == 0 || len(d.Right) == 0 || d.Separation <= 0 || d.Radius <= 0 {
		r.note(scene.Suspicious, "entity %q: its skid steering has not wheels on both sides, a track and a radius; it is not run",
			e.name)
		return
	}
	r.spec.Drives = append(r.spec.Drives, d)
}

// quiet are the beginnings of the kinds of components that need nothing: they are of the editor, of looks, or
// read above.
var quiet = []string{"TransformComponent", "EditorDisabled", "EditorEntity", "EditorInspector", "EditorLock",
	"EditorOnly", "EditorPending", "EditorPrefab",
	"EditorVisibility", "EditorMaterial", "EditorTag", "TagComponent", "NamedPose",
	"EditorComment", "EditorRigidBody",
	"EditorStaticRigidBody", "EditorArticulation", "EditorCollider",
	"EditorMeshCollider", "EditorFixedJoint", "EditorHingeJoint", "EditorPrismaticJoint", "EditorBallJoint",
	"EditorNonUniformScale", "EditorLookAt",
	"EditorBoxShape", "EditorSphereShape", "EditorCylinderShape", "EditorCapsuleShape", "EditorDiskShape",
	"EditorPolygonPrismShape", "BoxShape", "SphereShape", "CylinderShape", "CapsuleShape", "DiskShape",
	"PolygonPrismShape",
	"AZ::Render::", "LmbrCentral::EditorQuad",
	"LocalViewBookmark", "SelectionComponent", "FlyCamera", "InputConfiguration", "EditorCamera", "ROS2Frame",
	"ROS2RobotControl", "SkidSteering", "AckermannVehicle",
	"WheelController"}

// noteIgnored notes the components whose work is not done.
func (r *reader) noteIgnored(e *entity) {
next:
	for _, c := range e.parts {
		for _, q := range quiet {
			if strings.HasPrefix(c.kind, q) {
				continue next
			}
		}
		r.note(scene.Unsupported, "%.60s is not run", c.kind)
	}
}
