package robot

import (
	"testing"
	"time"

	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestWhoComesWhileTimeStandsHearsHowTheRobotsStand(t *testing.T) {
	inEachHall(t, func(h *rostest.Stage) {
		t := h.T
		h.Do(sim.StepWorld{N: 50})
		spawn(h, "stick", "", stick, 3, 3)
		time.Sleep(time.Second)
		for range 2 { // two that come one after another
			tf := rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything())
			joints := rostest.Hear[sensormsgs.JointState](h, "/one/joint_states", everything())
			odom := rostest.Hear[navmsgs.Odometry](h, "/one/odom", everything())
			h.Until("all of them", func() bool {
				return tf.Last() != nil && joints.Last() != nil && odom.Last() != nil
			})
			frames := map[string]string{}
			for _, f := range tf.Last().Transforms {
				frames[f.ChildFrameID] = f.Header.FrameID
			}
			for child, parent := range map[string]string{"one/odom": "world", "one/base_link": "one/odom",
				"one/left": "one/base_link", "stick/root": "world", "stick/arm": "stick/root"} {
				if frames[child] != parent {
					t.Errorf("tf has %q below %q, want %q", child, frames[child], parent)
				}
			}
			if at := nanoseconds(joints.Last().Header.Stamp); at != 200*time.Millisecond {
				t.Errorf("joint states of %v, want of 200ms", at)
			}
			time.Sleep(5 * time.Second)
			if n := len(joints.All()) + len(odom.All()); n > 4 {
				t.Errorf("%d messages while time stands; want one of each for who comes", n)
			}
		}
	})
}

func TestARobotThatIsPutElsewhereWhileTimeStandsIsToldAgainAlone(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "stick", "", stick, 3, 3)
		tf := rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything())
		own := rostest.Hear[sensormsgs.JointState](h, "/stick/joint_states", everything())
		other := rostest.Hear[sensormsgs.JointState](h, "/one/joint_states", everything())
		h.Until("all of them", func() bool {
			return tf.Last() != nil && own.Last() != nil && other.Last() != nil
		})
		time.Sleep(time.Second)
		told := len(other.All())

		hinge := sim.JointPlace{Joint: "hinge", Position: 0.25}
		h.Do(sim.SetJointPositions{Name: "stick", Positions: []sim.JointPlace{hinge}})
		h.Until("the hinge at 0.25 rad", func() bool { return own.Last().Position[0] == 0.25 })
		h.Do(sim.SetEntityState{Name: "stick", Pose: &r3.Pose{Pos: r3.Vec{X: 5, Y: 4}, Rot: r3.Identity()}})
		h.Until("its root at (5, 4)", func() bool {
			for _, f := range tf.Last().Transforms {
				at := f.Transform.Translation
				if f.ChildFrameID == "stick/root" && at.X == 5 && at.Y == 4 {
					return true
				}
			}
			return false
		})
		time.Sleep(time.Second)
		if n := len(own.All()); n > 3 {
			t.Errorf("%d joint states of what was put twice; want 3 at most", n)
		}
		if n := len(other.All()); n != told {
			t.Errorf("%d joint states of a robot that nobody touched; want %d", n, told)
		}
	})
}

func TestACrateThatAURDFDescribesIsAnObjectWithoutTopics(t *testing.T) {
	const crate = `<robot name="crate"><link name="base"><inertial><mass value="1"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="lid"/><joint name="j" type="fixed"><parent link="base"/><child link="lid"/></joint></robot>`
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "crate", "", crate, 3, 3)
		spawn(h, "stick", "", stick, 3, 4)
		h.Until("the robot", func() bool { return h.Has("/stick/robot_description") })
		time.Sleep(time.Second)
		for _, topic := range []string{"robot_description", "ground_truth", "joint_states", "odom"} {
			if h.Has("/crate/" + topic) {
				t.Errorf("the crate has %s", topic)
			}
		}
		want := map[string]scene.Category{"crate": scene.Object, "stick": scene.Robot}
		for _, e := range h.Engine.Snapshot().Model.Entities {
			if c, asked := want[e.Name]; asked && e.Info.Category != c {
				t.Errorf("%s is a %v, want %v", e.Name, e.Info.Category, c)
			}
		}
	})
}
