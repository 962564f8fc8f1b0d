package engine_test

import (
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// TestEveryWebotsWorldSettles loads our own world and each of the corpus for 5 s. No body explodes, robots
// stay in place with their joints at rest, and the rest is no faster than its fall.
func TestEveryWebotsWorldSettles(t *testing.T) {
	t.Run("own", func(t *testing.T) { restsWithin(t, own(t)+"/webots/worlds/yard.wbt") })
	t.Run("corpus", func(t *testing.T) { realWebotsWorldsSettle(t) })
}

func realWebotsWorldsSettle(t *testing.T) {
	dir := corpus(t)
	settled := 0
	err := filepath.WalkDir(dir+"/webots", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".wbt") {
			return err
		}
		settled++
		restsWithin(t, name)
		return nil
	})
	if err != nil || settled < 15 {
		t.Errorf("%d worlds, %v", settled, err)
	}
}

func restsWithin(t *testing.T, name string) {
	t.Helper()
	lib := mounted(t, filepath.Dir(filepath.Dir(name)))
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: scene.Resource{URI: name}, IgnoreMissingAssets: true}
	if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	do(t, w, sim.SetState{State: sim.Playing})
	start, second := w.Snapshot(), int(math.Round(1/w.StepSize().Seconds()))
	advance(t, w, 4*second)
	rested := w.Snapshot()
	advance(t, w, second)
	if err := w.Validate(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	end := w.Snapshot()
	for i := range end.Entities {
		e, now := &end.Model.Entities[i], &end.Entities[i]
		moved := now.Pose.Pos.Dist(start.Entities[i].Pose.Pos)
		// balls that were dropped into a bowl roll about in it
		fell := start.Entities[i].Pose.Pos.Z - now.Pose.Pos.Z
		if speed := now.Twist.Linear.Len(); !(moved < 2.5) || !(speed*speed < 2*9.81*max(0, fell)+1e-3) {
			t.Errorf("%s: %s moved %g m, fell by %g m and still goes at %g m/s", name, e.Name, moved, fell,
				speed)
		}
		if e.Info.Category != scene.Robot {
			continue
		}
		if creep := now.Pose.Pos.Dist(rested.Entities[i].Pose.Pos); moved > 0.011 || creep > 1e-4 {
			t.Errorf("%s: robot %s moved %g m, and %g m in the last second", name, e.Name, moved, creep)
		}
		for k, j := range end.JointsOf(i) {
			if d := math.Abs(j.Position - rested.JointsOf(i)[k].Position); d > 1e-3 {
				t.Errorf("%s: joint %d of %s at rest moved by %g", name, k, e.Name, d)
			}
		}
	}
}

// TestARobotOfWebotsTakesVelocities drives the tutorials' robot: it has no drive of its own, only four
// motors.
func TestARobotOfWebotsTakesVelocities(t *testing.T) {
	t.Run("own", func(t *testing.T) { takesVelocities(t, own(t)+"/webots", "yard", "rover") })
	t.Run("corpus", func(t *testing.T) {
		dir := corpus(t) + "/webots/webots_samples/projects/samples/tutorials"
		takesVelocities(t, dir, "4_wheels_robot", "robot")
		takesVelocities(t, dir, "obstacles", "e-puck")
	})
}

// takesVelocities drives the robot of a world straight on for 2 s.
func takesVelocities(t *testing.T, dir, world, robot string) {
	t.Helper()
	lib := mounted(t, dir)
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: scene.Resource{URI: dir + "/worlds/" + world + ".wbt"},
		IgnoreMissingAssets: true}
	if _, err := w.Apply(load, engine.Load(lib, load)); err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.SetState{State: sim.Playing})
	advance(t, w, 60)
	i, ok := w.Snapshot().Find(robot)
	if !ok {
		t.Fatalf("%s: no %s", world, robot)
	}
	from := w.Snapshot().Entities[i].Pose
	do(t, w, sim.DriveEntity{Name: robot, Twist: r3.Twist{Linear: r3.V(0.05, 0, 0)}})
	advance(t, w, 125)
	way := from.Relative(w.Snapshot().Entities[i].Pose).Pos
	if math.Abs(way.X-0.1) > 0.015 || math.Abs(way.Y) > 0.02 || math.Abs(way.Z) > 0.01 {
		t.Errorf("%s: %s went %v in 2 s at 0.05 m/s", world, robot, way)
	}
}

// TestEveryPROTOStandsOnTheGround spawns our own PROTO robot and those of the corpus, with and without their
// meshes. They fall onto the ground and come to rest, or hang where they are fixed.
func TestEveryPROTOStandsOnTheGround(t *testing.T) {
	t.Run("own", func(t *testing.T) { standsOnTheGround(t, own(t)+"/webots/protos", "FourWheeler") })
	t.Run("corpus", func(t *testing.T) { standsOnTheGround(t, corpus(t)+"/webots", realPROTOs...) })
}

// realPROTOs are robots of the corpus.
var realPROTOs = []string{"urdf2webots_protos/KukaLbrIiwa14R820",
	"urdf2webots_protos/RobotWithDummyLink", "urdf2webots_protos/Human",
	"webots_samples/projects/samples/tutorials/protos/FourWheelsRobot",
	"cloud_examples/7_local_assets/protos/MyProto"}

// standsOnTheGround spawns PROTO robots of a folder.
func standsOnTheGround(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		lib := mounted(t, filepath.Dir(dir+"/"+name))
		w, err := engine.NewWorld(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := sim.LoadWorld{Resource: scene.Resource{URI: dir + "/" + name + ".proto"},
			IgnoreMissingAssets: true}
		if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		do(t, w, sim.SetState{State: sim.Playing})
		second := int(1 / w.StepSize().Seconds())
		advance(t, w, 5*second)
		if err := w.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := w.Snapshot()
		i, ok := s.Find(filepath.Base(name))
		if !ok || len(s.Entities) != 2 {
			t.Errorf("%s: %d entities", name, len(s.Entities))
			continue
		}
		if len(s.Model.Entities[i].Spec.Links[0].Lost) > 0 && !s.Model.Entities[i].Static {
			continue // without its meshes it touches nothing, and falls
		}
		if e := s.Entities[i]; !(e.Pose.Pos.Z > -0.5 && e.Pose.Pos.Len() < 3 && e.Twist.Linear.Len() < 0.1) {
			t.Errorf("%s: is at %v and goes at %g m/s", name, e.Pose, e.Twist.Linear.Len())
		}
	}
}
