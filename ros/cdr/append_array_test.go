package cdr

import (
	"bytes"
	"reflect"
	"testing"
)

// array is a typed slice together with its ways in and out; one is the same written value by value.
type array struct {
	name  string
	add   func(b []byte) []byte
	one   func(b []byte) []byte
	read  func(r *Reader) any
	is    any
	width int // bytes per element; 0 for text
}

func each[T any](s []T, add func([]byte, T) []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		for _, v := range s {
			b = add(b, v)
		}
		return b
	}
}

func newArray[T any](name string, width int, s []T, add func([]byte, []T) []byte, one func([]byte, T) []byte,
	read func(*Reader, []T)) array {
	return array{
		name: name, width: width, is: s, one: each(s, one),
		add: func(b []byte) []byte { return add(b, s) },
		read: func(r *Reader) any {
			got := make([]T, len(s))
			read(r, got)
			return got
		},
	}
}

func arrays() []array {
	text := func(f func(*Reader, []string, int)) func(*Reader, []string) {
		return func(r *Reader, s []string) { f(r, s, 0) }
	}
	return []array{
		newArray("bools", 1, []bool{true, false, true}, AppendBools, AppendBool, (*Reader).Bools),
		newArray("uint8s", 1, []uint8{1, 2, 255}, AppendUint8s, AppendUint8, (*Reader).Uint8s),
		newArray("int8s", 1, []int8{1, -2, -128}, AppendInt8s, AppendInt8, (*Reader).Int8s),
		newArray("uint16s", 2, []uint16{1, 0x1234, 0xffff}, AppendUint16s, AppendUint16, (*Reader).Uint16s),
		newArray("int16s", 2, []int16{1, -2, -32768}, AppendInt16s, AppendInt16, (*Reader).Int16s),
		newArray("uint32s", 4, []uint32{1, 0x12345678}, AppendUint32s, AppendUint32, (*Reader).Uint32s),
		newArray("int32s", 4, []int32{1, -2}, AppendInt32s, AppendInt32, (*Reader).Int32s),
		newArray("uint64s", 8, []uint64{1, 0x123456789abcdef0}, AppendUint64s, AppendUint64,
			(*Reader).Uint64s),
		newArray("int64s", 8, []int64{1, -2}, AppendInt64s, AppendInt64, (*Reader).Int64s),
		newArray("float32s", 4, []float32{1, -2.5}, AppendFloat32s, AppendFloat32, (*Reader).Float32s),
		newArray("float64s", 8, []float64{1, -2.5}, AppendFloat64s, AppendFloat64, (*Reader).Float64s),
		newArray("strings", 0, []string{"", "a", "wörld"}, AppendStrings, AppendString,
			text((*Reader).Strings)),
		newArray("wstrings", 0, []string{"", "a", "漢😀"}, AppendWStrings, AppendWString,
			text((*Reader).WStrings)),
	}
}

func TestAnArrayIsItsElementsOneByOne(t *testing.T) {
	for _, a := range arrays() {
		t.Run(a.name, func(t *testing.T) {
			head := AppendUint8(AppendHeader(nil), 7)
			p, one := a.add(head), a.one(bytes.Clone(head))
			if !bytes.Equal(p, one) {
				t.Errorf("written % x, one by one % x", p, one)
			}
			r := NewReader(p)
			r.Uint8()
			if got := a.read(r); !reflect.DeepEqual(got, a.is) || r.Err() != nil {
				t.Errorf("read %v, error %v; want %v", got, r.Err(), a.is)
			}
			strictPrefixesFail(t, p, func(r *Reader) { r.Uint8(); a.read(r) })
		})
	}
}

func TestAnArrayIsReadInBigEndian(t *testing.T) {
	swaps := map[int]func([]byte){1: keep, 2: swap16, 4: swap32, 8: swap64}
	for _, a := range arrays() {
		if a.width == 0 {
			continue // text: its units are covered by the big endian test of single values
		}
		p := a.add(AppendHeader(nil))
		p[1] = 0
		for b := p[HeaderSize:]; len(b) > 0; b = b[a.width:] {
			swaps[a.width](b)
		}
		r := NewReader(p)
		if got := a.read(r); !reflect.DeepEqual(got, a.is) || r.Err() != nil {
			t.Errorf("%s: read %v, error %v; want %v", a.name, got, r.Err(), a.is)
		}
	}
}
