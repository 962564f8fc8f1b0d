package render

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// shaded is what shading keeps of the face that it was at last.
type shaded struct {
	face    int32 // 1 + index; 0: none
	paint   *paint
	weights [3]r3.Vec // of the corners: dotted with a pixel's direction
	smooth  bool
	normals [3]r3.Vec // in the world frame
	normal  r3.Vec    // of the face, toward the eye
	corners *[3]scene.Corner
	around  colour   // light from everywhere on a flat face
	falls   []colour // of each lamp on a flat face, when it shines on all of it alike
	place   bool     // shading asks where a pixel is
	ground  bool     // part of the ground that a grid is drawn on
}

// shadeRow finds the colours of a row.
func (r *Renderer) shadeRow(s *Stage, y int) {
	l := &r.lens
	row := y * l.Width
	r.shaded.face = 0
	dy := (float64(y) - l.CY) / l.FY
	for x := range l.Width {
		d := r3.V((float64(x)-l.CX)/l.FX, dy, 1)
		f := r.canvas.face[row+x]
		if f == 0 {
			r.rgb[row+x] = r.nothing(s, d)
			continue
		}
		if f != r.shaded.face {
			r.turnTo(s, f)
		}
		c, _ := r.shade(s, d, 1/float64(r.canvas.inverse[row+x]))
		r.rgb[row+x] = c
	}
}

// turnTo prepares shading of a face.
func (r *Renderer) turnTo(s *Stage, id int32) {
	f, h := &r.faces[id-1], &r.shaded
	shape := s.Items[f.item].Shape
	h.face, h.paint = id, &shape.runs[f.run].paint
	a, b, c := r.points[f.corners[0]], r.points[f.corners[1]], r.points[f.corners[2]]
	h.weights = [3]r3.Vec{b.Cross(c), c.Cross(a), a.Cross(b)}
	n, _ := b.Sub(a).Cross(c.Sub(a)).Unit()
	h.normal = r.view.ApplyT(n)
	if f.flipped {
		h.normal = h.normal.Neg()
	}
	h.smooth, h.corners = false, nil
	if shape.corners != nil {
		h.corners = &shape.corners[f.index]
		h.smooth = h.corners[0].Normal != [3]float32{}
	}
	if h.smooth {
		rot := r.poses[f.item].Rot
		for k := range h.normals {
			n := h.corners[k].Normal
			h.normals[k] = rot.Rotate(r3.V(float64(n[0]), float64(n[1]), float64(n[2])))
			if f.flipped {
				h.normals[k] = h.normals[k].Neg()
			}
		}
	}
	if !h.smooth {
		h.around = r.surround(h.normal)
	}
	h.falls, h.place = h.falls[:0], false
	for i := range r.lamps {
		l := &r.lamps[i]
		gleams := !h.paint.specular.black() && !l.specular.black()
		h.place = h.place || l.kind != directional || l.shadow >= 0 || gleams
		h.falls = append(h.falls, l.colour.scale(float32(max(0, h.normal.Dot(l.toward)))))
	}
	h.ground = s.Grid && h.normal.Z > 0.999 && math.Abs(r.eye.Z+r.view.ApplyT(a).Z) < 0.02
}

// shade is the colour of the current face along d at a depth, and how much of
// it hides what is behind.
func (r *Renderer) shade(s *Stage, d r3.Vec, depth float64) (colour, float32) {
	h := &r.shaded
	p := h.paint
	var w [3]float64
	if h.smooth || p.image != nil {
		w = [3]float64{h.weights[0].Dot(d), h.weights[1].Dot(d), h.weights[2].Dot(d)}
	}
	sum := w[0] + w[1] + w[2]
	normal := h.normal
	if h.smooth && sum != 0 {
		n := h.normals[0].Scale(w[0]/sum).AddScaled(w[1]/sum, h.normals[1]).AddScaled(w[2]/sum, h.normals[2])
		if u := unit(n); u.Dot(h.normal) > -0.2 {
			normal = u
		}
		h.around = r.surround(normal)
	}
	var at r3.Vec
	if h.place || h.ground {
		at = r.eye.Add(r.view.ApplyT(d.Scale(depth)))
	}
	diffuse, ambient, alpha := p.diffuse, p.ambient, p.alpha
	if p.image != nil && h.corners != nil && sum != 0 {
		t, a := r.picture(p.image, d, w, sum)
		diffuse, ambient, alpha = diffuse.mul(t), ambient.mul(t), alpha*a
	}
	if h.ground {
		diffuse, ambient = r.grid(diffuse, at, depth), r.grid(ambient, at, depth)
	}
	out := p.emissive.add(ambient.mul(h.around))
	for i := range r.lamps {
		l := &r.lamps[i]
		switch {
		case h.place && (l.kind != directional || !p.specular.black()):
			out = out.add(r.lit(l, p, diffuse, at, normal, h.normal))
			continue
		case h.smooth:
			h.falls[i] = l.colour.scale(float32(max(0, normal.Dot(l.toward))))
		}
		if h.falls[i].black() {
			continue
		}
		fall := diffuse.mul(h.falls[i])
		if l.shadow >= 0 {
			fall = fall.scale(float32(r.shadows[l.shadow].open(at, h.normal)))
		}
		out = out.add(fall)
	}
	return out, alpha
}

// picture is the texture of the current face; how large a pixel is on it
// follows from the pixels beside.
func (r *Renderer) picture(t *scene.Texture, d r3.Vec, w [3]float64, sum float64) (colour, float32) {
	u, v := r.uv(w, sum)
	spread := 0.0
	for _, step := range [...]r3.Vec{{X: 1 / r.lens.FX}, {Y: 1 / r.lens.FY}} {
		n := d.Add(step)
		w2 := [3]float64{r.shaded.weights[0].Dot(n), r.shaded.weights[1].Dot(n), r.shaded.weights[2].Dot(n)}
		if sum2 := w2[0] + w2[1] + w2[2]; float64(sum2*sum) > 0 {
			u2, v2 := r.uv(w2, sum2)
			spread = max(spread, math.Abs(u2-u)+math.Abs(v2-v))
		}
	}
	return texel(t, u, v, spread)
}

func (r *Renderer) uv(w [3]float64, sum float64) (u, v float64) {
	c := r.shaded.corners
	for k := range w {
		u += float64(w[k] * float64(c[k].UV[0]))
		v += float64(w[k] * float64(c[k].UV[1]))
	}
	return u / sum, v / sum
}

// surround is the light from everywhere: a little more from above.
func (r *Renderer) surround(normal r3.Vec) colour {
	return r.ambient.scale(float32(0.86 + float64(0.14*normal.Z) + float64(0.05*normal.X) + float64(0.03*normal.Y)))
}

// glaze draws a face over what is there.
func (r *Renderer) glaze(s *Stage, index int32) {
	f, l := &r.faces[index], &r.lens
	a, b, c := &r.points[f.corners[0]], &r.points[f.corners[1]], &r.points[f.corners[2]]
	n := b.Sub(*a).Cross(c.Sub(*a))
	r.turnTo(s, index+1)
	r.spans.set(l, a, b, c, n, n.Dot(*a), r.near)
	p := &r.spans
	p.each(l.Width, l.Height, func(y, from, to int) {
		for x := from; x < to; x++ {
			inverse := p.at0 + float64(p.dy*float64(y)) + float64(p.dx*float64(x))
			if i := y*l.Width + x; float32(inverse) > r.canvas.inverse[i] {
				c, alpha := r.shade(s, r3.V((float64(x)-l.CX)/l.FX, (float64(y)-l.CY)/l.FY, 1), 1/inverse)
				r.rgb[i] = c.mixed(r.rgb[i], alpha)
			}
		}
	})
}
