package format

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// sunk is the depth in m to which a model may begin in the ground: contacts push that out gently.
const sunk = 1e-3

// lift lifts models that begin inside the ground plane z = 0 until they stand on it. Files put a model that
// is opened alone where they like, many of them half into the ground. All that can fall are lifted alike.
func lift(d *source.Doc, models []scene.Placed) {
	low := math.Inf(1)
	for i := range models {
		if falls(&models[i]) {
			low = min(low, lowest(&models[i]))
		}
	}
	if !(low < -sunk) || math.IsInf(low, 0) {
		return
	}
	for i := range models {
		if falls(&models[i]) {
			models[i].Pose.Pos.Z -= low
		}
	}
	d.Note(scene.Inferred, d.Tree.Root, "it begins %.3g m deep in the ground plane, and is lifted until it stands on it",
		-low)
}

// falls reports that a model is not held by anything.
func falls(p *scene.Placed) bool {
	m := p.Model
	if p.Static || m.Static || len(m.Links) == 0 || m.Links[m.Canonical].Kinematic {
		return false
	}
	for i := range m.Joints {
		if m.Joints[i].Parent == scene.World {
			return false
		}
	}
	return true
}

// lowest is the height of the lowest point of a model's collision shapes where it begins, all joints at zero.
// Planes and terrain have none: +Inf.
func lowest(p *scene.Placed) float64 {
	low := math.Inf(1)
	for i := range p.Model.Links {
		l := &p.Model.Links[i]
		for k := range l.Collisions {
			g := &l.Collisions[k]
			at := p.Pose.Mul(l.Pose).Mul(g.Pose)
			switch g.Kind {
			case scene.Box:
				low = min(low, shape.Box{Half: g.Size.Scale(0.5)}.Bounds(at).Min.Z)
			case scene.Sphere:
				low = min(low, at.Pos.Z-g.Radius)
			case scene.Cylinder:
				low = min(low, shape.Cylinder{Radius: g.Radius, Half: g.Length / 2}.Bounds(at).Min.Z)
			case scene.Capsule:
				low = min(low, shape.Capsule{Radius: g.Radius, Half: g.Length / 2}.Bounds(at).Min.Z)
			case scene.MeshGeom:
				if g.Mesh == nil {
					continue
				}
				for _, v := range g.Mesh.Vertices {
					low = min(low, at.Apply(v.Mul(g.Scale)).Z)
				}
			}
		}
	}
	return low
}
