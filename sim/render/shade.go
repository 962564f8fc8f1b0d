package render

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// shader finds the colours of pixels: a row after the other, and in a row the runs of pixels of one face.
// Values constant over a face, a row or a run are computed once. Along a run the others change linearly, or
// are quotients of such values. A renderer's rows can be shaded by several.
type shader struct {
	b *band
	r *pinhole
	s *Stage

	*faceSetup // of the current face
	rail       [256]faceSetup

	// Of a row, and of a run in it: the forms at x = 0, and their change by x.
	dy               float64
	normal0, normal1 r3.Vec
	way0, way1       r3.Vec
	weight0          float64
	u0, v0           float64
	shade            [mostShadows]shadowCoord

	samples [2]lightSample
}

// faceSetup is a face prepared. Factors of a pixel's direction (x, y, 1) are linear forms.
type faceSetup struct {
	face   int32 // 1 + index; 0: none
	paint  *paint
	flat   r3.Vec // its normal in the world frame, toward the eye
	smooth bool   // the normal bends over the face
	bend   r3.Mat // the bent normal, of any length
	image  bool   // it has a texture
	weight r3.Vec // divisor of u and v
	u, v   r3.Vec
	place  bool // lamps ask where a pixel is
	deep   bool // shadows and the ground's grid do
	shines bool // highlights are seen on it
	ground bool // a grid is drawn on it
}

// start forgets the faces of another picture.
func (h *shader) start(b *band) {
	h.b, h.r, h.s = b, b.r, b.r.stage
	for i := range h.rail {
		h.rail[i].face = 0
	}
	h.faceSetup = &h.rail[0]
}

// row shades the opaque pixels of a row of the band.
func (h *shader) row(row int, out []colour) {
	c, l := &h.b.canvas, &h.r.lens
	faces, inverse := c.face[row*c.width:(row+1)*c.width], c.inverse[row*c.width:(row+1)*c.width]
	h.dy = (float64(c.top+row) - l.CY) / l.FY
	for from := 0; from < len(faces); {
		id, to := faces[from], from+1
		for to < len(faces) && faces[to] == id {
			to++
		}
		if id == 0 {
			for x := from; x < to; x++ {
				out[x] = h.r.nothing(h.s, r3.V(h.b.across[x], h.dy, 1))
			}
		} else {
			h.turnTo(id)
			h.shadeRun(from, inverse[from:to], out[from:to])
		}
		from = to
	}
}

// shadeRun shades a run of pixels of the current face.
func (h *shader) shadeRun(from int, inverse []float32, out []colour) {
	h.begin()
	a, b := &h.samples[0], &h.samples[1]
	h.sampleLights(h.b.across[from], 1/float64(inverse[0]), a)
	if !h.smooth && !h.image && !h.place && !h.deep {
		c, _ := h.pixel(0, 1, a)
		for i := range out {
			out[i] = c
		}
		return
	}
	step := lightSampleStep
	if h.shines {
		step = lightSampleStep / 2 // highlights are small
	}
	for i := 0; i < len(out); {
		last := min(i+step, len(out)-1)
		if last > i {
			h.sampleLights(h.b.across[from+last], 1/float64(inverse[last]), b)
		}
		end := last
		if last == len(out)-1 {
			end++
		}
		h.between(i, end, last, from, inverse, out)
		h.samples[0], h.samples[1] = h.samples[1], h.samples[0]
		i = end
	}
}

// between shades the pixels from i to end. Their light is interpolated from the first light sample at i to
// the second at last, and exact where a lamp's visibility changes.
func (h *shader) between(i, end, last, from int, inverse []float32, out []colour) {
	a, b := &h.samples[0], &h.samples[1]
	exact := h.r.exact || last-i < 2
	if !exact {
		exact = a.step(b, 1/float32(last-i))
	}
	if !exact && !h.deep && !h.shines {
		h.interpolateRow(i, end, last, from, out)
		return
	}
	for {
		out[i], _ = h.pixel(h.b.across[from+i], float64(inverse[i]), a)
		if i++; i >= end {
			return
		}
		if exact {
			h.sampleLights(h.b.across[from+i], 1/float64(inverse[i]), a)
		} else {
			a.advance()
		}
	}
}

// interpolateRow is between where nothing but the light and the texture changes.
func (h *shader) interpolateRow(i, end, last, from int, out []colour) {
	p := h.paint
	light, to := h.reflected(&h.samples[0]), h.reflected(&h.samples[1])
	step := to.add(light.scale(-1)).scale(1 / float32(last-i))
	for ; i < end; i++ {
		c := light
		if h.image {
			t, _ := h.texel(h.b.across[from+i])
			c = c.mul(t)
		}
		out[i] = p.emissive.add(c)
		light = light.add(step)
	}
}

// reflected is the light of a sample that the paint throws back.
func (h *shader) reflected(k *lightSample) colour {
	out := h.paint.ambient.mul(h.r.ambient.scale(k.around))
	for i := range k.lamps {
		out = out.add(h.paint.diffuse.mul(h.r.lamps[i].colour).scale(k.lamps[i].fall))
	}
	return out
}

// turnTo prepares shading of a face.
func (h *shader) turnTo(id int32) {
	if h.face == id {
		return
	}
	h.faceSetup = &h.rail[id&int32(len(h.rail)-1)]
	if h.face == id {
		return
	}
	r, points := h.r, h.b.points
	f := &h.b.faces[id-1]
	shape := h.s.Items[f.item].Shape
	h.face, h.paint = id, &shape.materials[f.run].paint
	a, b, c := points[f.corners[0]], points[f.corners[1]], points[f.corners[2]]
	h.flat = r.view.ApplyT(unit(b.Sub(a).Cross(c.Sub(a))))
	if f.flipped {
		h.flat = h.flat.Neg()
	}
	h.smooth, h.image = false, false
	if shape.corners != nil {
		corners := &shape.corners[f.index]
		h.smooth, h.image = corners[0].Normal != [3]float32{}, h.paint.image != nil
		if h.smooth || h.image {
			h.hasGradient(a, b, c, corners, r.poses[f.item].Rot, f.flipped)
		}
	}
	h.ground = h.s.Grid && h.flat.Z > 0.999 && math.Abs(r.eye.Z+r.view.ApplyT(a).Z) < 0.02
	h.place, h.deep, h.shines = false, h.ground, false
	for i := range r.lamps {
		l := &r.lamps[i]
		h.shines = h.shines || !h.paint.specular.black() && !l.specular.black()
		h.deep = h.deep || l.shadow >= 0
		h.place = h.place || l.kind != directional
	}
	h.place = h.place || h.shines
}

// hasGradient finds the linear forms of a face: a corner weighs at d as the triangle of d and the other two.
func (h *faceSetup) hasGradient(a, b, c r3.Vec, corners *[3]scene.Corner, rot r3.Quat, flipped bool) {
	weights := [3]r3.Vec{b.Cross(c), c.Cross(a), a.Cross(b)}
	if a.Dot(weights[0]) < 0 {
		weights = [3]r3.Vec{weights[0].Neg(), weights[1].Neg(), weights[2].Neg()}
	}
	h.weight = weights[0].Add(weights[1]).Add(weights[2])
	if h.image {
		h.u, h.v = r3.Vec{}, r3.Vec{}
		for k, w := range weights {
			h.u = h.u.AddScaled(float64(corners[k].UV[0]), w)
			h.v = h.v.AddScaled(float64(corners[k].UV[1]), w)
		}
	}
	if !h.smooth {
		return
	}
	var x, y, z r3.Vec // rows
	for k, w := range weights {
		c := corners[k].Normal
		n := rot.Rotate(r3.V(float64(c[0]), float64(c[1]), float64(c[2])))
		if flipped {
			n = n.Neg()
		}
		x, y, z = x.AddScaled(n.X, w), y.AddScaled(n.Y, w), z.AddScaled(n.Z, w)
	}
	h.bend = r3.Columns(x, y, z).T()
}

// begin prepares a run: the forms where the picture's x is 0.
func (h *shader) begin() {
	d := r3.V(0, h.dy, 1)
	if h.smooth {
		h.normal0, h.normal1 = h.bend.Apply(d), h.bend.Col(0)
	}
	if h.image {
		h.weight0, h.u0, h.v0 = h.weight.Dot(d), h.u.Dot(d), h.v.Dot(d)
	}
	if h.place || h.deep {
		h.way0, h.way1 = h.r.view.ApplyT(d), h.r.view.Row(0)
	}
	if !h.deep {
		return
	}
	for i := range h.r.lamps {
		if m := h.r.lamps[i].shadow; m >= 0 {
			h.shade[m] = h.r.shadows[m].along(h.r.eye, h.way0, h.way1, h.flat)
		}
	}
}

// pixel is the color of the current face at the picture's x = dx, at an inverse depth and in the light of a
// sample. It also returns the opacity.
func (h *shader) pixel(dx, near float64, k *lightSample) (colour, float32) {
	r, p, depth := h.r, h.paint, 0.0
	if h.deep {
		depth = 1 / near
	}
	diffuse, ambient, alpha := p.diffuse, p.ambient, p.alpha
	if h.image {
		t, a := h.texel(dx)
		diffuse, ambient, alpha = diffuse.mul(t), ambient.mul(t), alpha*a
	}
	if h.ground {
		at := r.eye.AddScaled(depth, h.way0.AddScaled(dx, h.way1))
		diffuse, ambient = r.grid(diffuse, at, depth), r.grid(ambient, at, depth)
	}
	out := p.emissive.add(ambient.mul(r.ambient.scale(k.around)))
	for i := range k.lamps {
		l, g := &r.lamps[i], &k.lamps[i]
		if g.fall <= 0 {
			continue
		}
		open := float32(1)
		if l.shadow >= 0 {
			if open = r.shadows[l.shadow].open(&h.shade[l.shadow], dx, depth); open <= 0 {
				continue
			}
		}
		out = out.add(diffuse.mul(l.colour).scale(g.fall * open))
		if h.shines && g.specular > 0 {
			shine := g.specular
			for range p.gloss {
				shine *= shine
			}
			out = out.add(p.specular.mul(l.specular).scale(shine * g.diffuse * open))
		}
	}
	return out, alpha
}

// texel is the texture where the picture's x is dx; how large a pixel is on it follows from how u
// and v change.
func (h *shader) texel(dx float64) (colour, float32) {
	weight := h.weight0 + float64(dx*h.weight.X)
	if !(weight > 0) {
		return colour{1, 1, 1}, 1
	}
	k := 1 / weight
	u, v := float64((h.u0+float64(dx*h.u.X))*k), float64((h.v0+float64(dx*h.v.X))*k)
	l := &h.r.lens
	byX := math.Abs(h.u.X-float64(u*h.weight.X)) + math.Abs(h.v.X-float64(v*h.weight.X))
	byY := math.Abs(h.u.Y-float64(u*h.weight.Y)) + math.Abs(h.v.Y-float64(v*h.weight.Y))
	return texel(h.paint.image, u, v, float64(k*max(byX/l.FX, byY/l.FY)))
}

// blendTransparent draws a face over what is there.
func (h *shader) blendTransparent(index int32) {
	f, l, p, c := &h.b.faces[index], &h.r.lens, &h.b.spans, &h.b.canvas
	points := h.b.points
	s, t, u := &points[f.corners[0]], &points[f.corners[1]], &points[f.corners[2]]
	n := t.Sub(*s).Cross(u.Sub(*s))
	h.turnTo(index + 1)
	p.set(l, s, t, u, n, n.Dot(*s), h.r.near)
	p.each(c, func(y, from, to int) {
		h.dy = (float64(y) - l.CY) / l.FY
		h.begin()
		for x := from; x < to; x++ {
			inverse := p.at0 + float64(p.dy*float64(y)) + float64(p.dx*float64(x))
			if i := (y-c.top)*c.width + x; float32(inverse) > c.inverse[i] {
				h.sampleLights(h.b.across[x], 1/inverse, &h.samples[0])
				c, alpha := h.pixel(h.b.across[x], inverse, &h.samples[0])
				if d := r3.V(h.b.across[x], h.dy, 1); h.r.water.on {
					c = h.r.water.through(c, d, h.r.view.Col(2).Dot(d), 1/inverse)
				}
				h.b.rgb[i] = c.mixed(h.b.rgb[i], alpha)
			}
		}
	})
}
