package model

import (
	"strings"
	"testing"

	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestTheLongestRingOfAModelIsFoundAndToldOf(t *testing.T) {
	ladder := scenetest.Chain(40, scene.Revolute, false, 1)
	for i := range 19 { // rungs between the two halves
		ladder.Joints = append(ladder.Joints,
			scene.Joint{Name: "rung", Kind: scene.Ball, Parent: i, Child: 39 - i,
				Pose: scenetest.At(0, 0, 0)})
	}
	for name, c := range map[string]struct {
		model *scene.ModelSpec
		loop  int
		note  string
	}{
		"a chain":         {scenetest.Chain(100, scene.Revolute, false, 1), 0, ""},
		"a long chain":    {scenetest.Chain(400, scene.Revolute, false, 1), 0, "399 joints hang together"},
		"a ring":          {scenetest.Chain(12, scene.Revolute, true, 1), 12, ""},
		"a long ring":     {scenetest.Chain(60, scene.Revolute, true, 1), 60, "a ring of 60 joints"},
		"a ladder":        {ladder, 0, ""},
		"a robot":         {scenetest.Rover(), 0, ""},
		"fixed to itself": {scenetest.Chain(3, scene.Fixed, true, 1), 0, ""},
	} {
		p, err := Compile(c.model, false)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name != "a ladder" && p.LongestLoop != c.loop || name == "a ladder" &&
			(p.LongestLoop < 4 || p.LongestLoop > 40) {
			t.Errorf("%s: a ring of %d, want %d", name, p.LongestLoop, c.loop)
		}
		told := ""
		for _, n := range p.Notes {
			if strings.Contains(n.Text, "ring of") || strings.Contains(n.Text, "hang together") {
				told += n.Text
			}
		}
		if (told == "") != (c.note == "") || !strings.Contains(told, c.note) {
			t.Errorf("%s: told %q, want %q", name, told, c.note)
		}
	}
}
