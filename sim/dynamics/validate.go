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
	for _, check := range [...]func(*World) error{
		checkSlots, checkBodies, checkGeoms, checkTree, checkPairs, checkActive, checkJoints,
		(*World).validateArticulations,
	} {
		if err := check(w); err != nil {
			return fmt.Errorf("physics world after step %d: %w", w.time.steps, err)
		}
	}
	return nil
}

// The checks of the parts; stages of a step are held to some of them too.

func checkBodies(w *World) error { return w.bodies.validate(&w.geoms) }
func checkGeoms(w *World) error  { return w.geoms.validate(&w.bodies) }
func checkTree(w *World) error   { return w.geoms.validateTree() }
func checkPairs(w *World) error  { return w.contacts.validate(&w.geoms) }
func checkActive(w *World) error { return w.active.validate(&w.bodies) }
func checkJoints(w *World) error { return w.joints.validate(&w.bodies) }

func checkSlots(w *World) error {
	for k, t := range [3]*slotTable{&w.bodies.ids, &w.geoms.ids, &w.joints.ids} {
		if err := t.validate(); err != nil {
			return fmt.Errorf("slot table %d: %w", k, err)
		}
	}
	return nil
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

// validate finds the first body that is not as it must be.
func (bs *bodySet) validate(geoms *geomSet) error {
	for i := range bs.all {
		if !bs.ids.inUse(int32(i)) {
			continue
		}
		if err := bs.validateMotion(int32(i)); err != nil {
			return err
		}
		if err := bs.validateRing(int32(i)); err != nil {
			return err
		}
		b := &bs.all[i]
		for _, s := range b.geoms {
			if !geoms.ids.inUse(s) || geoms.all[s].body != int32(i) {
				return fmt.Errorf("body %d lists geom %d, which is not its own", i, s)
			}
		}
		if !slices.IsSorted(b.geoms) || !slices.IsSorted(b.joints) {
			return fmt.Errorf("body %d: lists out of order: %v %v", i, b.geoms, b.joints)
		}
	}
	return nil
}

// validateMotion: a body's motion is finite, its quaternion of unit length, and what is static or asleep is
// still.
func (bs *bodySet) validateMotion(i int32) error {
	b, m := &bs.all[i], &bs.motion[i]
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
	return nil
}

// validateRing: the bodies of a sleeping island are linked in a ring, and others with themselves.
func (bs *bodySet) validateRing(i int32) error {
	b := &bs.all[i]
	for n, k := 0, i; ; n++ {
		k = bs.all[k].nextInIsland
		if k == i {
			return nil
		}
		if n > len(bs.all) || bs.all[k].asleep != b.asleep || bs.all[k].contained != b.contained ||
			!b.asleep {
			return fmt.Errorf("body %d: its island's ring is broken at %d", i, k)
		}
	}
}

func (gs *geomSet) validate(bodies *bodySet) error {
	for i := range gs.all {
		if !gs.ids.inUse(int32(i)) {
			continue
		}
		g, p := &gs.all[i], &gs.placements[i]
		m := &bodies.motion[g.body]
		if want := (r3.Pose{Pos: m.origin, Rot: m.rot}).Mul(g.local); p.Pose != want {
			return fmt.Errorf("geom %d is at %v, its body puts it at %v", i, p.Pose, want)
		}
		if p.moved != slices.Contains(gs.moved, int32(i)) {
			return fmt.Errorf("geom %d: moved is %v, the list says otherwise", i, p.moved)
		}
		if g.Kind == shape.KindPlane {
			if g.leaf >= 0 || !slices.Contains(gs.planes, int32(i)) {
				return fmt.Errorf("plane %d is in the tree or not among the planes", i)
			}
			continue
		}
		if !p.fat.Contains(p.tight) {
			return fmt.Errorf("geom %d has left its fat box: %v, %v", i, p.tight, p.fat)
		}
		if geom, box := gs.tree.Leaf(g.leaf); geom != int32(i) || box != p.fat {
			return fmt.Errorf("geom %d: its leaf holds geom %d, %v", i, geom, box)
		}
	}
	return nil
}

func (gs *geomSet) validateTree() error {
	leaves, err := gs.tree.Validate()
	if err != nil {
		return err
	}
	if leaves+len(gs.planes) != gs.ids.live {
		return fmt.Errorf("tree has %d leaves for %d geoms, %d of them planes", leaves, gs.ids.live,
			len(gs.planes))
	}
	return nil
}

func (cs *contactSet) validate(geoms *geomSet) error {
	for i, r := range cs.pairs.sorted {
		if i > 0 && cs.pairs.sorted[i-1].key >= r.key {
			return fmt.Errorf("pair %d is out of order", i)
		}
		c := &cs.all[r.contact]
		if c.freed || c.dead || pairKey(c.a, c.b) != r.key || !geoms.ids.inUse(c.a) ||
			!geoms.ids.inUse(c.b) ||
			geoms.all[c.a].Kind > geoms.all[c.b].Kind || c.count > c.capacity {
			return fmt.Errorf("pair %d has contact %+v", i, *c)
		}
		for _, m := range cs.manifolds[c.base : c.base+c.count] {
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
	if len(cs.pairs.sorted)+len(cs.free) != len(cs.all) {
		return fmt.Errorf("%d contacts, %d in pairs, %d free", len(cs.all),
			len(cs.pairs.sorted),
			len(cs.free))
	}
	return nil
}

func (as *activeSet) validate(bodies *bodySet) error {
	if as.dirty {
		return nil
	}
	n := 0
	for i := range bodies.all {
		if bodies.ids.inUse(int32(i)) && bodies.isAwake(int32(i)) {
			if n >= len(as.bodies) || as.bodies[n] != int32(i) {
				return fmt.Errorf("body %d is awake but not number %d of that list", i, n)
			}
			n++
		}
	}
	if n != len(as.bodies) {
		return fmt.Errorf("%d bodies awake, %d listed", n, len(as.bodies))
	}
	return nil
}

func (js *jointSet) validate(bodies *bodySet) error {
	for i := range js.all {
		if !js.ids.inUse(int32(i)) {
			continue
		}
		j := &js.all[i]
		if math.IsNaN(j.position) || !j.linearImpulse.IsFinite() || !j.angularImpulse.IsFinite() {
			return fmt.Errorf("joint %d is not finite: %+v", i, *j)
		}
		for _, b := range [2]int32{j.parent, j.child} {
			if b >= 0 && (!bodies.ids.inUse(b) || !slices.Contains(bodies.all[b].joints, int32(i))) {
				return fmt.Errorf("joint %d: body %d does not know it", i, b)
			}
		}
	}
	return nil
}
