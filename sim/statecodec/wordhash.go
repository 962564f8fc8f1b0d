package statecodec

import "math"

// WordHash is FNV-1a over words instead of bytes, with the high bits folded back in. It begins as
// NewWordHash.
type WordHash uint64

// NewWordHash is the hash of nothing.
const NewWordHash WordHash = 14695981039346656037

// fnvPrime is the multiplier of 64-bit FNV-1a.
const fnvPrime = 1099511628211

// Word takes in a word.
func (h *WordHash) Word(v uint64) { *h = WordHash(hashWord(uint64(*h), v)) }

// hashWord returns a hash after one more word.
func hashWord(h, v uint64) uint64 {
	x := (h ^ v) * fnvPrime
	return x ^ x>>32
}

// Float takes in a number, by its bits.
func (h *WordHash) Float(v float64) { h.Word(math.Float64bits(v)) }

// Checksum is the WordHash of bytes, each of them a word. Each product waits for the one before it: the next
// byte joins while the high bits still shift.
func Checksum(b []byte) uint64 {
	if len(b) == 0 {
		return uint64(NewWordHash)
	}
	x := (uint64(NewWordHash) ^ uint64(b[0])) * fnvPrime
	for _, v := range b[1:] {
		x = (x ^ uint64(v) ^ x>>32) * fnvPrime
	}
	return x ^ x>>32
}
