package texture

import (
	"encoding/binary"
	"errors"
	"testing"
)

// bmp is a file of 3 × 2 pixels: red, green, blue, and below them white, black, grey. Its rows begin at the
// bottom.
func bmp(depth int, packing uint32, down bool, palette, masks []uint32, rows ...[]byte) []byte {
	u16, u32 := binary.LittleEndian.AppendUint16, binary.LittleEndian.AppendUint32
	height := uint32(len(rows))
	if down {
		height = -height
	}
	var rest []byte
	for _, v := range append(masks, palette...) {
		rest = u32(rest, v)
	}
	b := u32(u32(u32([]byte("BM"), 0), 0), uint32(54+len(rest)))
	b = u16(u16(u32(u32(u32(b, 40), 3), height), 1), uint16(depth))
	b = u32(u32(u32(u32(u32(u32(b, packing), 0), 0), 0), uint32(len(palette))), 0)
	b = append(b, rest...)
	for i := range rows {
		row := rows[len(rows)-1-i]
		if down {
			row = rows[i]
		}
		b = append(b, row...)
		b = append(b, make([]byte, (4-len(row)%4)%4)...)
	}
	return b
}

func words(size int, values ...uint32) (b []byte) {
	for _, v := range values {
		b = append(b, binary.LittleEndian.AppendUint32(nil, v)[:size]...)
	}
	return b
}

func TestBitmapsOfEveryDepthShowTheSame(t *testing.T) {
	colours := []uint32{0xff0000, 0x00ff00, 0x0000ff, 0xffffff, 0x000000, 0x808080}
	for name, data := range map[string][]byte{
		"24":      bmp(24, 0, false, nil, nil, words(3, colours[:3]...), words(3, colours[3:]...)),
		"24 down": bmp(24, 0, true, nil, nil, words(3, colours[:3]...), words(3, colours[3:]...)),
		"32":      bmp(32, 0, false, nil, nil, words(4, colours[:3]...), words(4, colours[3:]...)),
		"32 masks": bmp(32, 3, false, nil, []uint32{0xff, 0xff00, 0xff0000, 0},
			words(4, 0xff, 0xff00, 0xff0000), words(4, 0xffffff, 0, 0x808080)),
		"16": bmp(16, 0, false, nil, nil, words(2, 0x7c00, 0x3e0, 0x1f), words(2, 0x7fff, 0, 0x4210)),
		"16 masks": bmp(16, 3, false, nil, []uint32{0xf800, 0x7e0, 0x1f, 0}, words(2, 0xf800, 0x7e0, 0x1f),
			words(2, 0xffff, 0, 0x8410)),
		"8":          bmp(8, 0, false, colours, nil, []byte{0, 1, 2}, []byte{3, 4, 5}),
		"4":          bmp(4, 0, false, colours, nil, []byte{0x01, 0x20}, []byte{0x34, 0x50}),
		"as it says": bmp(24, 0, false, nil, nil, words(3, colours[:3]...), words(3, colours[3:]...)),
	} {
		got, err := Decode("x.bmp", data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		l := got.Levels[0]
		if l.Width != 3 || l.Height != 2 || got.Translucent {
			t.Errorf("%s: %d × %d, translucent %v", name, l.Width, l.Height, got.Translucent)
			continue
		}
		for i, c := range colours {
			for k := range 3 {
				want, have := int(c>>(16-8*k)&0xff), int(l.Pix[4*i+k])
				if have < want-4 || have > want+4 {
					t.Errorf("%s: pixel %d is %v, want %06x", name, i, l.Pix[4*i:4*i+4], c)
					break
				}
			}
		}
	}
}

func TestEveryPrefixOfABitmapIsRefused(t *testing.T) {
	data := bmp(8, 0, false, []uint32{1, 2, 3}, nil, []byte{0, 1, 2}, []byte{2, 1, 0})
	for n := 2; n < len(data); n++ {
		if _, err := Decode("x.bmp", data[:n]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d of %d bytes: %v", n, len(data), err)
		}
	}
	for at, v := range map[int]byte{28: 7, 30: 1, 18: 0, 25: 0x80, 14: 200, 10: 255} {
		other := append([]byte{}, data...)
		if other[at] = v; at == 18 {
			other[19] = 0x10
		}
		if _, err := Decode("x.bmp", other); !errors.Is(err, ErrCorrupt) {
			t.Errorf("byte %d as %d: %v", at, v, err)
		}
	}
}

func FuzzBitmap(f *testing.F) {
	f.Add(bmp(8, 0, false, []uint32{1, 2, 3}, nil, []byte{0, 1, 2}, []byte{2, 1, 0}))
	f.Add(bmp(16, 3, true, nil, []uint32{0xf800, 0x7e0, 0x1f, 0}, words(2, 1, 2, 3)))
	f.Add(bmp(4, 0, false, []uint32{7}, nil, []byte{0x01, 0x20}))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode("x", append([]byte("BM"), data...))
		if err == nil && len(got.Levels[0].Pix) != 4*got.Levels[0].Width*got.Levels[0].Height {
			t.Error("a level of another size than it says")
		}
	})
}
