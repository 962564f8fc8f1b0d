package texture

import (
	"errors"
	"strings"
	"testing"
)

func TestGreymapsBecomeTextures(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		want []uint8 // grey values
	}{
		"binary":      {"P5 2 2 255\n\x00\x40\x80\xff", []uint8{0, 0x40, 0x80, 0xff}},
		"plain":       {"P2\n# a comment\n2 #another\n1\n15\n0 15", []uint8{0, 255}},
		"wide":        {"P5\n1 1\n65535\n\x80\x00", []uint8{128}},
		"above white": {"P2 1 1 4 9", []uint8{255}},
	} {
		got, err := Decode("x.pgm", []byte(c.data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, want := range c.want {
			if p := got.Levels[0].Pix[4*i:]; p[0] != want || p[1] != want || p[3] != 255 {
				t.Errorf("%s: pixel %d is %v, want %d", name, i, p[:4], want)
			}
		}
	}
}

func TestWhatIsNoGreymapIsRefused(t *testing.T) {
	for _, data := range []string{"P5", "P5 2 2 255\nabc", "P5 1 1 0\n", "P5 1 1 99999\n", "P2 1 1 9 x",
		"P5 99999999999 1 9\n", "P5 60000 60000 255\n", "P5 -1 1 9\n"} {
		if _, err := Decode("x.pgm", []byte(data)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%q: %v", data, err)
		}
	}
	full := "P5 2 2 255\nabcd"
	for i := 2; i < len(full); i++ {
		if _, err := Decode("x.pgm", []byte(full[:i])); err == nil {
			t.Errorf("the prefix %q is read", full[:i])
		}
	}
}

func FuzzGreymap(f *testing.F) {
	f.Add([]byte("P5 2 2 255\n\x00\x40\x80\xff"))
	f.Add([]byte("P2\n# a comment\n2 #another\n1\n15\n0 15"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2 && strings.HasPrefix(string(data), "P") {
			_, _ = Decode("x.pgm", data)
		}
	})
}
