package cdr

import "testing"

// FuzzReader reads any payload by any script, one read per byte of it: no panic, no way back, no end overrun.
func FuzzReader(f *testing.F) {
	for i, v := range values() {
		f.Add(v.add(AppendHeader(nil)), []byte{byte(i), 14, 15})
	}
	for i, a := range arrays() {
		f.Add(a.add(AppendHeader(nil)), []byte{byte(16 + i), 0})
	}
	f.Add([]byte{0, 7, 0, 0, 1, 0, 0, 0, 9}, []byte{14, 15, 1})
	f.Fuzz(func(t *testing.T, p, script []byte) {
		r := NewReader(p)
		if len(script) > 64 {
			script = script[:64]
		}
		for _, op := range script {
			failed, at := r.Err(), r.Offset()
			step(r, op)
			if r.Remaining() < 0 || failed == nil && r.Err() == nil && r.Offset() < at {
				t.Fatalf("operation %d moved from %d to %d of %d", op, at, r.Offset(), len(p))
			}
			if failed != nil && r.Err() != failed {
				t.Fatalf("error %v became %v", failed, r.Err())
			}
		}
	})
}

// step makes the read that the number stands for: single values, a count or delimiter, then arrays.
func step(r *Reader, op byte) {
	single, many := values(), arrays()
	switch n := int(op) % (len(single) + 2 + len(many)); {
	case n < len(single):
		single[n].read(r)
	case n == len(single):
		Resize([]uint64(nil), r.Count(8, 0))
	case n == len(single)+1:
		r.Delimiter()
	default:
		many[n-len(single)-2].read(r)
	}
}

// FuzzStrings: whatever text is read can be written, and is then read the same.
func FuzzStrings(f *testing.F) {
	for _, s := range []string{"", "a", "wörld", "漢😀z", "\xff", "a\x00b"} {
		f.Add(AppendWString(AppendString(AppendHeader(nil), s), s))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		r := NewReader(p)
		s, w := r.String("", 0), r.WString("", 0)
		if r.Err() != nil {
			return
		}
		again := AppendWString(AppendString(AppendHeader(nil), s), w)
		r.Reset(again)
		if s2, w2 := r.String("", 0), r.WString("", 0); s2 != s || w2 != w || r.Err() != nil {
			t.Fatalf("%q %q became %q %q, error %v", s, w, s2, w2, r.Err())
		}
	})
}
