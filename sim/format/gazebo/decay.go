package gazebo

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// usualStep, in s, is Gazebo Classic's step, in which velocities lose the share of its decays.
const usualStep = 0.001

// Decay reads a <velocity_decay>; nil has none.
func Decay(d *source.Doc, n *xmltree.Node) scene.Drag {
	return scene.Drag{Linear: Factor(Loose(d, n, "linear", 0)), Angular: Factor(Loose(d, n, "angular", 0))}
}

// Factor is the drag in 1/s of a velocity that loses that share of itself in each of Classic's steps.
func Factor(share float64) float64 { return source.Drag(share, usualStep) }
