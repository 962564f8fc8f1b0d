package engine_test

import (
	"math"
	"path/filepath"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// driveSquare drives four sides of a metre, with left turns, at 0.2 m/s and 45°/s; a ramp of 0 starts and
// stops at once.
func driveSquare(t *testing.T, w *engine.World, ramp time.Duration) {
	t.Helper()
	pieces := 25
	if ramp == 0 {
		pieces = 1
	}
	piece := int(ramp/w.StepSize()) / pieces
	leg := func(full r3.Twist, took time.Duration) {
		for k := range 2 * pieces {
			part := float64(k+1) / float64(pieces)
			if k >= pieces {
				part = 2 - part
			}
			if k == pieces {
				advance(t, w, int(took/w.StepSize())-piece*pieces)
			}
			do(t, w, sim.DriveEntity{Name: "tb3",
				Twist: r3.Twist{Linear: full.Linear.Scale(part), Angular: full.Angular.Scale(part)}})
			advance(t, w, piece)
		}
		advance(t, w, int(time.Second/w.StepSize()))
	}
	for range 4 {
		leg(r3.Twist{Linear: r3.V(0.2, 0, 0)}, 5*time.Second)
		leg(r3.Twist{Angular: r3.V(0, 0, math.Pi/4)}, 2*time.Second)
	}
}

// TestATwoWheeledRobotDrivesASquare of one metre, at the default and a short step, ramped and abrupt: it ends
// at its start, and by its wheels too.
func TestATwoWheeledRobotDrivesASquare(t *testing.T) {
	t.Run("own", func(t *testing.T) {
		dir, err := filepath.Abs("../../ros/interop/testdata/share")
		if err != nil {
			t.Fatal(err)
		}
		squares(t, mounted(t, dir), dir+"/two_wheeler_description/urdf/two_wheeler.urdf")
	})
	t.Run("corpus", func(t *testing.T) {
		dir := corpus(t) + "/urdf/"
		lib := mounted(t, dir+"turtlebot3_burger", dir+"turtlebot3_waffle")
		for _, robot := range []string{"turtlebot3_burger", "turtlebot3_waffle"} {
			squares(t, lib, dir+robot+"/pkgs/turtlebot3_description/urdf/"+robot+".urdf")
		}
	})
}

// squares drives squares with the robot of a file.
func squares(t *testing.T, lib scene.Library, file string) {
	t.Helper()
	for _, c := range []struct {
		dt, ramp time.Duration
		within   float64
	}{{0, 500 * time.Millisecond, 0.006}, {0, 0, 0.016},
		{time.Millisecond, 500 * time.Millisecond, 0.004}} {
		w, err := engine.NewWorld(engine.Options{StepSize: c.dt})
		if err != nil {
			t.Fatal(err)
		}
		do(t, w, sim.LoadWorld{Resource: scene.Resource{URI: "empty"}})
		do(t, w, sim.SetState{State: sim.Playing})
		spawn := sim.Spawn{Name: "tb3",
			Resource: scene.Resource{URI: file},
			Pose:     sim.FramedPose{Pose: r3.PoseRPY(0, 0, 0.011, 0, 0, 0)}}
		if _, err := w.Apply(spawn, engine.Load(lib, spawn)); err != nil {
			t.Fatal(err)
		}
		advance(t, w, int(time.Second/w.StepSize()))
		begin := stateOf(t, w)
		driveSquare(t, w, c.ramp)
		end := stateOf(t, w)
		truth, odom := begin.state.Pose.Relative(end.state.Pose), begin.odom.Pose.Relative(end.odom.Pose)
		home, off := math.Hypot(truth.Pos.X, truth.Pos.Y),
			math.Hypot(truth.Pos.X-odom.Pos.X, truth.Pos.Y-odom.Pos.Y)
		t.Logf("%s, step %v, ramps of %v: ends %.4f m from where it began, %.4f m from where its wheels say, turned %.4f rad too far",
			filepath.Base(file), w.StepSize(), c.ramp, home, off, truth.Rot.Yaw())
		if home > c.within || off > c.within {
			t.Errorf("%s, step %v, ramps of %v: ends %v m from where it began, %v m from where its wheels say",
				filepath.Base(file), w.StepSize(), c.ramp, home, off)
		}
	}
}
