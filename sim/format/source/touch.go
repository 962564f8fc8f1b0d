package source

import (
	"math"

	"simdeck/sim/scene"
)

// Touch lets a collision shape touch those others whose kinds, of 16 bits, meet what it touches, or the
// reverse: of a pair, one has to want it. In the 32 bits for who it is and the 32 for whom it meets this is
// one below and the other above, and the reverse. A shape that touches nothing is still seen by rays.
func Touch(g *scene.Geom, kind, touches uint16) {
	if g.Category, g.Mask = uint32(kind)|uint32(touches)<<16, uint32(touches)|uint32(kind)<<16; g.Mask == 0 {
		g.Category = math.MaxUint32
	}
}
