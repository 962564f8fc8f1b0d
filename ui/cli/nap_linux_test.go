package cli

import (
	"slices"
	"testing"
	"time"
)

func TestANapIsShorterThanAMillisecond(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	nap := NewNap()
	var all []time.Duration
	for range 101 {
		began := time.Now()
		nap(300 * time.Microsecond)
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	if all[0] < 300*time.Microsecond || all[50] > 800*time.Microsecond {
		t.Errorf("naps of 0.3 ms last %v to %v, half of them more than %v", all[0], all[100], all[50])
	}
}
