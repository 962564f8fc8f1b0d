package texture

import (
	"math"
	"testing"

	"simdeck/sim/scene"
)

// plainTile is a picture of one colour.
func plainTile(r, g, b uint8) *scene.Texture {
	return &scene.Texture{Levels: []scene.TextureLevel{{Width: 1, Height: 1, Pix: []uint8{r, g, b, 0}}}}
}

// A slope rises from 0 m in the west to 10 m in the east. It is red, turns green from 2 m to 6 m, and is blue
// above 8 m.
func TestACoverBlendsItsLayersByHeight(t *testing.T) {
	h := &scene.Heights{Columns: 2, Rows: 2, X: 100, Y: 50, Z: []float32{0, 10, 0, 10}}
	fine := &scene.Texture{Levels: []scene.TextureLevel{{Width: 10, Height: 10, Pix: make([]uint8, 400)}}}
	for i := 0; i < 400; i += 4 {
		fine.Levels[0].Pix[i] = 255
	}
	got := Cover(h, []Layer{{Image: fine, Size: 10},
		{Image: plainTile(0, 255, 0), Size: 10, From: 2, Fade: 4},
		{Image: plainTile(0, 0, 255), Size: 10, From: 8}})
	l := got.Levels[0]
	if l.Width != 100 || l.Height != 50 || got.Translucent || len(got.Levels) != 7 ||
		got.Levels[6].Width != 1 {
		t.Fatalf("%d × %d, %d levels", l.Width, l.Height, len(got.Levels))
	}
	for row := range l.Height {
		for column := range l.Width {
			z := 10 * (float64(column) + 0.5) / 100
			green := math.Max(0, math.Min(1, (z-2)/4))
			want := [4]float64{255 * (1 - green), 255 * green, 0, 255}
			if z > 8 {
				want = [4]float64{0, 0, 255, 255}
			}
			for k := range 4 {
				if v := float64(l.Pix[4*(row*l.Width+column)+k]); math.Abs(v-want[k]) > 1 {
					t.Fatalf("pixel %d %d at %.2f m: channel %d is %v, want %v", column, row, z, k, v,
						want[k])
				}
			}
		}
	}
}

// Tiles begin in the corner of the least x and y, upright, and repeat as often as they fit. A tile finer than
// the cover comes from a smaller level of the picture.
func TestACoverRepeatsItsTiles(t *testing.T) {
	tile := &scene.Texture{Levels: []scene.TextureLevel{
		// the upper row first
		{Width: 2, Height: 2, Pix: []uint8{1, 0, 0, 255, 2, 0, 0, 255, 3, 0, 0, 255, 4, 0, 0, 255}},
		{Width: 1, Height: 1, Pix: []uint8{9, 0, 0, 255}},
	}}
	flat := func(x, y float64) *scene.Heights {
		return &scene.Heights{Columns: 3, Rows: 3, X: x, Y: y, Z: make([]float32, 9)}
	}
	l := Cover(flat(6, 4), []Layer{{Image: tile, Size: 2}}).Levels[0]
	if l.Width != 6 || l.Height != 4 {
		t.Fatalf("%d × %d", l.Width, l.Height)
	}
	for i, want := range []uint8{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4} {
		if l.Pix[4*i] != want {
			t.Errorf("pixel %d is of %d, want %d", i, l.Pix[4*i], want)
		}
	}
	l = Cover(flat(10000, 10000), []Layer{{Image: tile, Size: 1}}).Levels[0]
	if l.Width != coverEdge || l.Height != coverEdge || l.Pix[0] != 9 {
		t.Errorf("%d × %d of %d", l.Width, l.Height, l.Pix[0])
	}
}
