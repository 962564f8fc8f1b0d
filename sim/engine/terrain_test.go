package engine

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestARobotDrivesUpATerrainAndItsLidarSeesIt(t *testing.T) {
	w := yard(t, sim.Stopped)
	apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "hill"}})
	apply(t, w, sim.SetState{State: sim.Playing})
	steps(t, w, 250)
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.5, 0)})
	steps(t, w, 1000)
	at := where(t, w.Snapshot(), "rover").Pose
	up := at.Rot.Rotate(r3.V(0, 0, 1))
	if way := at.Pos.X; way < 1.2 || math.Abs(at.Pos.Z-0.1*at.Pos.X) > 0.01 || math.Abs(up.X+0.0995) > 0.01 {
		t.Errorf("after 4 s at 0.5 m/s up the slope the rover is at %v, its up is %v", at.Pos, up)
	}
	if _, err := sim.BoundsOf(w.Snapshot(), find(t, w, "slope"), scene.HullBounds); err != nil {
		t.Error(err)
	}
	stage := sim.NewStage(w.Snapshot().Model, nil)
	faces := 0
	for _, item := range stage.Items {
		if item.Label == uint16(find(t, w, "slope")+1) {
			faces += item.Shape.Faces()
		}
	}
	if faces != 20*20*2 {
		t.Errorf("the camera sees %d triangles of the terrain", faces)
	}
	if s := render.NewShape(&scene.Geom{Kind: scene.Heightfield}); s != nil {
		t.Error("a terrain without heights can be drawn")
	}
}

func find(t *testing.T, w *World, name string) int {
	t.Helper()
	i, ok := w.Snapshot().Find(name)
	if !ok {
		t.Fatal(name)
	}
	return i
}

func TestATerrainThatMovesIsLeftOutWithANote(t *testing.T) {
	m := scenetest.Slope()
	m.Static = false
	m.Links[0].Inertial.Mass = 5
	m.Links[0].Inertial.Inertia = r3.Diag(r3.V(1, 1, 1))
	lost := scenetest.Solid("lost", 1,
		scene.Geom{Name: "gone", Kind: scene.Heightfield, Pose: r3.IdentityPose()})
	for name, c := range map[string]struct {
		m    *scene.ModelSpec
		want string
	}{"moving": {m, "a heightfield cannot move"}, "without heights": {lost, "gone"}} {
		p := compiled(t, c.m)
		text := strings.Join(p.MissingMeshes, "\n")
		for _, n := range p.Notes {
			text += n.Text
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %q", name, text)
		}
	}
}
