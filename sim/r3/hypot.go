package r3

import "math"

// Hypot is the length of (x, y), without overflow. math.Hypot has another last bit on machines whose compiler fuses
// its product and sum.
func Hypot(x, y float64) float64 {
	long, short := math.Abs(x), math.Abs(y)
	if long < short {
		long, short = short, long
	}
	if long == 0 || math.IsInf(long, 1) {
		return long
	}
	part := short / long
	return long * math.Sqrt(1+float64(part*part))
}
