package engine_test

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// TestEncodersComeFromTheFiles: an SDF joint and the <gazebo> of a URDF joint.
func TestEncodersComeFromTheFiles(t *testing.T) {
	const sensor = `<sensor name="e" type="custom" gz:type="encoder"><encoder><position><noise type="gaussian_quantized"><stddev>0.001</stddev><precision>0.02</precision></noise></position></encoder></sensor>`
	const inertia = `<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>`
	for format, text := range map[string]string{
		"sdf": `<sdf version="1.9"><model name="m"><static>false</static>` + chassisLink + wheelLink("w", 0,
			0.3, "") +
			`<joint name="j" type="revolute"><parent>base</parent><child>w</child><axis><xyz>0 1 0</xyz></axis>` +
			sensor + `</joint></model></sdf>`,
		"urdf": `<robot name="m"><link name="base">` + inertia + `</link><link name="w">` + inertia + `</link>
			<joint name="j" type="continuous"><parent link="base"/><child link="w"/><axis xyz="0 1 0"/></joint><gazebo reference="j">` + sensor + `</gazebo></robot>`,
	} {
		w := inTheEmptyWorld(t, engine.Options{}, "it", text)
		do(t, w, sim.SetJoint{Name: "it", Joint: "j", Mode: sim.JointVelocity, Target: 1})
		advance(t, w, 100)
		q, e, _ := joints(t, w)
		s := q["j"]
		if told, _ := s.Reported(); !s.Encoder.Set || math.Abs(math.Remainder(told, 0.02)) > 1e-9 ||
			math.Abs(told-s.Position) > 0.02 || told == s.Position {
			t.Errorf("%s: the encoder tells %+v", format, s)
		}
		if sensors := e.Sensors; len(sensors) != 0 {
			t.Errorf("%s: it is a sensor of a link, too: %+v", format, sensors)
		}
	}
}
