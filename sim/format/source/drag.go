package source

import "math"

// stillness is the drag in 1/s that stands for a complete stop.
const stillness = 1e3

// Drag is the rate in 1/s at which a velocity falls that loses a share of itself, from 0 to 1, in a time in
// s.
func Drag(share, time float64) float64 {
	if share >= 1 {
		return stillness
	}
	return min(stillness, -math.Log1p(-max(0, share))/time)
}
