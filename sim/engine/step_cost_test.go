package engine

import (
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/scenetest"
)

func TestAStepThatTakesSecondsIsToldNowAndThen(t *testing.T) {
	e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"}})
	if err != nil {
		t.Fatal(err)
	}
	warned := func() (n int) {
		for _, v := range e.world.Snapshot().Events {
			if v.Level == sim.Warn && strings.Contains(v.Text, "a step took 2.5s") {
				n++
			}
		}
		return n
	}
	now := time.Unix(1e9, 0)
	for range 100 {
		e.tellSlow(now, 900*time.Millisecond)
	}
	if n := warned(); n != 0 {
		t.Errorf("%d warnings of short steps", n)
	}
	for range 9 {
		e.tellSlow(now, 2500*time.Millisecond)
		now = now.Add(2500 * time.Millisecond)
	}
	if n := warned(); n != 3 {
		t.Errorf("%d warnings in 22 s, want one each 10 s", n)
	}
}
