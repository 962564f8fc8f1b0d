package dialog

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestAPoseThatIsNotChangedKeepsAllItsDigits(t *testing.T) {
	pose := r3.PoseRPY(1.23456789, -2.3456789, 0.1111111, 0.12345678, -0.2345678, 1.345678)
	m := NewMove("e", pose)
	if got, err := m.Pose(); err != nil || got != pose {
		t.Errorf("untouched: %v, %v", got, err)
	}
	m.fields[1].line.Set("5")
	if got, _ := m.Pose(); got.Pos != r3.V(pose.Pos.X, 5, pose.Pos.Z) || got.Rot != pose.Rot {
		t.Errorf("with another y: %v", got)
	}
	m.fields[5].line.Set("180")
	got, _ := m.Pose()
	if roll, _, yaw := got.Rot.RPY(); math.Abs(math.Abs(yaw)-math.Pi) > 1e-9 || math.Abs(roll-0.12345678) > 1e-4 {
		t.Errorf("with another yaw: roll %v, yaw %v", roll, yaw)
	}
	m.fields[0].line.Set("north")
	if o := m.Key(Key{Action: Accept}); o.Close {
		t.Error("a word was accepted as a number")
	}
}

func TestGoingSomewhereIsStandingStillThere(t *testing.T) {
	places := Places(&sim.Model{NamedPoses: []scene.NamedPose{{Name: "p", Pose: r3.PoseRPY(1, 2, 0, 0, 0, 0)}}})
	g := NewGoto("e", -0.5, places)
	c, _ := g.Key(Key{Action: Accept}).Do.(sim.SetEntityState)
	if c.Name != "e" || c.Pose == nil || c.Pose.Pos != r3.V(1, 2, 0.5) || c.Twist == nil || *c.Twist != (r3.Twist{}) {
		t.Errorf("got %+v", c)
	}
}

func TestHowFarAModelReachesBelowItself(t *testing.T) {
	for _, c := range []struct {
		b    scene.Bounds
		want float64
	}{
		{cube(0.3), -0.3}, {scene.Bounds{}, math.Inf(1)},
		{scene.Bounds{Kind: scene.SphereBounds, Points: []r3.Vec{r3.V(0, 0, 0.1), r3.V(0.4, 0, 0)}}, -0.30000000000000004},
		{scene.Bounds{Kind: scene.HullBounds, Points: []r3.Vec{r3.V(0, 0, 1), r3.V(0, 0, -2)}}, -2},
	} {
		if got := lowest(c.b); got != c.want {
			t.Errorf("%+v reaches to %v, want %v", c.b, got, c.want)
		}
	}
}
