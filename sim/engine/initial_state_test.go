package engine_test

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// sdfArms is a model whose links hang on a base that the world holds, without gravity, by these joints.
func sdfArms(joints ...string) string {
	const solid = `<inertial><mass>1</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial></link>`
	text := `<sdf version="1.11"><world name="w"><gravity>0 0 0</gravity><model name="arm"><link name="base">` + solid +
		`<joint name="w" type="fixed"><parent>world</parent><child>base</child></joint>`
	for i, j := range joints {
		l := string(rune('a' + i))
		text += `<link name="` + l + `">` + solid + strings.NewReplacer("PARENT", "<parent>base</parent>", "CHILD",
			"<child>"+l+"</child>").Replace(j)
	}
	return text + `</model></world></sdf>`
}

func sdfJoint(name, kind, inside string) string {
	return `<joint name="` + name + `" type="` + kind + `">PARENT CHILD<axis><xyz>0 0 1</xyz>` + inside + `</axis></joint>`
}

// Joints begin where the file has them: with their turns, within their limits, on the relations of mimic
// joints, and at rest. A note says where that is another position than the file's.
func TestTheInitialStateSatisfiesLimitsRelationsAndTurns(t *testing.T) {
	const hand = `<robot name="arm"><link name="world"/><link name="palm"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="fix" type="fixed"><parent link="world"/><child link="palm"/><origin xyz="0 0 1"/></joint>
<link name="a"><inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><mass value="0.02"/><inertia ixx="0.0001" iyy="0.0001" izz="0.0001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="c"><inertial><mass value="0.02"/><inertia ixx="0.0001" iyy="0.0001" izz="0.0001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="d"><inertial><mass value="0.02"/><inertia ixx="0.0001" iyy="0.0001" izz="0.0001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="drive" type="revolute"><parent link="palm"/><child link="a"/><axis xyz="0 0 1"/><limit lower="LOWER" upper="0.3" effort="10" velocity="5"/></joint>
<joint name="sib" type="revolute"><parent link="palm"/><child link="b"/><origin xyz="0 0.1 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="10" velocity="5"/><mimic joint="drive" multiplier="-2" offset="0.4"/></joint>
<joint name="chain" type="revolute"><parent link="b"/><child link="c"/><origin xyz="0.1 0 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="10" velocity="5"/><mimic joint="sib" multiplier="0.5" offset="-0.1"/></joint>
<joint name="slide" type="prismatic"><parent link="palm"/><child link="d"/><origin xyz="0 -0.1 0"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="10" velocity="5"/><mimic joint="drive" multiplier="0.1" offset="0.05"/></joint></robot>`
	arm := func(joints, key string) string {
		return `<mujoco model="arm"><option gravity="0 0 0"/><worldbody><body name="b" pos="0 0 1">` + joints +
			`<geom size=".1" pos=".3 0 0"/></body></worldbody><keyframe><key name="home" qpos="` + key + `"/></keyframe></mujoco>`
	}
	for name, c := range map[string]struct {
		text string
		want map[string]float64
		note string
	}{
		"SDF beyond a turn": {sdfArms(sdfJoint("free", "revolute", `<initial_position>5</initial_position>`),
			sdfJoint("lim", "revolute", `<initial_position>5</initial_position><limit><lower>4</lower><upper>6</upper></limit>`),
			sdfJoint("spring", "revolute", `<initial_position>7</initial_position><dynamics><spring_reference>7</spring_reference><spring_stiffness>3</spring_stiffness></dynamics>`),
			`<joint name="screw" type="screw">PARENT CHILD<thread_pitch>0.5</thread_pitch><axis><xyz>0 0 1</xyz><initial_position>-9</initial_position></axis></joint>`),
			map[string]float64{"free": 5, "lim": 5, "spring": 7, "screw": -9}, ""},
		"SDF beyond limits": {sdfArms(sdfJoint("low", "revolute", `<limit><lower>0.5</lower><upper>1</upper></limit>`),
			sdfJoint("high", "prismatic", `<initial_position>2</initial_position><limit><lower>-1</lower><upper>1.5</upper></limit>`),
			sdfJoint("turned", "revolute", `<initial_position>-1.2831853071795862</initial_position><limit><lower>4</lower><upper>6</upper></limit>`)),
			map[string]float64{"low": 0.5, "high": 1.5, "turned": 5}, `"low" at 0.5 instead of 0, "high" at 1.5 instead of 2`},
		"SDF mimic with a reference": {sdfArms(sdfJoint("lead", "revolute", `<initial_position>1</initial_position>`),
			sdfJoint("follow", "revolute", `<mimic joint="lead"><multiplier>2</multiplier><offset>0.3</offset><reference>0.5</reference></mimic>`)),
			map[string]float64{"lead": 1, "follow": 1.3}, `"follow" at 1.3 instead of 0`},
		"SDF held by a plugin": {strings.Replace(sdfArms(sdfJoint("held", "revolute", `<limit><lower>-9</lower><upper>9</upper><effort>100</effort></limit>`)),
			`</model>`, `<plugin filename="gz-sim-joint-position-controller-system" name="gz::sim::systems::JointPositionController"><joint_name>held</joint_name><initial_position>8</initial_position></plugin></model>`, 1),
			map[string]float64{"held": 8}, ""},
		"URDF mimic": {strings.Replace(hand, "LOWER", "-0.2", 1),
			map[string]float64{"drive": 0, "sib": 0.4, "chain": 0.1, "slide": 0.05}, `"sib" at 0.4 instead of 0`},
		"URDF mimic of a leader beyond its limits": {strings.Replace(hand, "LOWER", "0.1", 1),
			map[string]float64{"drive": 0.1, "sib": 0.2, "chain": 0, "slide": 0.06}, `"drive" at 0.1`},
		"MJCF keyframe": {arm(`<joint name="j" axis="0 0 1"/>`, "8"), map[string]float64{"j": 8}, ""},
		"MJCF limits without zero": {arm(`<joint name="j" type="slide" axis="0 0 1" range="0.2 0.5"/>`, "0.1"),
			map[string]float64{"j": 0.2}, `"j" at 0.2 instead of 0.1`},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := engine.NewWorld(engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			uri := scene.Resource{Document: c.text}
			if strings.HasPrefix(c.text, "<robot") {
				do(t, w, sim.LoadWorld{Resource: scene.Resource{URI: "empty"}})
				do(t, w, sim.Spawn{Name: "arm", Resource: uri})
			} else {
				load := sim.LoadWorld{Resource: uri}
				if _, err := w.Apply(load, engine.Load(mounted(t), load)); err != nil {
					t.Fatal(err)
				}
			}
			do(t, w, sim.SetState{State: sim.Playing})
			for range 3 {
				got := map[string]sim.JointState{}
				s := w.Snapshot()
				e := &s.Model.Entities[0]
				for i := range s.Model.Entities {
					if s.Model.Entities[i].Name == "arm" || len(s.Model.Entities) == 1 {
						e = &s.Model.Entities[i]
						for k, j := range s.JointsOf(i) {
							got[e.Spec.Joints[k].Name] = j
						}
					}
				}
				for joint, want := range c.want {
					if at := got[joint]; !(math.Abs(at.Position-want) < 1e-6) || !(math.Abs(at.Velocity) < 1e-6) {
						t.Errorf("%v: joint %q is at %v with %v, want %v at rest", s.Time, joint, at.Position, at.Velocity, want)
					}
				}
				noted := ""
				for _, n := range e.Notes {
					if strings.Contains(n.Text, "instead of") {
						noted = n.Text
					}
				}
				if (noted == "") != (c.note == "") || !strings.Contains(noted, c.note) {
					t.Errorf("note %q, want %q", noted, c.note)
				}
				advance(t, w, 1)
			}
		})
	}
}
