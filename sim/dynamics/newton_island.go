package dynamics

import (
	"math"
	"slices"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/dynamics/newton"
	"simdeck/sim/r3"
)

// An island whose articulations touch something else is solved by Newton's method (package newton): all
// joints and contacts at once. One substep does where passes take several. Passes solve the other islands.

const (
	// newtonRate is the number of substeps of Newton's method per second of simulated time, at least.
	newtonRate = 200.0
	// newtonTurn and newtonTravel are the most, rad and m, that bodies turn and move in one of its substeps.
	// The error of positions is of first order in the way.
	newtonTurn   = 0.05
	newtonTravel = 0.01
	// maxNewtonSubsteps bounds its substeps in a step. An island that would need more is solved by passes.
	maxNewtonSubsteps = 8
	// maxNewtonWork bounds the work of factoring the matrix of an island, in blocks. Passes solve heaps: a
	// thousand balls took 11 times the time of passes, a cube of 26 parts a third.
	maxNewtonWork = 32 * 32 * 32
	// newtonEnergyError is the part of the energy by which moves in a step may be off the work of forces.
	// Beyond it substeps become shorter, then links carry their momenta.
	newtonEnergyError = 1e-4
	// normalCompliance and frictionCompliance are those of contacts, as a part of the inverse effective mass.
	// Less of the first costs iterations, less of the second leaves the line search to rounding.
	normalCompliance   = 0.001
	frictionCompliance = 1e-4
	// newtonRecovery is the part of an overlap that is worked off in the longest substep, 1/newtonRate.
	// It is a speed: a part of each substep would push in short ones.
	newtonRecovery = 0.1
	// keptRecoverySpeed is the most, m/s or rad/s, of the speed of recovery that stays in velocities.
	keptRecoverySpeed = 0.05
)

// newtonSolver is the islands of a step that Newton's method solves.
type newtonSolver struct {
	newtonSets     linalg.DisjointSets[int32] // of entries in states
	newtonRoots    []newtonRoot               // by root
	newtonIslands  []newtonIsland             // those of this step, then scratch
	newtonProblems []newton.Problem           // by island; scratch
	newtonPairs    [][2]int32                 // of parts that touch: first entries in states; scratch
	passesOnly     bool                       // for tests: passes solve all islands
}

// newtonIsland is an island that Newton's method solves.
type newtonIsland struct {
	articulations []int32
	trees         []articulation.Direct // of these, in the problem
	bodies        []int32               // free bodies: entries in states
	contactIDs    []int32
	contacts      []newtonContact
	rows          []articulationContactRow // of all contacts
	round         []newtonRoundContact
	transmissions []int32
	substeps      int
	floats        bool  // it stands on nothing
	loops         bool  // joints close loops of its articulations
	solves        int   // in the last step, with those that were done again
	links         int32 // bodies of the problem that are links: they come first
	firstDof      int32 // of the free bodies, in the problem
}

// newtonContact is a manifold between bodies of an island, or one of them and what does not move.
type newtonContact struct {
	articulationContact
	ends   [2]newtonEnd
	drifts bool // an end moves as the problem does not change
}

// newtonFinder finds the islands that Newton's method solves.
type newtonFinder struct {
	contactBuilder
	joints        *jointSet
	articulations articulationList
	transmissions *transmissionSet
}

// find finds the islands, and takes their articulations off those that passes solve.
func (f *newtonFinder) find() {
	s := f.solver
	for i := range s.newtonIslands {
		s.newtonIslands[i].clear()
	}
	s.newtonIslands = s.newtonIslands[:0]
	if len(s.activeArticulations) == 0 || s.passesOnly {
		return
	}
	f.findRoots()
	f.judgeContacts()
	passes := s.activeArticulations[:0]
	for _, i := range s.activeArticulations {
		art := &f.articulations[i]
		at := s.index[art.links[0].body]
		r := &s.newtonRoots[s.newtonSets.Find(at)]
		if n := r.substeps(f.time.dt); !r.solvable(n) || s.newtonIslandFor(r, n) == nil {
			passes = append(passes, i)
			continue
		}
		k := &s.newtonIslands[r.island-1]
		k.articulations = append(k.articulations, i)
		k.loops = k.loops || art.HasLoops()
	}
	s.activeArticulations = passes
	if len(s.newtonIslands) == 0 {
		return
	}
	f.transmissions.moveToIslands(s, f.bodies)
	for i := 1; i < len(s.states); i++ {
		at := int32(i)
		if r := &s.newtonRoots[s.newtonSets.Find(at)]; r.island > 0 && s.masses[at].invMass > 0 {
			k := &s.newtonIslands[r.island-1]
			k.bodies = append(k.bodies, at)
		}
	}
}

// newtonIslandFor returns the island of a root, which it makes where there is none.
func (s *newtonSolver) newtonIslandFor(r *newtonRoot, substeps int) *newtonIsland {
	if r.island == 0 {
		n := len(s.newtonIslands)
		s.newtonIslands = linalg.Grow(s.newtonIslands, n+1)
		s.newtonProblems = linalg.Grow(s.newtonProblems, n+1)
		s.newtonIslands[n].substeps, s.newtonIslands[n].floats = substeps, !r.grounded
		r.island = int32(n + 1)
	}
	return &s.newtonIslands[r.island-1]
}

// clear empties an island.
func (k *newtonIsland) clear() {
	k.articulations, k.trees, k.bodies = k.articulations[:0], k.trees[:0], k.bodies[:0]
	k.contactIDs, k.contacts, k.rows, k.round = k.contactIDs[:0], k.contacts[:0], k.rows[:0], k.round[:0]
	k.transmissions, k.loops = k.transmissions[:0], false
}

// judgeContacts finds which islands touch, and stand on, something.
func (f *newtonFinder) judgeContacts() {
	s := f.solver
	for _, i := range s.touching {
		c := &f.contacts.all[i]
		if c.count == 0 || c.sensor {
			continue
		}
		r := s.newtonRootOf(s.index[c.bodyA], s.index[c.bodyB])
		if r != nil && r.articulated {
			of := f.bodies.all[c.bodyA].articulation
			r.touches = r.touches || of == 0 || of != f.bodies.all[c.bodyB].articulation
			r.grounded = r.grounded || f.bodies.all[c.bodyA].kind != Dynamic ||
				f.bodies.all[c.bodyB].kind != Dynamic || s.index[c.bodyA] == 0 || s.index[c.bodyB] == 0
		}
	}
}

// findRoots joins what touches, and refuses bodies and joints that Newton's method does not solve.
func (f *newtonFinder) findRoots() {
	s, bodies, n := f.solver, f.bodies, len(f.solver.states)
	s.newtonSets = s.newtonSets.Reset(n)
	s.newtonRoots = linalg.Grow(s.newtonRoots, n)
	clear(s.newtonRoots)
	for _, i := range s.activeArticulations {
		links := f.articulations[i].links
		for k := range links {
			s.newtonSets.Union(s.index[links[0].body], s.index[links[k].body])
		}
	}
	f.joinContacts()
	for i := 1; i < n; i++ {
		r := &s.newtonRoots[s.newtonSets.Find(int32(i))]
		if s.masses[i].invMass > 0 {
			r.parts++
			r.refused = r.refused || s.flags[i].jointed
		}
		r.refused = r.refused || bodies.all[s.slots[i]].contained
	}
	for i := range f.joints.all {
		j := &f.joints.all[i]
		if f.joints.ids.inUse(int32(i)) && j.coupling.on && !j.coupledInArticulation(f.joints) {
			f.refuse(j.child)
			f.refuse(f.joints.all[j.coupling.leader].child)
		}
	}
	for _, i := range s.activeArticulations {
		f.describe(&f.articulations[i])
	}
	slices.SortFunc(s.newtonPairs, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	for _, pair := range slices.Compact(s.newtonPairs) {
		s.newtonRoots[s.newtonSets.Find(pair[0])].pairs++
	}
}

// joinContacts joins the moving bodies of contacts, and lists the pairs of parts that touch.
func (f *newtonFinder) joinContacts() {
	s, bodies := f.solver, f.bodies
	s.newtonPairs = s.newtonPairs[:0]
	part := func(at int32) int32 {
		if of := bodies.all[s.slots[at]].articulation; of > 0 {
			return s.index[f.articulations[of-1].links[0].body]
		}
		return at
	}
	moves := func(at int32) bool {
		return at > 0 && bodies.all[s.slots[at]].kind == Dynamic && bodies.isAwake(s.slots[at])
	}
	join := func(a, b int32) {
		if !moves(a) || !moves(b) {
			return
		}
		s.newtonSets.Union(a, b)
		if a, b = part(a), part(b); a != b {
			s.newtonPairs = append(s.newtonPairs, [2]int32{min(a, b), max(a, b)})
		}
	}
	for _, i := range s.touching {
		if c := &f.contacts.all[i]; c.count > 0 && !c.sensor {
			join(s.index[c.bodyA], s.index[c.bodyB])
		}
	}
	f.transmissions.eachTie(s, moves, join)
}

// refuse leaves the island of a body to passes.
func (f *newtonFinder) refuse(body int32) {
	f.solver.newtonRoots[f.solver.newtonSets.Find(f.solver.index[body])].refused = true
}

// describe adds an articulation to what is known about its island.
func (f *newtonFinder) describe(art *worldArticulation) {
	s, bodies := f.solver, f.bodies
	r := &s.newtonRoots[s.newtonSets.Find(s.index[art.links[0].body])]
	r.articulated = true
	r.parts++
	r.grounded = r.grounded || art.links[0].joint >= 0
	r.grounded = r.grounded || articulation.LoopsThroughWorld(&art.Articulation)
	r.refused = r.refused || art.HasExternalJoint() || art.hasOpenLoop(f.bodies, f.joints)
	for k := range art.links {
		m := &bodies.motion[art.links[k].body]
		r.spin, r.speed = max(r.spin, m.w.Len()), max(r.speed, m.v.Len())
	}
}

// newtonRootOf returns what is known about the island of two bodies in contact; nil: neither of them moves.
func (s *newtonSolver) newtonRootOf(a, b int32) *newtonRoot {
	for _, at := range [2]int32{a, b} {
		if at > 0 {
			if r := &s.newtonRoots[s.newtonSets.Find(at)]; r.articulated || r.island > 0 {
				return r
			}
		}
	}
	return nil
}

// addNewtonContact takes a contact of an island that Newton's method solves; false: it is of no such island.
func (cs *contactSet) addNewtonContact(bodies *bodySet, s *solver, contact int32) bool {
	if len(s.newtonIslands) == 0 {
		return false
	}
	r := s.newtonRootOf(s.index[cs.all[contact].bodyA], s.index[cs.all[contact].bodyB])
	if r == nil || r.island == 0 {
		return false
	}
	cs.updateGaps(bodies, contact)
	k := &s.newtonIslands[r.island-1]
	k.contactIDs = append(k.contactIDs, contact)
	return true
}

// newtonStepper solves the islands of a step.
type newtonStepper struct {
	contactBuilder
	joints        *jointSet
	articulations articulationList
	h             float64 // s, of a substep
	elapsed       float64 // s, since the step began
	problem       *newton.Problem
	plastic       bool                    // no restitution in this solve
	relax         bool                    // something recovers so fast that velocities must be relaxed
	positions     *articulation.Positions // scratch
	islandJoints  *articulatedJoints      // scratch
	strings       islandStrings
}

// solve moves an island through the step. A substep is halved where a move would change the energy by more
// than newtonEnergyError allows, or links carry their momenta. They also do where an overlap recovers fast.
func (n *newtonStepper) solve(k *newtonIsland) {
	s := n.solver
	for _, at := range k.bodies { // substeps of passes have moved them
		s.load(n.bodies, n.cfg.Gravity, s.h, at, s.slots[at])
	}
	k.solves = 0
	n.buildContacts(k)
	passes := s.h
	n.h, n.elapsed = passes, 0
	h, shortest, left := n.time.dt/float64(k.substeps), n.time.dt/maxNewtonSubsteps, n.time.dt
	for left > 1e-9*n.time.dt {
		n.setSubstep(k, min(h, left))
		moved, tooLong := false, false
		if !k.floats { // the momenta of its links keep that of the island; bias forces do not
			moved, tooLong = n.moveBiased(k, shortest)
		}
		switch {
		case moved:
			n.finishSubstep(k)
		case tooLong:
			h = max(shortest, float64(0.5*n.h))
			continue
		default:
			n.finishCarriedSubstep(k)
		}
		left -= n.h
		n.elapsed += n.h
	}
	last := n.h
	n.setSubstep(k, passes)
	for _, tree := range k.trees {
		tree.TakeImpulses(n.problem, passes/last)
	}
	for i := range k.contacts {
		c := &k.contacts[i]
		n.contacts.manifolds[c.manifold].storeRows(&c.articulationContact, c.rowsOf(k))
	}
}

// moveBiased solves a substep with the bias forces of its middle, and moves articulations where nothing
// recovers fast. Where that would change their energy by more than newtonEnergyError allows, they stay where
// they are. The substep is too long if links turn by more than newtonTurn.
func (n *newtonStepper) moveBiased(k *newtonIsland, shortest float64) (moved, tooLong bool) {
	n.solveVelocities(k, articulation.BiasMiddle)
	if n.relax {
		return false, false
	}
	if n.advanceArticulations(k) {
		return true, false
	}
	turning := n.problem.Turning(k.links)
	return false, n.h > shortest && float64(n.h*turning) > newtonTurn
}

// setSubstep sets the length of a substep, s, and scales the impulses of the last one to it.
func (n *newtonStepper) setSubstep(k *newtonIsland, h float64) {
	if h == n.h {
		return
	}
	scale := h / n.h
	n.h = h
	for i := range k.rows {
		k.rows[i].impulse = float64(scale * k.rows[i].impulse)
	}
	n.scaleJointImpulses(k, scale)
}

// rowsOf is the rows of the contact.
func (c *newtonContact) rowsOf(k *newtonIsland) []articulationContactRow {
	n := c.normalCount + 3
	if c.rolling > 0 {
		n += 3
	}
	return k.rows[c.firstRow : c.firstRow+n]
}

// scaleJointImpulses scales what joints remember, from substeps of one length to those of another.
func (n *newtonStepper) scaleJointImpulses(k *newtonIsland, scale float64) {
	for _, i := range k.articulations {
		art := &n.articulations[i]
		for _, l := range art.links {
			if l.joint >= 0 {
				n.joints.all[l.joint].scaleImpulses(scale)
			}
		}
		for l := range art.loops {
			n.joints.all[art.loops[l].row.slot].scaleImpulses(scale)
		}
	}
}

// buildContacts builds the rows of an island's contacts.
func (n *newtonStepper) buildContacts(k *newtonIsland) {
	for _, i := range k.contactIDs {
		c := &n.contacts.all[i]
		ends := [2]newtonEnd{n.end(k, c.bodyA), n.end(k, c.bodyB)}
		for m := range c.count {
			p := newtonContact{ends: ends, drifts: n.drifts(k, &ends[0]) || n.drifts(k, &ends[1])}
			p.manifold, p.firstRow = c.base+m, int32(len(k.rows))
			k.rows = n.appendManifoldRows(k.rows, &p.articulationContact, c, &n.contacts.poses[i])
			k.contacts = append(k.contacts, p)
		}
	}
}

// end is the side of a contact that is a body.
func (n *newtonStepper) end(k *newtonIsland, slot int32) newtonEnd {
	e := newtonEnd{articulation: -1, body: -1, kinematic: -1}
	b := &n.bodies.all[slot]
	if b.kind == Kinematic {
		e.kinematic = slot
		return e
	}
	if b.articulation != 0 && n.bodies.isAwake(slot) {
		e.link = b.link
		e.articulation = int32(slices.Index(k.articulations, b.articulation-1))
		return e
	}
	if at := n.solver.index[slot]; at > 0 && n.solver.masses[at].invMass > 0 {
		i, _ := slices.BinarySearch(k.bodies, at)
		e.body = int32(i)
	}
	return e
}

// drifts reports that an end has a velocity that the problem does not change.
func (n *newtonStepper) drifts(k *newtonIsland, e *newtonEnd) bool {
	if e.articulation < 0 {
		return e.kinematic >= 0
	}
	return n.articulations[k.articulations[e.articulation]].baseAtStepEnd(n.bodies).Kinematic
}

// drift is the velocity of an end's center of mass that the problem does not change: a kinematic body's, or
// what a kinematic base prescribes.
func (n *newtonStepper) drift(k *newtonIsland, e *newtonEnd) (c velocityChange) {
	switch {
	case e.kinematic >= 0:
		m := &n.bodies.motion[e.kinematic]
		c.v, c.w = m.v, m.w
	case e.articulation >= 0:
		c.v, c.w = n.articulations[k.articulations[e.articulation]].BaseTwistAt(e.link)
	}
	return c
}

// base is the base of an articulation at the beginning of the substep.
func (n *newtonStepper) base(art *worldArticulation) articulation.Base {
	b := art.baseAtStepEnd(n.bodies)
	if b.Kinematic {
		b.COM, b.Rot = b.COM.AddScaled(n.elapsed, b.V), b.Rot.Turn(b.W.Scale(n.elapsed))
	}
	return b
}

// solveVelocities builds and solves the problem of a substep. Where restitution at several contacts would add
// energy, there is none.
func (n *newtonStepper) solveVelocities(k *newtonIsland, bias articulation.BiasForces) {
	n.plastic = false
	n.solveOnce(k, bias)
	if n.problem.BounceWork() > 0 {
		n.plastic = true
		n.solveOnce(k, bias)
	}
}

// solveOnce builds and solves the problem of a substep.
func (n *newtonStepper) solveOnce(k *newtonIsland, bias articulation.BiasForces) {
	s, p := n.solver, n.problem
	k.solves++
	p.Reset()
	k.trees = k.trees[:0]
	if n.elapsed > 0 {
		n.moveRoundContacts(k)
	}
	for _, i := range k.articulations {
		art := &n.articulations[i]
		art.setLoads(n.bodies, n.cfg.Gravity)
		base := n.base(art)
		n.islandJoints.setDirect(art, n.bodies, n.joints, s, n.h, n.elapsed)
		articulation.BeginDirect(&art.Articulation, n.h, &base, n.islandJoints, bias)
		k.trees = append(k.trees, articulation.AddDirect(&art.Articulation, p, n.h))
	}
	k.links, k.firstDof = p.Counts()
	for _, at := range k.bodies {
		n.addBody(at)
	}
	n.strings.add(k, p, n.h, bias == articulation.BiasMiddle)
	n.relax = n.addContacts(k, k.links) || p.NeedsRelaxation(keptRecoverySpeed)
	p.Begin()
	p.Start()
	if bias == articulation.BiasMiddle {
		for _, tree := range k.trees {
			tree.TakeMiddleBias(p, n.h)
		}
	}
	p.Resume()
	n.closeLoops(k, bias)
}

// closeLoops mends the solved velocities so that loop joints are closed at the end of the substep. Where they
// would do work by that, the velocities that stay only hold them.
func (n *newtonStepper) closeLoops(k *newtonIsland, bias articulation.BiasForces) {
	if !k.loops {
		return
	}
	closing := closing{gap: math.Inf(1)}
	for again := true; again; {
		undo := false
		undo, again = closing.next(n.endGaps(k))
		for a := range k.trees {
			switch {
			case undo:
				k.trees[a].UndoAim(n.problem)
			case again:
				k.trees[a].AimLoops(n.problem, n.h)
			}
		}
		if undo || again {
			n.problem.Resume()
		}
	}
	work := 0.0
	for a, i := range k.articulations {
		if art := &n.articulations[i]; art.HasLoops() {
			base := n.base(art)
			k.trees[a].PlaceAgain(n.h, &base, bias)
			work += k.trees[a].LoopWork(n.problem)
		}
	}
	if most := float64(newtonEnergyError*n.problem.KineticEnergy()*n.h) / n.time.dt; work > most {
		n.relax = true
		for a := range k.trees {
			k.trees[a].HoldLoops(n.problem)
		}
	}
}

// endGaps is the largest gap of a loop joint at the end of the substep, by the velocities solved.
func (n *newtonStepper) endGaps(k *newtonIsland) (worst float64) {
	for a, i := range k.articulations {
		if art := &n.articulations[i]; art.HasLoops() {
			n.islandJoints.setDirect(art, n.bodies, n.joints, n.solver, n.h, n.elapsed)
			end := n.nextBase(i)
			worst = max(worst, k.trees[a].EndGaps(n.problem, n.h, &end, n.islandJoints))
		}
	}
	return worst
}

// finishSubstep moves the bodies of the island by the velocities of the problem, and takes its impulses.
func (n *newtonStepper) finishSubstep(k *newtonIsland) {
	n.takeBodyVelocities(k)
	n.advanceBodies(k)
	n.takeImpulses(k)
}

// advanceArticulations moves the articulations by the velocities of the problem. False: this would change
// their energy by more than newtonEnergyError allows, and they stay where they are.
func (n *newtonStepper) advanceArticulations(k *newtonIsland) bool {
	energy, wrong := 0.0, 0.0
	for a, i := range k.articulations {
		tree := k.trees[a]
		tree.Save(n.positions)
		tree.TakeVelocities(n.problem)
		base := n.nextBase(i)
		e, w := tree.Advance(n.h, &base)
		energy, wrong = energy+e, wrong+w
	}
	if most := float64(newtonEnergyError*energy*n.h) / n.time.dt; !(wrong <= most) { // it may be NaN
		for _, tree := range k.trees {
			tree.Restore(n.positions)
		}
		return false
	}
	return true
}

// nextBase is the base of an articulation at the end of the substep.
func (n *newtonStepper) nextBase(art int32) articulation.Base {
	n.elapsed += n.h
	base := n.base(&n.articulations[art])
	n.elapsed -= n.h
	return base
}

// finishCarriedSubstep moves the island where no bias forces keep the energy of its articulations. It also
// does where something recovers fast: positions then move by more than velocities keep, and inertias with
// them. Links carry their momenta along instead.
func (n *newtonStepper) finishCarriedSubstep(k *newtonIsland) {
	n.solveVelocities(k, articulation.WithoutBias)
	n.takeBodyVelocities(k)
	n.advanceBodies(k)
	for _, tree := range k.trees {
		tree.TakeVelocities(n.problem)
	}
	if n.relax {
		n.problem.Relax()
		n.takeBodyVelocities(k)
	}
	for a, i := range k.articulations {
		base := n.nextBase(i)
		k.trees[a].Carry(n.problem, n.h, &base)
	}
	n.takeImpulses(k)
}

// addBody adds a free body to the problem: a tree of one link with its origin at the center of mass.
func (n *newtonStepper) addBody(at int32) {
	s, p := n.solver, n.problem
	slot := s.slots[at]
	b, in, m, f := &n.bodies.all[slot], &n.bodies.massProps[slot], &s.states[at], &s.forces[at]
	tensor := in.inertia.TurnedSymmetric(s.rotations[at])
	inertia := newton.InertiaAtOrigin(in.mass, r3.Vec{}, &tensor)
	p.AddBody(newton.Ground, &inertia)
	dv := m.v.AddScaled(n.h, f.linear).Scale(1 / (1 + float64(n.h*b.linDamping))).Sub(m.v).Scale(in.mass)
	dw := tensor.Apply(m.w.AddScaled(n.h, f.angular).Scale(1 / (1 + float64(n.h*b.angDamping))).Sub(m.w))
	for i := range 3 {
		p.AddDof(newton.Vector6{Lin: r3.Vec{}.With(i, 1)}, m.v.At(i), dv.At(i), 0)
	}
	for i := range 3 {
		p.AddDof(newton.Vector6{Ang: r3.Vec{}.With(i, 1)}, m.w.At(i), dw.At(i), 0)
	}
}

// wrench is an impulse at an end as a wrench about the origin of its tree, and the inverse effective mass.
func (n *newtonStepper) wrench(k *newtonIsland, e *newtonEnd, f, t r3.Vec) (w newton.Vector6,
	invMass float64) {
	switch {
	case e.articulation >= 0:
		return k.trees[e.articulation].Wrench(e.link, f, t)
	case e.body >= 0:
		m := &n.solver.masses[k.bodies[e.body]]
		return newton.Vector6{Ang: t, Lin: f}, float64(m.invMass*f.Len2()) + t.Dot(m.invInertia.Apply(t))
	}
	return w, 0
}

// addContacts adds all contacts to the problem. It reports that one of them recovers so fast that its speed
// must not stay.
func (n *newtonStepper) addContacts(k *newtonIsland, firstFree int32) (relax bool) {
	for i := range k.contacts {
		c := &k.contacts[i]
		spins, slides := 1-c.surface.spinLoss, 1-c.surface.slideLoss
		n.problem.AddContact(c.ends[0].problemBody(k, firstFree), c.ends[1].problemBody(k, firstFree),
			&newton.Contact{Normals: c.normalCount, Friction: [2]float64{c.mu1 * slides, c.mu2 * slides},
				Slip:    [2]float64{c.slip1 / n.h, c.slip2 / n.h},
				Torsion: float64(c.torsion * spins), Rolling: c.rolling,
				LeverFactor: float64(0.5 * (c.mu1 + c.mu2) * spins)})
		rows, tangent := c.rowsOf(k), 0.0
		friction := frictionImpulses(rows[c.normalCount:])
		var driftA, driftB velocityChange
		if c.drifts {
			driftA, driftB = n.drift(k, &c.ends[0]), n.drift(k, &c.ends[1])
		}
		for j := range rows {
			r := &rows[j]
			row := newton.Row{Impulse: r.impulse, Lever: r.lever}
			a, weightA := n.wrench(k, &c.ends[0], r.direction.Neg(), r.armCrossNormalA.Neg())
			b, weightB := n.wrench(k, &c.ends[1], r.direction, r.armCrossNormalB)
			row.A, row.B = a, b
			if c.drifts {
				row.Drift = r.speed(&driftA, &driftB)
			}
			row.Drift += c.surface.of(j - int(c.normalCount))
			weight := weightA + weightB
			if weight == 0 { // the row moves nothing: any compliance will do
				weight = 1
			}
			switch {
			case j < int(c.normalCount):
				n.setNormal(&row, c, r.gap, weight)
				relax = relax || row.Target > keptRecoverySpeed && row.Target > row.RelaxedTarget
			default:
				if j != int(c.normalCount)+2 { // both tangents have one compliance
					load := friction[min(j-int(c.normalCount), 3)]
					tangent = underLoad(float64(frictionCompliance*weight), load)
				}
				row.Compliance = tangent
				// A proximal point: what sticks does not creep by the compliance.
				row.Target = float64(tangent * r.impulse)
				row.RelaxedTarget = row.Target
			}
			n.problem.AddRow(&row)
		}
	}
	return relax
}

// setNormal sets target and compliance of a normal row with a gap; weight is its inverse effective mass.
func (n *newtonStepper) setNormal(row *newton.Row, c *newtonContact, gap, weight float64) {
	row.Upper = math.Inf(1)
	row.Compliance = underLoad(float64(normalCompliance*weight), row.Impulse)
	if !n.plastic {
		row.Restitution, row.BounceSpeed = c.restitution, max(c.threshold, gap/n.h)
	}
	if gap > 0 {
		row.Target = -gap / n.h
		row.RelaxedTarget = row.Target
		return
	}
	if c.stiffness > 0 {
		damping := max(c.damping, 2*math.Sqrt(c.stiffness/weight)) + float64(n.h*c.stiffness)
		if soft := 1 / float64(n.h*damping); soft > row.Compliance {
			row.Compliance = soft
			row.Target = min(float64(-gap*c.stiffness)/damping, n.cfg.RecoverySpeed)
			row.RelaxedTarget = row.Target
			return
		}
	}
	row.Target = min(float64(-newtonRecovery*newtonRate*gap), n.cfg.RecoverySpeed)
	row.RelaxedTarget = min(row.Target, keptRecoverySpeed)
}

// takeBodyVelocities takes the velocities of free bodies.
func (n *newtonStepper) takeBodyVelocities(k *newtonIsland) {
	v := n.problem.Velocity[k.firstDof:]
	for i, at := range k.bodies {
		x := v[6*i : 6*i+6]
		n.solver.states[at].v, n.solver.states[at].w = r3.Vec{X: x[0], Y: x[1], Z: x[2]},
			r3.Vec{X: x[3], Y: x[4], Z: x[5]}
	}
}

// advanceBodies integrates the positions of free bodies, and the gaps of contacts.
func (n *newtonStepper) advanceBodies(k *newtonIsland) {
	for _, at := range k.bodies {
		n.solver.integratePositions(n.bodies, n.h, at, at+1)
	}
	solved := n.problem.Rows()
	for i := range k.contacts {
		c := &k.contacts[i]
		rows := c.rowsOf(k)
		for j := range rows[:c.normalCount] {
			rows[j].gap += float64(n.h * solved[int(c.firstRow)+j].Speed())
		}
	}
}

// takeImpulses keeps the impulses for the next substep.
func (n *newtonStepper) takeImpulses(k *newtonIsland) {
	for i, r := range n.problem.Rows() {
		k.rows[i].impulse = r.Impulse
	}
	n.strings.takeImpulses(n.problem)
	for a, i := range k.articulations {
		k.trees[a].TakeImpulses(n.problem, 1)
		n.articulations[i].storeRowImpulses(n.joints)
	}
}

// findRoundContacts finds the contacts of round geoms, by the poses at the step's beginning.
func (n *newtonStepper) findRoundContacts(k *newtonIsland) {
	at := int32(0)
	for _, i := range k.contactIDs {
		c := &n.contacts.all[i]
		for range c.count {
			n.addRoundContact(k, at, c, &n.contacts.poses[i])
			at++
		}
	}
}

// addRoundContact adds a contact of an island, on the sides where its geom is round.
func (n *newtonStepper) addRoundContact(k *newtonIsland, at int32, c *contact, h *manifoldPose) {
	p := &k.contacts[at]
	m := &n.contacts.manifolds[p.manifold]
	geoms, slots := [2]int32{c.a, c.b}, [2]int32{c.bodyA, c.bodyB}
	for side := range p.ends {
		if e := &p.ends[side]; e.articulation < 0 && e.body < 0 {
			continue
		}
		r, moves := n.roundContact(m, h, geoms[side], slots[side], side == 1)
		if !moves {
			continue
		}
		if e := &p.ends[side]; e.body >= 0 {
			r.body = k.bodies[e.body]
		}
		center, found := m.frictionCenter()
		if side == 1 {
			center = center.AddScaled(found, m.normal).Sub(h.separation)
		}
		k.round = append(k.round, newtonRoundContact{rollingContact: r, contact: at, center: center})
	}
}

// moveRoundContacts moves the points of round geoms to where their bodies have turned since the step began.
func (n *newtonStepper) moveRoundContacts(k *newtonIsland) {
	if len(k.round) == 0 {
		n.findRoundContacts(k)
	}
	for _, i := range k.articulations {
		base := n.base(&n.articulations[i])
		articulation.Place(&n.articulations[i].Articulation, &base)
	}
	for i := range k.round {
		r := &k.round[i]
		c := &k.contacts[r.contact]
		e := &c.ends[0]
		if r.side {
			e = &c.ends[1]
		}
		if e.articulation >= 0 {
			_, rot := n.articulations[k.articulations[e.articulation]].LinkPose(e.link)
			r.rotation = rot.Mul(r.rot.Conj())
		} else {
			r.rotation = r.rotationSince(n.solver)
		}
		r.moveRows(c.rowsOf(k))
	}
}
