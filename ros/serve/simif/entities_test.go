package simif

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func crateAt(name string, x, y, z float64) simif2.SpawnEntityRequest {
	q := *simif2.NewSpawnEntityRequest()
	q.Name, q.EntityResource.URI = name, "model://crate"
	q.InitialPose.Pose.Position = geometrymsgs.Point{X: x, Y: y, Z: z}
	return q
}

// One stranger's model that is read for ever delays the spawns of nobody else.
func TestASpawnThatIsReadForLongDelaysItsOwnClientAlone(t *testing.T) {
	inTheYard(t, func(y *yard) {
		n, err := node.New(node.Config{Name: "honest", Transport: y.Net.Host("honest")})
		if err != nil {
			t.Fatal(err)
		}
		rostest.Run(y.T, "honest", n.Run)
		honest := *y.Stage
		honest.Client = n
		y.slow.name = "models/crate/model.sdf"
		y.slow.shut.Store(true)
		spawned := make(chan uint8, 1)
		go func() { spawned <- y.spawn(crateAt("slow", 8, 8, 1)).Result.Result }()
		time.Sleep(time.Second)
		q := crateAt("quick", 9, 9, 1)
		q.EntityResource.URI, q.EntityResource.ResourceString = "", crateText
		began := time.Now()
		r := rostest.Ask(&honest, "/spawn_entity", simif2.SpawnEntityService(), &q)
		want(t, "another client's spawn", r.Result, ok)
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("it took %v", d)
		}
		close(y.slow.open)
		if code := <-spawned; code != ok {
			t.Errorf("the slow one: %d", code)
		}
	})
}

func TestWhatIsSpawnedIsThereAndWhatIsRefusedLeavesNothing(t *testing.T) {
	inTheYard(t, func(y *yard) {
		for _, c := range []struct {
			name   string
			change func(*simif2.SpawnEntityRequest)
			code   uint8
			says   string
		}{
			{"taken", func(q *simif2.SpawnEntityRequest) { q.Name = "post" }, 101, "post"},
			{"two words", func(q *simif2.SpawnEntityRequest) { q.Name = "two words" }, 102, "two words"},
			{"no name", func(q *simif2.SpawnEntityRequest) { q.Name = "" }, 102, ""},
			{"format", func(q *simif2.SpawnEntityRequest) { q.EntityResource.URI = "model://crate/drawing.usd" },
				103, "usd"},
			{"nothing", func(q *simif2.SpawnEntityRequest) { q.EntityResource.URI = "" }, 104, ""},
			{"namespace", func(q *simif2.SpawnEntityRequest) { q.EntityNamespace = "a-b" }, 105, "a-b"},
			{"syntax", func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{ResourceString: "<sdf version='1.9'><model name='m'>"}
			}, 106, ""},
			{"mesh", func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{ResourceString: strings.Replace(crateText,
					"<box><size>0.2 0.4 0.6</size></box>", "<mesh><uri>model://nowhere/hull.stl</uri></mesh>",
					1)}
			}, 107, "hull.stl"},
			{"position", func(q *simif2.SpawnEntityRequest) { q.InitialPose.Pose.Position.X = math.NaN() },
				109, "NaN"},
			{"rotation", func(q *simif2.SpawnEntityRequest) {
				q.InitialPose.Pose.Orientation.Z = math.Inf(1)
			},
				109, ""},
			{"frame", func(q *simif2.SpawnEntityRequest) { q.InitialPose.Header.FrameID = "nowhere" }, 109,
				"nowhere"},
			{"model", func(q *simif2.SpawnEntityRequest) { q.EntityResource.URI = "model://unicorn" },
				notFound, "unicorn"},
		} {
			q := crateAt("new", 10, 10, 0.3)
			c.change(&q)
			r := y.spawn(q)
			want(t, c.name, r.Result, c.code)
			if !strings.Contains(r.Result.ErrorMessage, c.says) {
				t.Errorf("%s: %q does not say %q", c.name, r.Result.ErrorMessage, c.says)
			}
			if n := len(y.entities(simif2.EntityFilters{}).Entities); n != 4 {
				t.Fatalf("%s: the world has %d entities, want 4 as before", c.name, n)
			}
		}
		q := crateAt("post", 10, 10, 0.3)
		// all zero: identity
		q.AllowRenaming, q.InitialPose.Pose.Orientation = true, geometrymsgs.Quaternion{}
		r := y.spawn(q)
		want(t, "renamed", r.Result, ok)
		if s := y.state(r.EntityName); r.EntityName != "post_1" || s.State.Pose.Position.X != 10 ||
			s.State.Pose.Orientation.W != 1 {
			t.Errorf("it is called %q and stands at %+v", r.EntityName, s.State.Pose)
		}
		q = crateAt("framed", 0, 0, 0.3)
		q.InitialPose.Header.FrameID = "dock"
		want(t, "at a named pose", y.spawn(q).Result, ok)
		if p := y.state("framed").State.Pose.Position; p.X != 1 || p.Y != 2 {
			t.Errorf("what was spawned at the dock stands at %+v", p)
		}
	})
}

func TestABatchSaysOfEachWhatBecameOfIt(t *testing.T) {
	inTheYard(t, func(y *yard) {
		batch := func(names ...string) *simif2.SpawnEntitiesResponse {
			q := &simif2.SpawnEntitiesRequest{}
			for i, name := range names {
				one := crateAt(name, 20+float64(i), 0, 0.3)
				q.SpawnRequests = append(q.SpawnRequests,
					simif2.SpawnEntity{Name: one.Name, EntityResource: one.EntityResource,
						InitialPose: one.InitialPose})
			}
			return rostest.Ask(y.Stage, "/spawn_entities", simif2.SpawnEntitiesService(), q)
		}
		r := batch("one", "post", "two", "one")
		want(t, "with two names taken", r.Result, 150)
		var codes []uint8
		for _, one := range r.Results {
			codes = append(codes, one.Result.Result)
		}
		if !slices.Equal(codes, []uint8{ok, 101, ok, 101}) {
			t.Errorf("the results are %v", codes)
		}
		if names := y.entities(simif2.EntityFilters{Filter: "^(one|two)$"}).Entities; !slices.Equal(names,
			[]string{"one", "two"}) {
			t.Errorf("those that succeeded are %q", names)
		}
		want(t, "without a fault", batch("three").Result, ok)
		want(t, "of none", batch().Result, ok)
	})
}

func TestDeletingTakesOnlyWhatMayGo(t *testing.T) {
	inTheYard(t, func(y *yard) {
		want(t, "of the world", y.remove("crate_a"), operationFailed)
		want(t, "unknown", y.remove("nobody"), notFound)
		want(t, "marked deletable", y.remove("crate_b"), ok)
		want(t, "again", y.remove("crate_b"), notFound)
		want(t, "spawned", y.spawn(crateAt("mine", 9, 9, 1)).Result, ok)
		want(t, "of its own", y.remove("mine"), ok)
	})
}

func TestFiltersCombineWithAnd(t *testing.T) {
	box := func(corners ...geometrymsgs.Vector3) simif2.Bounds {
		return simif2.Bounds{Type: 1,
			Points: corners}
	}
	v := func(x, y, z float64) geometrymsgs.Vector3 { return geometrymsgs.Vector3{X: x, Y: y, Z: z} }
	crates := []string{"crate_a", "crate_b"}
	inTheYard(t, func(y *yard) {
		for _, c := range []struct {
			name string
			f    simif2.EntityFilters
			code uint8
			want []string
		}{
			{"nothing asked", simif2.EntityFilters{}, ok, []string{"crate_a", "crate_b", "floor", "post"}},
			{"search", simif2.EntityFilters{Filter: "rate_"}, ok, crates},
			{"extended", simif2.EntityFilters{Filter: "(post|_b)$"}, ok, []string{"crate_b", "post"}},
			{"bad expression", simif2.EntityFilters{Filter: "crate["}, operationFailed, nil},
			{"category", simif2.EntityFilters{Categories: []simif2.EntityCategory{{Category: 4}}}, ok,
				crates},
			{"any tag", simif2.EntityFilters{Tags: simif2.TagsFilter{Tags: []string{"tall", "crate"}}}, ok,
				[]string{"crate_a", "crate_b", "post"}},
			{"all tags", simif2.EntityFilters{Tags: simif2.TagsFilter{Tags: []string{"marked", "tall"},
				FilterMode: 1}}, ok, []string{"post"}},
			{"and", simif2.EntityFilters{Filter: "_a", Tags: simif2.TagsFilter{Tags: []string{"tall"}}}, ok,
				[]string{}},
			{"box", simif2.EntityFilters{Bounds: box(v(1, 3, 1), v(-1, 1, 0.1))}, ok, []string{"crate_a"}},
			{"box the other way round", simif2.EntityFilters{Bounds: box(v(-1, 1, 0.1), v(1, 3, 1))}, ok,
				[]string{"crate_a"}},
			{"sphere", simif2.EntityFilters{Bounds: simif2.Bounds{Type: 3,
				Points: []geometrymsgs.Vector3{v(5, 0, 2), v(1.1, 0, 0)}}}, ok, []string{"post"}},
			{"sphere too small", simif2.EntityFilters{Bounds: simif2.Bounds{Type: 3,
				Points: []geometrymsgs.Vector3{v(5, 0, 2), v(0.9, 0, 0)}}}, ok, []string{}},
			{"hull", simif2.EntityFilters{Bounds: simif2.Bounds{Type: 2, Points: []geometrymsgs.Vector3{
				v(-1, -3, 0.1), v(1, -3, 0.1), v(0, -1, 0.1), v(0, -2, 2)}}}, ok, []string{"crate_b"}},
			{"box of one corner", simif2.EntityFilters{Bounds: box(v(0, 0, 0))}, operationFailed, nil},
			{"box of NaN", simif2.EntityFilters{Bounds: box(v(0, math.NaN(), 0), v(1, 1, 1))},
				operationFailed, nil},
			{"bounds of no kind", simif2.EntityFilters{Bounds: simif2.Bounds{Type: 9}}, operationFailed, nil},
		} {
			r := y.entities(c.f)
			want(t, c.name, r.Result, c.code)
			if !slices.Equal(r.Entities, c.want) {
				t.Errorf("%s: %q, want %q", c.name, r.Entities, c.want)
			}
			s := rostest.Ask(y.Stage, "/get_entities_states", simif2.GetEntitiesStatesService(),
				&simif2.GetEntitiesStatesRequest{Filters: c.f})
			if !slices.Equal(s.Entities, c.want) || len(s.States) != len(c.want) ||
				s.Result.Result != c.code {
				t.Errorf("%s: %d states of %q with result %d", c.name, len(s.States), s.Entities,
					s.Result.Result)
			}
		}
	})
}

func TestAStateIsSetOnlyAsFarAsAsked(t *testing.T) {
	inTheYard(t, func(y *yard) {
		s := y.state("crate_a")
		if s.State.Header.FrameID != "world" || s.Result.Result != ok {
			t.Errorf("the state is in %q, result %d", s.State.Header.FrameID, s.Result.Result)
		}
		target := s.State
		target.Pose.Position.X, target.Twist.Linear.X = 3, 1
		want(t, "twist", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: target,
			SetTwist: true}), ok)
		if s := y.state("crate_a").State; s.Pose.Position.X != 0 || s.Twist.Linear.X != 1 {
			t.Errorf("after setting the twist alone: %+v %+v", s.Pose.Position, s.Twist.Linear)
		}
		target.Header.FrameID = "dock"
		want(t, "pose in a frame", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: target,
			SetPose: true}), ok)
		if p := y.state("crate_a").State.Pose.Position; p.X != 4 || p.Y != 4 {
			t.Errorf("3, 2 in the dock's frame became %+v, want 4, 4", p)
		}
		target.Pose.Position.Y = math.Inf(-1)
		want(t, "infinite", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: target,
			SetPose: true}), 101)
		target = s.State
		target.Header.FrameID = "nowhere"
		want(t, "unknown frame", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: target,
			SetPose: true}), 101)
		want(t, "unknown entity", y.setState(simif2.SetEntityStateRequest{Entity: "nobody", State: s.State,
			SetPose: true}), notFound)
		want(t, "unknown entity's state", y.state("nobody").Result, notFound)
		moving := s.State
		moving.Twist.Linear.X = 1
		want(t, "static", y.setState(simif2.SetEntityStateRequest{Entity: "post", State: moving,
			SetTwist: true}), operationFailed)
	})
}

func TestInfoCanBeOverriddenAndKeepsItsBounds(t *testing.T) {
	inTheYard(t, func(y *yard) {
		get := func(name string) *simif2.GetEntityInfoResponse {
			return rostest.Ask(y.Stage, "/get_entity_info", simif2.GetEntityInfoService(),
				&simif2.GetEntityInfoRequest{Entity: name})
		}
		set := func(name string, category uint8) simif2.Result {
			return rostest.Ask(y.Stage, "/set_entity_info", simif2.SetEntityInfoService(),
				&simif2.SetEntityInfoRequest{Entity: name, Info: simif2.EntityInfo{
					Category: simif2.EntityCategory{Category: category}, Description: "other",
					Tags: []string{"x", "y"}}}).Result
		}
		if i := get("crate_a"); i.Info.Description != "A crate" || i.Info.Category.Category != 4 ||
			!slices.Equal(i.Info.Tags, []string{"crate", "marked"}) {
			t.Errorf("the sidecar says %+v", i.Info)
		}
		want(t, "set", set("crate_a", 0), ok)
		if i := get("crate_a"); i.Info.Description != "other" || i.Info.Category.Category != 0 ||
			!slices.Equal(i.Info.Tags, []string{"x", "y"}) {
			t.Errorf("after setting: %+v", i.Info)
		}
		snap := y.Engine.Snapshot()
		if at, found := snap.Find("crate_a"); !found || len(snap.Model.Entities[at].Info.Bounds.Points) != 2 {
			t.Error("setting the info lost the bounds of the sidecar")
		}
		want(t, "a category that is none", set("crate_a", 3), operationFailed)
		want(t, "unknown, set", set("nobody", 0), notFound)
		want(t, "unknown", get("nobody").Result, notFound)
	})
}

func TestBoundsAreInTheEntitysFrameGreaterCornerFirst(t *testing.T) {
	inTheYard(t, func(y *yard) {
		get := func(name string) *simif2.GetEntityBoundsResponse {
			return rostest.Ask(y.Stage, "/get_entity_bounds", simif2.GetEntityBoundsService(),
				&simif2.GetEntityBoundsRequest{Entity: name})
		}
		b := get("crate_b") // turned by 90°: the box of the link's frame does not turn
		want(t, "box", b.Result, ok)
		if p := b.Bounds.Points; b.Bounds.Type != 1 || len(p) != 2 || near(p[0], 0.1, 0.2, 0.3) > 1e-3 ||
			near(p[1], -0.1, -0.2, -0.3) > 1e-3 {
			t.Errorf("the box is %+v", b.Bounds)
		}
		want(t, "unknown", get("nobody").Result, notFound)
		for text, kind := range map[string]uint8{"sphere": 3, "convex_hull": 2} {
			y.setParameter("bounds_type", text, true)
			if b := get("crate_a"); b.Bounds.Type != kind || len(b.Bounds.Points) < 2 {
				t.Errorf("as %s: %+v", text, b.Bounds)
			}
		}
		y.setParameter("bounds_type", "cloud", false)
	})
}

func near(p geometrymsgs.Vector3, x, y, z float64) float64 {
	return math.Max(math.Abs(p.X-x), math.Max(math.Abs(p.Y-y), math.Abs(p.Z-z)))
}

func TestNamedPosesAreFilteredByTags(t *testing.T) {
	inTheYard(t, func(y *yard) {
		get := func(mode uint8, tags ...string) (names []string) {
			r := rostest.Ask(y.Stage, "/get_named_poses", simif2.GetNamedPosesService(),
				&simif2.GetNamedPosesRequest{Tags: simif2.TagsFilter{Tags: tags, FilterMode: mode}})
			want(t, "named poses", r.Result, ok)
			for _, p := range r.Poses {
				names = append(names, p.Name)
				if p.Name == "dock" && (p.Description != "Here" || p.Pose.Position.X != 1 ||
					p.Pose.Orientation.W != 1) {
					t.Errorf("the dock is %+v", p)
				}
			}
			return names
		}
		for _, c := range []struct{ got, want []string }{
			{get(0), []string{"dock", "gate"}}, {get(0, "goal"), []string{"dock", "gate"}},
			{get(1, "goal", "dock"), []string{"dock"}}, {get(0, "x"), nil},
		} {
			slices.Sort(c.got)
			if !slices.Equal(c.got, c.want) {
				t.Errorf("poses %q, want %q", c.got, c.want)
			}
		}
		bounds := func(name string) *simif2.GetNamedPoseBoundsResponse {
			return rostest.Ask(y.Stage, "/get_named_pose_bounds", simif2.GetNamedPoseBoundsService(),
				&simif2.GetNamedPoseBoundsRequest{Name: name})
		}
		if b := bounds("dock"); b.Bounds.Type != 1 || near(b.Bounds.Points[0], 1, 1, 0.5) > 1e-9 {
			t.Errorf("the dock's bounds are %+v", b.Bounds)
		}
		if b := bounds("gate"); b.Bounds.Type != 3 || b.Bounds.Points[1].X != 0.5 {
			t.Errorf("the gate's bounds are %+v", b.Bounds)
		}
		want(t, "unknown pose", bounds("nowhere").Result, notFound)
	})
}

func TestSpawnablesCarryTheirSidecar(t *testing.T) {
	inTheYard(t, func(y *yard) {
		get := func(sources ...string) *simif2.GetSpawnablesResponse {
			return rostest.Ask(y.Stage, "/get_spawnables", simif2.GetSpawnablesService(),
				&simif2.GetSpawnablesRequest{Sources: sources})
		}
		r := get()
		want(t, "spawnables", r.Result, ok)
		if len(r.Spawnables) != 1 || r.Spawnables[0].Description != "A crate" ||
			r.Spawnables[0].SpawnBounds.Type != 1 {
			t.Fatalf("the spawnables are %+v", r.Spawnables)
		}
		q := crateAt("from_list", 12, 0, 0.3)
		q.EntityResource = r.Spawnables[0].EntityResource
		want(t, "spawned by its URI", y.spawn(q).Result, ok)
		bad := get("/does/not/exist")
		want(t, "with a source that is not there", bad.Result, ok)
		if len(bad.Spawnables) != 1 || !strings.Contains(bad.Result.ErrorMessage, "/does/not/exist") {
			t.Errorf("with a bad source: %d spawnables, %q", len(bad.Spawnables), bad.Result.ErrorMessage)
		}
	})
}

func TestBoundsOfASidecarAreTheEntitys(t *testing.T) {
	const marked = `<sdf version="1.9"><model name="marked"><static>true</static><link name="l"><collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model></sdf>`
	spec, err := format.NewLibrary(format.Config{}).Model(scene.Resource{Document: marked})
	if err != nil {
		t.Fatal(err)
	}
	spec.Info.Bounds = scene.Bounds{Kind: scene.SphereBounds, Points: []r3.Vec{{X: 1}, {X: 2}}}
	snap := &sim.Snapshot{State: sim.Paused, Entities: []sim.EntityState{{Pose: r3.IdentityPose()}},
		Model: &sim.Model{Entities: []sim.EntityModel{{Name: "marked", Spec: spec, Info: spec.Info}}}}
	s := &Services{backend: stillBackend{snap: snap}}
	for kind, want := range map[scene.BoundsKind][]r3.Vec{scene.SphereBounds: {{X: 1}, {X: 2}},
		scene.BoxBounds: {{X: 3, Y: 2, Z: 2}, {X: -1, Y: -2, Z: -2}}} {
		s.bounds = kind
		if b, err := s.entityBounds(t.Context(), "marked"); err != nil || b.Kind != kind || !slices.Equal(b.Points, want) {
			t.Errorf("%d: %+v, %v; want %v", kind, b, err, want)
		}
	}
}

// stillBackend is a backend with one snapshot.
type stillBackend struct {
	sim.Backend
	snap *sim.Snapshot
}

// Snapshot is it.
func (b stillBackend) Snapshot() *sim.Snapshot { return b.snap }
