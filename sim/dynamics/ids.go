package dynamics

import (
	"fmt"
	"slices"

	"simdeck/sim/statecodec"
)

// Ids are generational indices: a slot, and a generation that tells its tenants apart. The slot tables stay
// in this package. Restoring ids at given slots (ids.go), cloning and the query scene read their generations,
// which a package of their own would have to export.

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

// slotTable allocates slots, the lowest free one first: ids depend on the slots in use, not on the order of
// releases.
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

// appendIDs appends the ids of the slots in use, ascending.
func appendIDs[ID BodyID | GeomID | JointID](dst []ID, t *slotTable) []ID {
	for slot, gen := range t.gen {
		if gen&1 == 1 {
			dst = append(dst, ID{uint32(slot), gen})
		}
	}
	return dst
}

// isCurrent reports whether a generation is that of a slot's tenant.
func (t *slotTable) isCurrent(slot, gen uint32) bool {
	return int(slot) < len(t.gen) && t.gen[slot] == gen && gen&1 == 1
}

// SlotLayout is the layout of a world's slots: the generation of every slot, and the number of articulations.
// A slot of an odd generation is in use.
type SlotLayout struct {
	Bodies, Geoms, Joints []uint32
	Articulations         int `json:"Trees"`
}

// maxIdleSlots bounds the idle slots of a restored world.
const maxIdleSlots = 1 << 18

// SlotLayout are those of the world as it is.
func (w *World) SlotLayout() SlotLayout {
	return SlotLayout{slices.Clone(w.bodies.ids.gen), slices.Clone(w.geoms.ids.gen),
		slices.Clone(w.joints.ids.gen),
		len(w.articulations)}
}

// Placement is a list of slots for the next additions, in ascending order.
type Placement struct {
	Bodies, Geoms, Joints []int32
	Articulations         []int32 `json:"Trees"`
}

// PlacementOf returns the slots of some bodies with their geoms, and of some joints with their articulations.
func (w *World) PlacementOf(bodies []BodyID, joints []JointID) (b Placement) {
	for _, id := range bodies {
		b.Bodies = append(b.Bodies, int32(id.slot))
		b.Geoms = append(b.Geoms, w.bodies.all[id.slot].geoms...)
	}
	for _, id := range joints {
		if id == (JointID{}) {
			continue
		}
		b.Joints = append(b.Joints, int32(id.slot))
		if tree := w.joints.all[id.slot].articulation; tree > 0 && !slices.Contains(b.Articulations, tree-1) {
			b.Articulations = append(b.Articulations, tree-1)
		}
	}
	for _, list := range [...][]int32{b.Bodies, b.Geoms, b.Joints, b.Articulations} {
		slices.Sort(list)
	}
	return b
}

// ReserveSlots makes room in an empty world for one with other slots. PlaceNext then names the slots of the
// next additions, until CommitSlots.
func (w *World) ReserveSlots(s SlotLayout) error {
	if len(w.bodies.ids.gen)+len(w.joints.ids.gen)+len(w.articulations) > 0 {
		return fmt.Errorf("%w: slots are reserved in an empty world, this one has had %d bodies", ErrInvalid,
			len(w.bodies.ids.gen))
	}
	used := 0
	for _, list := range [...][]uint32{s.Bodies, s.Geoms, s.Joints} {
		idle := 0
		for _, g := range list {
			idle += int(1 - g&1)
		}
		used += len(list) - idle
		if idle > maxIdleSlots {
			return fmt.Errorf("%w: %d of %d slots are idle, at most %d are possible", ErrInvalid, idle,
				len(list), maxIdleSlots)
		}
	}
	if s.Articulations < 0 || s.Articulations > used+maxIdleSlots {
		return fmt.Errorf("%w: room for %d trees of joints", ErrInvalid, s.Articulations)
	}
	w.bodies.ids.reserve(s.Bodies)
	w.geoms.ids.reserve(s.Geoms)
	w.joints.ids.reserve(s.Joints)
	w.bodies.all, w.bodies.motion, w.bodies.massProps = make([]body, len(s.Bodies)), make([]bodyPoseVelocity,
		len(s.Bodies)),
		make([]massProperties, len(s.Bodies))
	w.bodies.motionBounds = make([]motionBound, len(s.Bodies))
	for i := range w.bodies.all {
		w.bodies.all[i].nextInIsland = int32(i)
	}
	n := len(s.Geoms)
	w.geoms.all, w.geoms.placements, w.geoms.bounds, w.geoms.surfaces = make([]geom, n),
		make([]geomPlacement, n),
		make([]fatBound, n), make([]surface, n)
	for i := range w.geoms.all {
		w.geoms.all[i].leaf = -1
	}
	w.joints.all, w.articulations = make([]joint, len(s.Joints)), make([]worldArticulation, s.Articulations)
	return nil
}

// PlaceNext sets the slots of the next additions.
func (w *World) PlaceNext(b Placement) error {
	for _, t := range [...]struct {
		table *slotTable
		list  []int32
	}{{&w.bodies.ids, b.Bodies}, {&w.geoms.ids, b.Geoms}, {&w.joints.ids, b.Joints}} {
		if err := t.table.placeNext(t.list); err != nil {
			return err
		}
	}
	for _, at := range b.Articulations {
		if at < 0 || int(at) >= len(w.articulations) || w.articulations[at].live {
			return fmt.Errorf("%w: a tree of joints at %d of %d", ErrInvalid, at, len(w.articulations))
		}
	}
	w.nextArticulations = append(w.nextArticulations[:0], b.Articulations...)
	return nil
}

// CommitSlots ends what Reserve has begun: whatever was in use there is in use now, and nothing else.
func (w *World) CommitSlots(s SlotLayout) error {
	w.nextArticulations = nil
	for i, t := range [3]*slotTable{&w.bodies.ids, &w.geoms.ids, &w.joints.ids} {
		if !slices.Equal(t.gen, [...][]uint32{s.Bodies, s.Geoms, s.Joints}[i]) {
			return fmt.Errorf("%w: the %s are others than were reserved for", ErrInvalid,
				[...]string{"bodies", "geoms", "joints"}[i])
		}
		t.commit()
	}
	if len(w.articulations) != s.Articulations {
		return fmt.Errorf("%w: %d trees of joints, %d were reserved for", ErrInvalid, len(w.articulations),
			s.Articulations)
	}
	return nil
}

// reserve makes every slot idle, those in use by the generation before.
func (t *slotTable) reserve(gen []uint32) {
	*t = slotTable{gen: slices.Clone(gen)}
	for i := range t.gen {
		t.gen[i] -= t.gen[i] & 1
	}
}

// placeNext lets take give these slots.
func (t *slotTable) placeNext(list []int32) error {
	t.free = t.free[:0]
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if s < 0 || int(s) >= len(t.gen) || t.inUse(s) || i > 0 && list[i-1] >= s {
			return fmt.Errorf("%w: slot %d of %d", ErrInvalid, s, len(t.gen))
		}
		t.free = append(t.free, s)
	}
	return nil
}

// commit frees what is idle.
func (t *slotTable) commit() {
	t.free = t.free[:0]
	for i := len(t.gen) - 1; i >= 0; i-- {
		if !t.inUse(int32(i)) {
			t.free = append(t.free, int32(i))
		}
	}
}

// encode codes the generations, which must be the same when they are read.
func (t *slotTable) encode(c *statecodec.Codec) {
	c.Match(uint64(len(t.gen)), "number of slots")
	for _, g := range t.gen {
		c.Match(uint64(g), "generation of a slot")
	}
}

func (t *slotTable) copyFrom(o *slotTable) {
	t.gen = append(t.gen[:0], o.gen...)
	t.free = append(t.free[:0], o.free...)
	t.live = o.live
}

// validate finds what is wrong with the count of slots in use or the list of free ones.
func (t *slotTable) validate() error {
	live := 0
	for _, g := range t.gen {
		live += int(g & 1)
	}
	if live != t.live || live+len(t.free) != len(t.gen) {
		return fmt.Errorf("%d slots, %d live, %d counted, %d free", len(t.gen), live, t.live, len(t.free))
	}
	for i, s := range t.free {
		if t.inUse(s) || (i > 0 && t.free[i-1] <= s) {
			return fmt.Errorf("free list %v", t.free)
		}
	}
	return nil
}
