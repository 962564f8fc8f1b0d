package robot

import (
	"math"
	"testing"
	"time"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/sim"
)

func TestJointCommandsMoveWhatNoDriveTurns(t *testing.T) {
	inTheHall(t, func(h *hall) {
		h.spawn("stick", "", stick, 3, -3)
		h.until("the topic of its joint", func() bool { return h.has("/stick/joint_commands", "sensor_msgs/msg/JointState") })
		if h.has("/one/joint_commands") {
			t.Error("wheels of a drive can be commanded one by one")
		}
		say := talk[sensormsgs.JointState](h, "/stick/joint_commands")
		hinge := func() sim.JointState {
			s := h.engine.Snapshot()
			i, _ := s.Find("stick")
			return s.JointsOf(i)[0]
		}
		send := func(m *sensormsgs.JointState, seconds int) sim.JointState {
			say(m)
			time.Sleep(100 * time.Millisecond)
			h.do(sim.StepWorld{N: uint64(250 * seconds)})
			return hinge()
		}
		name, none := []string{"hinge"}, []float64{math.NaN()}
		if j := send(&sensormsgs.JointState{Name: name, Position: []float64{0.5}}, 3); math.Abs(j.Position-0.5) > 0.01 {
			t.Errorf("sent to 0.5 rad it is at %.4f", j.Position)
		}
		if j := send(&sensormsgs.JointState{Name: name, Position: none, Velocity: []float64{-0.2}}, 1); math.Abs(j.Velocity+0.2) > 0.01 {
			t.Errorf("told to turn at -0.2 rad/s it turns at %.4f", j.Velocity)
		}
		if j := send(&sensormsgs.JointState{Name: name, Effort: []float64{9}}, 2); j.Position < 0.9 {
			t.Errorf("pushed with 9 N·m it is at %.4f rad, want its stop at 1", j.Position)
		}
		// What is wrong is refused whole.
		if j := send(&sensormsgs.JointState{Name: []string{"hinge", "knee"}, Position: []float64{0.2, 1}}, 3); j.Position < 0.9 {
			t.Errorf("beside a joint that is not there it went to %.4f", j.Position)
		}
		if j := send(&sensormsgs.JointState{Name: name}, 1); j.Position < 0.9 {
			t.Errorf("an empty command moves it to %.4f", j.Position)
		}
	})
}
