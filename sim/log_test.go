package sim

import (
	"fmt"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/vehicle"
)

func TestWhatTheJournalHasShownIsNeverChanged(t *testing.T) {
	var j eventLog
	var views [][]Event
	for i := range 3 * maxEvents {
		j.add(Event{Text: fmt.Sprint(i)})
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
	for want, c := range map[string]Command{
		"set state paused":                 SetState{Paused},
		"step 250":                         StepWorld{250},
		"reset all":                        Reset{},
		"reset state, a at 1.00 2.00 0.00": Reset{ResetState, "a", pose},
		"reset time+spawned":               Reset{Scope: ResetTime | ResetSpawned},
		"reset scope 8":                    Reset{Scope: 8},
		"spawn model://x as bob at 1.00 2.00 0.00 in dock": Spawn{Name: "bob",
			Resource: Resource{URI: "model://x"}, Pose: FramedPose{Frame: "dock", Pose: pose}},
		"spawn text of 3 bytes at 1.00 2.00 0.00": Spawn{Resource: Resource{Document: "abc"},
			Pose: FramedPose{Pose: pose}},
		"spawn 2 models": SpawnBatch{make([]Spawn, 2)},
		"delete a, b":    Delete{[]string{"a", "b"}},
		"move a to 1.00 2.00 0.00 at 2.00 m/s with 3.00 m/s²": SetEntityState{Name: "a", Pose: &pose,
			Twist: &r3.Twist{Linear: r3.V(2, 0, 0)}, Accel: &r3.Twist{Linear: r3.V(0, 3, 0)}},
		"set info of 2 entities": SetEntityInfos{make([]SetEntityInfo,
			2)},
		"set info of a": SetEntityInfo{Name: "a"},
		"drive a 0.50 m/s 0.20 rad/s": DriveEntity{Name: "a",
			Twist: r3.Twist{Linear: r3.V(0.5, 0, 0), Angular: r3.V(0, 0, 0.2)}},
		"drive a in reverse, steered 0.10 rad, to 2.00 m/s": DriveCar{Name: "a",
			Control: vehicle.Control{Gear: vehicle.Reverse, Pedal: vehicle.ToSpeed, Steer: 0.1, Speed: 2}},
		"drive a in drive, steered 0.00 rad, by -1.00 m/s²": DriveCar{Name: "a",
			Control: vehicle.Control{Gear: vehicle.Forward, Pedal: vehicle.ByAccel, Accel: -1}},
		"drive a in park, steered 0.00 rad, throttle 0.50, brake 1.00": DriveCar{Name: "a",
			Control: vehicle.Control{Throttle: 0.5, Brake: 1}},
		"joint a/j velocity 2": SetJoint{Name: "a", Joint: "j",
			Mode: JointVelocity, Target: 2},
		"real-time factor 0.5": SetPacing{0.5},
		"load yard":            LoadWorld{Resource: Resource{URI: "yard"}},
		"read yard":            BeginLoad{Resource{URI: "yard"}},
		"unload world":         UnloadWorld{},
		"cancel steps":         CancelSteps{},
		"ListWorlds":           ListWorlds{},
	} {
		if got := Describe(c); got != want {
			t.Errorf("%T: %q, want %q", c, got, want)
		}
	}
	if got := JointMode(9).String(); !strings.Contains(got, "9") {
		t.Errorf("an unknown mode is called %q", got)
	}
}
