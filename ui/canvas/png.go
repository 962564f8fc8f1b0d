package canvas

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	paint "image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"simdeck/ui/theme"
)

// Sizes in a PNG, in pixels: whole numbers, so that what is drawn meets from cell to cell.
const (
	pixelW, pixelH = 10, 20
	pixelBase      = 15 // of letters
	pixelMargin    = 10
	emPixels       = 16.6637 // the size at which a letter of Go Mono is a cell wide
)

// PNG writes the grid as a picture, a cell 10 by 20 pixels large. Letters are
// those of Go Mono; what it lacks is a frame of the right width.
func (g *CellBuffer) PNG(out io.Writer, t *theme.Theme) error {
	p, err := newPainter(g, t)
	if err != nil {
		return err
	}
	for y := range g.h {
		row := g.cells[y*g.w:][:g.w]
		for x := range row {
			p.cell(row, x, y)
		}
	}
	b := bufio.NewWriter(out)
	if err := png.Encode(b, p.img); err != nil {
		return fmt.Errorf("picture of %d×%d cells: %w", g.w, g.h, err)
	}
	return b.Flush()
}

// painter draws cells into a picture.
type painter struct {
	img   *image.RGBA
	on    screen
	theme *theme.Theme
	faces [2]font.Face // regular, bold
}

func newPainter(g *CellBuffer, t *theme.Theme) (*painter, error) {
	p := &painter{on: screenOf(t), theme: t,
		img: image.NewRGBA(image.Rect(0, 0, g.w*pixelW+2*pixelMargin, g.h*pixelH+2*pixelMargin))}
	for i, ttf := range [][]byte{gomono.TTF, gomonobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return nil, fmt.Errorf("font of pictures: %w", err)
		}
		if p.faces[i], err = opentype.NewFace(f,
			&opentype.FaceOptions{Size: emPixels, DPI: 72, Hinting: font.HintingNone}); err != nil {
			return nil, fmt.Errorf("font of pictures: %w", err)
		}
	}
	p.fill(p.img.Bounds(), p.on.back)
	return p, nil
}

func (p *painter) fill(r image.Rectangle, c RGB) {
	paint.Draw(p.img, r, image.NewUniform(c.opaque()), image.Point{}, paint.Src)
}

func (c RGB) opaque() color.RGBA { return color.RGBA{c[0], c[1], c[2], 255} }

// cell draws a cell; the second half of a wide rune belongs to its first.
func (p *painter) cell(row []Cell, x, y int) {
	c := row[x]
	at := image.Rect(0, 0, pixelW, pixelH).Add(image.Pt(pixelMargin+x*pixelW, pixelMargin+y*pixelH))
	if c.Role == theme.Picture {
		p.fill(at, c.Bg)
		p.boxes(boxes(c.Rune, pixelW, pixelH, 1), at.Min, c.Fg)
		return
	}
	style := p.theme.Style(c.Role)
	fg, bg, filled := p.on.look(style)
	if filled {
		p.fill(at, bg)
	}
	if style.Faint {
		fg = mixed(fg, bg, 0.55)
	}
	if style.Underline {
		p.fill(image.Rect(at.Min.X, at.Max.Y-2, at.Max.X, at.Max.Y-1), fg)
	}
	r, wide := visible(row, x)
	if x > 0 && c.Rune == 0 {
		if _, half := visible(row, x-1); half { // it would be painted over
			p.glyph(row[x-1].Rune, style.Bold, at.Sub(image.Pt(pixelW, 0)), 2*pixelW, fg)
		}
		return
	}
	if r == ' ' || wide || c.Role == theme.Placed || c.Role == theme.Under {
		return
	}
	p.glyph(r, style.Bold, at, pixelW, fg)
}

// glyph draws a rune w pixels wide.
func (p *painter) glyph(r rune, bold bool, at image.Rectangle, w int, fg RGB) {
	if b := boxes(r, pixelW, pixelH, 1); b != nil {
		p.boxes(b, at.Min, fg)
		return
	}
	if o := outlines(r); o != nil {
		p.outlines(o, at.Min, fg)
		return
	}
	face := p.faces[0]
	if bold {
		face = p.faces[1]
	}
	dot := fixed.P(at.Min.X, at.Min.Y+pixelBase)
	to, mask, from, _, ok := face.Glyph(dot, r)
	if !ok || w > pixelW {
		p.frame(image.Rect(at.Min.X+1, at.Min.Y+4, at.Min.X+w-1, at.Max.Y-4), fg)
		return
	}
	clip := to.Intersect(at)
	paint.DrawMask(p.img, clip, image.NewUniform(fg.opaque()), image.Point{}, mask,
		from.Add(clip.Min.Sub(to.Min)), paint.Over)
}

// frame stands for what the font lacks.
func (p *painter) frame(r image.Rectangle, c RGB) {
	for _, side := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+1)}, {image.Pt(r.Min.X, r.Max.Y-1), r.Max},
		{r.Min, image.Pt(r.Min.X+1, r.Max.Y)}, {image.Pt(r.Max.X-1, r.Min.Y), r.Max},
	} {
		p.fill(side, c)
	}
}

func (p *painter) boxes(all []box, at image.Point, c RGB) {
	whole := func(v float64) int { return int(math.Round(v)) }
	for _, b := range all {
		p.fill(image.Rect(whole(b.x), whole(b.y), whole(b.x+b.w), whole(b.y+b.h)).Add(at), c)
	}
}

func (p *painter) outlines(all [][]corner, at image.Point, c RGB) {
	z := vector.NewRasterizer(pixelW, pixelH)
	for _, o := range all {
		for i, v := range o {
			if x, y := v[0]*pixelW, v[1]*pixelH; i == 0 {
				z.MoveTo(x, y)
			} else {
				z.LineTo(x, y)
			}
		}
		z.ClosePath()
	}
	z.Draw(p.img, image.Rect(0, 0, pixelW, pixelH).Add(at), image.NewUniform(c.opaque()), image.Point{})
}

// mixed is a colour of which part is left before another.
func mixed(c, behind RGB, part float64) (m RGB) {
	for i := range m {
		m[i] = uint8(math.Round(part*float64(c[i]) + (1-part)*float64(behind[i])))
	}
	return m
}
