package medium

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestThePressureUnderWaterIsTheWeightOfWhatIsAbove(t *testing.T) {
	down := math.Inf(-1)
	sea := []scene.Layer{{From: down, Density: 1000}, {From: 0, Density: 1.2}}
	two := []scene.Layer{{From: down, Density: 1030}, {From: -4, Density: 1000}, {From: 0, Density: 1}}
	for name, c := range map[string]struct {
		layers                []scene.Layer
		height, origin        float64
		pascal, depth, within float64
	}{
		"in the air, no water":  {nil, 0, 400, 96611, 0, 5}, // ISO 2533, at 400 m
		"in the air over water": {sea, 400, 0, 96611, 0, 5},
		"ten metres down":       {sea, -10, 0, 101325 + 98100, 10, 1e-6},
		"a surface at 2 m": {[]scene.Layer{{From: down, Density: 1025}, {From: 2, Density: 0}}, 1, 0,
			101301 + 1025*9.81, 1, 1},
		"two layers of water":    {two, -6, 0, 101325 + 9.81*(4*1000+2*1030), 6, 1e-6},
		"water without an end":   {sea[:1], -3, 0, 101325 + 3*9810, 3, 1e-6},
		"above endless water":    {sea[:1], 400, 0, 96611, 0, 5},
		"air as a uniform fluid": {[]scene.Layer{{From: down, Density: 1.2}}, -3, 403, 96611, 0, 5},
	} {
		m := New(&scene.WorldSpec{Medium: scene.Medium{Layers: c.layers}}, 1)
		pascal, depth := m.Pressure(r3.V(0, 0, c.height), 0, c.origin, 9.81)
		if math.Abs(pascal-c.pascal) > c.within || math.Abs(depth-c.depth) > 1e-9 {
			t.Errorf("%s: %.3f Pa and %g m deep, want %.3f and %g", name, pascal, depth, c.pascal, c.depth)
		}
	}
}
