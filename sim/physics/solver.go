package physics

import (
	"math"

	"simdeck/sim/r3"
)

// solver holds what one step computes on: the awake bodies side by side and a row for each thing that
// limits their motion. Everything is rebuilt by prepare; only the capacity stays.
type solver struct {
	h, invH  float64 // substep, s and 1/s
	moving   []moving
	weight   []weight
	pulls    []pull
	rots     []r3.Quat // during the step, of those whose turning shows in a substep
	traits   []traits
	slots    []int32 // of bodies, by index in the arrays above; -1 for the fixed one at 0
	index    []int32 // of the arrays above, by body slot; 0: does not move
	warm     float64 // what impulses of the last step's substeps are in this step's
	touching []int32 // contacts that have manifolds
	lots     []lot   // beside batches
	batches  []batch
	rows     []row
	extras   // of few lanes
	joints   []jointRow
	frees    []freeRow

	colouring colouring
	wide      bool // all lanes of a batch at once
	pushing   pass
	relaxing  pass

	knots       []knot
	knotted     []int32 // joints, knot by knot
	knotRows    []knotRow
	knotBodies  []knotBody
	knotOf      []int32 // by body: 1 + its knot
	knotReaches []knotReach
	knotReplies []answer
	reachOf     []int32 // by body: 1 + its knotReach
	knotNumbers []float64
	knotAnswers []float64 // to impulses along axes
	reached     []int32   // by body: 1 + the first row of its knot that moves it

	thriving
	pressing

	gears       []gearRow
	gearAnswers []float64
	kept        []moving // scratch of gearMass
	keptDofs    []float64

	limbs       []int32 // that move
	touches     []int32 // contacts of their links
	limbPatches []limbPatch
	limbRows    []limbRow6
	cool        bool // some of them began with nothing

	softMoving, softFixed, softJoint softness

	sweeps []sweep
	tied   []sweep // of bodies on joints
	began  []r3.Pose
	pulled []bool // by body slot
	group  []int32
	swept  []int32 // geoms on the way of one
}

// moving is a body's velocity and what it has moved since the step began. Index 0 never moves.
type moving struct{ v, w, dp, da r3.Vec }

// weight is how a body answers to impulses and forces.
type weight struct {
	invMass      float64
	inv          r3.Mat // world
	com          r3.Vec // when the step began
	keepV, keepW float64
	_            [8]byte
}

// pull is what gravity and wrenches do to a body, in m/s² and rad/s².
type pull struct{ acc, ang r3.Vec }

// traits say what kind a body is, so shortly that all of them are at hand.
type traits struct {
	exact   bool // its turning shows in a substep: it is on joints, or not round
	gyro    bool // it is not round and turns freely
	jointed bool
	gyres   bool // what it gyrates by ahead of time is in its velocity: roll.go
}

const (
	// Damping ratios: contacts are overdamped and do not bounce, those with what does not move most so.
	movingRatio = 5.0
	fixedRatio  = 10.0
	jointRatio  = 2.0
	// stiffest is the highest frequency of a soft constraint as a part of the substep's. Contacts of
	// moving bodies stay below 1/2π: there the spring works overlaps off faster than it forgets impulses,
	// and piles, whose impulses lag behind, begin to swing.
	stiffest    = 0.25
	stiffestTwo = 0.15
)

// substepsFor chooses the number of substeps: 240 per second, twice as many where there are joints
// (a light wheel between the ground and a heavy chassis needs them), at least two, but one where the
// step itself is two milliseconds or less.
func substepsFor(dt float64, joints bool) int {
	if dt <= 0.0021 {
		return 1
	}
	rate := 240.0
	if joints {
		rate = 480
	}
	return max(2, min(16, int(math.Ceil(float64(dt*rate)-1e-9))))
}

// prepare lays out the awake bodies, the touching contacts and the joints.
func (w *World) prepare(dt float64) {
	s := &w.solver
	n := w.cfg.Substeps
	if n == 0 {
		n = substepsFor(dt, w.jointIDs.live > 0)
		if w.onlyLimbs() {
			n = max(1, n/2, w.substepsToSpin(dt))
		}
		n = max(n, w.substepsToFling(dt))
	}
	w.stats.Substeps = n
	s.h = dt / float64(n)
	s.invH = 1 / s.h
	hertz := min(w.cfg.ContactHertz, float64(stiffestTwo*s.invH))
	s.softMoving = soft(hertz, movingRatio, s.h)
	s.softFixed = soft(min(2*hertz, float64(stiffest*s.invH)), fixedRatio, s.h)
	s.softJoint = soft(float64(stiffest*s.invH), jointRatio, s.h)
	s.warm = w.warmScale()
	s.makePass(&s.pushing, true, w.cfg.RecoverySpeed)
	s.makePass(&s.relaxing, false, w.cfg.RecoverySpeed)

	n = 1 + len(w.awake)
	s.moving, s.weight, s.slots = resized(s.moving, n), resized(s.weight, n), resized(s.slots, n)
	s.pulls = resized(s.pulls, n)
	s.rots, s.traits = resized(s.rots, n), resized(s.traits, n)
	s.moving[0], s.weight[0], s.slots[0] = moving{}, weight{}, -1
	s.rots[0], s.traits[0] = r3.Identity(), traits{}
	s.index = resized(s.index, len(w.bodies))
	clear(s.index)
	w.together(stageEnlist, len(w.awake), bodiesEach)
	w.prepareLimbs()
	w.prepareJoints()
	w.prepareGears()
	w.colourContacts()
	w.together(stageFill, len(s.batches), batchesEach)
	s.extras.clear()
	for i := range w.desks {
		s.extras.add(&w.desks[i].extras)
	}
	w.tiePresses()
	w.prepareLimbPatches()
}

// enlist gives a body that does not move a place in the solver's arrays.
func (w *World) enlist(slot int32) int32 {
	s := &w.solver
	i := int32(len(s.moving))
	s.moving, s.weight, s.slots = append(s.moving, moving{}), append(s.weight, weight{}), append(s.slots, 0)
	s.pulls = append(s.pulls, pull{})
	s.rots, s.traits = append(s.rots, r3.Quat{}), append(s.traits, traits{})
	w.enlistAt(i, slot)
	return i
}

// enlistAt lays a body out.
func (w *World) enlistAt(i, slot int32) {
	s := &w.solver
	s.index[slot], s.slots[i] = i, slot
	b, m, in := &w.bodies[slot], &w.motion[slot], &w.inert[slot]
	mv, wt, p, t := &s.moving[i], &s.weight[i], &s.pulls[i], &s.traits[i]
	*mv, *wt, *p, *t = moving{}, weight{com: m.com, keepV: 1, keepW: 1}, pull{}, traits{jointed: len(b.joints) > 0}
	s.rots[i] = m.rot
	if w.moves(slot) {
		mv.v, mv.w = m.v, m.w
		t.exact = t.jointed || !in.round || b.kind == Kinematic
	}
	if b.limb != 0 {
		t.exact = false // follows from its joints
	} else if b.kind == Dynamic && !b.asleep {
		t.gyro = !in.round
		wt.invMass = in.invMass
		wt.inv = turned(&in.inv, m.rot)
		p.acc = b.force.Scale(in.invMass)
		if !b.noGravity {
			p.acc = p.acc.Add(w.cfg.Gravity)
		}
		p.ang = wt.spun(b.torque)
		h := w.solver.h
		wt.keepV = 1 / (1 + float64(h*b.linDamping))
		wt.keepW = 1 / (1 + float64(h*b.angDamping))
	}
}

// solve is the soft step: all substeps, and what is left to remember of them.
func (w *World) solve() {
	s := &w.solver
	for i := range w.stats.Substeps {
		if i > 0 {
			w.closeLimbs()
		}
		w.substep()
	}
	s.freePresses()
	s.bounce()
	s.bounceLimbs()
	w.closeLimbs()
	w.rememberRows()
	w.keepLimbImpulses()
	w.together(stageKeep, len(s.batches), batchesEach)
	w.keepCold()
	for i := range s.rolls {
		r := &s.rolls[i]
		t := s.lots[r.batch].task[r.lane]
		w.manifolds[s.colouring.tasks[t].manifold].rolling = r.j
	}
	w.lastH = s.h
}

// warmScale turns impulses of the last step's substeps into those of this step's.
func (w *World) warmScale() float64 {
	if w.lastH == 0 {
		return 0
	}
	return w.solver.h / w.lastH
}

// substep speeds up, solves with push, moves, and solves without.
func (w *World) substep() {
	s := &w.solver
	s.rollRims()
	s.hushPresses()
	s.forgetCold()
	w.allBodies(stageAccelerate)
	s.loosenKnots()
	w.swingLimbs()
	s.warmJoints()
	w.meshGears()
	w.colours(stageWarm)
	w.aheadRims()
	w.solveLimbs(true)
	s.solveJoints(true)
	s.solveGears(true)
	w.colours(stagePush)
	s.solveRims(&s.pushing)
	s.solvePresses(&s.pushing)
	w.braceLimbs(false)
	s.passLimbPatches(true, w.cfg.RecoverySpeed)
	w.showLimbs()
	s.ungyreRims()
	w.allBodies(stageAdvance)
	w.advanceLimbs()
	s.followJoints()
	w.shutOpenKnots()
	if w.jointIDs.live > 0 {
		s.turnFrictions()
	}
	s.weighSwings()
	s.hushPresses()
	w.gyreRims(-0.5)
	w.solveLimbs(false)
	s.solveJoints(false)
	s.solveGears(false)
	w.colours(stageRelax)
	s.solveRims(&s.relaxing)
	s.solvePresses(&s.relaxing)
	w.braceLimbs(true)
	s.passLimbPatches(false, w.cfg.RecoverySpeed)
	s.ungyreRims()
	s.keepThrift()
	w.rememberRows()
}

// all is every body but the first, which never moves.
func (s *solver) all() span { return span{1, int32(len(s.moving))} }

// maxTurn is the most, in radians, that a body turns in a substep.
const maxTurn = 0.5 * math.Pi

func (s *solver) accelerate(first, end int32) {
	fastest := float64(maxTurn * s.invH)
	for i := first; i < end; i++ {
		m, wt, p := &s.moving[i], &s.weight[i], &s.pulls[i]
		m.v = m.v.AddScaled(s.h, p.acc).Scale(wt.keepV)
		m.w = limitTo(m.w.AddScaled(s.h, p.ang).Scale(wt.keepW), fastest)
	}
}

// advance moves the bodies from first to end by their velocities through one substep.
func (w *World) advance(first, end int32) {
	s := &w.solver
	for i := first; i < end; i++ {
		m := &s.moving[i]
		m.dp = m.dp.AddScaled(s.h, m.v)
		m.da = m.da.AddScaled(s.h, m.w)
		if s.traits[i].exact {
			w.turn(i)
		}
	}
}
