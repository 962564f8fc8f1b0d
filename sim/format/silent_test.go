package format

import (
	"strings"
	"testing"
)

// worldOf is a world of SDF with a model of one link that holds something; both begin on line 2.
func worldOf(inWorld, inLink string) string {
	return `<sdf version="1.12"><world name="w">` + "\n" + inWorld + `<model name="m"><link name="l">` + inLink +
		`</link></model></world></sdf>`
}

// TestNothingOddIsTakenWithoutAWord reads files with values that cannot be meant: a note or the error says
// so, with the place.
func TestNothingOddIsTakenWithoutAWord(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"an added mass below zero", "w.sdf", worldOf("", `<inertial><mass>1</mass><fluid_added_mass><xx>-1</xx></fluid_added_mass></inertial>`),
			"2:56: suspicious: <fluid_added_mass> is left out: it is below zero along some motion"},
		{"a density below zero", "w.sdf", worldOf(`<plugin filename="f" name="gz::sim::systems::Buoyancy"><uniform_fluid_density>-5</uniform_fluid_density></plugin>`, ""),
			"2:56: suspicious: <uniform_fluid_density> of -5 kg/m³"},
		{"two densities of a layer", "w.sdf", worldOf(`<plugin filename="f" name="gz::sim::systems::Buoyancy"><graded_buoyancy><density_change><above_depth>0</above_depth><density>1</density></density_change><density_change><above_depth>0</above_depth><density>1</density></density_change></graded_buoyancy></plugin>`, ""),
			"2:154: suspicious: a second density above 0 m"},
		{"a storm", "w.sdf", worldOf(`<wind><linear_velocity>1e9 0 0</linear_velocity></wind>`, ""),
			`2:7: suspicious: a wind of "1e9 0 0"`},
		{"a sensor's rate", "w.sdf", worldOf("", `<sensor name="s" type="imu"><update_rate>1e12</update_rate></sensor>`),
			"2:60: suspicious: update_rate of 1e+12 Hz"},
		{"a step of SDF", "w.sdf", worldOf(`<physics><max_step_size>10</max_step_size></physics>`, ""),
			`2:10: suspicious: a step of "10" s`},
		{"a step of MJCF", "m.xml", `<mujoco><option timestep="10"/><worldbody><body><geom size="1"/></body></worldbody></mujoco>`,
			"1:9: timestep of 10 s; it is greater than zero, and 1e-05 to 0.1 s is possible"},
		{"a step of Webots", "w.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 10000 }\n",
			"2:27: basicTimeStep of 10000 ms"},
		{"a quaternion in degrees", "w.sdf", worldOf("", `<pose rotation_format="quat_xyzw" degrees="true">0 0 0 0 0 0 1</pose>`),
			`2:32: degrees="true" of a quaternion`},
		{"a quaternion that is none", "w.sdf", worldOf("", `<pose rotation_format="quat_xyzw">0 0 0 0 0 90 0</pose>`),
			"2:32: suspicious: quaternion 0 0 90 0 has a length of 90"},
		{"a latitude", "w.sdf", worldOf(`<spherical_coordinates><latitude_deg>123</latitude_deg></spherical_coordinates>`, ""),
			"2:24: suspicious: <latitude_deg> of 123; want -90 to 90"},
		{"a mirroring scale", "w.wbt", "#VRML_SIM R2025a utf8\nTransform {\n  scale -1 1 1\n  children [ Shape { geometry Box {} } ]\n}\n",
			"3:9: suspicious: a scale of [-1 1 1] mirrors"},
		{"a joint to nowhere", "w.wbt", "#VRML_SIM R2025a utf8\nSolid {\n  children [\n    HingeJoint { }\n  ]\n}\n",
			"4:5: suspicious: HingeJoint without an endPoint moves nothing"},
		{"a folder of another machine", "m.xml", `<mujoco><compiler meshdir="/home/me/meshes"/><worldbody><body><geom size="1"/></body></worldbody></mujoco>`,
			`1:9: suspicious: meshdir="/home/me/meshes" is an absolute path`},
		{"a drive of another machine", "m.xml", `<mujoco><compiler texturedir="C:\meshes"/><worldbody><body><geom size="1"/></body></worldbody></mujoco>`,
			`1:9: suspicious: texturedir="C:/meshes" is an absolute path`},
		{"an inertia that lacks a term", "m.urdf",
			`<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" iyz="0"/></inertial></link></robot>`,
			`1:59: suspicious: link "l": <inertia> lacks ixz; using 0`},
		{"two shapes of URDF", "m.urdf",
			`<robot name="r"><link name="l"><visual><geometry><box size="1 1 1"/><sphere radius="1"/></geometry></visual></link></robot>`,
			"1:69: suspicious: a second shape <sphere> in one <geometry>; left out"},
		{"two shapes of SDF", "w.sdf", worldOf("", `<visual name="v"><geometry><box/><sphere/></geometry></visual>`),
			"2:65: suspicious: a second shape <sphere> in one <geometry>; left out"},
		{"a safety controller", "m.urdf", inRobot("\n" + `<joint name="j" type="fixed"><parent link="a"/><child link="b"/><safety_controller k_velocity="1"/></joint>`),
			"2:65: ignored: <safety_controller> in <joint> has no effect here"},
		{"a NUL in XML", "m.urdf", "<robot name=\"r\">\n<link name=\"l\x00\"/></robot>", "2:14: a NUL byte"},
		{"a NUL in VRML", "w.wbt", "#VRML_SIM R2025a utf8\nWorldInfo {\x00 }\n", "2:12: a NUL byte"},
		{"what a composite would make", "m.xml", `<mujoco><worldbody><body name="b"><geom size="1"/><composite type="cable"/></body></worldbody><equality>
<connect name="end" body1="b" body2="B_last" anchor="0 0 0"/></equality></mujoco>`,
			`2:1: unsupported: <connect> "end" speaks of what a <composite> makes, which is not run; left out: there is no body "B_last"`},
		{"a merged model that is not there", "m.sdf", `<sdf version="1.12"><model name="m"><link name="a"/><include merge="true"><uri>model://none</uri></include>
<joint name="j" type="fixed"><parent>a</parent><child>part_of_it</child></joint></model></sdf>`,
			`2:1: missing: joint "j" connects to a model that is missing; left out`},
	} {
		notes, err := notesOn(c.file, c.text)
		said := ""
		if err != nil {
			said = err.Error()
		}
		for _, n := range notes {
			said += n.String() + "\n"
		}
		if !strings.Contains(said, c.file+":"+c.want) {
			t.Errorf("%s: want %s, it said\n%s", c.name, c.want, said)
		}
		if strings.Contains(said, mergedName) {
			t.Errorf("%s is told by a name that no file has: %s", c.name, said)
		}
	}
}

// mergedName is within the names of frames that stand for merged models.
const mergedName = "_merged__"

// TestAMergedModelIsToldByTheNameThatItsFileHas leaves out joints of a merged model. Neither the note nor its
// suggestion names the frame that stands for the model.
func TestAMergedModelIsToldByTheNameThatItsFileHas(t *testing.T) {
	for joint, want := range map[string]string{
		`<joint name="j" type="fixed"><parent>l</parent><child>nothing</child></joint>`:                   `joint "j": there is no link or frame "nothing" in "m"`,
		`<joint name="j" type="fixed"><parent>__model__</parent><child>merged_part_model</child></joint>`: `there is no link or frame "merged_part_model"`,
	} {
		lib := libraryOf(map[string]string{
			"part/model.sdf": `<sdf version="1.12"><model name="part"><link name="l"/>` + joint + `</model></sdf>`,
			"m.sdf":          `<sdf version="1.12"><model name="m"><include merge="true"><uri>part</uri></include></model></sdf>`})
		notes, err := modelNamed(lib, "m.sdf")
		if err != nil || !strings.Contains(notes, want) || strings.Contains(notes, mergedName) {
			t.Errorf("%s: %v: %s, want %s", joint, err, notes, want)
		}
	}
}

// TestAModelThatAMergedModelIncludesMayBeMissing loads it without the joint to what is missing.
func TestAModelThatAMergedModelIncludesMayBeMissing(t *testing.T) {
	lib := libraryOf(map[string]string{
		"part/model.sdf": `<sdf version="1.12"><model name="part"><link name="l"/>
<include><uri>model://none</uri><name>gone</name></include>
<joint name="j" type="fixed"><parent>l</parent><child>gone::x</child></joint></model></sdf>`,
		"m.sdf": `<sdf version="1.12"><model name="m"><include merge="true"><uri>part</uri></include></model></sdf>`})
	notes, err := modelNamed(lib, "m.sdf")
	want := `part/model.sdf:3:1: missing: joint "j" connects to a model that is missing; left out`
	if err != nil || !strings.Contains(notes, want) {
		t.Errorf("%v: %s, want %s", err, notes, want)
	}
}
