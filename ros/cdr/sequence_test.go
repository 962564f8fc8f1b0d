package cdr

import (
	"testing"
)

// A peer may claim four billion elements in a datagram of 12 bytes; the claim alone must cost nothing.
func TestAHostileCountAllocatesNothingButItsError(t *testing.T) {
	p := payload(t, "00010000 ffffff7f 00000000")
	var r Reader
	var dst []float64
	n := testing.AllocsPerRun(100, func() {
		r.Reset(p)
		dst = Resize(dst, r.Count(8, 0))
	})
	if len(dst) != 0 || cap(dst) != 0 {
		t.Errorf("%d elements allocated for a count that the payload cannot hold", cap(dst))
	}
	if n > 10 {
		t.Errorf("%v allocations to refuse a count, want a few for the message", n)
	}
}

func TestCountAcceptsExactlyWhatFits(t *testing.T) {
	for _, c := range []struct {
		hex         string
		size, bound int
		want        int
	}{
		{"00010000 02000000 0102", 1, 0, 2},
		{"00010000 02000000 0102", 1, 2, 2},
		{"00010000 02000000 0102", 0, 0, 2},
		{"00010000 00000000", 8, 0, 0},
		{"00010000 02000000 000000000000000000000000000000", 8, 0, 0},
	} {
		if n := NewReader(payload(t, c.hex)).Count(c.size, c.bound); n != c.want {
			t.Errorf("%s: count %d, want %d", c.hex, n, c.want)
		}
	}
}

func TestResizeKeepsTheMemoryWhenItCan(t *testing.T) {
	s := make([]int, 3, 8)
	if got := Resize(s, 8); len(got) != 8 || &got[0] != &s[0] {
		t.Error("a slice with room enough was replaced")
	}
	if got := Resize(s, 9); len(got) != 9 {
		t.Errorf("length %d, want 9", len(got))
	}
	if got := Resize([]int(nil), 0); got != nil {
		t.Error("nothing was resized to something")
	}
}

func TestReadingIntoReusedMemoryAllocatesNothing(t *testing.T) {
	b := AppendString(AppendHeader(nil), "base_link")
	b = AppendStrings(AppendCount(b, 2), []string{"left_wheel", "right_wheel"})
	b = AppendFloat64s(AppendCount(b, 100), make([]float64, 100))
	b = AppendWString(b, "漢😀z")
	var (
		r      Reader
		name   string
		wide   string
		names  []string
		floats []float64
	)
	n := testing.AllocsPerRun(100, func() {
		r.Reset(b)
		name = r.String(name, 0)
		names = Resize(names, r.Count(4, 0))
		r.Strings(names, 0)
		floats = Resize(floats, r.Count(8, 0))
		r.Float64s(floats)
		wide = r.WString(wide, 0)
	})
	if r.Err() != nil || n != 0 {
		t.Errorf("%v allocations, error %v; want none", n, r.Err())
	}
}
