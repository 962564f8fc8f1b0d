package dynamics

// taskStage is a task over many items of a step, which are independent of each other and are computed in
// parts.
type taskStage uint8

const (
	stagePairs               taskStage = iota // pairs of geoms that have moved
	stageCollide                              // manifolds of active contacts
	stageLoadBodies                           // load bodies
	stageBuildContacts                        // build contact rows
	stageIntegrateVelocities                  // of bodies, by a substep
	stageWarmStart                            // contacts of one colour
	stageSolveBias                            // contacts of one colour
	stageRelax                                // contacts of one colour, without bias
	stageIntegratePositions                   // of bodies, by a substep
	stageStoreImpulses                        // impulses of contacts
	stageFinish                               // write bodies, move their geoms
)

// The least work that is worth a part of a task.
const (
	geomsPerPart        = 32
	contactsPerPart     = 128
	bodiesPerPart       = 256
	batchesPerPart      = 32
	colorBatchesPerPart = 16
)

// runStagePart computes a part of a task; at is the colour, where there is one.
func (w *World) runStagePart(s taskStage, at int32, p taskPart) {
	v := &w.solver
	switch s {
	case stagePairs:
		first, end := p.rangeOf(len(w.geoms.moved))
		w.geoms.findPairsOf(&w.bodies, &w.joints, &w.scratch[p.i], w.geoms.moved[first:end])
	case stageCollide:
		first, end := p.rangeOf(len(w.active.contacts))
		n := narrowphaseOf(w)
		n.run(&w.scratch[p.i], w.active.contacts[first:end])
	case stageLoadBodies:
		first, end := p.rangeOf(len(w.active.bodies))
		for i := first; i < end; i++ {
			v.load(&w.bodies, w.cfg.Gravity, v.h, 1+i, w.active.bodies[i])
		}
	case stageBuildContacts:
		first, end := p.rangeOf(len(v.batches))
		cb := contactBuilderOf(w)
		cb.build(&w.scratch[p.i], first, end)
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
		first, end := p.subrange(v.allStates())
		v.integratePositions(&w.bodies, v.h, first, end)
	case stageStoreImpulses:
		cb := contactBuilderOf(w)
		cb.storeImpulses(p.rangeOf(len(v.batches)))
	case stageFinish:
		first, end := p.subrange(v.allStates())
		finishBodies(w, &w.scratch[p.i], first, end)
	}
}

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
	escaped     []int32       // geoms that have left their fat boxes
	fastBodies  []motionSweep // of fast bodies
	fastJointed []motionSweep // of those on joints
	lostBody    int32         // the last body that left the finite numbers; -1: none
}

// pendingManifold is a contact whose new manifolds wait for a block.
type pendingManifold struct{ contact, count int32 }

// runStage computes a task in as many parts as there is work for, with cleared outputs.
func (w *World) runStage(s taskStage, work, each int) {
	parts := w.cfg.Workers.parts(work, each)
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
	w.cfg.Workers.run(w, s, 0, parts)
}

// runColors computes a task for one colour after the other.
func (w *World) runColors(s taskStage) {
	for i, c := range w.solver.coloring.colors {
		w.cfg.Workers.run(w, s, int32(i),
			w.cfg.Workers.partsOfIteration(int(c.end-c.first), colorBatchesPerPart))
	}
}

// runBodyStage computes a task for all bodies of the solver.
func (w *World) runBodyStage(s taskStage) {
	w.cfg.Workers.run(w, s, 0, w.cfg.Workers.partsOfIteration(len(w.solver.states), bodiesPerPart))
}
