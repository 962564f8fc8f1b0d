package engine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/medium"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// carrier is a ball with a sensor, which stands in its middle; more is behind its link.
func carrier(place, sensor, more string) string {
	return fmt.Sprintf(`<model name="m"><pose>%s</pose><link name="l"><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
		<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>%s</link>%s</model>`, place, sensor, more)
}

// slab is a static box of 200 m by 200 m with its top at a height.
func slab(name string, top float64) string {
	return fmt.Sprintf(`<model name="%s"><static>true</static><pose>0 0 %v 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>200 200 2</size></box></geometry></collision></link></model>`,
		name, top-1)
}

// sensedIn plays a world without gravity in which the carrier moves, and returns the sample of its sensor.
func sensedIn(t *testing.T, models string, motion r3.Twist, steps int) (*engine.World, sim.Sample) {
	t.Helper()
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: models})
	do(t, w, sim.SetEntityState{Name: "m", Twist: &motion})
	advance(t, w, steps)
	s := w.Snapshot()
	i, ok := s.Find("m")
	if !ok {
		t.Fatal("there is no carrier")
	}
	samples := s.SamplesOf(i)
	if len(samples) != 1 || samples[0].Data == nil {
		t.Fatalf("samples %+v, notes %v", samples, s.Model.Entities[i].Notes)
	}
	return w, samples[0]
}

// reads is the measurement of a sample.
func reads[T any](t *testing.T, s sim.Sample) *T {
	t.Helper()
	d, ok := any(s.Data).(*T)
	if !ok {
		t.Fatalf("the sensor says %#v", s.Data)
	}
	return d
}

// about holds a number against a closed form.
func about(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.9g, want %.9g ± %g", what, got, want, tolerance)
	}
}

// TestAPitotTubeFeelsTheAirAlongItself: Δp = ½ρv², of the air by height, against the wind, along its x.
func TestAPitotTubeFeelsTheAirAlongItself(t *testing.T) {
	tube := func(pose string) string {
		return `<sensor name="s" type="air_speed"><pose>` + pose + `</pose></sensor>`
	}
	_, kelvin, rho := medium.Air(&scene.Earth{}, 500)
	for name, c := range map[string]struct {
		pose  string
		speed float64 // along the tube
	}{
		"ahead, against the wind": {"0 0 0 0 0 0", 24},
		"60° to the left":         {"0 0 0 0 0 1.0471975511965976", 12},
		"backwards":               {"0 0 0 0 0 3.141592653589793", -24},
		"to the side":             {"0 0 0 0 0 1.5707963267948966", 0},
	} {
		_, s := sensedIn(t, `<wind><linear_velocity>-4 0 0</linear_velocity></wind>`+carrier("0 0 500 0 0 0",
			tube(c.pose), ""), r3.Twist{Linear: r3.V(20, 0, 0)}, 10)
		got := reads[sim.AirSpeed](t, s)
		about(t, name+", Pa", got.Pascal, rho/2*c.speed*math.Abs(c.speed), 1e-6)
		about(t, name+", m/s", got.Speed, c.speed, 1e-6)
		about(t, name+", K", got.Kelvin, kelvin, 1e-9)
	}
	_, s := sensedIn(t, pool+carrier("0 0 -5 0 0 0", tube("0 0 0 0 0 0"),
		`<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><default_current>0.5 0 0</default_current></plugin>`),
		r3.Twist{Linear: r3.V(2, 0, 0)}, 1)
	about(t, "in a current of water, Pa", reads[sim.AirSpeed](t, s).Pascal, 1000.0/2*1.5*1.5, 1e-3)
}

func TestABarometerUnderWaterTellsItsDepth(t *testing.T) {
	for _, c := range []struct {
		place, sensor string
		pascal, depth float64
	}{
		{"0 0 -10 0 0 0", `<sensor name="s" type="air_pressure"/>`, 101325 + 9810*10, 10},
		{"0 0 400 0 0 0", `<sensor name="s" type="air_pressure"/>`, 96611, 0}, // ISO 2533, at 400 m
		{"0 0 100 0 0 0", `<sensor name="s" type="air_pressure"><air_pressure><reference_altitude>300</reference_altitude></air_pressure></sensor>`,
			96611, 0},
	} {
		w := judgeWorld(t, &judged{gravity: pull, models: pool +
			fmt.Sprintf(`<model name="m"><static>true</static><pose>%s</pose><link name="l">%s</link></model>`, c.place, c.sensor)})
		advance(t, w, 3)
		got := reads[sim.AirPressure](t, w.Snapshot().SamplesOf(0)[0])
		about(t, c.place+", Pa", got.Pascal, c.pascal, 3)
		about(t, c.place+", m", got.Depth, c.depth, 1e-9)
	}
}

// janus is a velocity log with four beams of 30°.
const janus = `<sensor name="s" type="custom" gz:type="dvl"><gz:dvl><arrangement degrees="true">
	<beam><rotation>45</rotation><tilt>30</tilt></beam><beam><rotation>135</rotation><tilt>30</tilt></beam>
	<beam><rotation>-45</rotation><tilt>30</tilt></beam><beam><rotation>-135</rotation><tilt>30</tilt></beam></arrangement>
	<tracking><bottom_mode><when>best</when></bottom_mode><water_mass_mode><when>always</when><boundaries><near>10</near><far>30</far></boundaries></water_mass_mode></tracking>
	<maximum_range>60</maximum_range></gz:dvl></sensor>`

// TestAVelocityLogMeasuresAgainstTheBottom: over a flat floor 30 m below, a beam of 30° is 30/cos 30° long.
// The velocity is that of the sensor in its own frame, also where the floor moves.
func TestAVelocityLogMeasuresAgainstTheBottom(t *testing.T) {
	v := r3.V(1.5, -0.4, 0.2)
	turn := r3.FromRPY(0, 0, 0.5)
	_, s := sensedIn(t, pool+slab("floor", -50)+carrier("0 0 -20 0 0 0.5", janus, ""), r3.Twist{Linear: v}, 1)
	got := reads[sim.DVLReading](t, s)
	if got.Water || !got.Valid || got.Locked != 4 || got.Velocity.Dist(turn.RotateBack(v)) > 1e-9 {
		t.Errorf("%+v, want the velocity %v", got, turn.RotateBack(v))
	}
	about(t, "altitude", got.Altitude, 30+0.2e-3, 1e-6)
	for _, b := range got.Beams {
		about(t, "range", b.Range, (30+0.2e-3)/math.Cos(math.Pi/6), 1e-6)
		about(t, "speed of a beam", b.Speed, b.Axis.Dot(got.Velocity), 1e-9)
	}

	belt := `<model name="belt"><pose>0 0 -41 0 0 0</pose><link name="l"><inertial><mass>1e6</mass><inertia><ixx>1e9</ixx><iyy>1e9</iyy><izz>1e9</izz></inertia></inertial><collision name="c"><geometry><box><size>90 90 2</size></box></geometry></collision></link></model>`
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: belt + carrier("0 0 -20 0 0 0", janus, "")})
	do(t, w, sim.SetEntityState{Name: "belt", Twist: &r3.Twist{Linear: r3.V(0.5, 0, 0)}})
	do(t, w, sim.SetEntityState{Name: "m", Twist: &r3.Twist{Linear: r3.V(2, 0, 0)}})
	advance(t, w, 1)
	at, _ := w.Snapshot().Find("m")
	got = reads[sim.DVLReading](t, w.Snapshot().SamplesOf(at)[0])
	if got.Velocity.Dist(r3.V(1.5, 0, 0)) > 1e-9 {
		t.Errorf("over a floor that moves along: %v, want 1.5 m/s ahead", got.Velocity)
	}
}

// TestAVelocityLogMeasuresAgainstTheWaterWhereNoBottomIsInReach. It tells nothing in the air, too near the
// floor, or with beams in a plane.
func TestAVelocityLogMeasuresAgainstTheWaterWhereNoBottomIsInReach(t *testing.T) {
	current := `<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><default_current>0.5 0.1 0</default_current></plugin>`
	_, s := sensedIn(t, pool+carrier("0 0 -20 0 0 0", janus, current), r3.Twist{Linear: r3.V(1.5, 0, 0)}, 1)
	got := reads[sim.DVLReading](t, s)
	if !got.Water || !got.Valid || got.Locked != 4 || got.Velocity.Dist(r3.V(1, -0.1, 0)) > 1e-6 {
		t.Errorf("%+v, want 1 and -0.1 m/s against the water", got)
	}
	about(t, "the middle of the layer", got.Altitude, 20, 1e-9)
	flat := `<sensor name="s" type="custom" gz:type="dvl"><gz:dvl><arrangement><beam/><beam><tilt>1</tilt></beam><beam><tilt>-1</tilt></beam></arrangement><tracking><bottom_mode/></tracking></gz:dvl></sensor>`
	for name, c := range map[string]struct {
		models string
		locked int
		nearby float64 // range of the first beam
	}{
		"in the air":             {pool + slab("floor", -10) + carrier("0 0 5 0 0 0", janus, ""), 0, 0},
		"too near the floor":     {pool + slab("floor", -20.05) + carrier("0 0 -20 0 0 0", janus, ""), 0, 0},
		"three beams in a plane": {pool + carrier("0 0 -20 3.141592653589793 0 0", flat, ""), 3, 20},
	} {
		_, s := sensedIn(t, c.models, r3.Twist{Linear: r3.V(1, 0, 0)}, 1)
		got := reads[sim.DVLReading](t, s)
		if got.Locked != c.locked || got.Valid || got.Velocity != (r3.Vec{}) {
			t.Errorf("%s: %+v, want %d beams and no velocity", name, got, c.locked)
		}
		about(t, name, got.Beams[0].Range, c.nearby, 1e-9)
	}
}

// TestASonarMeasuresTheNearestEchoInItsCone: a floor, a ball in the cone, the surface of water from above and
// from below. Beyond its reach there is nothing.
func TestASonarMeasuresTheNearestEchoInItsCone(t *testing.T) {
	sonar := `<sensor name="s" type="sonar"><sonar><min>0.3</min><max>20</max><radius>4</radius></sonar></sensor>`
	ball := func(x, z float64) string {
		return fmt.Sprintf(`<model name="ball"><static>true</static><pose>%v 0 %v 0 0 0</pose><link name="l"><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link></model>`, x, z)
	}
	for name, c := range map[string]struct {
		models          string
		want, tolerance float64
	}{
		"a floor": {slab("floor", 0) + carrier("0 0 7 0 0 0", sonar, ""), 7, 1e-9},
		"a ball below": {slab("floor", 0) + ball(0, 2) + carrier("0 0 7 0 0 0", sonar, ""),
			4, 1e-9},
		"a ball at the side": {ball(1, -9) + carrier("0 0 0 0 0 0", sonar, ""), math.Sqrt(82) - 1, 0.01},
		"a ball beside the cone": {slab("floor", -10) + ball(4, -9) + carrier("0 0 0 0 0 0", sonar, ""),
			10, 1e-9},
		"water below":       {pool + slab("floor", -10) + carrier("0 0 7 0 0 0", sonar, ""), 7, 1e-9},
		"the surface above": {pool + carrier("0 0 -6 3.141592653589793 0 0", sonar, ""), 6, 1e-9},
		"the floor below":   {pool + slab("floor", -10) + carrier("0 0 -6 0 0 0", sonar, ""), 4, 1e-9},
		"too near":          {slab("floor", 0) + carrier("0 0 0.2 0 0 0", sonar, ""), math.Inf(-1), 0},
		"too far":           {slab("floor", 0) + carrier("0 0 21 0 0 0", sonar, ""), math.Inf(1), 0},
	} {
		_, s := sensedIn(t, c.models, r3.Twist{}, 1)
		got := reads[sim.SonarRange](t, s).Metres
		if math.IsInf(c.want, 0) && got == c.want {
			continue
		}
		about(t, name, got, c.want, c.tolerance)
	}
}

// TestASonarOfManyBeamsMeasuresTheFloorAlongEach: a beam at an angle from straight down is h/cos long. Beams
// that are turned to the surface end there.
func TestASonarOfManyBeamsMeasuresTheFloorAlongEach(t *testing.T) {
	sonar := `<sensor name="s" type="custom" gz:type="multibeam_sonar"><gz:multibeam_sonar><ray><scan><horizontal><beams>65</beams><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan>
		<range><min>0.1</min><max>60</max></range></ray></gz:multibeam_sonar></sensor>`
	for pitch, height := range map[float64]float64{math.Pi / 2: 12, -math.Pi / 2: 8} {
		models := pool + slab("floor", -20) + carrier(fmt.Sprintf("0 0 -8 0 %v 0", pitch), sonar, "")
		_, s := sensedIn(t, models, r3.Twist{}, 1)
		got := reads[sim.LidarScan](t, s)
		if len(got.Ranges) != 65 {
			t.Fatalf("%d beams", len(got.Ranges))
		}
		for i, r := range got.Ranges {
			about(t, fmt.Sprintf("beam %d", i), float64(r), height/math.Cos(got.Spec.Azimuth(i)), 1e-4)
		}
	}
}

// TestAReceiverTellsWhereItWas: with a latency of 120 ms a fix comes that much later, with the time of its
// measurement, and once. Those of every step come in order.
func TestAReceiverTellsWhereItWas(t *testing.T) {
	place := `<spherical_coordinates><latitude_deg>10</latitude_deg><longitude_deg>20</longitude_deg></spherical_coordinates>`
	receiver := func(rate string) string {
		return place + carrier("0 0 0 0 0 0", `<sensor name="s" type="navsat"><update_rate>`+rate+`</update_rate><simdeck:latency>0.12</simdeck:latency></sensor>`, "")
	}
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: receiver("10")})
	do(t, w, sim.SetEntityState{Name: "m", Twist: &r3.Twist{Linear: r3.V(0, 0, 3)}})
	var came []time.Duration
	var last uint64
	for range 1000 {
		advance(t, w, 1)
		s := w.Snapshot()
		sample := s.SamplesOf(0)[0]
		if sample.Data == nil || sample.Seq == last {
			continue
		}
		last = sample.Seq
		came = append(came, s.Time)
		if late := s.Time - sample.Time; late != 120*time.Millisecond {
			t.Errorf("fix %d comes %v after its time", sample.Seq, late)
		}
		about(t, "height", reads[sim.GPSFix](t, sample).Place.Altitude, 3*sample.Time.Seconds(), 1e-6)
	}
	if len(came) != 8 || came[0] != 220*time.Millisecond {
		t.Errorf("fixes of 10 Hz came at %v, want 8 from 220 ms on", came)
	}
	w = judgeWorld(t, &judged{gravity: "0 0 0", models: receiver("0")})
	for i := range 300 {
		advance(t, w, 1)
		s := w.Snapshot()
		sample := s.SamplesOf(0)[0]
		late := s.Time - sample.Time
		if (sample.Data != nil) != (i >= 120) || sample.Data != nil && late != 120*time.Millisecond {
			t.Fatalf("after %v the fix is of %v", s.Time, sample.Time)
		}
	}
}

// TestACompassPointsToMagneticNorth of the place where its world lies. The published values have a
// declination of 2.59° at 80° north in the middle of 2027.
func TestACompassPointsToMagneticNorth(t *testing.T) {
	place := `<magnetic_field>6e-06 2.3e-05 -4.2e-05</magnetic_field><spherical_coordinates><latitude_deg>80</latitude_deg><longitude_deg>0</longitude_deg></spherical_coordinates>`
	models := place + carrier("0 0 0 0 0 1.5707963267948966", `<sensor name="s" type="magnetometer"/>`, "")
	_, s := sensedIn(t, models, r3.Twist{}, 1)
	got := reads[sim.MagneticField](t, s).Field // its x looks north, and y west
	about(t, "declination", math.Atan2(-got.Y, got.X)*180/math.Pi, 2.59, 0.006)
	about(t, "strength, µT", got.Len()*1e6, math.Sqrt(6500.8*6500.8+294.5*294.5+54869.4*54869.4)/1e3, 1e-3)
}
