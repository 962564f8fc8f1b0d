package cdr

import (
	"encoding/binary"
	"math"
	"slices"
)

// The functions of this file append elements only: the whole of a fixed array, or what follows the count of a
// sequence. An empty slice appends nothing, not even padding.

// room aligns b to size and lengthens it by n elements of that size; the second slice is the new part, to be
// filled.
func room(b []byte, n, size int) (whole, part []byte) {
	if n == 0 {
		return b, nil
	}
	b = pad(slices.Grow(b, n*size+size), size)
	at := len(b)
	whole = b[:at+n*size]
	return whole, whole[at:]
}

// AppendUint8s appends bytes.
func AppendUint8s(b []byte, s []uint8) []byte { return append(b, s...) }

// AppendInt8s appends one byte per element.
func AppendInt8s(b []byte, s []int8) []byte {
	b, p := room(b, len(s), 1)
	for i, v := range s {
		p[i] = byte(v)
	}
	return b
}

// AppendBools appends one byte per element, 0 or 1.
func AppendBools(b []byte, s []bool) []byte {
	for _, v := range s {
		b = AppendBool(b, v)
	}
	return b
}

// AppendUint16s appends 2 bytes per element, aligned to 2.
func AppendUint16s(b []byte, s []uint16) []byte { return append16(b, s) }

// AppendInt16s appends 2 bytes per element, aligned to 2.
func AppendInt16s(b []byte, s []int16) []byte { return append16(b, s) }

// AppendUint32s appends 4 bytes per element, aligned to 4.
func AppendUint32s(b []byte, s []uint32) []byte { return append32(b, s) }

// AppendInt32s appends 4 bytes per element, aligned to 4.
func AppendInt32s(b []byte, s []int32) []byte { return append32(b, s) }

// AppendUint64s appends 8 bytes per element, aligned to 8.
func AppendUint64s(b []byte, s []uint64) []byte { return append64(b, s) }

// AppendInt64s appends 8 bytes per element, aligned to 8.
func AppendInt64s(b []byte, s []int64) []byte { return append64(b, s) }

// AppendFloat32s appends 4 bytes per element, aligned to 4.
func AppendFloat32s(b []byte, s []float32) []byte {
	b, p := room(b, len(s), 4)
	for _, v := range s {
		binary.LittleEndian.PutUint32(p, math.Float32bits(v))
		p = p[4:]
	}
	return b
}

// AppendFloat64s appends 8 bytes per element, aligned to 8.
func AppendFloat64s(b []byte, s []float64) []byte {
	b, p := room(b, len(s), 8)
	for _, v := range s {
		binary.LittleEndian.PutUint64(p, math.Float64bits(v))
		p = p[8:]
	}
	return b
}

func append16[T uint16 | int16](b []byte, s []T) []byte {
	b, p := room(b, len(s), 2)
	for _, v := range s {
		binary.LittleEndian.PutUint16(p, uint16(v))
		p = p[2:]
	}
	return b
}

func append32[T uint32 | int32](b []byte, s []T) []byte {
	b, p := room(b, len(s), 4)
	for _, v := range s {
		binary.LittleEndian.PutUint32(p, uint32(v))
		p = p[4:]
	}
	return b
}

func append64[T uint64 | int64](b []byte, s []T) []byte {
	b, p := room(b, len(s), 8)
	for _, v := range s {
		binary.LittleEndian.PutUint64(p, uint64(v))
		p = p[8:]
	}
	return b
}
