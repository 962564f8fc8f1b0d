package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// Hash is a number over the raw bits of every pose, velocity, joint position and sleep flag: two
// worlds that have gone the same way have the same, and practically no others.
func (w *World) Hash() uint64 {
	h := hasher(14695981039346656037)
	h.word(w.time.steps)
	for i := range w.bodies.all {
		if !w.bodies.ids.inUse(int32(i)) {
			continue
		}
		m := &w.bodies.motion[i]
		h.word(uint64(i))
		h.vec(m.origin)
		h.vec(m.com)
		h.float(m.rot.W)
		h.vec(r3.Vec{X: m.rot.X, Y: m.rot.Y, Z: m.rot.Z})
		h.vec(m.v)
		h.vec(m.w)
		if w.bodies.all[i].asleep {
			h.word(1)
		}
		if w.bodies.all[i].contained {
			h.word(2)
		}
	}
	for i := range w.joints.all {
		if w.joints.ids.inUse(int32(i)) {
			h.word(uint64(i))
			h.float(w.joints.all[i].position)
		}
	}
	for i := range w.articulations {
		art := &w.articulations[i]
		for d := range int32(art.DOFs()) {
			h.float(art.Q(d))
			h.float(art.V(d))
		}
	}
	return uint64(h)
}

// hasher is FNV-1a over words instead of bytes, with the high bits folded back in.
type hasher uint64

func (h *hasher) word(v uint64) {
	x := (uint64(*h) ^ v) * 1099511628211
	*h = hasher(x ^ x>>32)
}

func (h *hasher) float(v float64) { h.word(math.Float64bits(v)) }

func (h *hasher) vec(v r3.Vec) {
	h.float(v.X)
	h.float(v.Y)
	h.float(v.Z)
}

func checksum(b []byte) uint64 {
	h := hasher(14695981039346656037)
	for _, c := range b {
		h.word(uint64(c))
	}
	return uint64(h)
}
