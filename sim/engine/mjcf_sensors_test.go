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
