package engine_test

import (
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
)

// BenchmarkWorldStep measures a step of each shipped world on one core, with all robots turning on the spot
// and all sensors measuring. The clouds of bench cost most of it.
func BenchmarkWorldStep(b *testing.B) {
	for _, name := range worldNames(b) {
		b.Run(name, func(b *testing.B) {
			w := open(b, name)
			for _, e := range w.Snapshot().Model.Entities {
				for i := range e.Spec.Drives {
					do(b, w, sim.DriveEntity{Name: e.Name, Drive: i,
						Twist: r3.Twist{Angular: r3.V(0, 0, 0.5)}})
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Step(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
