package dynamics

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"simdeck/sim/statecodec"
)

// stateVersion heads every state; it grows when the fields below change.
const stateVersion = 0x73640005

// AppendState appends everything that moves or is remembered, bit for bit: after RestoreState the
// world goes on exactly as this one would have. Shapes, masses and the set of bodies, geoms and joints
// are not part of it.
func (w *World) AppendState(b []byte) []byte {
	c := statecodec.Writer(b)
	w.encodeState(&c)
	return binary.LittleEndian.AppendUint64(c.Bytes(), statecodec.Checksum(c.Bytes()[len(b):]))
}

// RestoreState puts back what AppendState has given, into a world with the same bodies, geoms and
// joints under the same ids. Otherwise, and for bytes that are damaged, it is an ErrInvalid and nothing
// changes.
func (w *World) RestoreState(b []byte) error {
	if len(b) < 8 {
		return fmt.Errorf("%w: physics state of %d bytes is too short", ErrInvalid, len(b))
	}
	body := b[:len(b)-8]
	if sum := binary.LittleEndian.Uint64(b[len(body):]); sum != statecodec.Checksum(body) {
		return fmt.Errorf("%w: physics state is damaged: checksum %016x, computed %016x", ErrInvalid, sum,
			statecodec.Checksum(body))
	}
	// Once to see that it fits, then once for good.
	check, read := statecodec.Checker(body), statecodec.Reader(body)
	w.encodeState(&check)
	if err := check.Err(); err != nil {
		return fmt.Errorf("%w: physics state: %w", ErrInvalid, err)
	}
	w.encodeState(&read)
	w.active.sleepEvents.list, w.active.sleepEvents.seen = w.active.sleepEvents.list[:0], 0
	w.active.dirty, w.geoms.adjacency.dirty = true, true
	w.active.rebuild(&w.bodies, &w.contacts)
	return nil
}

// timeFields and configFields are the state of the world itself.
var (
	timeFields   = statecodec.LayoutOf((*stepTime).fields)
	configFields = statecodec.LayoutOf((*Config).fields)
)

func (t *stepTime) fields(f *statecodec.Fields) {
	statecodec.Integer(f, &t.steps, statecodec.Saved)
	f.Float(&t.dt, statecodec.Saved)
	f.Float(&t.h, statecodec.Saved)
}

// fields walks over what of a configuration may change.
func (cfg *Config) fields(f *statecodec.Fields) { f.Vec(&cfg.Gravity, statecodec.Saved) }

// encodeState codes the parts of the state in their one order; the codec says in which direction values flow.
func (w *World) encodeState(c *statecodec.Codec) {
	c.Match(stateVersion, "version")
	c.LimitSlots(len(w.bodies.all))
	for _, t := range [3]*slotTable{&w.bodies.ids, &w.geoms.ids, &w.joints.ids} {
		t.encode(c)
	}
	timeFields.Code(c, &w.time)
	configFields.Code(c, &w.cfg)
	for i := range w.bodies.all {
		if w.bodies.ids.inUse(int32(i)) {
			motionFields.Code(c, &w.bodies.motion[i])
			bodyFields.Code(c, &w.bodies.all[i])
			if c.Reads() {
				w.geoms.restorePlacement(&w.bodies, int32(i))
			}
		}
	}
	w.contacts.encode(&w.geoms, c)
	for i := range w.geoms.all {
		if w.geoms.ids.inUse(int32(i)) && w.geoms.all[i].leaf >= 0 {
			w.geoms.encode(w.time.steps, c, int32(i))
		}
	}
	w.geoms.encodeSurfaces(c)
	for i := range w.joints.all {
		if w.joints.ids.inUse(int32(i)) {
			jointFields.Code(c, &w.joints.all[i])
		}
	}
	w.articulations.encode(c)
	w.transmissions.encode(c)
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
	w.transmissions.copyFrom(&o.transmissions)
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
		sizeOf(w.transmissions.all) +
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
	h := statecodec.NewWordHash
	h.Word(w.time.steps)
	w.bodies.hash(&h)
	w.joints.hash(&h)
	w.articulations.hash(&h)
	return uint64(h)
}

// Validate looks at every invariant of the world and returns the first that is broken: an error of
// this package, not of its caller.
func (w *World) Validate() error {
	for _, check := range [...]func(*World) error{
		checkSlots, checkBodies, checkGeoms, checkTree, checkPairs, checkManifoldFields, checkActive,
		checkJoints, checkArticulationList,
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
func checkPairs(w *World) error  { return w.contacts.validatePairs(&w.geoms) }
func checkActive(w *World) error { return w.active.validate(&w.bodies) }
func checkJoints(w *World) error { return w.joints.validate(&w.bodies) }
func checkManifoldFields(w *World) error {
	return w.contacts.validateManifolds()
}
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
