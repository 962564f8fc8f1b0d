package render

import (
	"slices"

	"simdeck/sim/r3"
)

// Renderer is the memory of one frame after the other.
type Renderer struct {
	lens   Lens // of what is being drawn, never distorted
	eye    r3.Vec
	view   r3.Mat // world to optical frame
	near   float64
	far    float64
	edges  [4]r3.Vec // of what is seen: planes through the eye, inward
	canvas canvas
	points []r3.Vec // of the shapes that are seen, in the optical frame
	faces  []face
	clear  []layer // faces through which others show
	rgb    []colour
	spans  spans

	ambient colour // from everywhere
	lamps   []lamp
	shadows [mostShadows]shadow
	poses   []r3.Pose // of the items in the world

	ideal  Image // before distortion
	warp   warp
	shaded shaded
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

// canvas is a picture of depths and of what is seen. Depths are kept as their
// inverse, which goes straight over a triangle; 0 is endless.
type canvas struct {
	width, height int
	inverse       []float32
	face          []int32 // 1 + index; 0: nothing
}

// Render draws what a camera sees of a stage whose links stand at links. The
// camera must pass its Check; the image gets the parts that are wanted.
func (r *Renderer) Render(s *Stage, links []r3.Pose, c *Camera, want Want, into *Image) {
	into.Fit(&c.Lens, want)
	r.place(s, links)
	if !c.Distorted() {
		r.draw(s, c, want, into)
		return
	}
	r.warp.prepare(&c.Lens)
	plain := *c
	plain.Lens = r.warp.ideal
	r.ideal.Fit(&plain.Lens, want)
	r.draw(s, &plain, want, &r.ideal)
	r.warp.apply(&r.ideal, want, into)
}

// place computes where the items stand.
func (r *Renderer) place(s *Stage, links []r3.Pose) {
	r.poses = r.poses[:0]
	for i := range s.Items {
		it := &s.Items[i]
		p := it.Pose
		if it.Link >= 0 && it.Link < len(links) {
			p = links[it.Link].Mul(p)
		}
		r.poses = append(r.poses, p)
	}
}

func (r *Renderer) draw(s *Stage, c *Camera, want Want, into *Image) {
	r.lens, r.eye, r.view, r.near, r.far = c.Lens, c.Pose.Pos, c.view(), max(c.Near, 1e-4), c.Far
	if !(r.far > r.near) {
		r.far = 1e9
	}
	r.frame()
	r.canvas.clear(c.Width, c.Height, float32(1/r.far))
	r.points, r.faces, r.clear = r.points[:0], r.faces[:0], r.clear[:0]
	for i := range s.Items {
		r.item(s, i, want)
	}
	if want&Depths != 0 {
		r.canvas.depths(into.Depth)
	}
	if want&Labels != 0 {
		for i, f := range r.canvas.face {
			into.Labels[i] = 0
			if f > 0 {
				into.Labels[i] = s.Items[r.faces[f-1].item].Label
			}
		}
	}
	if want&Colours != 0 {
		r.colours(s, into)
	}
}

// colours shades the picture.
func (r *Renderer) colours(s *Stage, into *Image) {
	r.rgb = sized(r.rgb, r.lens.Width*r.lens.Height)
	r.light(s)
	for y := range r.lens.Height {
		r.shadeRow(s, y)
	}
	slices.SortFunc(r.clear, func(a, b layer) int {
		switch {
		case a.depth > b.depth:
			return -1
		case a.depth < b.depth:
			return 1
		}
		return int(a.face) - int(b.face)
	})
	for _, l := range r.clear {
		r.glaze(s, l.face)
	}
	for i, c := range r.rgb {
		for k := range c {
			into.RGB[3*i+k] = byteOf(c[k])
		}
	}
}

// knee is from where on brightness is pressed together, so that what is lit
// more than fully still differs.
const knee = 0.75

func byteOf(f float32) uint8 {
	switch {
	case !(f > 0):
		return 0
	case f > knee:
		over := float32((f - knee) / (1 - knee))
		f = knee + float32((1-knee)*(over/(1+over)))
	}
	return uint8(float32(f*255) + 0.5)
}

func (c *canvas) clear(width, height int, farthest float32) {
	c.width, c.height = width, height
	c.inverse, c.face = sized(c.inverse, width*height), sized(c.face, width*height)
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
