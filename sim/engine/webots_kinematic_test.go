package engine_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// A robot without Physics hangs on a wall, and turns and slides by its motors. A box with Physics stands in
// the way of the slider.
const pendantWorld = `#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 }
Solid { name "floor" translation 0 0 -0.5 boundingObject Box { size 20 20 1 } }
Solid { name "crate" translation 2 0 0.1 boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 2 } }
Robot { name "pendant" translation 0 0 1 children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 }
    device [ RotationalMotor { name "arm" maxVelocity 1 minPosition -1.5 maxPosition 1.5 } ]
    endPoint Solid { name "lever" children [ Shape { geometry Box { size 0.1 0.1 0.6 } } ] } }
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 }
    device [ RotationalMotor { name "fan" maxVelocity 20 acceleration 5 } ]
    endPoint Solid { name "blades" } }
  SliderJoint { jointParameters JointParameters { axis 1 0 0 }
    device [ LinearMotor { name "push" maxVelocity 0.5 } ]
    endPoint Solid { name "ram" translation 1.5 0 -0.9 boundingObject Box { size 0.2 0.2 0.1 } } } ] }
`

// pendant plays the world, and gives the state of a joint by its name.
func pendant(t *testing.T) (*engine.World, func(name string) sim.JointState) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "pendant.wbt")
	if err := os.WriteFile(file, []byte(pendantWorld), 0o600); err != nil {
		t.Fatal(err)
	}
	lib := mounted(t, dir)
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: scene.Resource{URI: file}}
	if _, err := w.Apply(load, engine.Load(lib, load)); err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.SetState{State: sim.Playing})
	return w, func(name string) sim.JointState {
		t.Helper()
		s := w.Snapshot()
		i, ok := s.Find("pendant")
		if !ok {
			t.Fatal("no pendant")
		}
		for k, j := range s.Model.Entities[i].Spec.Joints {
			if j.Name == name {
				return s.JointsOf(i)[k]
			}
		}
		t.Fatalf("no joint %q", name)
		return sim.JointState{}
	}
}

// told is the command of a joint of the pendant.
func told(target sim.JointTarget) sim.SetJoints {
	return sim.SetJoints{Name: "pendant", Targets: []sim.JointTarget{target}}
}

func TestAKinematicMotorOfWebotsGoesToItsPositionAtItsSpeed(t *testing.T) {
	w, joint := pendant(t)
	advance(t, w, 125)
	if q := joint("arm").Position; math.Abs(q) > 1e-9 {
		t.Fatalf("gravity moved it to %g", q)
	}
	do(t, w, told(sim.JointTarget{Joint: "arm", Mode: sim.JointPosition, Target: 1}))
	advance(t, w, 63) // 0.504 s
	if q := joint("arm").Position; math.Abs(q-0.504) > 1e-6 {
		t.Errorf("after half a second at 1 rad/s it is at %g", q)
	}
	advance(t, w, 125)
	if s := joint("arm"); math.Abs(s.Position-1) > 1e-5 || math.Abs(s.Velocity) > 1e-6 {
		t.Errorf("it stops at %+v", s)
	}
	// past its limit it does not go, by position and by velocity
	for _, target := range []sim.JointTarget{{Joint: "arm", Mode: sim.JointPosition, Target: 9},
		{Joint: "arm", Mode: sim.JointVelocity, Target: 9}} {
		do(t, w, told(target))
		advance(t, w, 250)
		if s := joint("arm"); math.Abs(s.Position-1.5) > 1e-5 || math.Abs(s.Velocity) > 1e-6 {
			t.Errorf("%+v: it stops at %+v", target, s)
		}
	}
}

func TestAKinematicMotorOfWebotsAcceleratesAsItsFileSays(t *testing.T) {
	w, joint := pendant(t)
	do(t, w, told(sim.JointTarget{Joint: "fan", Mode: sim.JointVelocity, Target: -10}))
	advance(t, w, 125) // 1 s of the two
	if v := joint("fan").Velocity; math.Abs(v+5) > 0.05 {
		t.Errorf("after a second at 5 rad/s² it turns at %g", v)
	}
	advance(t, w, 250)
	if v := joint("fan").Velocity; math.Abs(v+10) > 1e-6 {
		t.Errorf("it turns at %g", v)
	}
}

func TestAKinematicMotorOfWebotsPushesWhatHasPhysics(t *testing.T) {
	w, joint := pendant(t)
	do(t, w, told(sim.JointTarget{Joint: "push", Mode: sim.JointPosition, Target: 1}))
	advance(t, w, 500)
	if q := joint("push").Position; math.Abs(q-1) > 1e-4 {
		t.Errorf("the ram is at %g", q)
	}
	s := w.Snapshot()
	i, _ := s.Find("crate")
	if at := s.Entities[i].Pose.Pos; math.Abs(at.X-2.7) > 0.05 || math.Abs(at.Z-0.1) > 0.01 {
		t.Errorf("the crate is at %v", at)
	}
	effort := told(sim.JointTarget{Joint: "push", Mode: sim.JointEffort, Target: 1})
	_, err := w.Apply(effort, engine.Load(shipped(), effort))
	if !errors.Is(err, sim.ErrUnsupported) {
		t.Errorf("an effort on what has no mass: %v", err)
	}
}
