package engine

import (
	"fmt"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/vehicle"
)

func TestWhatTheJournalHasShownIsNeverChanged(t *testing.T) {
	var j eventLog
	var views [][]sim.Event
	for i := range 3 * maxEvents {
		j.add(sim.Event{Text: fmt.Sprint(i)})
		views = append(views, j.recent())
	}
	for i, v := range views {
		if len(v) > maxEvents || len(v) < min(i+1, maxEvents/2) {
			t.Fatalf("view %d has %d events", i, len(v))
		}
		for k, e := range v {
			if want := i - len(v) + 1 + k; e.Text != fmt.Sprint(want) || e.Seq != uint64(want+1) {
				t.Fatalf("view %d: event %d is %+v, want %d", i, k, e, want)
			}
		}
	}
}

func TestEveryCommandHasALineForPeople(t *testing.T) {
	pose := at(1, 2, 0)
	for want, c := range map[string]sim.Command{
		"set state paused":                 sim.SetState{State: sim.Paused},
		"step 250":                         sim.StepWorld{N: 250},
		"reset all":                        sim.Reset{},
		"reset state, a at 1.00 2.00 0.00": sim.Reset{Scope: sim.ResetState, Move: "a", To: pose},
		"reset time+spawned":               sim.Reset{Scope: sim.ResetTime | sim.ResetSpawned},
		"reset scope 8":                    sim.Reset{Scope: 8},
		"spawn model://x as bob at 1.00 2.00 0.00 in dock": sim.Spawn{Name: "bob",
			Resource: sim.Resource{URI: "model://x"}, Pose: sim.FramedPose{Frame: "dock", Pose: pose}},
		"spawn text of 3 bytes at 1.00 2.00 0.00": sim.Spawn{Resource: sim.Resource{Document: "abc"},
			Pose: sim.FramedPose{Pose: pose}},
		"spawn 2 models": sim.SpawnBatch{Spawns: make([]sim.Spawn, 2)},
		"delete a, b":    sim.Delete{Names: []string{"a", "b"}},
		"move a to 1.00 2.00 0.00 at 2.00 m/s with 3.00 m/s²": sim.SetEntityState{Name: "a", Pose: &pose,
			Twist: &r3.Twist{Linear: r3.V(2, 0, 0)}, Accel: &r3.Twist{Linear: r3.V(0, 3, 0)}},
		"set info of 2 entities": sim.SetEntityInfos{Infos: make([]sim.SetEntityInfo,
			2)},
		"set info of a": sim.SetEntityInfo{Name: "a"},
		"drive a 0.50 m/s 0.20 rad/s": sim.DriveEntity{Name: "a",
			Twist: r3.Twist{Linear: r3.V(0.5, 0, 0), Angular: r3.V(0, 0, 0.2)}},
		"drive a in reverse, steered 0.10 rad, to 2.00 m/s": sim.DriveCar{Name: "a",
			Control: vehicle.Control{Gear: vehicle.Reverse, Longitudinal: vehicle.ToSpeed, Steer: 0.1,
				Speed: 2}},
		"drive a in drive, steered 0.00 rad, by -1.00 m/s²": sim.DriveCar{Name: "a",
			Control: vehicle.Control{Gear: vehicle.Forward, Longitudinal: vehicle.ByAccel, Accel: -1}},
		"drive a in park, steered 0.00 rad, throttle 0.50, brake 1.00": sim.DriveCar{Name: "a",
			Control: vehicle.Control{Throttle: 0.5, Brake: 1}},
		"joint a/j velocity 2": sim.SetJoint{Name: "a", Joint: "j",
			Mode: sim.JointVelocity, Target: 2},
		"real-time factor 0.5": sim.SetPacing{RealTime: 0.5},
		"load yard":            sim.LoadWorld{Resource: sim.Resource{URI: "yard"}},
		"read yard":            sim.BeginLoad{Resource: sim.Resource{URI: "yard"}},
		"unload world":         sim.UnloadWorld{},
		"cancel steps":         sim.CancelSteps{},
		"ListWorlds":           sim.ListWorlds{},
	} {
		if got := sim.Describe(c); got != want {
			t.Errorf("%T: %q, want %q", c, got, want)
		}
	}
	if got := sim.JointMode(9).String(); !strings.Contains(got, "9") {
		t.Errorf("an unknown mode is called %q", got)
	}
}
