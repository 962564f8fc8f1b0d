package engine_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// gripper has two fingers that slide apart, the second of which follows the first, and a tendon of both.
const gripper = `<mujoco model="hand"><compiler angle="radian"/><option timestep="0.001"/><worldbody>
<body name="palm"><geom size=".01" mass="1" contype="0" conaffinity="0"/>
<body name="left" pos="0 0.1 0"><joint name="a" type="slide" axis="0 1 0" ref="0.02" damping="2"/>
<inertial pos="0 0 0" mass="0.1" diaginertia="1e-4 1e-4 1e-4"/></body>
<body name="right" pos="0 -0.1 0"><joint name="b" type="slide" axis="0 -1 0" ref="0.01"/>
<inertial pos="0 0 0" mass="0.3" diaginertia="1e-4 1e-4 1e-4"/></body></body></worldbody>
<tendon><fixed name="t" TENDON><joint joint="a" coef="0.5"/><joint joint="b" coef="0.7"/></fixed></tendon>
<equality><joint joint1="b" joint2="a" polycoef="0.01 FACTOR 0 0 0"/></equality><actuator>ACTUATOR</actuator>
<keyframe><key name="home" qpos="0.04 BEGINS" ctrl="CTRL" act="ACT"/></keyframe></mujoco>`

// tendons are grippers. MuJoCo 4.0 has both fingers at these positions after 0.1 s and after 0.5 s, m from
// where they rest. Its steps are of 10 µs, and its equality is stiff.
var tendons = []struct {
	tendon, factor, actuator, begins, ctrl, act string
	want                                        [2][2]float64
}{
	{``, `1`,
		`<position tendon="t" kp="100" kv="10"/>`, `0.04`, `0.03`, ``,
		[2][2]float64{{0.011910, 0.021910}, {0.005047, 0.015047}}},
	{``, `1`,
		`<general tendon="t" gainprm="0.5" biastype="affine" biasprm="0 -100 -10" ctrlrange="0 255" forcerange="-100 100"/>`, `0.04`, `20`, ``,
		[2][2]float64{{0.043370, 0.053370}, {0.063198, 0.073198}}},
	{``, `0.5`,
		`<position tendon="t" kp="100" dampratio="1" gear="2"/>`, `0.03`, `0.03`, ``,
		[2][2]float64{{-0.006364, 0.006818}, {-0.010588, 0.004706}}},
	{``, `-1`,
		`<position tendon="t" kp="100" kv="5" timeconst="0.1"/>`, `0`, `0.03`, `0`,
		[2][2]float64{{0.022446, -0.012446}, {0.012472, -0.002472}}},
	{``, `0.5`,
		`<position joint="b" kp="100" kv="5"/>`, `0.03`, `0.05`, ``,
		[2][2]float64{{0.035135, 0.027567}, {0.060590, 0.040295}}},
	{`stiffness="80" springlength="0.02"`, `1`,
		``, `0.04`, ``, ``,
		[2][2]float64{{-0.002598, 0.007402}, {-0.005908, 0.004092}}},
	{`stiffness="80"`, `1`,
		`<motor tendon="t"/>`, `0.04`, `2`, ``,
		[2][2]float64{{0.001437, 0.011437}, {-0.001282, 0.008718}}},
	{`damping="30"`, `1`,
		`<motor tendon="t"/>`, `0.04`, `2`, ``,
		[2][2]float64{{0.024840, 0.034840}, {0.046079, 0.056079}}},
	{`frictionloss="0.8"`, `1`,
		`<motor tendon="t"/>`, `0.04`, `2`, ``,
		[2][2]float64{{0.035342, 0.045342}, {0.247821, 0.257821}}},
	{`range="0 0.06"`, `1`,
		`<motor tendon="t"/>`, `0.04`, `0.5`, ``,
		[2][2]float64{{0.026392, 0.036392}, {0.030076, 0.040076}}},
}

// begun is a playing world of MuJoCo's.
func begun(t *testing.T, text string) *engine.World {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "model.xml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: sim.Resource{URI: file}}
	if _, err := w.Apply(load, engine.Load(mounted(t, dir), load)); err != nil {
		t.Fatal(err)
	}
	tell(t, w, sim.SetState{State: sim.Playing})
	return w
}

// Steps are of 1 ms here, and fingers may differ by 0.3 mm.
func TestTendonsOfJointsThatFollowOneMoveThemAsMuJoCoDoes(t *testing.T) {
	for _, c := range tendons {
		text := strings.NewReplacer("TENDON", c.tendon, "FACTOR", c.factor, "ACTUATOR", c.actuator, "BEGINS",
			c.begins, "CTRL", c.ctrl, "ACT", c.act).Replace(gripper)
		w := begun(t, text)
		for k, n := range [2]int{100, 400} {
			run(t, w, n)
			joints := w.Snapshot().Joints
			for i, want := range c.want[k] {
				if q := joints[len(joints)-2+i].Position; math.Abs(q-want) > 3e-4 {
					t.Errorf("%s %s by %s: after %d steps finger %d is at %.6f m, MuJoCo has %.6f", c.tendon,
						c.actuator, c.factor, w.Snapshot().Step, i, q, want)
				}
			}
		}
	}
}

// twoWheels turns forward by a motor of a tendon of two wheels, and a tip on one of them by another tendon.
const twoWheels = `<mujoco model="cart"><compiler angle="radian"/><option timestep="0.001"/><worldbody>
<body name="left" pos="0 0.5 0"><joint name="a" axis="0 1 0" damping="0.1"/>
<inertial pos="0 0 0" mass="1" diaginertia="0.02 0.02 0.02"/>
<body name="tip" pos="0 0.5 0"><joint name="c" axis="0 1 0" damping="0.1"/>
<inertial pos="0.1 0 0" mass="0.2" diaginertia="0.01 0.01 0.01"/></body></body>
<body name="right" pos="0 -0.5 0"><joint name="b" axis="0 1 0" damping="0.2"/>
<inertial pos="0 0 0" mass="1" diaginertia="0.03 0.03 0.03"/></body></worldbody>
<tendon><fixed name="forward"><joint joint="a" coef="0.5"/><joint joint="b" coef="0.5"/></fixed>
<fixed name="turn"><joint joint="a" coef="-0.5"/><joint joint="c" coef="0.7"/></fixed></tendon>
<actuator><motor tendon="forward" ctrlrange="-1 1"/><motor tendon="turn" gear="2"/></actuator>
<keyframe><key name="home" ctrl="3 0.2"/></keyframe></mujoco>`

// Positions are those of MuJoCo 4.0 after 0.5 s in steps of 10 µs, rad. They may differ by 2e-3 here: a step
// of 1 ms is half of that at 2 rad/s.
func TestAMotorOfATendonPullsAllOfItsJoints(t *testing.T) {
	want := map[string]float64{"a": 0.841957, "c": 1.289562, "b": 0.888379}
	w := begun(t, twoWheels)
	run(t, w, 500)
	s := w.Snapshot()
	for i := range s.Entities {
		for k, j := range s.Model.Entities[i].Spec.Joints {
			q := s.Joints[s.Model.Entities[i].FirstJoint+k].Position
			if at, ok := want[j.Name]; ok && math.Abs(q-at) > 2e-3 {
				t.Errorf("joint %s is at %.6f rad, MuJoCo has %.6f", j.Name, q, at)
			}
			delete(want, j.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("there are no joints %v", want)
	}
}
