package robot

import (
	"testing"
	"time"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
)

func TestASingleRobotHasTopicsAndFramesWithoutAPrefix(t *testing.T) {
	inTheHallAs(t, Config{Single: true}, func(h *rostest.Stage) {
		tf := rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything())
		scan := rostest.Hear[sensormsgs.LaserScan](h, "/scan", everything())
		put := func(name, namespace string) {
			h.Do(sim.Spawn{Name: name, Namespace: namespace, Resource: sim.Resource{URI: "model://rig"},
				Pose: sim.FramedPose{Pose: r3.PoseRPY(0, -2, 0, 0, 0, 0)}})
		}
		h.Until("the robot's topics", func() bool {
			return h.Has("/cmd_vel") && h.Has("/odom") && h.Has("/joint_states") &&
				h.Has("/robot_description")
		})
		put("two", "")
		put("three", "north")
		h.Until("the others'", func() bool { return h.Has("/two/cmd_vel") && h.Has("/north/cmd_vel") })
		h.Do(sim.StepWorld{N: 250})
		h.Until("a scan", func() bool { return scan.Last() != nil })
		if frame := scan.Last().Header.FrameID; frame != "mast" {
			t.Errorf("the scan is in %q, want mast", frame)
		}
		frames := map[string]string{}
		for _, m := range tf.All() {
			for _, f := range m.Transforms {
				frames[f.ChildFrameID] = f.Header.FrameID
			}
		}
		for child, parent := range map[string]string{"odom": "world", "base_link": "odom",
			"left": "base_link", "two/odom": "world", "north/base_link": "north/odom"} {
			if frames[child] != parent {
				t.Errorf("tf has %q below %q, want %q", child, frames[child], parent)
			}
		}
		h.Do(sim.Delete{Names: []string{"three", "two"}})
		h.Until("their end", func() bool { return !h.Has("/two/cmd_vel") && !h.Has("/north/cmd_vel") })
		put("four", "")
		h.Until("the fourth's", func() bool { return h.Has("/four/cmd_vel") && h.Has("/cmd_vel") })
		h.Do(sim.SetState{State: sim.Playing})
		time.Sleep(time.Second)
	})
}

func TestAnotherRobotIsTheSingleOneWhenThatHasGone(t *testing.T) {
	inTheHallAs(t, Config{Single: true}, func(h *rostest.Stage) {
		for _, name := range []string{"one", "a", "b"} {
			if name != "one" {
				h.Do(sim.Spawn{Name: name, Resource: sim.Resource{URI: "model://rig"}})
			}
			h.Until("its topics", func() bool { return h.Has("/cmd_vel") && !h.Has("/"+name+"/cmd_vel") })
			h.Do(sim.Delete{Names: []string{name}, OfWorld: true})
			h.Until("their end", func() bool { return !h.Has("/cmd_vel") })
		}
	})
}
