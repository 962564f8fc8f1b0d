package model

import (
	"fmt"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// addGeoms adds a link's collision shapes to its body. It notes those that it leaves out.
func (c *compiler) addGeoms(link int) {
	l := &c.Spec.Links[link]
	at := c.Placements[link]
	b := &c.Bodies[at.Body]
	cut := c.hullsOf
	if b.Type == dynamics.Static {
		cut = nil
	}
	for _, name := range l.Lost {
		c.MissingMeshes = append(c.MissingMeshes,
			fmt.Sprintf("the mesh of collision %q of link %q", name, l.Name))
	}
	for i := range l.Collisions {
		g := &l.Collisions[i]
		if !usable(g.Pose) {
			c.note(scene.Suspicious, "collision %q of link %q is left out: its pose is %v", g.Name, l.Name,
				g.Pose)
			continue
		}
		if meshMissing(g) {
			c.MissingMeshes = append(c.MissingMeshes,
				fmt.Sprintf("the mesh of collision %q of link %q", g.Name, l.Name))
			continue
		}
		shapes, pose, err := shapesOf(g, cut)
		if err == nil && shapes[0].Kind() >= shape.KindPlane && b.Type != dynamics.Static {
			err = fmt.Errorf("a %v cannot move", shapes[0].Kind())
		}
		if err != nil {
			c.note(scene.Unreadable, "collision %q of link %q is left out: %v", g.Name, l.Name, err)
			continue
		}
		for _, s := range shapes {
			b.Geoms = append(b.Geoms, Geom{Link: link, Collision: i, Def: dynamics.GeomDef{
				Shape: s, Pose: at.Pose.Mul(pose), Material: materialOf(&g.Surface), User: geomUser(link, i),
				Reflectance: reflectanceOf(l, g),
				Category:    g.Category, Mask: g.Mask,
			}})
		}
	}
}

// meshMissing reports whether a mesh or a heightfield has no data, because its file is missing.
func meshMissing(g *scene.Geom) bool {
	return g.Kind == scene.MeshGeom && g.Mesh == nil || g.Kind == scene.Heightfield && g.Heights == nil
}

// geomUser names a collision shape to the dynamics, as GeomDef.User; GeomLink and GeomCollision take the name
// apart.
func geomUser(link, collision int) int { return collision<<userLinks | link }

// GeomLink is the index of the link that a collision shape belongs to, by its dynamics.GeomDef.User.
func GeomLink(user int) int { return user & (1<<userLinks - 1) }

// GeomCollision is the index of a collision shape among Link.Collisions, by its dynamics.GeomDef.User.
func GeomCollision(user int) int { return user >> userLinks }

// userLinks is the bits of a link's index: a document has 100,000 links at most.
const userLinks = 20

// reflectanceOf is the laser reflectance of a collision shape: its own, else that of the first visual of its
// link.
func reflectanceOf(l *scene.Link, g *scene.Geom) float64 {
	if g.Retro == 0 && len(l.Visuals) > 0 {
		return l.Visuals[0].Retro
	}
	return g.Retro
}

// shapesOf is the shapes of a geom and their pose in the link's frame: one, or the hulls of a mesh. Without a
// function that decomposes them meshes stay triangles, which cannot move.
func shapesOf(g *scene.Geom, cut func(*scene.Geom) ([]*shape.Hull, error)) ([]shape.Shape, r3.Pose, error) {
	pose := g.Pose.Upright()
	if g.Kind == scene.MeshGeom && cut != nil {
		hulls, err := cut(g)
		out := make([]shape.Shape, len(hulls))
		for i, h := range hulls {
			out[i] = h
		}
		return out, pose, err
	}
	s, err := solidOf(g, &pose)
	if err != nil {
		return nil, pose, err
	}
	return []shape.Shape{s}, pose, s.Check()
}

func solidOf(g *scene.Geom, pose *r3.Pose) (shape.Shape, error) {
	switch g.Kind {
	case scene.Box:
		return shape.BoxOf(g.Size), nil
	case scene.Sphere:
		return shape.Sphere{Radius: g.Radius}, nil
	case scene.Cylinder:
		return shape.Cylinder{Radius: g.Radius, Half: g.Length / 2}, nil
	case scene.Capsule:
		return shape.Capsule{Radius: g.Radius, Half: g.Length / 2}, nil
	case scene.Plane:
		if n, ok := g.Normal.Unit(); ok {
			pose.Rot = pose.Rot.Mul(r3.Between(r3.V(0, 0, 1), n))
		}
		return shape.Plane{}, nil
	case scene.MeshGeom:
		return surfaceOf(g)
	case scene.Heightfield:
		return shape.NewField(g.Heights.Columns, g.Heights.Rows, g.Heights.X, g.Heights.Y, g.Heights.Z)
	}
	return nil, fmt.Errorf("the engine has no shape for kind %d", g.Kind)
}

// surfaceOf is a static triangle mesh.
func surfaceOf(g *scene.Geom) (shape.Shape, error) {
	if g.Mesh.Solids != nil {
		return g.Mesh.Solids.Surface(scaleOf(g))
	}
	return shape.NewMesh(g.Mesh.Scaled(scaleOf(g)), g.Mesh.Triangles)
}

// scaleOf is the scale factors of a mesh; a geom without any has 1.
func scaleOf(g *scene.Geom) r3.Vec {
	if g.Scale == (r3.Vec{}) {
		return r3.V(1, 1, 1)
	}
	return g.Scale
}

func materialOf(s *scene.Surface) dynamics.Material {
	m := dynamics.DefaultMaterial()
	if !s.Default {
		m.Friction, m.Friction2 = max(0, s.Mu), max(0, s.Mu2)
		m.Direction = s.FrictionDir
	}
	m.Rolling, m.Torsional = max(0, s.Rolling), max(0, s.Torsional)
	m.Restitution, m.Threshold = max(0, min(1, s.Restitution)), max(0, s.Threshold)
	m.Slip, m.Slip2, m.AllowedPenetration = max(0, s.Slip), max(0, s.Slip2), max(0, s.AllowedPenetration)
	m.Stiffness, m.Damping = max(0, s.Stiffness), max(0, s.Damping)
	m.Condim, m.Priority = s.Condim, s.Priority
	return m
}

// Shapes are the shapes that Compile makes of a collision shape, and their pose in the link's frame: one, or
// the hulls of a mesh whose body moves. The error says why there are none: a file that is missing, a pose or
// a size that cannot be.
func Shapes(g *scene.Geom, convex scene.Convex, static bool) ([]shape.Shape, r3.Pose, error) {
	if meshMissing(g) {
		return nil, r3.Pose{}, fmt.Errorf("%w: the mesh of collision %q", scene.ErrMissingAssets, g.Name)
	}
	if !usable(g.Pose) {
		return nil, r3.Pose{}, fmt.Errorf("%w: pose %v of collision %q", scene.ErrParse, g.Pose, g.Name)
	}
	if static {
		return shapesOf(g, nil)
	}
	return shapesOf(g, func(g *scene.Geom) ([]*shape.Hull,
		error) {
		return keyOf(g, convex).decompose(g.Mesh)
	})
}
