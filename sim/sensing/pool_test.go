package sensing

import (
	"runtime"
	"testing"
)

func TestTheSensorPoolLeavesAProcessorToTheLoop(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for procs, want := range map[int]int{1: 1, 2: 1, 3: 2, 5: 4, 64: 4} {
		runtime.GOMAXPROCS(procs)
		if got := WorkerCount(); got != want {
			t.Errorf("%d goroutines for %d processors, want %d", got, procs, want)
		}
	}
}
