package format_test

import (
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// Gazebo allows names that ROS does not: tokens that begin with a digit, ~, dashes, spaces.
func TestNamesOfFilesAreLegalInROSAndNotedWhereTheyChange(t *testing.T) {
	for name, want := range map[string]string{
		"~/mine": "mine", "9axis/imu": "n9axis/imu", "/3dm/imu": "/n3dm/imu", "2d_scan": "n2d_scan",
		"imu__raw_": "imu__raw_", "/a-b/c d": "/a_b/c_d", "~": "", "激光/scan": "scan", "/model/m/cmd_vel": "/model/m/cmd_vel",
		"_hidden": "_hidden", "{x}//y/": "x_/y",
	} {
		m := motorised(t, `<plugin filename="x" name="gz::sim::systems::JointPositionController"><joint_name>j</joint_name><topic>`+
			name+`</topic></plugin><plugin filename="x" name="gz::sim::systems::OdometryPublisher"><odom_topic>`+name+
			`</odom_topic></plugin>`)
		spec := worldWith(t, `<model name="m"><link name="l"><sensor name="s" type="imu"><topic>`+name+
			`</topic></sensor></link></model>`)
		in := spec.Models[0].Model
		for what, got := range map[string]string{"joint": m.Joints[0].Listen.Topic, "odometry": m.ROS.Truth.Topic,
			"sensor": in.Links[0].Sensors[0].Topic} {
			if got != want {
				t.Errorf("%s %q: topic %q, want %q", what, name, got, want)
			}
		}
		for _, notes := range []scene.Notes{m.Notes, in.Notes} {
			if noted := strings.Contains(textOf(notes), "in ROS"); noted != (name != want) {
				t.Errorf("%q: notes %v", name, notes)
			}
		}
	}
}

func textOf(notes scene.Notes) (text string) {
	for _, n := range notes {
		text += n.Text + "\n"
	}
	return text
}
