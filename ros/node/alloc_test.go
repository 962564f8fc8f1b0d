package node

import (
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/netsim"
)

// publishes counts the allocations of a sample of constant shape, from Publish
// to the writer's history, when everything has grown to its size.
func publishes[T any, PT msgs.Of[T]](t *testing.T, m *T) float64 {
	t.Helper()
	n, err := New(Config{Name: "n", Transport: netsim.New(1).Host("n")})
	if err != nil {
		t.Fatal(err)
	}
	q := LatchedQoS()
	q.Depth = 10
	p, err := NewPublisher[T, PT](n, "topic", q)
	if err != nil {
		t.Fatal(err)
	}
	publish := func() {
		if err := p.Publish(m); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		publish()
	}
	return testing.AllocsPerRun(1000, publish)
}

func TestPublishingAllocatesNothing(t *testing.T) {
	odom := navmsgs.NewOdometry()
	odom.Header.FrameID, odom.ChildFrameID = "one/odom", "one/base_link"
	tf := &tf2msgs.TFMessage{Transforms: make([]geometrymsgs.TransformStamped, 8)}
	for i := range tf.Transforms {
		tf.Transforms[i].Header.FrameID, tf.Transforms[i].ChildFrameID = "one/odom", "one/base_link"
	}
	for name, allocs := range map[string]float64{
		"Clock": publishes(t, &rosgraphmsgs.Clock{}), "Odometry": publishes(t, odom),
		"TFMessage": publishes(t, tf),
	} {
		if allocs != 0 {
			t.Errorf("a %s costs %g allocations: a simulator publishes thousands a second", name, allocs)
		}
	}
}
