package engine_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// looseBases are links that a real robot's file leaves loose, and that stand bolted to the ground.
var looseBases = map[string]string{"panda_moveit/pkgs/moveit_resources_panda_description/urdf/panda.urdf": "panda_link0"}

// stand spawns a real robot of the corpus in the empty world.
func stand(t *testing.T, file string, pose r3.Pose) *engine.World {
	t.Helper()
	dir := corpus(t)
	return standIn(t, mounted(t, dir+"/urdf",
		dir+"/urdf/panda_moveit/pkgs/moveit_resources_panda_description"), dir+"/urdf/", file, pose)
}

// standIn spawns the robot of a file in a folder in the empty world.
func standIn(t *testing.T, lib *format.Library, dir, file string, pose r3.Pose) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(engine.Options{Rewind: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{URI: "empty"}})
	do(t, w, sim.SetState{State: sim.Playing})
	c := sim.Spawn{Name: "it", Resource: scene.Resource{URI: dir + file}, Pose: sim.FramedPose{Pose: pose}}
	if base, loose := looseBases[file]; loose {
		text, err := os.ReadFile(c.Resource.URI)
		if err != nil {
			t.Fatal(err)
		}
		c.Resource = scene.Resource{Document: strings.Replace(string(text), "</robot>",
			`<link name="world"/><joint name="bolts" type="fixed"><parent link="world"/><child link="`+base+
				`"/></joint></robot>`, 1)}
	}
	if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return w
}

// joints are the states of the spawned robot's joints by name.
func joints(t *testing.T, w *engine.World) (map[string]sim.JointState, *sim.EntityModel, []sim.LinkState) {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find("it")
	if !ok {
		t.Fatal("no robot")
	}
	e := &s.Model.Entities[i]
	out := map[string]sim.JointState{}
	for k, q := range s.JointsOf(i) {
		out[e.Spec.Joints[k].Name] = q
	}
	return out, e, s.LinksOf(i)
}

// testArm is an arm, and a pose that it can hold.
type testArm struct {
	file   string
	joints []string
	pose   []float64 // rad
	bolt   string    // a joint of it that is fixed
}

// ownArm has six axes and is the repository's own; realArms are those of the corpus, the first of them with
// six axes, too.
var (
	ownArm = testArm{"six_axis_arm_description/urdf/six_axis_arm.urdf",
		[]string{"waist", "shoulder", "elbow", "forearm_roll", "wrist_pitch", "flange_roll"},
		[]float64{0.5, 0.6, 1.2, -0.4, 0.7, 0.3}, "tool_joint"}
	realArms = []testArm{
		{"ur5e/pkgs/ur_description/urdf/ur5e.urdf",
			[]string{"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint",
				"wrist_2_joint", "wrist_3_joint"},
			[]float64{0.4, -1.2, 1.5, -0.8, 0.7, 0.3}, "base_link-base_fixed_joint"},
		{"panda_moveit/pkgs/moveit_resources_panda_description/urdf/panda.urdf",
			[]string{"panda_joint1", "panda_joint2", "panda_joint3", "panda_joint4", "panda_joint5",
				"panda_joint6", "panda_joint7"},
			[]float64{0.3, -0.6, 0.2, -2.1, 0.1, 1.7, 0.7}, "panda_joint8"},
	}
)

// withSixAxes runs a test with the repository's own arm, and again with that of the corpus where there is
// one. stand gives the arm in the empty world.
func withSixAxes(t *testing.T, test func(t *testing.T, arm *testArm, stand func() *engine.World)) {
	t.Helper()
	t.Run("own", func(t *testing.T) {
		home, err := filepath.Abs("../../ros/interop/testdata/share")
		if err != nil {
			t.Fatal(err)
		}
		test(t, &ownArm, func() *engine.World {
			return standIn(t, mounted(t, home), home+"/", ownArm.file,
				r3.IdentityPose())
		})
	})
	t.Run("corpus", func(t *testing.T) {
		test(t, &realArms[0], func() *engine.World { return stand(t, realArms[0].file, r3.IdentityPose()) })
	})
}

// eachArm runs a test with the repository's own arm, and again with those of the corpus where it is there.
func eachArm(t *testing.T, test func(t *testing.T, arm *testArm, w *engine.World)) {
	t.Helper()
	t.Run("own", func(t *testing.T) {
		home, err := filepath.Abs("../../ros/interop/testdata/share")
		if err != nil {
			t.Fatal(err)
		}
		test(t, &ownArm, standIn(t, mounted(t, home), home+"/", ownArm.file, r3.IdentityPose()))
	})
	t.Run("corpus", func(t *testing.T) {
		for i := range realArms {
			test(t, &realArms[i], stand(t, realArms[i].file, r3.IdentityPose()))
		}
	})
}

func TestAnArmHoldsAPose(t *testing.T) {
	eachArm(t, func(t *testing.T, arm *testArm, w *engine.World) {
		for i, name := range arm.joints {
			do(t, w, sim.SetJoint{Name: "it", Joint: name, Mode: sim.JointPosition, Target: arm.pose[i]})
		}
		advance(t, w, 1000)
		_, _, before := joints(t, w)
		for range 50 { // touched a little, so that no sleep does its motors' work
			do(t, w, sim.SetEntityState{Name: "it", Accel: &r3.Twist{Linear: r3.V(0.01, 0, 0)}})
			advance(t, w, 50)
			if _, asleep := trunk(t, w); asleep {
				t.Fatalf("%s sleeps: this test shows nothing", arm.file)
			}
		}
		q, _, after := joints(t, w)
		worst := 0.0
		for i, name := range arm.joints {
			worst = max(worst, math.Abs(q[name].Position-arm.pose[i]))
		}
		last := len(after) - 1
		d := after[last].Pose.Pos.Dist(before[last].Pose.Pos)
		t.Logf("%s: at most %.2g rad off, the hand moves by %.2g m in 10 s", arm.file, worst, d)
		if worst > 1e-4 || d > 1e-4 {
			t.Errorf("%s: a joint is %v rad off, the hand moves by %v m in 10 s", arm.file, worst, d)
		}
	})
}

// TestAnArmTracksATrajectory moves every joint by a sine that begins smoothly, about a pose that it can take.
func TestAnArmTracksATrajectory(t *testing.T) {
	eachArm(t, func(t *testing.T, arm *testArm, w *engine.World) {
		from := make([]float64, len(arm.joints))
		standing, _, _ := joints(t, w)
		for i, name := range arm.joints {
			from[i] = standing[name].Position
		}
		if len(from) == 7 { // the Panda's elbow cannot be straight
			copy(from, arm.pose)
			for i, name := range arm.joints {
				do(t, w, sim.SetJoint{Name: "it", Joint: name, Mode: sim.JointPosition, Target: from[i]})
			}
			advance(t, w, 1500)
		}
		path := func(i, k int) float64 {
			s := math.Sin(1.5 * float64(k) * 0.004)
			return from[i] + (0.3+0.05*float64(i))*s*s*float64(1-2*(i%2))
		}
		worst := 0.0
		for k := range 1000 {
			for i, name := range arm.joints {
				do(t, w, sim.SetJoint{Name: "it", Joint: name, Mode: sim.JointVelocity,
					Target: (path(i, k+1) - path(i, k)) / 0.004})
			}
			advance(t, w, 1)
			q, _, _ := joints(t, w)
			for i, name := range arm.joints {
				worst = max(worst, math.Abs(q[name].Position-path(i, k+1)))
			}
		}
		t.Logf("%s: at most %.3g rad off", arm.file, worst)
		if worst > 2e-3 {
			t.Errorf("%s: a joint is %v rad off its path", arm.file, worst)
		}
	})
}

func TestArmsLegsAndWheelsAreInReducedCoordinates(t *testing.T) {
	t.Run("own", func(t *testing.T) {
		share, err := filepath.Abs("../../ros/interop/testdata/share")
		if err != nil {
			t.Fatal(err)
		}
		checkCoordinates(t, mounted(t, own(t), share), map[string][2]int{
			share + "/" + ownArm.file:                                {6, 0},
			own(t) + "/quadruped.urdf.xacro":                         {12, 0},
			share + "/two_wheeler_description/urdf/two_wheeler.urdf": {2, 0},
		})
	})
	t.Run("corpus", func(t *testing.T) { checkCoordinatesOfRealRobots(t) })
}

func checkCoordinatesOfRealRobots(t *testing.T) {
	dir := corpus(t)
	counts := map[string][2]int{}
	for file, want := range map[string][2]int{
		"urdf/ur5e/pkgs/ur_description/urdf/ur5e.urdf":                                   {6, 0},
		"urdf/panda_moveit/pkgs/moveit_resources_panda_description/urdf/panda.urdf":      {9, 0},
		"urdf/unitree_a1/pkgs/a1_description/urdf/a1.urdf":                               {12, 0},
		"urdf/anymal_c/pkgs/anymal_c_simple_description/urdf/anymal.urdf":                {12, 0},
		"urdf/turtlebot3_waffle/pkgs/turtlebot3_description/urdf/turtlebot3_waffle.urdf": {2, 0},
	} {
		counts[dir+"/"+file] = want
	}
	checkCoordinates(t, mounted(t, dir+"/urdf"), counts)
}

// checkCoordinates counts the joints of robots in reduced and in maximal coordinates.
func checkCoordinates(t *testing.T, lib scene.Library, counts map[string][2]int) {
	t.Helper()
	for file, want := range counts {
		m, err := lib.Model(scene.Resource{URI: file})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		reduced, maximal, err := engine.Coordinates(m)
		if err != nil || len(reduced) != want[0] || len(maximal) != want[1] {
			t.Errorf("%s: reduced %v, maximal %v, %v", file, reduced, maximal, err)
		}
	}
}
