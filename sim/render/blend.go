package render

import (
	"math"

	"simdeck/sim/r3"
)

// accumulator accumulates the Gaussians before a pixel.
type accumulator struct {
	colour
	left  float32 // of the light that comes from behind
	front float32 // inverse depth of what hides the Gaussians behind it; 0: nothing does
}

// splats draws Gaussians, the nearest first, over a finished picture. Clouds are made from pictures, so their
// colors include the light of the scene.
func (b *band) splats(all []projectedSplat, into []uint8) {
	b.accumulators = sized(b.accumulators, len(b.canvas.face))
	for i, f := range b.canvas.face {
		b.accumulators[i] = accumulator{left: 1}
		if f > 0 && !b.r.stage.Items[b.faces[f-1].item].Backdrop {
			b.accumulators[i].front = b.canvas.inverse[i]
		}
	}
	for i := range all {
		b.drawSplat(&all[i])
	}
	for i := range b.accumulators {
		f, out := &b.accumulators[i], into[3*i:3*i+3]
		if f.left == 1 {
			continue
		}
		for k, c := range [3]float32{f.r, f.g, f.b} {
			out[k] = uint8(min(255, float32(255*c)+float32(f.left*float32(out[k]))+0.5))
		}
	}
}

// drawSplat draws a splat.
func (b *band) drawSplat(s *projectedSplat) {
	c := &b.canvas
	top, below := max(c.top, int(math.Ceil(s.v-s.half))), min(c.below, int(math.Floor(s.v+s.half))+1)
	for y := top; y < below; y++ {
		dy := float64(y) - s.v
		// Where the form is the limit in this row: the middle between both places, and how far they are from
		// it.
		middle := -float64(s.xy*dy) / s.xx
		room := float64(s.xx*(s.limit-float64(s.yy*float64(dy*dy)))) +
			float64(float64(s.xy*dy)*float64(s.xy*dy))
		if room < 0 {
			continue
		}
		far := math.Sqrt(room) / s.xx
		from, to := max(0, int(math.Ceil(s.u+middle-far))), min(c.width, int(math.Floor(s.u+middle+far))+1)
		if from >= to {
			continue
		}
		row := b.accumulators[(y-c.top)*c.width+from : (y-c.top)*c.width+to]
		xx, cross, rest := float32(s.xx), float32(2*s.xy*dy), float32(s.yy*float64(dy*dy))
		for i := range row {
			f := &row[i]
			if f.left < hidden || f.front >= s.inverse {
				continue
			}
			dx := float32(float64(from+i) - s.u)
			alpha := min(densest, float32(s.opacity*fall(float32(dx*float32(float32(xx*dx)+cross))+rest)))
			share := float32(f.left * alpha)
			f.r += float32(s.colour.r * share)
			f.g += float32(s.colour.g * share)
			f.b += float32(s.colour.b * share)
			f.left -= share
		}
	}
}

// falls are exp(-x/2) by steps of x; they never change.
const (
	fallSteps = 128 // in 1
	fallsTo   = 12
)

var falls = func() (t [fallsTo*fallSteps + 2]float32) {
	for i := range t {
		t[i] = float32(r3.Exp(-float64(i) / (2 * fallSteps)))
	}
	return t
}()

// fall is exp(-x/2) to 4e-6, for x from 0 to fallsTo; a little less than 0 by rounding is 0.
func fall(x float32) float32 {
	if !(x > 0) {
		return 1
	}
	at := float32(x * fallSteps)
	i := int(at)
	if i > fallsTo*fallSteps {
		return 0
	}
	return falls[i] + float32((at-float32(i))*(falls[i+1]-falls[i]))
}
