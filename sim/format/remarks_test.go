package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// Files as Gazebo, MuJoCo and PyBullet load them: without a remark where nothing is amiss, else with one.
func TestFilesThatTheReferencesLoadAreLoaded(t *testing.T) {
	const mass = `<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>`
	const box = mass + `<collision><geometry><box size="1 1 1"/></geometry></collision>`
	const link = `<link name="l">` + weight + `</link>`
	dir := t.TempDir()
	for name, text := range map[string]string{
		"base/model.config": `<model><name>base</name><sdf version="1.6">model.sdf</sdf></model>`,
		"base/model.sdf":    `<sdf version="1.6"><model name="base">` + link + `</model></sdf>`,
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, text string
		models     int
		notes      []string
		holds      func(m *scene.ModelSpec) bool
	}{
		{"mu.urdf", `<robot name="r"><link name="a">` + box + `</link><gazebo reference="a"><mu1 value="0.01"/><mu2 value="0.02"/><kp value="1e6"/><kd value="1"/>
			<fdir1 value="1 0 0"/><minDepth value="0.001"/><maxVel value="1.0"/><turnGravityOff value="true"/></gazebo></robot>`, 2, nil,
			func(m *scene.ModelSpec) bool {
				s := m.Links[0].Collisions[0].Surface
				return s.Mu == 0.01 && s.Mu2 == 0.02 && s.Stiffness == 1e6 && s.FrictionDir.X == 1 && m.Links[0].NoGravity
			}},
		{"pybullet.urdf", `<robot name="r"><link name="a"><contact><lateral_friction value="0.3"/><rolling_friction value="0.01"/><spinning_friction value="0.02"/>
			<restitution value="0.4"/><stiffness value="30000"/><damping value="1000"/></contact>` + box + `</link></robot>`, 2, nil,
			func(m *scene.ModelSpec) bool {
				s := m.Links[0].Collisions[0].Surface
				return !s.Default && s.Mu == 0.3 && s.Mu2 == 0.3 && s.Rolling == 0.01 && s.Torsional == 0.02 && s.Restitution == 0.4 &&
					s.Stiffness == 30000 && s.Damping == 1000
			}},
		{"saved.sdf", `<sdf version="1.6"><world name="w"><model name="m"><pose frame="">0 0 1 0 0 0</pose><link name="l"><pose frame=''>1 0 0 0 0 0</pose>` + weight + `</link></model></world></sdf>`, 1, nil, nil},
		{"include.sdf", `<sdf version="1.6"><include><uri>model://base</uri><name>other</name><pose>1 2 3 0 0 0</pose></include></sdf>`, 2, nil,
			func(m *scene.ModelSpec) bool {
				return m.Name == "other" && m.Placement.Pos.X == 1 && len(m.Links) == 1
			}},
		{"light.sdf", `<sdf version="1.6"><light type="point" name="x"><pose>0 0 1 0 0 0</pose></light></sdf>`, 0, nil, nil},
		{"light.xml", `<mujoco><worldbody><light pos="0 0 1"/></worldbody></mujoco>`, 0, nil, nil},
		{"flex.xml", `<mujoco><worldbody><flexcomp name="f" type="grid" count="2 2 2" spacing=".1 .1 .1" radius=".01"/></worldbody></mujoco>`, 0, []string{"<flexcomp> is not run"}, nil},
		{"names.sdf", `<sdf version="1.6"><world name="w"><model name="0">` + link + `</model><model name=" 0">` + link + `</model></world></sdf>`, 2, []string{`it is called "0_1"`}, nil},
		{"names.urdf", `<robot name="r"><link name="0">` + mass + `</link><link name=" 0">` + mass + `</link><joint name="j" type="fixed"><parent link="0"/><child link=" 0"/></joint></robot>`, 2,
			[]string{`it is called "0_1"`}, func(m *scene.ModelSpec) bool { return m.Joints[0].Parent == 0 && m.Joints[0].Child == 1 }},
		{"zero.urdf", `<robot name="r"><link name="a">` + mass + `<collision><geometry><box size="0 0 0"/></geometry></collision></link></robot>`, 2, []string{"length of 0"}, nil},
		{"whole.urdf", `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="w" value="0.5"/><xacro:macro name="leg" params="n"><link name="${n}">` + mass +
			`</link><joint name="j${n}" type="fixed"><parent link="a"/><child link="${n}"/></joint></xacro:macro><link name="a">` + mass + `</link><xacro:leg n="b"/></robot>`, 2,
			[]string{"it is expanded"}, func(m *scene.ModelSpec) bool { return len(m.Links) == 2 && m.Links[1].Name == "b" }},
		{"names_only.urdf", `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="n" value="x"/><link name="${n}a">` + mass + `</link></robot>`, 2, []string{"<xacro:property>"},
			func(m *scene.ModelSpec) bool { return m.Links[0].Name == "${n}a" }},
	} {
		if err := os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "here", FS: root.FS()}}})
		w, err := lib.World(scene.Resource{URI: "spawnable://here/" + c.name})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(w.Models) != c.models {
			t.Errorf("%s: %d models, want %d", c.name, len(w.Models), c.models)
		} else if c.holds != nil && !c.holds(w.Models[c.models-1].Model) {
			t.Errorf("%s: %+v", c.name, w.Models[c.models-1].Model)
		}
		notes := w.Notes
		for i := range w.Models {
			notes = append(notes, w.Models[i].Model.Notes...)
		}
		said := textOf(notes)
		for _, want := range c.notes {
			if !strings.Contains(said, want) {
				t.Errorf("%s: notes %q, want %q", c.name, said, want)
			}
		}
		for _, n := range notes {
			if len(c.notes) == 0 && !n.Kind.Harmless() {
				t.Errorf("%s: %v", c.name, n)
			}
		}
		root.Close()
	}
}

func TestAModelWithoutALinkNamesTheBaseThatIsMissing(t *testing.T) {
	_, err := format.NewLibrary(format.Config{}).Model(scene.Resource{Document: `<sdf version="1.9"><model name="x500_vision"><include merge="true"><uri>x500</uri></include></model></sdf>`})
	if err == nil || !strings.Contains(err.Error(), "x500;") && !strings.HasSuffix(err.Error(), "x500") {
		t.Errorf("%v, want the missing base in it", err)
	}
}
