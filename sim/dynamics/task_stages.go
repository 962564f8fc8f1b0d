package dynamics

// taskStage is something that many things need in a step, in any order and at the same time. It is computed
// in parts.
type taskStage uint8

const (
	stagePairs               taskStage = iota // look around the geoms that have moved
	stageCollide                              // the manifolds of the active contacts
	stageLoadBodies                           // lay out the bodies
	stageBuildContacts                        // lay out the contacts
	stageIntegrateVelocities                  // of bodies, by a substep
	stageWarmStart                            // contacts of one colour: what they did in the substep before
	stageSolveBias                            // contacts of one colour
	stageRelax                                // likewise, without pushing overlaps apart
	stageIntegratePositions                   // of bodies, by a substep
	stageStoreImpulses                        // what contacts remember
	stageFinish                               // bodies and geoms
)

// How much of a stage is worth the while of others.
const (
	geomsPerPart        = 32
	contactsPerPart     = 128
	bodiesPerPart       = 256
	batchesPerPart      = 32
	colorBatchesPerPart = 16
)

// runStagePart is a part of a stage; at is the colour, where there is one.
func (w *World) runStagePart(s taskStage, at int32, p taskPart) {
	v := &w.solver
	switch s {
	case stagePairs:
		first, end := p.rangeOf(len(w.moved))
		w.findPairsOf(&w.scratch[p.i], w.moved[first:end])
	case stageCollide:
		first, end := p.rangeOf(len(w.active))
		w.collideContacts(&w.scratch[p.i], w.active[first:end])
	case stageLoadBodies:
		first, end := p.rangeOf(len(w.awake))
		for i := first; i < end; i++ {
			w.loadBody(1+i, w.awake[i])
		}
	case stageBuildContacts:
		first, end := p.rangeOf(len(v.batches))
		w.buildContactBatches(&w.scratch[p.i], first, end)
	case stageIntegrateVelocities:
		v.integrateVelocities(p.subrange(v.allStates()))
	case stageWarmStart:
		v.warmStartBatches(p.subrange(v.coloring.colors[at]))
	case stageSolveBias:
		first, end := p.subrange(v.coloring.colors[at])
		v.solveBatches(first, end, &v.biasIteration)
	case stageRelax:
		first, end := p.subrange(v.coloring.colors[at])
		v.solveBatches(first, end, &v.relaxIteration)
	case stageIntegratePositions:
		w.integratePositions(p.subrange(v.allStates()))
	case stageStoreImpulses:
		w.storeImpulses(p.rangeOf(len(v.batches)))
	case stageFinish:
		first, end := p.subrange(v.allStates())
		w.finishBodies(&w.scratch[p.i], first, end)
	}
}

// workerScratch is what a part of a stage writes to. Desks are cleared up in their order, so that nothing depends on
// how many there are.
type workerScratch struct {
	narrow           narrowScratch
	near             []int32
	touching         []int32           // contacts
	pairsFound       []uint64          // pairs
	deadContacts     bool              // contacts are
	newManifolds     []manifold        // of contacts that own none yet
	pendingManifolds []pendingManifold // of these
	contactExtras
	escaped     []int32       // geoms that have left their fat boxes
	fastBodies  []motionSweep // of fast bodies
	fastJointed []motionSweep // of those on joints
	lostBody    int32         // the last body that left the finite numbers; -1: none
}

// pendingManifold is a contact whose manifolds are to be moved in.
type pendingManifold struct{ contact, count int32 }

// runStage computes a stage in as many parts as there is work for, at clean desks.
func (w *World) runStage(s taskStage, work, each int) {
	parts := w.cfg.Workers.parts(work, each)
	for len(w.scratch) < int(parts) {
		w.scratch = append(w.scratch, workerScratch{})
	}
	for i := range w.scratch {
		d := &w.scratch[i]
		d.touching = d.touching[:0]
		d.pairsFound, d.deadContacts, d.newManifolds, d.pendingManifolds = d.pairsFound[:0], false, d.newManifolds[:0], d.pendingManifolds[:0]
		d.contactExtras.clear()
		d.escaped, d.lostBody = d.escaped[:0], -1
		d.fastBodies, d.fastJointed = d.fastBodies[:0], d.fastJointed[:0]
	}
	w.cfg.Workers.run(w, s, 0, parts)
}

// runColors computes a stage for one colour after the other.
func (w *World) runColors(s taskStage) {
	for i, c := range w.solver.coloring.colors {
		w.cfg.Workers.run(w, s, int32(i), w.cfg.Workers.partsOfIteration(int(c.end-c.first), colorBatchesPerPart))
	}
}

// runBodyStage computes a stage for the bodies that take part in the step.
func (w *World) runBodyStage(s taskStage) {
	w.cfg.Workers.run(w, s, 0, w.cfg.Workers.partsOfIteration(len(w.solver.states), bodiesPerPart))
}
