package sim

import (
	"errors"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

func TestLimitsAreReadAsTheyAreWritten(t *testing.T) {
	l, err := ParseLimits(DefaultLimits(), strings.Split(DefaultLimits().String(), ","))
	if err != nil || l != DefaultLimits() {
		t.Errorf("%v, %v", l, err)
	}
	if l, err = ParseLimits(DefaultLimits(), []string{"overlaps=0", " loop = 7"}); err != nil || l.Overlaps != 0 || l.Loop != 7 || l.Links != DefaultLimits().Links {
		t.Errorf("%v, %v", l, err)
	}
	for _, word := range []string{"", "loop", "loop=", "loop=-1", "loop=1.5", "loop=99999999999", "loops=3", "=3"} {
		if _, err := ParseLimits(DefaultLimits(), []string{word}); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "overlaps=64") {
			t.Errorf("%q: %v", word, err)
		}
	}
}

func TestTheLongestRingOfAModelIsFoundAndToldOf(t *testing.T) {
	ladder := links(40, scene.Revolute, false, 1).Models[1].Model
	for i := range 19 { // rungs between the two halves
		ladder.Joints = append(ladder.Joints, scene.Joint{Name: "rung", Kind: scene.Ball, Parent: i, Child: 39 - i, Pose: at(0, 0, 0)})
	}
	for name, c := range map[string]struct {
		model *scene.ModelSpec
		loop  int
		note  string
	}{
		"a chain":         {links(100, scene.Revolute, false, 1).Models[1].Model, 0, ""},
		"a long chain":    {links(400, scene.Revolute, false, 1).Models[1].Model, 0, "399 joints hang together"},
		"a ring":          {links(12, scene.Revolute, true, 1).Models[1].Model, 12, ""},
		"a long ring":     {links(60, scene.Revolute, true, 1).Models[1].Model, 60, "a ring of 60 joints"},
		"a ladder":        {ladder, 0, ""},
		"a robot":         {roverModel(), 0, ""},
		"fixed to itself": {links(3, scene.Fixed, true, 1).Models[1].Model, 0, ""},
	} {
		p, err := compileModel(c.model, false)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name != "a ladder" && p.loop != c.loop || name == "a ladder" && (p.loop < 4 || p.loop > 40) {
			t.Errorf("%s: a ring of %d, want %d", name, p.loop, c.loop)
		}
		told := ""
		for _, n := range p.notes {
			if strings.Contains(n.Text, "ring of") || strings.Contains(n.Text, "hang together") {
				told += n.Text
			}
		}
		if (told == "") != (c.note == "") || !strings.Contains(told, c.note) {
			t.Errorf("%s: told %q, want %q", name, told, c.note)
		}
	}
}

func TestCheckingAWorldOrAModelFindsWhatLoadingItWould(t *testing.T) {
	lib := newShelf()
	lib.worlds["hostile"] = alike(300, ballModel(), row(0, 1))
	if err := DefaultLimits().CheckWorld(lib, Resource{URI: "hostile"}); !errors.Is(err, ErrLimit) {
		t.Errorf("300 in one place: %v", err)
	}
	for _, uri := range []string{"yard", "nowhere", "torn"} { // what is wrong otherwise is for others to tell
		if err := DefaultLimits().CheckWorld(lib, Resource{URI: uri}); err != nil {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if err := (Limits{}).CheckWorld(lib, Resource{URI: "hostile"}); err != nil {
		t.Errorf("without limits: %v", err)
	}
	if err := DefaultLimits().CheckModel(links(301, scene.Revolute, true, 1).Models[1].Model); !errors.Is(err, ErrLimit) {
		t.Errorf("a ring of 301: %v", err)
	}
}
