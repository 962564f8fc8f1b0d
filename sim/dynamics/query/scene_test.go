package query

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// placed is a shape at a pose, for tests that compute each answer a second way.
type placed struct {
	shape       shape.Shape
	pose        r3.Pose
	body, group int32
}

func (p placed) geom(intensity float64) Geom {
	axes, bounds := p.pose.Rot.Mat(), r3.Box{}
	if p.shape.Kind() != shape.KindPlane {
		bounds = p.shape.Bounds(p.pose)
	}
	return NewGeom(p.shape, p.pose.Pos, &axes, &bounds, p.body, p.group, intensity)
}

func randomPose(r *rand.Rand, size float64) r3.Pose {
	return r3.PoseRPY(size*r.NormFloat64(), size*r.NormFloat64(), size*r.NormFloat64(), r.NormFloat64(),
		r.NormFloat64(), r.NormFloat64())
}

// randomShapes is n shapes of every kind, of bodies and groups in turn.
func randomShapes(r *rand.Rand, n int) []placed {
	out := make([]placed, n)
	for i := range out {
		var s shape.Shape
		switch i % 4 {
		case 0:
			s = shape.Sphere{Radius: 0.1 + r.Float64()}
		case 1:
			s = shape.BoxOf(r3.V(0.1+r.Float64(), 0.1+r.Float64(), 0.1+r.Float64()))
		case 2:
			s = shape.Cylinder{Radius: 0.1 + r.Float64(), Half: 0.1 + r.Float64()}
		default:
			s = shape.Capsule{Radius: 0.1 + r.Float64(), Half: 0.1 + r.Float64()}
		}
		out[i] = placed{s, randomPose(r, 6), int32(i / 2), int32(i % 5)}
		if i%3 == 0 {
			out[i].pose.Rot = r3.Identity() // boxes along the axes have a path of their own
		}
	}
	return out
}

// sceneOf makes a scene of which the first half is static, the second one moving. Intensities are the
// indices.
func sceneOf(shapes []placed) *Scene {
	var static []Geom
	half := len(shapes) / 2
	for i, p := range shapes[:half] {
		static = append(static, p.geom(float64(i)))
	}
	s := &Scene{}
	s.Reset(NewStaticGeoms(static), len(shapes)-half)
	for i, p := range shapes[half:] {
		s.Add(p.geom(float64(half + i)))
	}
	return s
}

// castEach casts one ray against each shape in turn: the oracle.
func castEach(shapes []placed, origin, dir r3.Vec, limit float64, skip Skip) (best float64, met int) {
	best, met = math.Inf(1), -1
	unit, _ := dir.Unit()
	for i, p := range shapes {
		if p.body == skip.Body || skip.Group != 0 && p.group == skip.Group {
			continue
		}
		if h, ok := p.shape.CastRay(r3.Ray{Origin: origin, Dir: unit}.Into(p.pose), limit); ok && h.T < best {
			best, met = h.T, i
		}
	}
	return best, met
}

func TestAPacketMeetsTheNearestOfAllShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	hits := 0
	for round := range 60 {
		shapes := randomShapes(r, 40)
		if round%2 == 0 {
			shapes[0] = placed{shape: shape.Plane{}, pose: r3.PoseRPY(0, 0, -8, 0.1, 0, 0), body: 90}
		}
		s := sceneOf(shapes)
		origin := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		spread := []float64{0, 0.05, 0.5, 5}[round%4] // the last has no frustum
		axis := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		dirs := make([]r3.Vec, 50)
		for i := range dirs {
			dirs[i] = axis.AddScaled(spread, r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()))
		}
		skip := Skip{Body: int32(r.IntN(20)) - 1, Group: int32(r.IntN(3))}
		distances, intensities := make([]float64, len(dirs)), make([]float64, len(dirs))
		s.CastPacket(origin, dirs, 30, skip, distances, intensities)
		for i, d := range dirs {
			want, met := castEach(shapes, origin, d, 30, skip)
			if math.IsInf(want, 1) != math.IsInf(distances[i], 1) || met >= 0 &&
				math.Abs(distances[i]-want) > 1e-9 {
				t.Fatalf("round %d, ray %d: %v m, each shape alone %v m", round, i, distances[i], want)
			}
			if met >= 0 && want > 0 && intensities[i] != float64(met) || met < 0 && intensities[i] != 0 {
				t.Fatalf("round %d, ray %d: intensity %v of shape %d", round, i, intensities[i], met)
			}
			if met >= 0 {
				hits++
			}
		}
	}
	if hits < 500 {
		t.Errorf("only %d hits", hits)
	}
}

func TestASceneIsBuiltAnewInItsOwnMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	shapes := randomShapes(r, 60)
	geoms := make([]Geom, len(shapes))
	for i, p := range shapes {
		geoms[i] = p.geom(1)
	}
	static := NewStaticGeoms(geoms[:20])
	s := &Scene{}
	dirs, distances := []r3.Vec{r3.V(1, 0, 0), r3.V(1, 0.1, 0)}, make([]float64, 2)
	take := func() {
		s.Reset(static, 40)
		for i := range geoms[20:] {
			s.Add(geoms[20+i])
		}
		s.CastPacket(r3.Vec{}, dirs, 50, Skip{Body: -1}, distances, nil)
	}
	take()
	take() // both buffers of the hierarchy have their size
	if n := testing.AllocsPerRun(10, take); n > 1 {
		t.Errorf("%v allocations for a scene in the memory of another", n)
	}
}

// TestTheClosestPointOfAHeightfieldIsTheLeastOfItsTriangles compares the search in growing boxes with all
// triangles.
func TestTheClosestPointOfAHeightfieldIsTheLeastOfItsTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	heights := make([]float32, 400)
	for i := range heights {
		heights[i] = 0.3 * r.Float32()
	}
	f, err := shape.NewField(20, 20, 4, 4, heights)
	if err != nil {
		t.Fatal(err)
	}
	pose := randomPose(r, 1)
	ball := shape.ProxyOf(shape.Sphere{}, 0)
	for range 200 {
		local := r3.V(1.5*r.NormFloat64(), 1.5*r.NormFloat64(), r.NormFloat64())
		want := math.Inf(1)
		shape.QuerySurface(f, r3.BoxAround(r3.Vec{}, r3.V(100, 100, 100)), func(tri int32) bool {
			p := shape.TriangleProxy(f.Triangle(tri))
			want = min(want, shape.Between(&p, &ball, r3.Pose{Pos: local, Rot: r3.Identity()}).Distance)
			return true
		})
		point := pose.Apply(local)
		c, ok := Closest(f, pose, point, 20)
		if !ok || math.Abs(math.Abs(c.Distance)-want) > 1e-9 {
			t.Fatalf("%v m from %v, the triangles alone have %v", c.Distance, local, want)
		}
		if back := point.AddScaled(-c.Distance, c.Normal); back.Dist(c.Point) > 1e-6 {
			t.Fatalf("point %v, along the normal %v", c.Point, back)
		}
		if _, height, over := f.Over(local); over && math.Abs(height) > 1e-9 &&
			(height < 0) != (c.Distance < 0) {
			t.Fatalf("%v m at %v m above the surface", c.Distance, height)
		}
		if c, ok := Closest(f, pose, point, 0.9*want); ok {
			t.Fatalf("found %v m within %v m", c.Distance, 0.9*want)
		}
	}
}

// TestAPacketIsCulledByAPyramidUpToASeventyFifthDegree: rays that spread by a half angle of 71° pass by
// a box behind them. With 80° the pyramid would cull next to nothing, and all that is near is looked at.
func TestAPacketIsCulledByAPyramidUpToASeventyFifthDegree(t *testing.T) {
	for tangent, want := range map[float64]bool{3: true, 5.7: false} {
		var p rayPacket
		p.limit = math.Inf(1)
		p.buildFrustum([]r3.Vec{{X: 1, Y: tangent}, {X: 1, Y: -tangent}, {X: 1, Z: 1}, {X: 1, Z: -1}})
		if culled := !p.overlaps(r3.V(-5, 0, 0), r3.V(1, 1, 1)); culled != want {
			t.Errorf("a spread of %v: a box behind the rays is culled %v, want %v", tangent, culled, want)
		}
		if !p.overlaps(r3.V(5, 0, 0), r3.V(1, 1, 1)) {
			t.Errorf("a spread of %v: a box among the rays is culled", tangent)
		}
	}
}

// TestAFrustumIsTwoNanometresWiderThanItsRays: at a metre, so that rounding culls nothing that a ray grazes.
func TestAFrustumIsTwoNanometresWiderThanItsRays(t *testing.T) {
	p := rayPacket{limit: 10}
	p.buildFrustum([]r3.Vec{{Z: 1}})
	u, v := r3.V(0, 0, 1).Basis()
	for _, side := range []r3.Vec{u, u.Neg(), v, v.Neg()} {
		for off, kept := range map[float64]bool{1.4e-9: true, 2.8e-9: false} {
			if got := p.overlaps(r3.V(0, 0, 1).AddScaled(off, side), r3.Vec{}); got != kept {
				t.Errorf("%v m beside the ray along %v: kept %v, want %v", off, side, got, kept)
			}
		}
	}
}
