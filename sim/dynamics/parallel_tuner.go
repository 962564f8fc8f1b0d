package dynamics

import "slices"

// parallelMode is who computes what of a step.
type parallelMode uint8

const (
	parallelAll          parallelMode = iota // everything in parts
	parallelExceptSolver                     // the passes over contacts and bodies by the caller alone, the rest in parts
	serial                                   // everything by the caller
	parallelModeCount
)

// parallelTuner finds out, now and then, which way is the fastest with a world: small worlds, and machines that are busy with other
// things, are not worth the calling; and where the processors are far from each other, bodies that two of them push in turn
// travel to and fro all the time. It decides who computes, and so shows in no result.
type parallelTuner struct {
	steps int // since the last one began
	work  int // contacts that touched then
	began int64
	mode  parallelMode
	times [parallelModeCount][tunerStepsPerMode]int64
}

const (
	// tunerStepsPerMode are computed each way, every tunerInterval steps: half of them before those of the other ways and half after,
	// in the opposite order, in case steps become longer or shorter meanwhile.
	tunerStepsPerMode = 8
	tunerWindow       = int(parallelModeCount) * tunerStepsPerMode
	tunerInterval     = 512
	// tunerMinInterval is after how many steps the world may have changed so much that it is tried again: what fell when it
	// began has become a heap.
	tunerMinInterval = 64
	// tunerMinContacts is so little work, in contacts, that it does not matter how it changes.
	tunerMinContacts = 64
)

// begin begins a step of a world in which so many contacts touch; the clock is in ns.
func (t *parallelTuner) begin(clock func() int64, work int) {
	if t.steps == tunerInterval || t.steps >= tunerMinInterval && t.workChanged(work) {
		t.steps = 0
	}
	if t.steps == 0 {
		t.work = work
	}
	if t.steps < tunerWindow {
		t.mode, _ = modeOfStep(t.steps)
		t.began = clock()
	}
}

// modeOfStep is which way a step of the trial is computed, and its number among those.
func modeOfStep(step int) (parallelMode, int) {
	const half = tunerStepsPerMode / 2
	w, i := step/half, step%half
	if w >= int(parallelModeCount) {
		w, i = 2*int(parallelModeCount)-1-w, half+i
	}
	return parallelModeCount - 1 - parallelMode(w), i
}

// workChanged reports that there is twice or half the work of when it was tried.
func (t *parallelTuner) workChanged(work int) bool {
	least, most := min(work, t.work), max(work, t.work)
	return most > tunerMinContacts && most >= 2*least
}

// end ends a step, and the trial after its last one.
func (t *parallelTuner) end(clock func() int64) {
	step := t.steps
	t.steps++
	if step >= tunerWindow {
		return
	}
	w, i := modeOfStep(step)
	t.times[w][i] = clock() - t.began
	if step < tunerWindow-1 {
		return
	}
	for w := range t.times {
		slices.Sort(t.times[w][:])
	}
	for w := parallelModeCount; w > 0; w-- { // the fewer hands the better, where they are as fast
		if t.times[w-1][tunerStepsPerMode/2] < t.times[t.mode][tunerStepsPerMode/2] {
			t.mode = w - 1
		}
	}
}
