package shape

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// hills is a terrain of noise over waves.
func hills(t testing.TB, r *rand.Rand, columns, rows int, x, y float64) *Field {
	t.Helper()
	h := make([]float32, columns*rows)
	for i := range h {
		u, v := float64(i%columns)/float64(columns-1)*x, float64(i/columns)/float64(rows-1)*y
		h[i] = float32(math.Sin(2*u)*math.Cos(v) + 0.1*r.Float64())
	}
	f, err := NewField(columns, rows, x, y, h)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// meshOf is the mesh of the same triangles, and where in it each triangle of the field has gone.
func meshOf(t testing.TB, f *Field) (*Mesh, map[[3]r3.Vec]int32) {
	t.Helper()
	columns, rows := f.Points()
	var vertices []r3.Vec
	for i := range columns * rows {
		vertices = append(vertices, f.point(int32(i%columns), int32(i/columns)))
	}
	var triangles [][3]int32
	for tri := range int32(2 * (columns - 1) * (rows - 1)) {
		i, j, upper := f.place(tri)
		a := j*int32(columns) + i
		if c := a + int32(columns) + 1; upper {
			triangles = append(triangles, [3]int32{a, c, c - 1})
		} else {
			triangles = append(triangles, [3]int32{a, a + 1, c})
		}
	}
	m, err := NewMesh(vertices, triangles)
	if err != nil {
		t.Fatal(err)
	}
	where := map[[3]r3.Vec]int32{}
	for i := range int32(len(m.Triangles())) {
		a, b, c := m.Triangle(i)
		where[[3]r3.Vec{a, b, c}] = i
	}
	return m, where
}

func TestAHeightfieldIsTheMeshOfItsTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	for _, size := range [][2]int{{2, 2}, {5, 5}, {6, 17}, {40, 3}, {23, 31}} {
		f := hills(t, r, size[0], size[1], 7, 5)
		m, where := meshOf(t, f)
		if b := m.bounds; b != f.Bounds(r3.IdentityPose()) {
			t.Fatalf("%v: bounds %v, the mesh's are %v", size, f.bounds, b)
		}
		for tri := range int32(2 * (size[0] - 1) * (size[1] - 1)) {
			a, b, c := f.Triangle(tri)
			at, ok := where[[3]r3.Vec{a, b, c}]
			if !ok || f.Normal(tri) != m.Normal(at) {
				t.Fatalf("%v: triangle %d is not in the mesh (%v)", size, tri, ok)
			}
			for k := range 3 {
				if f.Edge(tri, k) != m.Edge(at, k) {
					t.Fatalf("%v: edge %d of triangle %d is %d, in the mesh %d", size, k, tri, f.Edge(tri, k),
						m.Edge(at, k))
				}
			}
		}
		checkQueries(t, r, f, m, where)
	}
}

// checkQueries: a box finds what it finds in the mesh, in ascending order.
func checkQueries(t *testing.T, r *rand.Rand, f *Field, m *Mesh, where map[[3]r3.Vec]int32) {
	t.Helper()
	for range 300 {
		b := r3.BoxAround(randomVec(r, 4), randomVec(r, 1).Abs())
		found := map[int32]bool{}
		last := int32(-1)
		f.Query(b, func(tri int32) bool {
			if tri <= last {
				t.Fatalf("%v: triangle %d after %d", b, tri, last)
			}
			last = tri
			x, y, z := f.Triangle(tri)
			found[where[[3]r3.Vec{x, y, z}]] = true
			return true
		})
		m.Query(b, func(tri int32) bool {
			if !found[tri] {
				t.Fatalf("%v: the field misses triangle %d", b, tri)
			}
			delete(found, tri)
			return true
		})
		if len(found) > 0 {
			t.Fatalf("%v: %d triangles that the mesh has not found", b, len(found))
		}
		n := 0
		f.Query(b, func(int32) bool { n++; return false })
		if n > 1 {
			t.Fatal("a query went on after it was told to stop")
		}
	}
}

func TestRaysMeetAHeightfieldWhereTheyMeetItsMesh(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 2))
	hits := 0
	for _, size := range [][2]int{{2, 2}, {3, 9}, {33, 20}, {70, 64}} {
		f := hills(t, r, size[0], size[1], 9, 8)
		m, _ := meshOf(t, f)
		for i := range 6000 {
			ray := r3.Ray{Origin: randomVec(r, 6), Dir: randomDir(r).Scale(0.5 + r.Float64())}
			switch i % 8 {
			case 0:
				ray.Dir = r3.V(0, 0, -1)
			case 1:
				ray.Dir.X = 0
			case 2:
				ray.Dir.Z *= 0.05
			}
			limit := 20 * r.Float64()
			got, ok := f.CastRay(ray, limit)
			want, wantOK := m.CastRay(ray, limit)
			if ok != wantOK && math.Abs(want.T-limit) > 1e-9 || ok && math.Abs(got.T-want.T) > 1e-9 {
				t.Fatalf("%v: ray %+v up to %v: %v at %v, the mesh says %v at %v", size, ray, limit, ok,
					got.T, wantOK, want.T)
			}
			if !ok {
				continue
			}
			hits++
			if got.Normal.Dist(want.Normal) > 1e-12 && f.border(ray.At(got.T)) > 1e-9 {
				t.Fatalf("%v: normal %v, the mesh's is %v", size, got.Normal, want.Normal)
			}
			if got.Normal.Dot(ray.Dir) > 0 || f.Normal(got.Part) != got.Normal &&
				f.Normal(got.Part) != got.Normal.Neg() {
				t.Fatalf("%v: normal %v of triangle %d along the ray", size, got.Normal, got.Part)
			}
		}
	}
	if hits < 2000 {
		t.Errorf("only %d rays met anything", hits)
	}
}

// border is the distance of a point from a triangle's edge, in cells.
func (f *Field) border(p r3.Vec) float64 {
	u, v := (p.X-f.corner.X)/f.cell.X, (p.Y-f.corner.Y)/f.cell.Y
	u, v = u-math.Floor(u), v-math.Floor(v)
	return min(u, 1-u, v, 1-v, math.Abs(u-v))
}

// TestNoRaySlipsThroughAHeightfield aims at corners and edges of the grid.
func TestNoRaySlipsThroughAHeightfield(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 3))
	f := hills(t, r, 40, 37, 11, 7)
	for range 40000 {
		i, j := 1+r.Int32N(38), 1+r.Int32N(35)
		p := f.point(i, j)
		if r.IntN(2) == 0 {
			p = p.Lerp(f.point(i+r.Int32N(2), j+r.Int32N(2)), r.Float64())
		}
		from := r3.V(4*r.Float64()-2, 4*r.Float64()-2, 30+r.Float64()) // steeper than the hills
		hit, ok := f.CastRay(r3.Ray{Origin: from, Dir: p.Sub(from)}, 1.5)
		if !ok || hit.T > 1+1e-6 {
			t.Fatalf("the ray from %v through %v slipped through (%v at %v)", from, p, ok, hit.T)
		}
	}
}

func TestWhatIsUnderAHeightfieldOverlapsIt(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 4))
	f := hills(t, r, 30, 30, 6, 6)
	for range 400 {
		for _, s := range convexes(t, r) {
			p := randomPose(r, 2)
			b := s.Bounds(p)
			above := math.Inf(1) // the least height of the shape over the surface, over many of its points
			for range 2000 {
				v := p.Apply(s.Support(randomDir(r)))
				if _, h, ok := f.Over(v); ok && v.Z >= f.bounds.Min.Z {
					above = min(above, h)
				}
			}
			got := Overlap(s, p, f, r3.IdentityPose())
			if above < 0 && !got && b.Min.X > -3 && b.Max.X < 3 && b.Min.Y > -3 && b.Max.Y < 3 {
				t.Fatalf("%v at %v reaches %v into the ground and does not overlap", s.Kind(), p, -above)
			}
			if got && b.Min.Z > f.bounds.Max.Z {
				t.Fatalf("%v at %v overlaps what is below it", s.Kind(), p)
			}
		}
	}
	if Overlap(Sphere{0.1}, r3.Pose{Pos: r3.V(0, 0, -8), Rot: r3.Identity()}, f, r3.IdentityPose()) {
		t.Error("the ground does not end at its lowest point")
	}
}

func TestHeightsThatCannotBeAreRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, c := range map[string]struct {
		columns, rows int
		x, y          float64
		heights       []float32
	}{
		"one column":    {1, 4, 1, 1, make([]float32, 4)},
		"too few":       {2, 3, 1, 1, make([]float32, 5)},
		"none":          {2, 2, 1, 1, nil},
		"no size":       {2, 2, 0, 1, make([]float32, 4)},
		"size not one":  {2, 2, 1, math.NaN(), make([]float32, 4)},
		"not a number":  {2, 2, 1, 1, []float32{0, 0, nan, 0}},
		"endless":       {2, 2, 1, 1, []float32{0, inf, 0, 0}},
		"negative":      {-2, -2, 1, 1, make([]float32, 4)},
		"overflows int": {1 << 62, 4, 1, 1, make([]float32, 4)},
	} {
		if f, err := NewField(c.columns, c.rows, c.x, c.y, c.heights); !errors.Is(err, ErrShape) || f != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, f := range []*Field{nil, {}} {
		if err := f.Check(); !errors.Is(err, ErrShape) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	heights := make([]float32, 4)
	f, err := NewField(2, 2, 1, 1, heights)
	heights[0] = 9
	if err != nil || f.Check() != nil || f.heights[0] != 0 || f.Mass(1000) != (Mass{}) {
		t.Errorf("flat ground: %v, %v", f, err)
	}
}

// touchesEdge reports that a ray touches the edge of a ridge or of a valley where it hits. Moved by a
// micrometre along the normal, the ray hits there on one side and misses on the other. Then a hit and a miss
// are both right.
func touchesEdge(m *Mesh, ray r3.Ray, hit Hit, ok bool) bool {
	if !ok {
		return false
	}
	beside := func(shift float64) bool {
		h, ok := m.CastRay(r3.Ray{Origin: ray.Origin.AddScaled(shift, hit.Normal), Dir: ray.Dir}, 200)
		return ok && math.Abs(h.T-hit.T) < 1e-4
	}
	return beside(1e-6) != beside(-1e-6)
}

// FuzzRaysOnAHeightfield holds a field of arbitrary heights against its mesh.
func FuzzRaysOnAHeightfield(f *testing.F) {
	f.Add([]byte{0, 50, 200, 3, 90, 90, 7, 255, 0, 4, 80, 12}, 0.1, 0.2, 3.0, 0.3, -0.2, -1.0)
	f.Add([]byte{9, 9, 9, 9}, 0.0, 0.0, 1.0, 1.0, 0.0, -0.1)
	f.Add([]byte{0, 255, 0, 255, 0, 255}, -3.0, 0.25, 0.5, 1.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, heights []byte, ox, oy, oz, dx, dy, dz float64) {
		rows := len(heights) / 4
		if rows < 2 || rows > 40 {
			return
		}
		h := make([]float32, 4*rows)
		for i := range h {
			h[i] = float32(heights[i]) / 128
		}
		field, err := NewField(4, rows, 2, 3, h)
		if err != nil {
			t.Fatal(err)
		}
		o, d := r3.V(ox, oy, oz), r3.V(dx, dy, dz)
		dir, ok := d.Unit()
		if !ok || !(o.MaxAbs() < 50) {
			return
		}
		// A ray nearly parallel to an axis meets edges at places that rounding decides.
		if dir.Mul(dir).MaxAbs() > 0.99 || min(math.Abs(dir.X), math.Abs(dir.Y), math.Abs(dir.Z)) < 1e-3 {
			return
		}
		ray := r3.Ray{Origin: o, Dir: dir}
		mesh, _ := meshOf(t, field)
		got, ok := field.CastRay(ray, 200)
		want, wantOK := mesh.CastRay(ray, 200)
		if ok && wantOK && math.Abs(got.T-want.T) < 1e-6 {
			return
		}
		// Along an edge either may be first; and what passes the border within a hair may miss.
		for _, h := range []struct {
			hit Hit
			ok  bool
		}{{got, ok}, {want, wantOK}} {
			if !h.ok {
				continue
			}
			p := ray.At(h.hit.T)
			if math.Abs(math.Abs(p.X)-1) < 1e-9 || math.Abs(math.Abs(p.Y)-1.5) < 1e-9 ||
				math.Abs(h.hit.Normal.Dot(dir)) < 1e-7 || h.hit.T < 1e-9 {
				return
			}
		}
		if ok != wantOK && (touchesEdge(mesh, ray, got, ok) || touchesEdge(mesh, ray, want, wantOK)) {
			return
		}
		if ok != wantOK || ok {
			t.Fatalf("%+v: %v %+v, the mesh says %v %+v", ray, ok, got, wantOK, want)
		}
	})
}
