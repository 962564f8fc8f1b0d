package physics

// stage is something that many things need in a step, in any order and at the same time. It is computed
// in parts.
type stage uint8

const (
	stagePairs      stage = iota // look around the geoms that have moved
	stageCollide                 // the manifolds of the active contacts
	stageEnlist                  // lay out the bodies
	stageFill                    // lay out the contacts
	stageAccelerate              // of bodies, by a substep
	stageWarm                    // contacts of one colour: what they did in the substep before
	stagePush                    // contacts of one colour
	stageRelax                   // likewise, without pushing overlaps apart
	stageAdvance                 // of bodies, by a substep
	stageKeep                    // what contacts remember
	stageFinish                  // bodies and geoms
)

// How much of a stage is worth the while of others.
const (
	geomsEach    = 32
	contactsEach = 128
	bodiesEach   = 256
	batchesEach  = 32
	colourEach   = 16
)

// compute is a part of a stage; at is the colour, where there is one.
func (w *World) compute(s stage, at int32, p part) {
	v := &w.solver
	switch s {
	case stagePairs:
		first, end := p.of(len(w.moved))
		w.lookAround(&w.desks[p.i], w.moved[first:end])
	case stageCollide:
		first, end := p.of(len(w.active))
		w.collideSome(&w.desks[p.i], w.active[first:end])
	case stageEnlist:
		first, end := p.of(len(w.awake))
		for i := first; i < end; i++ {
			w.enlistAt(1+i, w.awake[i])
		}
	case stageFill:
		first, end := p.of(len(v.batches))
		w.fillBatches(&w.desks[p.i], first, end)
	case stageAccelerate:
		v.accelerate(p.share(v.all()))
	case stageWarm:
		v.warmBatches(p.share(v.colouring.spans[at]))
	case stagePush:
		first, end := p.share(v.colouring.spans[at])
		v.solveBatches(first, end, &v.pushing)
	case stageRelax:
		first, end := p.share(v.colouring.spans[at])
		v.solveBatches(first, end, &v.relaxing)
	case stageAdvance:
		w.advance(p.share(v.all()))
	case stageKeep:
		w.keepImpulses(p.of(len(v.batches)))
	case stageFinish:
		first, end := p.share(v.all())
		w.finishBodies(&w.desks[p.i], first, end)
	}
}

// desk is what a part of a stage writes to. Desks are cleared up in their order, so that nothing depends on
// how many there are.
type desk struct {
	narrow   narrowScratch
	near     []int32
	touching []int32    // contacts
	found    []uint64   // pairs
	dead     bool       // contacts are
	fresh    []manifold // of contacts that own none yet
	homes    []home     // of these
	extras
	escaped []int32 // geoms that have left their fat boxes
	sweeps  []sweep // of fast bodies
	tied    []sweep // of those on joints
	lost    int32   // the last body that left the finite numbers; -1: none
}

// home is a contact whose manifolds are to be moved in.
type home struct{ contact, count int32 }

// together computes a stage in as many parts as there is work for, at clean desks.
func (w *World) together(s stage, work, each int) {
	parts := w.cfg.Crew.parts(work, each)
	for len(w.desks) < int(parts) {
		w.desks = append(w.desks, desk{})
	}
	for i := range w.desks {
		d := &w.desks[i]
		d.touching = d.touching[:0]
		d.found, d.dead, d.fresh, d.homes = d.found[:0], false, d.fresh[:0], d.homes[:0]
		d.extras.clear()
		d.escaped, d.lost = d.escaped[:0], -1
		d.sweeps, d.tied = d.sweeps[:0], d.tied[:0]
	}
	w.cfg.Crew.run(w, s, 0, parts)
}

// colours computes a stage for one colour after the other.
func (w *World) colours(s stage) {
	for i, c := range w.solver.colouring.spans {
		w.cfg.Crew.run(w, s, int32(i), w.cfg.Crew.partsOfPass(int(c.end-c.first), colourEach))
	}
}

// allBodies computes a stage for the bodies that take part in the step.
func (w *World) allBodies(s stage) {
	w.cfg.Crew.run(w, s, 0, w.cfg.Crew.partsOfPass(len(w.solver.moving), bodiesEach))
}
