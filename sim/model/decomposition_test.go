package model

import (
	"reflect"
	"runtime"
	"testing"

	"simdeck/sim/scenetest"
)

func TestMeshesAreCutIntoTheSameHullsOnAnyNumberOfProcessors(t *testing.T) {
	var first *Model
	for _, n := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(n)
		p, err := Compile(scenetest.Frames(6), false)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Bodies) != 6 || len(p.Bodies[5].Geoms) != 12 {
			t.Fatalf("%d bodies, want 6 of 12 hulls", len(p.Bodies))
		}
		if first == nil {
			first = p
		}
		for i := range p.Bodies {
			if !reflect.DeepEqual(p.Bodies[i].Geoms, first.Bodies[i].Geoms) {
				t.Errorf("on %d processors body %d has other hulls than on one", n, i)
			}
		}
	}
}
