package physics

import (
	"fmt"
	"slices"
)

// Slots are where the things of a world stand: the generation of every slot, and how many trees of joints there is room for. A slot of an
// odd generation is in use.
type Slots struct {
	Bodies, Geoms, Joints []uint32
	Trees                 int
}

// mostIdle is how many slots that nothing stands in a world may be made with.
const mostIdle = 1 << 18

// Slots are those of the world as it is.
func (w *World) Slots() Slots {
	return Slots{slices.Clone(w.bodyIDs.gen), slices.Clone(w.geomIDs.gen), slices.Clone(w.jointIDs.gen), len(w.limbs)}
}

// Berth is where things are put: slots in ascending order, as they are added.
type Berth struct{ Bodies, Geoms, Joints, Trees []int32 }

// BerthOf is where some bodies stand with their geoms, and some joints with the trees that they are computed in.
func (w *World) BerthOf(bodies []BodyID, joints []JointID) (b Berth) {
	for _, id := range bodies {
		b.Bodies = append(b.Bodies, int32(id.slot))
		b.Geoms = append(b.Geoms, w.bodies[id.slot].geoms...)
	}
	for _, id := range joints {
		if id == (JointID{}) {
			continue
		}
		b.Joints = append(b.Joints, int32(id.slot))
		if tree := w.joints[id.slot].limb; tree > 0 && !slices.Contains(b.Trees, tree-1) {
			b.Trees = append(b.Trees, tree-1)
		}
	}
	for _, list := range [...][]int32{b.Bodies, b.Geoms, b.Joints, b.Trees} {
		slices.Sort(list)
	}
	return b
}

// Reserve makes room in an empty world for one with other slots. What is added then goes where Moor says, until Settle.
func (w *World) Reserve(s Slots) error {
	if len(w.bodyIDs.gen)+len(w.jointIDs.gen)+len(w.limbs) > 0 {
		return fmt.Errorf("%w: slots are reserved in an empty world, this one has had %d bodies", ErrInvalid, len(w.bodyIDs.gen))
	}
	used := 0
	for _, list := range [...][]uint32{s.Bodies, s.Geoms, s.Joints} {
		idle := 0
		for _, g := range list {
			idle += int(1 - g&1)
		}
		used += len(list) - idle
		if idle > mostIdle {
			return fmt.Errorf("%w: %d of %d slots are idle, at most %d are possible", ErrInvalid, idle, len(list), mostIdle)
		}
	}
	if s.Trees < 0 || s.Trees > used+mostIdle {
		return fmt.Errorf("%w: room for %d trees of joints", ErrInvalid, s.Trees)
	}
	w.bodyIDs.reserve(s.Bodies)
	w.geomIDs.reserve(s.Geoms)
	w.jointIDs.reserve(s.Joints)
	w.bodies, w.motion, w.inert = make([]body, len(s.Bodies)), make([]motion, len(s.Bodies)), make([]inertial, len(s.Bodies))
	w.travels = make([]travel, len(s.Bodies))
	for i := range w.bodies {
		w.bodies[i].ring = int32(i)
	}
	n := len(s.Geoms)
	w.geoms, w.placed, w.bounds, w.skins = make([]geom, n), make([]placement, n), make([]bound, n), make([]skin, n)
	for i := range w.geoms {
		w.geoms[i].leaf = -1
	}
	w.joints, w.limbs = make([]joint, len(s.Joints)), make([]limb, s.Trees)
	return nil
}

// Moor says where what is added next goes.
func (w *World) Moor(b Berth) error {
	for _, t := range [...]struct {
		table *slotTable
		list  []int32
	}{{&w.bodyIDs, b.Bodies}, {&w.geomIDs, b.Geoms}, {&w.jointIDs, b.Joints}} {
		if err := t.table.moor(t.list); err != nil {
			return err
		}
	}
	for _, at := range b.Trees {
		if at < 0 || int(at) >= len(w.limbs) || w.limbs[at].live {
			return fmt.Errorf("%w: a tree of joints at %d of %d", ErrInvalid, at, len(w.limbs))
		}
	}
	w.moored = append(w.moored[:0], b.Trees...)
	return nil
}

// Settle ends what Reserve has begun: whatever was in use there is in use now, and nothing else.
func (w *World) Settle(s Slots) error {
	w.moored = nil
	for i, t := range [3]*slotTable{&w.bodyIDs, &w.geomIDs, &w.jointIDs} {
		if !slices.Equal(t.gen, [...][]uint32{s.Bodies, s.Geoms, s.Joints}[i]) {
			return fmt.Errorf("%w: the %s are others than were reserved for", ErrInvalid, [...]string{"bodies", "geoms", "joints"}[i])
		}
		t.settle()
	}
	if len(w.limbs) != s.Trees {
		return fmt.Errorf("%w: %d trees of joints, %d were reserved for", ErrInvalid, len(w.limbs), s.Trees)
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

// moor lets take give these slots.
func (t *slotTable) moor(list []int32) error {
	t.free = t.free[:0]
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if s < 0 || int(s) >= len(t.gen) || t.used(s) || i > 0 && list[i-1] >= s {
			return fmt.Errorf("%w: slot %d of %d", ErrInvalid, s, len(t.gen))
		}
		t.free = append(t.free, s)
	}
	return nil
}

// settle frees what is idle.
func (t *slotTable) settle() {
	t.free = t.free[:0]
	for i := len(t.gen) - 1; i >= 0; i-- {
		if !t.used(int32(i)) {
			t.free = append(t.free, int32(i))
		}
	}
}
