package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The methods of this file fill the given slice: the whole of a fixed array, or a sequence's elements after
// its Count. An empty slice reads nothing, not even padding. After an error the slice is all zero.

// block takes the bytes for n elements, or nil.
func (r *Reader) block(n, size int, want string) []byte {
	if n == 0 {
		return nil
	}
	return r.take(n, size, want)
}

// Uint8s reads bytes.
func (r *Reader) Uint8s(dst []uint8) {
	p := r.block(len(dst), 1, "8-bit values")
	if p == nil {
		clear(dst)
		return
	}
	copy(dst, p)
}

// Int8s reads one byte per element.
func (r *Reader) Int8s(dst []int8) {
	p := r.block(len(dst), 1, "8-bit values")
	if p == nil {
		clear(dst)
		return
	}
	for i, v := range p {
		dst[i] = int8(v)
	}
}

// Bools reads one byte per element, each of which must be 0 or 1.
func (r *Reader) Bools(dst []bool) {
	at := r.off
	p := r.block(len(dst), 1, "bools")
	if p == nil {
		clear(dst)
		return
	}
	for i, v := range p {
		if v > 1 {
			r.off = at + i
			r.fail("bool", fmt.Sprint(v), ErrBool)
			clear(dst)
			return
		}
		dst[i] = v == 1
	}
}

// Uint16s reads 2 bytes per element, aligned to 2.
func (r *Reader) Uint16s(dst []uint16) { fill16(r, dst) }

// Int16s reads 2 bytes per element, aligned to 2.
func (r *Reader) Int16s(dst []int16) { fill16(r, dst) }

// Uint32s reads 4 bytes per element, aligned to 4.
func (r *Reader) Uint32s(dst []uint32) { fill32(r, dst) }

// Int32s reads 4 bytes per element, aligned to 4.
func (r *Reader) Int32s(dst []int32) { fill32(r, dst) }

// Uint64s reads 8 bytes per element, aligned to 8 (XCDR2: to 4).
func (r *Reader) Uint64s(dst []uint64) { fill64(r, dst) }

// Int64s reads 8 bytes per element, aligned to 8 (XCDR2: to 4).
func (r *Reader) Int64s(dst []int64) { fill64(r, dst) }

// Float32s reads 4 bytes per element, aligned to 4.
func (r *Reader) Float32s(dst []float32) {
	p := r.block(len(dst), 4, "32-bit values")
	switch {
	case p == nil:
		clear(dst)
	case r.big:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.BigEndian.Uint32(p[4*i:]))
		}
	default:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(p[4*i:]))
		}
	}
}

// Float64s reads 8 bytes per element, aligned to 8 (XCDR2: to 4).
func (r *Reader) Float64s(dst []float64) {
	p := r.block(len(dst), 8, "64-bit values")
	switch {
	case p == nil:
		clear(dst)
	case r.big:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.BigEndian.Uint64(p[8*i:]))
		}
	default:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(p[8*i:]))
		}
	}
}

func fill16[T uint16 | int16](r *Reader, dst []T) {
	p := r.block(len(dst), 2, "16-bit values")
	switch {
	case p == nil:
		clear(dst)
	case r.big:
		for i := range dst {
			dst[i] = T(binary.BigEndian.Uint16(p[2*i:]))
		}
	default:
		for i := range dst {
			dst[i] = T(binary.LittleEndian.Uint16(p[2*i:]))
		}
	}
}

func fill32[T uint32 | int32](r *Reader, dst []T) {
	p := r.block(len(dst), 4, "32-bit values")
	switch {
	case p == nil:
		clear(dst)
	case r.big:
		for i := range dst {
			dst[i] = T(binary.BigEndian.Uint32(p[4*i:]))
		}
	default:
		for i := range dst {
			dst[i] = T(binary.LittleEndian.Uint32(p[4*i:]))
		}
	}
}

func fill64[T uint64 | int64](r *Reader, dst []T) {
	p := r.block(len(dst), 8, "64-bit values")
	switch {
	case p == nil:
		clear(dst)
	case r.big:
		for i := range dst {
			dst[i] = T(binary.BigEndian.Uint64(p[8*i:]))
		}
	default:
		for i := range dst {
			dst[i] = T(binary.LittleEndian.Uint64(p[8*i:]))
		}
	}
}
