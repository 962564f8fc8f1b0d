package sim

import (
	"fmt"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Sizes from which on a mesh is doubted, in metres.
const (
	maxRobotSize    = 10.0
	maxBuildingSize = 300.0
	minMeshSize     = 0.0005
)

// maxDiagnostics bounds the doubts of one kind.
const maxDiagnostics = 20

// Lint lists what of a model is legal and probably wrong, and shows only when its parts are seen together: meshes that
// look as if they were in millimetres, and links that are in each other at rest although nothing joins them; and what the
// engine takes otherwise than it is written, as masses and inertias that no body has.
func Lint(m *scene.ModelSpec) scene.Notes {
	p, err := compileModel(m, false)
	if err != nil {
		return nil
	}
	notes := slices.Clone(p.notes)
	p.notes = nil
	p.lintSizes()
	p.lintPlacement()
	return append(notes, p.notes...)
}

// lintSizes looks for meshes a thousand times too large or small.
func (p *compiledModel) lintSizes() {
	limit := maxRobotSize
	if p.static {
		limit = maxBuildingSize
	}
	told := map[string]bool{}
	for i := range p.spec.Links {
		l := &p.spec.Links[i]
		for _, g := range slices.Concat(l.Collisions, l.Visuals) {
			if g.Kind != scene.MeshGeom || g.Mesh == nil || len(told) >= maxDiagnostics {
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
			case wide <= minMeshSize && wide > 0:
				told[key] = true
				p.note(scene.Suspicious, "link %q: mesh %s is %.3g mm wide; if it is in metres already, its scale is wrong", l.Name, g.Mesh.URI, wide*1000)
			}
		}
	}
}

// RestBounds is the box around a model with its joints at zero, in the frame of its canonical link: that of its
// collision shapes, else of what is seen of it. Planes have no end and are left out. Without any shape it is ErrFailed.
func RestBounds(m *scene.ModelSpec) (r3.Box, error) {
	p, err := compileModel(m, false)
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
