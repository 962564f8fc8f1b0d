package texture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
)

func sample(w, h int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, color.NRGBA{uint8(255 * x / w), 100, 50, 255})
		}
	}
	return m
}

func TestPicturesBecomeTexturesWithSmallerCopies(t *testing.T) {
	var asPNG, asJPEG bytes.Buffer
	if png.Encode(&asPNG, sample(48, 20)) != nil || jpeg.Encode(&asJPEG, sample(48, 20), nil) != nil {
		t.Fatal("cannot encode")
	}
	for name, data := range map[string][]byte{"a.png": asPNG.Bytes(), "a.JPG": asJPEG.Bytes(),
		"wrong.png": asJPEG.Bytes()} {
		got, err := Decode(name, data)
		if err != nil {
			t.Fatal(err)
		}
		first, last := got.Levels[0], got.Levels[len(got.Levels)-1]
		if first.Width != 48 || first.Height != 20 || last.Width != 1 || last.Height != 1 || got.Translucent {
			t.Errorf("%s: levels from %d × %d to %d × %d", name, first.Width, first.Height, last.Width,
				last.Height)
		}
		if g := last.Pix[1]; g < 95 || g > 105 {
			t.Errorf("%s: the mean is %v, want a green of 100", name, last.Pix)
		}
	}
}

func TestWhatIsTooLargeIsHalvedFirst(t *testing.T) {
	got := texture(sample(3000, 10))
	if l := got.Levels[0]; l.Width != 750 {
		t.Errorf("the largest level is %d wide, want 750", l.Width)
	}
}

// bomb is a PNG that announces more pixels than anybody has memory for.
func bomb() []byte {
	header := binary.BigEndian.AppendUint32([]byte("IHDR"), 1<<30)
	header = binary.BigEndian.AppendUint32(header, 1<<30)
	header = append(header, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(out, header...), crc32.ChecksumIEEE(header))
}

func TestWhatIsNoPictureIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"text":       {[]byte("hello"), ErrFormat},
		"empty":      {nil, ErrFormat},
		"cut short":  {[]byte("\x89PNG\r\n\x1a\n"), ErrCorrupt},
		"jpeg stump": {[]byte("\xff\xd8\xff"), ErrCorrupt},
		"bomb":       {bomb(), ErrCorrupt},
	} {
		if _, err := Decode("x.png", c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	var b bytes.Buffer
	if err := png.Encode(&b, sample(5, 3)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(bomb())
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode("x", data)
		if err == nil && len(got.Levels[0].Pix) != 4*got.Levels[0].Width*got.Levels[0].Height {
			t.Error("a level of another size than it says")
		}
	})
}
