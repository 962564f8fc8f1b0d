package dynamics

import "fmt"

// maxStep is the longest step, in seconds, that Step takes.
const maxStep = 0.1

// stepStages is a step in its order; docs/physics.md gives the reasons.
var stepStages = []stage{
	{
		name: "find pairs", timed: StageBroad, run: findPairsInOrder,
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
		name: "apply restitution", timed: StageSolve, run: applyRestitutions,
		needs: biasRemoved | energyBounded, leaves: restitutionApplied,
	}, {
		name: "store impulses", timed: StageSolve, run: storeAllImpulses,
		needs: restitutionApplied, leaves: contactImpulsesStored,
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

// findPairsInOrder finds the pairs of geoms that are near each other, and now and then compacts their
// contacts.
func findPairsInOrder(w *World) {
	findPairs(w)
	w.contacts.compact(&w.bodies, &w.active, w.time.steps)
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
		name: "build articulations", run: beginArticulationSubstep,
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
			endConservedSubsteps(w)
		}
		w.runStages(substepStages)
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
func applyForces(w *World) { w.runBodyStage(stageIntegrateVelocities) }

// recordEnergy notes what the energy clamps compare with, before any impulse of the substep; impulses of
// direct islands begin at zero.
func recordEnergy(w *World) { w.solver.resetDirectImpulses() }

// warmStart applies the impulses of the substep before: joints, couplings, contacts colour by colour.
func warmStart(w *World) {
	w.solver.warmStartJoints()
	beginCouplingSubstep(w)
	w.runColors(stageWarmStart)
}

// solveWithBias is the pass of soft constraints: it also works errors of position off.
func solveWithBias(w *World) { solveConstraints(w, stageSolveBias, &w.solver.biasIteration) }

// solveConstraints is one pass over all constraints, with bias or, in the stage of relaxation, without. Rows
// of links come last, because the impulse response of a link depends on the active rows of its articulation.
func solveConstraints(w *World, colors taskStage, p *iteration) {
	s, useBias := &w.solver, colors == stageSolveBias
	w.articulations.solveRows(&w.solver, useBias)
	s.solveJoints(useBias)
	s.solveCouplings(useBias)
	w.runColors(colors)
	s.iterateRollingContacts(p)
	s.clusterSolver.solve(s, p)
	w.articulations.updateConstrainedResponses(&w.solver, !useBias)
	s.iterateArticulationContacts(useBias, w.cfg.RecoverySpeed)
}

// integrateAllPositions moves bodies and joint coordinates by their velocities.
func integrateAllPositions(w *World) {
	w.articulations.publishLinkVelocities(&w.solver)
	w.solver.removeGyroscopicKicks()
	w.runBodyStage(stageIntegratePositions)
	advanceArticulations(w)
}

// updateJoints brings joints up to the poses after the integration, factors direct islands anew and closes
// their rings.
func updateJoints(w *World) {
	w.solver.updateJointsGeometry()
	w.solver.projectOpenIslands(&w.bodies)
	if w.joints.ids.live > 0 {
		w.solver.rotateFrictionImpulses()
	}
}

// updateContactRows weighs contact rows anew whose bodies have turned far. That enables rows of contact
// clusters again.
func updateContactRows(w *World) {
	s := &w.solver
	s.updateReweighted()
	s.clusterSolver.disableRows(s)
	w.solver.addGyroscopicKicks(&w.bodies, -0.5)
}

// relax is the pass without bias.
func relax(w *World) {
	solveConstraints(w, stageRelax, &w.solver.relaxIteration)
	w.solver.removeGyroscopicKicks()
}

// clampEnergy holds direct islands, and what touches them, to the energy that they had.
func clampEnergy(w *World) { w.solver.energyClamps.apply(&w.solver) }

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
