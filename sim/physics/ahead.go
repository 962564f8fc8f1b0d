package physics

import (
	"unsafe"

	"simdeck/sim/r3"
)

// In a large world what a stage goes through is spread over more memory than a cache holds, and in an order that
// the processor does not foresee. These ask for it a little ahead.
const (
	contactsAhead = 6 // contacts, of collideSome
	lotsAhead     = 2 // batches, of fillBatches
	keepAhead     = 4 // batches, of keepImpulses
)

// fetchContact asks for what decides whether a contact still holds: of B, since A mostly stays the same.
func (w *World) fetchContact(c *contact) {
	fetch(unsafe.Pointer(&w.bounds[c.b]), int(unsafe.Sizeof(bound{})))
	fetch(unsafe.Pointer(&w.motion[c.bodyB]), int(unsafe.Sizeof(motion{})))
	fetch(unsafe.Pointer(&w.inert[c.bodyB].reach), int(unsafe.Sizeof(float64(0))))
}

// fetchLot asks for what a batch will be made of, and for where it is written.
func (w *World) fetchLot(at int32) {
	s := &w.solver
	l := &s.lots[at]
	for lane, t := range l.task {
		if t < 0 {
			continue
		}
		k := &l.of[lane]
		const points = unsafe.Offsetof(manifold{}.points)
		fetch(unsafe.Pointer(&w.manifolds[k.manifold]), int(points+uintptr(k.points())*unsafe.Sizeof(point{})))
		fetch(unsafe.Pointer(&w.contacts.all[k.contact]), int(unsafe.Sizeof(contact{})))
		fetch(unsafe.Pointer(&w.contacts.holds[k.contact]), int(unsafe.Sizeof(hold{})))
		fetch(unsafe.Pointer(&s.weight[k.a]), int(unsafe.Offsetof(weight{}.keepV)))
		fetch(unsafe.Pointer(&s.weight[k.b]), int(unsafe.Offsetof(weight{}.keepV)))
		fetch(unsafe.Pointer(&s.rots[k.a]), int(unsafe.Sizeof(r3.Quat{})))
		fetch(unsafe.Pointer(&s.rots[k.b]), int(unsafe.Sizeof(r3.Quat{})))
	}
	fetch(unsafe.Pointer(&s.batches[at]), int(unsafe.Sizeof(batch{})))
	if l.n > 0 {
		fetch(unsafe.Pointer(&s.rows[l.first]), int(uintptr(l.n)*unsafe.Sizeof(row{})))
	}
}

// fetchManifolds asks for where the impulses of a batch are kept.
func (w *World) fetchManifolds(l *lot) {
	for lane, t := range l.task {
		if t >= 0 {
			fetch(unsafe.Pointer(&w.manifolds[l.of[lane].manifold]), int(unsafe.Offsetof(manifold{}.normal)))
		}
	}
}
