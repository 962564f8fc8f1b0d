package cli

import (
	"strings"
	"testing"
	"time"

	"simdeck/sim"
)

func TestOnlyLoadingThatTakesLongIsToldAndNotTooOften(t *testing.T) {
	var out strings.Builder
	told := NewProgress(&out)
	start := time.Now()
	at := func(ms int, c sim.Decomposition) { told.at(start.Add(time.Duration(ms)*time.Millisecond), c) }
	for k := range 10 { // half a second in all
		at(50*k, sim.Decomposition{Done: k, Of: 10, Mesh: "quick.stl"})
	}
	at(500, sim.Decomposition{})
	for k := range 30 {
		at(10_000+100*k, sim.Decomposition{Done: k, Of: 30, Mesh: "hip.stl"})
	}
	at(13_000, sim.Decomposition{})
	at(20_000, sim.Decomposition{Done: 0, Of: 2, Mesh: "next.stl"})
	want := "simdeck: convex hulls: 10 of 30 meshes are done, at hip.stl\nsimdeck: convex hulls: 20 of 30 meshes are done, at hip.stl\n"
	if out.String() != want {
		t.Errorf("it says %q, want %q", out.String(), want)
	}
	told.Stop()
	at(22_000, sim.Decomposition{Done: 1, Of: 2, Mesh: "next.stl"})
	if out.String() != want {
		t.Errorf("after Stop it says %q", out.String())
	}
}
