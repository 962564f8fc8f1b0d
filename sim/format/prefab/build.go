package prefab

import (
	"errors"
	"math"
	"path"
	"strings"

	"simdeck/sim/asset/mesh"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	degree  = math.Pi / 180
	density = 1000 // kg/m³, of PhysX's default material
)

// bodyKinds are the components that make an entity a body of its own.
var bodyKinds = []string{"EditorRigidBodyComponent", "EditorArticulationLinkComponent"}

// shapeKinds are the components of shapes that touch or are seen.
var shapeKinds = []string{"EditorColliderComponent", "EditorMeshColliderComponent",
	"AZ::Render::EditorMeshComponent"}

// build makes links of the bodies, gives them the shapes of their entities, and ties them.
func (r *reader) build() {
	for _, e := range r.entities {
		if c, ok := e.part(bodyKinds...); ok {
			e.link = r.link(e)
			if c.kind == "EditorRigidBodyComponent" {
				l := &r.spec.Links[e.link]
				l.Kinematic = c.flag(false, "Configuration", "Kinematic")
				l.NoGravity = !c.flag(true, "Configuration", "Gravity Enabled")
			}
		}
	}
	bodies := len(r.spec.Links)
	for _, e := range r.entities {
		r.shapes(e)
	}
	for _, e := range r.entities {
		if e.link >= 0 {
			r.weigh(e)
			r.joints(e)
		}
		r.noteIgnored(e)
	}
	for _, e := range r.entities {
		r.drive(e)
	}
	if r.ground >= 0 && bodies > 0 {
		r.spec.Joints = append(r.spec.Joints,
			scene.Joint{Name: "surroundings", Kind: scene.Fixed, Parent: scene.World, Child: r.ground,
				Pose: r3.IdentityPose()})
	}
	r.spec.Static = bodies == 0
	if len(r.spec.Links) > 0 {
		r.spec.Frame = r.spec.Links[0].Pose
	}
}

// part is the first component of one of the kinds.
func (e *entity) part(kinds ...string) (component, bool) {
	for _, c := range e.parts {
		for _, k := range kinds {
			if c.kind == k {
				return c, true
			}
		}
	}
	return component{}, false
}

// link makes one where an entity stands, under the name of its ROS 2 frame or its own.
func (r *reader) link(e *entity) int {
	name := e.name
	if c, ok := e.part("ROS2FrameEditorComponent", "ROS2FrameComponent"); ok {
		if f := c.str("ROS2FrameConfiguration", "Frame Name"); f != "" {
			name = f
		} else if f := c.str("Frame Name"); f != "" {
			name = f
		}
	}
	return r.addLink(name, e.pose)
}

func (r *reader) addLink(name string, at r3.Pose) int {
	taken := func(name string) bool {
		for i := range r.spec.Links {
			if r.spec.Links[i].Name == name {
				return true
			}
		}
		return false
	}
	if name == "" {
		name = "link"
	}
	unique := name
	for i := 1; taken(unique); i++ {
		unique = name + "_" + itoa(i)
	}
	r.spec.Links = append(r.spec.Links,
		scene.Link{Name: unique, Pose: at, Inertial: scene.Inertial{Pose: r3.IdentityPose()}})
	return len(r.spec.Links) - 1
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

// owner is the link that an entity's shapes belong to; the static surroundings are made when they are first
// needed.
func (r *reader) owner(e *entity) int {
	for at := e; at != nil; at = at.parent {
		if at.link >= 0 {
			return at.link
		}
	}
	if r.ground < 0 {
		r.ground = r.addLink("surroundings", r3.IdentityPose())
	}
	return r.ground
}

// shapes gives a link the colliders and the meshes of an entity.
func (r *reader) shapes(e *entity) {
	for _, c := range e.parts {
		var g scene.Geom
		var ok, seen bool
		switch c.kind {
		case "EditorColliderComponent", "EditorMeshColliderComponent":
			if c.flag(false, "ColliderConfiguration", "Trigger") {
				if _, named := e.part(poseKinds...); !named { // of those it is the bounds
					r.note(scene.Unsupported, "entity %q: a collider that only triggers is left out", e.name)
				}
				continue
			}
			if g, ok = r.collider(e, c); !ok && g.Kind == scene.MeshGeom {
				l := &r.spec.Links[r.owner(e)]
				l.Lost = append(l.Lost, e.name)
			}
		case "AZ::Render::EditorMeshComponent":
			hint := c.str("Controller", "Configuration", "ModelAsset", "assetHint")
			g, ok = r.meshGeom(e, hint, e.scale.Scale(e.grow))
			seen = true
		default:
			continue
		}
		if !ok {
			continue
		}
		l := &r.spec.Links[r.owner(e)]
		g.Name = e.name
		g.Pose = l.Pose.Relative(e.pose).Mul(g.Pose)
		if seen {
			l.Visuals = append(l.Visuals, g)
		} else {
			l.Collisions = append(l.Collisions, g)
		}
	}
}

// collider reads a shape of PhysX.
func (r *reader) collider(e *entity, c component) (scene.Geom, bool) {
	q := c.numbers([]float64{0, 0, 0, 1}, "ColliderConfiguration", "Rotation")
	turn, ok := r3.Quat{W: q[3], X: q[0], Y: q[1], Z: q[2]}.Unit()
	if !ok {
		turn = r3.Identity()
	}
	stretch := e.scale.Scale(e.grow)
	at := r3.Pose{Pos: c.vec(r3.Vec{}, "ColliderConfiguration", "Position").Mul(stretch), Rot: turn}
	g := scene.Geom{Pose: at, Scale: r3.V(1, 1, 1)}
	round := math.Abs(stretch.X)
	s := c.get("ShapeConfiguration")
	kind := s.number(5, "ShapeType")
	if c.kind == "EditorColliderComponent" && s.get("ShapeType") == nil {
		kind = 1
	}
	switch kind {
	case 0:
		g.Kind, g.Radius = scene.Sphere, round*s.number(0.5, "Sphere", "Radius")
	case 1:
		g.Kind, g.Size = scene.Box, s.vec(r3.V(1, 1, 1), "Box", "Configuration").Mul(stretch)
		g.Size = r3.V(math.Abs(g.Size.X), math.Abs(g.Size.Y), math.Abs(g.Size.Z))
	case 2:
		g.Kind, g.Radius = scene.Capsule, round*s.number(0.25, "Capsule", "Radius")
		g.Length = max(round*s.number(1, "Capsule", "Height")-2*g.Radius, 1e-6)
	case 3:
		g.Kind, g.Radius = scene.Cylinder, round*s.number(1, "Cylinder", "Radius")
		g.Length = round * s.number(1, "Cylinder", "Height")
	case 5:
		hint := s.str("PhysicsAsset", "Asset", "assetHint")
		if hint == "" {
			hint = s.str("PhysicsAsset", "Configuration", "PhysicsAsset", "assetHint")
		}
		by := s.vec(r3.V(1, 1, 1), "PhysicsAsset", "Configuration", "AssetScale").Mul(stretch)
		m, ok := r.meshGeom(e, hint, by)
		m.Pose = at
		if g = m; !ok {
			return g, false
		}
	default:
		r.note(scene.Unsupported, "entity %q: a collider of type %g; spheres, boxes, capsules, cylinders and meshes are known",
			e.name, kind)
		return g, false
	}
	g.Surface = scene.Surface{Mu: 0.5, Mu2: 0.5} // of PhysX's default material
	sized := max(g.Radius, g.Size.X, g.Length) > 0 &&
		(g.Kind != scene.Box || min(g.Size.X, g.Size.Y, g.Size.Z) > 0) || g.Kind == scene.MeshGeom
	if !sized {
		r.note(scene.Suspicious, "entity %q: a collider has a length of zero; left out", e.name)
	}
	return g, sized
}

// meshGeom reads the source of a mesh that the asset processor made a product of.
func (r *reader) meshGeom(e *entity, hint string, scale r3.Vec) (scene.Geom, bool) {
	g := scene.Geom{Kind: scene.MeshGeom, Pose: r3.IdentityPose(), Scale: scale}
	if hint == "" {
		r.note(scene.Missing, "entity %q: a mesh without the name of its file", e.name)
		return g, false
	}
	file := hint
	for _, product := range []string{".azmodel", ".pxmesh", ".fbx.assetinfo"} {
		file = strings.TrimSuffix(file, product)
	}
	ref, err := r.files.Product(file, e.doc)
	if err == nil {
		var m *mesh.Mesh
		if m, err = r.files.MeshAt(ref); err == nil {
			if len(m.Triangles) == 0 {
				r.note(scene.Suspicious, "mesh %s has no triangle, and makes no shape", file)
				g.Kind = 0
			}
			g.Mesh = &m.Mesh
			return g, g.Kind == scene.MeshGeom
		}
	}
	switch {
	case errors.Is(err, mesh.ErrFormat), errors.Is(err, scene.ErrUnsupportedFormat):
		r.note(scene.Unsupported, "mesh %s: %s files are not read; export it as glTF, COLLADA, OBJ or STL beside it",
			file, path.Ext(file))
	case errors.Is(err, mesh.ErrCorrupt):
		r.note(scene.Unreadable, "mesh %s: %v", file, err)
	default:
		r.note(scene.Missing, "mesh %s: %v", file, err)
	}
	return g, false
}

// weigh gives a body its mass: as it is written, or as its shapes weigh.
func (r *reader) weigh(e *entity) {
	c, _ := e.part(bodyKinds...)
	s := c.get("Configuration")
	if s == nil {
		s = c.get("ArticulationConfiguration")
	}
	l := &r.spec.Links[e.link]
	var solids []scene.Inertial
	for i := range l.Collisions {
		if in, ok := source.Solid(&l.Collisions[i], density); ok {
			solids = append(solids, in)
		}
	}
	in := source.Sum(solids)
	if len(solids) == 0 {
		in = scene.Inertial{Mass: 1, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(1, 1, 1))}
	}
	if m := s.number(0, "Mass"); m > 0 || !s.flag(true, "Compute Mass") {
		if m <= 0 {
			m = 1
		}
		in.Inertia, in.Mass = in.Inertia.Scale(m/in.Mass), m
	}
	if !s.flag(true, "Compute COM") || s.get("Centre of mass offset") != nil {
		in.Pose.Pos = s.vec(r3.Vec{}, "Centre of mass offset")
	}
	if t := s.get("Inertia tensor"); t != nil && len(t.kids) == 9 {
		f := s.numbers(make([]float64, 9), "Inertia tensor")
		in.Inertia, in.Pose.Rot = r3.Mat{XX: f[0], XY: f[1], XZ: f[2], YX: f[3], YY: f[4], YZ: f[5], ZX: f[6],
			ZY: f[7], ZZ: f[8]}, r3.Identity()
	}
	if why := source.SuspiciousInertia(in); why != "" {
		r.note(scene.Suspicious, "body %q: %s", l.Name, why)
	}
	l.Inertial = in
}
