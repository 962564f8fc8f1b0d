package engine

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scenetest"
	"simdeck/sim/trajectory"
	"simdeck/sim/vehicle"
)

// withFloats calls f for each number of a command, with a copy of it and the number in the copy.
func withFloats(c sim.Command, f func(c func() sim.Command, at reflect.Value)) {
	value := reflect.New(reflect.TypeOf(c)).Elem()
	value.Set(reflect.ValueOf(c))
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Float64:
			f(func() sim.Command { return value.Interface().(sim.Command) }, v)
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		}
	}
	walk(value)
}

// TestNoNumberOfACommandTakesTheSimulator puts each strange number in place of each number of each command.
func TestNoNumberOfACommandTakesTheSimulator(t *testing.T) {
	pose, twist, accel := at(0, 0, 1), r3.Twist{}, r3.Twist{}
	commands := []sim.Command{
		sim.SetEntityState{Name: "rover", Pose: &pose, Twist: &twist, Accel: &accel},
		sim.MoveEntities{Moves: []sim.SetEntityState{{Name: "crate", Pose: &pose, Twist: &twist}}},
		sim.DriveEntity{Name: "rover"}, sim.DriveCar{Name: "rover", Control: vehicle.Control{}},
		sim.SetPacing{RealTime: 1},
		sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointVelocity},
		sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointEffort},
		sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointPosition},
		sim.SetJoints{Name: "rover", Targets: []sim.JointTarget{{Joint: "left", Mode: sim.JointVelocity,
			Target: 0}}},
		sim.FollowTrajectory{Name: "rover", Joints: []string{"left"},
			Points: []trajectory.Point{{At: time.Second, Positions: []float64{1}, Velocities: []float64{0},
				Accelerations: []float64{0}}},
			Path: []sim.JointTolerance{{Position: 1, Velocity: 1}},
			Goal: []sim.JointTolerance{{Position: 1, Velocity: 1}}},
		sim.Spawn{Name: "another", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(3, 3, 3)}},
		sim.Reset{Scope: sim.ResetState, Move: "crate", To: pose},
	}
	refused, done := 0, map[string]int{}
	for _, c := range commands {
		for _, number := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 1e200, -1e200,
			1e100, 1e50, 1e20, -1e7, 5e-324} {
			withFloats(c, func(changed func() sim.Command, at reflect.Value) {
				before := at.Float()
				at.SetFloat(number)
				defer at.SetFloat(before)
				w := yard(t, sim.Playing)
				name := fmt.Sprintf("%T", c)
				if _, err := w.Apply(changed(), Load(scenetest.NewLibrary(), c)); err != nil {
					if refused++; len(err.Error()) > 600 {
						t.Errorf("%s with %g is refused with %d bytes", sim.Describe(changed()), number,
							len(err.Error()))
					}
				} else {
					done[name]++
				}
				for range 20 {
					if err := w.Step(); err != nil {
						break
					}
				}
				if err := notFinite(w); err != nil {
					t.Errorf("%s with %g: %v", name, number, err)
				}
				if text := sim.Describe(changed()); len(text) > 1000 ||
					strings.Contains(text, strings.Repeat("0", 60)) {
					t.Errorf("%s with %g is described with %d bytes", name, number, len(text))
				}
			})
		}
	}
	if refused < 100 || len(done) < 6 {
		t.Errorf("%d were refused, done were %v", refused, done)
	}
}
