package ui_test

import (
	"testing"

	"simdeck/sim"
	"simdeck/ui/uitest"
)

func TestAWorldWithoutKeyframesSaysSo(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("sim.keyframe")
		d.Shows("the world's file has no keyframes")
	})
}

func TestAWorldBeginsAnewAtTheKeyframeThatIsChosen(t *testing.T) {
	uitest.Open(t, uitest.Poser(), 120, 40, shipped(t), nil, func(d *uitest.Driver) {
		d.Press("sim.keyframe")
		d.Shows("Begin at a keyframe", "home", "the world began so", "arms up")
		d.Type("arms")
		d.Press("dialog.accept")
		sends(d, sim.LoadWorld{Resource: sim.Resource{URI: "/r/poser.xml?keyframe=arms+up"},
			IgnoreMissingAssets: true})
	})
}
