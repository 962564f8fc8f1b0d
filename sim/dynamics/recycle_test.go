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
