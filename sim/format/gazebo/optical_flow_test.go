package gazebo

import (
	"fmt"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// flowsOf reads a <link> with its sensors, each at x = its number.
func flowsOf(t *testing.T, content string) (sensors []scene.Sensor, notes scene.Notes) {
	t.Helper()
	d := open(t, "<link xmlns:gz=\"g\" xmlns:simdeck=\"s\">\n"+content+"</link>")
	nodes := d.Tree.Root.All("sensor")
	for i, n := range nodes {
		sensors = append(sensors, Sensor(d, n, r3.PoseRPY(float64(i), 0, 0, 0, 0, 0)))
	}
	return OpticalFlows(d, nodes, sensors), *d.Notes
}

// flowEye is the camera of PX4's sensor for Gazebo.
const flowEye = `<sensor name="flow_camera" type="camera"><update_rate>50</update_rate><camera><clip><near>0.2</near><far>30</far></clip></camera></sensor>`

// TestAnOpticalFlowSensorSeesWhatItsCameraSees: rate, pose and clip are those of flow_camera, before or
// behind it; its own do not count.
func TestAnOpticalFlowSensorSeesWhatItsCameraSees(t *testing.T) {
	flow := `<sensor name="optical_flow" type="custom" gz:type="optical_flow"><update_rate>10</update_rate><topic>flow</topic></sensor>`
	for eye, content := range []string{flowEye + flow, flow + flowEye} {
		got, notes := flowsOf(t, content)
		s := &got[1-eye]
		want := scene.OpticalFlowSpec{Near: 0.2, Far: 30}
		if len(got) != 2 || s.Kind != scene.OpticalFlow || s.Rate != 50 || s.Pose.Pos.X != float64(eye) ||
			s.Flow != want || s.Topic != "flow" || s.Noise != (scene.Noise{}) || len(notes) > 0 {
			t.Errorf("%+v, notes %v", got, notes)
		}
		if got[eye].Kind != scene.Camera {
			t.Errorf("its camera is %+v", got[eye])
		}
	}
}

// TestAPluginOfACameraIsAnOpticalFlowSensor beside it, as in PX4's px4flow for Gazebo Classic.
func TestAPluginOfACameraIsAnOpticalFlowSensor(t *testing.T) {
	camera := func(plugin string) string {
		return `<sensor name="px4flow" type="camera"><update_rate>100</update_rate><camera><clip><near>0.1</near><far>90</far></clip></camera>
			<plugin name="opticalflow_plugin" filename="libgazebo_opticalflow_plugin.so"><robotNamespace/>` + plugin + `</plugin></sensor>`
	}
	for plugin, want := range map[string]struct {
		rate float64
		gyro bool
	}{
		`<outputRate>25</outputRate><hasGyro>true</hasGyro><gyroTopic>/px4flow/imu</gyroTopic>`: {25, true},
		``:                             {20, true},
		`<hasGyro>false</hasGyro>`:     {20, false},
		`<outputRate>0</outputRate>`:   {100, true},
		`<outputRate>400</outputRate>`: {100, true},
	} {
		got, notes := flowsOf(t, `<sensor name="i" type="imu"/>`+camera(plugin))
		if len(got) != 3 || len(notes) > 0 {
			t.Fatalf("%s: %+v, notes %v", plugin, got, notes)
		}
		s := &got[2]
		if s.Name != "opticalflow_plugin" || s.Kind != scene.OpticalFlow || s.Rate != want.rate ||
			s.Pose.Pos.X != 1 || got[1].Kind != scene.Camera ||
			s.Flow != (scene.OpticalFlowSpec{Near: 0.1, Far: 90, Gyro: want.gyro}) {
			t.Errorf("%s: %+v", plugin, got)
		}
	}
}

// TestAnOddOpticalFlowSensorIsNoted with its place, and has the defaults in the place of odd numbers.
func TestAnOddOpticalFlowSensorIsNoted(t *testing.T) {
	flow := func(content string) string {
		return flowEye + "\n" + `<sensor name="f" type="custom" gz:type="optical_flow">` + content + `</sensor>`
	}
	plugin := func(kind, content string) string {
		return fmt.Sprintf("<sensor name=\"e\" type=\"%s\"><update_rate>60</update_rate>\n<plugin name=\"f\" filename=\"libgazebo_opticalflow_plugin.so\">%s</plugin></sensor>",
			kind, content)
	}
	for _, c := range []struct {
		content, note, at string
		rate              float64 // of the flow sensor; 0: none runs
	}{
		{`<sensor name="f" type="custom" gz:type="optical_flow"/>`, `takes a camera "flow_camera" in its link`, "2:1", 0},
		{`<sensor name="flow_camera" type="imu"/>` + "\n" + `<sensor name="f" type="custom" gz:type="optical_flow"/>`,
			`takes a camera "flow_camera" in its link`, "3:1", 0},
		{plugin("imu", ""), `it takes a camera, and sensor "e" is none`, "3:1", 0},
		{plugin("camera", "<outputRate>-5</outputRate>"), "outputRate of -5 Hz; using 20 Hz", "3:61", 20},
		{plugin("camera", "<outputRate>nan</outputRate>"), `<outputRate> is "nan", not a finite number`, "3:61", 20},
		{plugin("camera", "<hasGyro>maybe</hasGyro>"), `<hasGyro> is "maybe"`, "3:61", 20},
		{flow("<simdeck:noise><stddev>-1</stddev></simdeck:noise>"), "a standard deviation of -1 rad; want 0 or more",
			"3:70", 50},
		{flow("<simdeck:noise><stddev>x</stddev></simdeck:noise>"), `<stddev> is "x", not a finite number`, "3:70", 50},
	} {
		got, notes := flowsOf(t, c.content)
		rate, noisy := 0.0, false
		for _, s := range got {
			if s.Kind == scene.OpticalFlow {
				rate, noisy = s.Rate, s.Noise != scene.Noise{}
			}
		}
		text := fmt.Sprint(notes)
		if rate != c.rate || noisy || !strings.Contains(text, c.note) || !strings.Contains(text, c.at) {
			t.Errorf("%s: rate %g, notes %s; want %q at %s", c.content, rate, text, c.note, c.at)
		}
	}
}
