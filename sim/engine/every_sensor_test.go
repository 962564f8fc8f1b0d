package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

// instrumented is the rover with a sensor of every kind, each with every error, a drive with odometry drift
// and an encoder.
func instrumented() *scene.ModelSpec {
	m := scenetest.Rover()
	n := scene.Noise{Mean: 0.01, Std: 0.02, BiasStd: 0.01, WalkStd: 0.01, WalkTime: 2, Precision: 1e-6}
	three := [3]scene.Noise{n, n, n}
	scan := scene.LidarSpec{Columns: 360, Rows: 1, MinAngle: -math.Pi, MaxAngle: math.Pi, MinRange: 0.12,
		MaxRange: 12, NoiseStd: 0.01, NoiseMean: 0.002, Resolution: 0.001}
	cloud := scan
	cloud.Columns, cloud.Rows, cloud.MinElevation, cloud.MaxElevation = 300, 16, -0.4, 0.2
	eye := scene.CameraSpec{Width: 160, Height: 120, FX: 110, FY: 110, CX: 80, CY: 60, Near: 0.05, Far: 30,
		NoiseStd: 0.01, Distortion: [5]float64{-0.2, 0.05, 0.001, -0.001, 0}}
	m.Links[4].Sensors = []scene.Sensor{
		{Name: "scan", Kind: scene.Lidar, Rate: 20, Lidar: scan},
		{Name: "cloud", Kind: scene.Lidar, Rate: 10, Lidar: cloud},
		{Name: "colours", Kind: scene.Camera, Rate: 20, Camera: eye},
		{Name: "depths", Kind: scene.DepthCamera, Rate: 20, Camera: eye},
		{Name: "both", Kind: scene.RGBDCamera, Rate: 10, Camera: eye},
		{Name: "imu", Kind: scene.IMU, Rate: 100, IMU: scene.IMUSpec{Turn: three, Force: three}},
		{Name: "gps", Kind: scene.GPS, Rate: 10,
			GPS: scene.GPSSpec{Horizontal: n, Vertical: n, SpeedHorizontal: n, SpeedVertical: n}},
		{Name: "compass", Kind: scene.Magnetometer, Rate: 50, Magnetic: three},
		{Name: "air", Kind: scene.AirPressure, Rate: 20, Noise: n},
		{Name: "height", Kind: scene.Altimeter, Rate: 20, Noise: n, Speed: n},
		{Name: "tube", Kind: scene.AirSpeed, Rate: 50, Noise: n},
		{Name: "late", Kind: scene.GPS, Rate: 20, Latency: 0.07, GPS: scene.GPSSpec{Horizontal: n}},
		{Name: "sonar", Kind: scene.Sonar, Rate: 20, Noise: n,
			Sonar: scene.SonarSpec{MaxRange: 5, HalfAngle: 0.6}},
		{Name: "log", Kind: scene.DVL, Rate: 20, DVL: scene.DVLSpec{MaxRange: 5, Report: r3.Identity(),
			Beams:  []r3.Vec{{X: 0.5, Z: -0.8}, {X: -0.5, Y: 0.3, Z: -0.8}, {Y: -0.5, Z: -0.8}},
			Bottom: scene.DVLTracking{On: true, Noise: n}, Near: 1, Far: 3,
			Water: scene.DVLTracking{On: true, Noise: n}}},
		{Name: "flow", Kind: scene.OpticalFlow, Rate: 20, Noise: n,
			Flow: scene.OpticalFlowSpec{Near: 0.1, Far: 100, Gyro: true}},
	}
	m.Links[1].Sensors = []scene.Sensor{{Name: "bumper", Kind: scene.Contact}}
	m.Links[2].Sensors = []scene.Sensor{{Name: "axle", Kind: scene.ForceTorque, Rate: 100,
		Force: scene.ForceSpec{Set: true, Joint: 1, Frame: "child", Force: three, Torque: three}}}
	for i := range m.Links {
		for k := range m.Links[i].Sensors {
			m.Links[i].Sensors[k].Pose = r3.IdentityPose()
		}
	}
	m.Joints[1].Encoder = scene.Encoder{Set: true, Position: n, Velocity: n, Tacho: true}
	m.Drives[0].Odometry.Drift = scene.Drift{Scale: 0.02, Walk: 0.01}
	return m
}

// story is the record of all measurements of a world: one line for each sample, odometry and joint.
func story(t *testing.T, workers, sensorWorkers int) (lines []string, counts map[string]int,
	hashes []uint64) {
	t.Helper()
	pool := dynamics.NewWorkers(workers, nil)
	pool.Start()
	defer pool.Stop()
	w, err := NewWorld(Options{Seed: 3, Workers: pool})
	if err != nil {
		t.Fatal(err)
	}
	w.sensing.Wanted, w.sensing.CameraWanted = sensing.Always, sensing.Always
	crate := scenetest.Solid("crate", 1,
		scene.Geom{Name: "skin", Kind: scene.Box, Size: r3.V(0.3, 0.3, 0.3), Retro: 40})
	crate.Links[0].Visuals = []scene.Geom{{Kind: scene.Box, Size: r3.V(0.3, 0.3, 0.3),
		Material: scene.Material{Colour: [4]float32{0.2, 0.7, 0.3, 1}}}}
	models := []scene.Placed{{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()},
		{Name: "rover", Model: instrumented(), Pose: at(0, 0, 0.02)}}
	for i := range 810 { // so many that the physics is shared out, too
		models = append(models, scene.Placed{Name: fmt.Sprintf("c%03d", i), Model: crate,
			Pose: at(1+0.5*float64(i%30), 0.5*float64(i/30-13), 0.2)})
	}
	lib := &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": {Name: "w", Gravity: earthward(),
		StepSize: 0.004, Models: models,
		Earth: scene.Earth{Set: true, Latitude: 0.83, Longitude: 0.2, Elevation: 400, Heading: 0.3}}}}
	load := sim.LoadWorld{Resource: sim.Resource{URI: "w"}}
	if _, err := w.Apply(load, Load(lib, load)); err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.SetState{State: sim.Playing})
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.7)})
	if sensorWorkers > 0 {
		c := sensing.NewPool()
		c.Start(sensorWorkers)
		defer c.Stop()
		w.sensing.Submit = c.Submit
	}
	seen, counts := map[string]uint64{}, map[string]int{}
	for range 75 {
		steps(t, w, 1)
		w.drainSamples()
		hashes = append(hashes, w.Hash())
		s := w.Snapshot()
		i, _ := s.Find("rover")
		for k, sample := range s.SamplesOf(i) {
			name := s.Model.Entities[i].Sensors[k].Spec.Name
			if sample.Data == nil || seen[name] == sample.Seq {
				continue
			}
			seen[name] = sample.Seq
			counts[name]++
			lines = append(lines, name+" "+said(sample))
		}
		lines = append(lines, fmt.Sprint(s.OdomOf(i), s.JointsOf(i)))
	}
	return lines, counts, hashes
}

// said is the whole content of a sample as text.
func said(s sim.Sample) string {
	if text := print(s); text != "" {
		return text
	}
	switch d := s.Data.(type) {
	case *sim.GPSFix:
		return fmt.Sprint(s.Seq, s.Time, d.Valid, d.Place, d.Velocity)
	case *sim.MagneticField:
		return fmt.Sprint(s.Seq, s.Time, d.Field)
	case *sim.AirPressure:
		return fmt.Sprint(s.Seq, s.Time, d.Pascal)
	case *sim.AltimeterReading:
		return fmt.Sprint(s.Seq, s.Time, d.Metres, d.Speed)
	case *sim.AirSpeed:
		return fmt.Sprint(s.Seq, s.Time, d.Pascal, d.Speed, d.Kelvin)
	case *sim.SonarRange:
		return fmt.Sprint(s.Seq, s.Time, d.Metres)
	case *sim.DVLReading:
		return fmt.Sprint(s.Seq, s.Time, d.Water, d.Velocity, d.Covariance, d.Altitude, d.Beams)
	case *sim.OpticalFlow:
		return fmt.Sprint(s.Seq, s.Time, d.X, d.Y, d.Turn, d.Time, d.Quality)
	}
	panic(fmt.Sprintf("%T is a kind of sample that this test cannot read", s.Data))
}

// TestEverySensorSaysTheSameForAnyNumberOfWorkers: the physics on 1, 2 and 4, the sensors on the loop or on
// others.
func TestEverySensorSaysTheSameForAnyNumberOfWorkers(t *testing.T) {
	want, counts, hashes := story(t, 1, 0)
	for _, name := range []string{"scan", "cloud", "colours", "depths", "both", "imu", "gps", "compass",
		"air", "height", "tube", "late", "sonar", "log", "flow", "bumper", "axle"} {
		if counts[name] < 3 {
			t.Errorf("%s: %d samples: this test shows nothing of it", name, counts[name])
		}
	}
	for _, c := range [][2]int{{2, 2}, {4, 4}} {
		got, _, same := story(t, c[0], c[1])
		if !slices.Equal(same, hashes) {
			t.Fatalf("%d workers, %d at the sensors: the world is another", c[0], c[1])
		}
		if len(got) != len(want) {
			t.Fatalf("%d workers: %d lines, want %d", c[0], len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%d workers, %d at the sensors: %.200s; want %.200s", c[0], c[1], got[i], want[i])
			}
		}
	}
}
