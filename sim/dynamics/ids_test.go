package dynamics

import (
	"errors"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestRestoredIDsMustFillTheReservedSlots: bodies placed in their old slots keep their ids, and the next body
// gets the lowest idle slot. A missing body and a slot that is idle or out of range are rejected.
func TestRestoredIDsMustFillTheReservedSlots(t *testing.T) {
	s := fallingBoxes(t, 2, 2, 2, earth())
	if err := errors.Join(s.RemoveBody(s.added[1]), s.RemoveBody(s.added[5])); err != nil {
		t.Fatal(err)
	}
	slots := s.SlotLayout()
	for name, c := range map[string]struct {
		want bool
		do   func(w *World) error
	}{
		"as it was": {true, func(w *World) error { return refill(w, s.Bodies(nil), s.World) }},
		"one less":  {false, func(w *World) error { return refill(w, s.Bodies(nil)[1:], s.World) }},
		"a slot that is idle": {false, func(w *World) error {
			return w.PlaceNext(Placement{Bodies: []int32{int32(s.added[1].slot), int32(s.added[1].slot)}})
		}},
		"a slot too far": {false, func(w *World) error {
			return w.PlaceNext(Placement{Geoms: []int32{int32(len(slots.Geoms))}})
		}},
		"a tree too far": {false, func(w *World) error {
			return w.PlaceNext(Placement{Articulations: []int32{0}})
		}},
	} {
		w, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		if err = errors.Join(w.ReserveSlots(slots), c.do(w), w.CommitSlots(slots)); (err == nil) != c.want ||
			err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		if !c.want {
			continue
		}
		for _, id := range s.Bodies(nil) {
			if !w.Body(id).Alive() {
				t.Errorf("%v is gone", id)
			}
		}
		if id, err := w.AddBody(BodyDef{}); err != nil || id.Index() != s.added[1].Index() {
			t.Errorf("the next body is %v (%v), the lowest idle slot is %d", id, err, s.added[1].Index())
		}
	}
}

// refill adds a body with a box per geom in the slot of each of the given bodies.
func refill(w *World, bodies []BodyID, of *World) error {
	for _, id := range bodies {
		if err := w.PlaceNext(of.PlacementOf([]BodyID{id}, nil)); err != nil {
			return err
		}
		body, err := w.AddBody(BodyDef{})
		if err != nil {
			return err
		}
		for range of.Body(id).Geoms(nil) {
			if _, err := w.AddGeom(body, GeomDef{Shape: shape.Box{Half: r3.V(0.5, 0.5, 0.5)}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestALayoutOfMostlyIdleSlotsIsRejected: a state of a few bytes must not take gigabytes. A quarter of a
// million idle slots are possible, and a third is not.
func TestALayoutOfMostlyIdleSlotsIsRejected(t *testing.T) {
	for idle, want := range map[int]error{250_000: nil, 333_000: ErrInvalid} {
		w := must[*World](t)(New(Config{}))
		if err := w.ReserveSlots(SlotLayout{Joints: make([]uint32, idle)}); !errors.Is(err, want) {
			t.Errorf("%d idle slots: %v, want %v", idle, err, want)
		}
	}
}
