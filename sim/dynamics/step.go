package dynamics

import (
	"fmt"
	"slices"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
)

// maxStep is the longest step, in seconds, that Step takes.
const maxStep = 0.1

// stepStages is a step in its order; docs/physics.md gives the reasons.
var stepStages = []stage{
	{
		name: "find pairs", timed: StageBroad, run: findPairs,
		leaves: pairsFound,
	}, {
		name: "collide", timed: StageNarrow, run: collideAll,
		needs: pairsFound, leaves: manifoldsFound,
	}, {
		name: "choose substep", timed: StagePrepare, run: chooseSubstep,
		needs: manifoldsFound, leaves: substepChosen,
	}, {
		name: "load bodies", timed: StagePrepare, run: loadBodies,
		needs: substepChosen | manifoldsFound, leaves: bodiesLoaded | ownVelocities | velocitiesKept,
	}, {
		name: "build joints", timed: StagePrepare, run: buildJoints,
		needs: bodiesLoaded | manifoldsFound, leaves: jointsBuilt | jointsCurrent,
	}, {
		name: "color contacts", timed: StagePrepare, run: colorContacts,
		needs: manifoldsFound | jointsBuilt, leaves: contactsColored,
	}, {
		name: "build contact rows", timed: StagePrepare, run: buildContactRows,
		needs: contactsColored | jointsCurrent, leaves: contactRowsBuilt | contactRowsCurrent,
	}, {
		name: "run substeps", timed: StageSolve, run: runSubsteps,
		needs: substepStart, breaks: velocitiesKept, leaves: biasRemoved | energyBounded,
	}, {
		name: "solve islands directly", timed: StageSolve, run: solveNewtonIslands,
		needs: contactRowsBuilt | biasRemoved, leaves: islandsSolved,
	}, {
		name: "apply restitution", timed: StageSolve, run: applyRestitutions,
		needs:  biasRemoved | energyBounded | islandsSolved,
		breaks: clusterRowsDisabled | rowImpulsesStored,
		leaves: restitutionApplied,
	}, {
		name: "store impulses", timed: StageSolve, run: storeAllImpulses,
		needs: restitutionApplied, leaves: contactImpulsesStored | rowImpulsesStored,
	}, {
		name: "write bodies", timed: StageFinish, run: writeBodies,
		needs: restitutionApplied | contactImpulsesStored, leaves: bodiesWritten,
	}, {
		name: "sweep fast bodies", timed: StageFinish, run: sweepFastBodies,
		needs: bodiesWritten, leaves: pathsSwept,
	}, {
		name: "measure joints", timed: StageFinish, run: finishAllJoints,
		needs: pathsSwept, leaves: jointsMeasured,
	}, {
		name: "put islands to sleep", timed: StageSleep, run: fallAsleep,
		needs: jointsMeasured, leaves: islandsAsleep,
	},
}

// Step moves the world by dt seconds. It returns ErrInvalid when dt is invalid, and nothing happened, or when
// a body's motion is not finite or out of bounds. The message names that body, which stays where it was, at
// rest. With Config.Contain there is no such error: Faults tells what was contained.
func (w *World) Step(dt float64) error {
	if !(dt > 0) || dt > maxStep {
		return fmt.Errorf("%w: step of %v s, must be above 0 and at most %v", ErrInvalid, dt, maxStep)
	}
	w.cfg.Workers.begin(w)
	w.active.sleepEvents.dropSeen()
	w.measureArticulations(false)
	if dt != w.time.dt {
		w.time.dt = dt
		w.bodies.invalidateAll()
	}
	lap := startLap(w)
	for i := range stepStages {
		w.runStages(stepStages[i : i+1])
		if i+1 == len(stepStages) || stepStages[i+1].timed != stepStages[i].timed {
			lap.end(stepStages[i].timed)
		}
	}
	w.cfg.Workers.end()
	w.time.steps++
	w.active.sleepEvents.seen = len(w.active.sleepEvents.list)
	if lost := w.solver.lostBody; lost >= 0 {
		return fmt.Errorf("%w: %v moved to infinity in step %d; it was put to rest where it was",
			ErrInvalid, w.bodies.id(lost), w.time.steps)
	}
	return nil
}

// The functions of the tables. They hand the parts of the world to the functions of each subject's file,
// which know no more than those parts.

// narrowphaseOf returns a world's parts for the narrow phase.
func narrowphaseOf(w *World) narrowphase {
	return narrowphase{&w.bodies, &w.geoms, &w.joints, &w.contacts, &w.time, &w.cfg}
}

// contactBuilderOf returns a world's parts for building contact rows.
func contactBuilderOf(w *World) contactBuilder {
	return contactBuilder{&w.bodies, &w.geoms, &w.contacts, &w.solver, &w.time, &w.cfg}
}

// sweeperOf returns a world's parts for the end of a step.
func sweeperOf(w *World) sweeper {
	return sweeper{&w.bodies, &w.geoms, &w.joints, w.articulations, &w.solver, &w.time, &w.cfg}
}

// transmissionStepperOf returns a world's parts for transmissions.
func transmissionStepperOf(w *World) transmissionStepper {
	return transmissionStepper{&w.solver, &w.transmissions, &w.bodies, &w.joints, w.articulations}
}

// findPairs finds close pairs of geoms, of which one has left its fat box, and at times compacts their
// contacts.
func findPairs(w *World) {
	w.runTask(findPairsOfPart, len(w.geoms.moved), geomsPerPart)
	w.geoms.findAdjacent(&w.bodies)
	w.geoms.moved = w.geoms.moved[:0]
	w.contacts.addPairs(&w.geoms, &w.active, w.scratch)
	w.contacts.compact(&w.bodies, &w.active, w.time.steps)
}

func findPairsOfPart(w *World, _ int32, p taskPart) {
	first, end := p.rangeOf(len(w.geoms.moved))
	w.geoms.findPairsOf(&w.bodies, &w.joints, &w.scratch[p.i], w.geoms.moved[first:end])
}

// collideAll runs the narrow phase over the active contacts.
func collideAll(w *World) {
	w.active.rebuild(&w.bodies, &w.contacts)
	w.stats.TrianglesLeft = 0
	w.runTask(collidePart, len(w.active.contacts), contactsPerPart)
	n := narrowphaseOf(w)
	w.solver.touching = n.finish(&w.active, w.scratch, &w.stats, w.solver.touching[:0])
}

func collidePart(w *World, _ int32, p taskPart) {
	first, end := p.rangeOf(len(w.active.contacts))
	n := narrowphaseOf(w)
	n.run(&w.scratch[p.i], w.active.contacts[first:end])
}

// chooseSubstep sets the number of substeps, and their length.
func chooseSubstep(w *World) {
	n := w.cfg.Substeps
	if n == 0 {
		n = automaticSubsteps(&w.bodies, &w.joints, w.articulations, &w.transmissions, &w.contacts, w.time.dt)
	}
	w.stats.Substeps = n
	w.solver.setSubstep(&w.time, &w.cfg, n)
}

// loadBodies loads the awake bodies side by side.
func loadBodies(w *World) {
	w.solver.reserve(len(w.active.bodies), len(w.bodies.all))
	w.runTask(loadBodiesPart, len(w.active.bodies), bodiesPerPart)
}

func loadBodiesPart(w *World, _ int32, p taskPart) {
	first, end := p.rangeOf(len(w.active.bodies))
	for i := first; i < end; i++ {
		w.solver.load(&w.bodies, w.cfg.Gravity, w.solver.h, 1+i, w.active.bodies[i])
	}
}

// buildJoints builds the rows of articulations, joints, direct islands and couplings.
func buildJoints(w *World) {
	s := &w.solver
	w.articulations.prepare(&w.bodies, &w.joints, s)
	s.prepareJoints(&w.bodies, &w.joints, w.articulations, w.cfg.Gravity)
	s.buildDirectIslands(&w.bodies, &w.contacts, &w.active)
	s.prepareCouplings(&w.bodies, &w.joints, w.articulations)
	t := transmissionStepperOf(w)
	t.prepare()
}

// colorContacts colours the contacts of free bodies, and sets those of links apart, and those of islands that
// Newton's method solves.
func colorContacts(w *World) {
	f := newtonFinder{contactBuilder: contactBuilderOf(w), joints: &w.joints, articulations: w.articulations,
		transmissions: &w.transmissions}
	f.find()
	t := transmissionStepperOf(w)
	t.mark()
	w.stats.Touching = w.solver.colorContacts(&w.bodies, &w.contacts, len(w.articulations) > 0)
}

// buildContactRows builds the rows of colored contacts, then those of clusters and of links, which refer to
// them, and finds who is clamped.
func buildContactRows(w *World) {
	s, cb := &w.solver, contactBuilderOf(w)
	w.runTask(buildContactsPart, len(s.batches), batchesPerPart)
	s.contactExtras.clear()
	for i := range w.scratch {
		s.contactExtras.add(&w.scratch[i].contactExtras)
	}
	s.clusterSolver.build(&cb)
	w.stats.Touching += cb.buildArticulationContacts(w.articulations)
	s.energyClamps.build(s)
}

func buildContactsPart(w *World, _ int32, p taskPart) {
	first, end := p.rangeOf(len(w.solver.batches))
	cb := contactBuilderOf(w)
	cb.build(&w.scratch[p.i], first, end)
}

// substepStages is a substep in its order: the soft step of Catto ("Solver2D", 2024). It has forces, warm
// start, one pass of soft constraints with bias for position errors, integration, and one relaxing pass that
// removes the bias velocity. docs/physics.md gives the reasons of the order.
var substepStages = []stage{
	{
		name: "move rolling points", run: moveRollingPoints,
		needs: substepStart, leaves: rollingPointsMoved | clusterRowsDisabled,
	}, {
		name: "apply forces", run: applyForces,
		needs: bodiesLoaded | ownVelocities | velocitiesKept, breaks: velocitiesKept, leaves: forcesApplied,
	}, {
		name: "record energy", run: recordEnergy,
		needs: forcesApplied | jointsCurrent, leaves: energyRecorded,
	}, {
		name: "build articulations", run: beginArticulations,
		needs: contactRowsBuilt | energyRecorded, leaves: articulationsBuilt,
	}, {
		name: "warm start", run: warmStart,
		needs: forcesApplied | energyRecorded | articulationsBuilt | jointsCurrent | rollingPointsMoved |
			clusterRowsDisabled,
		leaves: warmStarted,
	}, {
		name: "predict rolling points", run: predictRollingContacts,
		needs: warmStarted, breaks: ownVelocities, leaves: rollingPointsPredicted,
	}, {
		name: "solve with bias", run: solveWithBias,
		needs: warmStarted | rollingPointsPredicted | contactRowsCurrent | jointsCurrent |
			articulationsBuilt | clusterRowsDisabled,
		leaves: biasSolved,
	}, {
		name: "integrate positions", run: integrateAllPositions,
		needs: biasSolved, breaks: jointsCurrent | contactRowsCurrent,
		leaves: positionsIntegrated | ownVelocities,
	}, {
		name: "update joints", run: updateJoints,
		needs: positionsIntegrated, leaves: jointsCurrent,
	}, {
		name: "update contact rows", run: updateContactRows,
		needs: positionsIntegrated | jointsCurrent | ownVelocities, breaks: ownVelocities,
		leaves: contactRowsCurrent | clusterRowsDisabled,
	}, {
		name: "relax", run: relax,
		needs: biasSolved | positionsIntegrated | jointsCurrent | contactRowsCurrent | articulationsBuilt |
			clusterRowsDisabled,
		leaves: biasRemoved | ownVelocities,
	}, {
		name: "clamp energy", run: clampEnergy,
		needs: biasRemoved | ownVelocities | energyRecorded, leaves: energyBounded,
	}, {
		name: "store row impulses", run: storeRowImpulses,
		needs: biasRemoved | energyBounded, leaves: rowImpulsesStored | velocitiesKept,
	},
}

// runSubsteps moves the bodies of the solver through all substeps. The balance of a conserved articulation
// closes between two substeps; that of the last one does after restitution, which works on it too.
func runSubsteps(w *World) {
	for i := range w.stats.Substeps {
		if i > 0 {
			w.articulations.endConservedSubsteps(&w.bodies, &w.joints, &w.solver)
		}
		w.runStages(substepStages)
	}
}

// solveNewtonIslands moves the islands of Newton's method through the step.
func solveNewtonIslands(w *World) {
	s := &w.solver
	if len(s.newtonIslands) == 0 {
		return
	}
	for i := range s.newtonIslands {
		s.activeArticulations = append(s.activeArticulations, s.newtonIslands[i].articulations...)
	}
	slices.Sort(s.activeArticulations)
	w.runParts(solveNewtonIslandsPart, w.cfg.Workers.partsOfFew(len(s.newtonIslands)))
}

func solveNewtonIslandsPart(w *World, _ int32, p taskPart) {
	s := &w.solver
	n := newtonStepper{contactBuilder: contactBuilderOf(w), joints: &w.joints, articulations: w.articulations,
		islandJoints: &w.scratch[p.i].islandJoints,
		strings:      islandStrings{transmissionStepperOf(w), &w.scratch[p.i].islandStrings},
		positions:    &w.scratch[p.i].islandPositions}
	first, end := p.rangeOf(len(s.newtonIslands))
	for i := first; i < end; i++ {
		n.problem = &s.newtonProblems[i]
		n.solve(&s.newtonIslands[i])
	}
}

// moveRollingPoints brings contact rows to the start of the substep. Points of rolling contacts move with
// their bodies, contact clusters disable their rows in the passes, and contacts far from rest drop their
// impulses.
func moveRollingPoints(w *World) {
	s := &w.solver
	s.moveRollingContacts()
	s.clusterSolver.disableRows(s)
	s.clearNoWarmStart()
}

// applyForces changes the velocities of free bodies by gravity, wrenches and damping.
func applyForces(w *World) { w.runBodyTask(integrateVelocitiesPart) }

func integrateVelocitiesPart(w *World, _ int32, p taskPart) {
	w.solver.integrateVelocities(p.subrange(w.solver.allStates()))
}

// recordEnergy notes what the energy clamps compare with, before any impulse of the substep; impulses of
// direct islands begin at zero.
func recordEnergy(w *World) {
	w.solver.energyClamps.begin(&w.solver)
	w.solver.resetDirectImpulses()
}

// beginArticulations begins a substep of articulations, and warm starts the contacts of links.
func beginArticulations(w *World) {
	w.articulations.beginSubstep(&w.bodies, &w.joints, w.cfg.Gravity, &w.solver)
	w.solver.clearFastWarmStart()
	w.solver.warmStartArticulationContacts()
}

// warmStart applies the impulses of the substep before: joints, couplings, contacts colour by colour.
func warmStart(w *World) {
	w.solver.warmStartJoints()
	w.solver.warmStartMultiDofFriction()
	w.solver.beginCouplings(&w.joints)
	t := transmissionStepperOf(w)
	t.begin()
	w.runColors(warmStartPart)
}

func warmStartPart(w *World, color int32, p taskPart) {
	w.solver.warmStartBatches(p.subrange(w.solver.coloring.colors[color]))
}

// predictRollingContacts lets rolling contacts measure where their bodies will be.
func predictRollingContacts(w *World) { w.solver.predictRollingContacts(&w.bodies) }

// solveWithBias is the pass of soft constraints: it also works errors of position off.
func solveWithBias(w *World) { solveConstraints(w, solveBiasPart, &w.solver.biasIteration) }

func solveBiasPart(w *World, color int32, p taskPart) {
	first, end := p.subrange(w.solver.coloring.colors[color])
	w.solver.solveBatches(first, end, &w.solver.biasIteration)
}

// solveConstraints is one pass over all constraints, with bias or, in the stage of relaxation, without. Rows
// of links come last, because the impulse response of a link depends on the active rows of its articulation.
func solveConstraints(w *World, contacts task, p *iteration) {
	s := &w.solver
	w.articulations.solveRows(s, p.useBias)
	s.solveDirectIslands(p.useBias)
	s.solveMultiDofFriction()
	s.solveJoints(p.useBias)
	s.solveCouplings(p.useBias)
	t := transmissionStepperOf(w)
	t.solve(p.useBias)
	w.runColors(contacts)
	s.iterateRollingContacts(p)
	s.clusterSolver.solve(s, p)
	w.articulations.updateConstrainedResponses(s, !p.useBias)
	s.iterateArticulationContacts(p.useBias, w.cfg.RecoverySpeed)
}

// integrateAllPositions moves bodies and joint coordinates by their velocities.
func integrateAllPositions(w *World) {
	w.articulations.publishLinkVelocities(&w.solver)
	w.solver.removeGyroscopicCorrections()
	w.runBodyTask(integratePositionsPart)
	w.articulations.advance(&w.bodies, &w.solver)
}

func integratePositionsPart(w *World, _ int32, p taskPart) {
	first, end := p.subrange(w.solver.allStates())
	w.solver.integratePositions(&w.bodies, w.solver.h, first, end)
}

// updateJoints brings joints up to the poses after the integration, factors direct islands anew and closes
// their rings.
func updateJoints(w *World) {
	s := &w.solver
	s.updateJointsGeometry()
	if len(s.directIslands) > 0 {
		s.factorDirectIslands()
		s.refreshDirectResponses()
	}
	s.projectOpenIslands(&w.bodies)
	if w.joints.ids.live > 0 {
		s.rotateFrictionImpulses()
	}
}

// updateContactRows weighs contact rows anew whose bodies have turned far. That enables rows of contact
// clusters again.
func updateContactRows(w *World) {
	s := &w.solver
	s.updateReweighted()
	s.clusterSolver.disableRows(s)
	s.addGyroscopicCorrections(&w.bodies, -0.5)
}

// relax is the pass without bias.
func relax(w *World) {
	solveConstraints(w, relaxPart, &w.solver.relaxIteration)
	w.solver.removeGyroscopicCorrections()
}

func relaxPart(w *World, color int32, p taskPart) {
	first, end := p.subrange(w.solver.coloring.colors[color])
	w.solver.solveBatches(first, end, &w.solver.relaxIteration)
}

// clampEnergy holds direct islands, and what touches them, to the energy that they had.
func clampEnergy(w *World) { w.solver.energyClamps.apply(&w.solver) }

// storeRowImpulses keeps what the next substep of articulations warm starts from.
func storeRowImpulses(w *World) {
	w.articulations.storeRowImpulses(&w.joints, &w.solver)
	t := transmissionStepperOf(w)
	t.store()
}

// applyRestitutions gives back, once per step, the part of the speed of approach that restitution asks for.
func applyRestitutions(w *World) {
	s := &w.solver
	s.clusterSolver.enableRows(s)
	s.applyRestitution()
	s.applyArticulationRestitution()
	w.articulations.endConservedSubsteps(&w.bodies, &w.joints, s)
}

// storeAllImpulses keeps what the next step warm starts from.
func storeAllImpulses(w *World) {
	s, cb := &w.solver, contactBuilderOf(w)
	w.articulations.storeRowImpulses(&w.joints, s)
	w.contacts.storeArticulationImpulses(s)
	w.runTask(storeImpulsesPart, len(s.batches), batchesPerPart)
	cb.storeNoWarmStart()
	w.contacts.storeRollingImpulses(s)
	w.time.h = s.h
}

func storeImpulsesPart(w *World, _ int32, p taskPart) {
	cb := contactBuilderOf(w)
	cb.storeImpulses(p.rangeOf(len(w.solver.batches)))
}

// writeBodies writes the result of the step back to the bodies and lets their geoms follow. A body whose
// velocity is not finite stays where it was, at rest, and is the solver's lostBody. With Config.Contain it is
// contained before.
func writeBodies(w *World) {
	s := &w.solver
	w.containment.found = w.cfg.Contain && w.containment.contain(&w.bodies, &w.joints, w.articulations,
		&w.transmissions, &w.contacts, &w.active, &w.islands, s)
	s.lostBody = -1
	w.runTask(finishBodiesPart, len(s.states), bodiesPerPart)
	w.mergeFinished()
	w.runTask(finishArticulationsPart, len(s.activeArticulations), articulationsPerPart)
	w.mergeFinished()
}

// mergeFinished merges the outputs of the parts of finishBodiesPart or finishArticulationsPart.
func (w *World) mergeFinished() {
	s := &w.solver
	for i := range w.scratch {
		d := &w.scratch[i]
		s.lostBody, s.fastBodies = max(s.lostBody, d.lostBody), append(s.fastBodies, d.fastBodies...)
		s.fastJointed = append(s.fastJointed, d.fastJointed...)
	}
	for i := range w.scratch {
		w.geoms.refresh(&w.bodies, w.scratch[i].escaped)
	}
}

func finishBodiesPart(w *World, _ int32, p taskPart) {
	first, end := p.subrange(w.solver.allStates())
	c := sweeperOf(w)
	c.finishBodies(&w.scratch[p.i], first, end)
}

func finishArticulationsPart(w *World, _ int32, p taskPart) {
	first, end := p.rangeOf(len(w.solver.activeArticulations))
	c := sweeperOf(w)
	c.finishArticulations(&w.scratch[p.i], w.solver.activeArticulations[first:end])
}

// sweepFastBodies ends the step of fast bodies where they first meet something: jointed ones first, which go
// back together.
func sweepFastBodies(w *World) {
	c := sweeperOf(w)
	c.runJointed(&w.stats)
	c.run(&w.stats)
}

// finishAllJoints reads the positions of joints where the bodies have come to be, and keeps their impulses;
// joints of islands with a fault keep none.
func finishAllJoints(w *World) {
	w.solver.storeDirectImpulses()
	w.joints.storeMultiDofFriction(&w.solver)
	w.joints.finish(&w.bodies, &w.solver)
	w.joints.finishCouplings(&w.solver)
	if w.containment.found {
		w.containment.forgetFaulty(&w.bodies, &w.joints, w.articulations, &w.contacts, &w.active)
	}
}

// fallAsleep lets islands sleep whose bodies have been still for long enough.
func fallAsleep(w *World) {
	w.geoms.keepMovedAwake(&w.bodies, &w.contacts, &w.active)
	w.stats.Islands = w.islands.fallAsleep(&w.bodies, &w.joints, w.articulations, &w.transmissions,
		&w.contacts, &w.active, &w.cfg, w.time.dt)
}

// lap times the stages of one step with the injected clock.
type lap struct {
	w    *World
	last int64
}

func startLap(w *World) lap {
	l := lap{w: w}
	if w.cfg.Clock != nil {
		l.last = w.cfg.Clock()
	}
	return l
}

func (l *lap) end(s Stage) {
	if c := l.w.cfg.Clock; c != nil {
		now := c()
		l.w.stats.Stage[s] = now - l.last
		l.last = now
	}
}

// The least work that is worth a part of a task, in geoms, contacts and so on. It changes the time alone.
const (
	geomsPerPart         = 32
	contactsPerPart      = 128
	bodiesPerPart        = 256
	batchesPerPart       = 32
	colorBatchesPerPart  = 16
	articulationsPerPart = 4
)

// workerScratch is the output of a part of a task. The outputs are merged in their order, so that nothing
// depends on their number.
type workerScratch struct {
	narrow           narrowScratch
	near             []int32
	touching         []int32           // contacts
	pairsFound       []uint64          // pairs
	deadContacts     bool              // contacts are
	newManifolds     []manifold        // of contacts that own none yet
	pendingManifolds []pendingManifold // of these
	contactExtras
	escaped      []int32           // geoms that have left their fat boxes
	fastBodies   []motionSweep     // of fast bodies
	fastJointed  []motionSweep     // of those on joints
	lostBody     int32             // the last body that left the finite numbers; -1: none
	startPoses   []r3.Pose         // of the links of an articulation
	islandJoints articulatedJoints // of one
	// positions of an island's articulations before a substep
	islandPositions articulation.Positions
	islandStrings   stringScratch
}

// pendingManifold is a contact whose new manifolds wait for a block.
type pendingManifold struct{ contact, count int32 }

// runTask computes a task in as many parts as there is work for, with cleared outputs.
func (w *World) runTask(t task, work, each int) {
	w.runParts(t, w.cfg.Workers.parts(work, each))
}

// runParts computes a task in so many parts, with cleared outputs.
func (w *World) runParts(t task, parts int32) {
	for len(w.scratch) < int(parts) {
		w.scratch = append(w.scratch, workerScratch{})
	}
	for i := range w.scratch {
		d := &w.scratch[i]
		d.touching = d.touching[:0]
		d.pairsFound, d.deadContacts, d.newManifolds, d.pendingManifolds = d.pairsFound[:0], false,
			d.newManifolds[:0], d.pendingManifolds[:0]
		d.contactExtras.clear()
		d.escaped, d.lostBody = d.escaped[:0], -1
		d.fastBodies, d.fastJointed = d.fastBodies[:0], d.fastJointed[:0]
	}
	w.cfg.Workers.run(w, t, 0, parts)
}

// runColors computes a task for one colour after the other.
func (w *World) runColors(t task) {
	for i, c := range w.solver.coloring.colors {
		w.cfg.Workers.run(w, t, int32(i),
			w.cfg.Workers.partsOfIteration(int(c.end-c.first), colorBatchesPerPart))
	}
}

// runBodyTask computes a task for all bodies of the solver.
func (w *World) runBodyTask(t task) {
	w.cfg.Workers.run(w, t, 0, w.cfg.Workers.partsOfIteration(len(w.solver.states), bodiesPerPart))
}
