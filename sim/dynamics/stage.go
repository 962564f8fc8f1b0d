package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// stage is an entry of the tables that drive a step (stepStages) and a substep (substepStages): one function,
// and the conditions around it. The order of a table is valid when each stage finds its conditions. A test
// checks the tables, and that no stage could change places with its neighbor.
type stage struct {
	name   string
	timed  Stage          // counts its time; of a stage of a step
	needs  conditions     // hold when it begins
	breaks conditions     // hold no longer once it runs
	leaves conditions     // hold when it ends
	run    func(w *World) // the whole stage
}

// conditions is a set of what may hold between two stages: a bit each, described in conditionTable.
type conditions uint32

const (
	pairsFound conditions = 1 << iota
	manifoldsFound
	substepChosen
	bodiesLoaded
	jointsBuilt
	contactsColored
	contactRowsBuilt
	jointsCurrent
	contactRowsCurrent
	ownVelocities
	velocitiesKept
	clusterRowsDisabled
	rollingPointsMoved
	forcesApplied
	energyRecorded
	articulationsBuilt
	warmStarted
	rollingPointsPredicted
	biasSolved
	positionsIntegrated
	biasRemoved
	energyBounded
	rowImpulsesStored
	islandsSolved
	restitutionApplied
	contactImpulsesStored
	bodiesWritten
	pathsSwept
	jointsMeasured
	islandsAsleep

	// substepStart holds when a substep begins: after the stages that build, and again when a substep has
	// ended.
	substepStart = substepChosen | bodiesLoaded | jointsBuilt | contactRowsBuilt | jointsCurrent |
		contactRowsCurrent | ownVelocities | velocitiesKept
	// ofOneSubstep begins anew with each substep.
	ofOneSubstep = clusterRowsDisabled | rollingPointsMoved | forcesApplied | energyRecorded |
		articulationsBuilt | warmStarted |
		rollingPointsPredicted | biasSolved | positionsIntegrated | biasRemoved | energyBounded |
		rowImpulsesStored
	// ofMotion is suspended in a world that contains bodies, from the loss of a motion to the end of that
	// step. The solver then computes with numbers that are not finite, and containment forgets impulses. The
	// conditions of structure hold all the same.
	ofMotion = jointsCurrent | contactRowsCurrent | ownVelocities | velocitiesKept | clusterRowsDisabled |
		forcesApplied | energyRecorded | articulationsBuilt | warmStarted | biasSolved |
		positionsIntegrated | biasRemoved | energyBounded | rowImpulsesStored | islandsSolved |
		restitutionApplied | contactImpulsesStored
)

// condition describes a bit of conditions.
type condition struct {
	name  string
	check func(w *World) error // reports that it does not hold; nil: only its place in the order is held
}

// conditionTable is in the order of the bits.
var conditionTable = [...]condition{
	{"pairs found", checkPairs},
	{"manifolds found", checkManifolds},
	{"substep chosen", checkSubstep},
	{"bodies loaded", checkBodiesLoaded},
	{"joints built", checkJointsBuilt},
	{"contacts colored", checkColors},
	{"contact rows built", checkContactRows},
	{"joints current", checkJointsCurrent},
	{"contact rows current", checkContactRowsCurrent},
	{"own velocities", checkOwnVelocities},
	{"velocities kept", checkStates},
	{"cluster rows disabled", checkClusterRowsDisabled},
	{"rolling points moved", nil},
	{"forces applied", checkStates},
	{"energy recorded", checkEnergyRecorded},
	{"articulations built", checkArticulations},
	{"warm started", checkStates},
	{"rolling points predicted", nil},
	{"bias solved", checkImpulses},
	{"positions integrated", checkRotations},
	{"bias removed", checkImpulses},
	{"energy bounded", checkStates},
	{"row impulses stored", checkRowImpulsesStored},
	{"islands solved", checkStates},
	{"restitution applied", checkImpulses},
	{"contact impulses stored", checkImpulsesStored},
	{"bodies written", checkBodies},
	{"paths swept", checkBodies},
	{"joints measured", checkJoints},
	{"islands asleep", checkActive},
}

// runStages drives a table. After each stage the solver's inspect sees it, where a test or a build with the
// tag simdeck_check has set one.
func (w *World) runStages(table []stage) {
	for i := range table {
		table[i].run(w)
		if w.solver.inspect != nil {
			w.solver.inspect(w, &table[i])
		}
	}
}

// The checks of conditionTable. They only read. A number that is not finite passes those that compare: what
// leaves the finite numbers is found by writeBodies and contain.

// checkStage checks all that holds after a stage.
func checkStage(w *World, have conditions) error {
	for i := range conditionTable {
		if c := &conditionTable[i]; have&(1<<i) != 0 && c.check != nil {
			if err := c.check(w); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return nil
}

// stageChecker follows the conditions from stage to stage.
type stageChecker struct {
	have conditions
	lost containment // finds bodies whose motion is lost
	// fault: the step has lost a motion; uncontained: it is lost still, before the bodies are written
	fault, uncontained bool
}

// after is an inspect of a solver: it panics when a stage did not leave what its entry says, or broke
// something else. Conditions that only the order holds are not looked at again.
func (c *stageChecker) after(w *World, st *stage) {
	switch st {
	case &stepStages[0]:
		c.have, c.fault, c.uncontained = 0, false, false
	case &substepStages[0]:
		c.have &^= ofOneSubstep
	}
	if lack := st.needs &^ c.have; lack != 0 {
		panic(fmt.Sprintf("stage %q needs %v", st.name, lack))
	}
	c.have = c.have&^st.breaks | st.leaves
	suspended := ofMotion
	if c.have&jointsMeasured == 0 { // where containment forgets stored impulses
		suspended |= manifoldsFound
	}
	err := checkStage(w, c.have&^suspended)
	if err == nil {
		err = c.followFault(w)
	}
	if err == nil && !c.fault {
		err = checkStage(w, c.have&suspended)
	}
	if err != nil {
		panic(fmt.Sprintf("after stage %q: %v", st.name, err))
	}
}

// followFault notes the loss of a motion in a world that contains such bodies. It reports a loss that the
// stage that writes bodies did not contain, and a containment without a loss.
func (c *stageChecker) followFault(w *World) error {
	switch {
	case !w.cfg.Contain || c.have&jointsBuilt == 0:
	case c.have&bodiesWritten == 0:
		c.lost.lost = c.lost.lost[:0]
		c.lost.findLost(&w.bodies, w.articulations, &w.solver)
		c.uncontained = len(c.lost.lost) > 0
		c.fault = c.fault || c.uncontained
	case c.uncontained != w.containment.found:
		return fmt.Errorf("motions were lost: %v; containment found some: %v", c.uncontained,
			w.containment.found)
	}
	return nil
}

// String lists the names of conditions.
func (c conditions) String() string {
	out := ""
	for i := range conditionTable {
		if c&(1<<i) != 0 {
			if out != "" {
				out += ", "
			}
			out += conditionTable[i].name
		}
	}
	return out
}

// checkManifolds: contacts have manifolds with 1 to 4 points, unit normals and impulses that do not pull.
func checkManifolds(w *World) error {
	for _, i := range w.solver.touching {
		if c := &w.contacts.all[i]; c.dead || c.freed || c.count > c.capacity {
			return fmt.Errorf("contact %d of geoms %d and %d", i, c.a, c.b)
		}
	}
	return w.contacts.validateManifolds()
}

// checkSubstep: the substeps make up the step.
func checkSubstep(w *World) error {
	s, n := &w.solver, float64(w.stats.Substeps)
	if math.Abs(float64(s.h*n)-w.time.dt) > 1e-12 || math.Abs(float64(s.h*s.invH)-1) > 1e-12 {
		return fmt.Errorf("%v substeps of %v s in a step of %v s", n, s.h, w.time.dt)
	}
	return nil
}

// checkBodiesLoaded: the solver's arrays have an entry for each awake body, and know each other's index.
func checkBodiesLoaded(w *World) error {
	s := &w.solver
	n := len(s.states)
	if len(s.masses) != n || len(s.forces) != n || len(s.rotations) != n || len(s.flags) != n ||
		len(s.slots) != n || n <= len(w.active.bodies) {
		return fmt.Errorf("%d states for %d awake bodies", n, len(w.active.bodies))
	}
	if s.slots[0] != -1 || s.masses[0].invMass != 0 {
		return fmt.Errorf("the fixed body is body %d with an inverse mass of %v", s.slots[0], s.masses[0].invMass)
	}
	for i := 1; i < n; i++ {
		if uint32(s.slots[i]) >= uint32(len(s.index)) || s.index[s.slots[i]] != int32(i) ||
			!(s.masses[i].invMass >= 0) {
			return fmt.Errorf("entry %d is of body %d, which has another", i, s.slots[i])
		}
	}
	return nil
}

// checkJointsBuilt: joint constraints ascend by slot and name bodies that are loaded; so do the rows of
// direct islands.
func checkJointsBuilt(w *World) error {
	s := &w.solver
	n := int32(len(s.states))
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		if i > 0 && s.jointConstraints[i-1].slot >= r.slot || uint32(r.a) >= uint32(n) ||
			uint32(r.b) >= uint32(n) || r.directIsland > int32(len(s.directIslands)) {
			return fmt.Errorf("constraint %d of joint %d between entries %d and %d", i, r.slot, r.a, r.b)
		}
	}
	for i := range s.directRows {
		if q := &s.directRows[i]; int(q.joint) >= len(s.jointConstraints) || uint32(q.bodyA) >= uint32(n) ||
			uint32(q.bodyB) >= uint32(n) {
			return fmt.Errorf("direct row %d of constraint %d between entries %d and %d", i, q.joint, q.bodyA,
				q.bodyB)
		}
	}
	return nil
}

// checkColors: each manifold has one lane, and no body that can be pushed occurs twice in a colour.
func checkColors(w *World) error {
	s := &w.solver
	lanes := 0
	s.coloring.seenIn = linalg.Grow(s.coloring.seenIn, len(s.states))
	seen := s.coloring.seenIn
	clear(seen)
	for k, c := range s.coloring.colors {
		for i := c.first; i < c.end; i++ {
			for _, t := range s.packs[i].constraintIndex {
				if t < 0 {
					continue
				}
				lanes++
				for _, b := range [2]int32{s.coloring.constraints[t].a, s.coloring.constraints[t].b} {
					if s.coloring.bodyColor[b] < 0 {
						continue
					}
					if seen[b] == int32(k+1) {
						return fmt.Errorf("entry %d occurs twice in colour %d", b, k)
					}
					seen[b] = int32(k + 1)
				}
			}
		}
	}
	if lanes != len(s.coloring.constraints) {
		return fmt.Errorf("%d lanes for %d manifolds", lanes, len(s.coloring.constraints))
	}
	return nil
}

// checkContactRows: rows name bodies that are loaded, and have effective masses that are not negative.
func checkContactRows(w *World) error {
	s := &w.solver
	for i := range s.batches {
		b := &s.batches[i]
		for lane := range width {
			if int(b.a[lane]) >= len(s.states) || int(b.b[lane]) >= len(s.states) ||
				int(b.firstRow+b.rowCount) > len(s.rows) {
				return fmt.Errorf("batch %d, lane %d: entries %d and %d, rows %d to %d", i, lane, b.a[lane],
					b.b[lane], b.firstRow, b.firstRow+b.rowCount)
			}
			for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
				if s.rows[k].mass[lane] < 0 {
					return fmt.Errorf("batch %d, lane %d: mass %v", i, lane, s.rows[k].mass[lane])
				}
			}
		}
	}
	return nil
}

// checkJointsCurrent: levers of joints, and what rows of direct islands do to their bodies, are those of
// where the bodies are now, to the bit.
func checkJointsCurrent(w *World) error {
	s := &w.solver
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		if r.onArticulation || r.armB != r.armB {
			continue
		}
		if arm := s.rotations[r.b].Rotate(r.anchorB); r.anchorB.Len2() > 0 && arm != r.armB {
			return fmt.Errorf("joint %d: lever %v, should be %v", r.slot, r.armB, arm)
		}
	}
	for i := range s.directRows {
		q := &s.directRows[i]
		a, b := s.masses[q.bodyA].invInertia.Apply(q.armA), s.masses[q.bodyB].invInertia.Apply(q.armB)
		if a == a && b == b && (q.turnA != a || q.turnB != b) {
			return fmt.Errorf("direct row %d turns its bodies by %v and %v, should by %v and %v", i, q.turnA,
				q.turnB, a, b)
		}
	}
	return nil
}

// checkContactRowsCurrent: no row is weighed by an inertia that has turned away since by more than
// reweightThreshold.
func checkContactRowsCurrent(w *World) error {
	s := &w.solver
	for i := range s.reweighted {
		e := &s.reweighted[i]
		b := &s.batches[e.batch]
		if e.inertiaChanged(&e.inertiaUsed, &s.masses[b.a[e.lane]], &s.masses[b.b[e.lane]],
			reweightThreshold) {
			return fmt.Errorf("batch %d, lane %d is weighed by inertias of before", e.batch, e.lane)
		}
	}
	return nil
}

// checkOwnVelocities: no gyroscopic correction is in a velocity.
func checkOwnVelocities(w *World) error {
	s := &w.solver
	for i := range s.flags {
		if s.flags[i].gyroscopicCorrection {
			return fmt.Errorf("entry %d has a gyroscopic correction", i)
		}
	}
	return nil
}

// checkStates: velocities and ways are finite, and the fixed body rests.
func checkStates(w *World) error {
	s := &w.solver
	for i := range s.states {
		m := &s.states[i]
		if !m.v.IsFinite() || !m.w.IsFinite() || !m.deltaPosition.IsFinite() || !m.deltaRotation.IsFinite() ||
			i == 0 && *m != (bodyState{}) {
			return fmt.Errorf("entry %d (body %d) has %+v", i, s.slots[i], *m)
		}
	}
	for _, i := range s.activeArticulations {
		if !w.articulations[i].Finite() {
			return fmt.Errorf("articulation %d is not finite", i)
		}
	}
	return nil
}

// checkClusterRowsDisabled: passes over all contacts leave the points of clusters alone. Those of rolling
// contacts are not looked at: their prediction weighs them again.
func checkClusterRowsDisabled(w *World) error {
	s := &w.solver
	for i := range s.clusterLanes {
		l := &s.clusterLanes[i]
		if slices.ContainsFunc(s.rollingContacts, func(r rollingContact) bool {
			return r.batch == l.batch && r.lane == l.lane
		}) {
			continue
		}
		b := &s.batches[l.batch]
		for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
			if s.rows[k].mass[l.lane] != 0 {
				return fmt.Errorf("batch %d, lane %d is of a cluster and has a mass", l.batch, l.lane)
			}
		}
	}
	return nil
}

// checkEnergyRecorded: kinetic energies before the substep are not negative.
func checkEnergyRecorded(w *World) error {
	s := &w.solver
	for i := range s.clampedBodies {
		if c := &s.clamps[s.clampOf[s.clampedBodies[i].bodyIndex]]; c.kineticBefore < 0 {
			return fmt.Errorf("entry %d had %v J", s.clampedBodies[i].bodyIndex, c.kineticBefore)
		}
	}
	return nil
}

// checkArticulations: orientations of links and of joints are unit quaternions.
func checkArticulations(w *World) error {
	for _, i := range w.solver.activeArticulations {
		l := &w.articulations[i]
		for k := range l.links {
			_, rot := l.LinkPose(int32(k))
			for _, q := range [2]float64{quaternionError(rot), quaternionError(l.LinkRotation(int32(k)))} {
				if q > 1e-6 {
					return fmt.Errorf("link %d of articulation %d has a quaternion that is off by %v", k, i,
						q)
				}
			}
		}
	}
	return nil
}

// checkImpulses: contacts push, they do not pull.
func checkImpulses(w *World) error {
	s := &w.solver
	for i := range s.rows {
		for lane, j := range s.rows[i].impulse {
			if j < 0 {
				return fmt.Errorf("row %d, lane %d pulls by %v N·s", i, lane, j)
			}
		}
	}
	return nil
}

// checkRotations: orientations of bodies are unit quaternions.
func checkRotations(w *World) error {
	for i, q := range w.solver.rotations {
		if e := quaternionError(q); e > 1e-9 {
			return fmt.Errorf("entry %d has a quaternion that is off by %v", i, e)
		}
	}
	return nil
}

// checkRowImpulsesStored: joints remember what the rows of articulations push.
func checkRowImpulsesStored(w *World) error {
	for _, i := range w.solver.activeArticulations {
		for r := range w.articulations[i].Rows.Len() {
			joint, kind, impulse, stored := w.articulations[i].Rows.Impulse(r)
			if !stored {
				continue
			}
			if j := *w.joints.all[joint].storedImpulse(rowKind(kind)); j == j && j != impulse {
				return fmt.Errorf("joint %d remembers %v N·s, its row has %v", joint, j, impulse)
			}
		}
	}
	return nil
}

// checkImpulsesStored: manifolds remember what their rows push.
func checkImpulsesStored(w *World) error {
	s := &w.solver
	for i := range s.packs {
		b := &s.batches[i]
		for lane, t := range s.packs[i].constraintIndex {
			if t < 0 {
				continue
			}
			m := &w.contacts.manifolds[s.coloring.constraints[t].manifold]
			for k := range min(b.rowCount, m.n) {
				if j := s.rows[b.firstRow+k].impulse[lane]; j == j && j != m.impulses[k] {
					return fmt.Errorf("manifold %d remembers %v N·s, its row has %v",
						s.coloring.constraints[t].manifold, m.impulses[k], j)
				}
			}
		}
	}
	return nil
}

// quaternionError is the deviation of a quaternion's length from 1.
func quaternionError(q r3.Quat) float64 {
	return math.Abs(math.Sqrt(float64(q.W*q.W)+float64(q.X*q.X)+float64(q.Y*q.Y)+float64(q.Z*q.Z)) - 1)
}
