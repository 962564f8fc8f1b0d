package engine_test

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const scriptWorld = `<sdf version="1.9"><world name="stage"><gravity>0 0 -9.81</gravity>
	<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry></collision></link></model>
	<model name="box"><pose>1.5 0 0.1 0 0 0</pose><link name="l"><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
		<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model>
	<actor name="walker"><pose>0 1 0 0 0 0</pose><script><loop>true</loop><delay_start>0.5</delay_start><trajectory id="0" type="walk">
		<waypoint><time>0</time><pose>0 0 0 0 0 0</pose></waypoint><waypoint><time>2</time><pose>2 0 0 0 0 0</pose></waypoint>
		<waypoint><time>3</time><pose>2 0 0 0 0 1.5708</pose></waypoint><waypoint><time>5</time><pose>0 0 0 0 0 1.5708</pose></waypoint></trajectory></script></actor>
</world></sdf>`

func TestAnActorFollowsItsScript(t *testing.T) {
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{Document: scriptWorld}})
	do(t, w, sim.SetState{State: sim.Playing})
	where := func() sim.EntityState {
		s := w.Snapshot()
		i, ok := s.Find("walker")
		if !ok || s.Model.Entities[i].Info.Category != scene.Human {
			t.Fatal("no actor")
		}
		return s.Entities[i]
	}
	// 1.5 s: 1 s of its way
	advance(t, w, 375)
	// a curve with ease
	if e := where(); e.Pose.Pos.Dist(r3.V(1, 1, 0)) > 1e-9 || math.Abs(e.Twist.Linear.X-1.5) > 0.02 {
		t.Errorf("after 1.5 s at %v with %v", e.Pose.Pos, e.Twist)
	}
	advance(t, w, 375) // 3 s
	if e := where(); e.Pose.Pos.Dist(r3.V(2, 1, 0)) > 1e-9 || math.Abs(e.Pose.Rot.Yaw()-0.7854) > 1e-3 ||
		math.Abs(e.Twist.Angular.Z-1.5708) > 1e-3 {
		t.Errorf("after 3 s at %v, yaw %v", e.Pose.Pos, e.Pose.Rot.Yaw())
	}
	advance(t, w, 875) // 6.5 s: a second into the second round
	if e := where(); e.Pose.Pos.Dist(r3.V(1, 1, 0)) > 1e-9 {
		t.Errorf("after 6.5 s at %v", e.Pose.Pos)
	}
	do(t, w, sim.SetEntityState{Name: "walker", Pose: &r3.Pose{Pos: r3.V(5, 5, 5), Rot: r3.Identity()}})
	advance(t, w, 3)
	if e := where(); e.Pose.Pos.Dist(r3.V(1, 1, 0)) > 0.1 {
		t.Errorf("put elsewhere it is at %v", e.Pose.Pos)
	}
	do(t, w, sim.Reset{Scope: sim.ResetTime})
	advance(t, w, 375)
	if e := where(); e.Pose.Pos.Dist(r3.V(1, 1, 0)) > 1e-9 {
		t.Errorf("from zero again, after 1.5 s at %v", e.Pose.Pos)
	}
}
