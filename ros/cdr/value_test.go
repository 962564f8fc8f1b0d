package cdr

import (
	"encoding/binary"
	"math"
	"testing"
)

// value is one thing that can be written and read back: the table that the tests and the fuzzers share.
type value struct {
	name string
	add  func(b []byte) []byte
	want string              // hex of the body, little endian, at offset 0
	read func(r *Reader) any // result of a Reader
	is   any
	swap func(b []byte) // turns the little endian body into big endian
}

func values() []value {
	return []value{
		{"bool", func(b []byte) []byte { return AppendBool(b, true) }, "01",
			func(r *Reader) any { return r.Bool() }, true, keep},
		{"uint8", func(b []byte) []byte { return AppendUint8(b, 0xfe) }, "fe",
			func(r *Reader) any { return r.Uint8() }, uint8(0xfe), keep},
		{"int8", func(b []byte) []byte { return AppendInt8(b, -2) }, "fe",
			func(r *Reader) any { return r.Int8() }, int8(-2), keep},
		{"uint16", func(b []byte) []byte { return AppendUint16(b, 0x1234) }, "3412",
			func(r *Reader) any { return r.Uint16() }, uint16(0x1234), swap16},
		{"int16", func(b []byte) []byte { return AppendInt16(b, -2) }, "feff",
			func(r *Reader) any { return r.Int16() }, int16(-2), swap16},
		{"uint32", func(b []byte) []byte { return AppendUint32(b, 0x12345678) }, "78563412",
			func(r *Reader) any { return r.Uint32() }, uint32(0x12345678), swap32},
		{"int32", func(b []byte) []byte { return AppendInt32(b, math.MinInt32) }, "00000080",
			func(r *Reader) any { return r.Int32() }, int32(math.MinInt32), swap32},
		{"uint64", func(b []byte) []byte { return AppendUint64(b, 0x123456789abcdef0) }, "f0debc9a78563412",
			func(r *Reader) any { return r.Uint64() }, uint64(0x123456789abcdef0), swap64},
		{"int64", func(b []byte) []byte { return AppendInt64(b, -2) }, "feffffffffffffff",
			func(r *Reader) any { return r.Int64() }, int64(-2), swap64},
		{"float32", func(b []byte) []byte { return AppendFloat32(b, 2.5) }, "00002040",
			func(r *Reader) any { return r.Float32() }, float32(2.5), swap32},
		{"float64", func(b []byte) []byte { return AppendFloat64(b, -1.5) }, "000000000000f8bf",
			func(r *Reader) any { return r.Float64() }, -1.5, swap64},
		{"string", func(b []byte) []byte { return AppendString(b, "wörld") }, "0700000077c3b6726c6400",
			func(r *Reader) any { return r.String("", 6) }, "wörld", swap32},
		{"empty string", func(b []byte) []byte { return AppendString(b, "") }, "0100000000",
			func(r *Reader) any { return r.String("old", 0) }, "", swap32},
		{"wstring", func(b []byte) []byte { return AppendWString(b, "漢😀z") },
			"04000000226f00003dd8000000de00007a000000",
			func(r *Reader) any { return r.WString("", 4) }, "漢😀z", swapAll32},
	}
}

func keep([]byte) {}

func swap16(b []byte) { binary.BigEndian.PutUint16(b, binary.LittleEndian.Uint16(b)) }

func swap32(b []byte) { binary.BigEndian.PutUint32(b, binary.LittleEndian.Uint32(b)) }

func swap64(b []byte) { binary.BigEndian.PutUint64(b, binary.LittleEndian.Uint64(b)) }

func swapAll32(b []byte) {
	for ; len(b) >= 4; b = b[4:] {
		swap32(b)
	}
}

// strictPrefixesFail reads every strict prefix of a payload and fails the test when one is taken for a whole.
func strictPrefixesFail(t *testing.T, payload []byte, read func(r *Reader)) {
	t.Helper()
	for n := range payload {
		r := NewReader(payload[:n])
		read(r)
		if r.Err() == nil {
			t.Errorf("the first %d bytes of % x were read without an error: a cut payload must not pass for a whole one",
				n, payload)
		}
	}
}
