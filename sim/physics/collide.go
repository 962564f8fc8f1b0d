package physics

import "slices"

// collide runs the narrow phase over the active contacts; contacts whose boxes have parted go. A
// touch wakes sleeping bodies, whose contacts then have their turn.
func (w *World) collide() {
	w.refresh()
	w.stats.TrianglesLeft = 0
	w.together(stageCollide, len(w.active), contactsEach)
	dead := w.moveIn()
	w.solver.touching = w.solver.touching[:0]
	for i := range w.desks {
		w.solver.touching = append(w.solver.touching, w.desks[i].touching...)
	}
	sc := &w.desks[0].narrow
	for w.wakeTouched() {
		sc.woken = append(sc.woken[:0], w.active...)
		w.refresh()
		k := 0
		for _, i := range w.active {
			// Both lists ascend by pair: what is new in the second has not been looked at.
			if k < len(sc.woken) && sc.woken[k] == i {
				k++
				continue
			}
			w.updateContact(&w.desks[0], i)
		}
		w.moveIn()
		w.solver.touching = append(w.solver.touching[:0], w.active...)
	}
	if dead {
		w.active = slices.DeleteFunc(w.active, func(i int32) bool { return w.contacts.all[i].dead })
		w.sweepPairs()
		w.stale = false // what is awake is as before
	}
}

// collideSome is the narrow phase of some contacts.
func (w *World) collideSome(d *desk, contacts []int32) {
	for k, i := range contacts {
		if k+contactsAhead < len(contacts) {
			if c := &w.contacts.all[contacts[k+contactsAhead]]; !w.calm(c) {
				w.fetchContact(c)
			}
		}
		c := &w.contacts.all[i]
		if w.calm(c) {
			if c.count > 0 {
				c.lags = true
				d.touching = append(d.touching, i)
			}
			continue
		}
		a, b := &w.bounds[c.a], &w.bounds[c.b]
		if (a.renewed >= w.steps || b.renewed >= w.steps || c.plane) && !w.boxesMeet(c.a, c.b) {
			c.dead, d.dead = true, true
			c.count = 0
			continue
		}
		w.updateContact(d, i)
		if c.count > 0 {
			d.touching = append(d.touching, i)
		}
	}
}

// moveIn gives the contacts room that had none, and their manifolds a home; it reports that some contacts
// are dead.
func (w *World) moveIn() (dead bool) {
	for i := range w.desks {
		d := &w.desks[i]
		from := int32(0)
		for _, h := range d.homes {
			c := &w.contacts.all[h.contact]
			w.giveRoom(c)
			copy(w.manifolds[c.base:], d.fresh[from:from+h.count])
			from += h.count
		}
		d.fresh, d.homes = d.fresh[:0], d.homes[:0]
		dead = dead || d.dead
		w.stats.TrianglesLeft += d.narrow.left
		d.narrow.left = 0
	}
	return dead
}

// wakeTouched wakes the sleeping bodies that something awake touches; false when there are none.
func (w *World) wakeTouched() bool {
	woke := false
	if !w.drowsy {
		return false
	}
	for _, i := range w.active {
		c := &w.contacts.all[i]
		if c.count == 0 || c.sensor {
			continue
		}
		for _, s := range [2]int32{c.bodyA, c.bodyB} {
			if w.sleeps(s) && w.touches(i) {
				w.wake(s)
				woke = true
			}
		}
	}
	return woke
}

func (w *World) touches(i int32) bool {
	w.catchUp(i)
	c := &w.contacts.all[i]
	for _, m := range w.manifolds[c.base : c.base+c.count] {
		for k := range m.n {
			if m.points[k].gap < touch {
				return true
			}
		}
	}
	return false
}
