package simif

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// boundsPoints puts the corners of a box in the order of scene.Bounds, whichever
// way round they came, and checks that the points fit the kind.
func boundsPoints(b scene.Bounds) (scene.Bounds, error) {
	want := map[scene.BoundsKind]int{scene.BoxBounds: 2, scene.SphereBounds: 2, scene.HullBounds: 4}
	n, known := want[b.Kind]
	if !known {
		return b, fmt.Errorf("%w: %d is no kind of bounds: want 0 (none), 1 (box), 2 (convex hull) or 3 (sphere)",
			sim.ErrFailed, b.Kind)
	}
	if len(b.Points) < n || len(b.Points) > n && b.Kind != scene.HullBounds {
		return b, fmt.Errorf("%w: bounds of kind %d have %d points: a box wants 2 corners, a sphere its centre and a radius, a hull 4 or more",
			sim.ErrFailed, b.Kind, len(b.Points))
	}
	for _, p := range b.Points {
		if !p.IsFinite() {
			return b, fmt.Errorf("%w: bounds with the point (%g, %g, %g): want finite numbers", sim.ErrFailed,
				p.X, p.Y, p.Z)
		}
	}
	if b.Kind == scene.BoxBounds {
		b.Points = []r3.Vec{b.Points[0].Max(b.Points[1]), b.Points[0].Min(b.Points[1])}
	}
	if b.Kind == scene.SphereBounds && (b.Points[1].X < 0 || math.IsNaN(b.Points[1].X)) {
		return b, fmt.Errorf("%w: a sphere of radius %g: want 0 or more", sim.ErrFailed, b.Points[1].X)
	}
	return b, nil
}
