package dynamics

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestManifoldsOfLargeBoxesLastForFiveMillimetres: a box of two metres might move 17 mm by its size, which is
// too far for the points of a contact.
func TestManifoldsOfLargeBoxesLastForFiveMillimetres(t *testing.T) {
	shapes := [2]shape.Shape{shape.BoxOf(r3.V(2, 2, 2)), shape.Plane{}}
	for way, kept := range map[float64]bool{0.0035: true, 0.007: false} {
		for _, along := range []r3.Vec{{X: 1}, {Z: 1}} {
			s, c := pairScene(t, shapes[0], at(0, 0, 1), shapes[1], r3.IdentityPose())
			s.bodies.motion[s.added[0].slot].com = r3.V(0, 0, 1).AddScaled(way, along)
			n := narrowphaseOf(s.World)
			got := n.recycle(s.contacts.pairs.sorted[0].contact, speculation, 1)
			if got != kept || c.count == 0 {
				t.Errorf("moved by %v m along %v: %d manifolds kept %v, want %v", way, along, c.count, got, kept)
			}
		}
	}
}

// TestManifoldsOfBoxesThatTurnTogetherLastForThreeDegrees: they do not move against each other, but the
// normals of their contacts turn, and the weight with them.
func TestManifoldsOfBoxesThatTurnTogetherLastForThreeDegrees(t *testing.T) {
	for turn, kept := range map[float64]bool{0.035: true, 0.07: false} {
		box := shape.BoxOf(r3.V(2, 2, 2))
		s, c := pairScene(t, box, at(0, 0, 1), box, at(0, 0, 3))
		for _, b := range s.added {
			s.bodies.motion[b.slot].rot = r3.AxisAngle(r3.V(0, 0, 1), turn)
		}
		n := narrowphaseOf(s.World)
		if got := n.recycle(s.contacts.pairs.sorted[0].contact, speculation, 1); got != kept || c.count == 0 {
			t.Errorf("turned by %v rad: %d manifolds kept %v, want %v", turn, c.count, got, kept)
		}
	}
}

// TestGeomsAreLookedAtAgainAfterHalfTheirDistance: until then nothing of them can touch, whether they have
// points or not. Geoms that move on by more in the next step are looked at before.
func TestGeomsAreLookedAtAgainAfterHalfTheirDistance(t *testing.T) {
	const gap = 0.006
	box := shape.BoxOf(r3.V(0.1, 0.1, 0.1))
	for name, across := range map[string]float64{"above each other": 0, "past each other": 0.1 + gap} {
		for _, c := range []struct {
			moved, speed float64
			kept         bool
		}{{0.35, 0, true}, {0.7, 0, false}, {0.2, 0.2, true}, {0.2, 0.6, false}} {
			s, contact := pairScene(t, box, at(0, 0, 0), box, at(across, 0, 0.1+gap))
			if points := contact.count > 0; points != (across == 0) {
				t.Fatalf("boxes %s have points: %v", name, points)
			}
			m := &s.bodies.motion[s.added[0].slot]
			m.com.Z += c.moved * gap
			m.v.Z = c.speed * gap / s.time.dt
			n := narrowphaseOf(s.World)
			got := n.recycle(s.contacts.pairs.sorted[0].contact, speculation, 1)
			if got != c.kept {
				t.Errorf("boxes %s moved by %v of their distance, with %v to come: kept %v, want %v", name,
					c.moved, c.speed, got, c.kept)
			}
		}
	}
}
