package dialog

import (
	"math"
	"reflect"
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
	if roll, _, yaw := got.Rot.RPY(); math.Abs(math.Abs(yaw)-math.Pi) > 1e-9 ||
		math.Abs(roll-0.12345678) > 1e-4 {
		t.Errorf("with another yaw: roll %v, yaw %v", roll, yaw)
	}
	m.fields[0].line.Set("north")
	if o := m.Key(Key{Action: Accept}); o.Close {
		t.Error("a word was accepted as a number")
	}
}

func TestGoingSomewhereIsStandingStillThere(t *testing.T) {
	places := Places(&sim.Model{NamedPoses: []scene.NamedPose{{Name: "p",
		Pose: r3.PoseRPY(1, 2, 0, 0, 0, 0)}}})
	g := NewGoto([]Member{{Name: "e", Low: -0.5}}, places)
	c, _ := g.Key(Key{Action: Accept}).Do.(sim.SetEntityState)
	if c.Name != "e" || c.Pose == nil || c.Pose.Pos != r3.V(1, 2, 0.5) || c.Twist == nil ||
		*c.Twist != (r3.Twist{}) {
		t.Errorf("got %+v", c)
	}
}

func TestHowFarAModelReachesBelowItself(t *testing.T) {
	for _, c := range []struct {
		b    scene.Bounds
		want float64
	}{
		{cube(0.3), -0.3}, {scene.Bounds{}, math.Inf(1)},
		{scene.Bounds{Kind: scene.SphereBounds, Points: []r3.Vec{r3.V(0, 0, 0.1), r3.V(0.4, 0, 0)}},
			-0.30000000000000004},
		{scene.Bounds{Kind: scene.HullBounds, Points: []r3.Vec{r3.V(0, 0, 1), r3.V(0, 0, -2)}}, -2},
	} {
		if got := lowest(c.b); got != c.want {
			t.Errorf("%+v reaches to %v, want %v", c.b, got, c.want)
		}
	}
}

// poses are the poses that an outcome gives to entities, by name.
func poses(o Outcome) map[string]r3.Pose {
	out := map[string]r3.Pose{}
	all, _ := o.Do.(sim.MoveEntities)
	for _, s := range all.Moves {
		if s.Twist != nil && *s.Twist == (r3.Twist{}) {
			out[s.Name] = *s.Pose
		}
	}
	return out
}

func near(a, b r3.Pose) bool {
	return a.Pos.Sub(b.Pos).Len() < 1e-9 && math.Abs(a.Rot.Yaw()-b.Rot.Yaw()) < 1e-9
}

func TestSeveralAreMovedAndTurnedTogether(t *testing.T) {
	who := []Member{{Name: "a", Pose: r3.PoseRPY(0, 0, 1, 0, 0, 0)},
		{Name: "b", Pose: r3.PoseRPY(2, 0, 2, 0, 0, 0.5)}}
	s := NewShift(who)
	for i, text := range []string{"10", "0", "0,5", "90"} {
		s.fields[i].line.Set(text)
	}
	got := poses(s.Key(Key{Action: Accept}))
	for name, want := range map[string]r3.Pose{"a": r3.PoseRPY(11, -1, 1.5, 0, 0, math.Pi/2),
		"b": r3.PoseRPY(11, 1, 2.5, 0, 0, math.Pi/2+0.5)} {
		if !near(got[name], want) {
			t.Errorf("%s goes to %v, want %v", name, got[name], want)
		}
	}
	s.fields[1].line.Set("up")
	if o := s.Key(Key{Action: Accept}); o.Close || o.Do != nil {
		t.Error("a word was accepted as a number")
	}
	g := NewGoto(who, []Place{{Name: "p", Pose: r3.PoseRPY(5, 5, 0, 0, 0, 0), Lift: true}})
	got = poses(g.Key(Key{Action: Accept}))
	for name, want := range map[string]r3.Pose{"a": r3.PoseRPY(4, 5, 1, 0, 0, 0),
		"b": r3.PoseRPY(6, 5, 2, 0, 0, 0.5)} {
		if !near(got[name], want) {
			t.Errorf("to p: %s goes to %v, want %v", name, got[name], want)
		}
	}
}

func TestTagsThatAllHaveAreChangedForAll(t *testing.T) {
	who := []Tagged{{"a", scene.Info{Tags: []string{"wood", "big"}, Description: "x"}},
		{"b", scene.Info{Tags: []string{"wood", "small"}}}, {"c", scene.Info{Tags: []string{"new", "wood"}}}}
	d := NewTags(who)
	if got := d.line.Text(); got != "wood" {
		t.Errorf("in common: %q", got)
	}
	d.line.Set(" new  ")
	o := d.Key(Key{Action: Accept})
	got := map[string]scene.Info{}
	for _, one := range o.Do.(sim.SetEntityInfos).Infos {
		got[one.Name] = one.Info
	}
	want := map[string]scene.Info{"a": {Tags: []string{"big", "new"}, Description: "x"},
		"b": {Tags: []string{"small", "new"}}, "c": {Tags: []string{"new"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if o := NewTags(who[:1]).Key(Key{Action: Accept}); o.Do != nil || !o.Close {
		t.Errorf("unchanged tags send %v", o.Do)
	}
}
