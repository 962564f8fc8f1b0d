package scene_test

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

func TestEveryKindOfGeomIsASolid(t *testing.T) {
	pyramid := &scene.Mesh{Vertices: []r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}}
	heights := &scene.Heights{Columns: 2, Rows: 2, X: 2, Y: 4, Z: []float32{0, 0, 0, 1}}
	for name, c := range map[string]struct {
		geom scene.Geom
		kind shape.Kind
		size r3.Vec // of the box around it; zero: it has no end
	}{
		"box":    {scene.Geom{Kind: scene.Box, Size: r3.V(1, 2, 3)}, shape.KindBox, r3.V(1, 2, 3)},
		"sphere": {scene.Geom{Kind: scene.Sphere, Radius: 0.5}, shape.KindSphere, r3.V(1, 1, 1)},
		"cylinder": {scene.Geom{Kind: scene.Cylinder, Radius: 1, Length: 3}, shape.KindCylinder,
			r3.V(2, 2, 3)},
		"capsule": {scene.Geom{Kind: scene.Capsule, Radius: 1, Length: 3}, shape.KindCapsule, r3.V(2, 2, 5)},
		"plane":   {scene.Geom{Kind: scene.Plane, Normal: r3.V(1, 0, 0)}, shape.KindPlane, r3.Vec{}},
		"mesh": {scene.Geom{Kind: scene.MeshGeom, Mesh: pyramid, Scale: r3.V(1, 2, 3)}, shape.KindMesh,
			r3.V(1, 2, 3)},
		"heightfield": {scene.Geom{Kind: scene.Heightfield, Heights: heights}, shape.KindField,
			r3.V(2, 4, 1)},
	} {
		s, pose, err := c.geom.Solid()
		if err != nil || s.Kind() != c.kind {
			t.Errorf("%s: %v, %v", name, s, err)
			continue
		}
		if c.kind == shape.KindPlane {
			if up := pose.Rot.Rotate(r3.V(0, 0, 1)); up.Dist(r3.V(1, 0, 0)) > 1e-12 {
				t.Errorf("%s: its normal is %v", name, up)
			}
			continue
		}
		if got := s.Bounds(pose).Size(); got.Dist(c.size) > 1e-9 {
			t.Errorf("%s is %v m large, want %v", name, got, c.size)
		}
	}
}

func TestAGeomThatCannotBeIsNoSolid(t *testing.T) {
	for name, c := range map[string]struct {
		geom scene.Geom
		want error
	}{
		"mesh without a file":        {scene.Geom{Kind: scene.MeshGeom}, scene.ErrMissingAssets},
		"heightfield without a file": {scene.Geom{Kind: scene.Heightfield}, scene.ErrMissingAssets},
		"pose that is no number": {scene.Geom{Kind: scene.Sphere, Radius: 1,
			Pose: r3.Pose{Pos: r3.V(math.NaN(), 0, 0), Rot: r3.Identity()}}, scene.ErrParse},
		"sphere without a radius": {scene.Geom{Kind: scene.Sphere}, shape.ErrShape},
	} {
		if _, _, err := c.geom.Solid(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, _, err := (&scene.Geom{}).Solid(); err == nil {
		t.Error("a geom of no kind is a solid")
	}
}
