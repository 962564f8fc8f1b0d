package dynamics

import (
	"fmt"
	"slices"
)

// BodyID names a body; the zero value names none (as a joint's parent: the world).
type BodyID struct{ slot, gen uint32 }

// GeomID names a geom; the zero value names none.
type GeomID struct{ slot, gen uint32 }

// JointID names a joint; the zero value names none.
type JointID struct{ slot, gen uint32 }

// Index is the body's slot, dense from 0: an index for tables beside the world.
func (id BodyID) Index() int { return int(id.slot) }

// Index is the geom's slot, dense from 0.
func (id GeomID) Index() int { return int(id.slot) }

// Index is the joint's slot, dense from 0.
func (id JointID) Index() int { return int(id.slot) }

// String is for messages.
func (id BodyID) String() string { return idString("body", id.slot, id.gen) }

// String is for messages.
func (id GeomID) String() string { return idString("geom", id.slot, id.gen) }

// String is for messages.
func (id JointID) String() string { return idString("joint", id.slot, id.gen) }

func idString(kind string, slot, gen uint32) string {
	if gen == 0 {
		return "no " + kind
	}
	return fmt.Sprintf("%s %d.%d", kind, slot, gen)
}

// slotTable hands out slots, the lowest free one first, so that ids depend on what exists and not on
// the order in which other things were removed. A slot's generation is odd while it is in use.
type slotTable struct {
	gen  []uint32
	free []int32 // descending
	live int
}

// allocate returns a slot; grown says that it is a new one at the end.
func (t *slotTable) allocate() (slot int32, grown bool) {
	t.live++
	if n := len(t.free); n > 0 {
		slot = t.free[n-1]
		t.free = t.free[:n-1]
		t.gen[slot]++
		return slot, false
	}
	t.gen = append(t.gen, 1)
	return int32(len(t.gen) - 1), true
}

func (t *slotTable) release(slot int32) {
	t.live--
	t.gen[slot]++
	at, _ := slices.BinarySearchFunc(t.free, slot, func(e, s int32) int { return int(s) - int(e) })
	t.free = slices.Insert(t.free, at, slot)
}

func (t *slotTable) inUse(slot int32) bool { return t.gen[slot]&1 == 1 }

func (t *slotTable) isCurrent(slot, gen uint32) bool {
	return int(slot) < len(t.gen) && t.gen[slot] == gen && gen&1 == 1
}
