package engine

import (
	"bytes"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

// place is a world of models, played from the start.
func played(t testing.TB, gravity r3.Vec, models ...scene.Placed) *World {
	t.Helper()
	w, err := NewWorld(Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	lib := &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": {Name: "w", Gravity: gravity,
		StepSize: 0.004, Models: models,
		Earth: scene.Earth{Set: true, Latitude: 0.83, Longitude: 0.2, Elevation: 400, Heading: 0.3}}}}
	load := sim.LoadWorld{Resource: sim.Resource{URI: "w"}}
	if _, err := w.Apply(load, Load(lib, load)); err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.SetState{State: sim.Playing})
	return w
}

func earthward() r3.Vec { return r3.V(0, 0, -9.81) }

// sensorBox is a box of 2 kg and half a metre with sensors.
func sensorBox(sensors ...scene.Sensor) *scene.ModelSpec {
	m := scenetest.Box(0.5)
	m.Links[0].Inertial.Mass = 2
	for i := range sensors {
		if sensors[i].Pose == (r3.Pose{}) {
			sensors[i].Pose = r3.IdentityPose()
		}
	}
	m.Links[0].Sensors = sensors
	return m
}

func sampleOf[T any](t testing.TB, w *World, name string, sensor int) *T {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find(name)
	if !ok {
		t.Fatalf("no entity %q", name)
	}
	got, ok := any(s.SamplesOf(i)[sensor].Data).(*T)
	if !ok {
		t.Fatalf("sensor %d of %s says %#v, notes %v", sensor, name, s.SamplesOf(i)[sensor].Data,
			s.Model.Entities[i].Notes)
	}
	return got
}

func within(t testing.TB, what string, got, want r3.Vec, tolerance float64) {
	t.Helper()
	if !(got.Dist(want) <= tolerance) {
		t.Errorf("%s: %v, want %v ± %g", what, got, want, tolerance)
	}
}

func TestAnIMUFeelsUpAtRestAndNothingInFreeFall(t *testing.T) {
	turned := scene.Sensor{Kind: scene.IMU, Rate: 50, Pose: r3.PoseRPY(0.1, 0, 0, math.Pi/2, 0, 0)}
	w := played(t, earthward(), scene.Placed{Name: "ground", Model: scenetest.Ground(),
		Pose: r3.IdentityPose()},
		scene.Placed{Name: "box", Model: sensorBox(scene.Sensor{Kind: scene.IMU, Rate: 50}, turned),
			Pose: at(0, 0, 0.25)},
		scene.Placed{Name: "stone", Model: sensorBox(scene.Sensor{Kind: scene.IMU, Rate: 50}),
			Pose: at(5, 0, 30)})
	steps(t, w, 250)
	within(t, "at rest", sampleOf[sim.IMUReading](t, w, "box", 0).SpecificForce, r3.V(0, 0, 9.81), 0.02)
	within(t, "at rest, rolled to the left", sampleOf[sim.IMUReading](t, w, "box", 1).SpecificForce,
		r3.V(0, 9.81, 0), 0.02)
	within(t, "in free fall", sampleOf[sim.IMUReading](t, w, "stone", 0).SpecificForce, r3.Vec{}, 1e-6)
	steps(t, w, 250)
	within(t, "asleep", sampleOf[sim.IMUReading](t, w, "box", 0).SpecificForce, r3.V(0, 0, 9.81), 1e-6)
}

// TestAnIMUTellsItsOrientationInTheFrameThatItsFileNames: a box whose nose looks north. The world's x is 0.3
// rad north of east.
func TestAnIMUTellsItsOrientationInTheFrameThatItsFileNames(t *testing.T) {
	ned := r3.Columns(r3.V(0, 1, 0), r3.V(1, 0, 0), r3.V(0, 0, -1)).Quat()
	w := played(t, r3.Vec{}, scene.Placed{Name: "box", Pose: r3.PoseRPY(0, 0, 1, 0, 0, math.Pi/2-0.3),
		Model: sensorBox(
			scene.Sensor{Kind: scene.IMU},
			scene.Sensor{Kind: scene.IMU, IMU: scene.IMUSpec{Reference: r3.Identity(), North: true}},
			scene.Sensor{Kind: scene.IMU, IMU: scene.IMUSpec{Reference: ned, North: true}},
			scene.Sensor{Kind: scene.IMU, IMU: scene.IMUSpec{Reference: r3.FromRPY(0, 0, math.Pi/2-0.3)}})})
	steps(t, w, 2)
	for i, want := range []r3.Quat{r3.FromRPY(0, 0, math.Pi/2-0.3), r3.FromRPY(0, 0, math.Pi/2),
		r3.FromRPY(math.Pi, 0, 0), r3.Identity()} {
		got := sampleOf[sim.IMUReading](t, w, "box", i).Orientation
		within(t, "nose", got.Rotate(r3.V(1, 0, 0)), want.Rotate(r3.V(1, 0, 0)), 1e-9)
		within(t, "roof", got.Rotate(r3.V(0, 0, 1)), want.Rotate(r3.V(0, 0, 1)), 1e-9)
	}
}

func TestAnIMUFeelsTheCentripetalAcceleration(t *testing.T) {
	off := scene.Sensor{Kind: scene.IMU, Pose: at(0.2, 0, 0)}
	w := played(t, r3.Vec{}, scene.Placed{Name: "box", Model: sensorBox(off), Pose: at(0, 0, 1)})
	apply(t, w, sim.SetEntityState{Name: "box", Twist: &r3.Twist{Angular: r3.V(0, 0, 3)}})
	steps(t, w, 20)
	got := sampleOf[sim.IMUReading](t, w, "box", 0)
	within(t, "rate", got.AngularVelocity, r3.V(0, 0, 3), 1e-6)
	within(t, "force toward the axis, ω²r", got.SpecificForce, r3.V(-9*0.2, 0, 0), 1e-3)
}

func TestContactForcesHoldTheWeight(t *testing.T) {
	odd := scene.Sensor{Kind: scene.Contact,
		Contact: scene.ContactSpec{Collisions: []string{"box_fixed_joint_lump__skin_collision"}}}
	hatted := sensorBox(scene.Sensor{Kind: scene.Contact, Rate: 100},
		scene.Sensor{Kind: scene.Contact, Contact: scene.ContactSpec{Collisions: []string{"hat"}}}, odd)
	hatted.Links[0].Collisions = append(hatted.Links[0].Collisions,
		scene.Geom{Name: "hat", Kind: scene.Sphere, Radius: 0.05, Pose: at(0, 0, 0.3)})
	w := played(t, earthward(), scene.Placed{Name: "ground", Model: scenetest.Ground(),
		Pose: r3.IdentityPose()},
		scene.Placed{Name: "box", Model: hatted, Pose: at(0, 0, 0.25)})
	steps(t, w, 200)
	got := sampleOf[sim.ContactReadings](t, w, "box", 0)
	if len(got.Contacts) != 1 || got.Contacts[0].Own != "box::body::skin" ||
		got.Contacts[0].Other != "ground::body::plane" {
		t.Fatalf("touches %+v", got.Contacts)
	}
	sum, torque := r3.Vec{}, r3.Vec{}
	for _, p := range got.Contacts[0].Points {
		sum, torque = sum.Add(p.Force), torque.Add(p.Torque)
		if math.Abs(p.Position.Z) > 0.01 || p.Depth > 0.01 {
			t.Errorf("point %+v", p)
		}
	}
	within(t, "force", sum, r3.V(0, 0, 2*9.81), 0.02)
	within(t, "torque", torque, r3.Vec{}, 0.02)
	within(t, "normal", got.Contacts[0].Normal, r3.V(0, 0, 1), 1e-6)
	if other := sampleOf[sim.ContactReadings](t, w, "box", 1); len(other.Contacts) != 0 {
		t.Errorf("a sensor of another collision feels %+v", other.Contacts)
	}
	if none := sampleOf[sim.ContactReadings](t, w, "box", 2); len(none.Contacts) != 0 {
		t.Errorf("a sensor of a collision that is not there feels %+v, want nothing", none.Contacts)
	}
}

// crane is a foot with a mass of 2 kg on a joint, 0.3 m to the side.
func crane(kind scene.JointKind, force scene.ForceSpec) *scene.ModelSpec {
	m := scenetest.Solid("crane", 20, scene.Geom{Name: "foot", Kind: scene.Box, Size: r3.V(1, 1, 0.2)})
	force.Set = true
	m.Links = append(m.Links, scene.Link{Name: "load", Pose: at(0.1, 0, 0.5),
		Inertial: scene.Inertial{Mass: 2, Pose: at(0.3, 0, 0), Inertia: r3.Diag(r3.V(0.01, 0.01, 0.01))},
		Sensors: []scene.Sensor{{Name: "ft", Kind: scene.ForceTorque, Pose: r3.IdentityPose(),
			Force: force}}})
	m.Joints = []scene.Joint{{Name: "wrist", Kind: kind, Parent: 0, Child: 1, Pose: r3.IdentityPose(),
		Axis:  r3.V(0, 1, 0),
		Limit: scene.Limit{Set: true, Lower: -0.5, Upper: 0}}}
	return m
}

func TestAForceTorqueSensorWeighsWhatHangsOnItsJoint(t *testing.T) {
	ground := scene.Placed{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()}
	weight := 2 * 9.81
	for name, c := range map[string]struct {
		kind scene.JointKind
		spec scene.ForceSpec
		sign float64
	}{
		"fixed, one body":      {scene.Fixed, scene.ForceSpec{}, 1},
		"parent to child":      {scene.Fixed, scene.ForceSpec{ParentToChild: true}, -1},
		"a joint at its limit": {scene.Revolute, scene.ForceSpec{Frame: "parent"}, 1},
	} {
		w := played(t, earthward(), ground,
			scene.Placed{Name: "crane", Model: crane(c.kind, c.spec), Pose: at(0, 0, 0.1)})
		steps(t, w, 400)
		got := sampleOf[sim.Wrench](t, w, "crane", 0)
		within(t, name+": force", got.Force, r3.V(0, 0, -weight*c.sign), 0.1)
		within(t, name+": torque", got.Torque, r3.V(0, 0.3*weight*c.sign, 0), 0.1)
	}
}

// TestAForceTorqueSensorWithItsOwnFrameFeelsTheTorqueAboutItself: where it stands in the middle of the load
// there is none.
func TestAForceTorqueSensorWithItsOwnFrameFeelsTheTorqueAboutItself(t *testing.T) {
	m := crane(scene.Fixed, scene.ForceSpec{Frame: "sensor", ParentToChild: true})
	m.Links[1].Sensors[0].Pose = r3.PoseRPY(0.3, 0, 0.1, math.Pi/2, 0, 0)
	w := played(t, earthward(), scene.Placed{Name: "ground", Model: scenetest.Ground(),
		Pose: r3.IdentityPose()}, scene.Placed{Name: "crane", Model: m, Pose: at(0, 0, 0.1)})
	steps(t, w, 400)
	got := sampleOf[sim.Wrench](t, w, "crane", 0)
	within(t, "force", got.Force, r3.V(0, 2*9.81, 0), 0.1)
	within(t, "torque", got.Torque, r3.Vec{}, 0.01)
}

func TestWhatCarriesALoadItselfTakesItFromTheJoint(t *testing.T) {
	m := crane(scene.Fixed, scene.ForceSpec{})
	m.Links[1].Collisions = []scene.Geom{{Name: "leg", Kind: scene.Box, Pose: at(0.3, 0, -0.3),
		Size: r3.V(0.05, 0.05, 0.6), Surface: scene.Surface{Default: true}}}
	m.Links[0].Collisions = nil
	m.Links[0].Inertial.Mass = 1
	w := played(t, earthward(), scene.Placed{Name: "ground", Model: scenetest.Ground(),
		Pose: r3.IdentityPose()},
		scene.Placed{Name: "crane", Model: m, Pose: at(0, 0, 0.1)})
	steps(t, w, 5)
	got := sampleOf[sim.Wrench](t, w, "crane", 0)
	if got.Force.Z < 0 {
		t.Errorf("the leg stands, and what hangs on the other end pulls the joint by %v N", got.Force.Z)
	}
}

func TestOneReceiverKnowsWhereOnEarthItIs(t *testing.T) {
	w := played(t, earthward(), scene.Placed{Name: "ground", Model: scenetest.Ground(),
		Pose: r3.IdentityPose()},
		scene.Placed{Name: "box", Model: sensorBox(scene.Sensor{Kind: scene.GPS, Rate: 5},
			scene.Sensor{Kind: scene.Altimeter}, scene.Sensor{Kind: scene.AirPressure},
			scene.Sensor{Kind: scene.Magnetometer}), Pose: at(100, 50, 0.25)})
	steps(t, w, 100)
	got := sampleOf[sim.GPSFix](t, w, "box", 0)
	// East and north of the origin, and how far these are in radians.
	s, c := math.Sincos(0.3)
	east, north := 100*c-50*s, 100*s+50*c
	if d := (got.Place.Latitude - 0.83) * 6.37e6; !got.Valid || math.Abs(d-north) > 0.005*math.Abs(north) {
		t.Errorf("%v m north, want about %v", d, north)
	}
	if d := (got.Place.Longitude - 0.2) * 6.39e6 * math.Cos(0.83); math.Abs(d-east) > 0.005*math.Abs(east) {
		t.Errorf("%v m east, want about %v", d, east)
	}
	if math.Abs(got.Place.Altitude-400.25) > 0.01 {
		t.Errorf("altitude %v m, want 400.25", got.Place.Altitude)
	}
	if h := sampleOf[sim.AltimeterReading](t, w, "box", 1); math.Abs(h.Metres-0.25) > 0.005 ||
		math.Abs(h.Speed) > 0.01 {
		t.Errorf("height %+v", h)
	}
	// ISO 2533, table at 400 m: 96611 Pa
	if p := sampleOf[sim.AirPressure](t, w, "box", 2); math.Abs(p.Pascal-96609) > 20 {
		t.Errorf("pressure %v Pa, want 96,609", p.Pascal)
	}
	// A field of the model for 2027.5 at 47.6° north and 11.5° east; its declination is 4.5°.
	field := sampleOf[sim.MagneticField](t, w, "box", 3).Field
	declination := math.Pi/2 - 0.3 - math.Atan2(field.Y, field.X)
	if math.Abs(declination*180/math.Pi-4.5) > 0.3 || math.Abs(field.Len()*1e6-48.8) > 0.5 {
		t.Errorf("field %v T: declination %v°, %v µT", field, declination*180/math.Pi, field.Len()*1e6)
	}
}

// watcher is a box with a camera that looks at a red wall.
func watcher(t testing.TB) *World {
	red := scenetest.Wall()
	red.Links[0].Visuals = []scene.Geom{{Kind: scene.Box, Size: r3.V(0.2, 4, 1),
		Material: scene.Material{Colour: [4]float32{0.9, 0.1, 0.1, 1}}}}
	cam := scene.Sensor{Name: "cam", Kind: scene.RGBDCamera, Rate: 10, Pose: at(0.3, 0, 0),
		Camera: scene.CameraSpec{Width: 64, Height: 48, FX: 50, FY: 50, CX: 32, CY: 24, Near: 0.2, Far: 20,
			NoiseStd: 0.002}}
	seen := cam
	seen.Kind, seen.Camera.NoiseStd = scene.Camera, 0.01
	return played(t, earthward(), scene.Placed{Name: "ground", Model: scenetest.Ground(),
		Pose: r3.IdentityPose()},
		scene.Placed{Name: "wall", Model: red, Pose: at(3, 0, 0.5)},
		scene.Placed{Name: "box", Model: sensorBox(cam, seen), Pose: at(0, 0, 0.25)})
}

func TestACameraSeesTheWallInItsColourAndDistance(t *testing.T) {
	w := watcher(t)
	steps(t, w, 25)
	p := sampleOf[sim.CameraImage](t, w, "box", 0)
	i := 24*64 + 32
	if rgb := p.Image.RGB[3*i:]; rgb[0] < 60 || rgb[1] > rgb[0]/2 {
		t.Errorf("the middle is %v, want red", rgb[:3])
	}
	if d := float64(p.Image.Depth[i]); math.Abs(d-2.6) > 0.02 {
		t.Errorf("the wall is %v m away, want 2.6", d)
	}
}

func TestPicturesDoNotDependOnWhoDrawsThem(t *testing.T) {
	alone, crewed := watcher(t), watcher(t)
	c := sensing.NewPool()
	c.Start(3)
	defer c.Stop()
	crewed.sensing.Submit = c.Submit
	for range 4 {
		steps(t, alone, 25)
		steps(t, crewed, 25)
		crewed.drainSamples()
		if alone.Hash() != crewed.Hash() {
			t.Fatal("pictures changed the world")
		}
		for k := range 2 {
			a, b := sampleOf[sim.CameraImage](t, alone, "box", k), sampleOf[sim.CameraImage](t, crewed, "box",
				k)
			if !bytes.Equal(a.Image.RGB, b.Image.RGB) || len(a.Image.RGB) == 0 {
				t.Fatal("the colours differ")
			}
			for i := range a.Image.Depth {
				if a.Image.Depth[i] != b.Image.Depth[i] {
					t.Fatal("the depths differ")
				}
			}
		}
	}
	apply(t, alone, sim.Reset{})
	steps(t, alone, 25)
	first := sampleOf[sim.CameraImage](t, alone, "box", 1)
	apply(t, crewed, sim.Reset{})
	steps(t, crewed, 25)
	crewed.drainSamples()
	if !bytes.Equal(first.Image.RGB, sampleOf[sim.CameraImage](t, crewed, "box", 1).Image.RGB) {
		t.Error("after a reset the pictures differ")
	}
}

func TestNothingIsDrawnUnlessSomebodyAsksForIt(t *testing.T) {
	w := watcher(t)
	var f sim.Feed
	w.sensing.Wanted, w.sensing.CameraWanted = f.SensorWatched, f.SensorRequested
	s := f.Subscribe(sim.Lossless(10, 0))
	steps(t, w, 25)
	shown := func(sensor int) bool {
		s := w.Snapshot()
		i, _ := s.Find("box")
		return s.SamplesOf(i)[sensor].Data != nil
	}
	if shown(0) {
		t.Error("a picture for a reader that only looks")
	}
	s.WantSamples(func(entity uint64, sensor int) bool { return sensor == 1 })
	steps(t, w, 25)
	if shown(0) || !shown(1) {
		t.Error("want a picture of the camera that was asked for, and of no other")
	}
}
