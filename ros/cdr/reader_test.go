package cdr

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

func payload(t *testing.T, s string) []byte {
	t.Helper()
	p, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWhatIsWrongWithAPayloadIsToldWithItsPlace(t *testing.T) {
	for _, c := range []struct {
		name, hex string
		read      func(r *Reader)
		err       error
		offset    int
	}{
		{"no header", "0001", func(r *Reader) {}, ErrShort, 0},
		{"parameter list", "00030000", func(r *Reader) {}, ErrEncapsulation, 0},
		{"not CDR at all", "52545053", func(r *Reader) {}, ErrEncapsulation, 0},
		{"value cut", "00010000 01000000 0200", func(r *Reader) { r.Uint32(); r.Uint32() }, ErrShort, 4},
		{"only padding left", "00010000 01 000000", func(r *Reader) { r.Uint8(); r.Float64() }, ErrShort, 1},
		{"bool of 2", "00010000 01 02", func(r *Reader) { r.Bool(); r.Bool() }, ErrBool, 1},
		{"bool of 2 in an array", "00010000 01 00 03", func(r *Reader) { r.Bools(make([]bool, 3)) }, ErrBool,
			2},
		{"string without NUL", "00010000 02000000 6161", func(r *Reader) { r.String("", 0) }, ErrString, 0},
		{"string too long for the payload", "00010000 ffffffff 6100", func(r *Reader) { r.String("", 0) },
			ErrShort, 0},
		{"string over its bound", "00010000 04000000 61616100", func(r *Reader) { r.String("", 2) }, ErrBound,
			0},
		{"wstring over its bound", "00010000 02000000 6100000061000000", func(r *Reader) { r.WString("", 1) },
			ErrBound, 0},
		{"wstring too long for the payload", "00010000 02000000 61000000",
			func(r *Reader) { r.WString("", 0) }, ErrCount, 0},
		{"count too large", "00010000 ffffffff 00000000", func(r *Reader) { r.Count(8, 0) }, ErrCount, 0},
		{"count over its bound", "00010000 03000000 010203", func(r *Reader) { r.Count(1, 2) }, ErrBound, 0},
		{"delimiter too large", "00070000 10000000 01000000", func(r *Reader) { r.Delimiter() }, ErrCount, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(payload(t, c.hex))
			c.read(r)
			var e *Error
			if !errors.As(r.Err(), &e) || !errors.Is(r.Err(), c.err) {
				t.Fatalf("error %v, want an *Error wrapping %q", r.Err(), c.err)
			}
			if e.Offset != c.offset {
				t.Errorf("%v: offset %d, want %d", e, e.Offset, c.offset)
			}
		})
	}
}

func TestTheFirstErrorStaysAndLaterReadsGiveZero(t *testing.T) {
	r := NewReader(payload(t, "00010000 02 ffffffffffffffffffffffff"))
	r.Bool()
	first := r.Err()
	ones := []uint64{1, 1}
	r.Uint64s(ones)
	if r.Uint8() != 0 || r.Uint16() != 0 || r.Float64() != 0 || r.String("x", 0) != "" ||
		r.Count(1, 0) != 0 || ones[1] != 0 {
		t.Error("a read after an error gave something other than zero")
	}
	if r.Err() != first || !errors.Is(first, ErrBool) {
		t.Errorf("error %v, want the first one, %v", r.Err(), first)
	}
}

func TestOptionsAndTrailingBytesDoNotMatter(t *testing.T) {
	r := NewReader(payload(t, "0001ffff 05000000 dead"))
	if v := r.Uint32(); v != 5 || r.Err() != nil {
		t.Errorf("read %d, error %v; want 5", v, r.Err())
	}
	if r.Offset() != 4 || r.Remaining() != 2 || hex.EncodeToString(r.Rest()) != "dead" {
		t.Errorf("offset %d, remaining %d, rest % x", r.Offset(), r.Remaining(), r.Rest())
	}
}

func TestXCDR2AlignsLongValuesToFourAndDelimitsCollections(t *testing.T) {
	for _, p := range []string{
		"00070000 01000000 000000000000f03f 0d000000 01000000 05000000 6162636400",
		"00060000 00000001 3ff0000000000000 0000000d 00000001 00000005 6162636400",
	} {
		r := NewReader(payload(t, p))
		u, f := r.Uint32(), r.Float64()
		r.Delimiter()
		s := make([]string, r.Count(4, 0))
		r.Strings(s, 0)
		if u != 1 || f != 1 || len(s) != 1 || s[0] != "abcd" || r.Err() != nil {
			t.Errorf("%s: read %d %v %q, error %v", p, u, f, s, r.Err())
		}
	}
}

func TestXCDR1HasNoDelimiter(t *testing.T) {
	r := NewReader(payload(t, "00010000 05000000"))
	r.Delimiter()
	if r.Offset() != 0 {
		t.Errorf("%d bytes read, want none", r.Offset())
	}
}
