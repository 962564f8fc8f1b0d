package simtest

import (
	"time"

	"simdeck/ros/rostest"
	"simdeck/sim/scene"
)

// slow is a library that takes its time, so that others act while a world is loaded.
type slow struct{ scene.Library }

func (s slow) World(r scene.Resource) (*scene.WorldSpec, error) {
	time.Sleep(time.Duration(len(r.URI)) * 11_000_037)
	return s.Library.World(r)
}

func (s slow) Model(r scene.Resource) (*scene.ModelSpec, error) {
	time.Sleep(time.Duration(len(r.URI)) * 1_000_039)
	return s.Library.Model(r)
}

// files are the worlds and models of the simulations: small ones, so that many can be simulated.
var files = rostest.Files(map[string]string{
	"yard/world.sdf": `<sdf version="1.11" xmlns:simdeck="urn:simdeck:sdf"><world name="yard">
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<include><uri>model://ball</uri><name>ball</name><pose>2 1 1 0 0 0</pose><simdeck:deletable>true</simdeck:deletable></include>
<include><uri>model://cart</uri><name>cart</name><pose>0 0 0.1 0 0 0</pose></include>
<frame name="dock"><pose>1 2 0 0 0 0</pose></frame></world></sdf>`,
	"hall/world.sdf": `<sdf version="1.11"><world name="hall">
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><box><size>9 9 1</size></box></geometry></collision></link></model>
<include><uri>model://crate</uri><name>crate</name><pose>0 0 2 0.1 0 0</pose></include></world></sdf>`,
	"models/ball/model.config": `<model><name>ball</name><sdf version="1.11">model.sdf</sdf></model>`,
	"models/ball/model.sdf": `<sdf version="1.11"><model name="ball"><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.016</ixx><iyy>0.016</iyy><izz>0.016</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>0.2</radius></sphere></geometry></collision></link></model></sdf>`,
	"models/crate/model.config": `<model><name>crate</name><sdf version="1.11">model.sdf</sdf></model>`,
	"models/crate/model.sdf": `<sdf version="1.11"><model name="crate"><link name="body">
<inertial><mass>2</mass><inertia><ixx>0.05</ixx><iyy>0.05</iyy><izz>0.05</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.4 0.5 0.6</size></box></geometry></collision></link></model></sdf>`,
	"models/cart/model.config": `<model><name>cart</name><sdf version="1.11">model.sdf</sdf></model>`,
	"models/cart/model.sdf":    cart,
})

// cart is a robot with two wheels and a skid, a lidar of few rays and an IMU.
const cart = `<sdf version="1.11"><model name="cart" canonical_link="base">
<link name="base"><pose>0 0 0.1 0 0 0</pose>
<inertial><mass>5</mass><inertia><ixx>0.05</ixx><iyy>0.08</iyy><izz>0.1</izz></inertia></inertial>
<collision name="hull"><geometry><box><size>0.4 0.3 0.1</size></box></geometry></collision>
<collision name="skid"><pose>0.15 0 -0.06 0 0 0</pose><geometry><sphere><radius>0.04</radius></sphere></geometry></collision>
<sensor name="scan" type="gpu_lidar"><topic>scan</topic><update_rate>10</update_rate><pose>0 0 0.2 0 0 0</pose>
<lidar><scan><horizontal><samples>16</samples><min_angle>-1.5</min_angle><max_angle>1.5</max_angle></horizontal></scan>
<range><min>0.1</min><max>10</max></range></lidar></sensor>
<sensor name="imu" type="imu"><topic>imu</topic><update_rate>50</update_rate></sensor></link>
<link name="left"><pose>-0.1 0.18 0.08 -1.5707963 0 0</pose>
<inertial><mass>0.5</mass><inertia><ixx>0.002</ixx><iyy>0.002</iyy><izz>0.002</izz></inertia></inertial>
<collision name="c"><geometry><cylinder><radius>0.08</radius><length>0.04</length></cylinder></geometry></collision></link>
<link name="right"><pose>-0.1 -0.18 0.08 -1.5707963 0 0</pose>
<inertial><mass>0.5</mass><inertia><ixx>0.002</ixx><iyy>0.002</iyy><izz>0.002</izz></inertia></inertial>
<collision name="c"><geometry><cylinder><radius>0.08</radius><length>0.04</length></cylinder></geometry></collision></link>
<joint name="left_joint" type="revolute"><parent>base</parent><child>left</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="right_joint" type="revolute"><parent>base</parent><child>right</child><axis><xyz>0 0 1</xyz></axis></joint>
<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint><wheel_separation>0.36</wheel_separation>
<wheel_radius>0.08</wheel_radius><topic>cmd_vel</topic></plugin>
<plugin filename="gz-sim-joint-state-publisher-system" name="gz::sim::systems::JointStatePublisher"/></model></sdf>`
