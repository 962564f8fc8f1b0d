package source

import "math"

// stillness is the drag in 1/s that stands for a complete stop.
const stillness = 1e3

// Drag is the rate in 1/s of a velocity that loses a share, from 0 to 1, of itself in a time in s.
func Drag(share, time float64) float64 {
	if share >= 1 {
		return stillness
	}
	return min(stillness, -math.Log1p(-max(0, share))/time)
}
