package model

import (
	"math"
	"testing"

	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestTheTorqueOfADrive(t *testing.T) {
	m := compiled(t, scenetest.Rover())
	if got, want := m.DriveTorque(&scene.Drive{Left: []int{1}, Right: []int{2}, Radius: 0.1}),
		6.2*2*9.81*0.1; math.Abs(got-want) > 1e-9 {
		t.Errorf("nothing said: %v N·m, want %v", got, want)
	}
	if got := m.DriveTorque(&scene.Drive{MaxTorque: 3}); got != 3 {
		t.Errorf("the drive says 3 N·m, got %v", got)
	}
	m.Joints[1].Def.MaxEffort = 7
	if got := m.DriveTorque(&scene.Drive{Left: []int{1}, Right: []int{2}, Radius: 0.1}); got != 0 {
		t.Errorf("the joint has a limit of its own, got %v", got)
	}
}
