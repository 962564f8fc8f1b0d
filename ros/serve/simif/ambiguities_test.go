package simif

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/robot"
	"simdeck/sim"
)

// clock is the time of the state of an entity, which every answer is stamped with.
func (y *yard) clock() time.Duration {
	y.T.Helper()
	s := y.state("post").State.Header.Stamp
	return node.SimDuration(s)
}

func (y *yard) bounds(name string) *simif2.GetEntityBoundsResponse {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/get_entity_bounds", simif2.GetEntityBoundsService(),
		&simif2.GetEntityBoundsRequest{Entity: name})
}

// held are the tests of the decisions, by their questions.
func held() map[string]func(t *testing.T, y *yard) {
	return map[string]func(t *testing.T, y *yard){
		"STOPPED to PAUSED":                        stoppedToPaused,
		"step while not PAUSED, also from STOPPED": stepWhileNotPaused,
		"PAUSED while steps run":                   pausedWhileStepping,
		"steps = 0":                                noSteps,
		"when StepSimulation answers":              whenSteppingAnswers,
		"second stepping request while one runs":   secondSteps,
		"name filter":                              nameFilter,
		"box corners":                              boxCorners,
		"frame of bounds":                          frameOfBounds,
		"frame of twist and acceleration":          frameOfTwist,
		"state after ResetSimulation":              stateAfterReset,
		"reset scope":                              resetScope,
		"already in the target state":              alreadyThere,
		"frame of SetEntityState afterwards":       frameAfterwards,
		"what PAUSED stops":                        whatPausedStops,
		"what an entity is":                        whatAnEntityIs,
		"which entities were spawned":              whichWereSpawned,
		"a batch of which some fail":               batchSomeFail,
		"arrays of different lengths in the draft of SpawnEntities": arraysOfTwoLengths,
		"all-zero quaternion in a request":                          zeroQuaternion,
		"a world that cannot be loaded":                             failedLoad,
		"service prefix":                                            servicePrefix,
	}
}

func failedLoad(t *testing.T, y *yard) {
	want(t, "spawn", y.spawn(crateAt("mine", 0, 0, 2)).Result, ok)
	for _, state := range []sim.State{sim.Paused, sim.Playing} {
		if state == sim.Playing {
			want(t, "play", y.become(sim.Playing), ok)
		}
		before := y.clock()
		for _, uri := range []string{"world://@cache@/atlantis", "world://@cache@/broken",
			"world://@cache@/odd", "world://@cache@/models/crate/drawing.usd"} {
			if r := y.load(uri).Result; r.Result == ok {
				t.Errorf("%s is loaded", uri)
			}
			if y.now() != state || !slices.Contains(y.entities(simif2.EntityFilters{}).Entities, "mine") {
				t.Errorf("after %s the state is %s with %v", uri, y.now(),
					y.entities(simif2.EntityFilters{}).Entities)
			}
		}
		if now := y.clock(); now < before || state == sim.Paused && now != before {
			t.Errorf("%s: the clock went from %v to %v", state, before, now)
		}
	}
}

func stoppedToPaused(t *testing.T, y *yard) {
	want(t, "steps", y.step(5), ok)
	want(t, "stop", y.become(sim.Stopped), ok)
	if y.now() != sim.Stopped || y.clock() != 0 {
		t.Errorf("stopped it is %s at %v", y.now(), y.clock())
	}
	want(t, "pause", y.become(sim.Paused), ok)
	time.Sleep(time.Second)
	if y.now() != sim.Paused || y.clock() != 0 {
		t.Errorf("from stopped to paused it is %s at %v", y.now(), y.clock())
	}
	want(t, "a step from there", y.step(1), ok)
}

func stepWhileNotPaused(t *testing.T, y *yard) {
	for _, s := range []sim.State{sim.Stopped, sim.Playing} {
		want(t, "to "+s.String(), y.become(s), ok)
		r := y.step(1)
		want(t, "a step while "+s.String(), r, operationFailed)
		if !strings.Contains(r.ErrorMessage, s.String()) || !strings.Contains(r.ErrorMessage, "paused") {
			t.Errorf("it says %q: want the state it is in and the one it needs", r.ErrorMessage)
		}
	}
}

func pausedWhileStepping(t *testing.T, y *yard) {
	ended := make(chan error, 1)
	go func() {
		_, err := y.Engine.Do(context.Background(), sim.StepWorld{N: 1 << 40})
		ended <- err
	}()
	for y.Engine.Snapshot().Stats.Steps == 0 {
		runtime.Gosched()
	}
	if _, err := y.Engine.Do(context.Background(), sim.SetState{State: sim.Paused}); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, sim.ErrCancelled) {
		t.Errorf("the steps end with %v", err)
	}
	want(t, "again", y.become(sim.Paused), 101)
}

func noSteps(t *testing.T, y *yard) {
	want(t, "no steps", y.step(0), ok)
	if y.clock() != 0 {
		t.Errorf("no steps lead to %v", y.clock())
	}
}

func whenSteppingAnswers(t *testing.T, y *yard) {
	n, err := node.New(node.Config{Name: "clock", Transport: y.Net.Host("clock")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := robot.New(n, y.Engine); err != nil {
		t.Fatal(err)
	}
	rostest.Run(y.T, "clock", n.Run)
	var mu sync.Mutex
	var last rosgraphmsgs.Clock
	if _, err := node.NewSubscription(y.Client, "/clock", node.DefaultQoS(),
		func(_ context.Context, m *rosgraphmsgs.Clock, _ node.Origin) {
			mu.Lock()
			defer mu.Unlock()
			last = *m
		}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second)
	for i, steps := range []uint64{25, 1, 7} {
		want(t, "steps", y.step(steps), ok)
		at := time.Duration([]int{25, 26, 33}[i]) * 4 * time.Millisecond
		if y.Engine.Snapshot().Time != at || y.clock() != at {
			t.Errorf("when it answers the time is %v, want %v", y.clock(), at)
		}
		time.Sleep(time.Second)
		mu.Lock()
		if got := node.SimDuration(last.Clock); got != at {
			t.Errorf("/clock went to %v, want %v", got, at)
		}
		mu.Unlock()
	}
}

func secondSteps(t *testing.T, y *yard) {
	first := make(chan simif2.Result, 1)
	go func() { first <- y.step(500) }()
	time.Sleep(time.Second)
	want(t, "a step", y.step(1), incorrectState)
	y.simulate(y.stepper(), 1).ends("a goal", node.GoalAborted, incorrectState)
	want(t, "the first", <-first, ok)
}

func nameFilter(t *testing.T, y *yard) {
	for filter, names := range map[string][]string{
		"rate_": {"crate_a", "crate_b"}, "^p.*t$": {"post"}, "a{2}": {}, "(floor|_b)": {"crate_b", "floor"},
		"[[:alpha:]]_a$": {"crate_a"}} {
		r := y.entities(simif2.EntityFilters{Filter: filter})
		if want(t, filter, r.Result, ok); !slices.Equal(r.Entities, names) {
			t.Errorf("%q finds %q, want %q", filter, r.Entities, names)
		}
	}
	r := y.entities(simif2.EntityFilters{Filter: "crate_(a"})
	want(t, "a bad expression", r.Result, operationFailed)
	if !strings.Contains(r.Result.ErrorMessage, "position") {
		t.Errorf("a bad expression is answered with %q, which names no position", r.Result.ErrorMessage)
	}
}

func boxCorners(t *testing.T, y *yard) {
	p := y.bounds("crate_a").Bounds.Points
	if len(p) != 2 || p[0].X <= p[1].X || p[0].Y <= p[1].Y || p[0].Z <= p[1].Z {
		t.Errorf("the corners are sent as %+v, want the greater first", p)
	}
	less, greater := geometrymsgs.Vector3{X: -1, Y: 1, Z: 0.1}, geometrymsgs.Vector3{X: 1, Y: 3, Z: 1}
	for _, corners := range [][]geometrymsgs.Vector3{{less, greater}, {greater, less}} {
		r := y.entities(simif2.EntityFilters{Bounds: simif2.Bounds{Type: simif2.BoundsTypeBox,
			Points: corners}})
		if !slices.Equal(r.Entities, []string{"crate_a"}) {
			t.Errorf("in the box of %+v are %q", corners, r.Entities)
		}
	}
}

func frameOfBounds(t *testing.T, y *yard) {
	// Turned by 90° at y = -2: its world box is 0.4 by 0.2 elsewhere.
	if p := y.bounds("crate_b").Bounds.Points; len(p) != 2 || near(p[0], 0.1, 0.2, 0.3) > 1e-3 ||
		near(p[1], -0.1, -0.2, -0.3) > 1e-3 {
		t.Errorf("the box is %+v", p)
	}
}

func frameOfTwist(t *testing.T, y *yard) {
	s := simif2.EntityState{}
	s.Header.FrameID = "crate_b" // its x is the world's y
	s.Twist.Linear.X, s.Twist.Angular.Z = 2, 1
	s.Acceleration.Linear.X = 100
	want(t, "twist", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: s, SetTwist: true}),
		ok)
	got := y.state("crate_a").State
	if v := got.Twist.Linear; got.Header.FrameID != "world" || math.Abs(v.X) > 1e-6 ||
		math.Abs(v.Y-2) > 1e-6 || math.Abs(got.Twist.Angular.Z-1) > 1e-6 {
		t.Errorf("2 m/s along the x of crate_b are %+v in %q", got.Twist, got.Header.FrameID)
	}
	want(t, "acceleration", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: s,
		SetAcceleration: true}), ok)
	want(t, "a step", y.step(1), ok)
	if a := y.state("crate_a").State.Acceleration.Linear; a.Y < 50 || math.Abs(a.X) > 20 {
		t.Errorf("100 m/s² along the x of crate_b are measured as %+v", a)
	}
}

func stateAfterReset(t *testing.T, y *yard) {
	for _, s := range []sim.State{sim.Paused, sim.Playing} {
		if y.now() != s {
			want(t, "to "+s.String(), y.become(s), ok)
		}
		for _, scope := range []uint8{0, 1, 2, 4, 255} {
			if want(t, "reset", y.reset(scope), ok); y.now() != s {
				t.Errorf("after a reset of scope %d while %s it is %s", scope, s, y.now())
			}
		}
	}
}

func resetScope(t *testing.T, y *yard) {
	for scope := range uint8(16) {
		want(t, "extra", y.spawn(crateAt("extra", 30, 0, 0.3)).Result, ok)
		want(t, "step", y.step(10), ok)
		moved := simif2.EntityState{}
		moved.Pose.Position.X = 7
		for _, name := range []string{"crate_a", "extra"} {
			want(t, "move", y.setState(simif2.SetEntityStateRequest{Entity: name, State: moved,
				SetPose: true}), ok)
		}
		code := ok
		if scope == 8 {
			code = featureUnsupported
		}
		want(t, "reset", y.reset(scope), code)
		all := scope == 0
		if got := y.clock() == 0; got != (all || scope&1 != 0) {
			t.Errorf("scope %d: time is zero: %v", scope, got)
		}
		if got := y.state("crate_a").State.Pose.Position.X == 0; got != (all || scope&2 != 0) {
			t.Errorf("scope %d: the crate of the world is back: %v", scope, got)
		}
		extra := y.state("extra")
		if gone := extra.Result.Result == notFound; gone != (all || scope&4 != 0) {
			t.Errorf("scope %d: the spawned crate is gone: %v", scope, gone)
		} else if back := extra.State.Pose.Position.X == 30; !gone && back != (scope&2 != 0) {
			t.Errorf("scope %d: the spawned crate is where it was spawned: %v", scope, back)
		}
		want(t, "all", y.reset(255), ok)
	}
}

func alreadyThere(t *testing.T, y *yard) {
	want(t, "steps", y.step(3), ok)
	for _, s := range []sim.State{sim.Paused, sim.Playing, sim.Stopped} {
		if y.now() != s {
			want(t, "to "+s.String(), y.become(s), ok)
		}
		before := y.Engine.Snapshot().Model
		want(t, "to "+s.String()+" again", y.become(s), 101)
		if y.now() != s || y.Engine.Snapshot().Model != before {
			t.Errorf("asked for %s again it is %s, or something changed", s, y.now())
		}
	}
}

func whatAnEntityIs(t *testing.T, y *yard) {
	want(t, "spawn", y.spawn(crateAt("mine", 9, 9, 1)).Result, ok)
	if names := y.entities(simif2.EntityFilters{}).Entities; !slices.Equal(names,
		[]string{"crate_a", "crate_b", "floor", "mine", "post"}) {
		t.Errorf("the entities are %q: want the models of the world, what cannot move included, and what was spawned",
			names)
	}
}

func whichWereSpawned(t *testing.T, y *yard) {
	want(t, "spawn", y.spawn(crateAt("mine", 9, 9, 1)).Result, ok)
	tagged := func(mode uint8, tags ...string) []string {
		r := y.entities(simif2.EntityFilters{Tags: simif2.TagsFilter{Tags: tags, FilterMode: mode}})
		want(t, "entities by tags", r.Result, ok)
		return r.Entities
	}
	for _, own := range []string{"[crate marked]", "[mine simdeck:world]"} { // the tags of its sidecar, then ours
		for _, c := range []struct {
			want []string
			mode uint8
			tags []string
		}{
			{[]string{"mine"}, simif2.TagsFilterModeAny, []string{"simdeck:spawned"}},
			{[]string{"crate_a", "crate_b", "floor", "post"}, simif2.TagsFilterModeAny,
				[]string{"simdeck:world"}},
			{[]string{"crate_a", "crate_b", "post"}, simif2.TagsFilterModeAll,
				[]string{"marked", "simdeck:world"}},
			{[]string{}, simif2.TagsFilterModeAll, []string{"simdeck:spawned", "simdeck:world"}},
		} {
			if got := tagged(c.mode, c.tags...); !slices.Equal(got, c.want) {
				t.Errorf("tags %q let %q through, want %q", c.tags, got, c.want)
			}
		}
		info := rostest.Ask(y.Stage, "/get_entity_info", simif2.GetEntityInfoService(),
			&simif2.GetEntityInfoRequest{Entity: "mine"})
		if got := fmt.Sprint(info.Info.Tags); got != own {
			t.Errorf("its info has the tags %s, want %s: those of its author", got, own)
		}
		want(t, "new tags", rostest.Ask(y.Stage, "/set_entity_info", simif2.SetEntityInfoService(),
			&simif2.SetEntityInfoRequest{Entity: "mine",
				Info: simif2.EntityInfo{Tags: []string{"mine", "simdeck:world"}}}).Result, ok)
	}
}

func frameAfterwards(t *testing.T, y *yard) {
	s := simif2.EntityState{}
	s.Header.FrameID, s.Pose.Position.X, s.Pose.Position.Z = "crate_b", 3, 1
	want(t, "into the frame", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: s,
		SetPose: true}), ok)
	s.Header.FrameID, s.Pose.Position.X = "", 20
	want(t, "the frame goes on", y.setState(simif2.SetEntityStateRequest{Entity: "crate_b", State: s,
		SetPose: true}), ok)
	got := y.state("crate_a").State
	if p := got.Pose.Position; got.Header.FrameID != "world" || math.Abs(p.X) > 1e-4 ||
		math.Abs(p.Y-1) > 1e-4 {
		t.Errorf("3 m along the x of crate_b, which then went away, it is at %+v in %q", p,
			got.Header.FrameID)
	}
}

func whatPausedStops(t *testing.T, y *yard) {
	want(t, "spawn", y.spawn(crateAt("falling", 9, 9, 90)).Result, ok)
	want(t, "play", y.become(sim.Playing), ok)
	time.Sleep(100 * time.Millisecond)
	want(t, "pause", y.become(sim.Paused), ok)
	before := y.state("falling").State
	time.Sleep(time.Second)
	after := y.state("falling").State
	if before != after || before.Pose.Position.Z >= 90 {
		t.Errorf("paused, what fell from 90 m goes from %+v to %+v", before, after)
	}
}

func batchSomeFail(t *testing.T, y *yard) {
	q := simif2.SpawnEntitiesRequest{}
	for i, name := range []string{"first", "post", "last"} {
		one := crateAt(name, 9, 3*float64(i), 1)
		q.SpawnRequests = append(q.SpawnRequests, simif2.SpawnEntity{Name: one.Name,
			EntityResource: one.EntityResource, InitialPose: one.InitialPose})
	}
	r := rostest.Ask(y.Stage, "/spawn_entities", simif2.SpawnEntitiesService(), &q)
	want(t, "as a whole", r.Result, 150)
	want(t, "the first", r.Results[0].Result, ok)
	want(t, "the one whose name is in use", r.Results[1].Result, 101)
	want(t, "the last", r.Results[2].Result, ok)
	if names := y.entities(simif2.EntityFilters{Filter: "first|last"}).Entities; len(names) != 2 {
		t.Errorf("of those that succeeded stay %q", names)
	}
}

func arraysOfTwoLengths(t *testing.T, y *yard) {
	crate := simif2.Resource{URI: "model://crate"}
	r := rostest.Ask(y.Stage, "/spawn_entities", simifdraft.SpawnEntitiesService(),
		&simifdraft.SpawnEntitiesRequest{Names: []string{"x", "y"},
			EntityResources: []simif2.Resource{crate}})
	if len(r.Results) != 2 {
		t.Fatalf("%d results of two names", len(r.Results))
	}
	for _, one := range r.Results {
		want(t, "two names beside one resource", one, operationFailed)
	}
	if names := y.entities(simif2.EntityFilters{Filter: "^[xy]$"}).Entities; len(names) != 0 {
		t.Errorf("%q were spawned", names)
	}
}

func zeroQuaternion(t *testing.T, y *yard) {
	q := crateAt("zero", 9, 9, 1)
	q.InitialPose.Pose.Orientation = geometrymsgs.Quaternion{}
	want(t, "spawn", y.spawn(q).Result, ok)
	if o := y.state("zero").State.Pose.Orientation; o.W != 1 {
		t.Errorf("it stands turned by %+v", o)
	}
	s := simif2.EntityState{}
	s.Pose.Orientation = geometrymsgs.Quaternion{}
	want(t, "set", y.setState(simif2.SetEntityStateRequest{Entity: "crate_b", State: s, SetPose: true}), ok)
	if o := y.state("crate_b").State.Pose.Orientation; o.W != 1 {
		t.Errorf("it was put turned by %+v", o)
	}
	s.Pose.Orientation.Y = math.NaN()
	want(t, "a rotation that is none",
		y.setState(simif2.SetEntityStateRequest{Entity: "crate_b", State: s, SetPose: true}), 101)
}

func servicePrefix(t *testing.T, y *yard) {
	n, err := node.New(node.Config{Name: "other", Namespace: "/b/c", Transport: y.Net.Host("b")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Node: n, Backend: y.Engine}); err != nil {
		t.Fatal(err)
	}
	rostest.Run(y.T, "other", n.Run)
	r := rostest.Ask(y.Stage, "/b/c/get_simulation_state", simif2.GetSimulationStateService(),
		&simif2.GetSimulationStateRequest{})
	want(t, "in the namespace", r.Result, ok)
	var names []string
	for range 100 {
		names = nil
		for _, s := range y.Client.Servers() {
			if s.Type == "simulation_interfaces/srv/GetSimulationState" {
				names = append(names, s.Name)
			}
		}
		if len(names) == 2 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if !slices.Equal(names, []string{"/b/c/get_simulation_state", "/get_simulation_state"}) {
		t.Errorf("by their type are found %q", names)
	}
}

func TestEveryDecisionIsHeld(t *testing.T) {
	questions := map[string]bool{}
	for _, d := range SpecAmbiguities() {
		questions[d.Question] = true
		t.Run(d.Question, func(t *testing.T) {
			test := held()[d.Question]
			if test == nil || d.Answer == "" {
				t.Fatal("a decision that no test holds is a wish")
			}
			in := inTheYard
			if strings.Contains(d.Question, "while one runs") { // that lasts
				in = func(t *testing.T, f func(y *yard)) { pacedYard(t, 5*time.Millisecond, f) }
			}
			in(t, func(y *yard) { test(y.T, y) })
		})
	}
	for q := range held() {
		if !questions[q] {
			t.Errorf("%q is tested and not among the decisions that users are told", q)
		}
	}
}
