package physics

import "slices"

// trial finds out, now and then, whether a crew is faster with a world than its caller alone: small worlds, and machines
// that are busy with other things, are not worth the calling. It decides who computes, and so shows in no result.
type trial struct {
	steps int // since the last one began
	work  int // contacts that touched then
	began int64
	alone bool // the caller computes alone
	took  [2][trialSteps]int64
}

const (
	// trialSteps are computed by the caller alone, and as many by all, every trialEvery steps: half of the lonely
	// ones before and half after the others, in case steps become longer or shorter meanwhile.
	trialSteps = 8
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
	if i := t.steps; i < 2*trialSteps {
		t.alone = i < trialSteps/2 || i >= trialSteps/2+trialSteps
		t.began = clock()
	}
}

// changed reports that there is twice or half the work of when it was tried.
func (t *trial) changed(work int) bool {
	least, most := min(work, t.work), max(work, t.work)
	return most > trialLeast && most >= 2*least
}

// end ends a step, and the trial after its last one.
func (t *trial) end(clock func() int64) {
	i := t.steps
	t.steps++
	switch {
	case i >= 2*trialSteps:
		return
	case t.alone:
		t.took[0][(i+trialSteps/2)%trialSteps] = clock() - t.began
	default:
		t.took[1][i-trialSteps/2] = clock() - t.began
	}
	if i == 2*trialSteps-1 {
		slices.Sort(t.took[0][:])
		slices.Sort(t.took[1][:])
		t.alone = t.took[0][trialSteps/2] <= t.took[1][trialSteps/2]
	}
}
