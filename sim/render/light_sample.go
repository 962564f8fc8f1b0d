package render

import "simdeck/sim/r3"

// lightSampleStep is the number of pixels between two light samples of a run. Between them it goes straight:
// of light that changes over centimetres nobody sees the difference.
const lightSampleStep = 8

// lightSample is the light on a place of the current face, and how it changes by pixel.
type lightSample struct {
	around, dAround float32 // of the light from everywhere
	lamps           []lampTerm
}

// lampTerm is the light of one lamp.
type lampTerm struct {
	fall, dFall       float32 // that falls on the face: Lambert's law; 0: none
	diffuse, dDiffuse float32 // that comes
	// cosine at the highlight (Blinn, "Models of light reflection for computer synthesized pictures",
	// SIGGRAPH 1977)
	specular, dSpecular float32
}

// step prepares the way to b. True: it is not straight, as a lamp is seen from one end only.
func (a *lightSample) step(b *lightSample, k float32) bool {
	a.dAround = (b.around - a.around) * k
	bends := false
	for i := range a.lamps {
		p, q := &a.lamps[i], &b.lamps[i]
		bends = bends || (p.fall > 0) != (q.fall > 0) || (p.specular > 0) != (q.specular > 0)
		p.dFall, p.dDiffuse, p.dSpecular = (q.fall-p.fall)*k, (q.diffuse-p.diffuse)*k,
			(q.specular-p.specular)*k
	}
	return bends
}

// advance goes on by a pixel.
func (a *lightSample) advance() {
	a.around += a.dAround
	for i := range a.lamps {
		p := &a.lamps[i]
		p.fall, p.diffuse, p.specular = p.fall+p.dFall, p.diffuse+p.dDiffuse, p.specular+p.dSpecular
	}
}

// sampleLights finds the light on the current face where the picture's x is dx, at a depth.
func (h *shader) sampleLights(dx, depth float64, k *lightSample) {
	r := h.r
	normal := h.flat
	if h.smooth {
		if n := unit(h.normal0.AddScaled(dx, h.normal1)); n.Dot(h.flat) > -0.2 {
			normal = n
		}
	}
	var at r3.Vec
	if h.place {
		at = r.eye.AddScaled(depth, h.way0.AddScaled(dx, h.way1))
	}
	// A little more from above.
	k.around = float32(0.86 + float64(0.14*normal.Z) + float64(0.05*normal.X) + float64(0.03*normal.Y))
	k.lamps = sized(k.lamps, len(r.lamps))
	for i := range r.lamps {
		r.lamps[i].on(at, normal, r.eye, h.shines, &k.lamps[i])
	}
}

// on finds the light of a lamp at a place with a normal, as it is seen from the eye.
func (l *lamp) on(at, normal, eye r3.Vec, shines bool, g *lampTerm) {
	*g = lampTerm{}
	toward, bright := l.toward, 1.0
	if l.kind != directional {
		way := l.pos.Sub(at)
		d := way.Len()
		if d == 0 || l.reach > 0 && d > l.reach {
			return
		}
		toward = way.Scale(1 / d)
		if fade := l.constant + float64(l.linear*d) + float64(l.quadratic*float64(d*d)); fade > 1 ||
			fade > 0 && l.constant > 0 {
			bright /= fade
		}
		if l.kind == spot {
			bright *= l.cone(toward)
		}
	}
	facing := normal.Dot(toward)
	if !(facing > 0 && bright > 0) {
		return
	}
	g.fall, g.diffuse = float32(facing*bright), float32(bright)
	if shines && !l.specular.black() {
		g.specular = float32(max(0, unit(unit(eye.Sub(at)).Add(toward)).Dot(normal)))
	}
}
