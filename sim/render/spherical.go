package render

import (
	"math"

	"simdeck/sim/r3"
)

// Bounds of the side of a face of a panorama, px.
const (
	smallestFace = 8
	largestFace  = 1024
)

// panorama draws the picture of a spherical lens, of the six faces of a cube about the eye. A pinhole draws
// each of them.
type panorama struct {
	drawing bool
	lens    Lens // that from is of
	side    int  // px of a face
	from    []facePixel
	used    [6]bool // faces that pixels are seen on
	faces   [6]pinhole
	images  [6]Image
	into    *Image
	wanted  Want
	far     float64
}

// facePixel is the place of a pixel of the panorama on a face.
type facePixel struct {
	face    int8 // negative: the lens sees nothing
	x, y    float32
	stretch float32 // distance over depth
}

// faceTurns turn a camera towards the faces: ahead, left, back, right, up, down.
var faceTurns = [6]r3.Mat{
	r3.Columns(r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)),
	r3.Columns(r3.V(0, 1, 0), r3.V(-1, 0, 0), r3.V(0, 0, 1)),
	r3.Columns(r3.V(-1, 0, 0), r3.V(0, -1, 0), r3.V(0, 0, 1)),
	r3.Columns(r3.V(0, -1, 0), r3.V(1, 0, 0), r3.V(0, 0, 1)),
	r3.Columns(r3.V(0, 0, 1), r3.V(0, 1, 0), r3.V(-1, 0, 0)),
	r3.Columns(r3.V(0, 0, -1), r3.V(0, 1, 0), r3.V(1, 0, 0)),
}

// Ray is the direction of a pixel in the optical frame, with a depth of 1: its z is 1. Of a spherical lens
// its length is 1. False where the lens sees nothing.
func (l *Lens) Ray(u, v float64) (r3.Vec, bool) {
	if !l.Spherical {
		x, y, ok := l.Direction(u, v)
		return r3.V(x, y, 1), ok
	}
	across, down := (u-l.CX)/l.FX, (v-l.CY)/l.FY
	const most = math.Pi + 1e-9
	if math.Abs(across) > most || math.Abs(down) > most/2 {
		return r3.Vec{}, false
	}
	flat := r3.Cos(down)
	return r3.V(flat*r3.Sin(across), r3.Sin(down), flat*r3.Cos(across)), true
}

// prepare finds the place of every pixel on the faces; it does so once for a lens.
func (p *panorama) prepare(l *Lens) {
	if p.lens == *l {
		return
	}
	p.lens, p.used = *l, [6]bool{}
	p.side = int(max(smallestFace, min(largestFace, math.Ceil(2*max(l.FX, l.FY)))))
	p.from = sized(p.from, l.Width*l.Height)
	half := float64(0.5 * float64(p.side))
	for v := range l.Height {
		for u := range l.Width {
			at := &p.from[v*l.Width+u]
			ray, ok := l.Ray(float64(u), float64(v))
			if !ok {
				*at = facePixel{face: -1}
				continue
			}
			body := r3.V(ray.Z, -ray.X, -ray.Y)
			face, best := 0, math.Inf(-1)
			for k := range faceTurns {
				if ahead := faceTurns[k].Col(0).Dot(body); ahead > best {
					face, best = k, ahead
				}
			}
			on := faceTurns[face].ApplyT(body)
			x, y := -on.Y/on.X, -on.Z/on.X
			p.used[face] = true
			*at = facePixel{face: int8(face), x: float32(float64(x*half) + half + 0.5),
				y:       float32(float64(y*half) + half + 0.5),
				stretch: float32(math.Sqrt(1 + float64(x*x) + float64(y*y)))}
		}
	}
}

// begin is Begin of a spherical lens.
func (p *panorama) begin(s *Stage, links []r3.Pose, c *Camera, want Want, into *Image, bands int) int {
	p.prepare(&c.Lens)
	p.drawing, p.into, p.wanted, p.far = true, into, want, c.Far
	half := float64(0.5 * float64(p.side))
	face := Camera{Lens: Lens{Width: p.side + 2, Height: p.side + 2, FX: half, FY: half, CX: half + 0.5,
		CY: half + 0.5}, Near: c.Near / math.Sqrt(3), Far: c.Far} // a corner of the near plane is √3 away
	bands = max(1, min(bands, p.side))
	for k := range p.faces {
		if p.used[k] {
			face.Pose = r3.Pose{Pos: c.Pose.Pos, Rot: c.Pose.Rot.Mul(faceTurns[k].Quat())}
			p.images[k].Fit(&face.Lens, want)
			p.faces[k].begin(s, links, &face, want, &p.images[k], bands)
		}
	}
	return bands + 1
}

// draw is Draw: of every face the band of that number.
func (p *panorama) draw(part int) {
	for k := range p.faces {
		if p.used[k] && part <= len(p.faces[k].bands) {
			p.faces[k].draw(part)
		}
	}
}

// finish puts the picture together. Depths are distances from the eye; depths and labels are those of the
// nearest pixel of a face, and colours are mixed.
func (p *panorama) finish() {
	for k := range p.faces {
		if p.used[k] {
			p.faces[k].finish()
		}
	}
	for i := range p.from {
		at := &p.from[i]
		if at.face < 0 {
			p.blank(i)
			continue
		}
		m := &p.images[at.face]
		nearest := int(at.y+0.5)*m.Width + int(at.x+0.5)
		if p.wanted&Depths != 0 {
			if p.into.Depth[i] = m.Depth[nearest] * at.stretch; float64(p.into.Depth[i]) > p.far {
				p.into.Depth[i] = endless
			}
		}
		if p.wanted&Labels != 0 {
			p.into.Labels[i] = m.Labels[nearest]
		}
		if p.wanted&Colours != 0 {
			m.mix(at.x, at.y, p.into.RGB[3*i:3*i+3])
		}
	}
	p.drawing, p.into = false, nil
}

// blank is a pixel at which the lens sees nothing.
func (p *panorama) blank(i int) {
	if p.wanted&Depths != 0 {
		p.into.Depth[i] = endless
	}
	if p.wanted&Labels != 0 {
		p.into.Labels[i] = 0
	}
	if p.wanted&Colours != 0 {
		clear(p.into.RGB[3*i : 3*i+3])
	}
}

// mix is the colour between four pixels. All of them must be in the picture.
func (m *Image) mix(px, py float32, out []uint8) {
	x, y := int(px), int(py)
	ax, ay := px-float32(x), py-float32(y)
	at := 3 * (y*m.Width + x)
	for k := range out {
		a, b := float32(m.RGB[at+k]), float32(m.RGB[at+3+k])
		c, d := float32(m.RGB[at+3*m.Width+k]), float32(m.RGB[at+3*m.Width+3+k])
		high := float32(a*(1-ax)) + float32(b*ax)
		low := float32(c*(1-ax)) + float32(d*ax)
		out[k] = uint8(float32(high*(1-ay)) + float32(low*ay) + 0.5)
	}
}
