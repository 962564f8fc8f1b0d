package dynamics

import "simdeck/sim/r3"

// measureArticulations measures the joints of articulations whose bodies were set from outside, and moves the
// links to the allowed poses.
func (w *World) measureArticulations(fresh bool) {
	for i := range w.articulations {
		if art := &w.articulations[i]; art.live && art.dirty {
			art.measure(w, fresh)
		}
	}
}

// measure computes joint positions and velocities from the bodies. An angle equal to the old one modulo 2π
// keeps its turns. Otherwise it restarts within [-π, π] when fresh, else it takes the nearest turn.
func (art *worldArticulation) measure(w *World, fresh bool) {
	art.dirty = false
	art.setLoads(w)
	if art.Floating() {
		m := &w.bodies.motion[art.links[0].body]
		art.SetFloatingBase(m.com, m.rot, m.v, m.w)
	}
	for i := range art.links {
		if _, count := art.FirstDOF(int32(i)); art.links[i].joint >= 0 && count > 0 {
			j := &w.joints.all[art.links[i].joint]
			a, b := j.ends(&w.bodies)
			va, vb := j.twistsAt(&w.bodies, b.Pos)
			art.MeasureJoint(int32(i), a, b, va, vb, fresh)
		}
	}
	base := art.baseAtStepEnd(w)
	art.ShareMomenta(&base, func(link int) (r3.Vec, r3.Vec) {
		m := &w.bodies.motion[art.links[link].body]
		return m.v, m.w
	})
	if art.Floating() {
		m := &w.bodies.motion[art.links[0].body]
		m.v, m.w = r3.Vec{X: art.V(0), Y: art.V(1), Z: art.V(2)},
			r3.Vec{X: art.V(3), Y: art.V(4), Z: art.V(5)}
	}
	art.publish(w, false)
	art.storeJointState(w)
}
