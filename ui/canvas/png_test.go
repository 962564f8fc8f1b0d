package canvas

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"testing"

	"golang.org/x/image/math/fixed"

	"simdeck/ui/theme"
)

var update = flag.Bool("update", false, "write the golden picture")

// board has a bit of everything that a frame consists of.
func board() *CellBuffer {
	g := NewCellBuffer(44, 7)
	a := g.All().Frame(theme.Focus)
	a.Text(0, 0, "Entities 12.5 µm → 3°", theme.Title)
	a.Text(23, 0, "▶◀▸⏸◆◇✓✗⚠↗↘↖↙", theme.Good)
	a.Text(0, 1, "> chosen 字 row", theme.Chosen)
	a.Text(23, 1, "⠿⣿⢸⡇▁▂▃▄▅▆▇█▏▌▐", theme.Wall)
	a.Text(0, 2, "faint", theme.Dim)
	a.Text(8, 2, "字幕 हि", theme.Bad)
	for x := range 10 {
		a.PutTile(30+x, 3, Tile{'▀', RGB{uint8(25 * x), 80, 200}, RGB{200, uint8(25 * x), 80}})
	}
	return g
}

func picture(t *testing.T, g *CellBuffer, light bool) image.Image {
	t.Helper()
	th, err := theme.NewOn("ansi", light)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := g.PNG(&b, th); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Edges of letters may come out a little otherwise on other processors.
func TestAPNGIsTheGolden(t *testing.T) {
	for name, light := range map[string]bool{"testdata/board.png": false, "testdata/light.png": true} {
		got := picture(t, board(), light)
		if *update {
			var b bytes.Buffer
			if err := png.Encode(&b, got); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(bytes.NewReader(text))
		if err != nil || want.Bounds() != got.Bounds() {
			t.Fatalf("%s: %v, %v, and now %v", name, err, want.Bounds(), got.Bounds())
		}
		for y := range got.Bounds().Dy() {
			for x := range got.Bounds().Dx() {
				if a, b := pixel(got, x, y), pixel(want, x, y); distance(a, b) > 12 {
					t.Fatalf("%s: %d, %d is %v, and was %v", name, x, y, a, b)
				}
			}
		}
	}
}

func pixel(m image.Image, x, y int) RGB {
	r, g, b, _ := m.At(x, y).RGBA()
	return RGB{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
}

func distance(a, b RGB) (d int) {
	for i := range a {
		d += max(int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return d
}

func TestLinesAndBlocksOfAPNGMeetFromCellToCell(t *testing.T) {
	g := NewCellBuffer(6, 4)
	a := g.All()
	a.Frame(theme.Plain)
	for x := 1; x < 5; x++ {
		a.Put(x, 1, '█', theme.Plain)
		a.PutTile(x, 2, Tile{'▀', RGB{1, 2, 3}, RGB{1, 2, 3}})
	}
	img := picture(t, g, false)
	fore := screenOf(&theme.Theme{}).fore
	for x := pixelMargin + pixelW; x < pixelMargin+5*pixelW; x++ {
		for y := pixelMargin + pixelH; y < pixelMargin+2*pixelH; y++ {
			if c := pixel(img, x, y); c != fore {
				t.Fatalf("in the block, %d, %d is %v", x, y, c)
			}
			if c := pixel(img, x, y+pixelH); c != (RGB{1, 2, 3}) {
				t.Fatalf("in the picture, %d, %d is %v", x, y+pixelH, c)
			}
		}
	}
	ends := 0 // a frame is one line round: every pixel of it has two beside it
	on := func(x, y int) bool { return pixel(img, x, y) == fore }
	left, top := pixelMargin+pixelW/2, pixelMargin+pixelH/2
	for y := pixelMargin; y < pixelMargin+4*pixelH; y++ {
		for x := pixelMargin; x < pixelMargin+6*pixelW; x++ {
			inside := x > left+1 && x < left+4*pixelW+6 && y > top+1 && y < top+3*pixelH-1
			if !on(x, y) || inside {
				continue
			}
			beside := 0
			for _, d := range []image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				if on(x+d.X, y+d.Y) {
					beside++
				}
			}
			if beside < 2 {
				ends++
			}
		}
	}
	if ends > 0 {
		t.Errorf("the frame has %d loose ends", ends)
	}
}

func TestEverySignOfTheConsoleIsDrawnAndNotFramed(t *testing.T) {
	th, _ := theme.New("ansi")
	g := NewCellBuffer(1, 1)
	p, err := newPainter(g, th)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range "─│┌┐└┘├┤┬┴┼▁▂▃▄▅▆▇█▀▏⠿▶◀▸▾⏸■◇◆●○×…·↑↓←→↗↘↙↖✓✗⚠µ°²³−±≤≥–»•ωφπ₀∫" {
		if boxes(r, pixelW, pixelH, 1) != nil || outlines(r) != nil {
			continue
		}
		if _, _, _, _, has := p.faces[0].Glyph(fixed.Point26_6{}, r); !has {
			t.Errorf("%q is neither drawn nor in the font", r)
		}
	}
}
