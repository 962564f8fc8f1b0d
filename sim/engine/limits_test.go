package engine

import (
	"errors"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestLimitsAreReadAsTheyAreWritten(t *testing.T) {
	l, err := sim.ParseLimits(sim.DefaultLimits(), strings.Split(sim.DefaultLimits().String(), ","))
	if err != nil || l != sim.DefaultLimits() {
		t.Errorf("%v, %v", l, err)
	}
	if l, err = sim.ParseLimits(sim.DefaultLimits(), []string{"overlaps=0", " loop = 7"}); err != nil ||
		l.Overlaps != 0 || l.Loop != 7 || l.Links != sim.DefaultLimits().Links {
		t.Errorf("%v, %v", l, err)
	}
	for _, word := range []string{"", "loop", "loop=", "loop=-1", "loop=1.5", "loop=99999999999", "loops=3",
		"=3"} {
		if _, err := sim.ParseLimits(sim.DefaultLimits(), []string{word}); !errors.Is(err,
			sim.ErrUnsupported) ||
			!strings.Contains(err.Error(), "overlaps=64") {
			t.Errorf("%q: %v", word, err)
		}
	}
}

func TestCheckingAWorldOrAModelFindsWhatLoadingItWould(t *testing.T) {
	lib := scenetest.NewLibrary()
	lib.WorldSpecs["hostile"] = alike(300, scenetest.Ball(), row(0, 1))
	if err := CheckWorld(sim.DefaultLimits(), lib, sim.Resource{URI: "hostile"}); !errors.Is(err,
		sim.ErrLimit) {
		t.Errorf("300 in one place: %v", err)
	}
	for _, uri := range []string{"yard", "nowhere", "torn"} { // other errors belong to other tests
		if err := CheckWorld(sim.DefaultLimits(), lib, sim.Resource{URI: uri}); err != nil {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if err := CheckWorld(sim.Limits{}, lib, sim.Resource{URI: "hostile"}); err != nil {
		t.Errorf("without limits: %v", err)
	}
	if err := CheckModel(sim.DefaultLimits(),
		links(101, scene.Revolute, true, 1).Models[1].Model); !errors.Is(err,
		sim.ErrLimit) {
		t.Errorf("a ring of 101: %v", err)
	}
}
