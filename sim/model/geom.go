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
		if g.Missing() {
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
				Shape: s, Pose: at.Pose.Mul(pose), Material: materialOf(g, pose, l.Track),
				User: geomUser(link, i), Reflectance: reflectanceOf(l, g),
				Category: g.Category, Mask: g.Mask,
			}})
		}
	}
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
	if g.Kind == scene.MeshGeom && cut != nil {
		hulls, err := cut(g)
		out := make([]shape.Shape, len(hulls))
		for i, h := range hulls {
			out[i] = h
		}
		return out, g.Pose.Upright(), err
	}
	s, pose, err := g.Solid()
	return []shape.Shape{s}, pose, err
}

// materialOf is the material of a geom, whose shape has a pose in the link's frame. A belt around it runs at
// 1 m/s until it is told another speed.
func materialOf(g *scene.Geom, pose r3.Pose, belt *scene.Track) dynamics.Material {
	m, s := dynamics.DefaultMaterial(), &g.Surface
	if !s.Default {
		m.Friction, m.Friction2 = max(0, s.Mu), max(0, s.Mu2)
		m.Direction = s.FrictionDir
	}
	m.Rolling, m.Torsional = max(0, s.Rolling), max(0, s.Torsional)
	m.Restitution, m.Threshold = max(0, min(1, s.Restitution)), max(0, s.Threshold)
	m.Slip, m.Slip2, m.AllowedPenetration = max(0, s.Slip), max(0, s.Slip2), max(0, s.AllowedPenetration)
	m.Stiffness, m.Damping = max(0, s.Stiffness), max(0, s.Damping)
	m.Condim, m.Priority = s.Condim, s.Priority
	m.Velocity = velocityAt(s.Velocity, g.Pose.Upright().Relative(pose))
	if belt != nil {
		m.Velocity = dynamics.SurfaceVelocity{Belt: pose.Rot.RotateBack(belt.Axis)}
	}
	return m
}

// velocityAt is the velocity of a surface in the frame of its shape, which has a pose in the geom frame.
func velocityAt(v scene.SurfaceVelocity, at r3.Pose) dynamics.SurfaceVelocity {
	return dynamics.SurfaceVelocity{Linear: at.Rot.RotateBack(v.Linear.Add(v.Angular.Cross(at.Pos))),
		Angular: at.Rot.RotateBack(v.Angular), Belt: at.Rot.RotateBack(v.Belt)}
}
