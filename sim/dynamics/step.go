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

// Step moves the world by dt seconds. An ErrInvalid says that dt cannot be, and nothing happened, or
// that a body left the finite numbers: that body stays where it was, at rest, and its name is in the
// message. With Config.Contain there is no such error: Faults tells what was contained.
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
