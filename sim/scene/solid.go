package scene

import (
	"fmt"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Solid is the collision shape of a geom and its pose in the link's frame; that of a mesh is its surface,
// which cannot move. The error says why there is none: data that is missing, a pose or a size that cannot be.
func (g *Geom) Solid() (shape.Shape, r3.Pose, error) {
	if g.Missing() {
		return nil, r3.Pose{}, fmt.Errorf("%w: the mesh of collision %q", ErrMissingAssets, g.Name)
	}
	pose := g.Pose.Upright()
	if _, ok := pose.Unit(); !ok {
		return nil, r3.Pose{}, fmt.Errorf("%w: pose %v of collision %q", ErrParse, g.Pose, g.Name)
	}
	if g.Kind == Plane {
		if n, ok := g.Normal.Unit(); ok {
			pose.Rot = pose.Rot.Mul(r3.Between(r3.V(0, 0, 1), n))
		}
	}
	s, err := g.solid()
	if err != nil {
		return nil, pose, err
	}
	return s, pose, s.Check()
}

func (g *Geom) solid() (shape.Shape, error) {
	switch g.Kind {
	case Box:
		return shape.BoxOf(g.Size), nil
	case Sphere:
		return shape.Sphere{Radius: g.Radius}, nil
	case Cylinder:
		return shape.Cylinder{Radius: g.Radius, Half: g.Length / 2}, nil
	case Capsule:
		return shape.Capsule{Radius: g.Radius, Half: g.Length / 2}, nil
	case Plane:
		return shape.Plane{}, nil
	case MeshGeom:
		return g.surface()
	case Heightfield:
		return shape.NewField(g.Heights.Columns, g.Heights.Rows, g.Heights.X, g.Heights.Y, g.Heights.Z)
	}
	return nil, fmt.Errorf("the engine has no shape for kind %d", g.Kind)
}

// surface is a static triangle mesh.
func (g *Geom) surface() (shape.Shape, error) {
	if g.Mesh.Solids != nil {
		return g.Mesh.Solids.Surface(g.MeshScale())
	}
	return shape.NewMesh(g.Mesh.Scaled(g.MeshScale()), g.Mesh.Triangles)
}

// Missing reports whether a mesh or a heightfield has no data, because its file is missing.
func (g *Geom) Missing() bool {
	return g.Kind == MeshGeom && g.Mesh == nil || g.Kind == Heightfield && g.Heights == nil
}

// MeshScale is the scale factors of a mesh; a geom without any has 1.
func (g *Geom) MeshScale() r3.Vec {
	if g.Scale == (r3.Vec{}) {
		return r3.V(1, 1, 1)
	}
	return g.Scale
}
