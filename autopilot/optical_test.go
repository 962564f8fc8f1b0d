package autopilot_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/autopilot"
	"simdeck/autopilot/mavlink"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// looking is the world of our testdata with sensors on the quadrotor, which is 3 m higher.
func looking(t *testing.T, sensors string) string {
	t.Helper()
	const link, pose = `<link name="base_link">`, `<pose>0 0 0.055 0 0 0.5</pose>`
	world := field(t)
	if strings.Count(world, link) != 1 || strings.Count(world, pose) != 1 {
		t.Fatal("the quadrotor is not where it was")
	}
	return strings.NewReplacer(link, link+sensors, pose, `<pose>0 0 3.055 0 0 0.5</pose>`).Replace(world)
}

// Optical flow as PX4's for Gazebo has it, a lidar of one beam, and sonars that look down or elsewhere.
const (
	eyeDown = `<sensor name="flow_camera" type="camera"><pose>0 0 -0.1 0 1.5707963 0</pose><update_rate>50</update_rate>
		<camera><image><width>100</width><height>100</height></image><clip><near>0.1</near><far>30</far></clip></camera></sensor>
		<sensor name="optical_flow" type="custom" gz:type="optical_flow"/>`
	beamDown = `<sensor name="lidar" type="gpu_lidar"><pose>0 0 -0.06 0 1.57 0</pose><update_rate>25</update_rate><ray>
		<scan><horizontal><samples>1</samples><min_angle>0</min_angle><max_angle>0</max_angle></horizontal></scan>
		<range><min>0.2</min><max>35</max></range><noise><type>gaussian</type><stddev>0.02</stddev></noise></ray></sensor>`
	sonars = `<sensor name="down" type="sonar"><pose>0 0 -0.06 0 0 0</pose><update_rate>20</update_rate><sonar><min>0.1</min><max>5</max><radius>1</radius></sonar></sensor>
		<sensor name="ahead" type="sonar"><pose>0.3 0 0 0 -1.5707963 0</pose><update_rate>20</update_rate><sonar><min>0.1</min><max>2</max><radius>0</radius></sonar></sensor>
		<sensor name="slant" type="sonar"><pose>0.3 0 0 0 -0.7853982 0</pose><update_rate>20</update_rate><sonar><min>4.4</min><max>9</max><radius>0</radius></sonar></sensor>`
)

// fallen connects a PX4, gives its quadrotor a motion, and hears of it for some steps of 4 ms.
func fallen(t *testing.T, world string, motion r3.Twist, steps int) *px4Peer {
	t.Helper()
	s := fly(t, world, 0, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.PX4, Entity: "quad", Port: freePort(t, "tcp")}}})
	p := s.px4(0)
	p.hear()
	if _, err := s.engine.Do(t.Context(), sim.SetEntityState{Name: "quad", Twist: &motion}); err != nil {
		t.Fatal(err)
	}
	clear(p.counts)
	for range steps {
		p.send(0, 0, 0, 0)
		p.hear()
	}
	return p
}

// TestAPX4HearsOfWhatLooksAtTheGround: each sample once, forward, right and down as PX4 has it.
func TestAPX4HearsOfWhatLooksAtTheGround(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	ahead := r3.AxisAngle(r3.V(0, 0, 1), 0.5)
	p := fallen(t, looking(t, eyeDown+beamDown+sonars), r3.Twist{Linear: ahead.Rotate(r3.V(2, -1, 0))}, 25)
	within := func(what string, got, want, tolerance float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tolerance) {
			t.Errorf("%s: %g, want %g ± %g", what, got, want, tolerance)
		}
	}
	drop := 9.81 * 0.1 * 0.1 / 2 // m, in 25 steps
	f := &p.flow
	within("flow ahead", float64(f.Y), 2/(2.955-drop)*0.02, 3e-4)
	within("flow to the right", float64(f.X), -1/(2.955-drop)*0.02, 3e-4)
	within("distance of the flow", float64(f.Distance), 2.995-drop, 0.1)
	within("temperature, °C", float64(f.Temperature)/100, 15-0.0065*491, 0.1)
	if !math.IsNaN(float64(f.Turn[0])) || f.Quality != 255 || f.Period != 20000 || f.DistanceAge > 40000 ||
		f.Time+20000 <= p.sensors.Time {
		t.Errorf("%+v at %d µs", f, p.sensors.Time)
	}
	for id, want := range map[uint32]int{mavlink.HILOpticalFlowID: 5, mavlink.DistanceSensorID: 2 + 3*2} {
		if got := p.counts[id]; got < want-1 || got > want+4 {
			t.Errorf("message %d came %d times in 0.1 s, want %d", id, got, want)
		}
	}
	if len(p.ranges) != 4 {
		t.Fatalf("range finders %+v, want 4", p.ranges)
	}
	l := p.ranges[0]
	within("lidar, cm", float64(l.Distance), 100*(2.995-drop), 10)
	l.Distance, l.Time = 0, 0
	if want := (mavlink.DistanceSensor{Least: 20, Most: 3500, Orientation: mavlink.LooksDown, Variance: 4,
		Quality: mavlink.RangePerfect}); l != want {
		t.Errorf("lidar %+v, want %+v", l, want)
	}
	down := p.ranges[100]
	within("sonar, cm", float64(down.Distance), 100*(2.995-drop), 3)
	within("width of a sonar", float64(down.Width), 2*math.Atan(0.2), 1e-6)
	if down.Type != mavlink.RangeUltrasound || down.Orientation != mavlink.LooksDown || down.Variance != 0 {
		t.Errorf("sonar %+v", down)
	}
	if a := p.ranges[101]; a.Orientation != mavlink.LooksAhead || a.Distance != 0 ||
		a.Quality != mavlink.RangeInvalid {
		t.Errorf("with nothing in reach %+v", a)
	}
	slant := p.ranges[102] // 4.2 m from the ground, which is too near for it
	if slant.Orientation != mavlink.LooksElsewhere || slant.Distance != slant.Least ||
		slant.Quality != mavlink.RangeInvalid {
		t.Errorf("with something too near %+v", slant)
	}
	q := slant.Attitude
	looks := r3.Quat{W: float64(q[0]), X: float64(q[1]), Y: float64(q[2]),
		Z: float64(q[3])}.Rotate(r3.V(1, 0, 0))
	if want := r3.V(math.Sqrt2/2, 0, math.Sqrt2/2); looks.Dist(want) > 1e-3 {
		t.Errorf("it looks along %v of the body, want %v", looks, want)
	}
}

// TestFlowIsAsPX4TurnsIt: px4flow of PX4's models for Gazebo Classic has the top of its picture to the left.
// PX4 turns what it hears by SENS_FLOW_ROT 6, which is -90° about down. Then it is that of the body.
func TestFlowIsAsPX4TurnsIt(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	px4flow := `<sensor name="px4flow" type="camera"><pose>0 0 -0.1 -1.5707963 1.5707963 0</pose><update_rate>100</update_rate>
		<camera><image><width>64</width><height>64</height></image></camera>
		<plugin name="opticalflow_plugin" filename="libgazebo_opticalflow_plugin.so"><outputRate>20</outputRate></plugin></sensor>`
	ahead := r3.AxisAngle(r3.V(0, 0, 1), 0.5)
	p := fallen(t, looking(t, px4flow), r3.Twist{Linear: ahead.Rotate(r3.V(2, -1, 0)),
		Angular: ahead.Rotate(r3.V(0.2, -0.3, 0.4))}, 25)
	f := &p.flow
	body := func(x, y float32) (float64, float64) { return float64(y), -float64(x) }
	x, y := body(f.X, f.Y)
	gx, gy := body(f.Turn[0], f.Turn[1])
	period, height := float64(f.Period)/1e6, 2.95
	for what, c := range map[string][2]float64{
		"turn, right": {gy, 0.3 * period}, "turn, ahead": {gx, 0.2 * period},
		"turn, down": {float64(f.Turn[2]), -0.4 * period},
		"flow x":     {x - gx, -1 / height * period}, "flow y": {y - gy, 2 / height * period}} {
		if math.Abs(c[0]-c[1]) > 1.5e-3 { // it turns, and falls, within the period
			t.Errorf("%s: %g, want %g", what, c[0], c[1])
		}
	}
	if f.Period != 48000 && f.Period != 52000 || f.Quality != 255 || f.Distance != -1 {
		t.Errorf("%+v", f)
	}
}

// TestAPX4AsksForNoPicturesOfItsCameras: a flow sensor takes none.
func TestAPX4AsksForNoPicturesOfItsCameras(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, looking(t, eyeDown), 200*time.Millisecond, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.PX4, Entity: "quad", Port: freePort(t, "tcp")}}})
	p := s.px4(0)
	for range 30 {
		p.hear()
		p.send(0, 0, 0, 0)
	}
	p.hear()
	now := s.engine.Snapshot()
	i, _ := now.Find("quad")
	samples := now.SamplesOf(i)
	if samples[0].Data != nil || samples[1].Data == nil {
		t.Errorf("%+v", samples)
	}
}
