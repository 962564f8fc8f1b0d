package simif

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/simif2"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// The rows of the reference that other tests do not hold, by its sections.

func TestSimulationStateWhileAWorldIsLoading(t *testing.T) {
	inTheYard(t, func(y *yard) {
		y.slow.shut.Store(true)
		loaded := make(chan simif2.Result, 1)
		go func() { loaded <- y.load("world://@cache@/slow").Result }()
		time.Sleep(time.Second)
		if s := y.now(); s != sim.LoadingWorld {
			t.Errorf("while a world is loading the state is %s", s)
		}
		for _, s := range []sim.State{sim.Playing, sim.Paused, sim.Stopped} {
			want(t, "to "+s.String(), y.become(s), 103)
		}
		want(t, "spawn", y.spawn(crateAt("x", 9, 9, 1)).Result, incorrectState)
		want(t, "entities", y.entities(simif2.EntityFilters{}).Result, incorrectState)
		want(t, "step", y.step(1), operationFailed)
		want(t, "another world", y.load("world://@cache@/yard").Result, incorrectState)
		close(y.slow.open)
		want(t, "the world", <-loaded, ok)
		if s := y.now(); s != sim.Stopped {
			t.Errorf("loaded, the state is %s", s)
		}
	})
}

func TestSimulationStateWithoutAWorld(t *testing.T) {
	inTheYard(t, func(y *yard) {
		want(t, "unload", rostest.Ask(y.Stage, "/unload_world", simif2.UnloadWorldService(),
			&simif2.UnloadWorldRequest{}).Result, ok)
		for _, s := range []sim.State{sim.Playing, sim.Paused, sim.Stopped, sim.LoadingWorld} {
			want(t, "to "+s.String(), y.become(s), 103)
		}
		want(t, "to a state that is none", y.become(9), operationFailed)
		if s := y.now(); s != sim.NoWorld {
			t.Errorf("the state is %s", s)
		}
	})
}

func TestStoppingResetsEverything(t *testing.T) {
	for _, from := range []sim.State{sim.Paused, sim.Playing} {
		inTheYard(t, func(y *yard) {
			want(t, "spawn", y.spawn(crateAt("extra", 9, 9, 1)).Result, ok)
			want(t, "steps", y.step(10), ok)
			moved := simif2.EntityState{}
			moved.Pose.Position.X = 7
			want(t, "move", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: moved,
				SetPose: true}), ok)
			want(t, "delete", y.remove("crate_b"), ok)
			if from == sim.Playing {
				want(t, "play", y.become(sim.Playing), ok)
			}
			want(t, "stop", y.become(sim.Stopped), ok)
			time.Sleep(time.Second)
			names := y.entities(simif2.EntityFilters{}).Entities
			if x := y.state("crate_a").State.Pose.Position.X; y.clock() != 0 || x != 0 ||
				!slices.Equal(names, []string{"crate_a", "crate_b", "floor", "post"}) {
				t.Errorf("stopped from %s the time is %v, the crate at %g, the entities are %q", from,
					y.clock(), x, names)
			}
		})
	}
}

func TestNobodySeesHalfAReset(t *testing.T) {
	inTheYard(t, func(y *yard) {
		want(t, "spawn", y.spawn(crateAt("extra", 9, 9, 1)).Result, ok)
		want(t, "steps", y.step(10), ok)
		pictures := y.Engine.Subscribe(sim.Lossless(64, 0))
		defer pictures.Close()
		<-pictures.C() // as it is
		want(t, "reset", y.reset(7), ok)
		time.Sleep(time.Second)
		n := len(pictures.C())
		for range n {
			s := <-pictures.C()
			if _, there := s.Find("extra"); there || s.Time != 0 {
				t.Errorf("a picture at %v in which what was spawned is there: %v", s.Time, there)
			}
		}
		if n == 0 {
			t.Error("the reset is no news")
		}
	})
}

func TestResettingStatePutsBackWhatWasSpawnedAndWhatWasSaid(t *testing.T) {
	inTheYard(t, func(y *yard) {
		want(t, "spawn", y.spawn(crateAt("extra", 9, 8, 0.3)).Result, ok)
		s := simif2.EntityState{}
		s.Pose.Position.X, s.Twist.Linear.X = 3, 2
		want(t, "move", y.setState(simif2.SetEntityStateRequest{Entity: "extra", State: s, SetPose: true,
			SetTwist: true}), ok)
		want(t, "info", rostest.Ask(y.Stage, "/set_entity_info", simif2.SetEntityInfoService(),
			&simif2.SetEntityInfoRequest{Entity: "crate_a",
				Info: simif2.EntityInfo{Description: "other"}}).Result, ok)
		want(t, "reset", y.reset(2), ok)
		if got := y.state("extra").State; got.Pose.Position.X != 9 || got.Pose.Position.Y != 8 ||
			got.Twist.Linear.X != 0 {
			t.Errorf("what was spawned is at %+v with %+v", got.Pose.Position, got.Twist.Linear)
		}
		if i := rostest.Ask(y.Stage, "/get_entity_info", simif2.GetEntityInfoService(),
			&simif2.GetEntityInfoRequest{Entity: "crate_a"}); i.Info.Description != "A crate" {
			t.Errorf("the description is %q", i.Info.Description)
		}
	})
}

func TestNamesOfEntities(t *testing.T) {
	inTheYard(t, func(y *yard) {
		for name, code := range map[string]uint8{
			"a/b-c.d_9": ok, strings.Repeat("n", 255): ok, strings.Repeat("n", 256): 102, "": 102, "ü": 102,
			"a b": 102, "world": 102, "post": 101} {
			q := crateAt(name, 40, 0, 0.3)
			want(t, name, y.spawn(q).Result, code)
		}
		q := crateAt("", 50, 0, 0.3)
		q.AllowRenaming = true
		for _, name := range []string{"crate", "crate_1", "crate_2"} {
			if r := y.spawn(q); r.Result.Result != ok || r.EntityName != name {
				t.Errorf("without a name it is called %q, want %q (%s)", r.EntityName, name,
					r.Result.ErrorMessage)
			}
		}
		q.EntityResource = simif2.Resource{ResourceString: strings.Replace(crateText, `model name="crate"`,
			`model name=""`, 1)}
		if r := y.spawn(q); r.Result.Result == ok && r.EntityName != "entity" {
			t.Errorf("a model without a name becomes %q", r.EntityName)
		}
	})
}

func TestFramesOfInitialPoses(t *testing.T) {
	inTheYard(t, func(y *yard) {
		for frame, at := range map[string][2]float64{"": {1, 0.5}, "world": {1, 0.5}, "dock": {2, 2.5},
			"crate_a": {1, 2.5}, "crate_b": {-0.5, -1}, "crate_b/body": {-0.5, -1}} {
			q := crateAt("framed"+strings.ReplaceAll(frame, "/", "."), 1, 0.5, 2)
			q.InitialPose.Header.FrameID = frame
			want(t, frame, y.spawn(q).Result, ok)
			if p := y.state(q.Name).State.Pose.Position; math.Abs(p.X-at[0]) > 1e-6 ||
				math.Abs(p.Y-at[1]) > 1e-6 {
				t.Errorf("1, 0.5 in %q are %g, %g, want %v", frame, p.X, p.Y, at)
			}
		}
		q := crateAt("lost", 1, 0, 0)
		q.InitialPose.Header.FrameID = "crate_a/nolink"
		want(t, "no such link", y.spawn(q).Result, 109)
	})
}

func TestErrorsOfResourcesNameTheirPlace(t *testing.T) {
	inTheYard(t, func(y *yard) {
		q := crateAt("x", 9, 9, 1)
		q.EntityResource = simif2.Resource{ResourceString: "<sdf version='1.9'>\n  <model name='m'>\n    <link name='l'></lnk>"}
		r := y.spawn(q).Result
		want(t, "syntax", r, 106)
		if !strings.Contains(r.ErrorMessage, ":3") {
			t.Errorf("the error is in line 3, it says %q", r.ErrorMessage)
		}
		q.EntityResource = simif2.Resource{ResourceString: strings.Replace(crateText,
			"<box><size>0.2 0.4 0.6</size></box>", "<mesh><uri>model://crate/torn.stl</uri></mesh>", 1)}
		r = y.spawn(q).Result
		want(t, "a mesh that cannot be read", r, 108)
		if !strings.Contains(r.ErrorMessage, "torn.stl") {
			t.Errorf("it says %q", r.ErrorMessage)
		}
	})
}

func TestStatesAreTheTruthOfTheLastStep(t *testing.T) {
	inTheYard(t, func(y *yard) {
		want(t, "spawn", y.spawn(crateAt("falling", 20, 20, 5)).Result, ok)
		want(t, "steps", y.step(100), ok)
		s := y.state("falling").State
		if v, a := s.Twist.Linear.Z, s.Acceleration.Linear.Z; math.Abs(v+3.92) > 0.05 ||
			math.Abs(a+9.8) > 0.1 {
			t.Errorf("after 0.4 s of falling the velocity is %g, the acceleration %g", v, a)
		}
		if s.Header.Stamp.Nanosec != 4e8 {
			t.Errorf("the stamp is %+v", s.Header.Stamp)
		}
		push := simif2.EntityState{}
		push.Acceleration.Linear.X = 25
		want(t, "push", y.setState(simif2.SetEntityStateRequest{Entity: "falling", State: push,
			SetAcceleration: true}), ok)
		want(t, "push what cannot move",
			y.setState(simif2.SetEntityStateRequest{Entity: "post", State: push, SetAcceleration: true}),
			operationFailed)
		want(t, "steps", y.step(3), ok)
		if v := y.state("falling").State.Twist.Linear.X; math.Abs(v-0.1) > 0.005 {
			t.Errorf("25 m/s² for one step of 4 ms give %g m/s", v)
		}
	})
}

func TestAnOverlapIsUndoneWithoutAnExplosion(t *testing.T) {
	inTheYard(t, func(y *yard) {
		into := simif2.EntityState{}
		into.Pose.Position.X, into.Pose.Position.Z = 5.02, 0.5 // inside the post
		want(t, "into the post", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: into,
			SetPose: true}), ok)
		for range 50 {
			want(t, "steps", y.step(5), ok)
			if v := y.state("crate_a").State.Twist.Linear; math.Abs(v.X)+math.Abs(v.Y)+math.Abs(v.Z) > 6 {
				t.Fatalf("it flies off with %+v m/s", v)
			}
		}
	})
}

func TestSpawnablesAreFoundAndCanBeSpawned(t *testing.T) {
	inTheYard(t, func(y *yard) {
		list := rostest.Ask(y.Stage, "/get_spawnables", simif2.GetSpawnablesService(),
			&simif2.GetSpawnablesRequest{Sources: []string{"/does/not/exist", "../.."}})
		want(t, "spawnables", list.Result, ok)
		for _, source := range []string{"/does/not/exist", "../.."} {
			if !strings.Contains(list.Result.ErrorMessage, source) {
				t.Errorf("of the source %s is said %q", source, list.Result.ErrorMessage)
			}
		}
		if len(list.Spawnables) != 1 {
			t.Fatalf("there are %+v", list.Spawnables)
		}
		for i, uri := range []string{list.Spawnables[0].EntityResource.URI, "model://crate",
			"model://crate/model.sdf"} {
			q := crateAt("one", 20+float64(i), 0, 1)
			q.AllowRenaming, q.EntityResource = true, simif2.Resource{URI: uri}
			want(t, uri, y.spawn(q).Result, ok)
		}
		for _, uri := range []string{"model://../../etc/passwd", "file:///etc/passwd",
			"model://crate/../../../etc/passwd"} {
			q := crateAt("out", 9, 9, 1)
			q.EntityResource = simif2.Resource{URI: uri}
			if r := y.spawn(q).Result; r.Result == ok || strings.Contains(r.ErrorMessage, "root:") {
				t.Errorf("%s is answered with %+v", uri, r)
			}
		}
	})
}

func TestLoadingIsAsStrictAsAsked(t *testing.T) {
	inTheYard(t, func(y *yard) {
		load := func(unsupported, ignore bool) simif2.Result {
			return rostest.Ask(y.Stage, "/load_world", simif2.LoadWorldService(),
				&simif2.LoadWorldRequest{WorldResource: simif2.Resource{URI: "world://@cache@/odd"},
					FailOnUnsupportedElement: unsupported, IgnoreMissingOrUnsupportedAssets: ignore}).Result
		}
		r := load(false, false)
		if want(t, "a missing mesh", r, 104); !strings.Contains(r.ErrorMessage, "nowhere.dae") ||
			y.now() != sim.Paused {
			t.Errorf("the state is %s, it says %q", y.now(), r.ErrorMessage)
		}
		if want(t, "ignored", load(false, true), ok); y.now() != sim.Stopped {
			t.Errorf("the state is %s", y.now())
		}
		r = load(true, true)
		if want(t, "an unsupported element", r, 106); !strings.Contains(r.ErrorMessage, "nobody_knows") &&
			!strings.Contains(r.ErrorMessage, "plugin") {
			t.Errorf("it says %q", r.ErrorMessage)
		}
	})
}
