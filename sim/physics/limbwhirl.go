package physics

import "math"

const (
	// whirlTurn is the most, in radians, that links turn in one of the parts into which whirl cuts a substep.
	whirlTurn = 0.05
	// mostWhirls is into how many it cuts it at most.
	mostWhirls = 16
)

// whirl moves a quiet tree that is swift through a whole substep, cut into so many parts that in none of them its
// links turn far. The energy of each part is what it was at its beginning and what weight, springs, dampers and
// pushes have done on the way.
func (w *World) whirl(l *limb, turn float64) {
	n := l.whirls(turn)
	h := w.solver.h / n
	com, rot := w.basePose(l)
	if !l.posed {
		w.poseLimb(l, 0, com, rot)
	}
	w.twistBase(l, com)
	w.pushJoints(l)
	w.weighLinks(l)
	l.takeAlong(w.solver.h)
	for range int(n) {
		l.noteWay()
		l.noteMoment()
		w.poseLimb(l, float64(0.5*h), com, rot)
		w.weighLimb(l, h)
		w.freeLimb(l, h)
		l.energy += l.workOfJoints(h)
		w.moveJoints(l, h, 0.5)
		w.poseLimb(l, 0, com, rot)
		l.energy += w.workOfLoads(l, h)
		w.weighLinks(l)
		l.noteWay()
		w.keepMomentum(l, h)
		l.energy += l.workOnWay()
		if l.baseTwist == (spatial{}) {
			l.rescale(l.energy, mostRegain)
		}
	}
	l.taken, l.whirled = 0, true
	l.posed = l.base < 0 || w.bodies[l.base].kind == Static
}

// whirls is into how many parts a substep is cut, in which links turn as far.
func (l *limb) whirls(turn float64) float64 {
	for d := range l.dofs {
		if l.dofs[d].spring > 0 { // which may hold most of the energy now, and let it go
			return mostWhirls
		}
	}
	return max(1, min(mostWhirls, math.Ceil(turn/whirlTurn)))
}

// whirlLoops is whirl for a tree with loops, which are closed after each part.
func (w *World) whirlLoops(l *limb, turn float64) {
	n := l.whirls(turn)
	h := w.solver.h / n
	com, rot := w.basePose(l)
	for i := range int(n) {
		if i > 0 {
			w.beginBudget(l, com, rot)
		}
		w.poseLimb(l, float64(0.5*h), com, rot)
		w.pushJoints(l)
		w.weighLimb(l, h)
		w.freeLimb(l, h)
		l.noteFree(h)
		w.lineUp(l)
		l.couple()
		l.solveRows(false)
		old := 0.0
		if l.runsSmoothly() {
			old = 0.5
		}
		w.moveJoints(l, h, old)
		w.closeLimb(l, h)
	}
	l.rows = l.rows[:0]
}

// takeBack undoes freeLimb.
func (l *limb) takeBack() {
	l.whirled = true
	for d := range l.dofs {
		l.dofs[d].v = l.dofs[d].last
	}
}

// workOfJoints is what springs, dampers and pushes do in a part of a whirl.
func (l *limb) workOfJoints(h float64) float64 {
	sum := 0.0
	for d := range l.dofs {
		f := &l.dofs[d]
		mean := float64(0.5 * (f.last + f.v))
		force := f.push - float64(f.drag*f.v)
		if f.spring > 0 {
			force -= float64(f.spring * (f.q + float64(0.5*h*mean) - f.rest))
		}
		sum += float64(h * mean * force)
	}
	return sum
}

// workOfLoads is what weight, wrenches and what brakes bodies have done in a part of a whirl.
func (w *World) workOfLoads(l *limb, h float64) float64 {
	sum := 0.0
	for i := range l.links {
		k := &l.links[i]
		b := &w.bodies[k.body]
		sum += k.load.lin.Dot(k.com.Sub(k.from)) + float64(h*b.torque.Dot(k.motion.ang))
		if b.linDamping > 0 || b.angDamping > 0 {
			tensor := turned(&w.inert[k.body].inertia, k.rot)
			sum -= float64(h * k.own.mass * min(b.linDamping, 1/h) * k.com.Sub(k.from).Scale(1/h).Len2())
			sum -= float64(h * min(b.angDamping, 1/h) * k.motion.ang.Dot(tensor.Apply(k.motion.ang)))
		}
	}
	return sum
}
