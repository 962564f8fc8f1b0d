package engine_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Two cars on a lane to the east, the second one faster, and a signal at its 60th metre. Behind that somebody
// walks over it.
const (
	crossingLanes = `lanes: {east: {points: [[10, 50], [190, 50]]}, short: {points: [[20, 180], [60, 180]]}, ring: {points: [[20, 120], [60, 120], [60, 160], [20, 160]], closed: true}}
`
	crossingActors = `actors:
  first: {lane: east, start: 20, speed: 6, follow: {v0: 8}}
  second: {lane: east, start: 5, speed: 8, follow: {v0: 13}}
  late: {lane: short, start: 30, speed: 5, at_end: restart}
  round: {type: cyclist, lane: ring, speed: 4}
  walker: {type: pedestrian, held: true, trajectory: [{time: 0, position: [110, 45]}, {time: 5, position: [110, 55]}]}
`
	crossingCamera = `cameras:
  - {id: front, intrinsics: {width: 160, height: 120, fx: 100, fy: 100, cx: 80, cy: 60}, rate_hz: 20, extrinsics: {translation: [2.5, 0, 1.5], rotation: [-0.5, 0.5, -0.5, 0.5]}}
`
	crossingSignals = `signals:
  light: {position: [72, 53], yaw: 3.141592653589793, stops: {east: 60}, phases: [{state: red, duration: 12}, {state: green, duration: 20}, {state: yellow, duration: 3}]}
`
)

// crossing is a library with the track and traffic on it.
func crossing() *format.Library {
	site := trackBundle(0, "")
	add := func(name, text string) { site["track/"+name] = &fstest.MapFile{Data: []byte(text)} }
	add("world.yaml", string(site["track/world.yaml"].Data)+
		"actors: {trajectories: actors.yaml}\ntraffic: {lanes: lanes.yaml, signals: signals.yaml}\n")
	add("cal.yaml", string(site["track/cal.yaml"].Data)+crossingCamera)
	add("lanes.yaml", crossingLanes)
	add("actors.yaml", crossingActors)
	add("signals.yaml", crossingSignals)
	return format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "site", FS: site}}})
}

// onCrossing is a world with the crossing, playing.
func onCrossing(t testing.TB, o engine.Options) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []sim.Command{sim.LoadWorld{Resource: scene.Resource{URI: "track"}},
		sim.SetState{State: sim.Playing}} {
		if _, err := w.Apply(c, engine.Load(crossing(), c)); err != nil {
			t.Fatalf("%s: %v", sim.Describe(c), err)
		}
	}
	return w
}

// inTraffic is an entity in a world.
func inTraffic(t testing.TB, w *engine.World, name string) sim.EntityState {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find(name)
	if !ok {
		t.Fatalf("there is no %q", name)
	}
	return s.Entities[i]
}

func stepsOf(w *engine.World, seconds float64) int {
	return int(math.Round(seconds / w.StepSize().Seconds()))
}

func TestFollowersWaitForRedAndGoOnAtGreenOneBehindTheOther(t *testing.T) {
	w := onCrossing(t, engine.Options{})
	nearest := math.Inf(1)
	watch := func(seconds float64) {
		for range stepsOf(w, seconds) {
			advance(t, w, 1)
			a, b := inTraffic(t, w, "first").Pose.Pos, inTraffic(t, w, "second").Pose.Pos
			nearest = min(nearest, a.X-b.X-4.5)
		}
	}
	watch(11.9)
	first, second := inTraffic(t, w, "first"), inTraffic(t, w, "second")
	// the front of the first is about s0 before the line, which is at x = 70
	if x := first.Pose.Pos.X + 2.25; !(x > 66 && x < 69) || first.Actor.Speed > 0.1 {
		t.Errorf("at red the front of the first is at %.2f m, at %.2f m/s; want it to stand 2 m before 70 m", x,
			first.Actor.Speed)
	}
	if second.Actor.Speed > 0.2 {
		t.Errorf("behind it the second goes at %.2f m/s", second.Actor.Speed)
	}
	if l := inTraffic(t, w, "light").Signal; l.Aspect != scene.RedLamp || l.Until != 12*time.Second {
		t.Errorf("the signal is %+v after 11.9 s; want red until 12 s", l)
	}
	watch(8)
	if first = inTraffic(t, w, "first"); first.Pose.Pos.X < 75 || first.Actor.Speed < 6 ||
		inTraffic(t, w, "light").Signal.Aspect != scene.GreenLamp {
		t.Errorf("8 s after green the first is at %v, at %.2f m/s", first.Pose.Pos, first.Actor.Speed)
	}
	if nearest < 1.5 || nearest > 4 {
		t.Errorf("from bumper to bumper they came within %.2f m; want about s0 = 2 m", nearest)
	}
	if v := first.Twist.Linear; math.Abs(v.X-first.Actor.Speed) > 0.05 {
		t.Errorf("its body moves at %v, and it says %.2f m/s", v, first.Actor.Speed)
	}
	if p := first.Pose.Pos; math.Abs(p.Y-50) > 1e-6 || math.Abs(p.Z) > 1e-3 {
		t.Errorf("it is at %v, beside its lane or not on the ground", p)
	}
}

func TestAFollowerStopsForWhoeverWalksInItsWay(t *testing.T) {
	w := onCrossing(t, engine.Options{})
	yes := true
	mustDo(t, w, sim.SetSignal{Name: "light", Phase: "green", Hold: true})
	if _, err := w.Apply(sim.SetEntityState{Name: "ego", Pose: &r3.Pose{Pos: r3.V(150, 50, 0.02),
		Rot: r3.Identity()}}, engine.Loaded{}); err != nil {
		t.Fatal(err)
	}
	advance(t, w, stepsOf(w, 25))
	if a := inTraffic(t, w, "first"); math.Abs(a.Pose.Pos.X+2.25-(150-2.2)) > 3.5 || a.Actor.Speed > 0.1 {
		t.Errorf("with the ego vehicle at 150 m the first is at %v, at %.2f m/s; want it to stand behind",
			a.Pose.Pos, a.Actor.Speed)
	}
	if p := inTraffic(t, w, "walker").Pose.Pos; p.Dist(r3.V(110, 45, 0)) > 1e-6 {
		t.Errorf("the walker, whom nobody told to go, is at %v", p)
	}
	mustDo(t, w, sim.SetActor{Name: "walker", Moving: &yes})
	advance(t, w, stepsOf(w, 2.5))
	if p := inTraffic(t, w, "walker"); p.Pose.Pos.Dist(r3.V(110, 50, 0)) > 0.02 || p.Twist.Linear.Y < 1 {
		t.Errorf("half way the walker is at %v, with %v", p.Pose.Pos, p.Twist.Linear)
	}
	advance(t, w, stepsOf(w, 4))
	if p := inTraffic(t, w, "walker").Pose.Pos; p.Dist(r3.V(110, 55, 0)) > 1e-6 {
		t.Errorf("at the end the walker is at %v", p)
	}
}

func mustDo(t testing.TB, w *engine.World, c sim.Command) {
	t.Helper()
	if _, err := w.Apply(c, engine.Loaded{}); err != nil {
		t.Fatalf("%s: %v", sim.Describe(c), err)
	}
}

func TestAnActorGoesRoundAClosedLaneAtItsSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 3 s")
	}
	w := onCrossing(t, engine.Options{})
	advance(t, w, stepsOf(w, 40)) // once around 160 m at 4 m/s
	a := inTraffic(t, w, "round")
	if math.Abs(a.Pose.Pos.X-20) > 0.8 || math.Abs(a.Pose.Pos.Y-120) > 0.8 {
		t.Errorf("after a round it is at %v, %.2f m along; want it at (20, 120)", a.Pose.Pos, a.Actor.At)
	}
	slow, no := 2.0, false
	mustDo(t, w, sim.SetActor{Name: "round", Speed: &slow})
	advance(t, w, stepsOf(w, 5))
	if a = inTraffic(t, w, "round"); math.Abs(a.Actor.Speed-2) > 1e-9 {
		t.Errorf("told to go at 2 m/s it goes at %.3f", a.Actor.Speed)
	}
	mustDo(t, w, sim.SetActor{Name: "round", Moving: &no})
	advance(t, w, stepsOf(w, 5))
	if a = inTraffic(t, w, "round"); a.Actor.Speed != 0 || a.Twist.Linear.Len() > 1e-9 || a.Actor.Moving {
		t.Errorf("told to stop it goes at %+v, with %v", a.Actor, a.Twist)
	}
}

func TestAnActorIsAtTheBeginningAgainWhenItIsFree(t *testing.T) {
	w := onCrossing(t, engine.Options{})
	block := func(x float64) {
		mustDo(t, w, sim.SetEntityState{Name: "ego", Pose: &r3.Pose{Pos: r3.V(x, 180, 0.02),
			Rot: r3.Identity()}})
	}
	block(23)
	advance(t, w, stepsOf(w, 6))
	if a := inTraffic(t, w, "late"); math.Abs(a.Pose.Pos.X-60) > 0.1 || a.Actor.Speed != 0 {
		t.Errorf("with the ego vehicle at the beginning it is at %v, at %g m/s; want it to wait at the end",
			a.Pose.Pos, a.Actor.Speed)
	}
	block(100)
	advance(t, w, stepsOf(w, 4))
	if a := inTraffic(t, w, "late"); !(a.Pose.Pos.X > 22 && a.Pose.Pos.X < 40) || a.Actor.Speed != 5 {
		t.Errorf("4 s after the ego vehicle has left it is at %v, at %g m/s", a.Pose.Pos, a.Actor.Speed)
	}
}

// TestTheLaneOfAnActorLiesWhereTheActorIsSpawned spawns a follower turned by a quarter, with a box in its
// way.
func TestTheLaneOfAnActorLiesWhereTheActorIsSpawned(t *testing.T) {
	w := onCrossing(t, engine.Options{})
	lib := crossing()
	spawn := func(name, text string, pose r3.Pose) {
		c := sim.Spawn{Name: name, Resource: scene.Resource{Document: text}, Pose: sim.FramedPose{Pose: pose}}
		if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
			t.Fatal(err)
		}
	}
	turned := func(x, y float64) r3.Pose {
		return r3.Pose{Pos: r3.V(x, y, 0), Rot: r3.FromRPY(0, 0,
			math.Pi/2)}
	}
	spawn("guest", "lanes: {own: {points: [[0, 0], [100, 0]]}}\nactors: {guest: {lane: own, start: 10, follow: {v0: 10}}}\n",
		turned(150, 100))
	spawn("parked", "lanes: {own: {points: [[0, 0], [100, 0]]}}\nactors: {parked: {lane: own, start: 10, held: true}}\n",
		turned(150, 140))
	advance(t, w, stepsOf(w, 20))
	g := inTraffic(t, w, "guest")
	if p := g.Pose.Pos; math.Abs(p.X-150) > 1e-6 || math.Abs(p.Y+2.25-(140-2.25-2)) > 0.3 ||
		g.Actor.Speed > 0.1 {
		t.Errorf("the follower is at %v, at %.2f m/s; want it 2 m behind the car that is parked at (150, 140)", p,
			g.Actor.Speed)
	}
	if f := g.Pose.Rot.Rotate(r3.V(1, 0, 0)); f.Dist(r3.V(0, 1, 0)) > 1e-9 {
		t.Errorf("it looks to %v, want the lane's direction, which is north here", f)
	}
}

func TestCommandsToTrafficThatCannotBeAreRefusedAndChangeNothing(t *testing.T) {
	w := onCrossing(t, engine.Options{})
	fast, ten, nan := 1e9, 10.0, math.NaN()
	before := w.Hash()
	for _, c := range []struct {
		c    sim.Command
		is   error
		says string
	}{
		{sim.SetActor{Name: "nobody"}, sim.ErrNotFound, `no entity is named "nobody"`},
		{sim.SetActor{Name: "ego"}, sim.ErrUnsupported, "ego is no actor"},
		{sim.SetActor{Name: "first", Speed: &fast}, sim.ErrFailed, "0 to 200 is possible"},
		{sim.SetActor{Name: "first", Speed: &nan}, sim.ErrFailed, "NaN m/s"},
		{sim.SetActor{Name: "walker", Speed: &ten}, sim.ErrUnsupported, "keeps the times of its trajectory"},
		{sim.SetSignal{Name: "first"}, sim.ErrUnsupported, "first is no traffic signal"},
		{sim.SetSignal{Name: "light", Phase: "gren"}, sim.ErrNotFound, `no phase "gren"; did you mean "green"?`},
	} {
		if _, err := w.Apply(c.c, engine.Loaded{}); !errors.Is(err, c.is) || !strings.Contains(err.Error(),
			c.says) {
			t.Errorf("%s: %v, want %q", sim.Describe(c.c), err, c.says)
		}
	}
	if w.Hash() != before {
		t.Error("refused commands have changed the world")
	}
}

// TestTrafficGoesOnExactlyFromWhereItWas takes the world up in the middle, rewinds and resets it.
func TestTrafficGoesOnExactlyFromWhereItWas(t *testing.T) {
	play := func(w *engine.World, n int) (hashes []uint64) {
		for range n {
			advance(t, w, 1)
			hashes = append(hashes, w.Hash())
		}
		return hashes
	}
	w := onCrossing(t, engine.Options{Rewind: time.Minute})
	start := w.Hash()
	play(w, 500)
	mustDo(t, w, sim.SetSignal{Name: "light", Phase: "yellow"})
	yes, speed := true, 5.0
	mustDo(t, w, sim.SetActor{Name: "walker", Moving: &yes})
	mustDo(t, w, sim.SetActor{Name: "first", Speed: &speed})
	play(w, 500)
	c, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	want := play(w, 700)
	again, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Apply(c, engine.Load(crossing(), c)); err != nil {
		t.Fatal(err)
	}
	for i, h := range play(again, 700) {
		if h != want[i] {
			t.Fatalf("taken up in the middle it differs %d steps later", i+1)
		}
	}
	mustDo(t, w, sim.Rewind{Back: 300 * w.StepSize()})
	mustDo(t, w, sim.SetState{State: sim.Playing})
	if got := play(w, 300); got[299] != want[699] {
		t.Error("after a rewind it does not come to the same")
	}
	mustDo(t, w, sim.Reset{})
	if w.Hash() != start {
		t.Error("after a reset it is not as at the beginning")
	}
}

func TestTheCameraOfTheEgoVehicleSeesTheLampThatIsLit(t *testing.T) {
	w := onCrossing(t, engine.Options{})
	for _, c := range []struct {
		phase      string
		red, green bool
	}{{"red", true, false}, {"green", false, true}, {"red", true, false}} {
		mustDo(t, w, sim.SetEntityState{Name: "ego", Pose: &r3.Pose{Pos: r3.V(66, 53, 0.02),
			Rot: r3.Identity()}})
		mustDo(t, w, sim.SetSignal{Name: "light", Phase: c.phase, Hold: true})
		advance(t, w, stepsOf(w, 0.2))
		red, green := 0, 0
		rgb := picture(t, w).Image.RGB
		for i := 0; i < len(rgb); i += 3 {
			switch r, g := int(rgb[i]), int(rgb[i+1]); {
			case r > 200 && g < 100:
				red++
			case g > 200 && r < 100:
				green++
			}
		}
		if (red > 5) != c.red || (green > 5) != c.green {
			t.Errorf("at %s a picture has %d bright red pixels and %d bright green ones", c.phase, red, green)
		}
	}
}

// picture is the newest picture of the ego vehicle's camera.
func picture(t *testing.T, w *engine.World) *sim.CameraImage {
	t.Helper()
	for _, m := range samplesOfEgo(t, w) {
		if p, ok := m.Data.(*sim.CameraImage); ok {
			return p
		}
	}
	t.Fatal("the ego vehicle has made no picture")
	return nil
}

func samplesOfEgo(t *testing.T, w *engine.World) []sim.Sample {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find("ego")
	if !ok {
		t.Fatal("there is no ego vehicle")
	}
	return s.SamplesOf(i)
}

func TestTheLidarOfTheEgoVehicleMeasuresACarThatDrivesPastIt(t *testing.T) {
	w := onCrossing(t, engine.Options{})
	mustDo(t, w, sim.SetEntityState{Name: "ego", Pose: &r3.Pose{Pos: r3.V(40, 55, 0.02), Rot: r3.Identity()}})
	nearest := math.Inf(1)
	for range stepsOf(w, 3) {
		advance(t, w, 1)
		for _, m := range samplesOfEgo(t, w) {
			scan, ok := m.Data.(*sim.LidarScan)
			if !ok {
				continue
			}
			// rays to the right are a quarter into each row, from -180°
			for k := scan.Spec.Columns / 4; k < len(scan.Ranges); k += scan.Spec.Columns {
				nearest = min(nearest, float64(scan.Ranges[k]))
			}
		}
	}
	// the side of the car is at y = 50.9, and the lidar at 55, 2.2 m high
	if nearest < 4 || nearest > 6 {
		t.Errorf("to the right the lidar measures %.2f m at the nearest while a car drives past 4.1 m beside it",
			nearest)
	}
}

func TestRunningIntoAnActorIsACollisionOfTheEgoVehicle(t *testing.T) {
	w := onCrossing(t, engine.Options{})
	before := egoCar(t, w).Bumps
	mustDo(t, w, sim.SetEntityState{Name: "ego", Pose: &r3.Pose{Pos: r3.V(110, 38, 0.02),
		Rot: r3.FromRPY(0, 0, math.Pi/2)}})
	for range stepsOf(w, 4) {
		mustDo(t, w, sim.DriveEntity{Name: "ego", Twist: r3.Twist{Linear: r3.V(3, 0, 0)}})
		advance(t, w, 1)
	}
	if after := egoCar(t, w).Bumps; after == before {
		t.Errorf("the ego vehicle drove against a pedestrian at %v, and counts no collision",
			inTraffic(t, w, "walker").Pose.Pos)
	}
}

func egoCar(t *testing.T, w *engine.World) *sim.CarReading {
	t.Helper()
	s := w.Snapshot()
	i, _ := s.Find("ego")
	return s.OdomOf(i)[0].Car
}
