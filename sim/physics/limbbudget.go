package physics

import (
	"math"

	"simdeck/sim/r3"
)

// A limb with loops, and one that floats, keeps to its energy. Joints that close loops do no work, nor do the forces of
// motion; but as links go straight ahead for a substep, and are then put back to where the loops close, both take some or
// give some. So what the limb may have is counted, by what loads, springs, motors, friction and contacts have done, and
// brought about; and so is the momentum of one that floats.

// budget is what is counted in a substep.
type budget struct {
	free   []float64 // by degree of freedom: velocities before impulses
	force  []float64 // and what pushes, dampers and springs push
	mean   []float64 // scratch
	change []float64
	had    float64 // J of motion when the substep began
	stored float64 // and of springs
	moment spatial // momentum, about the world's origin, when it began
	pushed spatial // and what of it those have given that touch the limb
	smooth bool    // what closes the loops does no work in the middle of the substep
	exact  bool    // nothing but loops acts by impulses: what forces do follows from the way
	driven bool    // a loop closes through what moves by itself, and does work
	closed bool    // the loops were closed, in their velocities too, when the substep began
}

// regainLoop is by how much velocities grow at most when energy is given back.
const regainLoop = 1.05

// countTurn is how far, in radians, the links of a floating tree that touches something turn in a substep for it to be
// counted: what stands loses nothing.
const countTurn = 0.001

// counts reports that what a limb has is counted in this substep: where it has loops, or floats.
func (l *limb) counts(h float64) bool {
	return len(l.loops) > 0 || l.floats && !l.tied && (!l.touched || l.pace()*h > countTurn)
}

// beginBudget notes what a limb has when a substep begins.
func (w *World) beginBudget(l *limb, com r3.Vec, rot r3.Quat) {
	if !l.posed {
		w.poseLimb(l, 0, com, rot)
	}
	w.twistBase(l, com)
	if l.fresh || !l.posed { // or they were where they are when the last substep ended
		w.weighLinks(l)
	}
	l.noteMoment()
	l.shut.stored = l.springEnergy()
	l.noteWay()
}

// noteMoment notes the energy of motion of a limb, and its momentum about the world's origin.
func (l *limb) noteMoment() {
	l.shut.had, l.shut.moment = l.motionEnergy()
	l.shut.moment, l.shut.pushed = l.aboutWorld(&l.shut.moment), spatial{}
	for i := range l.links {
		l.links[i].start = l.links[i].com
	}
}

// noteWay notes where the links are.
func (l *limb) noteWay() {
	for i := range l.links {
		l.links[i].from = l.links[i].com
	}
}

// aboutWorld is a momentum about the limb's origin about the world's.
func (l *limb) aboutWorld(p *spatial) spatial {
	return spatial{p.ang.Add(l.origin.Cross(p.lin)), p.lin}
}

// workOnWay is what weights have done since then.
func (l *limb) workOnWay() (sum float64) {
	for i := range l.links {
		k := &l.links[i]
		sum += k.load.lin.Dot(k.com.Sub(k.from))
	}
	return sum
}

// noteFree notes how the limb moves before impulses, and by which forces of its joints.
func (l *limb) noteFree(h float64) {
	s := &l.shut
	s.free, s.force = grown(s.free, len(l.dofs)), grown(s.force, len(l.dofs))
	for d := range l.dofs {
		f := &l.dofs[d]
		s.free[d], s.force[d] = f.v, f.push-float64(f.drag*f.v)
		if f.spring > 0 {
			end := f.v
			if l.quiet {
				end = float64(0.5 * (f.last + f.v))
			}
			s.force[d] -= float64(f.spring * (f.q + float64(0.5*h*end) - f.rest))
		}
	}
	if l.touched {
		_, has := l.motionEnergy()
		s.pushed = l.aboutWorld(&has)
	}
}

// earned is the energy of motion that a limb with loops may have at the end of a substep, but for what shifts of its
// joints do; and where nothing else pushes it that of springs with it, but for what its weight does on the way. All that
// pushes does work by the mean of the velocities before and after: what loops and the forces of motion have done is
// taken back.
func (w *World) earned(l *limb, h float64) float64 {
	s := &l.shut
	if s.exact {
		sum := 0.0
		for d := range l.dofs {
			f := &l.dofs[d]
			sum += float64(0.5 * h * (f.last + f.v) * (f.push - float64(f.drag*f.v)))
		}
		return s.had + s.stored + sum
	}
	sum, has := l.motionEnergy()
	if l.touched {
		has = l.aboutWorld(&has)
		s.pushed = spatial{has.ang.Sub(s.pushed.ang), has.lin.Sub(s.pushed.lin)}
	}
	for r := range l.rows {
		if row := &l.rows[r]; row.kind == rowLoop {
			for d, c := range l.wideOf(row) {
				sum -= float64(0.5 * row.sum * c * (l.dofs[d].last + l.dofs[d].v))
			}
		}
	}
	s.mean, s.change = grown(s.mean, len(l.dofs)), grown(s.change, len(l.dofs))
	for d := range l.dofs {
		f := &l.dofs[d]
		s.mean[d], s.change[d] = float64(0.5*(f.last+f.v)), s.free[d]-f.last
		sum += float64(h * s.force[d] * s.mean[d])
		s.free[d] = f.v
	}
	sum -= l.meant(s.mean, s.change)
	sum += w.workOfBrakes(l, h)
	for i := range l.links {
		k := &l.links[i]
		sum += float64(h * k.load.dot(&k.motion))
	}
	for d := range l.dofs {
		l.dofs[d].v = s.free[d]
	}
	return sum
}

// keepMomentum gives a limb that floats the momentum that it had and that its loads, and what touches it, have given it,
// by a motion of the whole; and puts it to where that has brought it.
func (w *World) keepMomentum(l *limb, h float64) {
	if !l.floats || l.tied || l.isMoored() {
		return
	}
	s := &l.shut
	mass, at, want := 0.0, r3.Vec{}, s.moment
	for i := range l.links {
		k := &l.links[i]
		if b := &w.bodies[k.body]; b.linDamping > 0 || b.angDamping > 0 {
			l.arrive()
			return
		}
		mass, at = mass+k.own.mass, at.AddScaled(k.own.mass, k.start)
		want.lin = want.lin.AddScaled(h, k.load.lin)
	}
	at = at.Scale(1 / mass)
	if !l.touched { // or its contacts have seen to where it goes
		l.goal, l.bound = at.AddScaled(float64(0.5*h/mass), s.moment.lin.Add(want.lin)), true
	}
	l.arrive()
	for i := range l.links { // about where the centre of mass was
		k := &l.links[i]
		want.ang = want.ang.AddScaled(h, w.bodies[k.body].torque.Add(k.start.Sub(at).Cross(k.load.lin)))
	}
	want.ang = want.ang.Add(s.pushed.ang).Sub(at.Cross(s.moment.lin.Add(s.pushed.lin)))
	want.lin = want.lin.Add(s.pushed.lin)
	_, has := l.motionEnergy()
	off := spatial{want.ang.Add(l.center(mass).Cross(want.lin)).Sub(has.ang), want.lin.Sub(has.lin)}
	more := l.wholeTwist(&off)
	for i := range 3 {
		l.dofs[i].v += more.lin.At(i)
		l.dofs[3+i].v += more.ang.At(i)
	}
}

// center is where the centre of mass is, from the origin.
func (l *limb) center(mass float64) (sum r3.Vec) {
	for i := range l.links {
		sum = sum.AddScaled(l.links[i].own.mass/mass, l.links[i].arm)
	}
	return sum
}

// isPulled reports that what brakes a body of a limb, or a torque on it, does work too.
func (w *World) isPulled(l *limb) bool {
	for i := range l.links {
		if b := &w.bodies[l.links[i].body]; b.linDamping > 0 || b.angDamping > 0 || b.torque != (r3.Vec{}) {
			return true
		}
	}
	return false
}

// isMoored reports that a loop closes through what does not move of itself.
func (l *limb) isMoored() bool {
	for i := range l.loops {
		if l.loops[i].a < 0 || l.loops[i].b < 0 {
			return true
		}
	}
	return false
}

// meant is what a change of velocities does at others, by the inertia of the limb; the links move by the others then.
func (l *limb) meant(at, change []float64) (sum float64) {
	for d := range l.dofs {
		l.dofs[d].v = change[d]
		sum += float64(l.dofs[d].rotor * at[d] * change[d])
	}
	l.moveLinks()
	for i := range l.links {
		k := &l.links[i]
		k.gain = k.own.momentum(&k.motion)
	}
	for d := range l.dofs {
		l.dofs[d].v = at[d]
	}
	l.moveLinks()
	for i := range l.links {
		k := &l.links[i]
		sum += k.gain.dot(&k.motion)
	}
	return sum
}

// workOfBrakes is what brakes bodies do to links as they move.
func (w *World) workOfBrakes(l *limb, h float64) (sum float64) {
	for i := range l.links {
		k := &l.links[i]
		if b := &w.bodies[k.body]; b.linDamping > 0 || b.angDamping > 0 {
			tensor := turned(&w.inert[k.body].inertia, k.rot)
			sum -= float64(h * k.own.mass * min(b.linDamping, 1/h) * k.motion.at(k.arm).Len2())
			sum -= float64(h * min(b.angDamping, 1/h) * k.motion.ang.Dot(tensor.Apply(k.motion.ang)))
		}
	}
	return sum
}

// springEnergy is that of the springs of a limb.
func (l *limb) springEnergy() (sum float64) {
	for d := range l.dofs {
		if f := &l.dofs[d]; f.spring > 0 {
			sum += float64(0.5 * f.spring * (f.q - f.rest) * (f.q - f.rest))
		}
	}
	return sum
}

// keepBudget brings the energy of motion to what it may be.
func (l *limb) keepBudget(budget float64) {
	if l.baseTwist != (spatial{}) || l.shut.driven || l.tied { // or others do work
		return
	}
	if has, _ := l.motionEnergy(); has > budget {
		l.rescale(budget, 1)
	} else if l.shut.closed && !l.touched { // or contacts would have to take it

		l.rescale(budget, regainLoop)
	}
}

// judgeLoops finds whether the loops were closed when the substep began, in their velocities too: they may be far from it
// where something was thrown or has hit.
func (l *limb) judgeLoops() {
	s := &l.shut
	s.closed = true
	for i := range l.loops {
		c := &l.loops[i]
		s.closed = s.closed && l.wereClosed(c.first, c.first+c.ends, c.loose[0]) && l.wereClosed(c.first+c.ends, c.first+c.ends+c.turns, c.loose[1])
	}
	s.smooth = s.smooth && s.closed
}

// wereClosed reports that what the rows from first to end look at was slow, beside what it is made up of; where that is
// nothing but what was rounded, beside how fast the bodies would be if they were free.
func (l *limb) wereClosed(first, end int, loose float64) bool {
	off, most := 0.0, float64(1e-5*math.Sqrt(float64(2*l.shut.had*loose)))
	for r := first; r < end; r++ {
		row := &l.rows[r]
		was, all := -row.target, 0.0
		for d, c := range l.wideOf(row) {
			x := float64(c * l.dofs[d].last)
			was, all = was+x, all+math.Abs(x)
		}
		off, most = max(off, math.Abs(was)), max(most, all)
	}
	return off <= float64(closedPart*most)
}

// closedPart is how fast, as a part of what parts them, ends may part of a loop that counts as closed.
const closedPart = 0.1
