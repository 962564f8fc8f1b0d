package urdf

import (
	"testing"

	"simdeck/sim/scene"
)

// TestOpticalFlowOfALinkIsReadAsInSDF: in blocks of <gazebo> of their own, beside other sensors.
func TestOpticalFlowOfALinkIsReadAsInSDF(t *testing.T) {
	m, err := read(t, robotOf(a+`<gazebo reference="a"><sensor name="i" type="imu"/></gazebo>
		<gazebo reference="a"><sensor name="optical_flow" type="custom" gz:type="optical_flow"/>
		<sensor name="flow_camera" type="camera"><pose>0 0 -1 0 0 0</pose><update_rate>40</update_rate><camera><clip><near>0.2</near><far>8</far></clip></camera></sensor></gazebo>
		<gazebo reference="a"><sensor name="c" type="camera"><update_rate>60</update_rate><camera/>
		<plugin name="p" filename="libgazebo_opticalflow_plugin.so"/></sensor></gazebo>`))
	if err != nil {
		t.Fatal(err)
	}
	sensors := m.Links[0].Sensors
	kinds := []scene.SensorKind{scene.IMU, scene.OpticalFlow, scene.Camera, scene.Camera, scene.OpticalFlow}
	if len(sensors) != len(kinds) {
		t.Fatalf("%+v, want %d sensors", sensors, len(kinds))
	}
	for i, kind := range kinds {
		if sensors[i].Kind != kind {
			t.Errorf("sensor %q is of kind %d, want %d", sensors[i].Name, sensors[i].Kind, kind)
		}
	}
	paired, plugin := &sensors[1], &sensors[4]
	if paired.Rate != 40 || paired.Pose.Pos.Z != -1 ||
		paired.Flow != (scene.OpticalFlowSpec{Near: 0.2, Far: 8}) {
		t.Errorf("%+v", paired)
	}
	if plugin.Rate != 20 || plugin.Flow != (scene.OpticalFlowSpec{Near: 0.1, Far: 100, Gyro: true}) {
		t.Errorf("%+v", plugin)
	}
}
