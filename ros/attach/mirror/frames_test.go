package mirror

import (
	"fmt"
	"math"
	"testing"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
)

// tf is a message of one transform: x to the front and a turn to the left.
func tf(parent, child string, x, yaw float64) *tf2msgs.TFMessage {
	m := tf2msgs.NewTFMessage()
	t := geometrymsgs.NewTransformStamped()
	t.Header.FrameID, t.ChildFrameID = parent, child
	q := r3.FromRPY(0, 0, yaw)
	t.Transform.Translation.X = x
	t.Transform.Rotation = geometrymsgs.Quaternion{X: q.X, Y: q.Y, Z: q.Z, W: q.W}
	m.Transforms = append(m.Transforms, *t)
	return m
}

func TestFramesThatHangOnTheWorldAreDrawn(t *testing.T) {
	var f frames
	f.forget()
	for _, m := range []*tf2msgs.TFMessage{
		tf("base", "lidar", 0.5, 0), tf("odom", "base", 2, math.Pi/2), tf("map", "odom", 10, 0),
		tf("nobody_knows", "lost", 1, 0), tf("ring_b", "ring_a", 1, 0), tf("ring_a", "ring_b", 1, 0),
		tf("world", "nowhere", math.NaN(), 0),
	} {
		f.take(m, "a")
	}
	lines := f.draw()
	if len(lines) != 9 {
		t.Fatalf("%d axes, want three of base, lidar and odom", len(lines))
	}
	for i, want := range map[int][2]r3.Vec{0: {r3.V(12, 0, 0), r3.V(12, 0.1, 0)},
		3: {r3.V(12, 0.5, 0), r3.V(12, 0.6, 0)}, 6: {r3.V(10, 0, 0), r3.V(10.1, 0, 0)}} {
		if l := lines[i]; l.A.Sub(want[0]).Len() > 1e-9 || l.B.Sub(want[1]).Len() > 1e-9 ||
			l.Kind != sim.DrawFrames {
			t.Errorf("axis %d goes from %v to %v, want %v", i, l.A, l.B, want)
		}
	}
	f.take(tf("map", "odom", 20, 0), "a") // it has moved
	if at := f.draw()[0].A; at.Sub(r3.V(22, 0, 0)).Len() > 1e-9 {
		t.Errorf("base is at %v after its parent moved", at)
	}
	for i := range 2 * mostFrames {
		f.take(tf("world", fmt.Sprint("f", i), 1, 0), "a")
	}
	if n := len(f.of); n > mostFrames {
		t.Errorf("%d frames are kept of as many as anybody publishes", n)
	}
}

func TestTheFramesOfASimulatorElsewhereAreSeen(t *testing.T) {
	inTheField(t, func(f *field) {
		_, stop := f.simdeck("sim")
		defer stop()
		n, err := node.New(node.Config{Name: "robot_state_publisher", Transport: f.net.Host("robot")})
		if err != nil {
			f.t.Fatal(err)
		}
		moving, err := node.NewPublisher[tf2msgs.TFMessage](n, "/tf", node.TFQoS())
		if err != nil {
			f.t.Fatal(err)
		}
		fixed, err := node.NewPublisher[tf2msgs.TFMessage](n, "/tf_static", node.LatchedQoS())
		if err != nil {
			f.t.Fatal(err)
		}
		leave := rostest.Run(f.t, "node", n.Run)
		if err := fixed.Publish(tf("base", "lidar", 0.5, 0)); err != nil { // before anybody listens
			f.t.Fatal(err)
		}
		m := f.mirror()
		// Published again and again, as robot_state_publisher does: the simulator listens to /tf too, so that
		// a subscriber may be seen before the mirror is one.
		s := f.until(m, "two frames", func(s *sim.Snapshot) bool {
			if err := moving.Publish(tf("world", "base", 3, 0)); err != nil {
				f.t.Fatal(err)
			}
			return len(s.Drawing) == 6
		})
		for i, want := range map[int]float64{0: 3, 3: 3.5} {
			if got := s.Drawing[i].A.X; math.Abs(got-want) > 1e-9 {
				f.t.Errorf("axis %d begins at %v, want %v", i, got, want)
			}
		}
		leave()
		f.until(m, "their end, as nobody publishes them any more",
			func(s *sim.Snapshot) bool { return len(s.Drawing) == 0 })
	})
}
