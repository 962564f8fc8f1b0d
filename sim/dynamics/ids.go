package dynamics

import (
	"fmt"
	"slices"
)

// Ids are generational indices: a slot, and a generation that tells its tenants apart. The slot tables are
// part of this package and no room of their own: restoring ids at given slots (id_restore.go), cloning and
// the query scene read their generations, so a room would have to export its fields.

// BodyID names a body; the zero value names none (as a joint's parent: the world).
type BodyID struct{ slot, gen uint32 }

// GeomID names a geom; the zero value names none.
type GeomID struct{ slot, gen uint32 }

// JointID names a joint; the zero value names none.
type JointID struct{ slot, gen uint32 }

// Index returns the body's slot, dense from 0: an index for tables beside the world.
func (id BodyID) Index() int { return int(id.slot) }

// Index returns the geom's slot, dense from 0.
func (id GeomID) Index() int { return int(id.slot) }

// Index returns the joint's slot, dense from 0.
func (id JointID) Index() int { return int(id.slot) }

// String returns the id as messages show it: kind, slot, generation.
func (id BodyID) String() string { return idString("body", id.slot, id.gen) }

// String returns the id as messages show it: kind, slot, generation.
func (id GeomID) String() string { return idString("geom", id.slot, id.gen) }

// String returns the id as messages show it: kind, slot, generation.
func (id JointID) String() string { return idString("joint", id.slot, id.gen) }

func idString(kind string, slot, gen uint32) string {
	if gen == 0 {
		return "no " + kind
	}
	return fmt.Sprintf("%s %d.%d", kind, slot, gen)
}

// slotTable allocates slots, the lowest free one first, so that ids depend on the slots in use and not on the
// order in which others were released.
type slotTable struct {
	gen  []uint32 // by slot: the generation, odd while the slot is in use
	free []int32  // descending
	live int      // slots in use
}

// allocate takes a slot and reports whether it is a new one at the end.
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

// release frees a slot; ids of its tenant name nothing from now on.
func (t *slotTable) release(slot int32) {
	t.live--
	t.gen[slot]++
	at, _ := slices.BinarySearchFunc(t.free, slot, func(e, s int32) int { return int(s) - int(e) })
	t.free = slices.Insert(t.free, at, slot)
}

// inUse reports whether a slot has a tenant.
func (t *slotTable) inUse(slot int32) bool { return t.gen[slot]&1 == 1 }

// isCurrent reports whether a generation is that of a slot's tenant.
func (t *slotTable) isCurrent(slot, gen uint32) bool {
	return int(slot) < len(t.gen) && t.gen[slot] == gen && gen&1 == 1
}
