package cdr

import "testing"

func TestAStringOfLengthZeroIsEmpty(t *testing.T) {
	r := NewReader(payload(t, "00010000 00000000 07"))
	if s, v := r.String("old", 0), r.Uint8(); s != "" || v != 7 || r.Err() != nil {
		t.Errorf("read %q then %d, error %v", s, v, r.Err())
	}
}

func TestAWStringIsReadWhateverItsUnits(t *testing.T) {
	for _, c := range []struct{ name, hex, want string }{
		{"surrogate pair", "02000000 3dd80000 00de0000", "😀"},
		{"whole character in one unit", "01000000 00f60100", "😀"},
		{"high surrogate alone", "02000000 3dd80000 61000000", "\ufffda"},
		{"high surrogate last", "01000000 3dd80000", "\ufffd"},
		{"low surrogate first", "02000000 00de0000 3dd80000", "\ufffd\ufffd"},
		{"no character", "01000000 ffffffff", "\ufffd"},
		{"empty", "00000000", ""},
	} {
		r := NewReader(payload(t, "00010000"+c.hex))
		if got := r.WString("", 0); got != c.want || r.Err() != nil || r.Remaining() != 0 {
			t.Errorf("%s: read %q, %d bytes left, error %v; want %q", c.name, got, r.Remaining(), r.Err(),
				c.want)
		}
	}
}

func TestWStringLenCountsUnits(t *testing.T) {
	if n := WStringLen("a漢😀\xff"); n != 5 {
		t.Errorf("length %d, want 5: one, one, two and one for the invalid byte", n)
	}
}
