package record

import (
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// greens counts the green pixels of a picture of the ball that lies low.
func greens(w *engine.World) (n int) {
	s := w.Snapshot()
	i, _ := s.Find("low")
	c := render.Camera{Lens: render.LensOf(64, 48, 1), Near: 0.1, Far: 100,
		Pose: r3.Pose{Pos: s.Entities[i].Pose.Pos.Add(r3.V(-3, 0, 0)), Rot: r3.Identity()}}
	var r render.Renderer
	var m render.Image
	r.Render(sim.NewStage(s.Model, s.Lamps), s.Poses(nil), &c, render.Colours, &m)
	for i := 0; i < len(m.RGB); i += 3 {
		if m.RGB[i+1] > 200 && m.RGB[i] < 200 {
			n++
		}
	}
	return n
}

// TestLampsOfARecordingAreLitWhenItIsPlayed: where the commands are done again, and where a state is taken up
// that lies behind them.
func TestLampsOfARecordingAreLitWhenItIsPlayed(t *testing.T) {
	light := func(g float32) sim.SetLamps {
		return sim.SetLamps{Name: "low", Lamps: []sim.LampGlow{{Glow: scene.Glow{0, g, 0}}}}
	}
	text := stepped(t, 40, map[int]sim.Command{3: light(1), 38: light(0)})
	for _, c := range []struct {
		from, until time.Duration
		lit         bool
		leaps       bool
	}{{0, 2 * time.Second, false, false}, {0, 5 * time.Second, true, false},
		{30 * time.Second, 32 * time.Second, true, true}, {30 * time.Second, 40 * time.Second, false, true}} {
		did, w := played(t, text, c.from, c.until)
		if n := greens(w); (n > 20) != c.lit {
			t.Errorf("from %v until %v: %d green pixels; lit: %v", c.from, c.until, n, c.lit)
		}
		if (did.Leapt > 0) != c.leaps {
			t.Errorf("from %v: %d steps were not done", c.from, did.Leapt)
		}
	}
}
