package robot

import (
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

func TestJointCommandsMoveWhatNoDriveTurns(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "stick", "", stick, 3, -3)
		h.Until("the topic of its joint",
			func() bool { return h.Has("/stick/joint_commands", "sensor_msgs/msg/JointState") })
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
		if j := send(&sensormsgs.JointState{Name: name, Position: []float64{0.5}},
			3); math.Abs(j.Position-0.5) > 0.01 {
			t.Errorf("sent to 0.5 rad it is at %.4f", j.Position)
		}
		if j := send(&sensormsgs.JointState{Name: name, Position: none, Velocity: []float64{-0.2}},
			1); math.Abs(j.Velocity+0.2) > 0.01 {
			t.Errorf("told to turn at -0.2 rad/s it turns at %.4f", j.Velocity)
		}
		if j := send(&sensormsgs.JointState{Name: name, Effort: []float64{9}}, 2); j.Position < 0.9 {
			t.Errorf("pushed with 9 N·m it is at %.4f rad, want its stop at 1", j.Position)
		}
		// An invalid command is refused whole.
		if j := send(&sensormsgs.JointState{Name: []string{"hinge", "knee"}, Position: []float64{0.2, 1}},
			3); j.Position < 0.9 {
			t.Errorf("beside a joint that is not there it went to %.4f", j.Position)
		}
		if j := send(&sensormsgs.JointState{Name: name}, 1); j.Position < 0.9 {
			t.Errorf("an empty command moves it to %.4f", j.Position)
		}
	})
}

// A controller of a joint in the robot's file names the topic of its numbers: positions, or speeds.
func TestAJointListensToTheTopicOfItsController(t *testing.T) {
	for plugin, want := range map[string]func(sim.JointState) bool{
		"JointPositionController": func(j sim.JointState) bool { return math.Abs(j.Position-0.4) < 0.01 },
		"JointController":         func(j sim.JointState) bool { return math.Abs(j.Velocity-0.4) < 0.01 },
	} {
		inTheHall(t, func(h *rostest.Stage) {
			spawn(h, "stick", "", strings.Replace(stick, "</robot>",
				`<gazebo><plugin filename="x" name="gz::sim::systems::`+plugin+
					`"><joint_name>hinge</joint_name><topic>turn/hinge</topic></plugin></gazebo></robot>`, 1),
				3,
				-3)
			h.Until("the topic of its joint",
				func() bool { return h.Has("/stick/turn/hinge", "std_msgs/msg/Float64") })
			rostest.Talk[stdmsgs.Float64](h, "/stick/turn/hinge",
				node.DefaultQoS())(&stdmsgs.Float64{Data: 0.4})
			time.Sleep(100 * time.Millisecond)
			h.Do(sim.StepWorld{N: 500})
			s := h.Engine.Snapshot()
			i, _ := s.Find("stick")
			if j := s.JointsOf(i)[0]; !want(j) {
				t.Errorf("%s: told 0.4 it is at %.4f with %.4f", plugin, j.Position, j.Velocity)
			}
		})
	}
}
