package webots

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// bounding reads the bounding object of a Solid as the collision shapes of its link.
func (b *builder) bounding(r ref, link int, in frame) {
	o, ok := b.node(r, "boundingObject")
	if !ok {
		return
	}
	b.collide(r, o, link, in)
}

// collide reads one node of a bounding object.
func (b *builder) collide(r, o ref, link int, in frame) {
	if b.err != nil {
		return
	}
	switch baseNodes[o.n.Type].role {
	case group:
		inner := b.inside(in, o)
		for _, k := range b.nodes(o, "children") {
			if c, ok := b.open(k); ok {
				b.collide(r, c, link, inner)
			}
			if b.err != nil {
				return
			}
		}
		return
	case visual:
		g, ok := b.node(o, "geometry")
		if !ok {
			if _, given := b.get(o, "geometry"); !given {
				b.noteAt(scene.Suspicious, o, "a %s without geometry in a bounding object", o.n.Type)
			}
			return
		}
		o = g
	}
	g := scene.Geom{Surface: b.surface(r)}
	if !b.part(o) {
		return
	}
	if !b.geometry(o, in, &g) {
		if g.Kind == scene.MeshGeom && b.err == nil {
			b.spec.Links[link].Lost = append(b.spec.Links[link].Lost, b.spec.Links[link].Name)
		}
		return
	}
	l := &b.spec.Links[link]
	g.Name = l.Name + "_collision"
	if n := len(l.Collisions); n > 0 {
		g.Name += "_" + itoa(n)
	}
	l.Collisions = append(l.Collisions, g)
}

// maxShapes bounds the shapes of a world: those of the largest in use are some ten thousand.
const maxShapes = 100_000

// part counts a shape against what one document may have.
func (b *builder) part(r ref) bool { return b.take(r, 1) }

// take counts something that is worth so many shapes.
func (b *builder) take(r ref, parts int) bool {
	if b.reader.parts += parts; b.reader.parts > maxShapes {
		b.fail(r.file, r.n.Pos, "more than %d shapes and tenths of sensors, each USE of one counted",
			maxShapes)
	}
	return b.err == nil
}

// visual reads a Shape or CadShape.
func (b *builder) visual(r ref, link int, in frame) {
	if !b.part(r) {
		return
	}
	g := scene.Geom{NoShadow: !b.flag(r, "castShadows", true)}
	if r.n.Type == "CadShape" {
		if b.mesh(r, in, &g) {
			b.spec.Links[link].Visuals = append(b.spec.Links[link].Visuals, g)
		}
		return
	}
	o, ok := b.node(r, "geometry")
	if !ok {
		return
	}
	if !b.geometry(o, in, &g) {
		return
	}
	if a, ok := b.node(r, "appearance"); ok {
		g.Material = b.look(a)
		b.led.light(&g)
	}
	b.spec.Links[link].Visuals = append(b.spec.Links[link].Visuals, g)
}

// geometry reads a shape; false when there is none, which is noted.
func (b *builder) geometry(r ref, in frame, g *scene.Geom) bool {
	g.Pose = b.fixed(in.pose)
	s := in.scale
	switch r.n.Type {
	case "Box":
		g.Kind = scene.Box
		v := b.vec(r, "size", r3.V(2, 2, 2))
		g.Size = absolute(v.Mul(s))
		return b.positive(r, v.X, v.Y, v.Z)
	case "Sphere":
		radius := b.num(r, "radius", 1)
		if !b.positive(r, radius) {
			return false
		}
		if s = absolute(s); s.X == s.Y && s.Y == s.Z {
			g.Kind, g.Radius = scene.Sphere, radius*s.X
		} else {
			source.Ellipsoid(s.Scale(radius), g)
		}
		return true
	case "Cylinder", "Capsule", "Cone":
		return b.round(r, in, g)
	case "Plane":
		return b.plane(r, in, g)
	case "Mesh":
		return b.mesh(r, in, g)
	case "IndexedFaceSet":
		return b.faces(r, in, g)
	case "ElevationGrid":
		return b.ground(r, in, g)
	case "IndexedLineSet", "PointSet":
		return false // nothing to touch; lines and points are not drawn
	}
	b.noteAt(scene.Unsupported, r, "shape %s is not known", r.n.Type)
	return false
}

func absolute(v r3.Vec) r3.Vec { return r3.V(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) }

// positive notes lengths that no shape has; false when there is one.
func (b *builder) positive(r ref, lengths ...float64) bool {
	for _, l := range lengths {
		if !(l > 0) {
			b.noteAt(scene.Suspicious, r, "%s with a length of %g is left out; every length of a shape is greater than zero",
				r.n.Type, l)
			return false
		}
	}
	return b.err == nil
}

// stand turns a shape along z to where the file's shapes stand: along y before R2022a.
func (b *builder) stand(r ref, in frame, g *scene.Geom) (across, along float64) {
	s := absolute(in.scale)
	if r.file.yUp {
		g.Pose.Rot = g.Pose.Rot.Mul(yUp)
		s.Y, s.Z = s.Z, s.Y
	}
	if math.Abs(s.X-s.Y) > 1e-9*s.X {
		b.noteOnce(scene.Unsupported, r, "a %s scaled by %g and %g across its axis stays round", r.n.Type,
			s.X, s.Y)
	}
	return (s.X + s.Y) / 2, s.Z
}

func (b *builder) round(r ref, in frame, g *scene.Geom) bool {
	across, along := b.stand(r, in, g)
	name := "radius"
	if r.n.Type == "Cone" {
		name = "bottomRadius"
	}
	radius, height := b.num(r, name, 1), b.num(r, "height", 2)
	if !b.positive(r, radius, height) {
		return false
	}
	switch r.n.Type {
	case "Cylinder":
		g.Kind = scene.Cylinder
	case "Capsule":
		g.Kind = scene.Capsule
	default:
		source.Cone(radius*across, height*along, g)
		return true
	}
	g.Radius, g.Length = radius*across, height*along
	return true
}

func (b *builder) plane(r ref, in frame, g *scene.Geom) bool {
	v := b.nums(r, "size", 1, 1)
	if !b.positive(r, v...) {
		return false
	}
	across, _ := b.stand(r, in, g)
	g.Kind, g.Normal, g.Size = scene.Plane, r3.V(0, 0, 1), r3.V(v[0]*across, v[1]*across, 0)
	return true
}

// mesh reads the file of a Mesh or CadShape.
func (b *builder) mesh(r ref, in frame, g *scene.Geom) bool {
	url, f := b.first(r, "url")
	g.Pose = b.fixed(in.pose)
	if url == "" {
		b.noteAt(scene.Suspicious, r, "%s names no file", r.n.Type)
		return false
	}
	uri, err := b.locate(f.file, url)
	if err != nil {
		g.Kind = scene.MeshGeom
		b.note(scene.Missing, f.file, f.Pos, "mesh %v", err)
		return false
	}
	scale := in.scale
	if !f.file.doc.Mesh(at(f.Pos), uri, scale, source.Submesh{Name: b.text(r, "name", "")}, g) {
		return false
	}
	if i := b.num(r, "materialIndex", -1); i >= 0 {
		g.Mesh = ofMaterial(g.Mesh, int(min(i, 1e6)))
		if len(g.Mesh.Triangles) == 0 {
			b.noteAt(scene.Suspicious, r, "mesh %s has no material %g", clip(url), i)
			return false
		}
	}
	if r.n.Type == "Mesh" && len(g.Mesh.Looks) > 0 { // the Shape's appearance counts
		bare := *g.Mesh
		bare.Looks = nil
		g.Mesh = &bare
	}
	if !b.flag(r, "ccw", true) {
		turned := *g.Mesh
		turned.Triangles, turned.Corners = flipped(turned.Triangles), nil
		g.Mesh = &turned
	}
	return true
}

func flipped(all [][3]int32) [][3]int32 {
	out := make([][3]int32, len(all))
	for i, t := range all {
		out[i] = [3]int32{t[0], t[2], t[1]}
	}
	return out
}

// ofMaterial is the part of a mesh with its i-th material.
func ofMaterial(m *scene.Mesh, i int) *scene.Mesh {
	out := &scene.Mesh{URI: m.URI, Vertices: m.Vertices}
	names := map[string]int{}
	for k, look := range m.Looks {
		n, known := names[look.Material.Name]
		if !known {
			n = len(names)
			names[look.Material.Name] = n
		}
		end := len(m.Triangles)
		if k+1 < len(m.Looks) {
			end = m.Looks[k+1].First
		}
		if n != i || look.First >= end {
			continue
		}
		out.Triangles = append(out.Triangles, m.Triangles[look.First:end]...)
		if m.Corners != nil {
			out.Corners = append(out.Corners, m.Corners[look.First:end]...)
		}
		out.Looks = []scene.Look{{Material: look.Material}}
	}
	if len(m.Looks) == 0 && i == 0 {
		return m
	}
	return out
}
