package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// heapEnergy is the mechanical energy of all bodies, J, with zero potential at the ground.
func (s *scene) heapEnergy() float64 {
	sum := 0.0
	for _, b := range s.added {
		m, in := &s.bodies.motion[b.slot], &s.bodies.massProps[b.slot]
		w := m.rot.RotateBack(m.w)
		sum += in.mass*(0.5*m.v.Len2()+9.81*m.com.Z) + 0.5*w.Dot(in.inertia.Apply(w))
	}
	return sum
}

// deepest is the largest overlap of two touching geoms, m.
func (s *scene) deepest() float64 {
	depth := 0.0
	for _, c := range s.Contacts(nil) {
		for _, p := range c.Points[:c.Count] {
			depth = max(depth, p.Depth)
		}
	}
	return depth
}

// TestNothingGainsEnergy: bodies of every shape are thrown into a pit. Their energy does not rise beyond 0.1
// % and 0.05 J per second, and at rest no geoms overlap by more than 2 cm.
func TestNothingGainsEnergy(t *testing.T) {
	for seed := range uint64(2) {
		for _, dt := range []float64{1.0 / 60, 0.004} {
			s := mixedShapes(t, Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true})
			r := rand.New(rand.NewPCG(seed, 5))
			for _, b := range s.added {
				s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(r.NormFloat64(), r.NormFloat64(), 0),
					Angular: r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(5)}))
			}
			before := s.heapEnergy()
			for second := range 5 {
				s.step(dt, int(1/dt))
				after := s.heapEnergy()
				if math.IsNaN(after) || after > before*1.001+0.05 {
					t.Errorf("seed %d, step %v s: %v J after second %d, %v J before", seed, dt, after, second,
						before)
				}
				before = after
			}
			if d := s.deepest(); d > 0.02 {
				t.Errorf("seed %d, step %v s: geoms overlap by %v m", seed, dt, d)
			}
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
		}
	}
}
