package sim

import (
	"fmt"
	"slices"

	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Sizes from which on a mesh is doubted, in metres, and how deep links may be in each other at rest.
const (
	hugeRobot    = 10.0
	hugeBuilding = 300.0
	tinyMesh     = 0.0005
	deepAtRest   = 0.001
)

// maxDoubts bounds the doubts of one kind.
const maxDoubts = 20

// Doubts lists what of a model is legal and probably wrong, and shows only when its parts are seen together: meshes that
// look as if they were in millimetres, and links that are in each other at rest although nothing joins them; and what the
// engine takes otherwise than it is written, as masses and inertias that no body has.
func Doubts(m *scene.ModelSpec) scene.Notes {
	p, err := compile(m, false)
	if err != nil {
		return nil
	}
	notes := slices.Clone(p.notes)
	p.notes = nil
	p.doubtSizes()
	p.doubtPlaces()
	return append(notes, p.notes...)
}

// doubtSizes looks for meshes a thousand times too large or small.
func (p *plan) doubtSizes() {
	limit := hugeRobot
	if p.static {
		limit = hugeBuilding
	}
	told := map[string]bool{}
	for i := range p.spec.Links {
		l := &p.spec.Links[i]
		for _, g := range slices.Concat(l.Collisions, l.Visuals) {
			if g.Kind != scene.MeshGeom || g.Mesh == nil || len(told) >= maxDoubts {
				continue
			}
			box := r3.EmptyBox()
			for _, v := range g.Mesh.Vertices {
				box = box.Extend(v.Mul(scaleOf(&g)))
			}
			wide := box.Size().MaxAbs()
			key := fmt.Sprint(l.Name, g.Mesh.URI)
			switch {
			case told[key]:
			case wide >= limit && wide < 1e6:
				told[key] = true
				p.note(scene.Suspicious, "link %q: mesh %s is %.4g m wide; if it is in millimetres, a scale of 0.001 makes it %.3g m", l.Name, g.Mesh.URI, wide, wide/1000)
			case wide <= tinyMesh && wide > 0:
				told[key] = true
				p.note(scene.Suspicious, "link %q: mesh %s is %.3g mm wide; if it is in metres already, its scale is wrong", l.Name, g.Mesh.URI, wide*1000)
			}
		}
	}
}

// doubtPlaces looks for bodies of the model that are in each other and that no joint joins.
func (p *plan) doubtPlaces() {
	joined := map[[2]int]bool{}
	for i := range p.spec.Joints {
		j := &p.spec.Joints[i]
		if j.Parent < 0 {
			continue
		}
		a, b := p.places[j.Parent].body, p.places[j.Child].body
		joined[[2]int{a, b}], joined[[2]int{b, a}] = true, true
	}
	count := 0
	for i := range p.bodies {
		for k := i + 1; k < len(p.bodies) && count < maxDoubts; k++ {
			a, b := &p.bodies[i], &p.bodies[k]
			if joined[[2]int{i, k}] || a.kind == physics.Static && b.kind == physics.Static {
				continue
			}
			if g, h, depth := deepest(a, b); depth > deepAtRest {
				count++
				p.note(scene.Suspicious, "links %q and %q are %.3g mm in each other at rest, and no joint joins them",
					p.spec.Links[g].Name, p.spec.Links[h].Name, 1000*depth)
			}
		}
	}
}

// deepest finds how deep two bodies are in each other, and with which links.
func deepest(a, b *planBody) (linkA, linkB int, depth float64) {
	for i := range a.geoms {
		g := &a.geoms[i]
		first, convex := g.def.Shape.(shape.Convex)
		pose := a.pose.Mul(g.def.Pose)
		if !convex {
			continue
		}
		box := g.def.Shape.Bounds(pose)
		for k := range b.geoms {
			h := &b.geoms[k]
			second, convex := h.def.Shape.(shape.Convex)
			other := b.pose.Mul(h.def.Pose)
			if !convex || !box.Overlaps(h.def.Shape.Bounds(other)) {
				continue
			}
			if d := -shape.Distance(first, pose, second, other).Distance; d > depth {
				linkA, linkB, depth = g.link, h.link, d
			}
		}
	}
	return linkA, linkB, depth
}

// RestBounds is the box around a model with its joints at zero, in the frame of its canonical link: that of its
// collision shapes, else of what is seen of it. Planes have no end and are left out. Without any shape it is ErrFailed.
func RestBounds(m *scene.ModelSpec) (r3.Box, error) {
	p, err := compile(m, false)
	if err != nil {
		return r3.Box{}, err
	}
	box := p.bounds
	if box.IsEmpty() {
		box = r3.EmptyBox()
		back := m.Links[m.Canonical].Pose.Inverse()
		for i := range m.Links {
			for _, g := range m.Links[i].Visuals {
				if g.Kind == scene.Plane || g.Kind == scene.MeshGeom && g.Mesh == nil || !usable(g.Pose) {
					continue
				}
				if shapes, pose, err := shapesOf(&g, nil); err == nil {
					box = box.Union(shapes[0].Bounds(back.Mul(m.Links[i].Pose).Mul(pose)))
				}
			}
		}
	}
	if box.IsEmpty() {
		return box, fmt.Errorf("%w: model %q has no shape with an end", ErrFailed, m.Name)
	}
	return box, nil
}
