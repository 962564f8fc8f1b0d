package engine_test

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// swell is a regular wave along x in the pool.
func swell(height, period float64) string {
	return pool + fmt.Sprintf("<simdeck:waves><wave><height>%v</height><period>%v</period></wave></simdeck:waves>", height, period)
}

// motion measures an entity over three periods of a wave: half of its way between its least and its greatest
// height. Off is its largest distance to the surface η = a·cos(k·x − ω·t).
func motion(t *testing.T, w *engine.World, name string, height, period float64) (heave, off float64) {
	t.Helper()
	low, high := math.Inf(1), math.Inf(-1)
	frequency := 2 * math.Pi / period
	for range int(3 * period * 100) {
		advance(t, w, 10)
		at := state(t, w, name).Pose.Pos
		s := w.Snapshot().Time.Seconds()
		low, high = min(low, at.Z), max(high, at.Z)
		surface := height / 2 * math.Cos(frequency*frequency/9.81*at.X-frequency*s)
		off = max(off, math.Abs(at.Z-surface))
	}
	return (high - low) / 2, off
}

// In a wave of 56 m a buoy of 0.5 m is a part of the water. It follows the surface within a hundredth of the
// wave's height, and moves around a circle.
func TestABuoyFollowsALongWave(t *testing.T) {
	const height, period = 1.0, 6.0
	volume := 4.0 / 3 * math.Pi * 0.25 * 0.25 * 0.25
	mass := 1000 * volume / 2
	ball := solid("buoy", "0 0 0.5 0 0 0", "<sphere><radius>0.25</radius></sphere>", mass,
		r3.V(1, 1, 1).Scale(mass*0.025), `<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><zW>-20</zW><xU>-20</xU><yV>-20</yV><xDotU>-16</xDotU><yDotV>-16</yDotV><zDotW>-16</zDotW></plugin>`)
	w := judgeWorld(t, &judged{gravity: pull, models: swell(height, period) + ball})
	advance(t, w, 30000)
	before := state(t, w, "buoy").Pose.Pos.X
	heave, off := motion(t, w, "buoy", height, period)
	if off > 0.01*height || math.Abs(heave/(height/2)-1) > 0.01 {
		t.Errorf("it heaves by %.4f m, up to %.4f m off the surface, want %.2f m", heave, off, height/2)
	}
	if after := state(t, w, "buoy").Pose.Pos.X; math.Abs(after-before) > 0.5 {
		t.Errorf("over three periods it drifts by %.2f m", after-before)
	}
}

// A raft of 30 m in waves of 4 m hardly moves, while a small one beside it follows them. Its heave is that of
// a damped oscillator, driven by the mean of the waves over its bottom (Newman, "Marine Hydrodynamics",
// section 6.17).
func TestALongRaftHardlyMovesInShortWaves(t *testing.T) {
	const height, period = 0.4, 1.6
	drag := `<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><zW>-%v</zW><kP>-%[1]v</kP><mQ>-%[1]v</mQ></plugin>`
	models := swell(height, period) +
		brick("long", "0 0 0 0 0 0", r3.V(30, 4, 1), 60000, fmt.Sprintf(drag, 60000)) +
		brick("small", "0 9 0 0 0 0", r3.V(0.3, 0.3, 0.2), 9, fmt.Sprintf(drag, 9))
	w := judgeWorld(t, &judged{gravity: pull, models: models})
	advance(t, w, 15000)
	long, _ := motion(t, w, "long", height, period)
	small, _ := motion(t, w, "small", height, period)
	const mass, spring, damping, draft = 60000, 1000 * 9.81 * 30 * 4, 60000, 0.5
	frequency := 2 * math.Pi / period
	k := frequency * frequency / 9.81
	mean := height / 2 * math.Abs(math.Sin(15*k)/(15*k))
	push := math.Hypot(spring*math.Exp(-k*draft), frequency*damping*(1-math.Exp(-k*draft))/(k*draft))
	want := mean * push / math.Hypot(spring-mass*frequency*frequency, frequency*damping)
	if math.Abs(long/want-1) > 0.05 || long > 0.1*height/2 || small < 0.8*height/2 {
		t.Errorf("in waves of ±%v m the raft of 30 m heaves by ±%.4f m, want ±%.4f m; that of 0.3 m by ±%.4f m", height/2,
			long, want, small)
	}
	_, pitch, _ := state(t, w, "long").Pose.Rot.RPY()
	if math.Abs(pitch) > 0.01 {
		t.Errorf("the raft of 30 m pitches by %v rad", pitch)
	}
}

// A raft that is short against a wave lies along its surface: it pitches by k·a.
func TestAShortRaftPitchesWithTheSlope(t *testing.T) {
	const height, period = 1.0, 6.0
	models := swell(height, period) + brick("m", "0 0 0 0 0 0", r3.V(2, 2, 0.3), 600,
		`<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><zW>-3000</zW><kP>-600</kP><mQ>-600</mQ></plugin>`)
	w := judgeWorld(t, &judged{gravity: pull, models: models})
	advance(t, w, 20000)
	most := 0.0
	for range 600 {
		advance(t, w, 10)
		_, pitch, _ := state(t, w, "m").Pose.Rot.RPY()
		most = max(most, math.Abs(pitch))
	}
	frequency := 2 * math.Pi / period
	if want := frequency * frequency / 9.81 * height / 2; math.Abs(most/want-1) > 0.1 {
		t.Errorf("it pitches by %.4f rad, the surface by %.4f", most, want)
	}
}

// A body that hovers under water goes along with it, by a·exp(k·z): next to nothing at half a length.
func TestADiverFeelsLessOfWavesTheDeeperItIs(t *testing.T) {
	const height, period = 0.2, 5.0
	models, length := swell(height, period), 9.81*period*period/(2*math.Pi)
	depths := []float64{2, 5, length / 2}
	for i, depth := range depths {
		models += brick(fmt.Sprintf("d%d", i), fmt.Sprintf("0 %d %v 0 0 0", 3*i, -depth),
			r3.V(0.2, 0.2, 0.2), 8, "")
	}
	w := judgeWorld(t, &judged{gravity: pull, models: models})
	for i, depth := range depths {
		// It begins at rest, at a crest: the water has its mean velocity, from then on both are the same.
		speed := math.Pi * height / period * math.Exp(-2*math.Pi/length*depth)
		do(t, w, sim.SetEntityState{Name: fmt.Sprintf("d%d", i), Twist: &r3.Twist{Linear: r3.V(speed, 0, 0)}})
	}
	for range 500 {
		advance(t, w, 10)
		for i, depth := range depths {
			at := state(t, w, fmt.Sprintf("d%d", i)).Pose.Pos
			fade := math.Exp(-2 * math.Pi / length * depth)
			s := w.Snapshot().Time.Seconds()
			want := r3.V(height/2*fade*math.Sin(2*math.Pi/period*s), float64(3*i),
				-depth+height/2*fade*(math.Cos(2*math.Pi/period*s)-1))
			if at.Dist(want) > 0.15*height/2*fade+0.001 {
				t.Fatalf("after %v s the one at %v m is at %v, want %v", s, depth, at, want)
			}
		}
	}
}

const roughSea = pool + `<simdeck:waves><rise>1</rise><spectrum><significant_height>0.6</significant_height><peak_period>4</peak_period><peakedness>3.3</peakedness><spread>0.4</spread></spectrum></simdeck:waves>`

// boat is a hull in waves with a depth gauge.
var boat = brick("boat", "0 0 0.1 0 0 0.5", r3.V(2, 1, 0.4), 300,
	`<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><xU>-60</xU><yV>-200</yV><zW>-600</zW><kP>-60</kP><mQ>-90</mQ><nR>-80</nR><zDotW>-100</zDotW><xDotU>-10</xDotU><yDotV>-50</yDotV></plugin>`)

func TestWavesComeBackWithTheSameBits(t *testing.T) {
	begin := func(seed uint64) *engine.World {
		w := seededWorld(t, &judged{gravity: pull, models: roughSea + boat}, seed)
		advance(t, w, 700)
		return w
	}
	w, again, other := begin(1), begin(1), begin(2)
	if w.Hash() != again.Hash() {
		t.Error("the same seed gives another motion")
	}
	if w.Hash() == other.Hash() {
		t.Error("another seed gives the same motion")
	}
	first := w.Hash()
	c, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := engine.NewWorld(engine.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	do(t, restored, c)
	advance(t, w, 700)
	advance(t, restored, 700)
	if w.Hash() != restored.Hash() {
		t.Error("a boat that is taken up again moves otherwise")
	}
	do(t, w, sim.Reset{})
	advance(t, w, 700)
	if w.Hash() != first {
		t.Error("after a reset the waves are others")
	}
}

func TestWavesTakeNoMemoryAStep(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: roughSea + boat})
	advance(t, w, 100)
	if n := testing.AllocsPerRun(100, func() { advance(t, w, 1) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// A long swell would leave sleeping bodies behind.
func TestNothingSleepsInWaves(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: swell(0.02, 60) +
		brick("m", "0 0 0 0 0 0", r3.V(1, 1, 1), 500,
			`<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><zW>-2000</zW></plugin>`)})
	advance(t, w, 5000)
	heave, _ := motion(t, w, "m", 0.02, 60)
	if math.Abs(heave/0.01-1) > 0.1 {
		t.Errorf("in a swell of ±10 mm it heaves by ±%.2f mm", 1000*heave)
	}
}

// A catamaran of VRX's plugins, whose cylinders float half under water: its keels are a radius deep.
func TestABoatOfVRXFloatsAtItsDraft(t *testing.T) {
	const radius, length, density = 0.213, 4.9, 997.7735
	mass := density * math.Pi * radius * radius / 2 * length * 2
	hull := func(y float64) string {
		return fmt.Sprintf(`<plugin filename="libSurface.so" name="vrx::Surface"><link_name>l</link_name><hull_length>4.9</hull_length><hull_radius>0.213</hull_radius><fluid_level>0.5</fluid_level><points><point>1.2 %[1]v 0</point><point>-1.2 %[1]v 0</point></points></plugin>`, y)
	}
	boat := solid("wamv", "0 0 0.4 0.02 0 0", "<box><size>1 1 0.1</size></box>", mass, r3.V(200, 400, 500),
		hull(1.03)+hull(-1.03)+`<plugin filename="libSimpleHydrodynamics.so" name="vrx::SimpleHydrodynamics"><link_name>l</link_name><zW>900</zW><kP>300</kP><mQ>900</mQ></plugin>`)
	w := judgeWorld(t, &judged{gravity: pull, models: boat})
	advance(t, w, 15000)
	at := state(t, w, "wamv").Pose
	roll, pitch, _ := at.Rot.RPY()
	if math.Abs(at.Pos.Z-(0.5-radius)) > 2e-3 || max(math.Abs(roll), math.Abs(pitch)) > 1e-3 {
		t.Errorf("its keels are at %.4f m, rolled by %.4f and pitched by %.4f rad; want %.4f m", at.Pos.Z, roll, pitch,
			0.5-radius)
	}
}

// A buoy of VRX's plugin rides the waves that the plugin asks for, in water of its own.
func TestABuoyOfVRXRidesItsWaves(t *testing.T) {
	const height, period = 0.5, 6.0
	buoy := solid("buoy", "0 0 0 0 0 0", "<box><size>0.1 0.1 0.1</size></box>", 1000*math.Pi*0.09*0.1,
		r3.V(1, 1, 1), `<plugin filename="libPolyhedraBuoyancyDrag.so" name="vrx::PolyhedraBuoyancyDrag"><fluid_density>1000</fluid_density><fluid_level>0</fluid_level><linear_drag>2</linear_drag><angular_drag>2</angular_drag><buoyancy name="b"><link_name>l</link_name><pose>0 0 0 0 0 0</pose><geometry><cylinder><radius>0.3</radius><length>0.2</length></cylinder></geometry></buoyancy><wavefield><wave><model>CWR</model><number>1</number><amplitude>0.25</amplitude><period>6</period><tau>0.5</tau></wave></wavefield></plugin>`)
	w := judgeWorld(t, &judged{gravity: pull, models: buoy})
	advance(t, w, 12000)
	heave, off := motion(t, w, "buoy", height, period)
	if math.Abs(heave/(height/2)-1) > 0.02 || off > 0.02*height {
		t.Errorf("it heaves by %.4f m, up to %.4f m off the surface, want %.2f m", heave, off, height/2)
	}
}
