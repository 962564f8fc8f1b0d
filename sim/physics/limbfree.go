package physics

import (
	"math"

	"simdeck/sim/r3"
)

// loadLinks gathers the forces that act on each link from outside: weight and wrenches.
func (w *World) loadLinks(l *limb) {
	for i := range l.links {
		k := &l.links[i]
		b, in := &w.bodies[k.body], &w.inert[k.body]
		f := b.force
		if !b.noGravity {
			f = f.AddScaled(in.mass, w.cfg.Gravity)
		}
		k.load = spatial{b.torque.Add(k.arm.Cross(f)), f}
	}
}

// freeLimb speeds a limb up by everything that is smooth: weight, wrenches, efforts, dampers, springs,
// and the forces of its own motion (the recursive Newton–Euler algorithm). Those are taken at the
// middle of the substep where that matters.
func (w *World) freeLimb(l *limb, h float64) {
	all := forcesOf{loads: true, motion: !l.swift} // or the momenta that it takes along do what motion would
	w.forces(l, h, 0, all)
	l.push(h)
	if all.motion && (l.quiet || l.fastest*h > 1e-3) {
		w.forces(l, h, 0.5, all)
		l.push(h)
	}
	for i := range l.dofs {
		d := &l.dofs[i]
		d.last = d.v
		d.v += l.rate[i]
	}
}

// push finds the change of velocity in a substep from the bias forces. A spring pulls by its mean
// length; what the change of velocity adds to that is in the inertia.
func (l *limb) push(h float64) {
	for i := range l.dofs {
		d := &l.dofs[i]
		f := d.push - d.bias - float64(d.drag*d.v)
		if d.spring > 0 {
			f -= float64(d.spring * (d.q - d.rest + float64(0.5*h*d.v)))
		}
		l.rate[i] = float64(h * f)
	}
	l.divide(l.rate)
}

// forcesOf says which forces are meant: weight, wrenches and what brakes bodies; those of motion.
type forcesOf struct{ loads, motion bool }

// forces finds the bias of every degree of freedom: what must push there for none to change its
// velocity. The velocities are those now plus a part of the change that was last found.
func (w *World) forces(l *limb, h, part float64, of forcesOf) {
	l.carry(part)
	l.fastest = 0
	for i := range l.links {
		k := &l.links[i]
		l.fastest = max(l.fastest, k.motion.ang.Len2())
		var ang, lin r3.Vec
		if of.motion {
			ang, lin = k.own.carries(k.gain.ang, k.gain.lin)
			a, b := k.own.carries(k.motion.ang, k.motion.lin)
			ang = ang.Add(k.motion.ang.Cross(a)).Add(k.motion.lin.Cross(b))
			lin = lin.Add(k.motion.ang.Cross(b))
		}
		if of.loads {
			ang, lin = ang.Sub(k.load.ang), lin.Sub(k.load.lin)
		}
		if b := &w.bodies[k.body]; of.loads && (b.linDamping > 0 || b.angDamping > 0) {
			drag := k.motion.at(k.arm).Scale(float64(k.own.mass * min(b.linDamping, 1/h)))
			tensor := turned(&w.inert[k.body].inertia, k.rot)
			lin = lin.Add(drag)
			ang = ang.Add(k.arm.Cross(drag)).Add(tensor.Apply(k.motion.ang).Scale(min(b.angDamping, 1/h)))
		}
		k.gain = spatial{ang, lin}
	}
	l.fastest = math.Sqrt(l.fastest)
	for i := len(l.links) - 1; i >= 0; i-- {
		k := &l.links[i]
		for d := k.first; d < k.first+k.count; d++ {
			l.dofs[d].bias = l.dofs[d].axis.dot(&k.gain)
		}
		if k.parent >= 0 {
			l.links[k.parent].gain.add(&k.gain)
		}
	}
}

// carry finds the velocities of the links and the rates that these have while no joint speeds up.
func (l *limb) carry(part float64) {
	for i := range l.links {
		k := &l.links[i]
		motion, gain := &l.baseTwist, &l.baseGain
		if k.parent >= 0 {
			p := &l.links[k.parent]
			motion, gain = &p.motion, &p.gain
		}
		ang, lin, gainAng, gainLin := motion.ang, motion.lin, gain.ang, gain.lin
		carrierAng, carrierLin := ang, lin
		for d := k.first; d < k.first+k.count; d++ {
			f := &l.dofs[d]
			v := f.v + float64(part*l.rate[d])
			a, b := f.axis.ang.Scale(v), f.axis.lin.Scale(v)
			gainAng = gainAng.Add(carrierAng.Cross(a))
			gainLin = gainLin.Add(carrierAng.Cross(b).Add(carrierLin.Cross(a)))
			ang, lin = ang.Add(a), lin.Add(b)
			if !f.ball {
				carrierAng, carrierLin = ang, lin
			}
		}
		k.motion.ang, k.motion.lin = ang, lin
		k.gain.ang, k.gain.lin = gainAng, gainLin
	}
}
