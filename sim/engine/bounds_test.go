package engine

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func nan() float64 { return math.NaN() }

func boundsOf(t *testing.T, s *sim.Snapshot, name string, kind scene.BoundsKind) scene.Bounds {
	t.Helper()
	i, _ := s.Find(name)
	b, err := sim.BoundsOf(s, i, kind)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBoundsStandInTheCanonicalLinksFrame(t *testing.T) {
	w := yard(t, sim.Paused)
	p := r3.PoseRPY(7, -2, 3, 0.3, -0.2, 1)
	apply(t, w, sim.SetEntityState{Name: "rover", Pose: &p})
	s := w.Snapshot()
	b := boundsOf(t, s, "rover", scene.BoxBounds)
	// Chassis 0.4 × 0.3 from 0.1 to 0.2 m up, wheels to ±0.22 m, 0 to 0.2 m.
	if want := []r3.Vec{r3.V(0.2, 0.22, 0.2), r3.V(-0.2, -0.22, 0)}; len(b.Points) != 2 ||
		b.Points[0].Dist(want[0]) > 1e-6 || b.Points[1].Dist(want[1]) > 1e-6 {
		t.Errorf("box %v, want %v, the greater corner first", b.Points, want)
	}
	i, _ := s.Find("rover")
	if m := s.Model.Entities[i].Bounds; m.Max.Dist(b.Points[0]) > 1e-6 || m.Min.Dist(b.Points[1]) > 1e-6 {
		t.Errorf("the model says %v, the snapshot %v", m, b.Points)
	}
}

func TestSphereAndHullHoldWhatTheyBound(t *testing.T) {
	w := yard(t, sim.Paused)
	apply(t, w, sim.Spawn{Name: "ball", Resource: sim.Resource{URI: "ball"},
		Pose: sim.FramedPose{Pose: at(0, 0, 5)}})
	s := w.Snapshot()
	b := boundsOf(t, s, "crate", scene.SphereBounds)
	if math.Abs(b.Points[1].X-0.25*math.Sqrt(3)) > 1e-9 || b.Points[0].Len() > 1e-9 {
		t.Errorf("sphere %v around a cube of 0.5 m", b.Points)
	}
	if h := boundsOf(t, s, "crate", scene.HullBounds); len(h.Points) != 8 {
		t.Errorf("hull of a cube has %d corners", len(h.Points))
	}
	if b := boundsOf(t, s, "ball", scene.SphereBounds); b.Points[1].X < 0.5 || b.Points[1].X > 0.6 {
		t.Errorf("sphere of %v m around a ball of 0.5 m", b.Points[1].X)
	}
	// In every direction the hull reaches as far as the ball, and not much further.
	h := boundsOf(t, s, "ball", scene.HullBounds)
	for i := range 200 {
		a, z := float64(i)*2.4, 1-float64(i)/100
		dir := r3.V(math.Cos(a)*math.Sqrt(1-z*z), math.Sin(a)*math.Sqrt(1-z*z), z)
		far := 0.0
		for _, p := range h.Points {
			far = max(far, p.Dot(dir))
		}
		if far < 0.5-1e-9 || far > 0.58 {
			t.Errorf("along %v the hull reaches %v m, the ball 0.5", dir, far)
		}
	}
}

func TestBoundsThatCannotBe(t *testing.T) {
	s := yard(t, sim.Paused).Snapshot()
	i, _ := s.Find("ground")
	if _, err := sim.BoundsOf(s, i, scene.BoxBounds); !errors.Is(err, sim.ErrFailed) {
		t.Errorf("an endless plane: %v", err)
	}
	i, _ = s.Find("crate")
	if _, err := sim.BoundsOf(s, i, scene.NoBounds); !errors.Is(err, sim.ErrUnsupported) {
		t.Errorf("no kind: %v", err)
	}
}

func TestEveryKindOfShapeIsHeldByItsBounds(t *testing.T) {
	corners := []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}}
	mesh := &scene.Mesh{Vertices: corners, Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}
	for name, g := range map[string]scene.Geom{
		"cylinder": {Kind: scene.Cylinder, Radius: 0.3, Length: 2},
		"capsule":  {Kind: scene.Capsule, Radius: 0.3, Length: 1},
		"box":      {Kind: scene.Box, Size: r3.V(1, 2, 3)}, "mesh": {Kind: scene.MeshGeom, Mesh: mesh},
	} {
		for _, static := range []bool{false, true} {
			m := scenetest.Solid(name, 1, g)
			m.Static = static
			lib := &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": {Models: []scene.Placed{{
				Name:  "m",
				Model: m, Pose: r3.PoseRPY(4, 5, 6, 0.1, 0.2, 0.3)}}}}}
			w, _ := NewWorld(Options{})
			load := sim.LoadWorld{Resource: sim.Resource{URI: "w"}}
			if _, err := w.Apply(load, Load(lib, load)); err != nil {
				t.Fatal(err)
			}
			s := w.Snapshot()
			shape := w.entities.list[0].model.Bodies[0].Geoms[0].Def
			box, ball, hull := boundsOf(t, s, "m", scene.BoxBounds), boundsOf(t, s, "m", scene.SphereBounds),
				boundsOf(t, s, "m", scene.HullBounds)
			exact := shape.Shape.Bounds(shape.Pose)
			if box.Points[0].Dist(exact.Max) > 1e-9 || box.Points[1].Dist(exact.Min) > 1e-9 {
				t.Errorf("%s, static %v: box %v, want %v", name, static, box.Points, exact)
			}
			for _, dir := range []r3.Vec{r3.V(1, 0, 0), r3.V(-1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1),
				r3.V(0, 0, -1)} {
				reach, inBox := math.Inf(-1), max(dir.Dot(exact.Max), dir.Dot(exact.Min))
				for _, p := range hull.Points {
					reach = max(reach, p.Dot(dir))
				}
				if reach < inBox-1e-9 || ball.Points[0].Dot(dir)+ball.Points[1].X < inBox-1e-9 {
					t.Errorf("%s, static %v: along %v the hull reaches %v, the sphere %v, the shape %v", name,
						static, dir, reach, ball.Points, inBox)
				}
			}
		}
	}
}
