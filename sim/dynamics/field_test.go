package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// flatField is shapetest.FloorMesh as a heightfield.
func flatField(t testing.TB, n int, cell float64) *shape.Field {
	t.Helper()
	return shapetest.Terrain(t, 2*n+1, float64(2*n)*cell, func(x, y float64) float64 { return 0 })
}

// TestContactsWithAHeightfieldAreThoseWithItsMesh: shapes of every kind on top of the surface have the same
// contact points on both.
func TestContactsWithAHeightfieldAreThoseWithItsMesh(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 1))
	some := newScene(t, 0, Config{})
	f := shapetest.Terrain(t, 41, 8, shapetest.Hilly)
	m := shapetest.TerrainMesh(t, f)
	met := 0
	for i := range 1500 {
		sh := some.someShape(i)
		p := randomPose(r, 1)
		p.Pos.Z = 0
		p.Pos.Z = shapetest.Hilly(p.Pos.X, p.Pos.Y) + 0.02*r.Float64() - sh.Bounds(p).Min.Z
		onField, a := pairScene(t, sh, p, f, r3.IdentityPose())
		onMesh, b := pairScene(t, sh, p, m, r3.IdentityPose())
		x, y := onField.deepestOf(a), onMesh.deepestOf(b)
		if math.Abs(x-y) > 1e-9 || math.IsInf(x, 1) != math.IsInf(y, 1) {
			t.Fatalf("%d: %v at %v: deepest point %v, with the mesh %v", i, sh.Kind(), p, x, y)
		}
		if !math.IsInf(x, 1) {
			met++
		}
	}
	if met < 700 {
		t.Errorf("only %d patches seen", met)
	}
}

// deepestOf is the gap of a contact's deepest point; infinite when it has none.
func (s *scene) deepestOf(c *contact) float64 {
	gap := math.Inf(1)
	if c != nil {
		for _, m := range s.contacts.manifolds[c.base : c.base+c.count] {
			for _, p := range m.points[:m.n] {
				gap = min(gap, p.gap)
			}
		}
	}
	return gap
}

// TestARobotDrivesOverHillsAsOnTheirMesh: equal commands give equal motion on a heightfield and on its mesh.
// Positions are compared within the first second, before the bumps amplify rounding errors.
func TestARobotDrivesOverHillsAsOnTheirMesh(t *testing.T) {
	f := shapetest.Terrain(t, 101, 20, shapetest.Hilly)
	end := [2]r3.Pose{}
	for i, ground := range []shape.Shape{f, shapetest.TerrainMesh(t, f)} {
		s := newScene(t, 1, earth())
		s.fixed(ground, r3.Pose{})
		b, _ := s.robot4(0, 0, 1, 6, 5)
		p := s.Body(b).Pose()
		p.Pos.Z += 0.3
		lift := r3.V(0, 0, 0.3)
		for _, id := range s.Bodies(nil) {
			if s.Body(id).Type() == Dynamic {
				at := s.Body(id).Pose()
				at.Pos = at.Pos.Add(lift)
				s.check(s.Body(id).SetPose(at))
			}
		}
		for second := range 10 {
			s.stepChecked(1.0/240, 240)
			if second == 0 {
				end[i] = s.Body(b).Pose()
			}
			at := s.Body(b).Pose()
			if _, height, over := f.Over(at.Pos); !over || height < 0.02 || height > 0.4 {
				t.Fatalf("ground %v: after %v s the robot is %v over it, at %v", ground.Kind(),
					float64(s.Steps())/240, height, at.Pos)
			}
		}
		if way := s.Body(b).Pose().Pos.Dist(p.Pos); way < 1 {
			t.Errorf("ground %v: the robot came %v m far", ground.Kind(), way)
		}
	}
	// The wheels slide in a turn, and on a mesh each triangle's friction acts by itself.
	if d := end[0].Pos.Dist(end[1].Pos); d > 0.03 {
		t.Errorf("on the heightfield it ends at %v, on the mesh at %v", end[0].Pos, end[1].Pos)
	}
}

// TestABodyBelowAHeightfieldIsPushedUpSlowly: bodies start half a metre under the surface, where a mesh would
// let them fall.
func TestABodyBelowAHeightfieldIsPushedUpSlowly(t *testing.T) {
	some := newScene(t, 0, Config{})
	for i := range 10 {
		s := newScene(t, 0.5, earth())
		f := shapetest.Terrain(t, 41, 8, shapetest.Hilly)
		s.fixed(f, r3.Pose{})
		at := r3.V(0.3*float64(i)-1, 0.1*float64(i), 0)
		at.Z = shapetest.Hilly(at.X, at.Y) - 0.2
		b := s.body(some.someShape(i), 1, r3.Pose{Pos: at, Rot: r3.Identity()}, 0)
		fastest := 0.0
		for range 2 * 240 {
			s.stepChecked(1.0/240, 1)
			fastest = max(fastest, s.Body(b).Twist().Linear.Z)
		}
		middle := s.Body(b).Pose().Apply(s.geoms.all[s.added[len(s.added)-1].slot].Middle)
		if _, height, over := f.Over(middle); over && height < 0.02 || middle.Z < -0.5 {
			t.Errorf("%d: after 2 s the body is %v over the ground, at %v", i, height, middle)
		}
		if fastest > 1.5 {
			t.Errorf("%d: it came up at %v m/s", i, fastest)
		}
	}
}

func terrainBench(b *testing.B) (f *shape.Field, grounds map[string]shape.Shape) {
	f = shapetest.Terrain(b, 225, 45, shapetest.Hilly)
	return f, map[string]shape.Shape{"field": f, "mesh": shapetest.TerrainMesh(b, f)}
}

// BenchmarkTerrainRays: 100,000 triangles as a heightfield and as a mesh, rays from 2 m above the ground.
func BenchmarkTerrainRays(b *testing.B) {
	_, grounds := terrainBench(b)
	for _, name := range []string{"field", "mesh"} {
		ground := grounds[name]
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			for b.Loop() {
				for range 1000 {
					u, v := 2*math.Pi*r.Float64(), 0.5*r.Float64()-0.4
					ray := r3.Ray{Origin: r3.V(20*r.Float64()-10, 20*r.Float64()-10, 2),
						Dir: r3.V(math.Cos(u), math.Sin(u), v)}
					ground.CastRay(ray, 30)
				}
			}
		})
	}
}

// BenchmarkTerrainSteps: 200 bodies of all shapes on the same ground.
func BenchmarkTerrainSteps(b *testing.B) {
	_, grounds := terrainBench(b)
	for _, name := range []string{"field", "mesh"} {
		b.Run(name, func(b *testing.B) {
			s := newScene(b, 0.6, Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true})
			s.fixed(grounds[name], r3.Pose{})
			for i := range 200 {
				s.body(s.someShape(i), 1, at(float64(i%20)-10, float64(i/20)-5, 0.8), 0)
			}
			s.step(0.004, 500)
			b.ResetTimer()
			for b.Loop() {
				s.step(0.004, 1)
			}
		})
	}
}

// BenchmarkTerrainMaking reports with -benchmem how large both are.
func BenchmarkTerrainMaking(b *testing.B) {
	f, _ := terrainBench(b)
	columns, _ := f.Points()
	heights := make([]float32, columns*columns)
	m := shapetest.TerrainMesh(b, f)
	b.Run("field", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := shape.NewField(columns, columns, 45, 45, heights); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("mesh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := shape.NewMesh(m.Vertices(), m.Triangles()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestAHeightfieldLiftsFromAMetreBelowIt: a ball somewhat less deep comes up, one deeper stays.
func TestAHeightfieldLiftsFromAMetreBelowIt(t *testing.T) {
	for z, lifted := range map[float64]bool{-0.8: true, -1.4: false} {
		s := newScene(t, 0.5, Config{})
		s.fixed(shapetest.Terrain(t, 41, 8, func(_, _ float64) float64 { return 0 }), r3.Pose{})
		b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0.1, 0.1, z), 0)
		s.stepChecked(0.004, 25)
		if up := s.Body(b).Pose().Pos.Z - z; (up > 0.01) != lifted {
			t.Errorf("a ball %v m below the ground came up by %v m in 0.1 s", -z, up)
		}
	}
}
