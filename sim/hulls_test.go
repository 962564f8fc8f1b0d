package sim

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// frameModel is a square frame of bars as one mesh, 1 m wide with an opening of 0.6 m.
func frameModel(parts int) *scene.ModelSpec {
	mesh := &scene.Mesh{}
	for _, b := range [][2]r3.Vec{
		{r3.V(-0.5, -0.5, -0.1), r3.V(0.5, -0.3, 0.1)}, {r3.V(-0.5, 0.3, -0.1), r3.V(0.5, 0.5, 0.1)},
		{r3.V(-0.5, -0.3, -0.1), r3.V(-0.3, 0.3, 0.1)}, {r3.V(0.3, -0.3, -0.1), r3.V(0.5, 0.3, 0.1)},
	} {
		first := int32(len(mesh.Vertices))
		for i := range 8 {
			p := b[0]
			for axis := range 3 {
				if i>>axis&1 == 1 {
					p = p.With(axis, b[1].At(axis))
				}
			}
			mesh.Vertices = append(mesh.Vertices, p)
		}
		for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
			mesh.Triangles = append(mesh.Triangles, [3]int32{first + q[0], first + q[1], first + q[2]}, [3]int32{first + q[0], first + q[2], first + q[3]})
		}
	}
	m := solid("frame", 1, scene.Geom{Name: "bars", Kind: scene.MeshGeom, Mesh: mesh, Pose: r3.IdentityPose()})
	m.Info.Convex.Parts = parts
	return m
}

func TestAMovingMeshWithAHoleFallsOverAPost(t *testing.T) {
	for parts, want := range map[int]float64{0: 0.1, 1: 1.1} { // a single hull closes the hole and lands on the post
		post := solid("post", 0, scene.Geom{Name: "rod", Kind: scene.Cylinder, Radius: 0.2, Length: 1, Pose: r3.IdentityPose()})
		post.Static = true
		library := newShelf()
		library.worlds["posts"] = &scene.WorldSpec{Name: "posts", Gravity: r3.V(0, 0, -9.81), Models: []scene.Placed{
			{Name: "ground", Model: groundModel(), Pose: r3.IdentityPose()},
			{Name: "post", Model: post, Pose: at(0, 0, 0.5)},
			{Name: "frame", Model: frameModel(parts), Pose: at(0, 0, 1.3)},
		}}
		w, err := NewWorld(Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		load := LoadWorld{Resource: Resource{URI: "posts"}}
		if _, err := w.Apply(load, Load(library, load)); err != nil {
			t.Fatal(err)
		}
		apply(t, w, SetState{Playing})
		steps(t, w, 1500)
		if z := where(t, w.Snapshot(), "frame").Pose.Pos.Z; z < want-0.02 || z > want+0.02 {
			t.Errorf("with %d parts (0: as many as it needs) the frame rests at %.3f m, want %g", parts, z, want)
		}
	}
}
