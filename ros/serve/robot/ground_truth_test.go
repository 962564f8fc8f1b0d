package robot

import (
	"math"
	"testing"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
)

func TestTheGroundTruthIsWhereTheRobotIsAndMovesAsItSays(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		truth := rostest.Hear[navmsgs.Odometry](h, "/one/ground_truth", everything())
		h.Until("a listener", func() bool { return h.Has("/one/ground_truth", "nav_msgs/msg/Odometry") })
		time.Sleep(time.Second)
		h.Do(sim.DriveEntity{Name: "one", Twist: r3.Twist{Linear: r3.V(0.3, 0, 0), Angular: r3.V(0, 0, 0.5)}})
		h.Do(sim.StepWorld{N: 100})
		end := h.Engine.Snapshot().Time
		h.Until("the newest", func() bool {
			m := truth.Last()
			return m != nil &&
				nanoseconds(m.Header.Stamp) == end
		})
		all := truth.All()
		m, before := all[len(all)-1], all[len(all)-2]
		if m.Header.FrameID != "world" || m.ChildFrameID != "one/base_link" {
			t.Errorf("the frames are %q and %q", m.Header.FrameID, m.ChildFrameID)
		}
		snap := h.Engine.Snapshot()
		i, _ := snap.Find("one")
		at := geometry.PoseOf(m.Pose.Pose)
		if at != snap.LinksOf(i)[0].Pose {
			t.Errorf("it says %+v, the robot is at %+v", at, snap.LinksOf(i)[0].Pose)
		}
		dt := (nanoseconds(m.Header.Stamp) - nanoseconds(before.Header.Stamp)).Seconds()
		moved := geometry.PoseOf(before.Pose.Pose).Relative(at).Pos.Scale(1 / dt)
		says := geometry.TwistOf(m.Twist.Twist)
		if says.Linear.X < 0.2 || says.Angular.Z < 0.3 || moved.Sub(says.Linear).Len() > 0.02 {
			t.Errorf("it says that it moves with %+v, it moved with %v", says, moved)
		}
	})
}

func TestWhatAFileSaysOfOdometryHolds(t *testing.T) {
	const silent = `<sdf version="1.9"><model name="silent"><link name="body">` + wheel + `</link>
		<plugin filename="libgazebo_ros_planar_move.so" name="d"><publish_odom>false</publish_odom><publish_odom_tf>false</publish_odom_tf></plugin>
		<plugin filename="gz-sim-odometry-publisher-system" name="o"><odom_topic>truth</odom_topic><odom_frame>map</odom_frame><robot_base_frame>middle</robot_base_frame></plugin>
	</model></sdf>`
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "silent", "", silent, 3, -3)
		truth, tf := rostest.Hear[navmsgs.Odometry](h, "/silent/truth", everything()),
			rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything())
		h.Until("a listener", func() bool {
			return h.Has("/silent/truth", "nav_msgs/msg/Odometry") &&
				h.Has("/silent/cmd_vel")
		})
		time.Sleep(time.Second)
		h.Do(sim.StepWorld{N: 50})
		h.Until("the truth", func() bool { return truth.Last() != nil && len(tf.All()) > 2 })
		if m := truth.Last(); m.Header.FrameID != "silent/map" || m.ChildFrameID != "silent/middle" {
			t.Errorf("the frames are %q and %q", m.Header.FrameID, m.ChildFrameID)
		}
		if h.Has("/silent/odom") || h.Has("/silent/ground_truth") {
			t.Error("there is odometry, or the truth under its usual name")
		}
		for _, m := range tf.All() {
			for _, f := range m.Transforms {
				if f.ChildFrameID == "silent/body" {
					t.Fatalf("the body hangs on %s, which is left to others", f.Header.FrameID)
				}
			}
		}
	})
}

// The velocities of Gazebo's OdometryPublisher have errors, which are the same after a reset.
func TestOdometryHasTheNoiseThatItsPluginAsksFor(t *testing.T) {
	const noisy, std = `<sdf version="1.9"><model name="noisy"><static>true</static><link name="body"><gravity>false</gravity>` + wheel + `</link>
		<plugin filename="gz-sim-odometry-publisher-system" name="o"><odom_topic>truth</odom_topic><dimensions>2</dimensions>
		<gaussian_noise>0.25</gaussian_noise></plugin></model></sdf>`, 0.25
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "noisy", "", noisy, 3, -3)
		truth := rostest.Hear[navmsgs.Odometry](h, "/noisy/truth", everything())
		h.Until("a listener", func() bool { return h.Has("/noisy/truth", "nav_msgs/msg/Odometry") })
		time.Sleep(time.Second)
		run := func() map[time.Duration]navmsgs.Odometry {
			h.Do(sim.Reset{Scope: sim.ResetTime | sim.ResetState})
			from, to := len(truth.All()), time.Duration(0)
			for range 10 {
				h.Do(sim.StepWorld{N: 100})
				to += 100 * h.Engine.Snapshot().StepSize
				h.Until("the newest", func() bool { // of before the reset there are later ones
					all := truth.All()
					return len(all) > from && (to-nanoseconds(all[len(all)-1].Header.Stamp)).Abs() < 20*time.Millisecond
				})
			}
			all := map[time.Duration]navmsgs.Odometry{}
			for _, m := range truth.All()[from:] {
				all[nanoseconds(m.Header.Stamp)] = *m
			}
			return all
		}
		first, second := run(), run()

		var sum, squares float64
		for stamp, m := range first {
			v := geometry.TwistOf(m.Twist.Twist)
			for _, x := range [...]float64{v.Linear.X, v.Linear.Y, v.Linear.Z, v.Angular.X, v.Angular.Y, v.Angular.Z} {
				sum, squares = sum+x, squares+x*x
			}
			if again, ok := second[stamp]; ok && again.Twist != m.Twist {
				t.Fatalf("at %v: %+v, and after a reset %+v", stamp, m.Twist.Twist, again.Twist.Twist)
			} else if !ok {
				delete(first, stamp)
			}
			if m.Pose.Covariance[0] != std*std || m.Twist.Covariance[35] != std*std || m.Twist.Covariance[1] != 0 {
				t.Fatalf("variances %v and %v, want %v", m.Pose.Covariance, m.Twist.Covariance, std*std)
			}
			if p := geometry.PoseOf(m.Pose.Pose).Pos; p.Dist(r3.V(3, -3, 0)) > 1e-9 {
				t.Fatalf("a pose of %v: the velocities alone have errors", p)
			}
		}
		if len(first) < 100 {
			t.Fatalf("%d messages of both runs", len(first))
		}
		n := float64(6 * len(first))
		if mean, got := sum/n, math.Sqrt(squares/n); math.Abs(mean) > 4*std/math.Sqrt(n) || math.Abs(got/std-1) > 4/math.Sqrt(2*n) {
			t.Errorf("%g velocities: mean %g, standard deviation %g; want 0 and %g", n, mean, got, std)
		}
	})
}
