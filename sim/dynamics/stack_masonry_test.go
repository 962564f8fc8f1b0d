package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// arch is a half circle of blocks without mortar, with an inner radius of 1 m.
func arch(t testing.TB, blocks int, thick float64) *scene {
	s := newScene(t, 0.8, earth())
	s.ground()
	inner, depth := 1.0, 0.25
	for k := range blocks {
		from, to := math.Pi*float64(k)/float64(blocks), math.Pi*float64(k+1)/float64(blocks)
		mid := r3.V(math.Cos((from+to)/2), 0, math.Sin((from+to)/2)).Scale(inner + thick/2)
		var corners []r3.Vec
		for _, angle := range [2]float64{from, to} {
			for _, radius := range [2]float64{inner, inner + thick} {
				for _, y := range [2]float64{-depth, depth} {
					corners = append(corners, r3.V(radius*math.Cos(angle), y,
						radius*math.Sin(angle)).Sub(mid))
				}
			}
		}
		h, err := shape.ConvexHull(corners, 0)
		if err != nil {
			t.Fatal(err)
		}
		m := h.Mass(2400)
		b := must[BodyID](s)(s.AddBody(BodyDef{Type: Dynamic, Pose: r3.Pose{Pos: mid, Rot: r3.Identity()},
			Mass: m.Mass, COM: m.COM, Inertia: m.Inertia}))
		s.geom(b, h, r3.Pose{})
		s.added = append(s.added, b)
	}
	return s
}

// gone is the largest displacement of a body from its pose in from, m.
func (s *scene) gone(from []r3.Pose) (far float64) {
	for i, b := range s.added {
		far = max(far, s.Body(b).Pose().Pos.Dist(from[i].Pos))
	}
	return far
}

func (s *scene) stand() (all []r3.Pose) {
	for _, b := range s.added {
		all = append(all, s.Body(b).Pose())
	}
	return all
}

// TestAnArchWithoutMortarStandsWhenItIsThickEnough: a half circle stands from a thickness of 0.107 of its
// mean radius on (Milankovitch, "Theorie der Druckkurven", 1907). Blocks with compliant contacts need some
// more.
func TestAnArchWithoutMortarStandsWhenItIsThickEnough(t *testing.T) {
	for _, c := range []struct {
		thick  float64
		stands bool
	}{{0.3, true}, {0.2, true}, {0.06, false}} {
		s := arch(t, 11, c.thick)
		from := s.stand()
		s.step(0.004, 1250)
		far := s.gone(from)
		t.Logf("%v m thick: a block went %.4f m", c.thick, far)
		if c.stands && far > 0.006 || !c.stands && far < 0.5 {
			t.Errorf("%v m thick: a block went %.3f m", c.thick, far)
		}
	}
}

// cardHouse is pairs of leaning cards, with cards laid across them.
func cardHouse(t testing.TB) *scene {
	s := newScene(t, 0.9, earth())
	s.ground()
	const high, thick, lean = 0.9, 0.02, 20 * math.Pi / 180
	card := shape.BoxOf(r3.V(thick, 0.6, high))
	across := high*math.Sin(lean) + thick*math.Cos(lean) // half the foot of a pair
	level := high*math.Cos(lean) + thick*math.Sin(lean)
	put := func(x, z, angle float64) {
		s.body(card, 0.1, r3.Pose{Pos: r3.V(x, 0, z), Rot: r3.FromRPY(0, angle, 0)}, 0)
	}
	for floor, pairs := range []int{2, 1} {
		z := float64(floor) * (level + thick)
		for k := range pairs {
			x := (2*float64(k) - float64(pairs-1)) * across
			put(x-across/2, z+level/2, lean)
			put(x+across/2, z+level/2, -lean)
		}
		if floor == 0 {
			put(0, level+thick/2, math.Pi/2)
		}
	}
	return s
}

func TestAHouseOfCardsStands(t *testing.T) {
	s := cardHouse(t)
	from := s.stand()
	s.step(0.002, 2500)
	far := s.gone(from)
	t.Logf("a card went %.4f m", far)
	if far > 0.003 {
		t.Errorf("a card went %.3f m", far)
	}
}
