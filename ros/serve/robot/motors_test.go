package robot

import (
	"math"
	"testing"
	"time"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

func TestJointCommandsMoveWhatNoDriveTurns(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "stick", "", stick, 3, -3)
		h.Until("the topic of its joint", func() bool { return h.Has("/stick/joint_commands", "sensor_msgs/msg/JointState") })
		if h.Has("/one/joint_commands") {
			t.Error("wheels of a drive can be commanded one by one")
		}
		say := rostest.Talk[sensormsgs.JointState](h, "/stick/joint_commands", node.DefaultQoS())
		hinge := func() sim.JointState {
			s := h.Engine.Snapshot()
			i, _ := s.Find("stick")
			return s.JointsOf(i)[0]
		}
		send := func(m *sensormsgs.JointState, seconds int) sim.JointState {
			say(m)
			time.Sleep(100 * time.Millisecond)
			h.Do(sim.StepWorld{N: uint64(250 * seconds)})
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
