package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// solver holds what one step computes on: awake bodies side by side, and a row for each direction in which
// something limits their motion. The stages of a step rebuild all of it; only the capacity stays.
type solver struct {
	h, invH        float64 // substep, s and 1/s
	warmStartScale float64 // impulse of this step's substeps per impulse of the last step's
	softnesses

	solverBodies
	contactSolver
	clusterSolver
	energyClamps
	directSolver
	couplingSolver
	linkSolver

	jointConstraints []jointConstraint
	multiDofFriction []multiDofFriction

	sweepScratch
	lostBody int32                // slot of a body that left the finite numbers in this step; -1: none
	inspect  func(*World, *stage) // sees every stage after it has run; nil: nobody does
}

// solverBodies is the bodies of a step, beside each other by index; index 0 is fixed.
type solverBodies struct {
	states    []bodyState
	masses    []bodyMass
	forces    []bodyForce
	rotations []r3.Quat // now, of bodies that track their rotation
	flags     []bodyFlags
	slots     []int32 // body slots; -1: the fixed one
	index     []int32 // by body slot; 0: does not move
}

// softnesses are those of contacts between moving bodies, of contacts with what does not move, and of joints.
type softnesses struct{ softMoving, softFixed, softJoint softness }

// contactSolver is the manifolds of a step in the order in which passes go through them.
type contactSolver struct {
	touching       []int32 // contacts that have manifolds
	coloring       graphColoring
	packs          []contactPack // beside batches
	batches        []contactBatch
	rows           []contactRow
	contactExtras       // of few lanes
	useSIMD        bool // all lanes of a batch at once
	biasIteration  iteration
	relaxIteration iteration
}

// directSolver is the direct islands of a step (joint_direct.go).
type directSolver struct {
	directIslands      []directIsland
	directJoints       []int32 // joint constraints, island by island
	directRows         []directRow
	directBodies       []directBody
	directIslandOf     []int32 // by body: 1 + its island
	directResponses    []directResponse
	directRowResponses []linalg.VecPair
	directResponseOf   []int32        // by body: 1 + its response
	directFactor       linalg.Skyline // of J·M⁻¹·Jᵀ, row by row
	directRHS          []float64      // by row: right-hand side, then solution
	axisResponses      []float64      // to impulses along joint axes
	firstRowOf         []int32        // by body: 1 + the first row of its island that moves it
}

// couplingSolver is the couplings of a step that reach beyond an articulation (joint_coupling.go).
type couplingSolver struct {
	couplings         []couplingRow
	couplingResponses []float64
	savedBodies       []bodyState // scratch of trial impulses
	savedDofs         []float64
}

// linkSolver is the articulations that move, and the contacts of their links and of direct islands.
type linkSolver struct {
	activeArticulations     []int32
	articulationContactIDs  []int32
	articulationContacts    []articulationContact
	articulationContactRows []articulationContactRow
	articulatedJoints       articulatedJoints
	anyNoWarmStart          bool // some of these contacts began the substep without impulses
}

// sweepScratch is the scratch of continuous collision (ccd.go, ccd.go).
type sweepScratch struct {
	fastBodies    []motionSweep
	fastJointed   []motionSweep // of bodies on joints
	startPoses    []r3.Pose
	rewound       []bool // by body slot
	connected     []int32
	ccdCandidates []int32 // geoms on the way of one
}

// bodyState is a body's velocity and what it has moved since the step began. Index 0 never moves.
type bodyState struct{ v, w, deltaPosition, deltaRotation r3.Vec }

// bodyMass is the inverse mass properties of a body.
type bodyMass struct {
	invMass                       float64
	invInertia                    r3.Mat // world
	com                           r3.Vec // when the step began
	linearDamping, angularDamping float64
	_                             [8]byte
}

// bodyForce is the acceleration of a body by gravity and wrenches, m/s² and rad/s².
type bodyForce struct{ linear, angular r3.Vec }

// bodyFlags is the kind of a body, in few bytes for the cache.
type bodyFlags struct {
	tracksRotation bool // its orientation matters within a step: it is on joints, or not round
	gyroscopic     bool // it is not round and turns freely
	jointed        bool
	gyroscopicKick bool // a gyroscopic kick is in its velocity: rolling_contact.go
}

const (
	// Damping ratios: contacts are overdamped so that they do not bounce, most of all with bodies that do not
	// move.
	dynamicDampingRatio = 5.0
	staticDampingRatio  = 10.0
	jointDampingRatio   = 2.0
	// maxHertzPart is the highest frequency of a soft constraint as a part of the substeps'. Contacts of
	// moving bodies stay below 1/2π: above, the spring works overlaps off faster than it forgets impulses,
	// and piles, whose impulses lag behind, begin to swing.
	maxHertzPart        = 0.25
	maxHertzPartDynamic = 0.15
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

// chooseSubstep sets the length of a substep, and what follows from it.
func chooseSubstep(w *World) {
	s, dt := &w.solver, w.time.dt
	n := w.cfg.Substeps
	if n == 0 {
		n = substepsFor(dt, w.joints.ids.live > 0)
		if w.articulations.moveAlone(&w.joints, &w.contacts) {
			n = max(1, n/2, substepsForSpin(&w.bodies, w.articulations, dt))
		}
		n = max(n, w.joints.anchorSubsteps(&w.bodies, dt))
	}
	w.stats.Substeps = n
	s.h = dt / float64(n)
	s.invH = 1 / s.h
	hertz := min(w.cfg.ContactHertz, float64(maxHertzPartDynamic*s.invH))
	s.softMoving = soft(hertz, dynamicDampingRatio, s.h)
	s.softFixed = soft(min(2*hertz, float64(maxHertzPart*s.invH)), staticDampingRatio, s.h)
	s.softJoint = soft(float64(maxHertzPart*s.invH), jointDampingRatio, s.h)
	s.warmStartScale = w.time.warmStartRatio(w.solver.h)
	s.buildIteration(&s.biasIteration, true, w.cfg.RecoverySpeed)
	s.buildIteration(&s.relaxIteration, false, w.cfg.RecoverySpeed)
}

// loadBodies loads the awake bodies side by side.
func loadBodies(w *World) {
	s := &w.solver
	n := 1 + len(w.active.bodies)
	s.states, s.masses, s.slots = linalg.Grow(s.states, n), linalg.Grow(s.masses, n), linalg.Grow(s.slots, n)
	s.forces = linalg.Grow(s.forces, n)
	s.rotations, s.flags = linalg.Grow(s.rotations, n), linalg.Grow(s.flags, n)
	s.states[0], s.masses[0], s.slots[0] = bodyState{}, bodyMass{}, -1
	s.rotations[0], s.flags[0] = r3.Identity(), bodyFlags{}
	s.index = linalg.Grow(s.index, len(w.bodies.all))
	clear(s.index)
	w.runStage(stageLoadBodies, len(w.active.bodies), bodiesPerPart)
}

// buildJoints builds the rows of articulations, joints and couplings.
func buildJoints(w *World) {
	prepareArticulations(w)
	prepareJoints(w)
	prepareCouplings(w)
}

// buildContactRows builds the rows of colored contacts, then those of clusters and of links, which refer to
// them.
func buildContactRows(w *World) {
	s := &w.solver
	w.runStage(stageBuildContacts, len(s.batches), batchesPerPart)
	s.contactExtras.clear()
	for i := range w.scratch {
		s.contactExtras.add(&w.scratch[i].contactExtras)
	}
	s.clusterSolver.build(w)
	prepareArticulationContacts(w)
}

// add adds a body that does not move to the solver's arrays.
func (s *solverBodies) add(bodies *bodySet, gravity r3.Vec, h float64, slot int32) int32 {
	i := int32(len(s.states))
	s.states, s.masses, s.slots = append(s.states, bodyState{}), append(s.masses, bodyMass{}),
		append(s.slots, 0)
	s.forces = append(s.forces, bodyForce{})
	s.rotations, s.flags = append(s.rotations, r3.Quat{}), append(s.flags, bodyFlags{})
	s.load(bodies, gravity, h, i, slot)
	return i
}

// load loads a body.
func (s *solverBodies) load(bodies *bodySet, gravity r3.Vec, h float64, i, slot int32) {
	s.index[slot], s.slots[i] = i, slot
	b, m, in := &bodies.all[slot], &bodies.motion[slot], &bodies.massProps[slot]
	mv, wt, p, t := &s.states[i], &s.masses[i], &s.forces[i], &s.flags[i]
	*mv, *wt, *p, *t = bodyState{}, bodyMass{com: m.com, linearDamping: 1, angularDamping: 1}, bodyForce{},
		bodyFlags{jointed: len(b.joints) > 0}
	s.rotations[i] = m.rot
	if bodies.isAwake(slot) {
		mv.v, mv.w = m.v, m.w
		t.tracksRotation = t.jointed || !in.spherical || b.kind == Kinematic
	}
	if b.articulation != 0 {
		t.tracksRotation = false // follows from its joints
	} else if b.kind == Dynamic && !b.asleep {
		t.gyroscopic = !in.spherical
		wt.invMass = in.invMass
		wt.invInertia = in.invInertia.TurnedSymmetric(m.rot)
		p.linear = b.force.Scale(in.invMass)
		if !b.noGravity {
			p.linear = p.linear.Add(gravity)
		}
		p.angular = wt.applyInvInertia(b.torque)
		h := h
		wt.linearDamping = 1 / (1 + float64(h*b.linDamping))
		wt.angularDamping = 1 / (1 + float64(h*b.angDamping))
	}
}

// applyRestitutions gives back, once per step, the part of the speed of approach that restitution asks for.
func applyRestitutions(w *World) {
	s := &w.solver
	s.clusterSolver.enableRows(s)
	s.applyRestitution()
	s.applyArticulationRestitution()
	endConservedSubsteps(w)
}

// storeAllImpulses keeps what the next step warm starts from.
func storeAllImpulses(w *World) {
	s := &w.solver
	storeRowImpulses(w)
	w.contacts.storeArticulationImpulses(&w.solver)
	w.runStage(stageStoreImpulses, len(s.batches), batchesPerPart)
	cb := contactBuilderOf(w)
	cb.storeNoWarmStart()
	for i := range s.rollingFriction {
		r := &s.rollingFriction[i]
		t := s.packs[r.batch].constraintIndex[r.lane]
		w.contacts.manifolds[s.coloring.constraints[t].manifold].rolling = r.impulse
	}
	w.time.h = s.h
}

// allStates is every body but the first, which never moves.
func (s *solverBodies) allStates() batchRange { return batchRange{1, int32(len(s.states))} }

// maxTurn is the most, rad, that a free body turns in a substep.
const maxTurn = 0.5 * math.Pi

// integrateVelocities applies forces and damping to the bodies from first to end.
func (s *solver) integrateVelocities(first, end int32) {
	fastest := float64(maxTurn * s.invH)
	for i := first; i < end; i++ {
		m, wt, p := &s.states[i], &s.masses[i], &s.forces[i]
		m.v = m.v.AddScaled(s.h, p.linear).Scale(wt.linearDamping)
		m.w = clampLength(m.w.AddScaled(s.h, p.angular).Scale(wt.angularDamping), fastest)
	}
}

// integratePositions moves the bodies from first to end by their velocities through one substep.
func (s *solverBodies) integratePositions(bodies *bodySet, h float64, first, end int32) {
	for i := first; i < end; i++ {
		m := &s.states[i]
		m.deltaPosition = m.deltaPosition.AddScaled(h, m.v)
		m.deltaRotation = m.deltaRotation.AddScaled(h, m.w)
		if s.flags[i].tracksRotation {
			s.integrateRotation(bodies, h, i)
		}
	}
}

// softness is a spring and damper as a constraint sees it (Catto, "Soft Constraints", GDC 2011).
type softness struct{ bias, mass, impulse float64 }

// rigid is a constraint that only looks at velocity.
func rigid() softness { return softness{0, 1, 0} }

func soft(hertz, ratio, h float64) softness {
	omega := float64(2 * math.Pi * hertz)
	a := float64(2*ratio) + float64(h*omega)
	b := float64(h * omega * a)
	c := 1 / (1 + b)
	return softness{omega / a, float64(b * c), c}
}

const (
	// maxSubstepTurn is the largest rotation per substep of spinning bodies with joints, rad.
	maxSubstepTurn = 0.1
	// maxRotationSubsteps bounds the substeps for rotation in a step.
	maxRotationSubsteps = 16
)

// rotationSubsteps is the number of substeps for a rotation by angle, rad.
func rotationSubsteps(angle float64) int {
	if angle <= maxSubstepTurn {
		return 1
	}
	return int(min(maxRotationSubsteps, math.Ceil(angle/maxSubstepTurn)))
}

// anchorSubsteps is the number of substeps that far joint anchors need by their speed (joint_direct.go):
// a light body at a long arm moves straight through a substep and must be drawn back.
func (js *jointSet) anchorSubsteps(bodies *bodySet, dt float64) int {
	n := 1
	for i := range js.all {
		j := &js.all[i]
		if !js.ids.inUse(int32(i)) || j.articulation != 0 {
			continue
		}
		n = max(n, bodies.anchorSubsteps(j.child, j.anchorB, dt))
		if j.parent >= 0 {
			n = max(n, bodies.anchorSubsteps(j.parent, j.anchorA, dt))
		}
	}
	return n
}

// anchorSubsteps is the number of substeps for a far anchor that circles its body.
func (bs *bodySet) anchorSubsteps(slot int32, arm r3.Vec, dt float64) int {
	m, in := &bs.motion[slot], &bs.massProps[slot]
	if float64(dt*dt*m.w.Len2()) <= maxSubstepTurn*maxSubstepTurn || !bs.isAwake(slot) ||
		!hasLongLever(in.invMass, &in.invInertia, arm) {
		return 1
	}
	return rotationSubsteps(dt * math.Sqrt(m.w.Cross(m.rot.Rotate(arm)).Len2()/arm.Len2()))
}

// substepsForSpin is the number of substeps that spherical joints and floating bases need by their spin: tops
// and gyroscopes. Rotation about a constrained axis needs none.
func substepsForSpin(bodies *bodySet, articulations []worldArticulation, dt float64) int {
	fastest := 0.0
	for i := range articulations {
		art := &articulations[i]
		if !art.live || !bodies.isAwake(art.links[0].body) {
			continue
		}
		fastest = max(fastest, art.FastestSpin2())
	}
	return rotationSubsteps(dt * math.Sqrt(fastest))
}

// writeBodies writes the result of the step back to the bodies and lets their geoms follow. A body whose
// velocity is not finite stays where it was, at rest, and is the solver's lostBody. With Config.Contain it is
// contained before.
func writeBodies(w *World) {
	w.containment.found = w.cfg.Contain && containLost(w)
	s := &w.solver
	s.lostBody = -1
	w.runStage(stageFinish, len(s.states), bodiesPerPart)
	for i := range w.scratch {
		d := &w.scratch[i]
		s.lostBody, s.fastBodies = max(s.lostBody, d.lostBody), append(s.fastBodies, d.fastBodies...)
		s.fastJointed = append(s.fastJointed, d.fastJointed...)
	}
	for i := range w.scratch {
		w.geoms.refresh(&w.bodies, w.scratch[i].escaped)
	}
	if l := finishArticulations(w); l >= 0 {
		s.lostBody = l
	}
}

// sweepFastBodies ends the step of fast bodies where they first meet something: jointed ones first, which go
// back together.
func sweepFastBodies(w *World) {
	sweepJointed(w)
	c := sweeperOf(w)
	c.run(&w.stats)
}

// finishAllJoints reads the positions of joints where the bodies have come to be, and keeps their impulses;
// joints of islands with a fault keep none.
func finishAllJoints(w *World) {
	w.joints.finish(&w.bodies, &w.solver)
	finishCouplings(w)
	if w.containment.found {
		forgetFaulty(w)
	}
}

// finishBodies is writeBodies for the bodies from first to end, without links of articulations.
func finishBodies(w *World, d *workerScratch, first, end int32) {
	s, c := &w.solver, sweeperOf(w)
	for i := first; i < end; i++ {
		slot := s.slots[i]
		if !w.bodies.isAwake(slot) || w.bodies.all[slot].articulation != 0 {
			continue
		}
		m, mv := &w.bodies.motion[slot], &s.states[i]
		b, in := &w.bodies.all[slot], &w.bodies.massProps[slot]
		b.velocityBefore.Linear, b.velocityBefore.Angular = m.v, m.w
		b.force, b.torque = r3.Vec{}, r3.Vec{}
		if !mv.v.IsFinite() || !mv.w.IsFinite() || !mv.deltaPosition.IsFinite() || mv.v.Len2() > 1e12 {
			m.v, m.w, d.lostBody = r3.Vec{}, r3.Vec{}, slot
			continue
		}
		c.addFast(d, slot, mv.deltaPosition, mv.deltaRotation)
		was := m.rot
		m.com = m.com.Add(mv.deltaPosition)
		m.v, m.w = mv.v, mv.w
		if s.flags[i].tracksRotation {
			m.rot = s.rotations[i]
		} else {
			m.rot = m.rot.Turn(mv.deltaRotation)
		}
		w.bodies.accumulateMotion(w.time.dt, slot, mv.deltaPosition.Len(), rotationBetween(was, m.rot).Len(),
			mv.v.Len())
		m.origin = m.com
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		d.escaped = w.geoms.follow(&w.bodies, &w.time, slot, false, d.escaped)
	}
}
