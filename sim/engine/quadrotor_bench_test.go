package engine_test

import (
	"fmt"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// BenchmarkAHundredQuadrotors steps a hundred that hover, by 4 ms each time; × is the real-time factor.
func BenchmarkAHundredQuadrotors(b *testing.B) {
	models := ""
	for i := range 100 {
		models += quadrotor(fmt.Sprint("q", i), fmt.Sprintf("%d %d 10 0 0 0", i%10*2, i/10*2))
	}
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	load := sim.LoadWorld{Resource: scene.Resource{Document: `<sdf version="1.9"><world name="w"><physics type="p"><max_step_size>0.004</max_step_size></physics><gravity>0 0 -9.81</gravity>` +
		models + `</world></sdf>`}}
	commands := []sim.Command{load, sim.SetState{State: sim.Playing}}
	for i := range 100 {
		h := hoverSpeed
		commands = append(commands, rotors(fmt.Sprint("q", i), [4]float64{h, h, h, h}))
	}
	for _, c := range commands {
		if _, err := w.Apply(c, engine.Load(shipped(), c)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if err := w.Step(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0.004*float64(b.N)/b.Elapsed().Seconds(), "×")
}
