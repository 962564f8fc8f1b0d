package dynamics

// stage is an entry of the tables that drive a step (stepStages) and a substep (substepStages): one function,
// and the conditions around it. The order of a table is valid when each stage finds what it needs; a test
// holds the tables to that, and to every stage standing where no neighbour could change places with it.
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
