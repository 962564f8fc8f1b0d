package sim_test

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// stand spawns a real robot in the empty world.
func stand(t *testing.T, file string, pose r3.Pose) *sim.World {
	t.Helper()
	dir := corpus(t)
	lib := mounted(t, dir+"/urdf")
	w, err := sim.NewWorld(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{URI: "empty"}})
	do(t, w, sim.SetState{State: sim.Playing})
	c := sim.Spawn{Name: "it", Resource: scene.Resource{URI: dir + "/urdf/" + file}, Pose: sim.FramedPose{Pose: pose}}
	if _, err := w.Apply(c, sim.Load(lib, c)); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return w
}

// joints are the states of the spawned robot's joints by name.
func joints(t *testing.T, w *sim.World) (map[string]sim.JointState, *sim.EntityModel, []sim.LinkState) {
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

var ur5e = []string{"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"}

const ur5eFile = "ur5e/pkgs/ur_description/urdf/ur5e.urdf"

func TestARealArmHoldsAPose(t *testing.T) {
	w := stand(t, ur5eFile, r3.IdentityPose())
	pose := []float64{0.4, -1.2, 1.5, -0.8, 0.7, 0.3}
	for i, name := range ur5e {
		do(t, w, sim.SetJoint{Name: "it", Joint: name, Mode: sim.JointPosition, Target: pose[i]})
	}
	advance(t, w, 1000)
	_, _, before := joints(t, w)
	advance(t, w, 2500)
	q, _, after := joints(t, w)
	for i, name := range ur5e {
		if off := math.Abs(q[name].Position - pose[i]); off > 1e-4 {
			t.Errorf("%s is %v rad off", name, off)
		}
	}
	last := len(after) - 1
	if d := after[last].Pose.Pos.Dist(before[last].Pose.Pos); d > 1e-4 {
		t.Errorf("the hand moves by %v m in 10 s", d)
	}
}

func TestARealArmTracksATrajectory(t *testing.T) {
	w := stand(t, ur5eFile, r3.IdentityPose())
	worst := 0.0
	const n = 1000
	path := func(i, k int) float64 { // a smooth start, then a sine on every joint
		s := float64(k) * 0.004
		return (0.3 + 0.05*float64(i)) * math.Sin(1.5*s) * math.Sin(1.5*s) * float64(1-2*(i%2))
	}
	for k := range n {
		for i, name := range ur5e {
			speed := (path(i, k+1) - path(i, k)) / 0.004
			do(t, w, sim.SetJoint{Name: "it", Joint: name, Mode: sim.JointVelocity, Target: speed})
		}
		advance(t, w, 1)
		q, _, _ := joints(t, w)
		for i, name := range ur5e {
			worst = max(worst, math.Abs(q[name].Position-path(i, k+1)))
		}
	}
	if worst > 2e-3 {
		t.Errorf("a joint is %v rad off its path", worst)
	}
	t.Logf("at most %.3g rad off", worst)
}

func TestARealQuadrupedStands(t *testing.T) {
	w := stand(t, "unitree_a1/pkgs/a1_description/urdf/a1.urdf", r3.PoseRPY(0, 0, 0.34, 0, 0, 0))
	q, e, _ := joints(t, w)
	reduced, _, err := sim.Coordinates(e.Spec)
	if err != nil || len(reduced) != 12 {
		t.Fatalf("reduced coordinates for %v, %v", reduced, err)
	}
	for name := range q {
		target, leg := 0.0, true
		switch {
		case len(name) > 11 && name[2:] == "_thigh_joint":
			target = 0.9
		case len(name) > 10 && name[2:] == "_calf_joint":
			target = -1.8
		case len(name) > 9 && name[2:] == "_hip_joint":
		default:
			leg = false
		}
		if leg {
			do(t, w, sim.SetJoint{Name: "it", Joint: name, Mode: sim.JointPosition, Target: target})
		}
	}
	advance(t, w, 750)
	_, _, before := joints(t, w)
	advance(t, w, 1250)
	_, _, after := joints(t, w)
	base := after[0].Pose
	roll, pitch, _ := base.Rot.RPY()
	t.Logf("stands at %.4f m, roll %.2g, pitch %.2g, moved %.2g m", base.Pos.Z, roll, pitch, base.Pos.Dist(before[0].Pose.Pos))
	if base.Pos.Z < 0.2 || math.Abs(roll)+math.Abs(pitch) > 0.05 || base.Pos.Dist(before[0].Pose.Pos) > 1e-3 {
		t.Errorf("the trunk is at %v, was at %v", base, before[0].Pose)
	}
}

func TestWheelsStayBodiesAndArmsAreTrees(t *testing.T) {
	dir := corpus(t)
	for file, want := range map[string][2]int{
		"urdf/ur5e/pkgs/ur_description/urdf/ur5e.urdf":                                   {6, 0},
		"urdf/panda_moveit/pkgs/moveit_resources_panda_description/urdf/panda.urdf":      {9, 0},
		"urdf/unitree_a1/pkgs/a1_description/urdf/a1.urdf":                               {12, 0},
		"urdf/anymal_c/pkgs/anymal_c_simple_description/urdf/anymal.urdf":                {12, 0},
		"urdf/turtlebot3_waffle/pkgs/turtlebot3_description/urdf/turtlebot3_waffle.urdf": {0, 2},
	} {
		lib := mounted(t, dir+"/urdf")
		m, err := lib.Model(scene.Resource{URI: dir + "/" + file})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		reduced, maximal, err := sim.Coordinates(m)
		if err != nil || len(reduced) != want[0] || len(maximal) != want[1] {
			t.Errorf("%s: reduced %v, maximal %v, %v", file, reduced, maximal, err)
		}
	}
}
