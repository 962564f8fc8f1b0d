package engine_test

import (
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/trajectory"
)

// patrolling is a world with a rover on a floor that patrols a triangle around the origin.
func patrolling(t *testing.T) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(engine.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{Document: `<sdf version="1.11" xmlns:simdeck="urn:simdeck:sdf"><world name="w">
		<physics type="ignored"><max_step_size>0.004</max_step_size></physics>
		<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
		<include><uri>model://rover</uri><pose>-1 0 0 0 0 0</pose><simdeck:patrol><point>1 0</point><point>0 -1</point><point>0 1</point></simdeck:patrol></include>
		</world></sdf>`}})
	do(t, w, sim.SetState{State: sim.Playing})
	return w
}

// rover is the state of the only robot.
func rover(t *testing.T, w *engine.World) sim.EntityState {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find("rover")
	if !ok {
		t.Fatal("there is no rover")
	}
	return s.Entities[i]
}

func TestARobotPatrolsItsWaypointsInALoop(t *testing.T) {
	w := patrolling(t)
	points := []r3.Vec{r3.V(1, 0, 0), r3.V(0, -1, 0), r3.V(0, 1, 0)}
	for reached, limit := 0, 0; reached < 7; limit++ {
		if limit > 60*250 {
			t.Fatalf("reached %d points in a minute; at %v, %+v", reached, rover(t, w).Pose.Pos, rover(t, w).Patrol)
		}
		advance(t, w, 1)
		s := rover(t, w)
		want := reached % 3
		if s.Patrol.Of != 3 || s.Patrol.Yielded {
			t.Fatalf("the patrol is %+v", s.Patrol)
		}
		if s.Patrol.Point != want+1 {
			if d := s.Pose.Pos.Dist(points[want]); d > 0.26 || s.Patrol.Point != (want+1)%3+1 {
				t.Fatalf("goes on to point %d while %.3f m from point %d", s.Patrol.Point, d, want+1)
			}
			reached++
		}
	}
}

func TestAPatrolYieldsToCommandsUntilAReset(t *testing.T) {
	for name, c := range map[string]sim.Command{
		"drive": sim.DriveEntity{Name: "rover"},
		"joint": sim.SetJoint{Name: "rover", Joint: "left_wheel_joint", Mode: sim.JointVelocity},
		"trajectory": sim.FollowTrajectory{Name: "rover", Joints: []string{"left_wheel_joint"},
			Points: []trajectory.Point{{Positions: []float64{1}, At: time.Second}}},
	} {
		w := patrolling(t)
		advance(t, w, 500)
		first := rover(t, w)
		do(t, w, c)
		advance(t, w, 250)
		do(t, w, sim.DriveEntity{Name: "rover"})
		advance(t, w, 250)
		at := rover(t, w)
		advance(t, w, 500)
		if s := rover(t, w); !s.Patrol.Yielded || s.Patrol.Going() || s.Pose.Pos.Dist(at.Pose.Pos) > 1e-3 {
			t.Errorf("%s: drives on to %v, %+v", name, s.Pose.Pos, s.Patrol)
		}
		do(t, w, sim.Reset{Scope: sim.ResetState})
		advance(t, w, 500)
		if s := rover(t, w); s.Patrol != first.Patrol || s.Pose != first.Pose {
			t.Errorf("%s: after a reset it is at %v, %+v, want %v, %+v", name, s.Pose.Pos, s.Patrol,
				first.Pose.Pos, first.Patrol)
		}
	}
}

func TestAPatrolGoesOnWhereItIsTakenUp(t *testing.T) {
	for _, yields := range []bool{false, true} {
		w := patrolling(t)
		advance(t, w, 1500) // on the way to the second point
		if yields {
			do(t, w, sim.DriveEntity{Name: "rover", Twist: r3.Twist{Linear: r3.V(0.2, 0, 0)}})
		}
		c, err := w.Restorable()
		if err != nil {
			t.Fatal(err)
		}
		n, err := engine.NewWorld(engine.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		do(t, n, c)
		if a, b := rover(t, w).Patrol, rover(t, n).Patrol; a != b || a.Point < 2 || a.Yielded != yields {
			t.Fatalf("taken up as %+v, was %+v", b, a)
		}
		advance(t, w, 500)
		advance(t, n, 500)
		if w.Hash() != n.Hash() {
			t.Errorf("yielded %v: goes elsewhere after it is taken up: %v, %v", yields, rover(t, w).Pose.Pos,
				rover(t, n).Pose.Pos)
		}
	}
}
