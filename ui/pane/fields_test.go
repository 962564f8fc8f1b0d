package pane

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestEveryNumberOfAnEntityCanBeCharted(t *testing.T) {
	spec := &scene.ModelSpec{
		Joints: []scene.Joint{{Name: "lift", Kind: scene.Prismatic}, {Name: "weld", Kind: scene.Fixed},
			{Name: "turn", Kind: scene.Revolute}},
		Drives: []scene.Drive{{}},
	}
	e := sim.EntityModel{Name: "bot", Spec: spec, Sensors: []sim.SensorModel{
		{Spec: &scene.Sensor{Name: "scan", Kind: scene.Lidar}},
		{Spec: &scene.Sensor{Name: "imu", Kind: scene.IMU}},
		{Spec: &scene.Sensor{Name: "wrist", Kind: scene.ForceTorque}},
		{Spec: &scene.Sensor{Name: "eye", Kind: scene.Camera}},
		{Spec: &scene.Sensor{Name: "baro", Kind: scene.AirPressure}},
		{Spec: &scene.Sensor{Name: "tube", Kind: scene.AirSpeed}},
		{Spec: &scene.Sensor{Name: "ping", Kind: scene.Sonar}},
		{Spec: &scene.Sensor{Name: "dvl", Kind: scene.DVL}},
	}}
	s := &sim.Snapshot{
		Model: &sim.Model{Entities: []sim.EntityModel{e}},
		Entities: []sim.EntityState{{Pose: r3.PoseRPY(1, 2, 3, 0, 0, math.Pi/2),
			Twist: r3.Twist{Linear: r3.V(3, 4, 0), Angular: r3.V(0, 0, 2)},
			Accel: r3.Twist{Linear: r3.V(0, 0, -9.81)}}},
		Joints: []sim.JointState{{Position: 0.5, Velocity: -1, Effort: 20}, {}, {Position: 1.5}},
		Odom: []sim.Odometry{{Twist: r3.Twist{Linear: r3.V(0.3, 0, 0)},
			Target: r3.Twist{Angular: r3.V(0, 0, 0.7)}}},
		Contacts: []sim.ContactPoint{{A: 0, B: 1, Force: 5}, {A: 1, B: 0, Force: 7},
			{A: 1, B: 2, Force: 100}},
	}
	empty := fields(s, "bot") // no sensor has measured yet
	s.Samples = []sim.Sample{
		{Data: &sim.LidarScan{Ranges: []float32{float32(math.Inf(1)), 4, 2.5, float32(math.NaN())}}},
		{Data: &sim.IMUReading{SpecificForce: r3.V(0, 0, 9.81)}}, {Data: &sim.Wrench{Torque: r3.V(1, 0, 0)}},
		{}, {Data: &sim.AirPressure{Pascal: 2e5, Depth: 10}}, {Data: &sim.AirSpeed{Pascal: 90, Speed: 12}},
		{Data: &sim.SonarRange{Metres: 7}},
		{Data: &sim.DVLReading{Velocity: r3.V(1, 2, 3), Altitude: 30, Locked: 4}},
	}
	list := fields(s, "bot")
	if len(list) != len(empty) {
		t.Errorf("%d numbers before the sensors measured, %d after: the curves would begin again", len(empty),
			len(list))
	}
	got := map[string]float64{}
	for _, one := range list {
		if _, twice := got[one.name]; twice {
			t.Errorf("two numbers are called %s", one.name)
		}
		got[one.name] = float64(one.values[0])
	}
	for name, want := range map[string]float64{
		"speed": 5, "x": 1, "yaw": 90, "velocity y": 4, "turning z": 2, "acceleration z": -9.81,
		"lift position": 0.5, "lift effort": 20, "turn position": 1.5,
		"odometry speed": 0.3, "drive turn target": 0.7, "scan nearest": 2.5, "imu force z": 9.81,
		"wrist torque x": 1, "baro depth": 10, "tube pressure": 90, "tube air speed": 12, "ping range": 7,
		"dvl velocity y": 2, "dvl altitude": 30, "dvl beams": 4, "contact points": 2, "contact force": 12,
	} {
		if v, there := got[name]; !there || math.Abs(v-want) > 1e-5 {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
	if _, there := got["weld position"]; there {
		t.Error("a fixed joint has a position")
	}
}

func TestWhatIsNotMeasuredIsNoCurve(t *testing.T) {
	if v := finite(math.Inf(-1)); !math.IsNaN(v) {
		t.Errorf("a sonar without an echo measures %v", v)
	}
	if v := nearest(&sim.LidarScan{Ranges: []float32{float32(math.Inf(1))}}); !math.IsNaN(v) {
		t.Errorf("the nearest of no returns is %v", v)
	}
	if v := nearest(nil); !math.IsNaN(v) {
		t.Errorf("the nearest of no scan is %v", v)
	}
}
