package render

import (
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Visual is a shape of a link as cameras and the console see it.
type Visual struct {
	Link  int
	Pose  r3.Pose
	Shape *Shape
	Lamp  int // of ModelSpec.Lamps, counted from 1, whose light it has; 0: none
}

// Visuals are the shapes of a description for rendering. A link without visuals is seen by its collision
// shapes.
func Visuals(spec *scene.ModelSpec) []Visual {
	var out []Visual
	for i := range spec.Links {
		l := &spec.Links[i]
		geoms := l.Visuals
		if len(geoms) == 0 {
			geoms = slices.Clone(l.Collisions)
			for k := range geoms {
				if geoms[k].Kind == scene.Plane {
					geoms[k].Size = r3.Vec{} // things fall on it wherever they are
				}
			}
		}
		for k := range geoms {
			if shape := NewShape(&geoms[k]); shape != nil {
				out = append(out, Visual{i, geoms[k].Pose.Upright(), shape, geoms[k].Lamp})
			}
		}
	}
	return out
}
