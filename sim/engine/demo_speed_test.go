package engine_test

import (
	"fmt"
	"syscall"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
)

// TestEveryWorldIsFasterThanRealTimeOnOneCore turns all robots on the spot while all sensors measure within
// the step, and counts CPU time, not wall time.
func TestEveryWorldIsFasterThanRealTimeOnOneCore(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for _, name := range worldNames(t) {
		w := open(t, name)
		robots, sensors := 0, 0
		for _, e := range w.Snapshot().Model.Entities {
			sensors += len(e.Sensors)
			for k := range e.Spec.Drives {
				robots++
				do(t, w, sim.DriveEntity{Name: e.Name, Drive: k,
					Twist: r3.Twist{Linear: r3.V(0.3, 0, 0), Angular: r3.V(0, 0, 0.5)}})
			}
		}
		steps := int(1 / w.StepSize().Seconds())
		start := processor(t)
		for range steps {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
		}
		factor := 1 / (processor(t) - start)
		t.Log(fmt.Sprintf("%-10s %3d robots, %3d sensors: %6.1f times real time, %.3f ms per step of %v",
			name, robots, sensors, factor, 1e3/factor/float64(steps), w.StepSize()))
		if factor < 1 {
			t.Errorf("%s runs at %.2f of real time on one core", name, factor)
		}
	}
}

// processor is the time that this process has had of all cores, in seconds.
func processor(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
