package mirror

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/render"
)

func TestBoundsThatContainTheRestHideNothingFromACamera(t *testing.T) {
	room := r3.Box{Min: r3.V(-5, -5, 0), Max: r3.V(5, 5, 2.5)}
	robot := r3.Box{Min: r3.V(-0.5, -0.5, 0), Max: r3.V(0.5, 0.5, 1)}
	m := &sim.Model{}
	for i, b := range []r3.Box{room, robot} {
		m.Entities = append(m.Entities, sim.EntityModel{Spec: standIn(b), Bounds: b, FirstLink: i})
	}
	const w, h = 200, 150
	lens := render.Lens{Width: w, Height: h, FX: 150, FY: 150, CX: w / 2, CY: h / 2}
	cam := render.Camera{Lens: lens, Near: 0.1, Far: 100,
		Pose: r3.Pose{Pos: r3.V(-12, 0, 7), Rot: r3.FromRPY(0, 0.5, 0)}}
	if err := cam.Check(); err != nil {
		t.Fatal(err)
	}
	var renderer render.Renderer
	var image render.Image
	at := []r3.Pose{r3.IdentityPose(), r3.IdentityPose()}
	renderer.Render(sim.NewStage(m, nil), at, &cam, render.Labels, &image)
	seen := [3]int{}
	left, right := math.MaxInt, 0
	for i, label := range image.Labels {
		seen[label]++
		if label == 2 {
			left, right = min(left, i%w), max(right, i%w)
		}
	}
	if seen[1] == 0 || seen[1] > w*h/10 {
		t.Errorf("the room takes %d of %d points, want its edges", seen[1], w*h)
	}
	if seen[2] < 20 || right-left < 5 {
		t.Errorf("the robot within takes %d points, %d wide", seen[2], right-left)
	}
}
