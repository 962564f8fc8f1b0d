package vehicle

import (
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/ackermannmsgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// lot is an SDF world with a car as its ego vehicle: a wheel base of 0.4 m, camera and lidar without topics.
func lot() string {
	wheel := func(name, x, y string) string {
		return `<link name="` + name + `"><pose>` + x + ` ` + y + ` 0.1 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.0014</ixx><iyy>0.0025</iyy><izz>0.0014</izz></inertia></inertial>
<collision name="c"><pose>0 0 0 -1.5707963267948966 0 0</pose><geometry><cylinder><radius>0.1</radius><length>0.05</length></cylinder></geometry></collision></link>`
	}
	joint := func(name, parent, child, axis string) string {
		return `<joint name="` + name + `" type="revolute"><parent>` + parent + `</parent><child>` + child +
			`</child><axis><xyz>` + axis + `</xyz></axis></joint>`
	}
	var b strings.Builder
	b.WriteString(`<sdf version="1.9"><world name="lot"><physics name="p" type="ignored"><max_step_size>0.01</max_step_size></physics>
<simdeck:ego><model>buggy</model><dynamics_model>kinematic_bicycle</dynamics_model><max_speed>3</max_speed></simdeck:ego>
<include><uri>model://ground_plane</uri></include><model name="buggy"><link name="chassis"><pose>0 0 0.15 0 0 0</pose><inertial><mass>10</mass>
<inertia><ixx>0.15</ixx><iyy>0.25</iyy><izz>0.35</izz></inertia></inertial><collision name="c"><geometry><box><size>0.5 0.3 0.1</size></box></geometry></collision>
<sensor name="camera_front" type="camera"><update_rate>12</update_rate><camera><image><width>16</width><height>12</height></image></camera></sensor>
<sensor name="top" type="gpu_lidar"><update_rate>20</update_rate><lidar><scan><horizontal><samples>36</samples><min_angle>-3</min_angle><max_angle>3</max_angle></horizontal>
<vertical><samples>4</samples><min_angle>-0.3</min_angle><max_angle>0</max_angle></vertical></scan><range><min>0.3</min><max>30</max></range></lidar></sensor></link>`)
	for side, y := range map[string]string{"left": "0.15", "right": "-0.15"} {
		b.WriteString(wheel("rear_"+side, "-0.2", y) + wheel("front_"+side, "0.2", y) + `<link name="knuckle_` + side + `"><pose>0.2 ` + y + ` 0.1 0 0 0</pose>
<inertial><mass>0.3</mass><inertia><ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz></inertia></inertial></link>` +
			joint("rear_"+side+"_joint", "chassis", "rear_"+side, "0 1 0") + joint("steer_"+side+"_joint",
			"chassis", "knuckle_"+side, "0 0 1") +
			joint("front_"+side+"_joint", "knuckle_"+side, "front_"+side, "0 1 0"))
	}
	b.WriteString(`<plugin filename="gz-sim-ackermann-steering-system" name="gz::sim::systems::AckermannSteering"><left_joint>rear_left_joint</left_joint>
<right_joint>rear_right_joint</right_joint><left_steering_joint>steer_left_joint</left_steering_joint><right_steering_joint>steer_right_joint</right_steering_joint>
<odom_topic>/model/buggy/odometry</odom_topic><steering_limit>0.5</steering_limit></plugin></model></world></sdf>`)
	return b.String()
}

func TestTheEgoVehicleOfAnSDFWorldHasTheWholeProfile(t *testing.T) {
	inTownOf(t, rostest.Files(map[string]string{"lot.sdf": lot()}), "lot.sdf", sim.Paused,
		func(h *rostest.Stage) {
			images, clouds := hear[sensormsgs.Image](h, "/camera/front/image_raw", node.DefaultQoS()),
				hear[sensormsgs.PointCloud2](h, "/lidar/top/points", node.DefaultQoS())
			states, odom := hear[gssimmsgs.VehicleState](h, "/vehicle/state", node.DefaultQoS()),
				hear[navmsgs.Odometry](h, "/odom", node.DefaultQoS())
			status, tf := hear[gssimmsgs.SimulationStatus](h, "/sim/status", node.DefaultQoS()),
				hear[tf2msgs.TFMessage](h, "/tf", node.DefaultQoS())
			world := hear[gssimmsgs.WorldInfo](h, "/sim/world_info", node.LatchedQoS())
			for _, clear := range []func(){images.Clear, clouds.Clear, states.Clear, odom.Clear, tf.Clear} {
				clear()
			}
			h.Do(sim.SetState{State: sim.Playing})
			a := &ackermannmsgs.AckermannDriveStamped{}
			a.Drive.Speed, a.Drive.SteeringAngle = 1, 0.2
			driver(h, a, 5)
			if s := states.Last(); math.Abs(s.Twist.Linear.X-1) > 0.01 ||
				math.Abs(s.Twist.Angular.Z-math.Tan(0.2)/0.4) > 0.02 || s.Gear != 3 {
				t.Errorf("state %+v", s)
			}
			time.Sleep(5 * time.Second)
			h.Do(sim.SetState{State: sim.Paused})
			time.Sleep(time.Second)
			for topic, n := range map[string][2]int{"image": {len(images.All()), 120},
				"cloud": {len(clouds.All()), 200}, "state": {len(states.All()), 1000},
				"odom": {len(odom.All()), 1000}} {
				if n[0] < n[1]-1 || n[0] > n[1]+1 {
					t.Errorf("%s: %d messages in 10 s, want %d ± 1", topic, n[0], n[1])
				}
			}
			if s := states.Last(); s.Twist.Linear.X != 0 || len(status.Last().Warnings) == 0 ||
				!strings.Contains(status.Last().Warnings[0], "emergency stop") {
				t.Errorf("after 5 s without a command: %+v, %q", s.Twist, status.Last().Warnings)
			}
			if w := world.Last(); w.WorldID != "lot" || w.BaseLinkFrame != "chassis" ||
				len(w.AvailableCameras) != 1 || w.AvailableCameras[0] != "front" ||
				len(w.AvailableLidars) != 1 || w.AvailableLidars[0] != "top" {
				t.Errorf("world info %+v", w)
			}
			frames := map[string]string{}
			for _, m := range tf.All() {
				for i := range m.Transforms {
					frames[m.Transforms[i].ChildFrameID] = m.Transforms[i].Header.FrameID
				}
			}
			if frames["odom"] != "map" || frames["chassis"] != "odom" ||
				odom.Last().ChildFrameID != "chassis" {
				t.Errorf("tf by child %v, odometry of %q", frames, odom.Last().ChildFrameID)
			}
		})
}
