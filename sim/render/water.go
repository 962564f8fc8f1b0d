package render

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// fade is water before what is seen, which takes its light by the law of Beer and Lambert and gives its own
// instead. Its zero value is no water. Source: Duntley, "Light in the Sea", J. Opt. Soc. Am. 53, 1963.
type fade struct {
	on          bool
	attenuation [3]float32 // 1/m, of red, green and blue
	own         colour
	above       float64 // m, of the surface above the eye
}

// fadeOf is the water around an eye.
func fadeOf(w *scene.Water, eye r3.Vec) fade {
	if w == nil || !(eye.Z < w.Level) {
		return fade{}
	}
	f := fade{on: true, own: colour{w.Colour[0], w.Colour[1], w.Colour[2]}, above: w.Level - eye.Z}
	for i, c := range w.Attenuation {
		f.attenuation[i] = float32(c)
	}
	return f
}

// through is a colour that is seen at a depth, +Inf for the farthest, along a direction of the optical frame
// whose z is 1. Its up is the rise of that direction in the world. No light is lost above the surface.
func (f *fade) through(c colour, d r3.Vec, up, depth float64) colour {
	if up > 0 {
		depth = min(depth, f.above/up)
	}
	far := float32(min(depth*math.Sqrt(d.Len2()), 1e6))
	left := colour{fall(float32(2*f.attenuation[0]) * far), fall(float32(2*f.attenuation[1]) * far),
		fall(float32(2*f.attenuation[2]) * far)}
	return c.mul(left).add(f.own.mul(colour{1 - left.r, 1 - left.g, 1 - left.b}))
}

// fadeRow lets the water before the opaque pixels of a row act.
func (b *band) fadeRow(row int, out []colour) {
	r, c := b.r, &b.canvas
	dy := (float64(c.top+row) - r.lens.CY) / r.lens.FY
	up := r.view.Col(2) // in the optical frame
	for x := range out {
		d, depth := r3.V(b.across[x], dy, 1), math.Inf(1)
		if i := row*c.width + x; c.face[i] > 0 {
			depth = 1 / float64(c.inverse[i])
		}
		out[x] = r.water.through(out[x], d, up.Dot(d), depth)
	}
}
