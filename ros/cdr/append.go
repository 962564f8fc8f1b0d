package cdr

import (
	"encoding/binary"
	"math"
)

const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00"

// pad appends zero bytes up to the next multiple of n (a power of two, at most 8) after the encapsulation
// header.
func pad(b []byte, n int) []byte {
	return append(b, zeros[:(HeaderSize-len(b))&(n-1)]...)
}

// AppendBool appends one byte, 0 or 1.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// AppendUint8 appends a ROS uint8, byte or char.
func AppendUint8(b []byte, v uint8) []byte { return append(b, v) }

// AppendInt8 appends one byte.
func AppendInt8(b []byte, v int8) []byte { return append(b, byte(v)) }

// AppendUint16 appends 2 bytes, aligned to 2.
func AppendUint16(b []byte, v uint16) []byte {
	return binary.LittleEndian.AppendUint16(pad(b, 2), v)
}

// AppendInt16 appends 2 bytes, aligned to 2.
func AppendInt16(b []byte, v int16) []byte { return AppendUint16(b, uint16(v)) }

// AppendUint32 appends 4 bytes, aligned to 4.
func AppendUint32(b []byte, v uint32) []byte {
	return binary.LittleEndian.AppendUint32(pad(b, 4), v)
}

// AppendInt32 appends 4 bytes, aligned to 4.
func AppendInt32(b []byte, v int32) []byte { return AppendUint32(b, uint32(v)) }

// AppendUint64 appends 8 bytes, aligned to 8.
func AppendUint64(b []byte, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(pad(b, 8), v)
}

// AppendInt64 appends 8 bytes, aligned to 8.
func AppendInt64(b []byte, v int64) []byte { return AppendUint64(b, uint64(v)) }

// AppendFloat32 appends an IEEE 754 single, aligned to 4.
func AppendFloat32(b []byte, v float32) []byte { return AppendUint32(b, math.Float32bits(v)) }

// AppendFloat64 appends an IEEE 754 double, aligned to 8.
func AppendFloat64(b []byte, v float64) []byte { return AppendUint64(b, math.Float64bits(v)) }

// AppendCount appends the number of elements of a sequence; the elements follow.
func AppendCount(b []byte, n int) []byte { return AppendUint32(b, uint32(n)) }
