package statecodec

import (
	"math"

	"simdeck/sim/r3"
)

// Digest is a hash of 64-bit words, by FNV-1a of their bytes, the lowest first. It begins as NewDigest.
type Digest uint64

// NewDigest is the digest of nothing.
const NewDigest Digest = 14695981039346656037

// Word takes in a word.
func (d *Digest) Word(x uint64) {
	h := *d
	for range 8 {
		h = (h ^ Digest(x&0xff)) * 1099511628211
		x >>= 8
	}
	*d = h
}

// Float takes in a number, by its bits.
func (d *Digest) Float(x float64) { d.Word(math.Float64bits(x)) }

// Twist takes in a twist, the linear part first.
func (d *Digest) Twist(t r3.Twist) {
	for _, v := range [...]r3.Vec{t.Linear, t.Angular} {
		d.Float(v.X)
		d.Float(v.Y)
		d.Float(v.Z)
	}
}
