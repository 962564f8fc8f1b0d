package pane

import (
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
)

// A robot on patrol says so, and to which point it goes; one that was commanded says that it yielded.
func TestAPatrolIsShownUntilItYields(t *testing.T) {
	for _, c := range []struct {
		state  sim.Patrol
		word   string
		detail string
	}{
		{sim.Patrol{Point: 3, Of: 6}, "patrol", "point 3 of 6"},
		{sim.Patrol{Point: 3, Of: 6, Yielded: true}, "moving", "yielded to a command"},
	} {
		m := sim.EntityModel{Name: "a", Spec: &scene.ModelSpec{Name: "m", Drives: []scene.Drive{
			{Kind: scene.Differential, Patrol: &scene.Patrol{Speed: 0.4, Points: make([]r3.Vec, 6)}}}}}
		s := &sim.Snapshot{Model: &sim.Model{Entities: []sim.EntityModel{m}}, Odom: make([]sim.Odometry, 1),
			Entities: []sim.EntityState{{Pose: r3.IdentityPose(), Twist: r3.Twist{Linear: r3.V(0.4, 0, 0)}, Patrol: c.state}}}
		if got := motion(s, 0); got != c.word {
			t.Errorf("%+v: the state is %q, want %q", c.state, got, c.word)
		}
		cells := canvas.NewCellBuffer(100, 30)
		new(Detail).Draw(cells.All(), &View{Snap: s, Entity: 0})
		if !strings.Contains(cells.Plain(), c.detail) {
			t.Errorf("the detail of %+v does not say %q:\n%s", c.state, c.detail, cells.Plain())
		}
	}
}
