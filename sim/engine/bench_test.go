package engine

import (
	"fmt"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

// pile is a world of n boxes on the ground, in towers of five.
func pile(t testing.TB, n int) *World {
	t.Helper()
	spec := &scene.WorldSpec{Name: "pile", Gravity: r3.V(0, 0, -9.81),
		Models: []scene.Placed{{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()}}}
	box := scenetest.Box(0.5)
	for i := range n {
		spec.Models = append(spec.Models, scene.Placed{Name: fmt.Sprintf("box_%04d", i), Model: box,
			Pose: at(float64(i/5%20), float64(i/100), 0.25+0.5*float64(i%5))})
	}
	w, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: sim.Resource{URI: "pile"}}
	if _, err := w.Apply(load, Load(&scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"pile": spec}},
		load)); err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.SetState{State: sim.Playing})
	return w
}

func TestAStepAllocatesNothing(t *testing.T) {
	for name, w := range map[string]*World{"yard": yard(t, sim.Playing), "boxes in contact": pile(t, 200)} {
		w.sensing.Wanted = sensing.Never
		apply(t, w, sim.SetPacing{RealTime: 1})
		steps(t, w, 100)
		if n := testing.AllocsPerRun(200, func() { _ = w.Step() }); n != 0 {
			t.Errorf("%s: %v allocations a step", name, n)
		}
	}
	w := yard(t, sim.Playing)
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.3, 0.3)})
	w.sensing.Wanted = sensing.Never
	steps(t, w, 100)
	if n := testing.AllocsPerRun(200, func() { _ = w.Step() }); n != 0 {
		t.Errorf("driving: %v allocations a step", n)
	}
}

func TestATowerStands(t *testing.T) {
	w := pile(t, 25)
	for range 50 {
		steps(t, w, 25)
	}
	s := w.Snapshot()
	for i := range s.Entities {
		start := w.entities.list[i].initialPose.Pos
		if d := s.Entities[i].Pose.Pos.Dist(start); d > 0.02 {
			t.Errorf("%s moved by %v m", s.Model.Entities[i].Name, d)
		}
	}
}

func BenchmarkStep1000BoxesAwake(b *testing.B) {
	w := pile(b, 1000)
	for range 20 {
		_ = w.Step()
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if i++; i%50 == 0 { // before they fall asleep
			b.StopTimer()
			for _, e := range w.entities.list {
				e.wake(w.physics)
			}
			b.StartTimer()
		}
		_ = w.Step()
	}
}

func BenchmarkStep1000BoxesAtRest(b *testing.B) {
	w := pile(b, 1000)
	for range 1000 {
		_ = w.Step()
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = w.Step()
	}
}

func BenchmarkSnapshot1000Boxes(b *testing.B) {
	w := pile(b, 1000)
	for range 50 {
		_ = w.Step()
	}
	b.ReportAllocs()
	for b.Loop() {
		w.snapshots.motionStep++
		w.Snapshot()
	}
}

func BenchmarkHash1000Boxes(b *testing.B) {
	w := pile(b, 1000)
	for b.Loop() {
		w.Hash()
	}
}

func BenchmarkDo(b *testing.B) {
	e := running(b, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing})
	c := sim.DriveEntity{Name: "rover", Twist: twist(0.1, 0)}
	for b.Loop() {
		if _, err := e.Do(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}
