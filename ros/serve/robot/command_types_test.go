package robot

import (
	"context"
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

func TestVelocityCommandsAreSubscribedInTheTypesOfTheirPublishers(t *testing.T) {
	const plain, stamped = "geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistStamped"
	inEachHall(t, func(h *rostest.Stage) {
		t := h.T
		h.Do(sim.SetState{State: sim.Playing})
		subscribed := func(want ...string) func() bool {
			return func() bool { return slices.Equal(subscriptionTypes(h, "/one/cmd_vel"), want) }
		}
		parameter := func(value string) error {
			return h.Server.Parameters().Set(context.Background(),
				rclinterfaces.Parameter{Name: "cmd_vel_type", Value: node.StringValue(value)})
		}
		h.Until("Twist, where nobody publishes", subscribed(plain))
		second, err := node.NewPublisher[geometrymsgs.TwistStamped](h.Client, "/one/cmd_vel",
			node.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		h.Until("TwistStamped alone", subscribed(stamped))
		h.Until("the match", func() bool { return second.Subscribers() > 0 })
		m := geometrymsgs.TwistStamped{}
		m.Twist.Linear.X = 0.5
		if err := second.Publish(&m); err != nil {
			t.Fatal(err)
		}
		h.Until("motion", func() bool {
			i, _ := h.Engine.Snapshot().Find("one")
			return h.Engine.Snapshot().OdomOf(i)[0].Twist.Linear.X > 0.2
		})
		first, err := node.NewPublisher[geometrymsgs.Twist](h.Client, "/one/cmd_vel", node.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		h.Until("both", subscribed(plain, stamped))
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
		h.Until("Twist alone", subscribed(plain))
		for value, want := range map[string][]string{"both": {plain, stamped}, "TwistStamped": {stamped},
			"Twist": {plain}} {
			if err := parameter(value); err != nil {
				t.Fatal(err)
			}
			h.Until(value, subscribed(want...))
		}
		if err := parameter("Float64"); err == nil {
			t.Error("cmd_vel_type may be Float64")
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
	})
}

// subscriptionTypes are the types in which the simulator subscribes to a topic.
func subscriptionTypes(h *rostest.Stage, topic string) (types []string) {
	for _, l := range h.Server.Listening() {
		if l.Topic == "rt"+topic && !slices.Contains(types, l.Type) {
			types = append(types, l.Type)
		}
	}
	slices.Sort(types)
	return types
}
