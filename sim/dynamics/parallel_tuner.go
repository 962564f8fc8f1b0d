package dynamics

import "slices"

// parallelMode says which parts of a step are split among workers.
type parallelMode uint8

const (
	parallelAll parallelMode = iota // every task in parts
	// iterations over contacts and bodies by the caller alone, the rest in parts
	parallelExceptSolver
	serial // every task by the caller
	parallelModeCount
)

// parallelTuner measures now and then which mode is the fastest for a world. Small worlds and busy machines
// do not repay the synchronisation; and between distant processors, cache lines of bodies that two of them
// push travel to and fro. The mode shows in no result.
type parallelTuner struct {
	steps int // since the last measurement began
	work  int // touching contacts then
	began int64
	mode  parallelMode
	times [parallelModeCount][tunerStepsPerMode]int64
}

const (
	// tunerStepsPerMode steps run in each mode, every tunerInterval steps: half of them before those of the
	// other modes and half after, in the opposite order, in case steps become longer or shorter meanwhile.
	tunerStepsPerMode = 8
	tunerWindow       = int(parallelModeCount) * tunerStepsPerMode
	tunerInterval     = 512
	// tunerMinInterval is the number of steps after which changed work is measured again: falling bodies have
	// become a heap.
	tunerMinInterval = 64
	// tunerMinContacts is the work, in contacts, below which changes do not matter.
	tunerMinContacts = 64
)

// begin begins a step of a world with so many touching contacts; the clock is in ns.
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

// modeOfStep is the mode of a step of a measurement, and its number among those of the mode.
func modeOfStep(step int) (parallelMode, int) {
	const half = tunerStepsPerMode / 2
	w, i := step/half, step%half
	if w >= int(parallelModeCount) {
		w, i = 2*int(parallelModeCount)-1-w, half+i
	}
	return parallelModeCount - 1 - parallelMode(w), i
}

// workChanged reports twice or half the work of the last measurement.
func (t *parallelTuner) workChanged(work int) bool {
	least, most := min(work, t.work), max(work, t.work)
	return most > tunerMinContacts && most >= 2*least
}

// end ends a step, and the measurement after its last one.
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
	for w := parallelModeCount; w > 0; w-- { // the fewer workers the better, where they are as fast
		if t.times[w-1][tunerStepsPerMode/2] < t.times[t.mode][tunerStepsPerMode/2] {
			t.mode = w - 1
		}
	}
}
