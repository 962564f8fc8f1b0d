package engine

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestASpawnThatFailsLeavesNothingBehind(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 10)
	hash, before := w.Hash(), w.Snapshot()
	ok := sim.FramedPose{Pose: at(0, 5, 1)}
	for name, c := range map[string]struct {
		spawn sim.Spawn
		want  error
	}{
		"taken": {sim.Spawn{Name: "rover", Resource: sim.Resource{URI: "ball"}, Pose: ok},
			sim.ErrNameTaken},
		"name": {sim.Spawn{Name: "a b", Resource: sim.Resource{URI: "ball"}, Pose: ok},
			sim.ErrNameInvalid},
		"no name": {sim.Spawn{Resource: sim.Resource{URI: "ball"}, Pose: ok}, sim.ErrNameInvalid},
		"namespace": {sim.Spawn{Name: "x", Namespace: "9", Resource: sim.Resource{URI: "ball"}, Pose: ok},
			sim.ErrNamespaceInvalid},
		"no resource": {sim.Spawn{Name: "x", Pose: ok}, sim.ErrNoResource},
		"no such file": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "nothing"}, Pose: ok},
			sim.ErrNotFound},
		"does not parse": {sim.Spawn{Name: "x", Resource: sim.Resource{Document: "<sdf"}, Pose: ok},
			sim.ErrParse},
		"reader breaks": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "panic"}, Pose: ok},
			sim.ErrParse},
		"mesh missing": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "ghost"}, Pose: ok},
			sim.ErrMissingAssets},
		"NaN": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(0, math.NaN(), 0)}}, sim.ErrInvalidPose},
		"Inf": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(math.Inf(1), 0, 0)}}, sim.ErrInvalidPose},
		"far away": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(1e300, 0, 0)}}, sim.ErrInvalidPose},
		"NaN rotation": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: r3.Pose{Rot: r3.Quat{W: math.NaN()}}}}, sim.ErrInvalidPose},
		"tiny rotation": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: r3.Pose{Rot: r3.Quat{W: 1e-200}}}}, sim.ErrInvalidPose},
		"unknown frame": {sim.Spawn{Name: "x", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Frame: "nowhere"}}, sim.ErrInvalidPose},
	} {
		if _, err := try(w, c.spawn); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err := w.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	after := w.Snapshot()
	if w.Hash() != hash || after.Model != before.Model || after.Stats.Bodies != before.Stats.Bodies {
		t.Error("something changed")
	}
}

func TestASpawnedModelStandsWhereItWasPut(t *testing.T) {
	w := yard(t, sim.Paused)
	crate := at(2, 2, 0.25)
	apply(t, w, sim.SetEntityState{Name: "crate", Pose: &crate})
	for name, c := range map[string]struct {
		pose sim.FramedPose
		want r3.Pose
	}{
		"nothing_given": {sim.FramedPose{}, at(0, 0, 0)},
		"no_rotation":   {sim.FramedPose{Pose: r3.Pose{Pos: r3.V(1, 2, 3)}}, at(1, 2, 3)},
		"not_unit":      {sim.FramedPose{Pose: r3.Pose{Pos: r3.V(1, 2, 3), Rot: r3.Quat{W: 3}}}, at(1, 2, 3)},
		"world_frame":   {sim.FramedPose{Frame: "world", Pose: at(1, 2, 3)}, at(1, 2, 3)},
		"on_crate":      {sim.FramedPose{Frame: "crate", Pose: at(0, 0, 1)}, at(2, 2, 1.25)},
		"at_dock": {sim.FramedPose{Frame: "dock", Pose: at(1, 0, 0)},
			r3.PoseRPY(1, 0, 0, 0, 0, math.Pi/2)},
	} {
		apply(t, w, sim.Spawn{Name: name, Resource: sim.Resource{URI: "rover"}, Pose: c.pose})
		got := where(t, w.Snapshot(), name).Pose
		if !near(got.Pos, c.want.Pos) || math.Abs(got.Rot.Yaw()-c.want.Rot.Yaw()) > 1e-9 {
			t.Errorf("%s: at %v, want %v", name, got, c.want)
		}
	}
}

func TestAPoseIsThatOfTheCanonicalLink(t *testing.T) {
	w := yard(t, sim.Paused)
	apply(t, w, sim.Spawn{Name: "arm", Resource: sim.Resource{URI: "arm"},
		Pose: sim.FramedPose{Pose: at(5, 5, 2)}})
	s := w.Snapshot()
	i, _ := s.Find("arm")
	// Its joints begin as the file says: the shoulder turned by 90 degrees, the slide follows it.
	for link, want := range []r3.Vec{r3.V(5, 5, 2), r3.V(5.5, 5, 2), r3.V(5.5, 5.5+0.1*math.Pi/2, 2)} {
		if got := s.LinksOf(i)[link].Pose.Pos; !near(got, want) {
			t.Errorf("link %d at %v, want %v", link, got, want)
		}
	}
	if q := s.JointsOf(i)[1].Position; math.Abs(q-math.Pi/2) > 1e-9 {
		t.Errorf("shoulder at %v rad, want π/2", q)
	}
}

func TestABatchKeepsWhatSucceeds(t *testing.T) {
	w := yard(t, sim.Paused)
	ball := func(name, frame string) sim.Spawn {
		return sim.Spawn{Name: name, Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Frame: frame, Pose: at(0, 0, 2)}}
	}
	r := apply(t, w, sim.SpawnBatch{Spawns: []sim.Spawn{ball("a", ""), ball("a", ""), ball("b", "a"),
		ball("c", "nowhere"),
		{Name: "d"}}}).(sim.BatchSpawned)
	want := []error{nil, sim.ErrNameTaken, nil, sim.ErrInvalidPose, sim.ErrNoResource}
	for i, res := range r.Results {
		if !errors.Is(res.Err, want[i]) || res.Name != []string{"a", "a", "b", "c", "d"}[i] {
			t.Errorf("spawn %d: %+v, want %v", i, res, want[i])
		}
	}
	s := w.Snapshot()
	if got := chosen(t, s, sim.Filter{Name: "^.$"}); got != "a b" {
		t.Errorf("left: %q, want a and b", got)
	}
	if got := where(t, s, "b").Pose.Pos; !near(got, r3.V(0, 0, 4)) {
		t.Errorf("b stands at %v, want on the place of a", got)
	}
}

func TestASpawnedEntityIsDescribed(t *testing.T) {
	w := yard(t, sim.Paused)
	apply(t, w, sim.Spawn{Name: "r-2", Resource: sim.Resource{URI: "rover"},
		Pose: sim.FramedPose{Pose: at(0, 5, 0)}})
	apply(t, w, sim.Spawn{Name: "ns", Namespace: "/fleet/one", Resource: sim.Resource{URI: "bare"},
		Pose: sim.FramedPose{Pose: at(0, 8, 1)}})
	s := w.Snapshot()
	i, _ := s.Find("r-2")
	m := &s.Model.Entities[i]
	if !m.Spawned || !m.Deletable || m.Static || m.Namespace != "r_2" || m.Info.Category != scene.Robot ||
		len(m.Sensors) != 1 || m.Sensors[0].Link != 4 {
		t.Errorf("described as %+v", *m)
	}
	if len(s.LinksOf(i)) != 5 || len(s.JointsOf(i)) != 4 || len(s.SamplesOf(i)) != 1 ||
		len(s.OdomOf(i)) != 1 {
		t.Error("its part of the snapshot has the wrong size")
	}
	i, _ = s.Find("ns")
	m = &s.Model.Entities[i]
	if m.Namespace != "fleet/one" || !m.Notes.Has(scene.Missing) {
		t.Errorf("described as %+v", *m)
	}
	last := s.Events[len(s.Events)-1]
	if last.Level != sim.Warn || last.Who != "ns" || !strings.Contains(last.Text, "ghost.sdf:7:3") {
		t.Errorf("the missing looks are not in the log: %+v", last)
	}
	i, _ = s.Find("wall")
	if m := &s.Model.Entities[i]; m.Spawned || m.Deletable || !m.Static ||
		m.Info.Category != scene.StaticObject {
		t.Errorf("the wall is described as %+v", *m)
	}
}

func TestIDsAreNeverGivenTwice(t *testing.T) {
	w := yard(t, sim.Paused)
	id := func(name string) uint64 {
		s := w.Snapshot()
		i, ok := s.Find(name)
		if !ok {
			t.Fatal(name)
		}
		return s.Model.Entities[i].ID
	}
	rover := id("rover")
	seen := map[uint64]bool{}
	for range 3 {
		apply(t, w, sim.Spawn{Name: "b", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(0, 5, 1)}})
		if seen[id("b")] {
			t.Errorf("%d was given twice", id("b"))
		}
		seen[id("b")] = true
		apply(t, w, sim.Reset{})
		if id("rover") != rover {
			t.Error("a reset made the world's rover another entity")
		}
	}
}

func TestFieldsOfTheWorldAreCloned(t *testing.T) {
	w := yard(t, sim.Paused)
	tags := []string{"a"}
	apply(t, w, sim.SetEntityInfo{Name: "crate", Info: scene.Info{Tags: tags}})
	tags[0] = "b"
	s := w.Snapshot()
	i, _ := s.Find("crate")
	if got := s.Model.Entities[i].Info.Tags; !reflect.DeepEqual(got, []string{"a"}) {
		t.Errorf("the caller's slice is shared: %v", got)
	}
}
