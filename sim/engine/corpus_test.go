package engine_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

// corpus is the folder of real files; a test without it says so, or fails
// where it is required.
func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SIMDECK_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus/dev"
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIMDECK_CORPUS_REQUIRED") == "1" {
			t.Fatalf("the corpus is required and %s is not there", dir)
		}
		t.Skipf("no corpus at %s", dir)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// own is the folder of robots and worlds of the repository's own, for the same tests where there is no
// corpus.
func own(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("testdata/own")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// mounted is a library of the shipped worlds and of folders.
func mounted(t testing.TB, dirs ...string) *format.Library {
	t.Helper()
	roots := []asset.Root{{Name: asset.Cache, FS: worlds.FS()}}
	for i, dir := range dirs {
		r, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		roots = append(roots, asset.Root{Name: fmt.Sprint("folder", i), FS: r.FS(), Base: dir})
	}
	return format.NewLibrary(format.Config{Roots: roots})
}

// wheeled is a two-wheeled robot by several addresses, the world that it stands in, and the folders that both
// are in.
type wheeled struct {
	folders []string
	world   string
	robots  []string
}

// twoWheeled runs a test with the repository's own robot, and again with the TurtleBot3 of the corpus where
// there is one.
func twoWheeled(t *testing.T, test func(t *testing.T, r wheeled)) {
	t.Helper()
	t.Run("own", func(t *testing.T) {
		dir, err := filepath.Abs("../../ros/interop/testdata")
		if err != nil {
			t.Fatal(err)
		}
		test(t, wheeled{[]string{dir + "/models", dir + "/share", dir + "/worlds"},
			dir + "/worlds/yard.world", []string{
				"model://two_wheeler",
				"package://two_wheeler_description/urdf/two_wheeler.urdf",
			}})
	})
	t.Run("corpus", func(t *testing.T) {
		dir := corpus(t)
		test(t, wheeled{[]string{dir + "/sdf/turtlebot3_world", dir + "/urdf/turtlebot3_burger",
			dir + "/urdf/turtlebot3_waffle"},
			dir + "/sdf/turtlebot3_world/worlds/turtlebot3_world.world", []string{
				"model://turtlebot3_burger",
				"package://turtlebot3_description/urdf/turtlebot3_burger.urdf",
				dir + "/urdf/turtlebot3_waffle/pkgs/turtlebot3_description/urdf/turtlebot3_waffle.urdf",
			}})
	})
}

func TestATwoWheeledRobotStandsDrivesAndSleeps(t *testing.T) {
	twoWheeled(t, func(t *testing.T, r wheeled) {
		lib := mounted(t, r.folders...)
		for _, uri := range r.robots {
			w, err := engine.NewWorld(engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []sim.Command{
				sim.LoadWorld{Resource: scene.Resource{URI: r.world}, IgnoreMissingAssets: true},
				sim.SetState{State: sim.Playing},
				sim.Spawn{Name: "tb3", Resource: scene.Resource{URI: uri},
					Pose: sim.FramedPose{Pose: r3.PoseRPY(-2, -0.5, 0.011, 0, 0, 0)}},
			} {
				if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
					t.Fatalf("%s: %v", sim.Describe(c), err)
				}
			}
			second := int(1 / w.StepSize().Seconds())
			advance(t, w, 4*second)
			rested := stateOf(t, w)
			if !rested.state.Asleep {
				t.Errorf("%s: not at rest after 4 s: %+v", uri, rested.state.Twist)
			}
			do(t, w, sim.DriveEntity{Name: "tb3", Twist: r3.Twist{Linear: r3.V(0.2, 0, 0)}})
			advance(t, w, 5*second)
			do(t, w, sim.DriveEntity{Name: "tb3"})
			advance(t, w, 2*second)
			end := stateOf(t, w)
			truth := rested.state.Pose.Relative(end.state.Pose)
			odom := rested.odom.Pose.Relative(end.odom.Pose)
			if d := truth.Pos.Sub(odom.Pos); math.Hypot(d.X, d.Y) > 0.02 || math.Abs(truth.Pos.X-1) > 0.05 {
				t.Errorf("%s: drove to %v and believes %v; want 1 m ahead, 2 cm apart at most", uri,
					truth.Pos, odom.Pos)
			}
		}
	})
}

// TestATwoWheeledRobotThatIsPutIntoTheGroundComesUpWhereItIs: a TurtleBot3's wheels have springs, which must
// not fling it out.
func TestATwoWheeledRobotThatIsPutIntoTheGroundComesUpWhereItIs(t *testing.T) {
	home, err := filepath.Abs("../../worlds")
	if err != nil {
		t.Fatal(err)
	}
	twoWheeled(t, func(t *testing.T, r wheeled) {
		lib := mounted(t, append([]string{home}, r.folders...)...)
		w, err := engine.NewWorld(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := r3.V(-3, -0.5, 0)
		for _, c := range []sim.Command{
			sim.LoadWorld{Resource: scene.Resource{URI: home + "/bench/world.sdf"}},
			sim.SetState{State: sim.Playing},
			sim.Spawn{Name: "tb3", Resource: scene.Resource{URI: r.robots[0]},
				Pose: sim.FramedPose{Pose: r3.PoseRPY(at.X, at.Y, at.Z, 0, 0, 0)}},
		} {
			if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
				t.Fatalf("%s: %v", sim.Describe(c), err)
			}
		}
		advance(t, w, int(0.5/w.StepSize().Seconds()))
		if d := stateOf(t, w).state.Pose.Pos.Sub(at); math.Hypot(d.X, d.Y) > 5e-4 ||
			math.Abs(d.Z-0.01) > 5e-4 {
			t.Errorf("it came up by %v, want 1 cm straight up", d)
		}
	})
}

type seen struct {
	state sim.EntityState
	odom  sim.Odometry
}

func stateOf(t *testing.T, w *engine.World) seen {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find("tb3")
	if !ok || len(s.OdomOf(i)) != 1 {
		t.Fatal("no robot with a drive")
	}
	return seen{s.Entities[i], s.OdomOf(i)[0]}
}
