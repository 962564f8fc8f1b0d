package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// heap is a world of the ground and of boxes and pyramids that lie about.
func heap(t testing.TB, n int) *World {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 5))
	pyramid := &scene.Mesh{Vertices: []r3.Vec{{Z: 1}, {X: 1}, {Y: 1}, {X: -1}, {Y: -1}},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {1, 3, 2}, {1, 4, 3}}}
	spec := &scene.WorldSpec{Name: "heap",
		Models: []scene.Placed{{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()}}}
	for i := range n {
		g := scene.Geom{Name: "g", Kind: scene.Box,
			Size: r3.V(0.2+random.Float64(), 0.2+random.Float64(), 0.2+random.Float64())}
		if i%3 == 2 {
			g = scene.Geom{Name: "g", Kind: scene.MeshGeom, Mesh: pyramid, Scale: r3.V(0.5, 0.7, 0.9)}
		}
		m := scenetest.Solid("thing", 0, g)
		m.Static = true
		spec.Models = append(spec.Models, scene.Placed{Name: fmt.Sprint("thing", i), Model: m, Static: true,
			Pose: r3.PoseRPY(2+8*random.Float64(), 8*random.Float64()-4, 2*random.Float64(),
				6*random.Float64(), 6*random.Float64(), 6*random.Float64())})
	}
	w, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	lib := &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"heap": spec}}
	load := sim.LoadWorld{Resource: sim.Resource{URI: "heap"}}
	if _, err := w.Apply(load, Load(lib, load)); err != nil {
		t.Fatal(err)
	}
	return w
}

// The rays of the physics engine are the oracle: they know nothing of triangles
// on a picture.
func TestDepthPicturesAgreeWithRays(t *testing.T) {
	w := heap(t, 60)
	s := w.Snapshot()
	c := render.Camera{Lens: render.LensOf(160, 120, 1.3), Pose: r3.PoseRPY(-1.5, 0, 1.4, 0.1, 0.15, 0),
		Near: 0.05, Far: 80}
	var r render.Renderer
	var m render.Image
	for name, k := range map[string][2]float64{"a pinhole": {}, "a lens": {-0.2, 0.05}} {
		c.K1, c.K2 = k[0], k[1]
		r.Render(sim.NewStage(s.Model, nil), s.Poses(nil), &c, render.Depths|render.Labels, &m)
		wrong, hits := 0, 0
		for i, got := range m.Depth {
			ray, ok := c.Ray(float64(i%m.Width), float64(i/m.Width))
			if !ok {
				t.Fatal("a mild lens sees everywhere")
			}
			hit, ok := w.physics.Queries().CastRay(ray, c.Far*ray.Dir.Len(), 0)
			want := math.Inf(1)
			if ok {
				want = hit.Distance / ray.Dir.Len()
			}
			if ok {
				hits++
			}
			tolerance := 2e-4 * want
			if c.Distorted() {
				tolerance = 0.02 * want // the nearest pixel of the straight picture
			}
			label := int(w.entities.owners()[max(0, hit.Body.Index())]) + 1
			if ok && (math.Abs(float64(got)-want) > tolerance || int(m.Labels[i]) != label) || !ok &&
				!math.IsInf(float64(got), 1) {
				wrong++
			}
		}
		limit := len(m.Depth) / 500 // pixels that an outline goes through
		if c.Distorted() {
			limit = len(m.Depth) / 25
		}
		if wrong > limit || hits < len(m.Depth)/2 {
			t.Errorf("%s: %d of %d pixels differ from rays (%d hit something), at most %d may", name, wrong,
				len(m.Depth), hits, limit)
		}
	}
}

func BenchmarkDepthPictureAndRays(b *testing.B) {
	w := heap(b, 200)
	s := w.Snapshot()
	c := render.Camera{Lens: render.LensOf(320, 240, 1.3), Pose: r3.PoseRPY(-1.5, 0, 1.4, 0.1, 0.15, 0),
		Near: 0.05, Far: 80}
	stage, poses := sim.NewStage(s.Model, nil), s.Poses(nil)
	b.Run("picture", func(b *testing.B) {
		var r render.Renderer
		var m render.Image
		for b.Loop() {
			r.Render(stage, poses, &c, render.Depths, &m)
		}
	})
	b.Run("rays", func(b *testing.B) {
		view := w.physics.QueryScene()
		dirs, out := make([]r3.Vec, 0, 320), make([]float64, 320)
		for b.Loop() {
			for v := range 240 {
				dirs = dirs[:0]
				for u := range 320 {
					ray, _ := c.Ray(float64(u), float64(v))
					unit, _ := ray.Dir.Unit()
					dirs = append(dirs, unit)
				}
				view.CastPacketIntensity(c.Pose.Pos, dirs, 80, dynamics.BodyID{}, out, nil)
			}
		}
	})
}
