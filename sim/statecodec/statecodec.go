// Package statecodec encodes the engine's state in 64-bit words and back, so that it can be kept, sent and
// restored exactly.
package statecodec

import (
	"math"
	"time"

	"simdeck/sim/r3"
)

// Visitor is shown one word after the other, always in the same order; what it makes of a word is taken over.
// One that only reads keeps a state, one that writes gives it back.
type Visitor func(word *uint64)

// Floats visits numbers, by their bits.
func (v Visitor) Floats(list ...*float64) {
	for _, f := range list {
		bits := math.Float64bits(*f)
		v(&bits)
		*f = math.Float64frombits(bits)
	}
}

// Flag visits a bool: 1 is true, anything else false.
func (v Visitor) Flag(b *bool) {
	var bit uint64
	if *b {
		bit = 1
	}
	v(&bit)
	*b = bit == 1
}

// Duration visits a time.
func (v Visitor) Duration(d *time.Duration) { Whole(v, d) }

// Whole visits a whole number of any kind.
func Whole[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64](v Visitor,
	n *T) {
	word := uint64(*n)
	v(&word)
	*n = T(word)
}

// Pose visits a pose.
func (v Visitor) Pose(p *r3.Pose) {
	v.Floats(&p.Pos.X, &p.Pos.Y, &p.Pos.Z, &p.Rot.W, &p.Rot.X, &p.Rot.Y, &p.Rot.Z)
}

// Twist visits a twist.
func (v Visitor) Twist(t *r3.Twist) {
	v.Floats(&t.Linear.X, &t.Linear.Y, &t.Linear.Z, &t.Angular.X, &t.Angular.Y, &t.Angular.Z)
}
