package robot

import (
	"testing"

	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

func TestShowingAPictureAllocatesNothing(t *testing.T) {
	lib := rostest.Library(files)
	e, err1 := engine.New(engine.Config{Library: lib})
	w, err2 := engine.NewWorld(engine.Options{})
	n, err3 := node.New(node.Config{Name: "simdeck", Transport: netsim.New(1).Host("simdeck")})
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	load := sim.LoadWorld{Resource: scene.Resource{URI: "world://@cache@/room"}}
	begin := sim.BeginLoad{Resource: load.Resource}
	for _, c := range []sim.Command{begin, load, sim.SetState{State: sim.Playing}} {
		if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := New(n, e)
	if err != nil {
		t.Fatal(err)
	}
	const warm, counted = 50, 500
	pictures := make([]*sim.Snapshot, warm+counted+1)
	for i := range pictures {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		pictures[i] = w.Snapshot()
		pictures[i].Seq = uint64(i + 1)
	}
	for i := range warm {
		f.publishWorld(pictures[i])
	}
	next := warm
	frames := 0
	if allocs := testing.AllocsPerRun(counted, func() {
		f.publishWorld(pictures[next])
		frames += len(f.frames.Transforms)
		next++
	}); allocs != 0 {
		t.Errorf("a picture of a robot costs %g allocations before anything is sent", allocs)
	}
	if frames == 0 {
		t.Error("nothing was shown: the test proves nothing")
	}
}
