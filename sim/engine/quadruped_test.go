package engine_test

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// eachQuadruped runs a test with the repository's own robot on four legs, and again with the Unitree A1 of
// the corpus where there is one.
func eachQuadruped(t *testing.T, test func(t *testing.T, w *engine.World)) {
	t.Helper()
	at := r3.PoseRPY(0, 0, 0.34, 0, 0, 0)
	t.Run("own", func(t *testing.T) {
		w := standIn(t, mounted(t, own(t)), own(t)+"/", "quadruped.urdf.xacro", at)
		holdLegs(t, w)
		test(t, w)
	})
	t.Run("corpus", func(t *testing.T) {
		w := stand(t, "unitree_a1/pkgs/a1_description/urdf/a1.urdf", at)
		holdLegs(t, w)
		test(t, w)
	})
}

// holdLegs has motors hold the legs of a quadruped, until it has come to stand.
func holdLegs(t *testing.T, w *engine.World) {
	t.Helper()
	q, e, _ := joints(t, w)
	reduced, _, err := engine.Coordinates(e.Spec)
	if err != nil || len(reduced) != 12 {
		t.Fatalf("reduced coordinates for %v, %v", reduced, err)
	}
	for name := range q {
		for part, target := range map[string]float64{"_hip_joint": 0, "_thigh_joint": 0.9,
			"_calf_joint": -1.8} {
			if len(name) == 2+len(part) && strings.HasSuffix(name, part) {
				do(t, w, sim.SetJoint{Name: "it", Joint: name, Mode: sim.JointPosition, Target: target})
			}
		}
	}
	advance(t, w, 750)
}

// trunk is the pose of the trunk, and whether it sleeps.
func trunk(t *testing.T, w *engine.World) (r3.Pose, bool) {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find("it")
	if !ok {
		t.Fatal("no robot")
	}
	return s.LinksOf(i)[0].Pose, s.Entities[i].Asleep
}

// upright reports that a trunk is level and as high as another.
func upright(p, as r3.Pose) bool {
	roll, pitch, _ := p.Rot.RPY()
	return math.Abs(roll)+math.Abs(pitch) < 0.05 && math.Abs(p.Pos.Z-as.Pos.Z) < 5e-3 && p.Pos.Z > 0.2
}

// TestAQuadrupedStandsAwake for half a minute: it is touched a little four times a second, so that no
// sleep does its motors' work.
func TestAQuadrupedStandsAwake(t *testing.T) { eachQuadruped(t, standsAwake) }

func standsAwake(t *testing.T, w *engine.World) {
	before, _ := trunk(t, w)
	for range 120 {
		do(t, w, sim.SetEntityState{Name: "it", Accel: &r3.Twist{Linear: r3.V(0.01, 0, 0)}})
		advance(t, w, 63)
		if _, asleep := trunk(t, w); asleep {
			t.Fatal("it sleeps: this test shows nothing")
		}
	}
	after, _ := trunk(t, w)
	t.Logf("stands at %.4f m, moved %.2g m in 30 s", after.Pos.Z, after.Pos.Dist(before.Pos))
	if !upright(after, before) || after.Pos.Dist(before.Pos) > 1e-3 {
		t.Errorf("the trunk is at %v, was at %v", after, before)
	}
}

// TestAQuadrupedThatSleepsWakesAndStandsAgain when it is pushed, and when a joint is commanded.
func TestAQuadrupedThatSleepsWakesAndStandsAgain(t *testing.T) { eachQuadruped(t, wakesAndStands) }

func wakesAndStands(t *testing.T, w *engine.World) {
	advance(t, w, 7500)
	rest, asleep := trunk(t, w)
	if !asleep {
		t.Fatal("after half a minute it does not sleep")
	}
	do(t, w, sim.SetEntityState{Name: "it",
		Twist: &r3.Twist{Linear: r3.V(0, 0.4, 0), Angular: r3.V(0.3, 0, 0.3)}})
	far := 0.0
	for range 50 {
		advance(t, w, 1)
		p, asleep := trunk(t, w)
		if asleep {
			t.Fatal("a push does not wake it")
		}
		far = max(far, p.Pos.Dist(rest.Pos))
	}
	advance(t, w, 7500)
	again, asleep := trunk(t, w)
	t.Logf("pushed by %.3f m, stands at %.4f m, asleep %v", far, again.Pos.Z, asleep)
	if far < 5e-3 || !upright(again, rest) || !asleep {
		t.Errorf("pushed by %v m; half a minute later the trunk is at %v, was at %v; asleep %v", far, again,
			rest, asleep)
	}
	for _, leg := range []string{"FL", "FR", "RL", "RR"} { // stretch
		do(t, w, sim.SetJoint{Name: "it", Joint: leg + "_thigh_joint", Mode: sim.JointPosition, Target: 0.7})
		do(t, w, sim.SetJoint{Name: "it", Joint: leg + "_calf_joint", Mode: sim.JointPosition, Target: -1.4})
	}
	advance(t, w, 1000)
	p, _ := trunk(t, w)
	if rise, want := p.Pos.Z-again.Pos.Z, 0.2*(2*math.Cos(0.7)-2*math.Cos(0.9)); math.Abs(rise-want) > 5e-3 {
		t.Errorf("told to stretch in its sleep it rises by %v m, want %v", rise, want)
	}
}
