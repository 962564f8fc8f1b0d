package render

import (
	"math"

	"simdeck/sim/r3"
)

// colour is a Gaussian's colour along a direction: its spherical harmonics (real, with the Condon–Shortley
// phase, as trainers sign them). 1 is the brightest of a picture.
func (c *Cloud) colour(b *gaussian, way r3.Vec) colour {
	var y [15]float64 // beyond the constant
	s := c.harmonics
	n := (s.Degree+1)*(s.Degree+1) - 1
	if n > 0 {
		harmonics(unit(way), s.Degree, &y)
	}
	base := &s.Gaussians[b.index].Base
	var out [3]float32
	for k := range out {
		sum := 0.5 + float64(harmonic0*float64(base[k]))
		at := (3*int(b.index) + k) * n
		for i, f := range s.Harmonics[at : at+n] {
			sum += float64(y[i] * float64(f))
		}
		out[k] = float32(max(0, sum))
	}
	return colour{out[0], out[1], out[2]}
}

// harmonic0 is the constant harmonic.
const harmonic0 = 0.28209479177387814 // 1/(2·√π)

// harmonics are the real spherical harmonics of degrees 1 to the one given, in the direction d.
func harmonics(d r3.Vec, degree int, y *[15]float64) {
	var (
		first  = math.Sqrt(3 / (4 * math.Pi))
		second = math.Sqrt(15 / (4 * math.Pi))
		third  = math.Sqrt(35 / (32 * math.Pi))
	)
	y[0], y[1], y[2] = -first*d.Y, first*d.Z, -first*d.X
	if degree < 2 {
		return
	}
	xx, yy, zz := float64(d.X*d.X), float64(d.Y*d.Y), float64(d.Z*d.Z)
	y[3], y[4], y[6] = second*d.X*d.Y, -second*d.Y*d.Z, -second*d.X*d.Z
	y[5] = math.Sqrt(5/(16*math.Pi)) * (float64(2*zz) - xx - yy)
	y[7] = second / 2 * (xx - yy)
	if degree < 3 {
		return
	}
	y[8] = -third * d.Y * (float64(3*xx) - yy)
	y[9] = math.Sqrt(105/(4*math.Pi)) * d.X * d.Y * d.Z
	fourth := math.Sqrt(21 / (32 * math.Pi))
	y[10] = -fourth * d.Y * (float64(4*zz) - xx - yy)
	y[11] = math.Sqrt(7/(16*math.Pi)) * d.Z * (float64(2*zz) - float64(3*xx) - float64(3*yy))
	y[12] = -fourth * d.X * (float64(4*zz) - xx - yy)
	y[13] = math.Sqrt(105/(16*math.Pi)) * d.Z * (xx - yy)
	y[14] = -third * d.X * (xx - float64(3*yy))
}
