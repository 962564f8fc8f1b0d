package engine_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// seaGlider is a box of 40 kg of the water's density, 5 m below its surface. Its buoyancy engine begins with
// its neutral volume of 2 litres.
func seaGlider(more string) string {
	return seaGliderAt(-5, 3e-4, more)
}

// seaGliderAt is one at a height whose volume changes at a rate, m³/s.
func seaGliderAt(height, rate float64, more string) string {
	return pool + brick("m", fmt.Sprintf("0 0 %v 0 0 0", height), r3.V(1, 0.2, 0.2), 40,
		engineOf(rate, more))
}

// engineOf is a buoyancy engine with more elements.
func engineOf(rate float64, more string) string {
	return fmt.Sprintf(`<plugin filename="gz-sim-buoyancy-engine-system" name="gz::sim::systems::BuoyancyEngine"><link_name>l</link_name><min_volume>0</min_volume>
		<neutral_volume>0.002</neutral_volume><default_volume>0.002</default_volume><max_volume>0.003</max_volume><max_inflation_rate>%v</max_inflation_rate>`, rate) +
		more + `</plugin>`
}

// volume is the command to a buoyancy engine to have a volume, m³.
func volume(v float64) sim.SetJoints {
	return sim.SetJoints{Name: "m",
		Targets: []sim.JointTarget{{Joint: "l", Mode: sim.JointPosition, Target: v}}}
}

// volumeOf is the volume of the buoyancy engine, m³.
func volumeOf(t *testing.T, w *engine.World) float64 {
	t.Helper()
	s := w.Snapshot()
	i, _ := s.Find("m")
	if v := s.VolumesOf(i); len(v) == 1 {
		return v[0]
	}
	t.Fatalf("volumes %v", s.Volumes)
	return 0
}

func TestAGliderHoversWithTheNeutralVolumeOfItsEngine(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: seaGlider("")})
	advance(t, w, 4000)
	if s := state(t, w, "m"); math.Abs(s.Twist.Linear.Z) > 1e-9 || math.Abs(s.Pose.Pos.Z+5) > 1e-9 {
		t.Errorf("after 4 s it is at %v and moves by %v m/s", s.Pose.Pos, s.Twist.Linear.Z)
	}
}

// A volume that grows by r from the neutral one accelerates the mass m by ρ·g·r·t/m: v = ρ·g·r·t²/(2·m).
func TestABuoyancyEngineFillsAtItsRateAndLiftsByArchimedes(t *testing.T) {
	for told, rate := range map[float64]float64{0.0026: 3e-4, 0.0014: -3e-4} {
		w := judgeWorld(t, &judged{gravity: pull, models: seaGlider("")})
		advance(t, w, 2000)
		do(t, w, volume(told))
		advance(t, w, 1000)
		if got, want := volumeOf(t, w), 0.002+rate; math.Abs(got-want) > 1e-12 {
			t.Errorf("told %v m³, after 1 s it has %v m³, want %v", told, got, want)
		}
		want := 1000 * 9.81 * rate / 80
		if got := state(t, w, "m").Twist.Linear.Z; math.Abs(got/want-1) > 1e-3 {
			t.Errorf("told %v m³, after 1 s it moves by %v m/s, want %v", told, got, want)
		}
		advance(t, w, 3000)
		if got := volumeOf(t, w); got != told {
			t.Errorf("after 4 s it has %v m³, want %v", got, told)
		}
		want = 1000 * 9.81 * rate / 40 * (2 + 2*2) // 2 s of growth, and 2 s with all of it
		if got := state(t, w, "m").Twist.Linear.Z; math.Abs(got/want-1) > 1e-3 {
			t.Errorf("told %v m³, after 4 s it moves by %v m/s, want %v", told, got, want)
		}
	}
}

// Its speed ends where c·v = ρ·g·(V − V₀).
func TestAGliderRisesAtTheSpeedOfItsDrag(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: strings.Replace(seaGliderAt(-40, 3e-4, ""), "</model>",
		`<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><zW>-20</zW></plugin></model>`, 1)})
	do(t, w, volume(0.003))
	advance(t, w, 30000)
	want := 1000 * 9.81 * 0.001 / 20
	if got := state(t, w, "m").Twist.Linear.Z; math.Abs(got/want-1) > 5e-4 {
		t.Errorf("it rises by %v m/s, want %v", got, want)
	}
}

// Above the surface of its fluid a bladder displaces nothing, and what fills it weighs on, as in Gazebo.
func TestABuoyancyEngineLiftsNothingAboveItsSurface(t *testing.T) {
	for height, want := range map[float64]float64{-6: 1000 * 9.81 * 0.001 / 40,
		-4: -1000 * 9.81 * 0.002 / 40} {
		w := judgeWorld(t, &judged{gravity: pull, models: seaGliderAt(height, 9,
			"<surface>-5</surface>")})
		do(t, w, volume(0.003))
		advance(t, w, 100)
		got := state(t, w, "m").Accel.Linear.Z
		if math.Abs(got/want-1) > 1e-3 {
			t.Errorf("%v m high it accelerates by %v m/s², want %v", height, got, want)
		}
	}
}

func TestAVolumeIsKeptWithinTheBoundsOfItsEngine(t *testing.T) {
	for told, want := range map[float64]float64{1: 0.003, -1: 0} {
		w := judgeWorld(t, &judged{gravity: "0 0 0", models: seaGlider("")})
		do(t, w, volume(told))
		advance(t, w, 8000)
		if got := volumeOf(t, w); got != want {
			t.Errorf("told %v m³ it has %v m³, want %v", told, got, want)
		}
	}
}

func TestCommandsThatABuoyancyEngineCannotFollowAreRefused(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: seaGlider("")})
	for _, c := range []struct {
		mode   sim.JointMode
		target float64
		want   error
		says   string
	}{
		{sim.JointVelocity, 1, sim.ErrUnsupported, `buoyancy engine "l" of "m"; want position`},
		{sim.JointEffort, 1, sim.ErrUnsupported, `buoyancy engine "l" of "m"; want position`},
		{sim.JointPosition, math.NaN(), sim.ErrFailed, "volume NaN"},
		{sim.JointPosition, math.Inf(1), sim.ErrFailed, "volume +Inf"},
	} {
		_, err := w.Apply(sim.SetJoints{Name: "m",
			Targets: []sim.JointTarget{{Joint: "l", Mode: c.mode, Target: c.target}}}, engine.Loaded{})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s of %v: %v, want %q", c.mode, c.target, err, c.says)
		}
	}
	advance(t, w, 100)
	if got := volumeOf(t, w); got != 0.002 {
		t.Errorf("after what was refused it has %v m³", got)
	}
}

// A glider that lies on the ground is carried up by a volume that grows.
func TestAGliderThatLiesOnTheGroundRisesWhenItsEngineFills(t *testing.T) {
	const ground = `<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link><pose>0 0 -6 0 0 0</pose></model>`
	w := judgeWorld(t, &judged{gravity: pull, models: ground + seaGliderAt(-5.9, 1e-4, "")})
	do(t, w, volume(0.001))
	advance(t, w, 12000)
	if s := state(t, w, "m"); math.Abs(s.Pose.Pos.Z+5.9) > 1e-3 || s.Twist.Linear.Len() > 1e-6 {
		t.Fatalf("it does not lie: at %v with %v", s.Pose.Pos, s.Twist.Linear)
	}
	do(t, w, volume(0.0021))
	advance(t, w, 20000)
	if s := state(t, w, "m"); s.Twist.Linear.Z < 0.1 {
		t.Errorf("with 0.1 l more than it needs it moves by %v m/s", s.Twist.Linear.Z)
	}
}

func TestTheVolumeOfABuoyancyEngineIsRewoundRestoredAndReset(t *testing.T) {
	text := fmt.Sprintf(`<sdf version="1.9"><world name="w"><physics type="p"><max_step_size>0.001</max_step_size></physics><gravity>%s</gravity>%s</world></sdf>`,
		pull, seaGlider(""))
	w, err := engine.NewWorld(engine.Options{Rewind: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: sim.Resource{Document: text}})
	do(t, w, sim.SetState{State: sim.Playing})
	var hashes []uint64
	run := func() {
		do(t, w, volume(0.0026))
		for range 10 {
			advance(t, w, 100)
			hashes = append(hashes, w.Hash())
		}
	}
	run()
	c, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	again, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	do(t, again, c)
	if got := volumeOf(t, again); got != volumeOf(t, w) || again.Hash() != w.Hash() {
		t.Errorf("taken up elsewhere it has %v m³ and the hash %016x, want %v and %016x", got, again.Hash(),
			volumeOf(t, w), w.Hash())
	}
	do(t, w, sim.Rewind{Back: 500 * time.Millisecond})
	do(t, w, sim.SetState{State: sim.Playing}) // as it was
	if got, want := volumeOf(t, w), 0.002+0.5*3e-4; math.Abs(got-want) > 1e-12 || w.Hash() != hashes[4] {
		t.Errorf("rewound to 0.5 s it has %v m³ and the hash %016x, want %v and %016x", got, w.Hash(), want,
			hashes[4])
	}
	advance(t, w, 500)
	if w.Hash() != hashes[9] {
		t.Errorf("again at 1 s it has the hash %016x, want %016x", w.Hash(), hashes[9])
	}
	do(t, w, sim.Reset{Scope: sim.ResetAll})
	if got := volumeOf(t, w); got != 0.002 {
		t.Errorf("after a reset it has %v m³", got)
	}
	first := slices.Clone(hashes)
	hashes = nil
	run()
	if !slices.Equal(hashes, first) {
		t.Errorf("after a reset it runs to %016x, at first to %016x", hashes, first)
	}
}
