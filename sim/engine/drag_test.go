package engine

import (
	"math"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// TestDragSlowsALinkDownAsItSays: free of weight, a velocity falls by the factor e in the time that the drag
// gives. Of two links that are fixed to each other the drag is the mean by mass.
func TestDragSlowsALinkDownAsItSays(t *testing.T) {
	for _, c := range []struct {
		second scene.Drag
		want   float64 // 1/s
	}{{scene.Drag{Linear: 0.5, Angular: 0.5}, 0.5}, {scene.Drag{}, 0.375}} {
		ball := scenetest.Solid("ball", 3,
			scene.Geom{Name: "ball", Kind: scene.Sphere, Radius: 0.1, Pose: r3.IdentityPose(),
				Surface: scene.Surface{Default: true}})
		ball.Links[0].NoGravity, ball.Links[0].Drag = true, scene.Drag{Linear: 0.5, Angular: 0.5}
		other := ball.Links[0]
		other.Name, other.Inertial.Mass, other.Drag, other.Collisions = "other", 1, c.second, nil
		ball.Links = append(ball.Links, other)
		ball.Joints = append(ball.Joints,
			scene.Joint{Name: "glue", Kind: scene.Fixed, Child: 1, Pose: r3.IdentityPose()})
		world := &scene.WorldSpec{Name: "w",
			Models: []scene.Placed{{Name: "ball", Model: ball, Pose: at(0, 0, 1),
				Twist: r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0, 0, 2)}}}}
		w, err := NewWorld(Options{StepSize: 4 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		s := scenetest.NewLibrary()
		s.WorldSpecs["w"] = world
		load := sim.LoadWorld{Resource: scene.Resource{URI: "w"}}
		if _, err := w.Apply(load, Load(s, load)); err != nil {
			t.Fatal(err)
		}
		apply(t, w, sim.SetState{State: sim.Playing})
		steps(t, w, 500)
		got := where(t, w.Snapshot(), "ball").Twist
		if left := math.Exp(-2 * c.want); math.Abs(got.Linear.X-left) > 0.003 ||
			math.Abs(got.Angular.Z-2*left) > 0.006 {
			t.Errorf("with a drag of %v: after two seconds %v is left of 1 m/s and %v of 2 rad/s, want %v of each",
				c.second, got.Linear.X, got.Angular.Z, left)
		}
	}
}
