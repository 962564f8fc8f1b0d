package physics

import "slices"

// way is who computes what of a step.
type way uint8

const (
	byAll  way = iota // everything in parts
	bySome            // the passes over contacts and bodies by the caller alone, the rest in parts
	byOne             // everything by the caller
	ways
)

// trial finds out, now and then, which way is the fastest with a world: small worlds, and machines that are busy with other
// things, are not worth the calling; and where the processors are far from each other, bodies that two of them push in turn
// travel to and fro all the time. It decides who computes, and so shows in no result.
type trial struct {
	steps int // since the last one began
	work  int // contacts that touched then
	began int64
	way   way
	took  [ways][trialSteps]int64
}

const (
	// trialSteps are computed each way, every trialEvery steps: half of them before those of the other ways and half after,
	// in the opposite order, in case steps become longer or shorter meanwhile.
	trialSteps = 8
	trialAll   = int(ways) * trialSteps
	trialEvery = 512
	// trialSoon is after how many steps the world may have changed so much that it is tried again: what fell when it
	// began has become a heap.
	trialSoon = 64
	// trialLeast is so little work, in contacts, that it does not matter how it changes.
	trialLeast = 64
)

// begin begins a step of a world in which so many contacts touch; the clock is in ns.
func (t *trial) begin(clock func() int64, work int) {
	if t.steps == trialEvery || t.steps >= trialSoon && t.changed(work) {
		t.steps = 0
	}
	if t.steps == 0 {
		t.work = work
	}
	if t.steps < trialAll {
		t.way, _ = triedIn(t.steps)
		t.began = clock()
	}
}

// triedIn is which way a step of the trial is computed, and its number among those.
func triedIn(step int) (way, int) {
	const half = trialSteps / 2
	w, i := step/half, step%half
	if w >= int(ways) {
		w, i = 2*int(ways)-1-w, half+i
	}
	return ways - 1 - way(w), i
}

// changed reports that there is twice or half the work of when it was tried.
func (t *trial) changed(work int) bool {
	least, most := min(work, t.work), max(work, t.work)
	return most > trialLeast && most >= 2*least
}

// end ends a step, and the trial after its last one.
func (t *trial) end(clock func() int64) {
	step := t.steps
	t.steps++
	if step >= trialAll {
		return
	}
	w, i := triedIn(step)
	t.took[w][i] = clock() - t.began
	if step < trialAll-1 {
		return
	}
	for w := range t.took {
		slices.Sort(t.took[w][:])
	}
	for w := ways; w > 0; w-- { // the fewer hands the better, where they are as fast
		if t.took[w-1][trialSteps/2] < t.took[t.way][trialSteps/2] {
			t.way = w - 1
		}
	}
}
