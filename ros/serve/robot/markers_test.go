package robot

import (
	"math"
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/visualizationmsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const crateText = `<sdf version="1.9"><model name="crate"><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.4 0.6</size></box></geometry></collision>
<visual name="v"><pose>0 0 0.1 0 0 0</pose><geometry><sphere><radius>0.3</radius></sphere></geometry>
<material><diffuse>1 0 0 1</diffuse></material></visual></link></model></sdf>`

// named are the markers of a link.
func named(a *visualizationmsgs.MarkerArray, space string) (found []visualizationmsgs.Marker) {
	for _, m := range a.Markers {
		if m.Ns == space {
			found = append(found, m)
		}
	}
	return found
}

// hearLate spawns a crate and gives what a viewer sees who comes two seconds later.
func hearLate(h *rostest.Stage) *rostest.Heard[visualizationmsgs.MarkerArray] {
	h.T.Helper()
	spawn(h, "crate", "", crateText, 2, 3)
	time.Sleep(2 * time.Second)
	seen := rostest.Hear[visualizationmsgs.MarkerArray](h, "/world_markers", node.LatchedQoS())
	h.Until("the world", func() bool { return seen.Last() != nil })
	return seen
}

func TestTheWorldIsShownToViewersWhoComeLate(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		a := hearLate(h).Last()
		wall := named(a, "wall/l")
		if len(wall) != 1 || wall[0].Header.FrameID != "world" ||
			wall[0].Type != visualizationmsgs.MarkerCube ||
			wall[0].Pose.Position.X != 6 || wall[0].Scale.Y != 8 || wall[0].Color.A == 0 {
			t.Errorf("the wall is %+v", wall)
		}
		if f := named(a, "floor/l"); len(f) != 1 || f[0].Type != visualizationmsgs.MarkerCube ||
			f[0].Scale.X != endlessPlane {
			t.Errorf("the floor is %+v", f)
		}
		base, mast := named(a, "one/base_link"), named(a, "one/mast")
		if len(base) != 1 || base[0].Header.FrameID != "one/base_link" || !base[0].FrameLocked ||
			math.Abs(base[0].Pose.Position.Z-0.05) > 1e-9 || len(mast) != 0 {
			t.Errorf("the robot is %+v %+v", base, mast)
		}
		c := named(a, "crate/body")
		if len(c) != 1 || c[0].Type != visualizationmsgs.MarkerSphere || c[0].Header.FrameID != "world" ||
			c[0].Scale.X != 0.6 ||
			c[0].Color.R != 1 || c[0].Color.G != 0 || math.Abs(c[0].Pose.Position.X-2) > 1e-9 {
			t.Errorf("the crate, of which the file draws a sphere, is %+v", c)
		}
	})
}

func TestViewersSeeWhatMovesComesAndGoes(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		seen := hearLate(h)
		time.Sleep(5 * time.Second)
		if n := len(seen.All()); n > 2 {
			t.Errorf("while nothing moves the world is sent %d times", n)
		}
		to := r3.PoseRPY(-4, 1, 2, 0, 0, 0)
		h.Do(sim.SetEntityState{Name: "crate", Pose: &to})
		h.Until("the crate elsewhere", func() bool {
			c := named(seen.Last(), "crate/body")
			return len(c) == 1 && math.Abs(c[0].Pose.Position.X+4) < 1e-9
		})
		if len(named(seen.Last(), "wall/l")) != 1 {
			t.Error("whoever comes late now does not see the wall")
		}
		h.Do(sim.Delete{Names: []string{"crate"}})
		h.Until("the crate to go", func() bool { return len(named(seen.Last(), "crate/body")) == 0 })
		if m := seen.Last().Markers; m[0].Action != visualizationmsgs.MarkerDeleteall {
			t.Error("the crate stays where it was shown: nothing deletes it")
		}
		set(h, "publish_markers", node.BoolValue(false))
		h.Until("nothing", func() bool { return len(seen.Last().Markers) == 1 })
	})
}

func TestShapesAreDrawnAsTheyAre(t *testing.T) {
	corner := &scene.Mesh{URI: "model://x/a.stl",
		Vertices: []r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0)}, Triangles: [][3]int32{{0, 1, 2}}}
	large := &scene.Mesh{Vertices: []r3.Vec{r3.V(-1, -1, 0), r3.V(1, 1, 4)},
		Triangles: make([][3]int32, maxTriangles+1)}
	shared := &scene.Mesh{URI: "package://x/a.stl", Vertices: large.Vertices, Triangles: large.Triangles}
	for _, c := range []struct {
		name  string
		geom  scene.Geom
		kinds []int32
		scale r3.Vec // of the first
	}{
		{"box", scene.Geom{Kind: scene.Box, Size: r3.V(1, 2, 3)}, []int32{visualizationmsgs.MarkerCube},
			r3.V(1, 2, 3)},
		{"cylinder", scene.Geom{Kind: scene.Cylinder, Radius: 0.5, Length: 3},
			[]int32{visualizationmsgs.MarkerCylinder}, r3.V(1, 1, 3)},
		{"capsule", scene.Geom{Kind: scene.Capsule, Radius: 0.5, Length: 2},
			[]int32{visualizationmsgs.MarkerCylinder, visualizationmsgs.MarkerSphere,
				visualizationmsgs.MarkerSphere}, r3.V(1, 1, 2)},
		{"plane", scene.Geom{Kind: scene.Plane, Normal: r3.V(1, 0, 0), Size: r3.V(4, 5, 0)},
			[]int32{visualizationmsgs.MarkerCube}, r3.V(4, 5, planeThinness)},
		{"triangles", scene.Geom{Kind: scene.MeshGeom, Mesh: corner, Scale: r3.V(2, 2, 2)},
			[]int32{visualizationmsgs.MarkerTriangleList}, r3.V(1, 1, 1)},
		{"mesh of a package beyond the budget",
			scene.Geom{Kind: scene.MeshGeom, Mesh: shared, Scale: r3.V(2, 2, 2)},
			[]int32{visualizationmsgs.MarkerMeshResource}, r3.V(2, 2, 2)},
		{"mesh beyond the budget", scene.Geom{Kind: scene.MeshGeom, Mesh: large},
			[]int32{visualizationmsgs.MarkerCube}, r3.V(2, 2, 4)},
		{"no mesh", scene.Geom{Kind: scene.MeshGeom}, nil, r3.Vec{}},
	} {
		c.geom.Pose = r3.IdentityPose()
		budget := allTriangles
		b := brush{to: &visualizationmsgs.MarkerArray{}, triangles: &budget, space: "e/l", frame: "world",
			at: r3.PoseRPY(1, 0, 0, 0, 0, 0)}
		b.draw(&c.geom)
		var kinds []int32
		for i, m := range b.to.Markers {
			kinds = append(kinds, m.Type)
			if m.ID != int32(i) {
				t.Errorf("%s: marker %d has the ID %d", c.name, i, m.ID)
			}
		}
		if !slices.Equal(kinds, c.kinds) || len(kinds) > 0 && vec(b.to.Markers[0]) != c.scale {
			t.Errorf("%s: drawn as %v, %+v", c.name, kinds, b.to.Markers)
			continue
		}
		switch c.name {
		case "triangles":
			if p := b.to.Markers[0].Points; len(p) != 3 || p[1].X != 2 || budget != allTriangles-1 {
				t.Errorf("the points are %+v, the budget is %d", p, budget)
			}
		case "mesh of a package beyond the budget":
			if m := b.to.Markers[0]; m.MeshResource != shared.URI || !m.MeshUseEmbeddedMaterials {
				t.Errorf("%+v", m)
			}
		case "mesh beyond the budget":
			if z := b.to.Markers[0].Pose.Position.Z; z != 2 {
				t.Errorf("its box is at z = %g, want 2", z)
			}
		}
	}
}

func vec(m visualizationmsgs.Marker) r3.Vec { return r3.V(m.Scale.X, m.Scale.Y, m.Scale.Z) }
