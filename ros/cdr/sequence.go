package cdr

import "fmt"

// Count reads the length of a sequence whose elements take at least minSize bytes each. It refuses one that
// the rest of the payload cannot hold, or that exceeds the bound of the type (0: unbounded). So what a peer
// sends never chooses an allocation larger than a small multiple of what it sent. It is 0 after an error.
func (r *Reader) Count(minSize, bound int) int {
	at := r.off
	n := uint64(r.Uint32())
	switch {
	case r.err != nil:
		return 0
	case bound > 0 && n > uint64(bound):
		r.off = at
		r.fail("sequence", fmt.Sprintf("%d elements, at most %d allowed", n, bound), ErrBound)
		return 0
	case n*uint64(max(minSize, 1)) > uint64(r.Remaining()):
		got := fmt.Sprintf("%d elements of at least %d bytes, %d bytes left", n, max(minSize, 1),
			r.Remaining())
		r.off = at
		r.fail("sequence", got, ErrCount)
		return 0
	}
	return int(n)
}

// Delimiter reads the length in bytes that XCDR2 puts before a sequence or array whose elements are not
// primitive (DDS-XTypes 1.3 §7.4.3.5). XCDR1 has none: there it reads nothing.
func (r *Reader) Delimiter() {
	if !r.xcdr2 {
		return
	}
	at := r.off
	n := r.Uint32()
	if r.err == nil && uint64(n) > uint64(r.Remaining()) {
		got := fmt.Sprintf("%d bytes, %d bytes left", n, r.Remaining())
		r.off = at
		r.fail("delimiter", got, ErrCount)
	}
}

// Resize gives s the length n, in its own memory when that is large enough. Elements keep old values: the
// caller overwrites them all.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}
