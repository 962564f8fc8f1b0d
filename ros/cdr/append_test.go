package cdr

import (
	"encoding/hex"
	"reflect"
	"testing"
)

func TestEveryValueIsWrittenAndReadBack(t *testing.T) {
	for _, v := range values() {
		t.Run(v.name, func(t *testing.T) {
			p := v.add(AppendHeader(nil))
			if got := hex.EncodeToString(p); got != "00010000"+v.want {
				t.Errorf("written %s, want 00010000%s", got, v.want)
			}
			r := NewReader(p)
			if got := v.read(r); got != v.is || r.Err() != nil {
				t.Errorf("read %v, error %v; want %v", got, r.Err(), v.is)
			}
			if r.Remaining() != 0 {
				t.Errorf("%d bytes left unread", r.Remaining())
			}
			strictPrefixesFail(t, p, func(r *Reader) { v.read(r) })
		})
	}
}

func TestEveryValueIsReadInBigEndian(t *testing.T) {
	for _, v := range values() {
		t.Run(v.name, func(t *testing.T) {
			p := v.add(AppendHeader(nil))
			p[1] = 0
			v.swap(p[HeaderSize:])
			r := NewReader(p)
			if got := v.read(r); got != v.is || r.Err() != nil {
				t.Errorf("read %v, error %v; want %v", got, r.Err(), v.is)
			}
		})
	}
}

// After one byte, each value must stand at the next multiple of its own size, with zeros between.
func TestValuesAreAlignedFromTheByteAfterTheHeader(t *testing.T) {
	for _, v := range values() {
		t.Run(v.name, func(t *testing.T) {
			want := v.add(AppendHeader(nil))[HeaderSize:]
			p := v.add(AppendUint8(AppendHeader(nil), 7))
			gap := len(p) - HeaderSize - 1 - len(want)
			if start := 1 + gap; reflect.DeepEqual(p[HeaderSize+start:], want) == false {
				t.Fatalf("written % x, want it to end in % x", p, want)
			}
			for _, c := range p[HeaderSize+1 : HeaderSize+1+gap] {
				if c != 0 {
					t.Errorf("padding of % x is not zero", p)
				}
			}
			r := NewReader(p)
			r.Uint8()
			if got := v.read(r); got != v.is || r.Err() != nil {
				t.Errorf("read %v, error %v; want %v", got, r.Err(), v.is)
			}
		})
	}
}

func TestPaddingOfEachSize(t *testing.T) {
	for _, c := range []struct {
		name string
		add  func(b []byte) []byte
		want string
	}{
		{"16 bits", func(b []byte) []byte { return AppendUint16(b, 0xffff) }, "0700ffff"},
		{"32 bits", func(b []byte) []byte { return AppendUint32(b, 0xffffffff) }, "07000000ffffffff"},
		{"64 bits", func(b []byte) []byte { return AppendInt64(b, -1) }, "0700000000000000ffffffffffffffff"},
		{"no 64-bit elements", func(b []byte) []byte { return AppendFloat64s(b, nil) }, "07"},
		{"64-bit elements", func(b []byte) []byte { return AppendInt64s(b, []int64{-1}) },
			"0700000000000000ffffffffffffffff"},
	} {
		p := c.add(AppendUint8(AppendHeader(nil), 7))
		if got := hex.EncodeToString(p[HeaderSize:]); got != c.want {
			t.Errorf("%s: written %s, want %s", c.name, got, c.want)
		}
	}
}

func TestWritingIntoAReusedBufferAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 4096)
	floats, bytes := make([]float64, 100), make([]byte, 1000)
	n := testing.AllocsPerRun(100, func() {
		b := AppendHeader(buf[:0])
		b = AppendString(b, "base_link")
		b = AppendFloat64s(AppendCount(b, len(floats)), floats)
		b = AppendUint8s(AppendCount(b, len(bytes)), bytes)
		b = AppendWString(b, "漢😀z")
		AppendFloat64(b, 1)
	})
	if n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
