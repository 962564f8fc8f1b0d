package canvas

import (
	"bytes"
	"image"
	paint "image/draw"
	"image/gif"
	"strings"
	"testing"
	"time"

	"simdeck/ui/theme"
)

// movie is a GIF of grids, as it is read again.
func movie(t *testing.T, frames ...*CellBuffer) *gif.GIF {
	t.Helper()
	th, err := theme.New("ansi")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := GIF(&b, th, frames, 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestEveryFrameOfAVideoShowsWhatItsPNGShows(t *testing.T) {
	a, b := board(), board()
	b.All().Text(3, 5, "later", theme.Good)
	b.All().PutTile(30, 3, Tile{'▀', RGB{255, 0, 0}, RGB{0, 255, 0}})
	frames := []*CellBuffer{a, b, a}
	g := movie(t, frames...)
	if len(g.Image) != 3 || g.Delay[0] != 10 {
		t.Fatalf("%d frames of %v hundredths, want 3 of 10", len(g.Image), g.Delay)
	}
	screen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for i, frame := range g.Image {
		paint.Draw(screen, frame.Bounds(), frame, frame.Bounds().Min, paint.Over)
		want := picture(t, frames[i], false)
		if want.Bounds() != screen.Bounds() {
			t.Fatalf("the video is %v large, a picture %v", screen.Bounds(), want.Bounds())
		}
		far := 0
		for y := range want.Bounds().Dy() {
			for x := range want.Bounds().Dx() {
				if distance(pixel(screen, x, y), pixel(want, x, y)) > 60 {
					far++
				}
			}
		}
		if far > 20 {
			t.Errorf("frame %d: %d pixels are far from those of the picture", i, far)
		}
	}
}

func TestAFrameOfAVideoHoldsOnlyWhatChanged(t *testing.T) {
	a, b := board(), board()
	b.All().Put(5, 5, '#', theme.Good)
	g := movie(t, a, b, b, a)
	if len(g.Image) != 3 || g.Delay[1] != 20 {
		t.Errorf("%d frames of %v hundredths, want 3, of which one that did not change is shown twice as long",
			len(g.Image), g.Delay)
	}
	if r := g.Image[1].Bounds(); r.Dx() > pixelW || r.Dy() > pixelH {
		t.Errorf("one cell changed, and the frame holds %v", r)
	}
}

func TestFramesOfAVideoAreOfOneSize(t *testing.T) {
	th, _ := theme.New("ansi")
	var b bytes.Buffer
	err := GIF(&b, th, []*CellBuffer{NewCellBuffer(4, 4), NewCellBuffer(5, 4)}, time.Second)
	if err == nil || !strings.Contains(err.Error(), "frame 1 is 5×4 cells large, the first is 4×4") {
		t.Errorf("frames of two sizes: %v", err)
	}
	if err := GIF(&b, th, nil, time.Second); err == nil {
		t.Error("a video without frames was written")
	}
}

func TestAnAnimationShowsItsPicturesOneAfterTheOther(t *testing.T) {
	ball := func(i int) (*image.RGBA, error) {
		img := image.NewRGBA(image.Rect(0, 0, 40, 20))
		paint.Draw(img, img.Bounds(), image.White, image.Point{}, paint.Src)
		paint.Draw(img, image.Rect(10*i, 5, 10*i+5, 10), image.Black, image.Point{}, paint.Src)
		return img, nil
	}
	var b bytes.Buffer
	if err := Animation(&b, 3, ball, 200*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != 3 || g.Delay[0] != 20 {
		t.Fatalf("%d frames of %v hundredths, want 3 of 20", len(g.Image), g.Delay)
	}
	if r := g.Image[2].Bounds(); r != image.Rect(10, 5, 25, 10) {
		t.Errorf("the ball went from 10 to 25, and the frame holds %v", r)
	}
	if err := Animation(&b, 0, ball, time.Second); err == nil {
		t.Error("an animation without frames was written")
	}
}
