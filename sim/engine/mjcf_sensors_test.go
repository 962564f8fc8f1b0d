package engine_test

import (
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// TestSensorsOfAnMJCFFileSayWhatMuJoCoSays compares force, torque and acceleration at a tilted site of an arm
// at rest on springs. The reference is MuJoCo 4.0.0 on the same file after 6 s.
func TestSensorsOfAnMJCFFileSayWhatMuJoCoSays(t *testing.T) {
	file := `<mujoco><option timestep="0.002" gravity="0 0 -9.81"/><worldbody>
		<body name="a" pos="0 0 1"><joint name="j1" type="hinge" axis="0 1 0" damping="1" stiffness="200"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
		<body name="b" pos="0.3 0 0"><joint name="j2" type="hinge" axis="0 0 1" damping="0.5" stiffness="100"/><geom type="box" pos="0.1 0.05 0" size="0.1 0.02 0.03" mass="2"/>
		<site name="s" pos="0.05 0.02 0.01" euler="30 20 10"/></body></body></worldbody>
		<sensor><force site="s"/><torque site="s"/><accelerometer site="s"/></sensor></mujoco>`
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: scene.Resource{Document: file}}
	if _, err := w.Apply(c, engine.Load(mounted(t), c)); err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.SetState{State: sim.Playing})
	advance(t, w, 3000)
	near := func(what string, got, want r3.Vec) {
		if !(got.Dist(want) < 1e-3*want.Len()) {
			t.Errorf("%s %v, MuJoCo says %v", what, got, want)
		}
	}
	seen := 0
	for _, s := range w.Snapshot().SamplesOf(0) {
		switch d := s.Data.(type) {
		case *sim.Wrench:
			seen++
			near("force", d.Force, r3.V(-4.86152, 10.80997, 15.64138))
			near("torque", d.Torque, r3.V(0.229054, -0.880464, 0.679694))
		case *sim.IMUReading:
			seen++
			near("acceleration", d.SpecificForce, r3.V(-2.430754, 5.404822, 7.820416))
		}
	}
	if seen != 2 {
		t.Fatalf("%d of 2 sensors", seen)
	}
}

// TestForceSensorsOfWeldedBodiesFeelWhatHangsOnThem: MuJoCo's manual has people weld a body for such a sensor. The
// reference is MuJoCo 4.0: what the parent does to the body of the site, about the site.
func TestForceSensorsOfWeldedBodiesFeelWhatHangsOnThem(t *testing.T) {
	w := begun(t, `<mujoco><option gravity="0 0 -10"/><worldbody>
		<body name="b" pos="0 0 1"><geom type="sphere" size="0.05" mass="5"/><joint name="j" type="slide" axis="1 0 0" stiffness="100" damping="100"/>
		<body name="wrist" pos="0.3 0 0"><geom type="sphere" size="0.02" mass="2"/><site name="s"/>
		<body name="inner" pos="0 0 0.1"><geom type="sphere" size="0.02" mass="0.5"/><site name="s4"/>
		<body name="finger" pos="0.1 0 0"><joint name="k" type="slide" axis="0 1 0" stiffness="100" damping="10"/><geom type="sphere" size="0.02" mass="1"/><site name="s2"/></body></body></body></body></worldbody>
		<sensor><force name="f" site="s"/><torque name="t" site="s"/><force name="f2" site="s2"/><force name="f4" site="s4"/></sensor></mujoco>`)
	want := map[string][2]r3.Vec{"f": {r3.V(0, 0, 35), r3.V(0, -1, 0)}, "f2": {r3.V(0, 0, 10), {}}, "f4": {r3.V(0, 0, 15), r3.V(0, -1, 0)}}
	for range 2 {
		advance(t, w, 500)
		s := w.Snapshot()
		for k, x := range s.SamplesOf(0) {
			name := s.Model.Entities[0].Sensors[k].Spec.Name
			got := x.Data.(*sim.Wrench)
			if got.Force.Dist(want[name][0]) > 1e-3 || got.Torque.Dist(want[name][1]) > 1e-3 {
				t.Errorf("%v: %s feels %v and %v, want %v", s.Time, name, got.Force, got.Torque, want[name])
			}
		}
	}
}
