package engine_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// actuated has a lever of 1 kg and half a metre, which falls, on a hinge that counts from 0.1 rad. It begins
// at 0.3 rad with an input of 0.7.
const actuated = `<mujoco model="lever"><compiler angle="radian"/><option timestep="0.001"/><worldbody>
<body name="lever"><joint name="j" axis="0 1 0" range="-30 30" ref="0.1" armature="0.05"/>
<inertial pos="0.5 0 0" mass="1" diaginertia="0.02 0.02 0.02"/></body></worldbody><actuator>ACTUATOR</actuator>
<keyframe><key name="home" qpos="0.3" ctrl="CTRL" act="ACT"/></keyframe></mujoco>`

// actuators are actuators with their activation at the start. Positions are those of MuJoCo 4.0 in steps of
// 10 µs, after 0.25 s and after 1 s, rad from where the joint rests.
var actuators = []struct {
	xml, act string
	want     [2]float64
}{
	{`<position joint="j" kp="20" kv="2"/>`,
		``, [2]float64{0.77401, 0.76721}},
	{`<position joint="j" kp="2" kv="0.2" gear="3"/>`,
		``, [2]float64{0.37416, 0.37665}},
	{`<position joint="j" kp="20" dampratio="0.7"/>`,
		``, [2]float64{0.64992, 0.77260}},
	{`<position joint="j" kp="20" kv="2" timeconst="0.2"/>`,
		`0.2`, [2]float64{0.49976, 0.75641}},
	{`<position joint="j" kp="20" kv="2" inheritrange="0.02"/>`,
		``, [2]float64{0.68517, 0.68118}},
	{`<position joint="j" kp="20" kv="2" forcerange="-3 3"/>`,
		``, [2]float64{0.76139, 1.31237}},
	{`<position joint="j" kp="20"/><velocity joint="j" kv="2"/>`,
		``, [2]float64{0.83603, 0.82698}},
	{`<position joint="j" kp="15" kv="1"/><position joint="j" kp="5" kv="1" gear="-1"/>`,
		``, [2]float64{0.46182, 0.46233}},
	{`<velocity joint="j" kv="5"/>`,
		``, [2]float64{0.50626, 1.44462}},
	{`<velocity joint="j" kv="50" forcerange="-3 3"/>`,
		``, [2]float64{0.49944, 1.65356}},
	{`<intvelocity joint="j" kp="20" kv="2" actrange="-1 0.9"/>`,
		`0.2`, [2]float64{0.39388, 0.88989}},
	{`<damper joint="j" kv="2" ctrlrange="0 1"/>`,
		``, [2]float64{0.52984, 1.70106}},
	{`<cylinder joint="j" timeconst="0.3" area="2" bias="0.1 -3 -0.5"/>`,
		`0.2`, [2]float64{0.57334, 1.24731}},
	{`<cylinder joint="j" timeconst="0.1" diameter="2" bias="1 0 0"/>`,
		`0.2`, [2]float64{0.88652, 6.48710}},
	{`<motor joint="j" gear="3"/>`,
		``, [2]float64{0.85725, 4.99412}},
	{`<motor joint="j" gear="3" ctrlrange="-0.4 0.4"/>`,
		``, [2]float64{0.77233, 3.87090}},
	{`<general joint="j" gainprm="6" biastype="affine" biasprm="3 -6 -1"/>`,
		``, [2]float64{0.89271, 1.20227}},
	{`<general joint="j" gaintype="affine" gainprm="2 -1 -0.5" biastype="affine" biasprm="0 -3 -1"/>`,
		``, [2]float64{0.53417, 1.07677}},
	{`<general joint="j" dyntype="integrator" gainprm="10" biastype="affine" biasprm="0 -10 -1" actlimited="true" actrange="-0.5 0.5"/>`,
		`0.2`, [2]float64{0.48693, 0.70364}},
	{`<general joint="j" dyntype="filter" dynprm="0.25" gainprm="10" biastype="affine" biasprm="0 -10 -1"/>`,
		`0.2`, [2]float64{0.53911, 0.82394}},
	{`<general joint="j" dyntype="filter" dynprm="0.01" gainprm="10" biastype="affine" biasprm="0 -10 -1" actearly="true"/>`,
		`0.2`, [2]float64{0.74417, 0.75740}},
	{`<general joint="j" dyntype="filterexact" dynprm="0.25" gainprm="4" actrange="-0.3 0.6"/>`,
		`0.2`, [2]float64{0.78497, 5.09189}},
}

// withActuator is a world of a lever with actuators, and the library that it is of.
func withActuator(t *testing.T, xml, act string) (*engine.World, scene.Library) {
	t.Helper()
	inputs := strings.Repeat(" 0.7", strings.Count(xml, "joint="))
	text := strings.NewReplacer("ACTUATOR", xml, "CTRL", inputs, "ACT", act).Replace(actuated)
	dir := t.TempDir()
	file := filepath.Join(dir, "lever.xml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(engine.Options{Rewind: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: sim.Resource{URI: file}}
	lib := mounted(t, dir)
	if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
		t.Fatal(err)
	}
	tell(t, w, sim.SetState{State: sim.Playing})
	return w, lib
}

// tell changes a world.
func tell(t *testing.T, w *engine.World, commands ...sim.Command) {
	t.Helper()
	for _, c := range commands {
		if _, err := w.Apply(c, engine.Loaded{}); err != nil {
			t.Fatal(err)
		}
	}
}

// leverAt is the position of the lever's joint, rad.
func leverAt(w *engine.World) float64 { return w.Snapshot().Joints[0].Position }

// run steps a world.
func run(t *testing.T, w *engine.World, n int) {
	t.Helper()
	for range n {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// Steps are of 1 ms here, and the joint may differ by 3 mrad.
func TestActuatorsMoveAJointAsMuJoCoDoes(t *testing.T) {
	for _, c := range actuators {
		w, _ := withActuator(t, c.xml, c.act)
		for k, n := range [2]int{250, 750} {
			run(t, w, n)
			if q := leverAt(w); math.Abs(q-c.want[k]) > 3e-3 {
				t.Errorf("%s: after %d steps at %.5f rad, MuJoCo has %.5f", c.xml, w.Snapshot().Step, q,
					c.want[k])
			}
		}
	}
}

// TestActivationsAreState: a world that is taken up, rewound or reset has them where they were.
func TestActivationsAreState(t *testing.T) {
	w, lib := withActuator(t, `<position joint="j" kp="20" kv="2" timeconst="0.2"/>`, "0.2")
	begun := w.Hash()
	run(t, w, 100)
	at, q := w.Hash(), leverAt(w)
	c, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	n, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Apply(c, engine.Load(lib, c)); err != nil {
		t.Fatal(err)
	}
	run(t, w, 200)
	run(t, n, 200)
	if w.Hash() != n.Hash() || leverAt(w) != leverAt(n) || leverAt(w) == q {
		t.Errorf("a world that was taken up is at %v, the other at %v", leverAt(n), leverAt(w))
	}
	tell(t, w, sim.Rewind{Back: 200 * time.Millisecond}, sim.SetState{State: sim.Playing})
	if w.Hash() != at {
		t.Errorf("rewound to step %d, it is at %v, want %v", w.Snapshot().Step, leverAt(w), q)
	}
	tell(t, w, sim.Reset{})
	if w.Hash() != begun {
		t.Error("after a reset it is not where it began")
	}
}

// TestCommandsGoThroughTheDynamicsOfAnActuator: a filter follows a position, an integrator is told a rate or
// where to be at once.
func TestCommandsGoThroughTheDynamicsOfAnActuator(t *testing.T) {
	stiff := `joint="j" kp="2000" kv="200"`
	for _, c := range []struct {
		xml    string
		mode   sim.JointMode
		target float64
		want   [2]float64 // after 0.1 s and after 1 s, rad from where it rests: closed forms without inertia
	}{
		// The joint follows from 0.2 rad, 0.1 s behind: kv/kp.
		{`<position ` + stiff + `/>`, sim.JointPosition, 1, [2]float64{0.706, 1}},
		// The activation begins at −0.1 rad, and follows 0.5 s behind.
		{`<position ` + stiff + ` timeconst="0.5"/>`, sim.JointPosition, 1, [2]float64{0.086, 0.814}},
		{`<intvelocity ` + stiff + ` actrange="-1 1"/>`, sim.JointVelocity, -0.3, [2]float64{-0.001, -0.370}},
		{`<intvelocity ` + stiff + ` actrange="-1 1"/>`, sim.JointPosition, 5, [2]float64{0.642, 0.9}},
	} {
		w, _ := withActuator(t, c.xml, "")
		tell(t, w, sim.SetJoint{Name: w.Snapshot().Model.Entities[0].Name, Joint: "j", Mode: c.mode,
			Target: c.target})
		for k, n := range [2]int{100, 900} {
			run(t, w, n)
			if q := leverAt(w); math.Abs(q-c.want[k]) > 5e-3 {
				t.Errorf("%s, %v to %g: after %d steps at %.4f rad, want %g", c.xml, c.mode, c.target,
					w.Snapshot().Step, q, c.want[k])
			}
		}
	}
}
