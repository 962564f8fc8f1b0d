package engine

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

var (
	redGlow  = scene.Glow{1, 0, 0}
	stop     = scene.Glow{1, 0.08, 0.05} // the red lamp of a signal
	caution  = scene.Glow{1, 0.75, 0.05} // its yellow one
	blueGlow = scene.Glow{0, 0, 1}
)

// lamps is a library with a world of a box without lamps, one with two, and a traffic signal.
func lamps() *scenetest.Library {
	panel, signal := scenetest.Box(0.5), scenetest.Box(0.5)
	panel.Robot = &scene.ControlledRobot{Lamps: []scene.Lamp{{Name: "left"}, {Name: "right"}}}
	signal.Signal = &scene.Signal{Phases: []scene.Phase{
		{Name: "stop", Aspect: scene.RedLamp, Duration: time.Second},
		{Name: "both", Aspect: scene.RedLamp | scene.YellowLamp, Duration: time.Second}}}
	return &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": {Name: "w",
		Models: []scene.Placed{{Name: "a_box", Model: scenetest.Box(0.5), Pose: at(0, 0, 3)},
			{Name: "panel", Model: panel, Pose: at(0, 2, 3)},
			{Name: "signal", Model: signal, Pose: at(0, 4, 3), Deletable: true},
			{Name: "z_panel", Model: panel, Pose: at(0, 6, 3)}}}}}
}

// lit is that world, playing.
func lit(t *testing.T, o Options) *World {
	t.Helper()
	w, err := NewWorld(o)
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: sim.Resource{URI: "w"}}
	if _, err := w.Apply(load, Load(lamps(), load)); err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.SetState{State: sim.Playing})
	return w
}

// glows fails the test unless the lamps of the panel, the signal and the other panel have these lights.
func glows(t *testing.T, what string, w *World, want ...scene.Glow) {
	t.Helper()
	s := w.Snapshot()
	if !slices.Equal(s.Lamps, want) {
		t.Errorf("%s: %v, want %v", what, s.Lamps, want)
	}
	i, _ := s.Find("z_panel")
	if box, _ := s.Find("a_box"); !slices.Equal(s.LampsOf(i), want[5:]) || len(s.LampsOf(box)) != 0 {
		t.Errorf("%s: those of the last panel are %v, want %v; those of a box without any %v", what, s.LampsOf(i),
			want[5:], s.LampsOf(box))
	}
	if got := (*sensed)(w).AppendLamps(nil); !slices.Equal(got, want) {
		t.Errorf("%s: cameras see %v, want %v", what, got, want)
	}
}

// carriedOn is a world that goes on where another is, with some change of what that tells of its entities.
func carriedOn(t *testing.T, w *World, change func(*sim.RestoredEntity)) *World {
	t.Helper()
	c, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Entities {
		if change != nil {
			change(&c.Entities[i])
		}
	}
	again, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Apply(c, Load(lamps(), c)); err != nil {
		t.Fatal(err)
	}
	return again
}

func set(name string, list ...sim.LampGlow) sim.SetLamps {
	return sim.SetLamps{Name: name, Lamps: list}
}

func TestLampsAreLitByCommandsAndSignalsByTheirPhases(t *testing.T) {
	w, off := lit(t, Options{Rewind: time.Minute}), scene.Glow{}
	glows(t, "at the beginning", w, off, off, stop, off, off, off, off)
	before := w.Hash()
	glows(t, "taken up from a state of before there were lamps", carriedOn(t, w, func(e *sim.RestoredEntity) {
		e.Lamps = nil
	}), off, off, stop, off, off, off, off)
	apply(t, w, set("panel", sim.LampGlow{Lamp: 1, Glow: blueGlow}))
	apply(t, w, set("z_panel", sim.LampGlow{Glow: redGlow}, sim.LampGlow{Lamp: 1, Glow: blueGlow},
		sim.LampGlow{Lamp: 1, Glow: off}))
	if w.Hash() == before {
		t.Error("lamps are lit, and the hash is that of lamps that are off")
	}
	steps(t, w, int(1500*time.Millisecond/w.StepSize()))
	glows(t, "lit, and the signal at its next phase", w, off, blueGlow, stop, caution, off, redGlow, off)

	glows(t, "taken up elsewhere", carriedOn(t, w, nil), off, blueGlow, stop, caution, off, redGlow, off)
	apply(t, w, sim.Rewind{Back: 1400 * time.Millisecond})
	glows(t, "rewound to where they were just lit", w, off, blueGlow, stop, off, off, redGlow, off)
	apply(t, w, sim.Reset{Scope: sim.ResetState})
	glows(t, "after a reset of states", w, off, off, stop, off, off, off, off)
	apply(t, w, set("panel", sim.LampGlow{Glow: redGlow}))
	apply(t, w, sim.Delete{Names: []string{"signal"}})
	if got, want := w.Snapshot().Lamps, []scene.Glow{redGlow, off, off, off}; !slices.Equal(got, want) {
		t.Errorf("without the signal: %v, want %v", got, want)
	}
}

func TestLightsThatCannotBeAreRefusedAndChangeNothing(t *testing.T) {
	w, good := lit(t, Options{}), sim.LampGlow{Glow: redGlow}
	for _, c := range []struct {
		do   sim.SetLamps
		want error
	}{
		{set("nobody", good), sim.ErrNotFound},
		{set("a_box", good), sim.ErrUnsupported},
		{set("signal", good), sim.ErrUnsupported},
		{set("panel", good, sim.LampGlow{Lamp: 2}), sim.ErrNotFound},
		{set("panel", good, sim.LampGlow{Lamp: -1}), sim.ErrNotFound},
		{set("panel", good, sim.LampGlow{Glow: scene.Glow{2, 0, 0}}), sim.ErrFailed},
		{set("panel", good, sim.LampGlow{Glow: scene.Glow{0, -0.1, 0}}), sim.ErrFailed},
		{set("panel", good, sim.LampGlow{Glow: scene.Glow{0, 0, float32(math.NaN())}}), sim.ErrFailed},
	} {
		if _, err := try(w, c.do); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.do, err, c.want)
		}
	}
	off := scene.Glow{}
	glows(t, "after what was refused", w, off, off, stop, off, off, off, off)
}

func TestAWorldWithoutLampsHasNone(t *testing.T) {
	if s := yard(t, sim.Playing).Snapshot(); s.Lamps != nil {
		t.Errorf("lamps: %v", s.Lamps)
	}
}
