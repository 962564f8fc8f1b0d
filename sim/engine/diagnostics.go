package engine

import (
	"context"
	"fmt"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Lint lists diagnostics of a valid but probably wrong description: implausible masses, meshes apparently in
// millimetres, links that overlap at rest. A description that is no legal one has none.
func Lint(m *scene.ModelSpec) scene.Notes { return model.Lint(m) }

// Coordinates returns the names of a description's joints by the engine's coordinates. Trees of joints (arms,
// legs, wheels) have reduced ones, so that their links cannot separate. Joints that close a loop have maximal
// ones, as constraints between two bodies. Joints that hold still, because they are fixed or their links
// weigh nothing, are in neither list. The error wraps ErrParse.
func Coordinates(spec *scene.ModelSpec) (reduced, maximal []string, err error) {
	return model.Coordinates(spec)
}

// RestBounds is the box around a model with joints at zero, in its canonical link's frame: around collision
// shapes, else visuals. Planes have no end and are left out. Without any other shape it is ErrFailed.
func RestBounds(m *scene.ModelSpec) (r3.Box, error) {
	box, err := model.RestBounds(m)
	if err == nil && box.IsEmpty() {
		err = fmt.Errorf("%w: model %q has no shape with an end", sim.ErrFailed, m.Name)
	}
	return box, err
}

// Prepare makes the convex hulls of models with Solids as a spawn would, so that later spawns find them in a
// cache. It reports its progress from any goroutine, one call at a time, and ends early with ctx.
func Prepare(ctx context.Context, models []*scene.ModelSpec, progress func(sim.Loading)) {
	r := &reader{onProgress: progress}
	model.Decompose(ctx, models, r.progress(sim.Loading{}, sim.Loading{}))
}
