package render

import (
	"sync"

	"simdeck/sim/r3"
)

// Renderer is the memory of one frame after the other.
type Renderer struct {
	pinhole
	panorama *panorama // nil: no spherical lens was used yet
}

// pinhole draws the pictures of pinholes, distorted or not.
type pinhole struct {
	stage  *Stage
	wanted Want
	into   *Image
	lens   Lens // of what is being drawn, never distorted
	eye    r3.Vec
	view   r3.Mat // world to optical frame
	near   float64
	far    float64
	poses  []r3.Pose // of the items in the world
	bands  []band
	exact  bool // the light is looked at for every pixel
	water  fade // around the eye

	lighting  sync.Mutex
	lit       bool // the lamps are ready
	projected bool // the splats are
	splats    splatBuffer
	ambient   colour // from everywhere
	lamps     []lamp
	shadows   [mostShadows]shadow

	bent  *Image // target of the distorted picture; nil: none
	ideal Image  // before distortion
	warp  warp
}

// Render draws what a camera sees of a stage whose links stand at links. The
// camera must pass its Check; the image gets the parts that are wanted.
func (r *Renderer) Render(s *Stage, links []r3.Pose, c *Camera, want Want, into *Image) {
	for part := range r.Begin(s, links, c, want, into, 1) {
		r.Draw(part)
	}
	r.Finish()
}

// Begin prepares what Render does in parts, with the picture in so many bands,
// and says how many parts there are. They can be drawn in any order and several
// at a time; the picture is the same, bit for bit, however many bands it has.
// Between Begin and Finish nothing of what it was given may change.
func (r *Renderer) Begin(s *Stage, links []r3.Pose, c *Camera, want Want, into *Image, bands int) int {
	into.Fit(&c.Lens, want)
	if !c.Spherical {
		return r.pinhole.begin(s, links, c, want, into, bands)
	}
	if r.panorama == nil {
		r.panorama = &panorama{}
	}
	return r.panorama.begin(s, links, c, want, into, bands)
}

// Draw draws one part.
func (r *Renderer) Draw(part int) {
	if r.panorama != nil && r.panorama.drawing {
		r.panorama.draw(part)
		return
	}
	r.pinhole.draw(part)
}

// Finish completes the picture once all parts are drawn.
func (r *Renderer) Finish() {
	if r.panorama != nil && r.panorama.drawing {
		r.panorama.finish()
		return
	}
	r.pinhole.finish()
}

// begin is Renderer.Begin for an image that fits.
func (r *pinhole) begin(s *Stage, links []r3.Pose, c *Camera, want Want, into *Image, bands int) int {
	r.stage, r.wanted, r.into, r.bent = s, want, into, nil
	r.lens = c.Lens
	if c.Distorted() {
		r.warp.prepare(&c.Lens)
		r.lens = r.warp.ideal
		r.ideal.Fit(&r.lens, want)
		r.into, r.bent = &r.ideal, into
	}
	r.eye, r.view, r.near, r.far = c.Pose.Pos, c.view(), max(c.Near, 1e-4), c.Far
	if !(r.far > r.near) {
		r.far = 1e9
	}
	r.water = fadeOf(s.Ambience.Water, r.eye)
	r.place(s, links)
	r.lit = want&Colours == 0
	r.projected = r.lit || s.Cloud == nil
	bands = max(1, min(bands, r.lens.Height))
	for len(r.bands) < bands {
		r.bands = append(r.bands, band{})
	}
	r.bands = r.bands[:bands]
	for i := range r.bands {
		r.bands[i].frame(r, i*r.lens.Height/bands, (i+1)*r.lens.Height/bands)
	}
	return bands + 1
}

func (r *pinhole) draw(part int) {
	if part == 0 {
		r.light()
		r.projectSplats()
		return
	}
	r.bands[part-1].draw()
}

func (r *pinhole) finish() {
	if r.bent != nil {
		r.warp.apply(&r.ideal, r.wanted, r.bent)
	}
	r.stage, r.into, r.bent = nil, nil, nil
}

// place computes where the items stand.
func (r *pinhole) place(s *Stage, links []r3.Pose) {
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
