package pane

import (
	"image"
	"math"
	"slices"
	"time"

	"simdeck/sim/render"
	"simdeck/ui/canvas"
)

// Graphics is the protocol by which a terminal shows pictures.
type Graphics uint8

// Graphics, from what every terminal has.
const (
	Blocks Graphics = iota // characters, or letters
	Kitty                  // Kitty's protocol, with placeholders
	Sixel
)

// String is the name by which users ask for it.
func (g Graphics) String() string { return [...]string{"blocks", "kitty", "sixel"}[min(g, Sixel)] }

// Pictures is the mode and the geometry in which pictures are drawn now.
type Pictures struct {
	How    Graphics
	Mosaic canvas.Mosaic // of Blocks
	CellW  int           // points of the terminal in a cell
	CellH  int
}

// Picture is an image that the terminal is sent beside the frame.
type Picture struct {
	How  Graphics
	RGB  []uint8
	W, H int             // points
	At   image.Rectangle // cells of the pane's grid
}

// pixelPeriod is the least time between pictures in the terminal's own points.
const pixelPeriod = 95 * time.Millisecond

// mostPoints bounds the size of a picture: more would take longer to draw than
// the time between pictures.
const mostPoints = 320 * 1000

// mostSixel bounds a sixel picture either way: xterm shows nothing of a larger one.
const mostSixel = 1000

// drawPixels draws the picture in the terminal's own points and puts its place
// aside; Camera.Picture hands it out.
func (c *Camera) drawPixels(a canvas.Area, v *View) bool {
	p := v.Pictures
	w, h := a.W()*p.CellW, a.H()*p.CellH
	if p.How == Blocks || v.Plain || w < 8 || h < 8 || a.W() > 256 || a.H() > 256 {
		return false
	}
	at := a.Rect()
	if p.How == Kitty { // scaled by the terminal
		k := min(1, math.Sqrt(mostPoints/float64(w*h)))
		if v.Stripe > 0 { // on a slow line it is coarser instead of partly renewed
			k = min(k, float64(v.Stripe)/float64(a.H()))
		}
		w, h = max(8, int(k*float64(w))), max(8, int(k*float64(h)))
	} else {
		at = middle(at, mostSixel/p.CellW, mostSixel/p.CellH)
		w, h = at.Dx()*p.CellW, at.Dy()*p.CellH
	}
	if same := c.picture.How == p.How && c.picture.At == at; same && v.Now.Sub(c.pixelAt) < pixelPeriod {
		c.late = true
	} else if !c.renderPixels(p.How, at, w, h, v) {
		return false
	}
	if p.How == Kitty {
		a.Place()
	} else {
		a.Reserve()
	}
	return true
}

// middle is the middle of an area, at most so many cells wide and high.
func middle(r image.Rectangle, w, h int) image.Rectangle {
	w, h = min(w, r.Dx()), min(h, r.Dy())
	from := r.Min.Add(image.Pt((r.Dx()-w)/2, (r.Dy()-h)/2))
	return image.Rectangle{Min: from, Max: from.Add(image.Pt(w, h))}
}

func (c *Camera) renderPixels(how Graphics, at image.Rectangle, w, h int, v *View) bool {
	cam := c.camera(w, h, v.Snap)
	if cam.Check() != nil {
		return false
	}
	c.renderer.Render(c.seen(), c.links, &cam, render.Colours, &c.image)
	c.shown = nil // the image is another
	c.picture = Picture{How: how, RGB: c.image.RGB, W: w, H: h, At: at}
	c.fresh, c.late, c.pixelAt = true, false, v.Now
	return true
}

// Late reports that what is seen has changed since the last picture in the
// terminal's points, and that the next may be drawn now.
func (c *Camera) Late(now time.Time) bool { return c.late && now.Sub(c.pixelAt) >= pixelPeriod }

// Placed reports that the last drawing has a place for a picture in the terminal's points.
func (c *Camera) Placed() bool { return c.placed }

// Picture returns the image drawn since the last call, for the terminal; false when there is none.
func (c *Camera) Picture() (Picture, bool) {
	if !c.fresh {
		return Picture{}, false
	}
	c.fresh = false
	p := c.picture
	p.RGB = slices.Clone(p.RGB)
	return p, true
}
