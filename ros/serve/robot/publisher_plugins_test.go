package robot

import (
	"math"
	"slices"
	"testing"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
)

// Gazebo's publishers: joint states of some joints on a topic of their own, and odometry at its own rate of a
// point beside the base.
func TestPublishersOfGazeboPublishAsTheFileSays(t *testing.T) {
	const joints = `<plugin filename="gz-sim-joint-state-publisher-system" name="gz::sim::systems::JointStatePublisher"><topic>/robot/joints</topic><joint_name>jb</joint_name></plugin>`
	model := `<sdf version="1.9"><model name="m"><link name="body"><gravity>false</gravity>` + wheel + `</link>
		<link name="a"><gravity>false</gravity>` + wheel + `</link><link name="b"><gravity>false</gravity>` + wheel + `</link>
		<joint name="ja" type="revolute"><parent>body</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>
		<joint name="jb" type="revolute"><parent>body</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>` + joints + `
		<plugin filename="gz-sim-odometry-publisher-system" name="gz::sim::systems::OdometryPublisher"><odom_topic>/my/odom</odom_topic>
		<odom_publish_frequency>10</odom_publish_frequency><dimensions>2</dimensions><xyz_offset>0.5 0 0.1</xyz_offset></plugin></model></sdf>`
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "m", "", model, 3, -3)
		at := r3.PoseRPY(1, 2, 1, 0, 0, 1)
		h.Do(sim.SetEntityState{Name: "m", Pose: &at, Twist: &r3.Twist{Angular: r3.V(0, 0, 0.1)}})
		truth := rostest.Hear[navmsgs.Odometry](h, "/my/odom", everything())
		states := rostest.Hear[sensormsgs.JointState](h, "/robot/joints", everything())
		h.Until("listeners", func() bool {
			return h.Has("/my/odom", "nav_msgs/msg/Odometry") && h.Has("/robot/joints", "sensor_msgs/msg/JointState")
		})
		time.Sleep(time.Second)
		begin := h.Engine.Snapshot().Time
		h.Do(sim.StepWorld{N: 250})
		end := h.Engine.Snapshot().Time
		h.Until("the newest states", func() bool {
			m := states.Last()
			return m != nil && end-nanoseconds(m.Header.Stamp) < 20*time.Millisecond
		})
		if h.Has("/m/joint_states") || h.Has("/m/ground_truth") {
			t.Error("the usual topics are there, too")
		}
		if m := states.Last(); !slices.Equal(m.Name, []string{"jb"}) || len(m.Position) != 1 {
			t.Errorf("joint states of %q, want jb alone", m.Name)
		}
		var stamps []time.Duration
		for _, m := range truth.All() {
			if stamp := nanoseconds(m.Header.Stamp); stamp > begin {
				stamps = append(stamps, stamp)
			}
		}
		if want := (end - begin).Seconds() * 10; math.Abs(float64(len(stamps))-want) > 1 {
			t.Errorf("%d messages in %v, want 10 Hz", len(stamps), end-begin)
		}
		m := truth.Last()
		turned := 1 + 0.1*(nanoseconds(m.Header.Stamp)-begin).Seconds()
		want := r3.V(1+0.5*math.Cos(turned), 2+0.5*math.Sin(turned), 0)
		if got := geometry.PoseOf(m.Pose.Pose).Pos; got.Dist(want) > 2e-3 {
			t.Errorf("odometry at %v, want %v", got, want)
		}
		if v := geometry.TwistOf(m.Twist.Twist); v.Linear.Dist(r3.V(0, 0.05, 0)) > 2e-3 {
			t.Errorf("it moves with %v, want the offset times the rate of turn", v)
		}
	})
}
