package dynamics

import "math"

// softness is a spring and damper as a constraint sees it (Catto, "Soft Constraints", GDC 2011).
type softness struct{ bias, mass, impulse float64 }

// rigid is a constraint that only looks at velocity.
func rigid() softness { return softness{0, 1, 0} }

func soft(hertz, ratio, h float64) softness {
	omega := float64(2 * math.Pi * hertz)
	a := float64(2*ratio) + float64(h*omega)
	b := float64(h * omega * a)
	c := 1 / (1 + b)
	return softness{omega / a, float64(b * c), c}
}
