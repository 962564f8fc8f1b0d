package collide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// groundPair is a convex shape near a mesh or a heightfield.
type groundPair struct {
	a         shape.Convex
	pa        r3.Pose
	b         shape.Surface
	pb        r3.Pose
	triangles int
	size      float64 // m, of the shape
}

// randomGroundPair puts a shape at a gap, in m, from a point of a triangle along the triangle's normal.
func randomGroundPair(r *rand.Rand, b shape.Surface, triangles int, kind shape.Kind, size,
	gap float64) groundPair {
	g := groundPair{a: randomShape(r, kind, size), pa: randomPose(r, 0), b: b, pb: randomPose(r, 10*size),
		triangles: triangles, size: size}
	t := int32(r.IntN(triangles))
	p, q, v := b.Triangle(t)
	n := b.Normal(t)
	x, y := r.Float64(), r.Float64()
	if x+y > 1 {
		x, y = 1-x, 1-y
	}
	if r.IntN(3) == 0 {
		y = 0 // on an edge
	}
	spot := p.AddScaled(x, q.Sub(p)).AddScaled(y, v.Sub(p))
	if r.IntN(2) == 0 { // a face of the shape lies flat
		axis := r3.Vec{}.With(r.IntN(3), 1)
		g.pa.Rot = r3.Between(axis, n).Mul(r3.AxisAngle(axis, 7*r.Float64()))
	}
	low := g.pa.Apply(g.a.Support(g.pa.Rot.RotateBack(n.Neg())))
	g.pa.Pos = spot.AddScaled(gap, n).Sub(low)
	g.pa = g.pb.Mul(g.pa)
	return g
}

// distanceByGJK is the distance, in m, by GJK on every triangle: no tree, no internal edges, no choice of
// points.
func (g *groundPair) distanceByGJK() float64 {
	d := math.Inf(1)
	proxy, rel := shape.ProxyOf(g.a, 0), g.pb.Relative(g.pa)
	for t := range int32(g.triangles) {
		tri := shape.TriangleProxy(g.b.Triangle(t))
		d = min(d, shape.Between(&tri, &proxy, rel).Distance)
	}
	return d
}

// distanceByFeatures is the distance, in m, between vertices and faces, and edges and edges. All segments and
// triangles between vertices lie within a convex shape: none needs to be known as an edge or a face. It is
// not for cylinders, nor for overlaps.
func (g *groundPair) distanceByFeatures() float64 {
	rel := g.pb.Relative(g.pa)
	corners, radius := cornersOf(g.a)
	for i := range corners {
		corners[i] = rel.Apply(corners[i])
	}
	near := g.a.Bounds(rel).Grow(0.05)
	d := math.Inf(1)
	for t := range int32(g.triangles) {
		p, q, v := g.b.Triangle(t)
		if !near.Overlaps(r3.Box{Min: p.Min(q).Min(v), Max: p.Max(q).Max(v)}) {
			continue
		}
		tri := [3]r3.Vec{p, q, v}
		for i, a := range corners {
			d = min(d, toTriangle(a, tri))
			for k, b := range corners[:i] {
				for e := range 3 {
					d = min(d, betweenSegments(a, b, tri[e], tri[(e+1)%3]))
				}
				for _, c := range corners[:k] {
					for _, x := range tri {
						d = min(d, toTriangle(x, [3]r3.Vec{a, b, c}))
					}
				}
			}
		}
	}
	return d - radius
}

// cornersOf are the vertices whose convex hull, grown by radius, is the shape.
func cornersOf(c shape.Convex) (corners []r3.Vec, radius float64) {
	switch s := c.(type) {
	case shape.Sphere:
		return []r3.Vec{{}}, s.Radius
	case shape.Capsule:
		return []r3.Vec{{Z: s.Half}, {Z: -s.Half}}, s.Radius
	case shape.Box:
		for i := range 8 {
			corners = append(corners, boxVertex(s.Half, i))
		}
	case *shape.Hull:
		corners = append(corners, s.Vertices()...)
	}
	return corners, 0
}

// toTriangle is the distance of x from a triangle.
func toTriangle(x r3.Vec, t [3]r3.Vec) float64 {
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	d := math.Inf(1)
	inside := n.Len2() > 0
	for k := range 3 {
		p, q := t[k], t[(k+1)%3]
		d = min(d, betweenSegments(x, x, p, q))
		inside = inside && q.Sub(p).Cross(x.Sub(p)).Dot(n) >= 0
	}
	if inside {
		return math.Abs(x.Sub(t[0]).Dot(n)) / n.Len()
	}
	return d
}

// betweenSegments is the distance of two segments: at the lines' closest points where both lie within, or at
// an end.
func betweenSegments(a, b, p, q r3.Vec) float64 {
	to := func(x, p, q r3.Vec) float64 {
		e := q.Sub(p)
		k := 0.0
		if l := e.Len2(); l > 0 {
			k = max(0, min(1, x.Sub(p).Dot(e)/l))
		}
		return x.Dist(p.AddScaled(k, e))
	}
	d := min(to(a, p, q), to(b, p, q), to(p, a, b), to(q, a, b))
	u, v, w := b.Sub(a), q.Sub(p), a.Sub(p)
	uu, uv, vv := u.Len2(), u.Dot(v), v.Len2()
	det := uu*vv - uv*uv
	if det <= 1e-12*uu*vv {
		return d
	}
	x, y := (uv*v.Dot(w)-vv*u.Dot(w))/det, (uu*v.Dot(w)-uv*u.Dot(w))/det
	if x > 0 && x < 1 && y > 0 && y < 1 {
		d = min(d, w.AddScaled(x, u).AddScaled(-y, v).Len())
	}
	return d
}

// tolerance is the largest error of the deepest point, m, as for convex pairs: see pair.tolerance.
func (g *groundPair) tolerance(truth float64) float64 {
	off := 2e-6 + 1e-8*g.size // an internal edge may hide as much, see edgeManifoldTolerance
	switch g.a.Kind() {
	case shape.KindCapsule:
		off += ClosestPointTolerance
	case shape.KindBox:
		off += DepthTolerance + (math.Sqrt(3)-1)*MaxRounding
	case shape.KindCylinder:
		off += DepthTolerance + (math.Sqrt(3)-1)*MaxRounding + 2.2e-3*g.size
	case shape.KindHull:
		off += DepthTolerance + (1/FaceCosine-1)*truth
	}
	return off
}

// check compares the contact of a shape that does not touch the ground with its distance. It reports whether
// there was one to check: a shape that may pass for further away than the margin need not have a contact.
func (g *groundPair) check(t testing.TB, name string, closely bool, slack float64) bool {
	t.Helper()
	truth := g.distanceByGJK()
	if truth <= 1e-9*g.size || truth+g.tolerance(truth) > 0.999*margin {
		return false
	}
	if closely && g.a.Kind() != shape.KindCylinder {
		if d := g.distanceByFeatures(); math.Abs(d-truth) > 1e-7*(1+g.size) {
			t.Fatalf("%s: the oracles say %v and %v", name, truth, d)
		}
	}
	if d := query(g.a, g.pa, g.b, g.pb).MinGap(); math.Abs(d-truth) > g.tolerance(truth)+slack {
		t.Errorf("%s: %v m apart, its deepest point says %v", name, truth, d)
	}
	return true
}

// grounds are surfaces of 800 triangles.
func grounds(t testing.TB) map[string]shape.Surface {
	hills := shapetest.Terrain(t, 21, 8, shapetest.Hilly)
	steep := shapetest.Terrain(t, 21, 8, func(x, y float64) float64 { return 4 * shapetest.Hilly(x, y) })
	return map[string]shape.Surface{
		"hills": hills, "their mesh": shapetest.TerrainMesh(t, hills), "steep hills": steep,
		"their steep mesh": shapetest.TerrainMesh(t, steep), "floor": shapetest.FloorMesh(t, 10, 0.4),
	}
}

// TestContactsWithSurfacesAgreeWithTheDistance compares contacts near meshes and heightfields with two
// distance oracles: rods across ridges, boxes across valleys, slopes that face away.
func TestContactsWithSurfacesAgreeWithTheDistance(t *testing.T) {
	all := grounds(t)
	for _, name := range []string{"hills", "their mesh", "steep hills", "their steep mesh", "floor"} {
		for kind := shape.KindSphere; kind <= shape.KindHull; kind++ {
			seen := 0
			for k := range 120 {
				r := rand.New(rand.NewPCG(uint64(k), uint64(kind)))
				gap := []float64{8e-3, 1e-3, 1e-6}[k%3]
				g := randomGroundPair(r, all[name], 800, kind, []float64{0.3, 0.05, 1}[k/3%3], gap)
				if g.check(t, fmt.Sprintf("%v on %s, case %d", kind, name, k), k%8 == 0, 0) {
					seen++
				}
			}
			if seen < 40 {
				t.Errorf("%v on %s: only %d seen", kind, name, seen)
			}
		}
	}
}

// ridgeSlack is the error of the deepest point of a long rod across several ridges, m. The narrow phase finds
// one of them, not always the highest.
const ridgeSlack = 5e-4

// FuzzSurface does the same for any shape anywhere on any of the grounds, within ridgeSlack.
func FuzzSurface(f *testing.F) {
	all := grounds(f)
	names := []string{"hills", "their mesh", "steep hills", "their steep mesh", "floor"}
	for i := range uint64(30) {
		f.Add(i, uint8(i%5), uint8(i/5), 0.3, 1e-3)
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind, ground uint8, size, gap float64) {
		if !(size > 0.01 && size < 2) || !(gap > 0 && gap < margin) {
			return
		}
		name := names[int(ground)%len(names)]
		g := randomGroundPair(rand.New(rand.NewPCG(seed, 5)), all[name], 800, shape.Kind(kind%5), size, gap)
		g.check(t, fmt.Sprintf("%v of %v m on %s, seed %d, gap %v", g.a.Kind(), size, name, seed, gap), false,
			ridgeSlack)
	})
}

// meshOf is a mesh of these triangles.
func meshOf(t *testing.T, points []r3.Vec, triangles ...[3]int32) *shape.Mesh {
	t.Helper()
	mesh, err := shape.NewMesh(points, triangles)
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

// TestABodyAcrossAnEdgeIsHeldByItsBack: the edge of a wall is a millimetre in the bottom
// of a leaning box, whose middle is behind the wall. The box reaches beyond the wall, and less than half a
// centimetre is pushed back.
func TestABodyAcrossAnEdgeIsHeldByItsBack(t *testing.T) {
	const half, depth, lean = 0.05, 0.001, 0.3
	sin, cos := math.Sincos(lean)
	wall := meshOf(t, []r3.Vec{{Y: -1}, {Y: 1}, {Y: 1, Z: -1}, {Y: -1, Z: -1}}, [3]int32{0, 2, 1},
		[3]int32{0, 3, 2})
	for beyond, held := range map[float64]bool{0.001: true, 0.003: true, 0.01: false, 0.02: false} {
		corner := r3.V(beyond, 0, -(depth+sin*beyond)/cos)
		pose := r3.Pose{Pos: corner.Add(r3.V(half*(sin-cos), 0, half*(sin+cos))),
			Rot: r3.AxisAngle(r3.V(0, 1, 0), lean)}
		q := query(shape.BoxOf(r3.V(2*half, 2*half, 2*half)), pose, wall, at(0, 0, 0))
		if got := len(q.Manifolds()) > 0; got != held {
			t.Errorf("reaches %v m beyond the wall: held %v, want %v", beyond, got, held)
		}
	}
}

// TestAPointNearTheTipOfATriangleComesToItsEdges: the edges meet at 60°, and the way to one of them leaves
// the other. A quarter of the rounding is left after two ways, half of it after one.
func TestAPointNearTheTipOfATriangleComesToItsEdges(t *testing.T) {
	box := NewGeometry(shape.BoxOf(r3.V(0.2, 0.2, 0.2)))
	radius := box.roundingRadius()
	tip, up := r3.Vec{}, r3.V(0, 0, 1)
	left, right := r3.V(-0.5*math.Sqrt(3), 0.5, 0), r3.V(0.5*math.Sqrt(3), 0.5, 0) // out of its edges
	surface, err := shape.NewMesh([]r3.Vec{tip, {X: -0.5, Y: -0.5 * math.Sqrt(3)},
		{X: 0.5, Y: -0.5 * math.Sqrt(3)}}, [][3]int32{{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	q := Query{mesh: meshQuery{surface: surface, middle: up}}
	q.edges.other = Instance{Geometry: &box}
	along, _ := left.Add(right).Add(up).Unit()
	x := q.unroundOnTriangle(0, left.Add(right).Scale(2*radius), along)
	for _, out := range []r3.Vec{left, right} {
		if off := math.Abs(out.Dot(x)) / radius; off > 0.35 {
			t.Errorf("the point is %v of the rounding beside an edge", off)
		}
	}
}

// funnel is a mesh whose sides rise around its lowest point, as many as there are.
func funnel(t *testing.T, sides int) *shape.Mesh {
	points, faces := []r3.Vec{{}}, [][3]int32{}
	for k := range sides {
		turn := 2 * math.Pi * float64(k) / float64(sides)
		points = append(points, r3.V(math.Cos(turn), math.Sin(turn), 1))
		faces = append(faces, [3]int32{0, int32(k + 1), int32((k+1)%sides + 1)})
	}
	mesh, err := shape.NewMesh(points, faces)
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

// TestABallInAFunnelTouchesFourOfItsSides: or all of them where there are fewer.
func TestABallInAFunnelTouchesFourOfItsSides(t *testing.T) {
	for sides, want := range map[int]int{3: 3, 4: 4, 7: 4} {
		steep := math.Atan(1 / math.Cos(math.Pi/float64(sides))) // of a side
		ball := shape.Sphere{Radius: 0.2}
		q := query(ball, at(0, 0, (ball.Radius+0.001)/math.Cos(steep)), funnel(t, sides), at(0, 0, 0))
		if got := len(q.Manifolds()); got != want {
			t.Errorf("in a funnel of %d sides it touches %d, want %d", sides, got, want)
		}
	}
}
