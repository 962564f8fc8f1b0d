package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

func instance(s shape.Shape, p r3.Pose) Instance {
	g := NewGeometry(s)
	return Instance{&g, &Placement{p, p.Rot.Mat()}}
}

func at(x, y, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()} }

// TestABoxAcrossTwoTilesTouchesNoSideOfThem: a box overlaps two tiles a little, so near the edge of one that
// its side is the direction of least overlap. The other tile makes that side an internal edge.
func TestABoxAcrossTwoTilesTouchesNoSideOfThem(t *testing.T) {
	tile := shape.BoxOf(r3.V(1, 1, 0.2))
	left, right := instance(tile, at(-0.5, 0, -0.1)), instance(tile, at(0.5, 0, -0.1))
	box := instance(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), at(-0.0995, 0, 0.099))
	var q Query
	q.Begin(box, right, margin)
	q.Collide()
	if m := q.Manifolds(); len(m) != 1 || math.Abs(m[0].Normal.X) < 0.99 {
		t.Fatalf("alone: %d manifolds, normal %v, want one along x", len(m), m[0].Normal)
	}
	q.EnableInternalEdges(false)
	q.AddNeighbor(left)
	q.RemoveInternalEdges()
	for _, m := range q.Manifolds() {
		if m.Normal.Z > -0.99 {
			t.Errorf("beside a tile: normal %v, want it along -z", m.Normal)
		}
	}
}

// TestReduceKeepsTheCornersOfAPatch reduces a grid of points of equal depth to points that span nearly all of
// its area.
func TestReduceKeepsTheCornersOfAPatch(t *testing.T) {
	var m Manifold
	m.start(r3.V(0, 0, -1))
	for i := range 5 {
		for k := range 5 {
			m.add(r3.V(float64(i), float64(k), 0), -1e-3, uint32(5*i+k))
		}
	}
	var keep [MaxPoints]int
	n := m.Reduce(&keep)
	for _, k := range keep[:n] {
		if p := m.Points[k].Position; math.Abs(p.X-2) != 2 || math.Abs(p.Y-2) != 2 {
			t.Errorf("point %v is no corner", p)
		}
	}
	if n != 4 {
		t.Errorf("%d points, want 4", n)
	}
}

// TestOfAThinPlateReduceKeepsTheLowerCorners offers the corners of both sides of a plate a millimeter thick.
func TestOfAThinPlateReduceKeepsTheLowerCorners(t *testing.T) {
	q := query(shape.BoxOf(r3.V(0.1, 0.1, 0.001)), at(0, 0, 0.0005), shape.Plane{}, at(0, 0, 0))
	m := &q.Manifolds()[0]
	var keep [MaxPoints]int
	if n := m.Reduce(&keep); m.Count != 8 || n != 4 {
		t.Fatalf("%d points reduced to %d, want 8 to 4", m.Count, n)
	}
	for _, k := range keep {
		if g := m.Points[k].Gap; math.Abs(g) > 1e-12 {
			t.Errorf("a point with gap %v m is kept", g)
		}
	}
}

// TestFeatureIDsStayWhileShapesSlide moves a box over another by 10 µm: warm starting needs the same ids.
func TestFeatureIDsStayWhileShapesSlide(t *testing.T) {
	small, large := shape.BoxOf(r3.V(0.2, 0.2, 0.2)), shape.BoxOf(r3.V(2, 2, 0.2))
	var ids [2][]uint32
	for i, x := range []float64{0, 1e-5} {
		m := query(small, at(0.1+x, 0, 0.1999), large, at(0, 0, 0)).Manifolds()[0]
		for _, p := range m.Points[:m.Count] {
			ids[i] = append(ids[i], p.ID)
		}
	}
	if len(ids[0]) != 4 || len(ids[1]) != 4 || [4]uint32(ids[0]) != [4]uint32(ids[1]) {
		t.Errorf("ids %x became %x", ids[0], ids[1])
	}
}

func TestAQueryAllocatesNothing(t *testing.T) {
	floor := instance(shapetest.FloorMesh(t, 4, 0.2), at(0, 0, 0))
	plane := instance(shape.Plane{}, at(0, 0, 0))
	tile := instance(shape.BoxOf(r3.V(1, 1, 0.2)), at(0.5, 0, -0.1))
	beside := instance(shape.BoxOf(r3.V(1, 1, 0.2)), at(-0.5, 0, -0.1))
	var q Query
	for _, a := range []shape.Convex{shape.Sphere{Radius: 0.1}, shape.Capsule{Radius: 0.1, Half: 0.1},
		shape.Cylinder{Radius: 0.1, Half: 0.1}, shape.BoxOf(r3.V(0.2, 0.2, 0.2))} {
		solid := instance(a, at(0.01, 0.02, 0.0999))
		for _, b := range []Instance{floor, plane, tile} {
			look := func() {
				q.Begin(solid, b, margin)
				q.EnableInternalEdges(false)
				q.AddNeighbor(beside)
				q.Collide()
				q.RemoveInternalEdges()
			}
			look()
			if len(q.Manifolds()) == 0 {
				t.Errorf("%v on %v: no manifold", a.Kind(), b.Kind)
			}
			if n := testing.AllocsPerRun(20, look); n > 0 {
				t.Errorf("%v on %v: %v allocations", a.Kind(), b.Kind, n)
			}
		}
	}
}

// TestARoundSupportBesideABoxHasFinitePoints: a caster's ball under a chassis has no face to which a contact
// that the chassis hides could move.
func TestARoundSupportBesideABoxHasFinitePoints(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	turn := func() r3.Quat { return r3.FromRPY(r.Float64()*6, r.Float64()*3, r.Float64()*6) }
	touched := 0
	for range 20_000 {
		ball := []shape.Convex{shape.Sphere{Radius: 0.05}, shape.Capsule{Radius: 0.05, Half: 0.05}}[r.IntN(2)]
		support := instance(ball, r3.Pose{Rot: turn()})
		chassis := instance(shape.BoxOf(r3.V(0.4, 0.3, 0.1)), at(r.Float64()*0.2, 0, 0.05))
		thing := instance(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), r3.Pose{Rot: turn(),
			Pos: r3.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(0.4)})
		var q Query
		q.Begin(support, thing, margin)
		q.Collide()
		q.EnableInternalEdges(true)
		q.AddNeighbor(chassis)
		q.RemoveInternalEdges()
		for _, m := range q.Manifolds() {
			for _, p := range m.Points[:m.Count] {
				touched++
				if !p.Position.IsFinite() || !(math.Abs(p.Gap) < 1) {
					t.Fatalf("the %T at %v has a point %+v against the box at %v", ball, support.Pose, p, thing.Pose)
				}
			}
		}
	}
	if touched < 1000 {
		t.Errorf("only %d points", touched)
	}
}
