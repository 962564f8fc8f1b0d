package dynamics

import (
	"unsafe"

	"simdeck/sim/r3"
)

// In a large world what a stage goes through is spread over more memory than a cache holds, and in an order that
// the processor does not foresee. These ask for it a little ahead.
const (
	prefetchContacts        = 6 // contacts, of collideContacts
	prefetchPacks           = 2 // batches, of buildContactBatches
	prefetchManifoldBatches = 4 // batches, of storeImpulses
)

// prefetchContact asks for what decides whether a contact still holds: of B, since A mostly stays the same.
func (w *World) prefetchContact(c *contact) {
	prefetch(unsafe.Pointer(&w.bounds[c.b]), int(unsafe.Sizeof(fatBound{})))
	prefetch(unsafe.Pointer(&w.motion[c.bodyB]), int(unsafe.Sizeof(bodyPoseVelocity{})))
	prefetch(unsafe.Pointer(&w.massProps[c.bodyB].radius), int(unsafe.Sizeof(float64(0))))
}

// prefetchPack asks for what a batch will be made of, and for where it is written.
func (w *World) prefetchPack(at int32) {
	s := &w.solver
	l := &s.packs[at]
	for lane, t := range l.constraintIndex {
		if t < 0 {
			continue
		}
		k := &l.constraints[lane]
		const points = unsafe.Offsetof(manifold{}.points)
		prefetch(unsafe.Pointer(&w.manifolds[k.manifold]), int(points+uintptr(k.pointCount())*unsafe.Sizeof(contactPoint{})))
		prefetch(unsafe.Pointer(&w.contacts.all[k.contact]), int(unsafe.Sizeof(contact{})))
		prefetch(unsafe.Pointer(&w.contacts.poses[k.contact]), int(unsafe.Sizeof(manifoldPose{})))
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

// prefetchManifolds asks for where the impulses of a batch are kept.
func (w *World) prefetchManifolds(l *contactPack) {
	for lane, t := range l.constraintIndex {
		if t >= 0 {
			prefetch(unsafe.Pointer(&w.manifolds[l.constraints[lane].manifold]), int(unsafe.Offsetof(manifold{}.normal)))
		}
	}
}
