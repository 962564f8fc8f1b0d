package webots

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// TestElevationGridsStandWhereTheirCornerIs casts rays down on a grid of 3 × 2 points with different heights,
// in files with z up and with y up. The grid is a terrain and, where it moves, a mesh.
func TestElevationGridsStandWhereTheirCornerIs(t *testing.T) {
	for _, c := range []struct {
		text string
		want [6]r3.Vec // of the points, in the world
	}{
		{"Solid { translation 10 0 0 boundingObject ElevationGrid { xDimension 3 yDimension 2 xSpacing 2 height [ 1 2 3, 4 5 6 ] } }",
			[6]r3.Vec{r3.V(10, 0, 1), r3.V(12, 0, 2), r3.V(14, 0, 3), r3.V(10, 1, 4), r3.V(12, 1, 5),
				r3.V(14, 1, 6)}},
		{"#VRML_SIM R2019a utf8\nSolid { translation 0 0 10 boundingObject ElevationGrid { xDimension 3 zDimension 2 xSpacing 2 height [ 1 2 3, 4 5 6 ] } }",
			[6]r3.Vec{r3.V(10, 0, 1), r3.V(10, 2, 2), r3.V(10, 4, 3), r3.V(11, 0, 4), r3.V(11, 2, 5),
				r3.V(11, 4, 6)}},
		{"Solid { scale 2 2 2 boundingObject ElevationGrid { xDimension 3 yDimension 2 xSpacing 2 height [ 1 2 3, 4 5 6 ] } }",
			[6]r3.Vec{r3.V(0, 0, 2), r3.V(4, 0, 4), r3.V(8, 0, 6), r3.V(0, 2, 8), r3.V(4, 2, 10),
				r3.V(8, 2, 12)}},
		{"Solid { boundingObject ElevationGrid { xDimension 3 yDimension 2 xSpacing 2 height [ 1 2 3, 4 5 6 ] } physics Physics { density -1 mass 1 } }",
			[6]r3.Vec{r3.V(0, 0, 1), r3.V(2, 0, 2), r3.V(4, 0, 3), r3.V(0, 1, 4), r3.V(2, 1, 5),
				r3.V(4, 1, 6)}},
	} {
		p := world(t, nil, c.text).Models[0]
		g := p.Model.Links[0].Collisions[0]
		at := p.Pose.Mul(g.Pose)
		for _, want := range c.want {
			if !corner(t, &g, at, want) {
				t.Errorf("%s: no point at %v", c.text, want)
			}
		}
	}
}

// corner reports whether a triangle of a ground that faces up has a corner at a place.
func corner(t *testing.T, g *scene.Geom, at r3.Pose, want r3.Vec) bool {
	t.Helper()
	var triangles [][3]r3.Vec
	if g.Kind == scene.Heightfield {
		f, err := shape.NewField(g.Heights.Columns, g.Heights.Rows, g.Heights.X, g.Heights.Y, g.Heights.Z)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			a, b, c := f.Triangle(int32(i))
			triangles = append(triangles, [3]r3.Vec{a, b, c})
		}
	} else {
		for _, i := range g.Mesh.Triangles {
			v := g.Mesh.Scaled(g.Scale)
			triangles = append(triangles, [3]r3.Vec{v[i[0]], v[i[1]], v[i[2]]})
		}
	}
	for _, c := range triangles {
		a, b, d := at.Apply(c[0]), at.Apply(c[1]), at.Apply(c[2])
		if up := b.Sub(a).Cross(d.Sub(a)).Z; !(up > 0) || math.IsNaN(up) {
			t.Errorf("a triangle looks down: %v %v %v", a, b, d)
		}
		for _, p := range []r3.Vec{a, b, d} {
			if p.Dist(want) < 1e-6 {
				return true
			}
		}
	}
	return false
}
