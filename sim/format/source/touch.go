package source

import (
	"math"

	"simdeck/sim/scene"
)

// Touch lets a collision shape touch others whose kinds, of 16 bits, meet its mask, or the reverse: either
// shape's mask suffices. So the 32 bits of category and of mask hold the kind below and the mask above, and
// the reverse. A shape that touches nothing is still seen by rays.
func Touch(g *scene.Geom, kind, touches uint16) {
	if g.Category, g.Mask = uint32(kind)|uint32(touches)<<16, uint32(touches)|uint32(kind)<<16; g.Mask == 0 {
		g.Category = math.MaxUint32
	}
}
