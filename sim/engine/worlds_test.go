package engine_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

// shipped is the library of the demo worlds.
func shipped() *format.Library {
	return format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: worlds.FS()}}})
}

// worldNames are the folders of worlds: those with a world.sdf, or the world.yaml of a bundle.
func worldNames(t testing.TB) []string {
	t.Helper()
	files, err := fs.Glob(worlds.FS(), "*/world.*")
	files = slices.DeleteFunc(files,
		func(f string) bool { return path.Ext(f) != ".sdf" && path.Ext(f) != ".yaml" })
	if err != nil || len(files) < 3 {
		t.Fatalf("found the worlds %v, %v", files, err)
	}
	for i := range files {
		files[i] = path.Dir(files[i])
	}
	return files
}

// open loads a shipped world and lets it play.
func open(t testing.TB, name string) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(engine.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{URI: name}})
	do(t, w, sim.SetState{State: sim.Playing})
	return w
}

func do(t testing.TB, w *engine.World, c sim.Command) {
	t.Helper()
	if _, err := w.Apply(c, engine.Load(shipped(), c)); err != nil {
		t.Fatalf("%s: %v", sim.Describe(c), err)
	}
}

// TestEveryWorldHasItsGolden plays each world until it rests, or for five seconds where things move by
// themselves, then drives every robot for five. The numbers must be the same on every machine; they change
// when the physics, the world's file or its reader do.
func TestEveryWorldHasItsGolden(t *testing.T) {
	for _, name := range worldNames(t) {
		t.Run(name, func(t *testing.T) {
			file := "../../worlds/" + name + "/golden.txt"
			got := golden(t, name)
			if flag.Lookup("update").Value.String() == "true" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil || string(want) != got {
				t.Errorf("%v; %s says\n%sand it came out as\n%sIf the physics or the world was meant to change, make golden rewrites it",
					err, file, want, got)
			}
		})
	}
}

func golden(t *testing.T, name string) string {
	patience, word := 5000, "rest "
	w := open(t, name)
	s := w.Snapshot()
	moving := slices.ContainsFunc(s.Model.Entities, func(e sim.EntityModel) bool {
		return selfMoving(&e) || len(e.Spec.Flow.Frames) > 0 // the wind never lets an aeroplane sleep
	})
	if moving {
		patience, word = 1250, "moves"
	}
	rest := 0
	for rest < patience {
		rest++
		advance(t, w, 1)
		if w.Snapshot().Stats.Awake == 0 {
			break
		}
	}
	if (rest == patience) != moving {
		t.Errorf("after %d steps %s is at rest: %v", rest, name, moving)
	}
	text := fmt.Sprintf("%s step %d  hash %016x\n", word, rest, w.Hash())
	for i := range s.Model.Entities {
		for k := range s.Model.Entities[i].Spec.Drives {
			do(t, w, sim.DriveEntity{Name: s.Model.Entities[i].Name, Drive: k,
				Twist: r3.Twist{Linear: r3.V(0.3, 0, 0), Angular: r3.V(0, 0, 0.4)}})
		}
	}
	advance(t, w, 1250)
	return text + fmt.Sprintf("drive step %d  hash %016x\n", rest+1250, w.Hash())
}

func advance(t *testing.T, w *engine.World, n int) {
	t.Helper()
	for i := range n {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		if i%50 == 0 {
			if err := w.Validate(); err != nil {
				t.Fatalf("after %d steps: %v", w.Total(), err)
			}
		}
	}
}

func TestShippedModelsStandAndRest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	list, failed := shipped().Spawnables(nil)
	if len(list) < 8 || len(failed) != 0 {
		t.Fatalf("%d spawnables, %v", len(list), failed)
	}
	for _, m := range list {
		w := open(t, "empty")
		// Above the floor: it must land at its place.
		do(t, w, sim.Spawn{Name: "it", Resource: scene.Resource{URI: m.URI},
			Pose: sim.FramedPose{Pose: r3.PoseRPY(1, 2, 0.3, 0, 0, 1)}})
		for range 10 {
			advance(t, w, 250)
		}
		s := w.Snapshot()
		i, ok := s.Find("it")
		if !ok {
			t.Fatalf("%s is not there", m.URI)
		}
		b, err := sim.BoundsOf(s, i, scene.BoxBounds)
		if err != nil {
			t.Errorf("%s: %v", m.URI, err)
			continue
		}
		low := r3.Box{Min: b.Points[1], Max: b.Points[0]}.Moved(s.Entities[i].Pose).Min.Z
		if !atRest(s, i) || low < -0.01 || !s.Model.Entities[i].Static && low > 0.02 {
			t.Errorf("%s: after 10 s its lowest point is at %.4f m, asleep: %v", m.URI, low,
				s.Entities[i].Asleep)
		}
		if notes := s.Model.Entities[i].Notes; len(notes) > 0 {
			t.Errorf("%s is not taken as it is written: %v", m.URI, notes)
		}
	}
}

// atRest reports that an entity sleeps. One that swims never does, as water may move it; it stands still.
func atRest(s *sim.Snapshot, i int) bool {
	if len(s.Model.Entities[i].Spec.Flow.Hulls) > 0 {
		return s.Entities[i].Twist.Linear.Len() < 1e-3
	}
	return s.Entities[i].Asleep
}

// TestShippedModelsRestWhereTheyArePut puts each on a free spot of the bench at z = 0, or at its sidecar's
// lowest point, like the console. REP-105 and REP-120 have the frame of a base on the ground as well.
func TestShippedModelsRestWhereTheyArePut(t *testing.T) {
	spots := []r3.Vec{r3.V(-3, -0.5, 0), r3.V(4, -0.4, 0), r3.V(-3, 1.5, 0), r3.V(0.3, 0.9, 0),
		r3.V(2.4, -0.6, 0),
		r3.V(3.8, -3, 0), r3.V(-4, -3.2, 0), r3.V(1.3, -3.2, 0), r3.V(2.6, 3, 0), r3.V(-1.2, -2, 0),
		r3.V(-4.8, -0.6, 0), r3.V(-1.2, -3.3, 0), r3.V(0.3, 2.9, 0), r3.V(-1.9, 0.9, 0), r3.V(-5.3, -3.3, 0),
		r3.V(0.4, -1.8, 0), r3.V(-3.4, 3.1, 0)}
	list, _ := shipped().Spawnables(nil)
	// The boat and the plane are larger than any of them.
	list = slices.DeleteFunc(list, func(m scene.Spawnable) bool {
		return m.Name == "boat" || m.Name == "plane"
	})
	if len(list) != len(spots) {
		t.Fatalf("%d models for %d spots", len(list), len(spots))
	}
	w := open(t, "bench")
	for i, m := range list {
		if b := m.Info.Bounds; b.Kind == scene.SphereBounds {
			spots[i].Z = b.Points[1].X - b.Points[0].Z // the ball's frame is its centre
		}
		do(t, w, sim.Spawn{Name: "it_" + m.Name, Resource: scene.Resource{URI: m.URI},
			Pose: sim.FramedPose{Pose: r3.Pose{Pos: spots[i], Rot: r3.FromRPY(0, 0, float64(i))}}})
	}
	advance(t, w, 600)
	s := w.Snapshot()
	for i, m := range list {
		k, _ := s.Find("it_" + m.Name)
		put, is := r3.Pose{Pos: spots[i], Rot: r3.FromRPY(0, 0, float64(i))}, s.Entities[k]
		if d := put.Relative(is.Pose); d.Pos.Len() > 0.003 || d.Rot.Vector().Len() > 0.005 || !atRest(s, k) {
			t.Errorf("%s: put at %v it rests at %v, off by %.4f m and %.4f rad, asleep: %v", m.Name, put.Pos,
				is.Pose.Pos, d.Pos.Len(), d.Rot.Vector().Len(), is.Asleep)
		}
	}
}

func TestAShippedRobotDrivesWhereItsOdometrySays(t *testing.T) {
	for _, robot := range []string{"model://rover", "model://scout"} {
		w := open(t, "empty")
		do(t, w, sim.Spawn{Name: "it", Resource: scene.Resource{URI: robot},
			Pose: sim.FramedPose{Pose: r3.PoseRPY(0, 0, 0.12, 0, 0, 0)}})
		advance(t, w, 250)
		s := w.Snapshot()
		i, _ := s.Find("it")
		start := s.Entities[i].Pose
		first := s.OdomOf(i)[0].Pose
		do(t, w, sim.DriveEntity{Name: "it", Twist: r3.Twist{Linear: r3.V(0.4, 0, 0)}})
		advance(t, w, 500)
		do(t, w, sim.DriveEntity{Name: "it",
			Twist: r3.Twist{Linear: r3.V(0.4, 0, 0), Angular: r3.V(0, 0, 0.6)}})
		advance(t, w, 500)
		do(t, w, sim.DriveEntity{Name: "it"})
		advance(t, w, 500)
		s = w.Snapshot()
		truth, odom := start.Relative(s.Entities[i].Pose), first.Relative(s.OdomOf(i)[0].Pose)
		if d := truth.Pos.Sub(odom.Pos); r3.V(d.X, d.Y, 0).Len() > 0.02 || truth.Pos.Len() < 1 {
			t.Errorf("%s: is at %v and believes %v", robot, truth.Pos, odom.Pos)
		}
		if d := truth.Rot.Yaw() - odom.Rot.Yaw(); d > 0.02 || d < -0.02 {
			t.Errorf("%s: heads %.4f rad and believes %.4f", robot, truth.Rot.Yaw(), odom.Rot.Yaw())
		}
	}
}

// TestEveryWorldGoesOnWhereItIsTakenUp drives all that has drives, takes the world up elsewhere, and compares
// every step after it.
func TestEveryWorldGoesOnWhereItIsTakenUp(t *testing.T) {
	for _, name := range worldNames(t) {
		w := open(t, name)
		s := w.Snapshot()
		for i := range s.Model.Entities {
			for k := range s.Model.Entities[i].Spec.Drives {
				do(t, w, sim.DriveEntity{Name: s.Model.Entities[i].Name, Drive: k,
					Twist: r3.Twist{Linear: r3.V(0.4, 0, 0), Angular: r3.V(0, 0, 0.2)}})
			}
		}
		advance(t, w, 100)
		c, err := w.Restorable()
		if err != nil {
			t.Fatal(err)
		}
		n, err := engine.NewWorld(engine.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		do(t, n, c)
		for k := range 50 {
			if err := errors.Join(w.Step(), n.Step()); err != nil || w.Hash() != n.Hash() {
				t.Fatalf("%s: step %d after it was taken up is another (%v)", name, k+1, err)
			}
		}
	}
}
