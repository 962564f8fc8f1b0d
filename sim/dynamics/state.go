package dynamics

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"simdeck/sim/r3"
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
	c.float(&w.time.dt, saved)
	c.float(&w.time.h, saved)
	c.vec(&w.cfg.Gravity, saved)
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
			w.joints.all[i].fields(c)
		}
	}
	w.articulations.encode(c)
}

// stateCodec walks over the fields of a part. It moves values between the world and bytes: it writes, reads,
// or (dry) only checks. One with a see function only tells the offsets and the properties of fields.
type stateCodec struct {
	buf     []byte
	at      int
	writing bool
	dry     bool
	err     error
	see     func(at unsafe.Pointer, size uintptr, p property)
}

// seen tells a codec that only looks where a field is.
func seen[T any](c *stateCodec, v *T, p property) bool {
	if c.see != nil {
		c.see(unsafe.Pointer(v), unsafe.Sizeof(*v), p|saved)
	}
	return c.see != nil
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

func (c *stateCodec) float(v *float64, p property) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(*v))
		return
	}
	if seen(c, v, p) {
		return
	}
	c.readFloat(v)
}

func (c *stateCodec) readFloat(v *float64) {
	x := c.next()
	if c.reads() {
		*v = math.Float64frombits(x)
	}
}

func (c *stateCodec) flag(v *bool) {
	if seen(c, v, saved) {
		return
	}
	x := uint64(0)
	if *v {
		x = 1
	}
	c.word(&x)
	if c.reads() {
		*v = x != 0
	}
}

// index codes a small whole number, whose values are 0 to most, and returns it: in a dry run, too, which does
// not keep it.
func index[T ~uint8 | ~int32 | ~uint32](c *stateCodec, v *T, most uint64, what string) T {
	if seen(c, v, saved) {
		return *v
	}
	x := uint64(*v)
	c.word(&x)
	if x > most {
		c.fail("%s is %d, at most %d", what, x, most)
		return 0
	}
	if c.reads() {
		*v = T(x)
	}
	return T(x)
}

// sleep codes how a body sleeps: 1, or 3 where nothing wakes it.
func (c *stateCodec) sleep(b *body) {
	if seen(c, &b.asleep, hashed) && seen(c, &b.contained, hashed) {
		return
	}
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

func (c *stateCodec) vec(v *r3.Vec, p property) {
	if c.writing {
		b := binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(v.X))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Y))
		c.buf = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Z))
		return
	}
	if seen(c, v, p) {
		return
	}
	c.readFloat(&v.X)
	c.readFloat(&v.Y)
	c.readFloat(&v.Z)
}

func (c *stateCodec) quat(q *r3.Quat, p property) {
	if seen(c, q, p) {
		return
	}
	c.float(&q.W, p)
	c.float(&q.X, p)
	c.float(&q.Y, p)
	c.float(&q.Z, p)
}

// CopyFrom makes this world what the other one is now, bit for bit: both then go on alike, under the same
// ids. It reuses this world's memory, so that a copy which is taken again and again allocates nothing.
// Immutable parts (shapes, meshes) are shared, and so is the configuration's clock.
//
// The solver and other scratch have no meaning between steps and are not copied.
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

// Hash is a hash of the bits of every pose, velocity, joint position and sleep flag. Worlds with the same
// history have the same hash, and practically no others.
func (w *World) Hash() uint64 {
	h := hasher(14695981039346656037)
	h.word(w.time.steps)
	w.bodies.hash(&h)
	w.joints.hash(&h)
	w.articulations.hash(&h)
	return uint64(h)
}

// hasher is FNV-1a over words instead of bytes, with the high bits folded back in.
type hasher uint64

func (h *hasher) word(v uint64) {
	x := (uint64(*h) ^ v) * 1099511628211
	*h = hasher(x ^ x>>32)
}

func (h *hasher) float(v float64) { h.word(math.Float64bits(v)) }

func (h *hasher) numbers(list []float64) {
	sum := *h
	for _, x := range list {
		sum.float(x)
	}
	*h = sum
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
