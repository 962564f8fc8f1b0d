package sim

import (
	"fmt"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// addGeoms adds a link's collision shapes to its body. What cannot be used is
// left out and noted.
func (p *compiledModel) addGeoms(link int) {
	l := &p.spec.Links[link]
	at := p.placements[link]
	b := &p.bodies[at.body]
	cut := p.hullsOf
	if b.kind == dynamics.Static {
		cut = nil
	}
	for _, name := range l.Lost {
		p.missing = append(p.missing, fmt.Sprintf("the mesh of collision %q of link %q", name, l.Name))
	}
	for i := range l.Collisions {
		g := &l.Collisions[i]
		if !usable(g.Pose) {
			p.note(scene.Suspicious, "collision %q of link %q is left out: its pose is %v", g.Name, l.Name, g.Pose)
			continue
		}
		if meshMissing(g) {
			p.missing = append(p.missing, fmt.Sprintf("the mesh of collision %q of link %q", g.Name, l.Name))
			continue
		}
		shapes, pose, err := shapesOf(g, cut)
		if err == nil && shapes[0].Kind() >= shape.KindPlane && b.kind != dynamics.Static {
			err = fmt.Errorf("a %v cannot move", shapes[0].Kind())
		}
		if err != nil {
			p.note(scene.Unreadable, "collision %q of link %q is left out: %v", g.Name, l.Name, err)
			continue
		}
		for _, s := range shapes {
			b.geoms = append(b.geoms, modelGeom{link: link, from: i, def: dynamics.GeomDef{
				Shape: s, Pose: at.pose.Mul(pose), Material: materialOf(&g.Surface), User: geomUser(link, i), Reflectance: reflectanceOf(l, g),
				Category: g.Category, Mask: g.Mask,
			}})
		}
	}
}

// meshMissing reports that a shape has not what only a file can give.
func meshMissing(g *scene.Geom) bool {
	return g.Kind == scene.MeshGeom && g.Mesh == nil || g.Kind == scene.Heightfield && g.Heights == nil
}

// geomUser names a collision shape to the physics; userLink and userShape take
// the name apart.
func geomUser(link, collision int) int { return collision<<userLinks | link }

func userLink(user int) int  { return user & (1<<userLinks - 1) }
func userShape(user int) int { return user >> userLinks }

// userLinks is how many bits a link's index has: a document has 100,000 links
// at most.
const userLinks = 20

// reflectanceOf is how strongly a collision shape answers a laser: as it says, else
// as the first visual of its link does.
func reflectanceOf(l *scene.Link, g *scene.Geom) float64 {
	if g.Retro == 0 && len(l.Visuals) > 0 {
		return l.Visuals[0].Retro
	}
	return g.Retro
}

// shapesOf is the shapes of a geom and their pose in the link's frame: one, except for meshes that are cut into convex
// hulls; nil leaves them as they are, which cannot move.
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

// surfaceOf is a mesh that never moves, as it is.
func surfaceOf(g *scene.Geom) (shape.Shape, error) {
	if g.Mesh.Solids != nil {
		return g.Mesh.Solids.Surface(scaleOf(g))
	}
	return shape.NewMesh(g.Mesh.Scaled(scaleOf(g)), g.Mesh.Triangles)
}

// scaleOf is the factors on a mesh; a geom without any has those of 1.
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
	m.Slip, m.Slip2, m.Slack = max(0, s.Slip), max(0, s.Slip2), max(0, s.Slack)
	m.Stiffness, m.Damping = max(0, s.Stiffness), max(0, s.Damping)
	m.Condim, m.Priority = s.Condim, s.Priority
	return m
}

// eachShape calls f with every collision shape and its pose in the world, until
// f returns false.
func (p *compiledModel) eachShape(links []LinkState, f func(pose r3.Pose, sh shape.Shape) bool) {
	for b := range p.bodies {
		root := links[p.bodies[b].root].Pose
		for g := range p.bodies[b].geoms {
			def := &p.bodies[b].geoms[g].def
			if !f(root.Mul(def.Pose), def.Shape) {
				return
			}
		}
	}
}
