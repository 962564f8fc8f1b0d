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
