package engine

import (
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestAMovingMeshWithAHoleFallsOverAPost(t *testing.T) {
	// a single hull closes the hole and lands on the post
	for parts, want := range map[int]float64{0: 0.1, 1: 1.1} {
		post := scenetest.Solid("post", 0,
			scene.Geom{Name: "rod", Kind: scene.Cylinder, Radius: 0.2, Length: 1, Pose: r3.IdentityPose()})
		post.Static = true
		library := scenetest.NewLibrary()
		library.WorldSpecs["posts"] = &scene.WorldSpec{Name: "posts", Gravity: r3.V(0, 0, -9.81),
			Models: []scene.Placed{
				{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()},
				{Name: "post", Model: post, Pose: at(0, 0, 0.5)},
				{Name: "frame", Model: scenetest.Frame(parts), Pose: at(0, 0, 1.3)},
			}}
		w, err := NewWorld(Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		load := sim.LoadWorld{Resource: sim.Resource{URI: "posts"}}
		if _, err := w.Apply(load, Load(library, load)); err != nil {
			t.Fatal(err)
		}
		apply(t, w, sim.SetState{State: sim.Playing})
		steps(t, w, 1500)
		if z := where(t, w.Snapshot(), "frame").Pose.Pos.Z; z < want-0.02 || z > want+0.02 {
			t.Errorf("with %d parts (0: as many as it needs) the frame rests at %.3f m, want %g", parts, z,
				want)
		}
	}
}
