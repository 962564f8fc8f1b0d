package texture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"
)

func TestReliefsKeepTheirSixteenBits(t *testing.T) {
	deep := image.NewGray16(image.Rect(0, 0, 2, 2))
	flat := image.NewGray(image.Rect(0, 0, 2, 1))
	for i, v := range []uint16{0, 1, 258, 65535} {
		deep.SetGray16(i%2, i/2, color.Gray16{Y: v})
	}
	flat.SetGray(1, 0, color.Gray{Y: 3})
	var asDeep, asFlat bytes.Buffer
	if png.Encode(&asDeep, deep) != nil || png.Encode(&asFlat, flat) != nil {
		t.Fatal("cannot encode")
	}
	for name, c := range map[string]struct {
		data          []byte
		width, height int
		want          []uint16
	}{
		"16 bits.png": {asDeep.Bytes(), 2, 2, []uint16{0, 1, 258, 65535}},
		"8 bits.png":  {asFlat.Bytes(), 2, 1, []uint16{0, 3 * 257}},
		"binary.pgm":  {[]byte("P5\n# by hand\n2 1\n255\n\x00\xff"), 2, 1, []uint16{0, 65535}},
		"16 bits.pgm": {[]byte("P5 1 2 65535\n\x01\x02\xff\xff"), 1, 2, []uint16{258, 65535}},
		"text.pgm": {[]byte("P2\n2 2 # wide\n10\n0 5\n10 # last row\n1"), 2, 2,
			[]uint16{0, 32767, 65535, 6553}},
		"few greys.pgm": {[]byte("P5 3 1 2 \x00\x01\x02"), 3, 1, []uint16{0, 32767, 65535}},
	} {
		r, err := DecodeRelief(name, c.data)
		if err != nil || r.Width != c.width || r.Height != c.height || !slices.Equal(r.Bright, c.want) {
			t.Errorf("%s: %+v, %v; want %v", name, r, err, c.want)
		}
	}
}

func TestBrokenReliefsAreRefused(t *testing.T) {
	whole := "P5 2 2 255\n1234"
	for n := range len(whole) {
		if r, err := DecodeRelief("a.pgm", []byte(whole[:n])); err == nil {
			t.Errorf("%q was read: %+v", whole[:n], r)
		}
	}
	for text, want := range map[string]error{
		"P5 1000000 1000000 255\n":   ErrCorrupt,
		"P5 99999999999 1 255\n1":    ErrCorrupt,
		"P2 100 100 255 1 2 3":       ErrCorrupt,
		"P2 2 1 255 1 -3":            ErrCorrupt,
		"P5 1 1 70000 11":            ErrCorrupt,
		"P5 0 1 255 11":              ErrCorrupt,
		"P6 1 1 255 111":             ErrFormat,
		"P5 # a comment without end": ErrCorrupt,
	} {
		if r, err := DecodeRelief("a.pgm", []byte(text)); !errors.Is(err, want) || r != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzReliefs(f *testing.F) {
	f.Add([]byte("P5\n# x\n2 1\n255\n\x00\xff"))
	f.Add([]byte("P2 2 2 10 0 5 10 1"))
	f.Add([]byte("\x89PNG"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := DecodeRelief("x", data); err == nil && len(r.Bright) != r.Width*r.Height {
			t.Fatalf("%d × %d pixels with %d values", r.Width, r.Height, len(r.Bright))
		}
	})
}
