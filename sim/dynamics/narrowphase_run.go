package dynamics

import "slices"

// collideAll runs the narrow phase over the active contacts. It removes contacts whose fat boxes no longer
// overlap. A touch wakes sleeping bodies, whose contacts are then updated too.
func collideAll(w *World) {
	w.active.rebuild(&w.bodies, &w.contacts)
	w.stats.TrianglesLeft = 0
	w.runStage(stageCollide, len(w.active.contacts), contactsPerPart)
	dead := commitManifolds(w)
	w.solver.touching = w.solver.touching[:0]
	for i := range w.scratch {
		w.solver.touching = append(w.solver.touching, w.scratch[i].touching...)
	}
	sc, n := &w.scratch[0].narrow, narrowphaseOf(w)
	for w.active.wakeTouching(&w.bodies, &w.contacts) {
		sc.touched = append(sc.touched[:0], w.active.contacts...)
		w.active.rebuild(&w.bodies, &w.contacts)
		k := 0
		for _, i := range w.active.contacts {
			// Both lists ascend by pair: contacts that are only in the second have not been updated.
			if k < len(sc.touched) && sc.touched[k] == i {
				k++
				continue
			}
			n.update(&w.scratch[0], i)
		}
		commitManifolds(w)
		w.solver.touching = append(w.solver.touching[:0], w.active.contacts...)
	}
	if dead {
		w.active.contacts = slices.DeleteFunc(w.active.contacts,
			func(i int32) bool { return w.contacts.all[i].dead })
		w.contacts.removeDead(&w.active)
		w.active.dirty = false // what is awake is as before
	}
}

// run is the narrow phase of one worker's contacts.
func (n *narrowphase) run(d *workerScratch, contacts []int32) {
	for k, i := range contacts {
		if k+prefetchContacts < len(contacts) {
			if c := &n.contacts.all[contacts[k+prefetchContacts]]; !n.bodies.stillValid(c) {
				n.prefetchContact(c)
			}
		}
		c := &n.contacts.all[i]
		if n.bodies.stillValid(c) {
			if c.count > 0 {
				c.gapsStale = true
				d.touching = append(d.touching, i)
			}
			continue
		}
		a, b := &n.geoms.bounds[c.a], &n.geoms.bounds[c.b]
		if (a.renewedStep >= n.time.steps || b.renewedStep >= n.time.steps || c.plane) &&
			!n.geoms.boxesOverlap(c.a, c.b) {
			c.dead, d.deadContacts = true, true
			c.count = 0
			continue
		}
		n.update(d, i)
		if c.count > 0 {
			d.touching = append(d.touching, i)
		}
	}
}

// commitManifolds copies new manifolds from the workers' scratch into blocks of their own. It reports that
// some contacts are dead.
func commitManifolds(w *World) (dead bool) {
	for i := range w.scratch {
		d := &w.scratch[i]
		from := int32(0)
		for _, p := range d.pendingManifolds {
			c := &w.contacts.all[p.contact]
			w.contacts.allocateManifolds(&w.geoms, c)
			copy(w.contacts.manifolds[c.base:], d.newManifolds[from:from+p.count])
			from += p.count
		}
		d.newManifolds, d.pendingManifolds = d.newManifolds[:0], d.pendingManifolds[:0]
		dead = dead || d.deadContacts
		w.stats.TrianglesLeft += d.narrow.query.TakeSkippedTriangles()
	}
	return dead
}

// wakeTouching wakes the sleeping bodies that an awake body touches. It reports whether there were any.
func (as *activeSet) wakeTouching(bodies *bodySet, contacts *contactSet) bool {
	woke := false
	if !as.hasSleepingSide {
		return false
	}
	for _, i := range as.contacts {
		c := &contacts.all[i]
		if c.count == 0 || c.sensor {
			continue
		}
		for _, s := range [2]int32{c.bodyA, c.bodyB} {
			if bodies.sleeps(s) && contacts.isTouching(bodies, i) {
				as.wake(bodies, s)
				woke = true
			}
		}
	}
	return woke
}

// isTouching reports that a point of a contact is nearer than touchDistance.
func (cs *contactSet) isTouching(bodies *bodySet, i int32) bool {
	cs.updateGaps(bodies, i)
	c := &cs.all[i]
	for _, m := range cs.manifolds[c.base : c.base+c.count] {
		for k := range m.n {
			if m.points[k].gap < touchDistance {
				return true
			}
		}
	}
	return false
}
