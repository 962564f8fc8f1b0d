package dynamics

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// stateVersion heads every state; it grows when the fields below change.
const stateVersion = 0x73640005

// AppendState appends everything that moves or is remembered, bit for bit: after RestoreState the
// world goes on exactly as this one would have. Shapes, masses and the set of bodies, geoms and joints
// are not part of it.
func (w *World) AppendState(b []byte) []byte {
	from := len(b)
	c := stateCodec{buf: b, writing: true}
	w.encodeState(&c)
	return binary.LittleEndian.AppendUint64(c.buf, checksum(c.buf[from:]))
}

// RestoreState puts back what AppendState has given, into a world with the same bodies, geoms and
// joints under the same ids. Otherwise, and for bytes that are damaged, it is an ErrInvalid and nothing
// changes.
func (w *World) RestoreState(b []byte) error {
	if len(b) < 8 {
		return fmt.Errorf("%w: physics state of %d bytes is too short", ErrInvalid, len(b))
	}
	body := b[:len(b)-8]
	if sum := binary.LittleEndian.Uint64(b[len(body):]); sum != checksum(body) {
		return fmt.Errorf("%w: physics state is damaged: checksum %016x, computed %016x", ErrInvalid, sum,
			checksum(body))
	}
	// Once to see that it fits, then once for good.
	dry := stateCodec{buf: body, dry: true}
	w.encodeState(&dry)
	if dry.err == nil && dry.at != len(body) {
		dry.fail("%d bytes are left over", len(body)-dry.at)
	}
	if dry.err != nil {
		return fmt.Errorf("%w: physics state: %w", ErrInvalid, dry.err)
	}
	w.encodeState(&stateCodec{buf: body})
	w.active.sleepEvents.list, w.active.sleepEvents.seen = w.active.sleepEvents.list[:0], 0
	w.active.dirty, w.geoms.adjacency.dirty = true, true
	w.active.rebuild(&w.bodies, &w.contacts)
	return nil
}

// encodeState walks over the state in its one order; the codec says in which direction values flow.
func (w *World) encodeState(c *stateCodec) {
	c.match(stateVersion, "version")
	for _, t := range [3]*slotTable{&w.bodies.ids, &w.geoms.ids, &w.joints.ids} {
		c.match(uint64(len(t.gen)), "number of slots")
		for _, g := range t.gen {
			c.match(uint64(g), "generation of a slot")
		}
	}
	steps := w.time.steps
	c.word(&steps)
	if c.reads() {
		w.time.steps = steps
	}
	c.float(&w.time.dt)
	c.float(&w.time.h)
	c.vec(&w.cfg.Gravity)
	for i := range w.bodies.all {
		if w.bodies.ids.inUse(int32(i)) {
			w.bodies.encode(&w.geoms, c, int32(i))
		}
	}
	w.contacts.encode(&w.geoms, c)
	for i := range w.geoms.all {
		if w.geoms.ids.inUse(int32(i)) && w.geoms.all[i].leaf >= 0 {
			w.geoms.encode(w.time.steps, c, int32(i))
		}
	}
	for i := range w.joints.all {
		if w.joints.ids.inUse(int32(i)) {
			c.joint(&w.joints.all[i])
		}
	}
	w.articulations.encode(c)
}

func (bs *bodySet) encode(geoms *geomSet, c *stateCodec, slot int32) {
	b, m := &bs.all[slot], &bs.motion[slot]
	c.vec(&m.com)
	c.quat(&m.rot)
	c.vec(&m.v)
	c.vec(&m.w)
	c.vec(&m.origin)
	c.vec(&b.force)
	c.vec(&b.torque)
	c.float(&b.stillTime)
	c.vec(&b.velocityBefore.Linear)
	c.vec(&b.velocityBefore.Angular)
	c.sleep(b)
	ring := uint64(b.nextInIsland)
	c.word(&ring)
	if ring >= uint64(len(bs.all)) {
		c.fail("ring of body %d is %d", slot, ring)
		return
	}
	if c.reads() {
		b.nextInIsland = int32(ring)
		geoms.restorePlacement(bs, slot)
	}
}

// restorePlacement lets the geoms follow without giving them new fat boxes.
func (gs *geomSet) restorePlacement(bodies *bodySet, slot int32) {
	m := &bodies.motion[slot]
	for _, s := range bodies.all[slot].geoms {
		g, p := &gs.all[s], &gs.placements[s]
		p.Pose = r3.Pose{Pos: m.origin, Rot: m.rot}.Mul(g.local)
		p.Mat = p.Pose.Rot.Mat()
		p.tight = g.AABB(&p.Placement)
		gs.bounds[s].box = p.tight
	}
}

func (gs *geomSet) encode(steps uint64, c *stateCodec, s int32) {
	p := &gs.placements[s]
	was := p.moved
	c.vec(&p.fat.Min)
	c.vec(&p.fat.Max)
	c.flag(&p.moved)
	c.float(&gs.bounds[s].lookahead)
	if c.reads() {
		gs.bounds[s].renewedStep = steps + 1
		gs.tree.Move(gs.all[s].leaf, p.fat)
		if p.moved && !was {
			gs.moved = append(gs.moved, s)
		} else if was && !p.moved {
			gs.moved = deleteValue(gs.moved, s)
		}
	}
}

// encode replaces all contacts when it reads.
func (cs *contactSet) encode(geoms *geomSet, c *stateCodec) {
	n := uint64(len(cs.pairs.sorted))
	c.word(&n)
	if c.reads() {
		for _, r := range cs.pairs.sorted {
			cs.release(r.contact)
		}
		cs.pairs.sorted = cs.pairs.sorted[:0]
	}
	for i := range n {
		if c.err != nil {
			return
		}
		cs.encodeContact(geoms, c, int(i))
	}
}

func (cs *contactSet) encodeContact(geoms *geomSet, c *stateCodec, i int) {
	var key, count uint64
	var contact int32
	if c.writing {
		r := cs.pairs.sorted[i]
		key, contact = r.key, r.contact
		count = uint64(cs.all[contact].count)
	}
	c.word(&key)
	c.word(&count)
	a, b := key>>32, key&0xffffffff
	n := uint64(len(geoms.all))
	if a >= n || b >= n || !geoms.ids.inUse(int32(a)) || !geoms.ids.inUse(int32(b)) ||
		count > maxMeshManifolds {
		c.fail("contact %d between geoms %d and %d with %d manifolds", i, a, b, count)
		return
	}
	if c.reads() {
		contact = cs.add(geoms, int32(a), int32(b))
		cs.all[contact].count = int32(count)
		if count > 0 {
			cs.allocateManifolds(geoms, &cs.all[contact])
		}
		cs.pairs.sorted = append(cs.pairs.sorted, pairRef{key, contact})
	}
	var kept manifoldPose
	held, on := &kept, new(bool)
	if !c.dry {
		held, on = &cs.poses[contact], &cs.all[contact].recycled
	}
	c.flag(on)
	c.float(&held.allowedMotion)
	c.quat(&held.turnA)
	c.quat(&held.turnB)
	c.vec(&held.separation)
	var spare manifold
	for k := range int32(count) {
		m := &spare
		if !c.dry {
			m = &cs.manifolds[cs.all[contact].base+k]
		}
		c.manifold(m)
		if k == 0 && c.reads() {
			cs.all[contact].points = int8(m.n)
		}
	}
}

func (c *stateCodec) manifold(m *manifold) {
	c.vec(&m.normal)
	c.vec(&m.friction)
	c.vec(&m.rolling)
	c.float(&m.spin)
	c.flag(&m.noWarmStart)
	n := uint64(m.n)
	c.word(&n)
	if n > maxManifoldPoints {
		c.fail("a manifold of %d points", n)
		return
	}
	m.n = int32(n)
	for k := range m.n {
		p := &m.points[k]
		c.vec(&p.arm)
		c.float(&p.gapWhenFound)
		c.float(&p.gap)
		c.float(&m.impulses[k])
		id := uint64(m.ids[k])
		c.word(&id)
		m.ids[k] = uint32(id)
		c.flag(&m.matched[k])
	}
}

func (c *stateCodec) joint(j *joint) {
	mode := uint64(j.motor.mode)
	c.word(&mode)
	if mode > uint64(motorEffort) {
		c.fail("motor mode %d", mode)
		return
	}
	if c.reads() {
		j.motor.mode = motorMode(mode)
	}
	for _, v := range [...]*float64{
		&j.motor.target, &j.motor.kp, &j.motor.kd, &j.motor.limit, &j.position,
		&j.impulseDrive, &j.impulseDamping, &j.impulseFriction, &j.impulseFriction2, &j.impulseFriction3,
		&j.impulseLower, &j.impulseUpper, &j.impulseCoupling, &j.impulseVelocityLimit, &j.effort,
	} {
		c.float(v)
	}
	c.vec(&j.multiDofDampingImpulse)
	c.vec(&j.multiDofFrictionImpulse)
	c.vec(&j.linearImpulse)
	c.vec(&j.angularImpulse)
}

// stateCodec moves values between the world and bytes: it writes, reads, or (dry) only checks.
type stateCodec struct {
	buf     []byte
	at      int
	writing bool
	dry     bool
	err     error
}

// reads reports that values read are to be kept.
func (c *stateCodec) reads() bool { return !c.writing && !c.dry && c.err == nil }

func (c *stateCodec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// next reads one word; 0 after the end, with an error.
func (c *stateCodec) next() uint64 {
	if c.err != nil || len(c.buf)-c.at < 8 {
		c.fail("ends after %d bytes", len(c.buf))
		return 0
	}
	v := binary.LittleEndian.Uint64(c.buf[c.at:])
	c.at += 8
	return v
}

// match writes a value that must be the same when it is read.
func (c *stateCodec) match(v uint64, what string) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, v)
	} else if got := c.next(); got != v {
		c.fail("%s is %d, this world's is %d", what, got, v)
	}
}

// word hands the value over in a dry run too: the variable must be the caller's own.
func (c *stateCodec) word(v *uint64) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, *v)
		return
	}
	*v = c.next()
}

func (c *stateCodec) float(v *float64) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(*v))
		return
	}
	x := c.next()
	if c.reads() {
		*v = math.Float64frombits(x)
	}
}

func (c *stateCodec) flag(v *bool) {
	x := uint64(0)
	if *v {
		x = 1
	}
	c.word(&x)
	if c.reads() {
		*v = x != 0
	}
}

// sleep codes how a body sleeps: 1, or 3 where nothing wakes it.
func (c *stateCodec) sleep(b *body) {
	x := uint64(0)
	if b.asleep {
		x = 1
	}
	if b.contained {
		x |= 2
	}
	c.word(&x)
	if c.reads() {
		b.asleep, b.contained = x != 0, x&2 != 0
	}
}

func (c *stateCodec) vec(v *r3.Vec) {
	c.float(&v.X)
	c.float(&v.Y)
	c.float(&v.Z)
}

func (c *stateCodec) quat(q *r3.Quat) {
	c.float(&q.W)
	c.float(&q.X)
	c.float(&q.Y)
	c.float(&q.Z)
}

// CopyFrom makes this world what the other one is now, bit for bit: both then go on alike, under the
// same ids. It reuses this world's memory, so that a copy which is taken again and again allocates
// nothing. What stands for good (shapes, meshes) is shared, and so is the configuration's clock.
//
// Only what matters between two steps is copied: the solver and other scratch stay each world's own.
func (w *World) CopyFrom(o *World) {
	w.cfg, w.time, w.stats = o.cfg, o.time, o.stats
	w.bodies.copyFrom(&o.bodies)
	w.geoms.copyFrom(&o.geoms)
	w.joints.copyFrom(&o.joints)
	w.articulations.copyFrom(o.articulations)
	w.contacts.copyFrom(&o.contacts)
	w.active.copyFrom(&o.active)
}

// Size is about how many bytes a copy of the world takes.
func (w *World) Size() int {
	trees := 0
	for i := range w.articulations {
		l := &w.articulations[i]
		trees += sizeOf(l.links) + l.Size()
	}
	return trees + sizeOf(w.bodies.all) + sizeOf(w.bodies.motion) + sizeOf(w.bodies.massProps) +
		sizeOf(w.bodies.motionBounds) +
		sizeOf(w.geoms.all) + sizeOf(w.geoms.placements) + sizeOf(w.joints.all) +
		w.geoms.tree.Size() + sizeOf(w.contacts.pairs.sorted) + sizeOf(w.geoms.adjacency.keys) +
		sizeOf(w.contacts.all) +
		sizeOf(w.contacts.poses) + sizeOf(w.geoms.bounds) + sizeOf(w.geoms.surfaces) +
		sizeOf(w.contacts.manifolds)
}

func sizeOf[T any](s []T) int {
	var one T
	return len(s) * int(unsafe.Sizeof(one))
}

func (t *slotTable) copyFrom(o *slotTable) {
	t.gen = append(t.gen[:0], o.gen...)
	t.free = append(t.free[:0], o.free...)
	t.live = o.live
}

// copyFrom copies the bodies of another world. It keeps the lists that this world's bodies have, and fills
// them.
func (bs *bodySet) copyFrom(o *bodySet) {
	bs.ids.copyFrom(&o.ids)
	bs.all = bs.all[:min(len(bs.all), len(o.all))]
	for i := range o.all {
		if i == len(bs.all) {
			bs.all = append(bs.all, body{})
		}
		b := &bs.all[i]
		geoms, joints := append(b.geoms[:0], o.all[i].geoms...), append(b.joints[:0], o.all[i].joints...)
		*b = o.all[i]
		b.geoms, b.joints = geoms, joints
	}
	bs.motion = append(bs.motion[:0], o.motion...)
	bs.massProps = append(bs.massProps[:0], o.massProps...)
	bs.motionBounds = append(bs.motionBounds[:0], o.motionBounds...)
}

func (gs *geomSet) copyFrom(o *geomSet) {
	gs.ids.copyFrom(&o.ids)
	gs.all = append(gs.all[:0], o.all...)
	gs.placements = append(gs.placements[:0], o.placements...)
	gs.bounds = append(gs.bounds[:0], o.bounds...)
	gs.surfaces = append(gs.surfaces[:0], o.surfaces...)
	gs.tree.CopyFrom(&o.tree)
	gs.planes = append(gs.planes[:0], o.planes...)
	gs.moved = append(gs.moved[:0], o.moved...)
	gs.adjacency.copyFrom(&o.adjacency)
	gs.static = o.static
}

func (js *jointSet) copyFrom(o *jointSet) {
	js.ids.copyFrom(&o.ids)
	js.all = append(js.all[:0], o.all...)
}

func (cs *contactSet) copyFrom(o *contactSet) {
	cs.pairs.sorted = append(cs.pairs.sorted[:0], o.pairs.sorted...)
	cs.all = append(cs.all[:0], o.all...)
	cs.poses = append(cs.poses[:0], o.poses...)
	cs.free = append(cs.free[:0], o.free...)
	cs.freeOne = append(cs.freeOne[:0], o.freeOne...)
	cs.freeMulti = append(cs.freeMulti[:0], o.freeMulti...)
	cs.manifolds = append(cs.manifolds[:0], o.manifolds...)
}

func (as *activeSet) copyFrom(o *activeSet) {
	as.bodies = append(as.bodies[:0], o.bodies...)
	as.contacts = append(as.contacts[:0], o.contacts...)
	as.isAwake = append(as.isAwake[:0], o.isAwake...)
	as.hasSleepingSide, as.dirty = o.hasSleepingSide, o.dirty
	as.sleepEvents.list = append(as.sleepEvents.list[:0], o.sleepEvents.list...)
	as.sleepEvents.seen = o.sleepEvents.seen
}

// Hash is a number over the raw bits of every pose, velocity, joint position and sleep flag: two
// worlds that have gone the same way have the same, and practically no others.
func (w *World) Hash() uint64 {
	h := hasher(14695981039346656037)
	h.word(w.time.steps)
	for i := range w.bodies.all {
		if !w.bodies.ids.inUse(int32(i)) {
			continue
		}
		m := &w.bodies.motion[i]
		h.word(uint64(i))
		h.vec(m.origin)
		h.vec(m.com)
		h.float(m.rot.W)
		h.vec(r3.Vec{X: m.rot.X, Y: m.rot.Y, Z: m.rot.Z})
		h.vec(m.v)
		h.vec(m.w)
		if w.bodies.all[i].asleep {
			h.word(1)
		}
		if w.bodies.all[i].contained {
			h.word(2)
		}
	}
	for i := range w.joints.all {
		if w.joints.ids.inUse(int32(i)) {
			h.word(uint64(i))
			h.float(w.joints.all[i].position)
		}
	}
	for i := range w.articulations {
		art := &w.articulations[i]
		for d := range int32(art.DOFs()) {
			h.float(art.Q(d))
			h.float(art.V(d))
		}
	}
	return uint64(h)
}

// hasher is FNV-1a over words instead of bytes, with the high bits folded back in.
type hasher uint64

func (h *hasher) word(v uint64) {
	x := (uint64(*h) ^ v) * 1099511628211
	*h = hasher(x ^ x>>32)
}

func (h *hasher) float(v float64) { h.word(math.Float64bits(v)) }

func (h *hasher) vec(v r3.Vec) {
	h.float(v.X)
	h.float(v.Y)
	h.float(v.Z)
}

func checksum(b []byte) uint64 {
	h := hasher(14695981039346656037)
	for _, c := range b {
		h.word(uint64(c))
	}
	return uint64(h)
}

// Validate looks at every invariant of the world and returns the first that is broken: an error of
// this package, not of its caller.
func (w *World) Validate() error {
	for _, check := range [...]func(*World) error{
		checkSlots, checkBodies, checkGeoms, checkTree, checkPairs, checkActive, checkJoints,
		checkArticulationList,
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
func checkArticulationList(w *World) error {
	return w.articulations.validate(&w.bodies, &w.joints)
}

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
