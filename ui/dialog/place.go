package dialog

import (
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Place is somewhere to put an entity.
type Place struct {
	Name string
	Note string
	Pose r3.Pose
	Lift bool // stand on it: raise what reaches below its own frame
}

// Places are the named poses of a world, and before them others that are
// known by now.
func Places(m *sim.Model, others ...Place) []Place {
	out := others
	for i := range m.NamedPoses {
		n := &m.NamedPoses[i]
		out = append(out, Place{Name: n.Name, Note: n.Description, Pose: n.Pose, Lift: true})
	}
	return out
}

// standing is a pose raised by the model's extent below its own origin. A box with its origin in the middle
// would otherwise start half in the ground.
func (p Place) standing(low float64) r3.Pose {
	at := p.Pose
	if p.Lift && low < 0 && !math.IsInf(low, 0) {
		at.Pos.Z -= low
	}
	return at
}

// lowest is the lowest z of a model in its frame, by its sidecar.
func lowest(b scene.Bounds) float64 { return b.Box().Min.Z }
