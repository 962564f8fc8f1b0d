package medium

import (
	"math"
	"math/rand/v2"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// sea is the moving surface of the water: the sum of waves of small height in deep water (Airy). A function
// of the time alone, it has no state.
type sea struct {
	parts []wave
	rise  float64
	level float64 // m, the height of the surface at rest
}

// wave is a regular wave.
type wave struct {
	amplitude float64
	number    float64 // rad/m, of the wave: ω²/g
	frequency float64 // rad/s
	phase     float64 // rad
	along     r3.Vec  // of length 1, level
}

// seaStream is that of the numbers that a spectrum draws.
const seaStream = 0x73656121

// newSea is the surface of a description; nil: it is level, or nothing pulls at it.
func newSea(w *scene.Waves, level, gravity float64, seed uint64) *sea {
	if w.Calm() || !(gravity > 0) || math.IsInf(level, 0) {
		return nil
	}
	s := &sea{rise: w.Rise, level: level}
	for _, r := range w.Regular {
		s.add(r, gravity)
	}
	var r rand.PCG
	r.Seed(seed^seaStream, seed)
	for _, one := range drawn(&w.Sea, &r) {
		s.add(one, gravity)
	}
	return s
}

func (s *sea) add(w scene.Wave, gravity float64) {
	if len(s.parts) >= scene.MostWaves || !(w.Period > 0) || w.Amplitude == 0 {
		return
	}
	sin, cos := r3.SinCos(w.Direction)
	f := 2 * math.Pi / w.Period
	s.parts = append(s.parts, wave{amplitude: w.Amplitude, frequency: f, number: f * f / gravity,
		phase: w.Phase, along: r3.V(cos, sin, 0)})
}

// A spectrum is cut off at these parts of the frequency of its peak.
const (
	leastFrequency = 0.4
	mostFrequency  = 4.0
	spectrumSteps  = 4000
)

// Spectrum is the shape of JONSWAP's spectrum at a frequency in parts of its peak's, without its height
// (Hasselmann et al., 1973). With a peak of 1 it is Pierson and Moskowitz's.
func Spectrum(peak, part float64) float64 {
	if !(part > 0) {
		return 0
	}
	inverse := 1 / (part * part)
	width := 0.09
	if part <= 1 {
		width = 0.07
	}
	off := (part - 1) / width
	return inverse * inverse / part * r3.Exp(-1.25*inverse*inverse) *
		r3.Exp(r3.Log(max(peak, 1))*r3.Exp(-off*off/2))
}

// drawn are the waves of a spectrum. Each has the same share of its energy, and a frequency from the band
// that has this share.
func drawn(s *scene.Sea, r *rand.PCG) []scene.Wave {
	if !(s.Height > 0) || !(s.Period > 0) || s.Count < 1 {
		return nil
	}
	const step = (mostFrequency - leastFrequency) / spectrumSteps
	at := func(i int) float64 { return leastFrequency + float64(step*(float64(i)+0.5)) }
	whole := 0.0
	for i := range spectrumSteps {
		whole += Spectrum(s.Peak, at(i))
	}
	n := min(s.Count, scene.MostWaves)
	out := make([]scene.Wave, 0, n)
	share := whole / float64(n)
	i, below, next := 0, 0.0, Spectrum(s.Peak, at(0)) // below: the sum of the steps before i
	for k := range n {
		asked := float64(share * (float64(k) + part(r)))
		for below+next < asked && i+1 < spectrumSteps {
			below += next
			i++
			next = Spectrum(s.Peak, at(i))
		}
		inside := max(0, min(1, (asked-below)/next))
		f := at(i) + float64(step*(inside-0.5))
		out = append(out, scene.Wave{Amplitude: s.Height / 4 * math.Sqrt(2/float64(n)), Period: s.Period / f,
			Direction: s.Direction + float64(s.Spread*normal(r)), Phase: 2 * math.Pi * part(r)})
	}
	return out
}

// Extent is the box that has the moments of a volume in the water, about the middle.
type Extent struct {
	Half r3.Vec  // half edges, m; zero: a point
	Pose r3.Pose // of the box, in the world
}

// Moved is the extent in the world of one that is in a frame.
func (e Extent) Moved(frame r3.Pose) Extent { return Extent{Half: e.Half, Pose: frame.Mul(e.Pose)} }

// Swell is the water about something, as its mean over it.
type Swell struct {
	Height   float64 // m, of the surface in the world
	Slope    r3.Vec  // of the surface along x and y
	Velocity r3.Vec  // m/s
	Accel    r3.Vec  // m/s²
}

// over is the water about something after t seconds. A wave that is short against it cancels out. The surface
// is the plane that has the mean and the first moments of the waves over the box. Velocities fade with the
// depth below the moving surface; linear theory takes the level one.
func (s *sea) over(e Extent, t float64) Swell {
	grown := risen(t, s.rise)
	out := Swell{Height: s.level}
	axes := [3]r3.Vec{e.Pose.Rot.Rotate(r3.V(1, 0, 0)), e.Pose.Rot.Rotate(r3.V(0, 1, 0)),
		e.Pose.Rot.Rotate(r3.V(0, 0, 1))}
	var waves [scene.MostWaves][2]float64 // amplitudes over the body, as cosine and sine
	for i := range s.parts {
		w := &s.parts[i]
		sin, cos := r3.SinCos(w.angle(e.Pose.Pos, t))
		var along, mean, tilt [3]float64
		for k := range axes {
			along[k] = w.number * w.along.Dot(axes[k])
			mean[k], tilt[k] = meanOver(along[k] * e.Half.At(k))
		}
		a := w.amplitude * grown * mean[0] * mean[1] * mean[2]
		waves[i] = [2]float64{float64(a * cos), float64(a * sin)}
		out.Height += waves[i][0]
		steep := -w.amplitude * grown * sin
		out.Slope = out.Slope.AddScaled(steep*along[0]*tilt[0]*mean[1]*mean[2], axes[0]).
			AddScaled(steep*along[1]*tilt[1]*mean[0]*mean[2], axes[1]).
			AddScaled(steep*along[2]*tilt[2]*mean[0]*mean[1], axes[2])
	}
	out.Slope.Z = 0
	reach := float64(math.Abs(axes[0].Z)*e.Half.X) + float64(math.Abs(axes[1].Z)*e.Half.Y) +
		float64(math.Abs(axes[2].Z)*e.Half.Z)
	top, bottom := max(0, out.Height-e.Pose.Pos.Z-reach), max(0, out.Height-e.Pose.Pos.Z+reach)
	for i := range s.parts {
		w := &s.parts[i]
		speed := w.frequency * faded(w.number, top, bottom)
		cos, sin := float64(waves[i][0]*speed), float64(waves[i][1]*speed)
		out.Velocity = out.Velocity.AddScaled(cos, w.along)
		out.Velocity.Z += sin
		out.Accel = out.Accel.AddScaled(w.frequency*sin, w.along)
		out.Accel.Z -= float64(w.frequency * cos)
	}
	return out
}

// angle is the phase of a wave at a place and a time, rad.
func (w *wave) angle(place r3.Vec, t float64) float64 {
	turns := float64(w.frequency / (2 * math.Pi) * t)
	return float64(w.number*w.along.Dot(place)) - float64(2*math.Pi*(turns-math.Floor(turns))) + w.phase
}

// height is that of the surface over a place, m.
func (s *sea) height(place r3.Vec, t float64) float64 {
	sum := 0.0
	for i := range s.parts {
		w := &s.parts[i]
		sum += float64(w.amplitude * r3.Cos(w.angle(place, t)))
	}
	return s.level + float64(risen(t, s.rise)*sum)
}

// head is the height of the water, m, whose weight is the pressure at a depth below the surface. It is less
// than the depth under a crest, and more under a trough.
func (s *sea) head(place r3.Vec, t, depth float64) float64 {
	sum := 0.0
	for i := range s.parts {
		w := &s.parts[i]
		sum += float64(w.amplitude * (1 - r3.Exp(-w.number*depth)) * r3.Cos(w.angle(place, t)))
	}
	return depth - float64(risen(t, s.rise)*sum)
}

// meanOver is the mean of cos over ±u, and the slope of the line that is nearest to sin over it.
func meanOver(u float64) (mean, slope float64) {
	square := float64(u * u)
	if square < 0.25 {
		mean, slope = 1, 1
		for _, by := range [...][2]float64{{110, 130}, {72, 88}, {42, 54}, {20, 28}, {6, 10}} {
			mean = 1 - float64(mean*square/by[0])
			slope = 1 - float64(slope*square/by[1])
		}
		return mean, slope
	}
	sin, cos := r3.SinCos(u)
	return sin / u, 3 * (sin - float64(u*cos)) / (u * square)
}

// faded is the mean of exp(−k·depth) from one depth to another.
func faded(k, top, bottom float64) float64 {
	x := k * (bottom - top)
	at := r3.Exp(-k * top)
	if x < 1e-3 {
		return at * (1 - float64(x/2*(1-x/3)))
	}
	return (at - r3.Exp(-k*bottom)) / x
}
