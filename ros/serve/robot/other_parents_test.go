package robot

import (
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

func TestAFrameThatSomebodyElsePutsSomewhereIsTheirsWhileTheyAreThere(t *testing.T) {
	fixed := node.LatchedQoS()
	for name, c := range map[string]struct {
		topic, parent, child string
		qos                  node.QoS
		yields               bool
	}{
		"a localization":                     {"/tf", "map", "one/odom", everything(), true},
		"a fixed edge of the user's":         {"/tf_static", "world", "one/odom", fixed, true},
		"another simulator":                  {"/tf", "world", "one/odom", everything(), false},
		"a localization of another robot":    {"/tf", "map", "two/odom", everything(), false},
		"odometry of another robot's wheels": {"/tf", "two/odom", "two/base", everything(), false},
		"a robot's base without odometry":    {"/tf", "map", "stick/root", everything(), true},
	} {
		t.Run(name, func(t *testing.T) {
			inEachHall(t, func(h *rostest.Stage) {
				t := h.T
				spawn(h, "stick", "", stick, 3, 3)
				h.Do(sim.SetState{State: sim.Playing})
				tf := rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything())
				edges := func() []string { return since(h, tf) }
				both := []string{"world one/odom", "world stick/root"}
				h.Until("both edges", func() bool { return slices.Equal(edges(), both) })
				other, err := node.NewPublisher[tf2msgs.TFMessage](h.Client, c.topic, c.qos)
				if err != nil {
					t.Fatal(err)
				}
				m := &tf2msgs.TFMessage{Transforms: []geometrymsgs.TransformStamped{{
					Header: stdmsgs.Header{FrameID: c.parent}, ChildFrameID: c.child,
					Transform: geometrymsgs.Transform{Rotation: geometrymsgs.Quaternion{W: 1}}}}}
				for range 20 {
					if err := other.Publish(m); err != nil {
						t.Fatal(err)
					}
					time.Sleep(100 * time.Millisecond)
				}
				want := slices.Clone(both)
				if c.yields {
					want = slices.DeleteFunc(want, func(e string) bool { return e == "world "+c.child })
				}
				if got := edges(); !slices.Equal(got, want) {
					t.Errorf("told are %v, want %v", got, want)
				}
				if err := other.Close(); err != nil {
					t.Fatal(err)
				}
				h.Until("both edges again", func() bool { return slices.Equal(edges(), both) })
			})
		})
	}
}

// since are the edges from the world that the simulator tells within a second from now, in order.
func since(h *rostest.Stage, tf *rostest.Heard[tf2msgs.TFMessage]) (edges []string) {
	tf.Clear()
	time.Sleep(time.Second)
	for _, m := range tf.All() {
		for _, f := range m.Transforms {
			edge := f.Header.FrameID + " " + f.ChildFrameID
			// edges of this test have no time
			if f.Header.FrameID == "world" && (f.Header.Stamp.Sec|int32(f.Header.Stamp.Nanosec)) != 0 &&
				!slices.Contains(edges, edge) {
				edges = append(edges, edge)
			}
		}
	}
	slices.Sort(edges)
	return edges
}
