// Package model compiles descriptions: a scene.ModelSpec becomes bodies, joints, collision shapes, sensors
// and drives of a world, with diagnostics of omissions and contradictions.
//
// compile.go has the stages, articulation.go decides which joints get reduced coordinates, and lint.go finds the
// suspicious parts that `simdeck check` reports.
//
// Compiling is pure: the same description gives the same Model, bit for bit, on any number of processors. It
// knows scene, shape, dynamics, render and sensor, and never package sim, which owns the entities that stand
// in a world. Links on fixed joints become one body, and missing masses are computed from the shapes. Trees
// of joints get reduced coordinates; the other joints stay constraints between two bodies.
//
// Units are SI: metres, radians, kilograms, seconds. Frames follow REP 103.
package model

import (
	"context"
	"math"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/sim/shape"
)

// MaxDistance is the largest distance of a placement from the origin, m: a thousand kilometres leave
// positions exact to a nanometre.
const MaxDistance = 1e6

// MaxSpeed is the largest speed of a link that a description or a command gives, m/s and rad/s.
const MaxSpeed = 1e4

// Model is a description as rigid bodies. All entities of a description share it; nothing changes it once it
// is compiled, and its fields are to be read only.
type Model struct {
	Spec          *scene.ModelSpec
	Static        bool        // nothing of it moves: by the description, or by the world that places it
	Bodies        []Body      // the first holds the canonical link
	Joints        []Joint     // by ModelSpec.Joints
	Initial       []float64   // by ModelSpec.Joints: positions at the beginning, rad or m
	Placements    []Placement // by ModelSpec.Links
	Sensors       []Sensor    // by link, in the order of Link.Sensors
	Articulations [][]int     // joints in reduced coordinates, by tree
	NoCollision   [][2]int    // pairs of bodies that do not touch each other
	DriveEnabled  []bool      // by ModelSpec.Drives: the engine runs it
	Transmissions []Transmission
	Immersed      []Immersed
	Added         []AddedMass
	Rotors        []Rotor // by ModelSpec.Flow.Rotors
	Tracks        []int   // links with a belt, as indices into ModelSpec.Links
	LongestLoop   int     // joints of the longest closed loop; 0: there is none
	// of the collision shapes in the canonical link's frame, joints at zero, without planes
	Bounds        r3.Box
	MissingMeshes []string    // collision meshes that no file gave, in words
	Notes         scene.Notes // the compiler's assumptions for missing and unsupported elements

	visuals     []render.Visual
	worldAnchor int        // 1 + the body of the world; 0: there is none
	resettled   bool       // Initial differs from the description
	edges       []treeEdge // of the spanning tree, from the canonical link's body outward
	floats      func() []Float
	spun        []int // by link: 1 + the fused rotor that it is; nil: none is fused
}

// Placement is a link's frame in its body's.
type Placement struct {
	Body int
	Pose r3.Pose
}

// Body is one or more links that keep together; its frame is that of its root link.
type Body struct {
	Root        int     // a link
	Pose        r3.Pose // in the model frame, joints at zero
	Type        dynamics.BodyType
	Mass        shape.Mass
	NoGravity   bool
	Drag        scene.Drag
	SelfCollide bool // it may collide with other bodies of the model
	Geoms       []Geom
}

// Geom is a convex or static collision shape of a body; a mesh that moves has several.
type Geom struct {
	Link      int
	Collision int              // index into Link.Collisions
	Def       dynamics.GeomDef // Pose in the body's frame; User names link and collision, see GeomLink
}

// Joint is a joint between two bodies; the zero value is a rigid joint.
type Joint struct {
	Moves bool
	// 1 + index into Model.Articulations; 0: a constraint in maximal coordinates
	Articulation  int
	Parent, Child int               // bodies
	Def           dynamics.JointDef // without its bodies
}

// treeEdge is a joint of the spanning tree along which poses follow from joint positions.
type treeEdge struct {
	joint    int
	from, to int  // bodies
	down     bool // from is the parent
}

// Sensor is a sensor of a link.
type Sensor struct {
	Link    int
	Spec    *scene.Sensor
	Enabled bool           // false: the engine cannot run it, as Notes say
	Lidar   *sensor.Lidar  // of a lidar
	Camera  *sensor.Camera // of a camera
	Loads   []Load         // of a force-torque sensor: what hangs on its joint
	Listens []int          // of a contact sensor: collision shapes by dynamics.GeomDef.User
	Rays    []r3.Vec       // of a sonar, in its own frame
}

// Load is a link on the child's side of a force-torque sensor's joint.
type Load struct {
	Link, Body int
	Mass       shape.Mass // of the link alone, in its body's frame
}

// Source is the origin of a Model.
type Source struct {
	Spec   *scene.ModelSpec
	Static bool // the world keeps it from moving
}

// Compile compiles one description. The errors wrap scene.ErrParse: the description contradicts itself.
func Compile(spec *scene.ModelSpec, static bool) (*Model, error) {
	models, errs := CompileAll(context.Background(), []Source{{spec, static}}, nil)
	return models[0], errs[0]
}

// CompileAll compiles descriptions, and decomposes the meshes of all of them together, each mesh once, on as
// many goroutines as there are processors. It reports its progress from any goroutine, one call at a time.
// For each source there is a model or an error, that of Compile or, where ctx ended first, that of
// scene.Interrupted.
func CompileAll(ctx context.Context, sources []Source, progress func(Decomposition)) ([]*Model, []error) {
	compilers, errs := make([]*compiler, len(sources)), make([]error, len(sources))
	outlined := make([]*compiler, 0, len(sources))
	for i, s := range sources {
		if compilers[i], errs[i] = outline(s); errs[i] == nil {
			outlined = append(outlined, compilers[i])
		}
	}
	decomposeMeshes(ctx, outlined, progress)
	models := make([]*Model, len(sources))
	for i, c := range compilers {
		if errs[i] != nil {
			continue
		}
		if errs[i] = scene.Interrupted(ctx); errs[i] == nil {
			models[i] = c.complete()
		}
	}
	return models, errs
}

// IsMimic reports whether a joint (index into Joints) follows another one.
func (m *Model) IsMimic(i int) bool {
	s := &m.Spec.Joints[i].Mimic
	return s.Set && m.Joints[i].Moves && s.Joint >= 0 && s.Joint < len(m.Joints) && m.Joints[s.Joint].Moves
}

// IsCoupled reports whether a mimic joint and the one that it follows turn each other, as gear wheels do.
// Others follow by a motor.
func (m *Model) IsCoupled(i int) bool {
	return m.Joints[i].IsSingleDOF() && m.Joints[m.Spec.Joints[i].Mimic.Joint].IsSingleDOF()
}

// IsActuated reports whether a joint can be commanded by itself.
func (m *Model) IsActuated(i int) bool {
	if m.isFused(i) {
		return true
	}
	j := &m.Joints[i]
	return j.Moves && !m.Spec.Joints[i].Mimic.Set && j.HasMotorAxis()
}

// Visuals are the shapes for rendering, by link.
func (m *Model) Visuals() []render.Visual { return m.visuals }

// EachCollision calls f with every collision shape and its pose in the frame of a link, that of its body,
// until f returns false.
func (m *Model) EachCollision(f func(link int, pose r3.Pose, s shape.Shape) bool) {
	for b := range m.Bodies {
		for g := range m.Bodies[b].Geoms {
			if def := &m.Bodies[b].Geoms[g].Def; !f(m.Bodies[b].Root, def.Pose, def.Shape) {
				return
			}
		}
	}
}

// IsSingleDOF reports whether a joint has one degree of freedom.
func (j *Joint) IsSingleDOF() bool {
	switch j.Def.Type {
	case dynamics.Revolute, dynamics.Continuous, dynamics.Prismatic, dynamics.Screw:
		return true
	}
	return false
}

// HasMotorAxis reports whether a joint has an axis that a motor can drive.
func (j *Joint) HasMotorAxis() bool { return j.Def.Type == dynamics.Universal || j.IsSingleDOF() }

// Immobile reports whether nothing of the model can move, neither by forces nor by a script.
func (m *Model) Immobile() bool {
	for i := range m.Bodies {
		if m.Bodies[i].Type != dynamics.Static {
			return false
		}
	}
	return true
}

// BodyPoses returns the world pose of every body, by forward kinematics along the spanning tree from the
// canonical link's pose. The joints are at positions q, rad or m, by ModelSpec.Joints.
func (m *Model) BodyPoses(canonical r3.Pose, q func(joint int) float64) []r3.Pose {
	return m.PosesBy(canonical, func(j int) r3.Pose { return m.JointTransform(j, q(j)) })
}

// JointTransform is the child frame of a joint in its parent frame at a position, rad or m.
func (m *Model) JointTransform(joint int, q float64) r3.Pose {
	return jointTransform(&m.Joints[joint].Def, q)
}

// IsTree reports that joints connect all bodies, and none closes a loop: poses follow from joint positions.
func (m *Model) IsTree() bool {
	moving := 0
	for i := range m.Joints {
		if m.Joints[i].Moves {
			moving++
		}
	}
	return moving == len(m.edges) && len(m.edges) == len(m.Bodies)-1
}

// PosesBy is BodyPoses with each joint's child frame in its parent's.
func (m *Model) PosesBy(canonical r3.Pose, transform func(joint int) r3.Pose) []r3.Pose {
	out := make([]r3.Pose, len(m.Bodies))
	at := m.Placements[m.Spec.Canonical]
	root := canonical.Mul(at.Pose.Inverse())
	model := root.Mul(m.Bodies[at.Body].Pose.Inverse())
	for i := range m.Bodies {
		out[i] = model.Mul(m.Bodies[i].Pose)
	}
	for _, b := range m.edges {
		d := &m.Joints[b.joint].Def
		turn := transform(b.joint)
		if b.down {
			out[b.to] = out[b.from].Mul(d.ParentFrame).Mul(turn).Mul(d.ChildFrame.Inverse())
		} else {
			out[b.to] = out[b.from].Mul(d.ChildFrame).Mul(turn.Inverse()).Mul(d.ParentFrame.Inverse())
		}
	}
	return out
}

// jointTransform is the child's joint frame in the parent's, at position q in rad or m.
func jointTransform(d *dynamics.JointDef, q float64) r3.Pose {
	axis := d.Axis
	if axis == (r3.Vec{}) {
		axis = r3.V(1, 0, 0)
	}
	switch d.Type {
	case dynamics.Revolute, dynamics.Continuous:
		return r3.Pose{Rot: r3.AxisAngle(axis, q)}
	case dynamics.Universal: // its second angle is zero
		return r3.Pose{Rot: r3.AxisAngle(axis, q)}
	case dynamics.Screw:
		u, _ := axis.Unit()
		return r3.Pose{Pos: u.Scale(q * d.Pitch / (2 * math.Pi)), Rot: r3.AxisAngle(axis, q)}
	case dynamics.Prismatic:
		u, _ := axis.Unit()
		return r3.Pose{Pos: u.Scale(q), Rot: r3.Identity()}
	}
	return r3.IdentityPose()
}
