package engine

import (
	"os"
	"path/filepath"
	"testing"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/render"
)

// BenchmarkPicturesOfARealWorld draws the warehouse of the corpus as cameras of
// usual sizes see it, and casts the rays of the same depth picture.
func BenchmarkPicturesOfARealWorld(b *testing.B) {
	dir := os.Getenv("SIMDECK_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus/dev"
	}
	dir, err := filepath.Abs(filepath.Join(dir, "sdf", "aws_small_warehouse"))
	if err != nil {
		b.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	switch {
	case err != nil && os.Getenv("SIMDECK_CORPUS_REQUIRED") == "1":
		b.Fatalf("the corpus is required: %v", err)
	case err != nil:
		b.Skipf("no corpus: %v", err)
	}
	defer root.Close()
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "warehouse", FS: root.FS(),
		Base: dir}}})
	w, err := NewWorld(Options{})
	if err != nil {
		b.Fatal(err)
	}
	load := sim.LoadWorld{Resource: sim.Resource{URI: dir + "/worlds/no_roof_small_warehouse.world"},
		IgnoreMissingAssets: true}
	if _, err := w.Apply(load, Load(lib, load)); err != nil {
		b.Fatal(err)
	}
	s := w.Snapshot()
	stage, poses := sim.NewStage(s.Model, nil), s.Poses(nil)
	faces := 0
	for i := range stage.Items {
		faces += stage.Items[i].Shape.Faces()
	}
	c := render.Camera{Lens: render.LensOf(320, 240, 1.2), Pose: r3.PoseRPY(-3, -0.8, 0.3, 0, 0, 0.1),
		Near: 0.05, Far: 100}
	for name, k := range map[string]struct {
		width int
		want  render.Want
	}{"depth 320x240": {320, render.Depths}, "rgb 640x480": {640, render.Colours}} {
		b.Run(name, func(b *testing.B) {
			c := c
			c.Lens = render.LensOf(k.width, k.width*3/4, 1.2)
			var r render.Renderer
			var m render.Image
			for b.Loop() {
				r.Render(stage, poses, &c, k.want, &m)
			}
			b.ReportMetric(float64(faces), "faces")
		})
	}
	b.Run("rays 320x240", func(b *testing.B) {
		view := w.physics.QueryScene()
		var dirs [240][]r3.Vec
		for v := range dirs {
			for u := range 320 {
				ray, _ := c.Ray(float64(u), float64(v))
				unit, _ := ray.Dir.Unit()
				dirs[v] = append(dirs[v], unit)
			}
		}
		out := make([]float64, 320)
		for b.Loop() {
			for v := range dirs {
				view.CastPacket(c.Pose.Pos, dirs[v], 100, w.entities.list[0].bodies[0], out)
			}
		}
	})
}
