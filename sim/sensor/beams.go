package sensor

import (
	"math"

	"simdeck/sim/r3"
)

// coneRings are the rings of rays about the axis of a cone; each has six more than the one inside it.
const coneRings = 4

// Cone are directions, of length 1, that fill a cone about −z: the axis, then rings about it to the side. The
// angle is that from the axis to the side, in rad; where it is not above zero there is the axis alone.
func Cone(half float64) []r3.Vec {
	out := []r3.Vec{r3.V(0, 0, -1)}
	if !(half > 0) {
		return out
	}
	for ring := 1; ring <= coneRings; ring++ {
		s, c := r3.SinCos(half * float64(ring) / coneRings)
		for k := range 6 * ring {
			so, co := r3.SinCos(2 * math.Pi * float64(k) / float64(6*ring))
			out = append(out, r3.V(s*co, s*so, -c))
		}
	}
	return out
}

// BeamFit finds the velocity that speeds along beams belong to, by least squares. The zero value has no beam.
type BeamFit struct {
	beams  int
	normal r3.Mat // sum of axis·axisᵀ
	sum    r3.Vec // of axis·speed
}

// Add takes in a beam: its axis of length 1, and the speed along it in m/s.
func (f *BeamFit) Add(axis r3.Vec, speed float64) {
	f.beams++
	f.normal = f.normal.Add(r3.Columns(axis.Scale(axis.X), axis.Scale(axis.Y), axis.Scale(axis.Z)))
	f.sum = f.sum.AddScaled(speed, axis)
}

// Solve is the velocity, and its covariance where each speed has a standard deviation in m/s. It is false if
// there are fewer than three beams, or if they lie in a plane.
func (f *BeamFit) Solve(std float64) (velocity r3.Vec, covariance r3.Mat, ok bool) {
	const leastVolume = 1e-9 // of the normal matrix, whose trace is the number of beams
	if f.beams < 3 || !(f.normal.Det() > leastVolume) {
		return r3.Vec{}, r3.Mat{}, false
	}
	inverse, ok := f.normal.Inverse()
	if !ok {
		return r3.Vec{}, r3.Mat{}, false
	}
	return inverse.Apply(f.sum), inverse.Scale(float64(std * std)), true
}
