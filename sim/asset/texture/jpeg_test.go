package texture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"strings"
	"testing"
)

// progressive is a grey JPEG of scans over the whole picture, which no encoder of the standard library
// writes. Each scan holds zeros alone, and the components have a share of the resolution.
func progressive(width, height, scans int, share byte) []byte {
	u16 := binary.BigEndian.AppendUint16
	out := []byte{0xff, jpegImage, 0xff, 0xdb, 0, 67, 0} // quantisation by ones
	out = append(out, bytes.Repeat([]byte{1}, 64)...)
	out = append(out, 0xff, jpegProgressive, 0, 17, 8)
	out = append(u16(u16(out, uint16(height)), uint16(width)), 3, 1, share, 0, 2, 0x11, 0, 3, 0x11, 0)
	// one code of one bit: the difference to the block before is nothing; so is the block
	for class := range byte(2) {
		out = append(append(out, 0xff, 0xc4, 0, 20, class<<4, 1), make([]byte, 16)...)
	}
	for k := range scans {
		blocks := 0
		if k == 0 {
			out = append(out, 0xff, jpegScan, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)
			wide, high := 8*int(share>>4), 8*int(share&15)
			blocks = ((width + wide - 1) / wide) * ((height + high - 1) / high) * (2 +
				int(share>>4)*int(share&15))
		} else {
			out = append(out, 0xff, jpegScan, 0, 8, 1, 1, 0, 1, 63, 0)
			blocks = ((width + 7) / 8) * ((height + 7) / 8)
		}
		out = append(out, make([]byte, (blocks+7)/8)...)
	}
	return append(out, 0xff, jpegEnd)
}

func TestProgressivePicturesAreReadUpToWhatTheyCost(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		scans         int
		share         byte
		says          string
	}{
		{"small", 50, 30, 3, 0x11, ""},
		{"small, with coarse colours", 50, 30, 3, 0x22, ""},
		{"large, with coarse colours", 4096, 4096, 1, 0x22, ""},
		{"large, with all colours", 4096, 4096, 1, 0x11, "of 50331648 samples, at most 29360128"},
		{"in many passes", 256, 256, 101, 0x11, "in 101 scans, at most 100"},
	} {
		data := progressive(c.width, c.height, c.scans, c.share)
		img, err := decode("x.jpg", data)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.says == "" && img.Bounds().Size() != image.Pt(c.width, c.height):
			t.Errorf("%s: it is %v", c.name, img.Bounds())
		case c.says != "" && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func TestWhatStandsBeforeAProgressiveFrameHidesNothing(t *testing.T) {
	data := progressive(4096, 4096, 1, 0x11)
	for name, before := range map[string][]byte{
		"a comment":    {0xff, 0xfe, 0, 5, 'a', 0xff, jpegScan},
		"fill bytes":   {0xff, 0xff, 0xff},
		"garbage":      {1, 2, 3, 0xff, 0, 4},
		"a restart":    {0xff, 0xd3},
		"no comment":   {0xff, 0xfe, 0, 2},
		"a thumbnail":  append([]byte{0xff, 0xe1, 0, 12}, "\xff\xc2\x00\x0b\x08\x00\x01\x00\x01\x01"...),
		"two comments": {0xff, 0xfe, 0, 3, 'a', 0xff, 0xfe, 0, 3, 'b'},
	} {
		hidden := append(append(append([]byte{}, data[:2]...), before...), data[2:]...)
		if _, err := decode("x.jpg", hidden); err == nil || !strings.Contains(err.Error(), "samples") {
			if _, theirs := jpeg.DecodeConfig(bytes.NewReader(hidden)); theirs == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
