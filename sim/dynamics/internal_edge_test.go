package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// tile is the length of a tile's side, m.
const tile = 0.5

// tiled lays 9 by 9 tiles with their tops at z = 0. Each is displaced at random by at most offset along each
// axis; with bodies set, each is a body of its own.
func (s *scene) tiled(bodies bool, offset float64, sh func(x, y float64) shape.Shape) {
	r := rand.New(rand.NewPCG(5, 6))
	all := must[BodyID](s)(s.AddBody(BodyDef{}))
	for i := range 9 {
		for k := range 9 {
			p := at(tile*float64(i-4), tile*float64(k-4), -0.1)
			p.Pos = p.Pos.Add(r3.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(2 * offset))
			b := all
			if bodies {
				b = must[BodyID](s)(s.AddBody(BodyDef{}))
			}
			s.geom(b, sh(p.Pos.X, p.Pos.Y), p)
		}
	}
}

func boxTile(_, _ float64) shape.Shape { return shape.Box{Half: r3.V(tile/2, tile/2, 0.1)} }

func hullTile(t testing.TB) func(x, y float64) shape.Shape {
	var v []r3.Vec
	for i := range 8 {
		c := boxCorner(r3.V(tile/2, tile/2, 0.1), i)
		if c.Z < 0 {
			c.X *= 0.8
		}
		v = append(v, c)
	}
	h := must[*shape.Hull](t)(shape.ConvexHull(v, 0))
	return func(_, _ float64) shape.Shape { return h }
}

// boxMesh is a box as a mesh of twelve triangles.
func boxMesh(t testing.TB, h r3.Vec) *shape.Mesh {
	var v []r3.Vec
	for i := range 8 {
		v = append(v, boxCorner(h, i))
	}
	var tri [][3]int32
	for _, q := range [6][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2},
		{1, 3, 7, 5}} {
		tri = append(tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return must[*shape.Mesh](t)(shape.NewMesh(v, tri))
}

// adjoiningFloors are floors of adjoining geoms. Their tops are coplanar to within offset, m.
var adjoiningFloors = []struct {
	name   string
	offset float64
	lay    func(s *scene)
}{
	{"one large box", 0, func(s *scene) { s.fixed(shape.Box{Half: r3.V(3, 3, 0.1)}, at(0, 0, -0.1)) }},
	{"tiles of one body", 0, func(s *scene) { s.tiled(false, 0, boxTile) }},
	{"tiles of several bodies", 0, func(s *scene) { s.tiled(true, 0, boxTile) }},
	{"hulls", 0, func(s *scene) { s.tiled(true, 0, hullTile(s)) }},
	{"tiles off by a micrometre", 1e-6, func(s *scene) { s.tiled(true, 1e-6, boxTile) }},
	{"tiles off by 0.1 mm", 1e-4, func(s *scene) { s.tiled(false, 5e-5, boxTile) }},
	{"a mesh beside boxes", 0, func(s *scene) {
		s.fixed(shapetest.FloorMesh(s, 4, tile), at(-4*tile-tile/2, 0, 0))
		s.tiled(true, 0, boxTile)
	}},
	{"tiles let into the ground", 0, func(s *scene) {
		s.ground()
		s.fixed(boxTile(0, 0), at(0, 0, -0.1))
		s.fixed(boxTile(0, 0), at(tile, 0.1, -0.1))
	}},
}

// floorSliders are the bodies that cross the floors: shape, orientation, and whether they roll or slide.
func floorSliders(t testing.TB) map[string]struct {
	sh    shape.Convex
	rot   r3.Quat
	rolls bool
} {
	lying := r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2)
	hull := must[*shape.Hull](t)(shape.ConvexHull([]r3.Vec{{X: 0.1, Y: 0.1, Z: -0.05},
		{X: -0.1, Y: 0.1, Z: -0.05}, {X: 0.1, Y: -0.1, Z: -0.05},
		{X: -0.1, Y: -0.1, Z: -0.05}, {X: 0.05, Z: 0.05}, {X: -0.05, Z: 0.05}}, 0))
	return map[string]struct {
		sh    shape.Convex
		rot   r3.Quat
		rolls bool
	}{
		"box":               {shape.Box{Half: r3.V(0.1, 0.07, 0.05)}, r3.Identity(), false},
		"large box":         {shape.Box{Half: r3.V(0.6, 0.4, 0.05)}, r3.Identity(), false},
		"standing cylinder": {shape.Cylinder{Radius: 0.08, Half: 0.05}, r3.Identity(), false},
		"hull":              {hull, r3.Identity(), false},
		"lying cylinder":    {shape.Cylinder{Radius: 0.08, Half: 0.05}, lying, true},
		"sphere":            {shape.Sphere{Radius: 0.05}, lying, true},
		"capsule":           {shape.Capsule{Radius: 0.04, Half: 0.1}, lying, true},
		"sliding capsule":   {shape.Capsule{Radius: 0.04, Half: 0.1}, lying, false},
		"wheel":             {shape.Cylinder{Radius: 0.1, Half: 0.02}, lying, true},
	}
}

// TestNothingCatchesOnInternalEdgesOfTiles: bodies slide and roll over floors of tiles at 0.3 to 3 m/s, along
// and across the internal edges. Speed and height stay as on one large box; misaligned tiles are real steps
// and cost in proportion to their offset.
func TestNothingCatchesOnInternalEdgesOfTiles(t *testing.T) {
	for _, floor := range adjoiningFloors {
		for name, sl := range floorSliders(t) {
			for speed, yaw := range map[float64]float64{0.3: 0.785, 1: 0, 1.5: 0.4, 3: 0.2} {
				mu := 0.0
				if sl.rolls {
					mu = 0.8
				}
				s := newScene(t, mu, earth())
				floor.lay(s)
				turn := r3.AxisAngle(r3.V(0, 0, 1), yaw)
				p := r3.Pose{Pos: r3.V(-1.2, -0.9*yaw, 0), Rot: turn.Mul(sl.rot)}
				p.Pos.Z = -sl.sh.Bounds(p).Min.Z
				b := s.body(sl.sh, 1, p, 0)
				tw := r3.Twist{Linear: turn.Rotate(r3.V(speed, 0, 0))}
				if sl.rolls {
					tw.Angular = turn.Rotate(r3.V(0, speed/p.Pos.Z, 0))
				}
				s.check(s.Body(b).SetTwist(tw))
				slowest, climb, high := speed, 0.0, 0.0
				for s.Body(b).Pose().Pos.Sub(p.Pos).Len() < 1.6 && s.Steps() < 700 {
					s.stepChecked(0.004, 1)
					v := s.Body(b).Twist().Linear
					slowest = min(slowest, v.Dot(turn.Rotate(r3.V(1, 0, 0))))
					climb, high = max(climb, math.Abs(v.Z)),
						max(high, math.Abs(s.Body(b).Pose().Pos.Z-p.Pos.Z))
				}
				loss := 1e-3 + 40*floor.offset // a misaligned tile is a real step
				if slowest < speed-loss || climb > 2e-3+250*floor.offset || high > 2e-4+3*floor.offset {
					t.Errorf(
						"%s on %s at %v m/s, turned by %v: slows down to %.4f m/s, up and down with %.4f m/s by %.2g m",
						name, floor.name, speed, yaw, slowest, climb, high)
				}
			}
		}
	}
}

// TestObstaclesBesideATileAreHit: steps, walls, poles and ramps on or beside the tiles are no internal edges.
// A body at 1 m/s is stopped by them or climbs the ramp, and never sinks into the floor. A sphere rolls onto
// the steps, which are lower than its center, and is slower on them.
func TestObstaclesBesideATileAreHit(t *testing.T) {
	ramp := r3.AxisAngle(r3.V(0, 1, 0), -math.Pi/6)
	obstacles := map[string]struct {
		sh    shape.Shape
		p     r3.Pose
		climb float64 // m a body must climb at least; 0: the obstacle stops it
		roll  float64 // m that a sphere must climb; 0: it does what the others do
	}{
		"a step of 1 cm": {shape.Box{Half: r3.V(tile/2, 2, 0.1)}, at(tile, 0, -0.09), 0, 0.01},
		"a step of 1 mm": {shape.Box{Half: r3.V(tile/2, 2, 0.1)}, at(tile, 0, -0.099), 0, 0.001},
		"a wall":         {shape.Box{Half: r3.V(0.1, 2, 0.5)}, at(0.35, 0, 0.5), 0, 0},
		"a turned wall": {shape.Box{Half: r3.V(0.1, 2, 0.5)},
			r3.Pose{Pos: r3.V(0.35, 0, 0.5), Rot: r3.AxisAngle(r3.V(0, 0, 1), 0.05)}, 0, 0},
		"a pole": {shape.Box{Half: r3.V(0.05, 0.05, 0.5)},
			r3.Pose{Pos: r3.V(0.35, 0, 0.5), Rot: r3.AxisAngle(r3.V(0, 0, 1), math.Pi/4)}, 0, 0},
		"a post":         {shape.Cylinder{Radius: 0.05, Half: 0.5}, at(0.35, 0, 0.5), 0, 0},
		"a wall of mesh": {boxMesh(t, r3.V(0.1, 2, 0.5)), at(0.35, 0, 0.5), 0, 0},
		"a ramp": {shape.Box{Half: r3.V(1, 2, 0.2)},
			r3.Pose{Pos: r3.V(0.25, 0, 0).Add(ramp.Rotate(r3.V(1, 0, -0.2))), Rot: ramp}, 0.02, 0},
	}
	for name, o := range obstacles {
		for floor, lay := range map[string]func(s *scene){
			"tiles": func(s *scene) { s.tiled(true, 0, boxTile) }, "ground": func(s *scene) { s.ground() },
			"mesh": func(s *scene) { s.fixed(shapetest.FloorMesh(s, 4, tile), r3.Pose{}) },
		} {
			for _, sh := range []shape.Convex{shape.Box{Half: r3.V(0.1, 0.07, 0.05)},
				shape.Sphere{Radius: 0.05}, shape.Cylinder{Radius: 0.08, Half: 0.05}} {
				s := newScene(t, 0, earth())
				lay(s)
				s.fixed(o.sh, o.p)
				p := at(-0.3, 0.01, -sh.Bounds(r3.Pose{Rot: r3.Identity()}).Min.Z)
				b := s.body(sh, 1, p, 0)
				s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0)}))
				ahead, up := 0.0, 0.0
				for range 200 {
					s.stepChecked(0.004, 1)
					q := s.Body(b).Pose().Pos
					ahead, up = max(ahead, q.X), max(up, q.Z-p.Pos.Z)
					if low := q.Z + sh.Bounds(r3.Pose{Rot: s.Body(b).Pose().Rot}).Min.Z; low < -0.004 {
						t.Fatalf("%v before %s on %s: it is %v m in the floor", sh.Kind(), name, floor, -low)
					}
				}
				switch {
				case o.climb > 0 && (up < o.climb || s.Body(b).Twist().Linear.X > 0.99):
					t.Errorf("%v before %s on %s: goes up %v m, its speed is %v", sh.Kind(), name, floor, up,
						s.Body(b).Twist().Linear)
				case o.roll > 0 && sh.Kind() == shape.KindSphere:
					if v := s.Body(b).Twist().Linear.X; up < o.roll || v > 0.95 {
						t.Errorf("sphere before %s on %s: rolls up %v m, its speed is %v m/s", name, floor,
							up, v)
					}
				case o.climb == 0 && sh.Kind() == shape.KindSphere &&
					(ahead > 0.26 || s.Body(b).Twist().Linear.X > 0.05):
					t.Errorf("sphere before %s on %s: comes to x = %v m, its speed is %v", name, floor, ahead,
						s.Body(b).Twist().Linear)
				case o.climb == 0 && ahead > 0.31:
					t.Errorf("%v before %s on %s: comes to x = %v and up %v m", sh.Kind(), name, floor, ahead,
						up)
				}
			}
		}
	}
}

// TestARobotSlidesAlongAWallOfBoxes: a force of 20 N presses a body of 5 kg against a wall of many boxes, as
// maps and bundles have them. Without friction it keeps 1 m/s along the wall, on the floor beside it, as
// along one long box.
func TestARobotSlidesAlongAWallOfBoxes(t *testing.T) {
	walls := map[string]func(s *scene){
		"one box": func(s *scene) { s.fixed(shape.Box{Half: r3.V(3, 0.1, 0.5)}, at(0, 0.1, 0.5)) },
		"cells of a map": func(s *scene) {
			b := must[BodyID](s)(s.AddBody(BodyDef{}))
			for i := range 60 {
				s.geom(b, shape.Box{Half: r3.V(0.05, 0.05, 0.5)}, at(-3+0.1*float64(i)+0.05, 0.05, 0.5))
			}
		},
		"stones": func(s *scene) {
			for row := range 4 {
				for i := range 14 {
					s.fixed(shape.Box{Half: r3.V(0.2, 0.1, 0.1)},
						at(-3+0.4*float64(i)+0.2*float64(row&1), 0.1, 0.1+0.2*float64(row)))
				}
			}
		},
	}
	for name, wall := range walls {
		for _, sh := range []shape.Convex{shape.Box{Half: r3.V(0.15, 0.1, 0.15)},
			shape.Cylinder{Radius: 0.15, Half: 0.1}, shape.Sphere{Radius: 0.1}} {
			s := newScene(t, 0, earth())
			wall(s)
			s.tiled(true, 0, boxTile)
			low := sh.Bounds(r3.Pose{Rot: r3.Identity()}).Min
			b := s.body(sh, 5, at(-1.5, low.Y-1e-3, -low.Z), 0)
			s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0)}))
			for range 600 {
				s.check(s.Body(b).ApplyWrench(r3.V(0, 20, 0), r3.Vec{}, s.Body(b).COM()))
				s.stepChecked(0.004, 1)
			}
			v, q := s.Body(b).Twist().Linear, s.Body(b).Pose().Pos
			if math.Abs(v.X-1) > 2e-3 || math.Abs(v.Y) > 2e-3 || math.Abs(v.Z) > 2e-3 ||
				math.Abs(q.Y-low.Y) > 1e-3 || math.Abs(q.Z+low.Z) > 1e-3 {
				t.Errorf("%v along %s: speed %v at %v", sh.Kind(), name, v, q)
			}
		}
	}
}

// TestNothingFallsThroughASlit: small balls, rods and boxes cross slits narrower than 0.2 mm at 20 mm/s and
// sink by less than 0.1 mm. The two tiles count as one surface.
func TestNothingFallsThroughASlit(t *testing.T) {
	for _, slit := range []float64{1e-5, 1e-4, 1.9e-4} {
		for _, sh := range []shape.Convex{shape.Sphere{Radius: 0.004},
			shape.Cylinder{Radius: 0.005, Half: 0.02}, shape.Box{Half: r3.V(0.01, 0.01, 0.01)}} {
			s := newScene(t, 0.5, earth())
			for i := range 2 {
				s.fixed(boxTile(0, 0), at((tile+slit)*(float64(i)-0.5), 0, -0.1))
			}
			p := r3.Pose{Pos: r3.V(-0.004, 0, 0), Rot: r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2)}
			p.Pos.Z = -sh.Bounds(p).Min.Z
			b := s.body(sh, 0.01, p, 0)
			s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(0.02, 0, 0), Angular: r3.V(0, 0.02/p.Pos.Z, 0)}))
			for range 250 {
				s.stepChecked(0.004, 1)
				if sunk := p.Pos.Z - s.Body(b).Pose().Pos.Z; sunk > 1e-4 {
					t.Errorf("%v over a slit of %v m: has sunk by %v m at x = %v", sh.Kind(), slit, sunk,
						s.Body(b).Pose().Pos.X)
					break
				}
			}
		}
	}
}

// TestInternalEdgesFollowTheirTiles: the adjacency of two tiles ends when one of them moves away and returns
// with it. Copies and restored worlds have the same internal edges and go on bit for bit.
func TestInternalEdgesFollowTheirTiles(t *testing.T) {
	s := newScene(t, 0, earth())
	first, second := s.fixed(boxTile(0, 0), at(0, 0, -0.1)), s.fixed(boxTile(0, 0), at(tile, 0, -0.1))
	b := s.body(shape.Sphere{Radius: 0.05}, 1, at(0.1, 0, 0.05), 0)
	beside := func() int {
		s.stepChecked(0.004, 1)
		return len(s.geoms.adjacency.keys)
	}
	if n := beside(); n != 2 {
		t.Fatalf("%d neighbours of two tiles", n)
	}
	s.check(s.Body(second).SetPose(at(2*tile, 0, -0.1)))
	if n := beside(); n != 0 {
		t.Fatalf("%d neighbours of a tile whose neighbour has been moved away", n)
	}
	s.check(s.Body(second).SetPose(at(tile, 0, -0.1)))
	state := s.AppendState(nil)
	other := must[*World](t)(New(s.cfg))
	other.CopyFrom(s.World)
	s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0)}))
	s.stepChecked(0.004, 60)
	if v := s.Body(b).Twist().Linear; math.Abs(v.X-1) > 1e-3 {
		t.Errorf("the ball has been caught: %v", v)
	}
	after := s.Hash()
	s.check(s.RestoreState(state))
	for _, w := range []*World{s.World, other} {
		s.check(w.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0)}))
		for range 60 {
			s.check(w.Step(0.004))
		}
		if w.Hash() != after {
			t.Error("a copy or what was restored went another way")
		}
	}
	s.check(s.RemoveBody(first))
	if n := beside(); n != 0 {
		t.Fatalf("%d neighbours of a tile whose neighbour is gone", n)
	}
}
