package robot

import (
	"context"
	"testing"

	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const wheel = `<inertial><mass>0.5</mass><inertia><ixx>0.0008</ixx><iyy>0.0008</iyy><izz>0.0016</izz></inertia></inertial>
<collision name="c"><geometry><cylinder><radius>0.08</radius><length>0.04</length></cylinder></geometry></collision>`

const rig = `<sdf version="1.9"><model name="rig">
<link name="base_link"><pose>0 0 0.08 0 0 0</pose><inertial><mass>5</mass><inertia><ixx>0.04</ixx><iyy>0.07</iyy><izz>0.1</izz></inertia></inertial>
<collision name="c"><pose>0 0 0.05 0 0 0</pose><geometry><box><size>0.3 0.2 0.1</size></box></geometry></collision></link>
<link name="left"><pose>0 0.17 0.08 -1.570796 0 0</pose>` + wheel + `</link>
<link name="right"><pose>0 -0.17 0.08 -1.570796 0 0</pose>` + wheel + `</link>
<link name="caster"><pose>-0.15 0 0.04 0 0 0</pose><inertial><mass>0.1</mass><inertia><ixx>0.0001</ixx><iyy>0.0001</iyy><izz>0.0001</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>0.04</radius></sphere></geometry>
<surface><friction><ode><mu>0.01</mu><mu2>0.01</mu2></ode></friction></surface></collision></link>
<link name="mast"><pose>0 0 0.3 0 0 0</pose><inertial><mass>0.1</mass><inertia><ixx>0.0001</ixx><iyy>0.0001</iyy><izz>0.0001</izz></inertia></inertial>
<sensor name="flat" type="gpu_lidar"><update_rate>10</update_rate><topic>scan</topic><gz_frame_id>mast</gz_frame_id><always_on>1</always_on>
<lidar><scan><horizontal><samples>36</samples><min_angle>-3.1</min_angle><max_angle>3.1</max_angle></horizontal></scan>
<range><min>0.05</min><max>20</max></range></lidar></sensor>
<sensor name="deep" type="gpu_lidar"><pose>0 0 0.1 0 0 0</pose><update_rate>5</update_rate><topic>points</topic><always_on>1</always_on>
<lidar><scan><horizontal><samples>32</samples><min_angle>-3.1</min_angle><max_angle>3.1</max_angle></horizontal>
<vertical><samples>4</samples><min_angle>-0.3</min_angle><max_angle>0.3</max_angle></vertical></scan>
<range><min>0.05</min><max>20</max></range></lidar></sensor></link>
<joint name="left_joint" type="revolute"><parent>base_link</parent><child>left</child><axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>
<joint name="right_joint" type="revolute"><parent>base_link</parent><child>right</child><axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>
<joint name="caster_joint" type="fixed"><parent>base_link</parent><child>caster</child></joint>
<joint name="mast_joint" type="fixed"><parent>base_link</parent><child>mast</child></joint>
<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>
<wheel_separation>0.34</wheel_separation><wheel_radius>0.08</wheel_radius><odom_publish_frequency>25</odom_publish_frequency></plugin>
</model></sdf>`

const room = `<sdf version="1.9"><world name="room"><physics name="p" type="ignored"><max_step_size>0.004</max_step_size></physics>
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="wall"><static>true</static><pose>6 0 1 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>0.2 8 2</size></box></geometry></collision></link></model>
<include><uri>model://rig</uri><name>one</name><pose>0 1 0 0 0 0.5</pose></include></world></sdf>`

const stick = `<robot name="stick"><link name="root"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="arm"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="root"/><child link="arm"/><origin xyz="0 0 0.5"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>`

var files = rostest.Files(map[string]string{
	"room/world.sdf":          room,
	"models/rig/model.config": `<model><name>rig</name><sdf version="1.9">model.sdf</sdf></model>`,
	"models/rig/model.sdf":    rig,
	"models/rig/tin.obj":      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
})

// inTheHall runs a test with a fleet over a real engine, paused at time zero.
func inTheHall(t *testing.T, f func(h *rostest.Stage)) {
	t.Helper()
	inTheHallAs(t, Config{}, f)
}

// inEachHall is inTheHall over each middleware.
func inEachHall(t *testing.T, f func(h *rostest.Stage)) {
	t.Helper()
	for name, zenoh := range map[string]bool{"DDS": false, "Zenoh": true} {
		t.Run(name, func(t *testing.T) { playHall(t, Config{}, zenoh, f) })
	}
}

// inTheHallAs is inTheHall with a configuration of the fleet.
func inTheHallAs(t *testing.T, c Config, f func(h *rostest.Stage)) {
	t.Helper()
	playHall(t, c, false, f)
}

func playHall(t *testing.T, c Config, zenoh bool, f func(h *rostest.Stage)) {
	t.Helper()
	rostest.On(t, rostest.Play{Files: files, World: scene.Resource{URI: "world://@cache@/room"},
		Start: sim.Paused, Zenoh: zenoh}, func(h *rostest.Stage) error {
		_, err := c.New(h.Server, h.Engine)
		return err
	}, f)
}

func spawn(h *rostest.Stage, name, uri, text string, x, y float64) {
	h.T.Helper()
	h.Do(sim.Spawn{Name: name, Resource: sim.Resource{URI: uri, Document: text},
		Pose: sim.FramedPose{Pose: r3.PoseRPY(x, y, 0, 0, 0, 0)}})
}

func set(h *rostest.Stage, parameter string, to node.Value) {
	h.T.Helper()
	if err := h.Server.Parameters().Set(context.Background(),
		rclinterfaces.Parameter{Name: parameter, Value: to}); err != nil {
		h.T.Fatal(err)
	}
}
