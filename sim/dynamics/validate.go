package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Validate looks at every invariant of the world and returns the first that is broken: an error of
// this package, not of its caller.
func (w *World) Validate() error {
	for _, check := range [...]func() error{
		w.validateSlots, w.validateBodies, w.validateGeoms, w.validateTree, w.validatePairs, w.validateLists,
		w.validateJoints, w.validateArticulations,
	} {
		if err := check(); err != nil {
			return fmt.Errorf("physics world after step %d: %w", w.time.steps, err)
		}
	}
	return nil
}

func (w *World) validateSlots() error {
	for k, t := range [3]*slotTable{&w.bodies.ids, &w.geoms.ids, &w.joints.ids} {
		live := 0
		for _, g := range t.gen {
			live += int(g & 1)
		}
		if live != t.live || live+len(t.free) != len(t.gen) {
			return fmt.Errorf("slot table %d: %d slots, %d live, %d counted, %d free", k, len(t.gen), live,
				t.live, len(t.free))
		}
		for i, s := range t.free {
			if t.inUse(s) || (i > 0 && t.free[i-1] <= s) {
				return fmt.Errorf("slot table %d: free list %v", k, t.free)
			}
		}
	}
	return nil
}

func (w *World) validateBodies() error {
	for i := range w.bodies.all {
		if !w.bodies.ids.inUse(int32(i)) {
			continue
		}
		b, m := &w.bodies.all[i], &w.bodies.motion[i]
		if !m.com.IsFinite() || !m.origin.IsFinite() || !m.v.IsFinite() || !m.w.IsFinite() {
			return fmt.Errorf("body %d is not finite: %+v", i, *m)
		}
		q := m.rot
		if n := math.Sqrt(float64(q.W*q.W) + r3.V(q.X, q.Y, q.Z).Len2()); math.Abs(n-1) > 1e-9 {
			return fmt.Errorf("body %d has a quaternion of length %v", i, n)
		}
		still := m.v == (r3.Vec{}) && m.w == (r3.Vec{})
		if b.kind == Static && !still || b.asleep && (b.kind != Dynamic || !still) {
			return fmt.Errorf("body %d (%v, asleep %v) moves at %v", i, b.kind, b.asleep, m.v)
		}
		if b.contained && !b.asleep {
			return fmt.Errorf("body %d is contained and awake", i)
		}
		for n, k := 0, int32(i); ; n++ {
			k = w.bodies.all[k].nextInIsland
			if k == int32(i) {
				break
			}
			if n > len(w.bodies.all) || w.bodies.all[k].asleep != b.asleep ||
				w.bodies.all[k].contained != b.contained ||
				!b.asleep {
				return fmt.Errorf("body %d: its island's ring is broken at %d", i, k)
			}
		}
		for _, s := range b.geoms {
			if !w.geoms.ids.inUse(s) || w.geoms.all[s].body != int32(i) {
				return fmt.Errorf("body %d lists geom %d, which is not its own", i, s)
			}
		}
		if !slices.IsSorted(b.geoms) || !slices.IsSorted(b.joints) {
			return fmt.Errorf("body %d: lists out of order: %v %v", i, b.geoms, b.joints)
		}
	}
	return nil
}

func (w *World) validateGeoms() error {
	for i := range w.geoms.all {
		if !w.geoms.ids.inUse(int32(i)) {
			continue
		}
		g, p := &w.geoms.all[i], &w.geoms.placements[i]
		m := &w.bodies.motion[g.body]
		if want := (r3.Pose{Pos: m.origin, Rot: m.rot}).Mul(g.local); p.Pose != want {
			return fmt.Errorf("geom %d is at %v, its body puts it at %v", i, p.Pose, want)
		}
		if p.moved != slices.Contains(w.geoms.moved, int32(i)) {
			return fmt.Errorf("geom %d: moved is %v, the list says otherwise", i, p.moved)
		}
		if g.Kind == shape.KindPlane {
			if g.leaf >= 0 || !slices.Contains(w.geoms.planes, int32(i)) {
				return fmt.Errorf("plane %d is in the tree or not among the planes", i)
			}
			continue
		}
		if !p.fat.Contains(p.tight) {
			return fmt.Errorf("geom %d has left its fat box: %v, %v", i, p.tight, p.fat)
		}
		if geom, box := w.geoms.tree.Leaf(g.leaf); geom != int32(i) || box != p.fat {
			return fmt.Errorf("geom %d: its leaf holds geom %d, %v", i, geom, box)
		}
	}
	return nil
}

func (w *World) validateTree() error {
	leaves, err := w.geoms.tree.Validate()
	if err != nil {
		return err
	}
	if leaves+len(w.geoms.planes) != w.geoms.ids.live {
		return fmt.Errorf("tree has %d leaves for %d geoms, %d of them planes", leaves, w.geoms.ids.live,
			len(w.geoms.planes))
	}
	return nil
}

func (w *World) validatePairs() error {
	for i, r := range w.contacts.pairs.sorted {
		if i > 0 && w.contacts.pairs.sorted[i-1].key >= r.key {
			return fmt.Errorf("pair %d is out of order", i)
		}
		c := &w.contacts.all[r.contact]
		if c.freed || c.dead || pairKey(c.a, c.b) != r.key || !w.geoms.ids.inUse(c.a) ||
			!w.geoms.ids.inUse(c.b) ||
			w.geoms.all[c.a].Kind > w.geoms.all[c.b].Kind || c.count > c.capacity {
			return fmt.Errorf("pair %d has contact %+v", i, *c)
		}
		for _, m := range w.contacts.manifolds[c.base : c.base+c.count] {
			if m.n < 1 || m.n > maxManifoldPoints || math.Abs(m.normal.Len()-1) > 1e-6 ||
				!m.friction.IsFinite() {
				return fmt.Errorf("contact of geoms %d and %d: %d points, normal %v", c.a, c.b, m.n, m.normal)
			}
			for k, p := range m.points[:m.n] {
				if !p.arm.IsFinite() || !(m.impulses[k] >= 0) || math.IsNaN(p.gap) {
					return fmt.Errorf("contact of geoms %d and %d: point %+v, impulse %v", c.a, c.b, p,
						m.impulses[k])
				}
			}
		}
	}
	if len(w.contacts.pairs.sorted)+len(w.contacts.free) != len(w.contacts.all) {
		return fmt.Errorf("%d contacts, %d in pairs, %d free", len(w.contacts.all),
			len(w.contacts.pairs.sorted),
			len(w.contacts.free))
	}
	return nil
}

func (w *World) validateLists() error {
	if w.active.dirty {
		return nil
	}
	n := 0
	for i := range w.bodies.all {
		if w.bodies.ids.inUse(int32(i)) && w.isAwake(int32(i)) {
			if n >= len(w.active.bodies) || w.active.bodies[n] != int32(i) {
				return fmt.Errorf("body %d is awake but not number %d of that list", i, n)
			}
			n++
		}
	}
	if n != len(w.active.bodies) {
		return fmt.Errorf("%d bodies awake, %d listed", n, len(w.active.bodies))
	}
	return nil
}

func (w *World) validateJoints() error {
	for i := range w.joints.all {
		if !w.joints.ids.inUse(int32(i)) {
			continue
		}
		j := &w.joints.all[i]
		if math.IsNaN(j.position) || !j.linearImpulse.IsFinite() || !j.angularImpulse.IsFinite() {
			return fmt.Errorf("joint %d is not finite: %+v", i, *j)
		}
		for _, b := range [2]int32{j.parent, j.child} {
			if b >= 0 && (!w.bodies.ids.inUse(b) || !slices.Contains(w.bodies.all[b].joints, int32(i))) {
				return fmt.Errorf("joint %d: body %d does not know it", i, b)
			}
		}
	}
	return nil
}
