package physics

import (
	"unsafe"
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

// fetchLot asks for what a batch will be made of.
func (w *World) fetchLot(l *lot) {
	for _, t := range l.task {
		if t < 0 {
			continue
		}
		k := &w.solver.colouring.tasks[t]
		fetch(unsafe.Pointer(&w.manifolds[k.manifold]), int(unsafe.Offsetof(manifold{}.ids)))
		c := &w.contacts.all[k.contact]
		fetch(unsafe.Pointer(&w.contacts.holds[k.contact]), int(unsafe.Sizeof(hold{})))
		if c.lags {
			fetch(unsafe.Pointer(&w.motion[c.bodyA]), int(unsafe.Offsetof(motion{}.v)))
			fetch(unsafe.Pointer(&w.motion[c.bodyB]), int(unsafe.Offsetof(motion{}.v)))
		}
		fetch(unsafe.Pointer(&w.solver.weight[k.a]), int(unsafe.Offsetof(weight{}.acc)))
		fetch(unsafe.Pointer(&w.solver.weight[k.b]), int(unsafe.Offsetof(weight{}.acc)))
	}
}

// fetchManifolds asks for where the impulses of a batch are kept.
func (w *World) fetchManifolds(l *lot) {
	for _, t := range l.task {
		if t >= 0 {
			fetch(unsafe.Pointer(&w.manifolds[w.solver.colouring.tasks[t].manifold]), int(unsafe.Offsetof(manifold{}.normal)))
		}
	}
}
