package engine

import (
	"testing"
	"testing/synctest"

	"simdeck/sim/sensing"
)

func TestASensorPoolEndsWhateverItHasToDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which fails when a goroutine is left
		c := sensing.NewPool()
		c.Start(3)
		w := cloudYard(t)
		w.sensing.Submit = c.Submit
		for range 100 {
			_ = w.Step()
		}
		c.Stop()
		c.Submit(&sensing.Job{})
		w.drainSamples() // the loop finishes alone what the workers left
		if got := scanOf(t, w); got.Seq != 2 {
			t.Errorf("sample %d after 400 ms at 5 Hz, want the second", got.Seq)
		}
	})
}

func TestALateSampleIsLeftOutWhereARecordingAsksForThat(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		w, plain := cloudYard(t), cloudYard(t)
		w.sensing.LeaveOut = func() bool { return leaves }
		w.sensing.Submit = func(*sensing.Job) {} // nobody begins, as on a machine that is busy
		for range 200 {
			_, _ = w.Step(), plain.Step()
		}
		if late := w.sensing.Late(); (late > 0) != leaves || w.Hash() != plain.Hash() {
			t.Errorf("leaves out %t: %d are late; %016x, with all samples %016x", leaves, late, w.Hash(), plain.Hash())
		}
		w.drainSamples()
		if got := scanOf(t, w).Seq; leaves && got > 1 || !leaves && got < 3 {
			t.Errorf("leaves out %t: the newest sample is %d", leaves, got)
		}
	}
}
