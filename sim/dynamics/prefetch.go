package dynamics

import (
	"unsafe"

	"simdeck/sim/r3"
)

// Software prefetch distances. In a large world the data of a task exceed the cache, in an order that the
// hardware prefetcher does not foresee.
const (
	prefetchContacts        = 6 // contacts, of collideContacts
	prefetchPacks           = 2 // batches, of buildContactBatches
	prefetchManifoldBatches = 4 // batches, of storeImpulses
)

// prefetchContact prefetches what decides whether a contact is still valid: of B, since A mostly stays the
// same.
func (n *narrowphase) prefetchContact(c *contact) {
	prefetch(unsafe.Pointer(&n.geoms.bounds[c.b]), int(unsafe.Sizeof(fatBound{})))
	prefetch(unsafe.Pointer(&n.bodies.motion[c.bodyB]), int(unsafe.Sizeof(bodyPoseVelocity{})))
	prefetch(unsafe.Pointer(&n.bodies.massProps[c.bodyB].radius), int(unsafe.Sizeof(float64(0))))
}

// prefetchPack prefetches the inputs of a batch, and where it is written.
func (cb *contactBuilder) prefetchPack(at int32) {
	s := cb.solver
	l := &s.packs[at]
	for lane, t := range l.constraintIndex {
		if t < 0 {
			continue
		}
		k := &l.constraints[lane]
		const points = unsafe.Offsetof(manifold{}.points)
		prefetch(unsafe.Pointer(&cb.contacts.manifolds[k.manifold]),
			int(points+uintptr(k.pointCount())*unsafe.Sizeof(contactPoint{})))
		prefetch(unsafe.Pointer(&cb.contacts.all[k.contact]), int(unsafe.Sizeof(contact{})))
		prefetch(unsafe.Pointer(&cb.contacts.poses[k.contact]), int(unsafe.Sizeof(manifoldPose{})))
		prefetch(unsafe.Pointer(&s.masses[k.a]), int(unsafe.Offsetof(bodyMass{}.linearDamping)))
		prefetch(unsafe.Pointer(&s.masses[k.b]), int(unsafe.Offsetof(bodyMass{}.linearDamping)))
		prefetch(unsafe.Pointer(&s.rotations[k.a]), int(unsafe.Sizeof(r3.Quat{})))
		prefetch(unsafe.Pointer(&s.rotations[k.b]), int(unsafe.Sizeof(r3.Quat{})))
	}
	prefetch(unsafe.Pointer(&s.batches[at]), int(unsafe.Sizeof(contactBatch{})))
	if l.n > 0 {
		prefetch(unsafe.Pointer(&s.rows[l.first]), int(uintptr(l.n)*unsafe.Sizeof(contactRow{})))
	}
}

// prefetchManifolds prefetches where the impulses of a batch are stored.
func (cs *contactSet) prefetchManifolds(l *contactPack) {
	for lane, t := range l.constraintIndex {
		if t >= 0 {
			prefetch(unsafe.Pointer(&cs.manifolds[l.constraints[lane].manifold]),
				int(unsafe.Offsetof(manifold{}.normal)))
		}
	}
}
