package source

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// recovery is the speed, m/s, at which the engine pushes overlaps apart in every contact:
// physics.Config.RecoverySpeed.
const recovery = 1.0

// Recovery notes at n a speed, m/s, up to which a file wants overlaps pushed apart, and which the engine does
// not keep to. Zero in a file means no limit of its own.
func (d *Doc) Recovery(n *xmltree.Node, speed float64) {
	if speed > 0 && speed < recovery {
		d.Note(scene.Unsupported, n, "<%s> of %g m/s: overlaps are pushed apart at up to %g m/s in every contact",
			n.Name, speed, recovery)
	}
}
