package urdf

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// noFiles answers no address.
type noFiles struct{}

func (noFiles) Mesh(string, asset.Ref) (*mesh.Mesh, error) { return nil, asset.ErrNotFound }

func (noFiles) Exists(string, asset.Ref) error { return asset.ErrNotFound }

func (noFiles) Model(string, *source.Doc) (*source.Doc, error) { return nil, asset.ErrNotFound }

func read(t testing.TB, text string) (*scene.ModelSpec, error) {
	t.Helper()
	tree, err := xmltree.Parse([]byte(text), xmltree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return Model(source.Open("test.urdf", asset.Ref{}, tree, noFiles{}))
}

func robotOf(inside string) string { return `<robot name="r">` + inside + `</robot>` }

func jointOf(name, kind, parent, child, inside string) string {
	return `<joint name="` + name + `" type="` + kind + `"><parent link="` + parent + `"/><child link="` +
		child + `"/>` + inside + `</joint>`
}

const (
	a, b, c = `<link name="a"/>`, `<link name="b"/>`, `<link name="c"/>`
	stops   = `<limit lower="-1" upper="2" effort="3" velocity="4"/>`
)

func shape(text string) string {
	return robotOf(`<link name="a"><collision><geometry>` + text + `</geometry></collision></link>`)
}

func massOf(value string) string {
	return robotOf(`<link name="a"><inertial><mass value="` + value + `"/></inertial></link>`)
}

var refused = []struct{ text, want string }{
	{robotOf(""), "has no <link>"},
	{`<robot xmlns:xacro="x"><xacro:macro/></robot>`, "this is xacro"},
	{robotOf(a + a), `a second link "a"`},
	{robotOf(a + b), "one root link"},
	{robotOf(a + b + jointOf("j", "fixed", "a", "b", "") + jointOf("k", "fixed", "b", "a", "")),
		"every link is the child"},
	{robotOf(a + b + c + jointOf("j", "fixed", "a", "c", "") + jointOf("k", "fixed", "b", "c", "")),
		"a link has one parent"},
	{robotOf(a + b + c + jointOf("j", "fixed", "b", "c", "") + jointOf("k", "fixed", "c", "b", "")),
		"hang in a circle"},
	{robotOf(a + b + jointOf("j", "fixed", "a", "b", "") + jointOf("j", "fixed", "a", "b", "")),
		`a second joint "j"`},
	{robotOf(a + b + jointOf("j", "fixed", "a", "a", "")), "to itself"},
	{robotOf(a + b + jointOf("j", "", "a", "b", "")), "has no type"},
	{robotOf(a + b + jointOf("j", "bendy", "a", "b", "")), `type "bendy"`},
	{robotOf(a + b + jointOf("j", "revolute", "a", "b", "")), "has no <limit>"},
	{robotOf(a + b + jointOf("j", "continuous", "a", "b", `<axis xyz="0 0 0"/>`)), "no direction"},
	{robotOf(a + b + jointOf("j", "continuous", "a", "b", `<origin xyz="0 0 0 0"/>`)),
		"has 4 numbers, needs 3"},
	{robotOf(a + b + jointOf("j", "continuous", "a", "b", `<mimic joint="j"/>`)), "itself or not there"},
	{robotOf(a + b + c + jointOf("j", "continuous", "a", "b", `<mimic joint="k"/>`) + jointOf("k",
		"continuous", "b", "c", `<mimic joint="j"/>`)), "by way of others"},
	{massOf("NaN"), "not a finite number"},
	{massOf("-1"), "mass of -1 kg"},
	{massOf("1,5"), "is not a number"},
	{massOf("0x10"), "is not a number"},
	{massOf("1_000"), "is not a number"},
	{massOf("${m}"), "this is xacro"},
	{robotOf(a + b + c + jointOf("j", "fixed", "a", "b", `<origin xyz="1e308 0 0"/>`) + jointOf("k", "fixed",
		"b", "c", `<origin xyz="1e308 0 0"/>`)), "add up to {1e+50 0 0}"},
	{shape(`<sphere radius="-1"/>`), "length of -1"},
	{shape(`<cylinder length="1"/>`), `"" in <cylinder> is not a number`},
	{shape(`<mesh/>`), "names no file"},
	{shape(`<mesh filename="m.stl" scale="0 0 0"/>`), "makes it flat"},
}

func TestWhatIsWrongIsRefusedWithItsPlace(t *testing.T) {
	for _, r := range refused {
		_, err := read(t, r.text)
		if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), r.want) ||
			!strings.Contains(err.Error(), "test.urdf:1:") {
			t.Errorf("%s\n\t%v, want %q", r.text, err, r.want)
		}
	}
}

// noted are texts that load, with what a note says.
var noted = []struct {
	text string
	kind scene.NoteKind
	want string
}{
	{shape(`<cone radius="1" length="1"/>`), scene.Unsupported, "shape <cone>"},
	{shape(``), scene.Suspicious, "has no shape"},
	{shape(`<mesh filename="package://x/m.stl"/>`), scene.Missing, "package://x/m.stl: not found"},
	{massOf("0"), scene.Suspicious, "mass is zero"},
	{massOf("0"), scene.Inferred, "it is fixed, as PyBullet has it"},
	{robotOf(a + b + jointOf("j", "fixed", "a", "x", "")), scene.Missing, `there is no link "x"; left out`},
	{robotOf(a + b + jointOf("j", "fixed", "a", "x", "")), scene.Missing, `link "b" is left out: no joint ties it to link "a"`},
	{robotOf(a + `<gazebo reference="x"/>`), scene.Suspicious, "no link or joint"},
	{robotOf(a + `<transmission name="t"><joint name="x"/></transmission>`), scene.Suspicious,
		"transmission to joint"},
	{robotOf(a + `<ros2_control/>`), scene.Inferred, "hardware of <ros2_control> is not loaded"},
	{robotOf(a + `<ros2_control><gpio/></ros2_control>`), scene.Unsupported, "<gpio> in <ros2_control>"},
	{robotOf(a + `<ros2_control><joint name="x"/></ros2_control>`), scene.Suspicious, "commands joint"},
	{robotOf(a + `<mujoco/>`), scene.Ignored, "<mujoco> is for another program"},
	{robotOf(a + b + jointOf("j", "revolute", "a", "b", `<limit lower="2" upper="1"/>`)), scene.Suspicious,
		"they are swapped"},
	{robotOf(`<link name="a"><visual><geometry><sphere radius="1"/></geometry><material name="x"/></visual></link>`),
		scene.Suspicious, `material "x"`},
	{robotOf(`<material name="x"><color rgba="255 0 0 1"/></material>` + a), scene.Suspicious, "from 0 to 1"},
	{robotOf(a + `<gazebo reference="a"><sensor name="s" type="ray"><ray><scan><horizontal><samples>1000000000</samples></horizontal></scan></ray></sensor></gazebo>`),
		scene.Suspicious, "at most"},
	{robotOf(a + `<gazebo reference="a"><sensor name="s" type="wireless_receiver"/></gazebo>`), scene.Unsupported,
		"is not run"},
	{robotOf(`<link name="world"/>` + b + jointOf("j", "fixed", "world", "b", "")), scene.Inferred,
		"fixed to the world"},
	{`<robot>` + a + `</robot>`, scene.Suspicious, "has no name"},
}

func TestWhatCannotBeTakenAsWrittenIsNoted(t *testing.T) {
	for _, n := range noted {
		spec, err := read(t, n.text)
		if err != nil {
			t.Errorf("%s: %v", n.text, err)
			continue
		}
		found := false
		for _, note := range spec.Notes {
			found = found || note.Kind == n.kind && strings.Contains(note.Text, n.want) && note.Line == 1
		}
		if !found {
			t.Errorf("%s\n\t%v, want a note %v %q", n.text, spec.Notes, n.kind, n.want)
		}
	}
}

func TestAShapeWithoutALengthIsLeftOut(t *testing.T) {
	for _, text := range []string{`<sphere radius="0"/>`, `<box size="1 0 1"/>`,
		`<cylinder radius="1" length="0"/>`} {
		m, err := read(t, robotOf(`<link name="a"><visual name="v"><geometry>`+text+
			`</geometry></visual></link>`))
		if err != nil || len(m.Links[0].Visuals) != 0 || len(m.Notes) == 0 ||
			!strings.Contains(m.Notes[0].Text, "has a length of 0; left out") {
			t.Errorf("%s as a visual: %v, %+v", text, err, m)
		}
		m, err = read(t, shape(text))
		if err != nil || len(m.Links[0].Collisions) != 0 || !strings.Contains(m.Notes[0].Text, "has a length of 0; left out") {
			t.Errorf("%s as a collision: %v, %+v", text, err, m)
		}
	}
	if _, err := read(t, robotOf(`<link name="a"><visual><geometry><sphere radius="-1"/></geometry></visual></link>`)); !errors.Is(
		err,
		scene.ErrParse) {
		t.Errorf("a negative radius: %v", err)
	}
}

func TestLinksStandWhereTheJointsPutThem(t *testing.T) {
	spec, err := read(t, robotOf(c+b+a+
		jointOf("j2", "prismatic", "b", "c", `<origin xyz="1 0 0"/><axis xyz="0 3 0"/>`+stops)+
		jointOf("j1", "revolute", "a", "b", `<origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>`+stops)))
	if err != nil {
		t.Fatal(err)
	}
	if spec.Links[spec.Canonical].Name != "a" || spec.Links[0].Pose.Pos.Dist(r3.V(0, 1, 1)) > 1e-9 {
		t.Errorf("root %d, c at %v", spec.Canonical, spec.Links[0].Pose)
	}
	j := spec.Joints[0]
	if j.Axis != r3.V(0, 1, 0) || j.Limit != (scene.Limit{Set: true, Lower: -1, Upper: 2, Effort: 3,
		Velocity: 4}) || spec.Joints[1].Axis != r3.V(1, 0, 0) {
		t.Errorf("joints %+v", spec.Joints)
	}
}

func TestMaterialsAreFoundByName(t *testing.T) {
	spec, err := read(t, robotOf(`<material name="red"><color rgba="1 0 0 1"/></material>
		<link name="a"><visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>
		<visual><geometry><sphere radius="1"/></geometry><material name="own"><color rgba="0 1 0 1"/></material></visual>
		<visual><geometry><sphere radius="1"/></geometry><material name="own"/></visual></link>`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][4]float32{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 1, 0, 1}} {
		if got := spec.Links[0].Visuals[i].Material.Colour; got != want {
			t.Errorf("visual %d has colour %v, want %v", i, got, want)
		}
	}
}

func TestGazeboElementsBringFrictionSensorsAndDrives(t *testing.T) {
	spec, err := read(t, robotOf(wheeled("continuous", "0.1", "0.1")+`
		<gazebo reference="jleft"><springStiffness>12</springStiffness><springReference>0.5</springReference></gazebo>
		<gazebo reference="left"><mu1>0.5</mu1><mu2>0.4</mu2><fdir1>2 0 0</fdir1></gazebo>
		<gazebo reference="base"><turnGravityOff>true</turnGravityOff><sensor name="s" type="gpu_lidar"><pose>1 0 0 0 0 0</pose><update_rate>7</update_rate><topic>scan</topic>
			<lidar><scan><horizontal><samples>9</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan><range><min>.1</min><max>5</max></range></lidar></sensor></gazebo>
		<gazebo><plugin filename="libgazebo_ros_diff_drive.so" name="d"><ros><namespace>/ns</namespace><remapping>cmd_vel:=go</remapping></ros><left_joint>jleft</left_joint><right_joint>jright</right_joint>
			<wheel_diameter>.3</wheel_diameter><odometry_topic>odo</odometry_topic><robot_base_frame>foot</robot_base_frame></plugin></gazebo>`))
	if err != nil {
		t.Fatal(err)
	}
	s := spec.Links[1].Collisions[0].Surface
	if s.Default || s.Mu != .5 || s.Mu2 != .4 || s.FrictionDir != r3.V(1, 0, 0) ||
		!spec.Links[2].Collisions[0].Surface.Default {
		t.Errorf("surface %+v", s)
	}
	if j := spec.Joints[0]; j.Stiffness != 12 || j.SpringRest != 0.5 {
		t.Errorf("the spring of %+v", j)
	}
	base := spec.Links[0]
	if !base.NoGravity || len(base.Sensors) != 1 || base.Sensors[0].Rate != 7 ||
		base.Sensors[0].Topic != "scan" || base.Sensors[0].Lidar.Columns != 9 ||
		base.Sensors[0].Pose.Pos.X != 1 {
		t.Errorf("base %+v", base)
	}
	d := spec.Drives[0]
	if len(spec.Drives) != 1 || d.Inferred || d.Radius != .15 || math.Abs(d.Separation-.4) > 1e-9 ||
		d.Topic != "/ns/go" || d.Odometry.Topic != "/ns/odo" || d.Odometry.BaseFrame != "foot" ||
		d.Left[0] != 0 ||
		d.Right[0] != 1 {
		t.Errorf("drive %+v", spec.Drives)
	}
}

// wheeled is a base with two wheels of the given radii, 0.4 m apart.
func wheeled(kind, left, right string) string {
	wheel := func(name string, y, r string) string {
		return `<link name="` + name +
			`"><collision><origin rpy="1.5707963 0 0"/><geometry><cylinder radius="` + r +
			`" length="0.02"/></geometry></collision></link>` +
			jointOf("j"+name, kind, "base", name, `<origin xyz="0 `+y+` 0.1"/><axis xyz="0 1 0"/>`+stops)
	}
	return `<link name="base"/>` + wheel("left", "0.2", left) + wheel("right", "-0.2", right)
}

func TestADriveIsInferredFromAPairOfWheelsAndOnlyThen(t *testing.T) {
	spec, err := read(t, robotOf(wheeled("continuous", "0.1", "0.1")))
	if err != nil {
		t.Fatal(err)
	}
	if len(spec.Drives) != 1 || !spec.Drives[0].Inferred || !spec.Notes.Has(scene.Inferred) ||
		spec.Drives[0].Radius != .1 || math.Abs(spec.Drives[0].Separation-.4) > 1e-9 {
		t.Errorf("drives %+v, notes %v", spec.Drives, spec.Notes)
	}
	for name, text := range map[string]string{
		"wheels with stops":   wheeled("revolute", "0.1", "0.1"),
		"wheels of two sizes": wheeled("continuous", "0.1", "0.12"),
		"wheels about the wrong": strings.ReplaceAll(wheeled("continuous", "0.1", "0.1"), `xyz="0 1 0"`,
			`xyz="0 0 1"`),
		"wheels that turn back": strings.ReplaceAll(wheeled("continuous", "0.1", "0.1"), `xyz="0 1 0"`,
			`xyz="0 -1 0"`),
	} {
		if spec, err := read(t, robotOf(text)); err != nil || len(spec.Drives) > 0 {
			t.Errorf("%s: %v, drives %+v", name, err, spec.Drives)
		}
	}
}

func FuzzModel(f *testing.F) {
	for _, r := range refused {
		f.Add(r.text)
	}
	for _, n := range noted {
		f.Add(n.text)
	}
	f.Add(robotOf(wheeled("continuous", "0.1", "0.1")))
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := xmltree.Parse([]byte(text), xmltree.Limits{Elements: 2000})
		if err != nil {
			return
		}
		spec, err := Model(source.Open("f", asset.Ref{}, tree, noFiles{}))
		if err != nil {
			return
		}
		for i, l := range spec.Links {
			if !l.Pose.IsFinite() {
				t.Fatalf("link %d stands at %v", i, l.Pose)
			}
		}
	})
}

func (noFiles) Texture(string, asset.Ref) (*scene.Texture, error) {
	return nil, asset.ErrNotFound
}

func TestGazeboPaintsWhatHasNoColour(t *testing.T) {
	box := `<geometry><box size="1 1 1"/></geometry>`
	m, err := read(t, `<robot name="r"><link name="a"><visual>`+box+`</visual><visual>`+box+`<material name="x"><color rgba="0 1 0 1"/></material></visual>
<collision>`+box+`</collision></link><link name="b"><visual>`+box+`</visual></link><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
<gazebo reference="a"><material>Gazebo/Red</material><laserRetro>7</laserRetro></gazebo>
<gazebo reference="b"><visual><material><diffuse>0 0 1 1</diffuse><specular>1 1 1 1</specular></material></visual></gazebo></robot>`)
	if err != nil {
		t.Fatal(err)
	}
	a, b := m.Links[0], m.Links[1]
	if a.Visuals[0].Material.Colour != [4]float32{1, 0, 0, 1} ||
		a.Visuals[1].Material.Colour != [4]float32{0, 1, 0, 1} || a.Collisions[0].Retro != 7 {
		t.Errorf("link a: %+v, %+v, retro %v", a.Visuals[0].Material, a.Visuals[1].Material,
			a.Collisions[0].Retro)
	}
	if v := b.Visuals[0].Material; v.Colour != [4]float32{0, 0, 1, 1} ||
		v.Specular != [4]float32{1, 1, 1, 1} {
		t.Errorf("link b: %+v", v)
	}
}

func TestAJointToALinkThatIsNotThereCostsItAndWhatHangsOnIt(t *testing.T) {
	const d = `<link name="d"/>`
	m, err := read(t, robotOf(a+b+c+d+jointOf("lost", "fixed", "ghost", "a", "")+
		jointOf("j", "continuous", "b", "c", "")+jointOf("k", "continuous", "c", "d", `<mimic joint="j"/>`)+
		jointOf("gone", "fixed", "b", "nothing", "")+`<gazebo reference="a"><mu1>1</mu1></gazebo>`))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, l := range m.Links {
		names = append(names, l.Name)
	}
	if strings.Join(names, " ") != "b c d" || len(m.Joints) != 2 || m.Joints[0].Parent != 0 ||
		m.Joints[1].Child != 2 ||
		!m.Joints[1].Mimic.Set || m.Joints[1].Mimic.Joint != 0 || m.Canonical != 0 {
		t.Errorf("links %q, joints %+v, canonical %d", names, m.Joints, m.Canonical)
	}
	if all := fmt.Sprint(m.Notes); strings.Count(all, "left out") != 3 {
		t.Errorf("notes: %v", all)
	}
	m, err = read(t, robotOf(a+b+jointOf("j", "continuous", "a", "b", `<mimic joint="lost"/>`)+jointOf("lost", "fixed", "a", "x", "")))
	if err != nil || m.Joints[0].Mimic.Set || !strings.Contains(fmt.Sprint(m.Notes), "it moves freely") {
		t.Errorf("a follower of a joint that is left out: %v, %+v", err, m)
	}
}

func TestOneLinkWithoutAMassIsFixedAndOneOfSeveralIsNot(t *testing.T) {
	const zero = `<inertial><mass value=".0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>`
	m, err := read(t, robotOf(`<link name="a">`+zero+`</link>`))
	if err != nil || !m.Static {
		t.Errorf("%v, %+v", err, m)
	}
	m, err = read(t, robotOf(`<link name="a">`+zero+`</link>`+b+jointOf("j", "continuous", "a", "b", "")))
	if err != nil || m.Static {
		t.Errorf("of two: %v, %+v", err, m)
	}
	if m, err = read(t, robotOf(a)); err != nil || m.Static {
		t.Errorf("without <inertial>: %v, %+v", err, m)
	}
}
