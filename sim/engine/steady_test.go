package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

// seeingYard is a world whose rover has two lidars, a camera, a depth camera and an IMU, playing; all of
// them are looked at.
func seeingYard(t testing.TB) *World { return seeingYardWith(t, 0) }

// seeingYardWith adds so many boxes, in towers of five beside the yard.
func seeingYardWith(t testing.TB, boxes int) *World {
	t.Helper()
	lib := cloudShelf()
	box := scenetest.Box(0.5)
	for i := range boxes {
		lib.WorldSpecs["yard"].Models = append(lib.WorldSpecs["yard"].Models,
			scene.Placed{Name: fmt.Sprintf("box_%04d", i), Model: box,
				Pose: at(8+float64(i/5%20), float64(i/100), 0.25+0.5*float64(i%5))})
	}
	mast := &lib.WorldSpecs["yard"].Models[3].Model.Links[4]
	eye := scene.CameraSpec{Width: 320, Height: 240, FX: 200, FY: 200, CX: 160, CY: 120, Near: 0.05, Far: 30,
		NoiseStd: 0.01}
	mast.Sensors = append(mast.Sensors,
		scene.Sensor{Name: "colours", Kind: scene.Camera, Rate: 30, Camera: eye},
		scene.Sensor{Name: "depths", Kind: scene.RGBDCamera, Rate: 15, Camera: eye},
		scene.Sensor{Name: "imu", Kind: scene.IMU, Rate: 200})
	lib.WorldSpecs["yard"].Models[3].Model.Links[2].Sensors = []scene.Sensor{{Name: "tread",
		Kind: scene.Contact, Pose: r3.IdentityPose()},
		{Name: "axle", Kind: scene.ForceTorque, Pose: r3.IdentityPose(),
			Force: scene.ForceSpec{Set: true, Joint: 1, Frame: "child"}}}
	w, err := NewWorld(Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	w.sensing.Wanted, w.sensing.CameraWanted = sensing.Always, sensing.Always
	for _, c := range []sim.Command{sim.LoadWorld{Resource: sim.Resource{URI: "yard"}},
		sim.SetState{State: sim.Playing},
		sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.7)}, sim.SetPacing{RealTime: 1}} {
		if _, err := w.Apply(c, Load(lib, c)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func TestSensorsAllocateNothingOnceTheyRun(t *testing.T) {
	for boxes, runs := range map[int]int{0: 250, 1000: 100} {
		w := seeingYardWith(t, boxes)
		awake := func() {
			if boxes > 0 && w.clock.total%50 == 0 {
				for _, e := range w.entities.list {
					e.wake(w.physics)
				}
			}
		}
		for range 300 { // every sensor has had its turn twice
			awake()
			steps(t, w, 1)
		}
		before, fewest := w.snapshots.sampleStep, w.awake
		if n := testing.AllocsPerRun(runs,
			func() { awake(); _ = w.Step(); fewest = min(fewest, w.awake) }); n != 0 {
			t.Errorf("%d boxes: %v allocations a step", boxes, n)
		}
		if got := w.snapshots.sampleStep - before; got < uint64(runs*4/5) || fewest < boxes || boxes > 0 &&
			w.physics.Stats().Touching < boxes {
			t.Fatalf("%d boxes: only %d samples were made, of %d bodies awake, %d contacts", boxes, got,
				fewest, w.physics.Stats().Touching)
		}
	}
}

// print is the whole content of a sample as text.
func print(s sim.Sample) string {
	switch d := s.Data.(type) {
	case *sim.LidarScan:
		return fmt.Sprint(s.Seq, s.Time, s.Frame, d.Ranges, d.Intensities)
	case *sim.CameraImage:
		return fmt.Sprint(s.Seq, s.Time, s.Frame, d.Image.RGB, d.Image.Depth)
	case *sim.IMUReading:
		return fmt.Sprint(s.Seq, s.Time, s.Frame, d.Orientation, d.AngularVelocity, d.SpecificForce)
	case *sim.ContactReadings:
		return fmt.Sprint(s.Seq, s.Time, d.Contacts)
	case *sim.Wrench:
		return fmt.Sprint(s.Seq, s.Time, d.Force, d.Torque)
	}
	return ""
}

func TestWhatASnapshotShowsIsNeverWrittenAgain(t *testing.T) {
	for _, workers := range []int{0, 2} {
		w := seeingYard(t)
		if workers > 0 {
			c := sensing.NewPool()
			c.Start(workers)
			defer c.Stop()
			w.sensing.Submit = c.Submit
		}
		random := rand.New(rand.NewPCG(1, uint64(workers)))
		var kept []sim.Sample
		var prints []string
		for range 200 {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
			w.collectSamples()
			if random.IntN(9) == 0 {
				for _, s := range w.Snapshot().Samples {
					kept, prints = append(kept, s), append(prints, print(s))
				}
			}
		}
		w.drainSamples()
		for i, s := range kept {
			if print(s) != prints[i] {
				t.Fatalf("with %d workers: sample %d of %v was written again after a snapshot had shown it",
					workers, s.Seq, s.Time)
			}
		}
		if len(kept) < 50 {
			t.Errorf("only %d samples were kept", len(kept))
		}
	}
}

func TestAnyNumberOfWorkersSeesAndFeelsTheSame(t *testing.T) {
	play := func(w *World) (samples []sim.Sample, hashes []uint64) {
		for range 120 {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
			hashes = append(hashes, w.Hash())
		}
		w.drainSamples()
		return w.Snapshot().Samples, hashes
	}
	want, hashes := play(seeingYard(t))
	for workers := 1; workers <= 4; workers++ {
		w := seeingYard(t)
		c := sensing.NewPool()
		c.Start(workers)
		w.sensing.Submit = c.Submit
		got, same := play(w)
		c.Stop()
		if !slices.Equal(hashes, same) {
			t.Errorf("%d workers at the sensors changed the world", workers)
		}
		for i := range want {
			if a, b := print(want[i]), print(got[i]); a != b || a == "" && want[i].Data != nil {
				t.Errorf("%d workers: sensor %d sees something else", workers, i)
			}
		}
	}
	if d := want[len(want)-3].Data.(*sim.CameraImage); bytes.Count(d.Image.RGB,
		d.Image.RGB[:1]) == len(d.Image.RGB) {
		t.Error("the camera sees one grey: this test shows nothing")
	}
}
