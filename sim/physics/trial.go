package physics

import "slices"

// trial finds out, now and then, whether a crew is faster than its caller alone: small worlds, and machines that are
// busy with other things, are not worth the calling. It decides who computes, and so shows in no result.
type trial struct {
	clock func() int64 // ns; nil: nothing is tried, the crew always works
	steps int          // so far
	began int64
	alone bool // the caller computes alone
	took  [2][trialSteps]int64
}

const (
	// trialSteps are computed by the caller alone, and as many by all, every trialEvery steps: half of the lonely
	// ones before and half after the others, in case steps become longer or shorter meanwhile.
	trialSteps = 8
	trialEvery = 512
)

// begin begins a step.
func (t *trial) begin() {
	if t.clock == nil {
		return
	}
	if i := t.steps % trialEvery; i < 2*trialSteps {
		t.alone = i < trialSteps/2 || i >= trialSteps/2+trialSteps
		t.began = t.clock()
	}
}

// end ends a step, and the trial after its last one.
func (t *trial) end() {
	if t.clock == nil {
		return
	}
	i := t.steps % trialEvery
	t.steps++
	switch {
	case i >= 2*trialSteps:
		return
	case t.alone:
		t.took[0][(i+trialSteps/2)%trialSteps] = t.clock() - t.began
	default:
		t.took[1][i-trialSteps/2] = t.clock() - t.began
	}
	if i == 2*trialSteps-1 {
		slices.Sort(t.took[0][:])
		slices.Sort(t.took[1][:])
		t.alone = t.took[0][trialSteps/2] <= t.took[1][trialSteps/2]
	}
}
