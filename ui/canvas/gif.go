package canvas

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"
	"time"

	"simdeck/ui/theme"
)

// paletteSize is the number of colours that a GIF has beside the transparent one, which stands for a pixel of
// the frame before.
const paletteSize = 255

// GIF writes grids of one size as an animation that repeats, each shown for delay, drawn as PNG draws them.
// All frames share one palette. A frame holds only the rectangle that differs from the frame before.
func GIF(out io.Writer, t *theme.Theme, frames []*CellBuffer, delay time.Duration) error {
	if len(frames) == 0 {
		return errNoFrame
	}
	return animate(out, delay, func(see seen) error { return film(frames, t, see) })
}

// Animation writes n pictures of one size as GIF does; frame draws one and is asked twice for each, in their
// order.
func Animation(out io.Writer, n int, frame func(int) (*image.RGBA, error), delay time.Duration) error {
	if n == 0 {
		return errNoFrame
	}
	return animate(out, delay, func(see seen) error {
		for i := range n {
			img, err := frame(i)
			if err != nil {
				return err
			}
			see(img, img.Bounds())
		}
		return nil
	})
}

var errNoFrame = errors.New("video: no frame was drawn")

// seen is given each frame, with the rectangle of pixels that were drawn anew: all of the first one's.
type seen func(img *image.RGBA, changed image.Rectangle)

// animate writes what run gives to see: once for the colours, once for the frames.
func animate(out io.Writer, delay time.Duration, run func(seen) error) error {
	colours := newHistogram()
	if err := run(colours.count); err != nil {
		return err
	}
	quantizer := colours.quantizer(paletteSize)
	var movie gif.GIF
	var shown *image.Paletted
	hundredths := int(delay / (10 * time.Millisecond))
	err := run(func(img *image.RGBA, changed image.Rectangle) {
		first := shown == nil
		if first {
			shown = image.NewPaletted(img.Bounds(), quantizer.palette)
			movie.Config = image.Config{ColorModel: quantizer.palette, Width: img.Bounds().Dx(),
				Height: img.Bounds().Dy()}
		}
		if changed.Empty() { // the frame before is shown for longer
			movie.Delay[len(movie.Delay)-1] += hundredths
			return
		}
		movie.Image = append(movie.Image, quantizer.difference(img, shown, changed, first))
		movie.Delay = append(movie.Delay, hundredths)
		movie.Disposal = append(movie.Disposal, gif.DisposalNone)
	})
	if err != nil {
		return err
	}
	b := bufio.NewWriter(out)
	if err := gif.EncodeAll(b, &movie); err != nil {
		return fmt.Errorf("video of %d frames: %w", len(movie.Image), err)
	}
	return b.Flush()
}

// film draws frames one over the other and gives each to see, with the rectangle of pixels that were drawn
// anew.
func film(frames []*CellBuffer, t *theme.Theme, see seen) error {
	p, err := newPainter(frames[0], t)
	if err != nil {
		return err
	}
	for i, g := range frames {
		if g.w != frames[0].w || g.h != frames[0].h {
			return fmt.Errorf("video: frame %d is %d×%d cells large, the first is %d×%d", i, g.w, g.h,
				frames[0].w, frames[0].h)
		}
		changed := p.img.Bounds()
		if i > 0 {
			changed = image.Rectangle{}
		}
		for y := range g.h {
			row := g.cells[y*g.w:][:g.w]
			if i > 0 && slices.Equal(row, frames[i-1].cells[y*g.w:][:g.w]) {
				continue
			}
			line := image.Rect(0, pixelMargin+y*pixelH, p.img.Bounds().Max.X, pixelMargin+(y+1)*pixelH)
			p.fill(line, p.on.back)
			changed = changed.Union(line)
			for x := range row {
				p.cell(row, x, y)
			}
		}
		see(p.img, changed)
	}
	return nil
}

// bin is a colour with five bits of each channel, as an index.
type bin uint16

func binOf(r, g, b uint8) bin { return bin(r>>3)<<10 | bin(g>>3)<<5 | bin(b>>3) }

// histogram counts the colours of pixels by their bins.
type histogram struct {
	pixels []uint64
	sums   [][3]uint64 // of the channels, for the mean
}

func newHistogram() *histogram {
	return &histogram{make([]uint64, 1<<15), make([][3]uint64, 1<<15)}
}

func (h *histogram) count(img *image.RGBA, within image.Rectangle) {
	for y := within.Min.Y; y < within.Max.Y; y++ {
		line := img.Pix[img.PixOffset(within.Min.X, y):img.PixOffset(within.Max.X, y)]
		for ; len(line) > 0; line = line[4:] {
			b := binOf(line[0], line[1], line[2])
			h.pixels[b]++
			for c := range h.sums[b] {
				h.sums[b][c] += uint64(line[c])
			}
		}
	}
}

// quantizer gives the index of a palette for every colour. Index 0 is transparent.
type quantizer struct {
	palette color.Palette
	index   []uint8 // by bin; 0: not looked up yet
}

// quantizer makes a palette of the mean colours of the bins with the most pixels.
func (h *histogram) quantizer(size int) *quantizer {
	var used []bin
	for b := range h.pixels {
		if h.pixels[b] > 0 {
			used = append(used, bin(b))
		}
	}
	slices.SortStableFunc(used, func(a, b bin) int { return cmp.Compare(h.pixels[b], h.pixels[a]) })
	q := &quantizer{palette: color.Palette{color.RGBA{}}, index: make([]uint8, 1<<15)}
	for i, b := range used[:min(size, len(used))] {
		mean := func(c int) uint8 { return uint8(h.sums[b][c] / h.pixels[b]) }
		q.palette = append(q.palette, color.RGBA{mean(0), mean(1), mean(2), 255})
		q.index[b] = uint8(i + 1)
	}
	return q
}

// of is the index of the palette's colour that is nearest to that of a pixel.
func (q *quantizer) of(r, g, b uint8) uint8 {
	at := &q.index[binOf(r, g, b)]
	if *at == 0 {
		*at = uint8(1 + q.palette[1:].Index(color.RGBA{r, g, b, 255}))
	}
	return *at
}

// difference is the smallest rectangle that holds all differences between changed and shown, transparent
// where equal; shown holds the frame afterwards. The whole frame is kept where first is set.
func (q *quantizer) difference(img *image.RGBA, shown *image.Paletted, changed image.Rectangle,
	first bool) *image.Paletted {
	var differs image.Rectangle
	now := image.NewPaletted(changed, q.palette)
	for y := changed.Min.Y; y < changed.Max.Y; y++ {
		for x := changed.Min.X; x < changed.Max.X; x++ {
			at := img.Pix[img.PixOffset(x, y):]
			i := q.of(at[0], at[1], at[2])
			if was := &shown.Pix[shown.PixOffset(x, y)]; *was != i {
				*was = i
				now.Pix[now.PixOffset(x, y)] = i
				differs = differs.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if first {
		return now
	}
	if differs.Empty() { // a frame has at least a pixel
		differs = image.Rectangle{changed.Min, changed.Min.Add(image.Pt(1, 1))}
	}
	return now.SubImage(differs).(*image.Paletted)
}
