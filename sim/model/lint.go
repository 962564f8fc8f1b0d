package model

import (
	"fmt"
	"path"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Sizes, in metres, from which on a mesh is suspicious.
const (
	maxRobotSize    = 10.0
	maxBuildingSize = 300.0
	minMeshSize     = 0.0005
)

// maxDiagnostics bounds the diagnostics of one kind.
const maxDiagnostics = 20

// Lint compiles a description and lists the compiler's notes, as about implausible masses and inertias. It
// adds diagnostics that need the whole model: meshes that seem to be in millimetres, and unconnected links
// that penetrate each other at rest. A description that does not compile has none.
func Lint(m *scene.ModelSpec) scene.Notes {
	compiled, err := Compile(m, false)
	if err != nil {
		return nil
	}
	c := compiler{Model: compiled}
	c.lintSizes()
	c.lintPlacement()
	return c.Notes
}

// lintSizes notes meshes that are a thousand times too large or small.
func (c *compiler) lintSizes() {
	limit := maxRobotSize
	if c.Static {
		limit = maxBuildingSize
	}
	noted := map[string]bool{}
	for i := range c.Spec.Links {
		l := &c.Spec.Links[i]
		for _, g := range slices.Concat(l.Collisions, l.Visuals) {
			if g.Kind != scene.MeshGeom || g.Mesh == nil || path.Ext(g.Mesh.URI) == "" || // cone: made by its reader
				len(noted) >= maxDiagnostics {
				continue
			}
			box := r3.EmptyBox()
			for _, v := range g.Mesh.Vertices {
				box = box.Extend(v.Mul(g.MeshScale()))
			}
			wide := box.Size().MaxAbs()
			key := fmt.Sprint(l.Name, g.Mesh.URI)
			switch {
			case noted[key]:
			case wide >= limit && wide < 1e6:
				noted[key] = true
				c.note(scene.Suspicious, "link %q: mesh %s is %.4g m wide; if it is in millimetres, a scale of 0.001 makes it %.3g m",
					l.Name, g.Mesh.URI, wide, wide/1000)
			case wide <= minMeshSize && wide > 0:
				noted[key] = true
				c.note(scene.Suspicious, "link %q: mesh %s is %.3g mm wide; if it is in metres already, its scale is wrong",
					l.Name, g.Mesh.URI, wide*1000)
			}
		}
	}
}

// RestBounds is the box around a model with joints at zero, in its canonical link's frame: around collision
// shapes, else visuals. Planes have no end and are left out; without any other shape the box is empty. The
// errors are those of Compile.
func RestBounds(m *scene.ModelSpec) (r3.Box, error) {
	compiled, err := Compile(m, false)
	if err != nil {
		return r3.Box{}, err
	}
	box := compiled.Bounds
	if !box.IsEmpty() {
		return box, nil
	}
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
	return box, nil
}
