package dynamics

import (
	"encoding/binary"
	"fmt"

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
	w.codeArticulations(c)
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
