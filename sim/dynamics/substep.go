package dynamics

// substepStages is a substep in its order: the soft step of Catto ("Solver2D", 2024). Forces, warm start, one
// pass of soft constraints that also works errors of position off, integration, and one relaxing pass that
// takes the velocity of that work out again. docs/physics.md gives the reasons of the order.
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
		name: "build articulations", run: (*World).beginArticulationSubstep,
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
		name: "store row impulses", run: (*World).storeRowImpulses,
		needs: biasRemoved | energyBounded, leaves: rowImpulsesStored | velocitiesKept,
	},
}

// runSubsteps moves the bodies of the solver through all substeps. The balance of a conserved articulation
// closes between two substeps; that of the last one does after restitution, which works on it too.
func runSubsteps(w *World) {
	for i := range w.stats.Substeps {
		if i > 0 {
			w.endConservedSubsteps()
		}
		w.runStages(substepStages)
	}
}

// moveRollingPoints brings contact rows up to where the substep begins: points of rolling contacts move with
// their bodies, contact clusters take their rows out of the passes, contacts far from rest drop their
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

// solveConstraints is one pass over all constraints, with bias or, in the stage of relaxation, without. What
// touches links comes last, because it is answered with the rows of articulations that hold by then.
func solveConstraints(w *World, colors taskStage, p *iteration) {
	s, useBias := &w.solver, colors == stageSolveBias
	w.solveArticulationRows(useBias)
	s.solveJoints(useBias)
	s.solveCouplings(useBias)
	w.runColors(colors)
	s.iterateRollingContacts(p)
	s.clusterSolver.solve(s, p)
	w.updateConstrainedResponses(!useBias)
	s.iterateArticulationContacts(useBias, w.cfg.RecoverySpeed)
}

// integrateAllPositions moves bodies and joint coordinates by their velocities.
func integrateAllPositions(w *World) {
	w.publishLinkVelocities()
	w.solver.removeGyroscopicKicks()
	w.runBodyStage(stageIntegratePositions)
	w.advanceArticulations()
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
