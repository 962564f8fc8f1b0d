package render

import (
	"math"

	"simdeck/sim/r3"
)

// ambient and background are those of a world that says nothing of them.
var ambient, background = colour{0.42, 0.43, 0.45}, colour{0.72, 0.74, 0.77}

// light prepares the lamps of the stage and their shadows, and the light from
// everywhere; once a picture, whoever comes first.
func (r *pinhole) light() {
	r.lighting.Lock()
	defer r.lighting.Unlock()
	if r.lit {
		return
	}
	r.lit = true
	s := r.stage
	r.ambient = ambient
	if s.Ambience.Ambient[3] > 0 {
		r.ambient = colourOf(s.Ambience.Ambient)
	}
	r.lamps = r.lamps[:0]
	for i := range s.Lights {
		if l := &s.Lights[i]; !l.Off {
			r.lamps = append(r.lamps, lampOf(l))
			r.shadowOf(s, len(r.lamps)-1, l.Shadows && !s.Ambience.NoShadows)
		}
	}
	if len(s.Lights) == 0 {
		r.lamps = append(r.lamps, lampOf(&sun))
		r.shadowOf(s, 0, !s.Ambience.NoShadows)
	}
}

// unit is a vector of length 1; NaN where there is no direction, which no
// comparison takes for lit. It is quicker than Vec.Unit, which also knows
// lengths whose squares are no numbers.
func unit(v r3.Vec) r3.Vec { return v.Scale(1 / math.Sqrt(v.Len2())) }

// cone is the share of a spot's light against a direction.
func (l *lamp) cone(toward r3.Vec) float64 {
	c := l.toward.Dot(toward)
	switch {
	case c <= l.outer:
		return 0
	case c >= l.inner:
		return 1
	}
	f := (c - l.outer) / (l.inner - l.outer)
	if l.falloff == 1 || l.falloff == 0 {
		return f
	}
	return r3.Exp(float64(l.falloff * r3.Log(f)))
}

// nothing is the background along d, where no face is.
func (r *pinhole) nothing(s *Stage, d r3.Vec) colour {
	way := unit(r.view.ApplyT(d))
	c := r.beyond(s, way)
	if s.Grid && way.Z < 0 && r.eye.Z > 0 {
		depth := -r.eye.Z / way.Z
		at := r.eye.AddScaled(depth, way)
		return r.grid(c, at, depth)
	}
	return c
}

// beyond is the background, or a sky that grows lighter toward the horizon.
func (r *pinhole) beyond(s *Stage, way r3.Vec) colour {
	a := &s.Ambience
	if a.Background[3] > 0 && !a.Sky {
		return colourOf(a.Background)
	}
	if !a.Sky {
		return background
	}
	zenith, horizon, earth := colour{0.30, 0.50, 0.82}, colour{0.78, 0.86, 0.93}, colour{0.55, 0.54, 0.52}
	if way.Z >= 0 {
		return zenith.mixed(horizon, float32(math.Sqrt(way.Z)))
	}
	return earth.mixed(horizon, float32(min(1, -6*way.Z)))
}

// grid is a colour with lines on it: one a metre, a bolder one every ten.
func (r *pinhole) grid(c colour, at r3.Vec, depth float64) colour {
	pixel, height := depth/r.lens.FX, max(math.Abs(r.eye.Z), 0.01)
	line := 0.0
	for k, x := range [...]float64{at.X, at.Y} {
		// The ground that a pixel covers grows as the view gets flatter.
		away := math.Abs(at.X - r.eye.X)
		if k == 1 {
			away = math.Abs(at.Y - r.eye.Y)
		}
		covers := float64(pixel * (1 + away/height))
		off := math.Abs(x - math.Round(x))
		width, strength := max(0.01, covers), 0.25*max(0, 1-float64(covers*6))
		if ten := float64(math.Round(x/10) * 10); math.Abs(x-ten) < 0.5 {
			width, strength = max(0.02, float64(1.5*covers)), 0.4*max(0, 1-float64(covers*0.6))
			off = math.Abs(x - ten)
		}
		if off < width {
			line = max(line, float64(strength*(1-off/width)))
		}
	}
	return c.scale(1 - float32(line))
}
