package engine_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/trajectory"
)

// stops are a trajectory of two seconds from zero to an arm's pose and half back, as a planner makes them:
// with velocities.
func stops(arm *testArm) []trajectory.Point {
	still, half, fast := make([]float64, len(arm.pose)), make([]float64, len(arm.pose)),
		make([]float64, len(arm.pose))
	for i, q := range arm.pose {
		half[i], fast[i] = q/2, 0.7*q
	}
	return []trajectory.Point{
		{At: time.Second, Positions: half, Velocities: fast},
		{At: 2 * time.Second, Positions: arm.pose, Velocities: still},
		{At: 3 * time.Second, Positions: half, Velocities: still},
	}
}

func follow(t *testing.T, w *engine.World, c sim.FollowTrajectory) uint64 {
	t.Helper()
	r, err := w.Apply(c, engine.Loaded{})
	if err != nil {
		t.Fatal(err)
	}
	return r.(sim.TrajectoryBegun).ID
}

// trackOf is a trajectory of a world.
func trackOf(t *testing.T, w *engine.World, id uint64) sim.TrajectoryState {
	t.Helper()
	for _, k := range w.Snapshot().Trajectories {
		if k.ID == id {
			return k
		}
	}
	t.Fatalf("no trajectory %d in %+v", id, w.Snapshot().Trajectories)
	return sim.TrajectoryState{}
}

func tolerances(n int, position float64) []sim.JointTolerance {
	all := make([]sim.JointTolerance, n)
	for i := range all {
		all[i].Position = position
	}
	return all
}

func TestARealArmFollowsATrajectoryWithinATenthOfAMillirad(t *testing.T) {
	withSixAxes(t, func(t *testing.T, arm *testArm, stand func() *engine.World) {
		w := stand()
		n := len(arm.joints)
		id := follow(t, w, sim.FollowTrajectory{Name: "it", Joints: arm.joints, Points: stops(arm),
			Path: tolerances(n, 0.01), Goal: tolerances(n, 1e-4)})
		worst := 0.0
		for range 760 {
			advance(t, w, 1)
			k := trackOf(t, w, id)
			q, e, _ := joints(t, w)
			for i, name := range arm.joints {
				if e.Spec.Joints[k.Joints[i]].Name != name {
					t.Fatalf("joint %d of the track is %q, not %q", i, e.Spec.Joints[k.Joints[i]].Name, name)
				}
				worst = max(worst, math.Abs(q[name].Position-k.Position[i]))
			}
		}
		k := trackOf(t, w, id)
		t.Logf("at most %.2g rad off its path", worst)
		if k.Status != sim.TrajectoryReached || worst > 1e-4 {
			t.Errorf("%v after %v, at most %v rad off: %s", k.Status, k.Elapsed, worst, k.Why)
		}
		q, _, _ := joints(t, w)
		for i, name := range arm.joints {
			if off := math.Abs(q[name].Position - arm.pose[i]/2); off > 1e-4 {
				t.Errorf("%s ends %v rad from its goal", name, off)
			}
		}
	})
}

func TestATrajectoryThatCannotBeKeptEndsWithItsReason(t *testing.T) {
	withSixAxes(t, func(t *testing.T, arm *testArm, stand func() *engine.World) {
		w := stand()
		// faster than its joints may turn
		hasty := []trajectory.Point{{At: 50 * time.Millisecond, Positions: arm.pose}}
		id := follow(t, w, sim.FollowTrajectory{Name: "it", Joints: arm.joints, Points: hasty,
			Path: tolerances(6, 0.05)})
		advance(t, w, 20)
		if k := trackOf(t, w, id); k.Status != sim.TrajectoryPathMissed ||
			!strings.Contains(k.Why, "joint") || !strings.Contains(k.Why, "0.05 is allowed") {
			t.Errorf("%v: %q", k.Status, k.Why)
		}
		advance(t, w, 250)
		if q, _, _ := joints(t, w); math.Abs(q[arm.joints[2]].Velocity) > 1e-3 {
			t.Errorf("it goes on with %v rad/s after it was given up", q[arm.joints[2]].Velocity)
		}
		id = follow(t, w, sim.FollowTrajectory{Name: "it", Joints: arm.joints,
			Points: []trajectory.Point{{At: 20 * time.Millisecond, Positions: []float64{2, 0, 0, 0, 0, 0}}},
			Goal:   tolerances(6, 1e-3), GoalTime: 100 * time.Millisecond})
		advance(t, w, 40)
		if k := trackOf(t, w, id); k.Status != sim.TrajectoryGoalMissed {
			t.Errorf("%v after %v: %q", k.Status, k.Elapsed, k.Why)
		}
	})
}

func TestTrajectoriesOfOtherJointsGoOnBesideEachOther(t *testing.T) {
	withSixAxes(t, func(t *testing.T, arm *testArm, stand func() *engine.World) {
		w := stand()
		to := func(names []string, q float64) uint64 {
			p := trajectory.Point{At: time.Second}
			for range names {
				p.Positions = append(p.Positions, q)
			}
			return follow(t, w, sim.FollowTrajectory{Name: "it", Joints: names,
				Points: []trajectory.Point{p}})
		}
		first, second := to(arm.joints[:2], 0.2), to(arm.joints[3:], 0.4)
		advance(t, w, 50)
		third := to(arm.joints[4:5], -0.1)
		if a, b := trackOf(t, w, first), trackOf(t, w, second); a.Status != sim.TrajectoryFollowing ||
			b.Status != sim.TrajectoryReplaced {
			t.Errorf("the first is %v, the second, of which a joint was taken, %v", a.Status, b.Status)
		}
		do(t, w, sim.SetJoint{Name: "it", Joint: arm.joints[1], Mode: sim.JointPosition, Target: 0})
		if a := trackOf(t, w, first); a.Status != sim.TrajectoryReplaced ||
			!strings.Contains(a.Why, arm.joints[1]) {
			t.Errorf("a joint was commanded: %v: %s", a.Status, a.Why)
		}
		do(t, w, sim.EndTrajectory{Name: "it", ID: third})
		do(t, w, sim.EndTrajectory{Name: "it", ID: third})
		at, _, _ := joints(t, w)
		advance(t, w, 250)
		now, _, _ := joints(t, w)
		if k := trackOf(t, w, third); k.Status != sim.TrajectoryCancelled ||
			math.Abs(now[arm.joints[4]].Position-at[arm.joints[4]].Position) > 1e-3 {
			t.Errorf("%v; its joint went from %v to %v", k.Status, at[arm.joints[4]].Position,
				now[arm.joints[4]].Position)
		}
	})
}

func TestATrajectoryBeginsWhenItSays(t *testing.T) {
	withSixAxes(t, func(t *testing.T, arm *testArm, stand func() *engine.World) {
		w := stand()
		at := w.Time()
		c := sim.FollowTrajectory{Name: "it", Joints: arm.joints[:1],
			Points: []trajectory.Point{{At: time.Second, Positions: []float64{1}}},
			Start:  at + 400*time.Millisecond}
		id := follow(t, w, c)
		advance(t, w, 100)
		if q, _, _ := joints(t, w); math.Abs(q[arm.joints[0]].Position) > 1e-2 {
			t.Errorf("it has moved to %v before", q[arm.joints[0]].Position)
		}
		advance(t, w, 125)
		q, _, _ := joints(t, w)
		if k := trackOf(t, w, id); k.Elapsed != 500*time.Millisecond || math.Abs(k.Position[0]-0.5) > 1e-2 ||
			math.Abs(q[arm.joints[0]].Position-k.Position[0]) > 1e-3 {
			t.Errorf("in the middle of the way it is at %v: %+v", q[arm.joints[0]].Position, k)
		}
		advance(t, w, 125)
		if k := trackOf(t, w, id); k.Status != sim.TrajectoryReached {
			t.Errorf("at its end it is %v, %v after its beginning", k.Status, k.Elapsed)
		}
		if _, err := w.Apply(c, engine.Loaded{}); err != nil {
			t.Errorf("its last moment is not over: %v", err)
		}
		advance(t, w, 1)
		if _, err := w.Apply(c, engine.Loaded{}); !errors.Is(err, sim.ErrFailed) ||
			!strings.Contains(err.Error(), "ended at") {
			t.Errorf("a trajectory of the past: %v", err)
		}
	})
}

func TestWhatAJointCommandLacksIsSaidAndNothingIsHalfDone(t *testing.T) {
	withSixAxes(t, func(t *testing.T, arm *testArm, stand func() *engine.World) {
		w := stand()
		point := []trajectory.Point{{At: time.Second, Positions: []float64{1}}}
		hash := w.Hash()
		for want, c := range map[string]sim.Command{
			"no joint \"knee\"": sim.SetJoints{Name: "it",
				Targets: []sim.JointTarget{{Joint: arm.joints[0], Mode: sim.JointPosition, Target: 1},
					{Joint: "knee", Mode: sim.JointPosition}}},
			"target NaN": sim.SetJoints{Name: "it",
				Targets: []sim.JointTarget{{Joint: arm.joints[0], Mode: sim.JointPosition,
					Target: math.NaN()}}},
			"position, velocity or effort": sim.SetJoints{Name: "it",
				Targets: []sim.JointTarget{{Joint: arm.joints[0], Mode: 9}}},
			"stands twice": sim.FollowTrajectory{Name: "it",
				Joints: []string{arm.joints[0], arm.joints[0]}, Points: point},
			"no points": sim.FollowTrajectory{Name: "it", Joints: arm.joints[:1]},
			"no joint \"ankle\"": sim.FollowTrajectory{Name: "it", Joints: []string{"ankle"},
				Points: point},
			"2 tolerances for 1 joints": sim.FollowTrajectory{Name: "it", Joints: arm.joints[:1],
				Points: point, Goal: tolerances(2, 1)},
			"has no motor": sim.FollowTrajectory{Name: "it", Joints: []string{arm.bolt},
				Points: point},
			"follows no trajectory 7":     sim.EndTrajectory{Name: "it", ID: 7},
			"no entity is named \"that\"": sim.EndTrajectory{Name: "that", ID: 7},
			"point 1 has 1 positions for 2 jo": sim.FollowTrajectory{Name: "it", Joints: arm.joints[:2],
				Points: point},
		} {
			if _, err := w.Apply(c, engine.Loaded{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v, want %q", c, err, want)
			}
		}
		if w.Hash() != hash {
			t.Error("what was refused has left something")
		}
	})
}

func TestRewindingIntoATrajectoryGoesOnWithIt(t *testing.T) {
	withSixAxes(t, func(t *testing.T, arm *testArm, stand func() *engine.World) {
		run := func(back bool) uint64 {
			w := stand()
			id := follow(t, w, sim.FollowTrajectory{Name: "it", Joints: arm.joints, Points: stops(arm)})
			advance(t, w, 300)
			if back {
				do(t, w, sim.Rewind{Back: 800 * time.Millisecond})
				do(t, w, sim.SetState{State: sim.Playing})
				advance(t, w, 200)
			}
			if k := trackOf(t, w, id); k.Status != sim.TrajectoryFollowing ||
				k.Elapsed != 300*4*time.Millisecond {
				t.Errorf("%v at %v", k.Status, k.Elapsed)
			}
			return w.Hash()
		}
		if a, b := run(false), run(true); a != b {
			t.Errorf("hash %x without, %x with a visit to the past", a, b)
		}
	})
}
