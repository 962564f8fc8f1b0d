package render

import (
	"slices"

	"simdeck/sim/r3"
)

// band is some rows of a picture, drawn by one goroutine.
type band struct {
	r            *pinhole
	edges        [4]r3.Vec // of what is seen: planes through the eye, inward
	canvas       canvas
	points       []r3.Vec // of the shapes that are seen, in the optical frame
	faces        []face
	clear        []layer   // faces through which others show
	across       []float64 // x of the pixels' directions, by column
	rgb          []colour  // of all pixels where others show through, else of a row
	spans        triangleSpans
	shader       shader
	accumulators []accumulator // of all pixels, where there is a cloud
}

// face is a triangle of a shape that may be seen.
type face struct {
	corners [3]int32 // in points
	item    int32
	index   int32 // among the shape's faces
	run     int32
	flipped bool // its back is seen
}

// layer is a face to be drawn over what is behind it.
type layer struct {
	face  int32
	depth float64
}

// canvas is rows of a picture of depths and of what is seen. Depths are kept as
// their inverse, which goes straight over a triangle; 0 is endless.
type canvas struct {
	width      int
	top, below int // rows
	inverse    []float32
	face       []int32 // 1 + index; 0: nothing
}

// frame gives a band its rows, and finds the planes between which things are
// seen.
func (b *band) frame(r *pinhole, top, below int) {
	b.r, b.edges = r, r.lens.edges(top, below)
	b.canvas.width, b.canvas.top, b.canvas.below = r.lens.Width, top, below
}

// edges are the planes through the eye between which some rows are seen, inward, in the optical frame.
func (l *Lens) edges(top, below int) [4]r3.Vec {
	left, right := (-0.5-l.CX)/l.FX, (float64(l.Width)-0.5-l.CX)/l.FX
	high, low := (float64(top)-0.5-l.CY)/l.FY, (float64(below)-0.5-l.CY)/l.FY
	edges := [4]r3.Vec{{X: 1, Z: -left}, {X: -1, Z: right}, {Y: 1, Z: -high}, {Y: -1, Z: low}}
	for i := range edges {
		edges[i], _ = edges[i].Unit()
	}
	return edges
}

func (b *band) draw() {
	r := b.r
	b.canvas.clear(float32(1 / r.far))
	b.points, b.faces, b.clear = b.points[:0], b.faces[:0], b.clear[:0]
	for i := range r.stage.Items {
		b.item(i)
	}
	first, end := b.canvas.top*r.lens.Width, b.canvas.below*r.lens.Width
	if r.wanted&Depths != 0 {
		b.canvas.depths(r.into.Depth[first:end])
	}
	if r.wanted&Labels != 0 {
		labels := r.into.Labels[first:end]
		for i, f := range b.canvas.face {
			labels[i] = 0
			if f > 0 {
				labels[i] = r.stage.Items[b.faces[f-1].item].Label
			}
		}
	}
	if r.wanted&Colours != 0 {
		r.light()
		b.colours(r.into.RGB[3*first : 3*end])
		if r.stage.Cloud != nil {
			b.splats(r.projectSplats(), r.into.RGB[3*first:3*end])
		}
	}
}

// colours shades the band.
func (b *band) colours(into []uint8) {
	l := &b.r.lens
	b.across = sized(b.across, l.Width)
	for x := range b.across {
		b.across[x] = (float64(x) - l.CX) / l.FX
	}
	b.shader.start(b)
	rows := b.canvas.below - b.canvas.top
	if len(b.clear) == 0 {
		b.rgb = sized(b.rgb, l.Width)
		for y := range rows {
			b.row(y, b.rgb)
			bytesOf(b.rgb, into[3*y*l.Width:3*(y+1)*l.Width])
		}
		return
	}
	b.rgb = sized(b.rgb, rows*l.Width)
	for y := range rows {
		b.row(y, b.rgb[y*l.Width:(y+1)*l.Width])
	}
	slices.SortFunc(b.clear, func(p, q layer) int {
		switch {
		case p.depth > q.depth:
			return -1
		case p.depth < q.depth:
			return 1
		}
		return int(p.face) - int(q.face)
	})
	for _, l := range b.clear {
		b.shader.blendTransparent(l.face)
	}
	bytesOf(b.rgb, into)
}

// row shades the opaque pixels of a row, through the water around the eye.
func (b *band) row(y int, out []colour) {
	b.shader.row(y, out)
	if b.r.water.on {
		b.fadeRow(y, out)
	}
}

func (c *canvas) clear(farthest float32) {
	n := c.width * (c.below - c.top)
	c.inverse, c.face = sized(c.inverse, n), sized(c.face, n)
	for i := range c.inverse {
		c.inverse[i] = farthest
	}
	clear(c.face)
}

// depths writes the depths, +Inf where nothing is seen.
func (c *canvas) depths(into []float32) {
	for i, f := range c.face {
		if f > 0 {
			into[i] = 1 / c.inverse[i]
		} else {
			into[i] = endless
		}
	}
}
