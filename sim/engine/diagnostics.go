package engine

import (
	"context"
	"fmt"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Lint lists diagnostics of a description that is valid and probably wrong: implausible masses, meshes that
// seem to be in millimetres, links that penetrate each other at rest. A description that is no legal one has
// none.
func Lint(m *scene.ModelSpec) scene.Notes { return model.Lint(m) }

// Coordinates returns the names of a description's joints by the engine's coordinates. Trees of joints (arms,
// grippers, legs) have reduced ones, so that their links cannot separate. Wheels and casters of mobile robots
// and joints that close a loop have maximal ones, as constraints between two bodies. Joints that hold still,
// because they are fixed or their links weigh nothing, are in neither list. The error wraps ErrParse.
func Coordinates(spec *scene.ModelSpec) (reduced, maximal []string, err error) {
	return model.Coordinates(spec)
}

// RestBounds is the box around a model with its joints at zero, in the frame of its canonical link: around
// its collision shapes, else around its visuals. Planes have no end and are left out. Without any other shape
// it is ErrFailed.
func RestBounds(m *scene.ModelSpec) (r3.Box, error) {
	box, err := model.RestBounds(m)
	if err == nil && box.IsEmpty() {
		err = fmt.Errorf("%w: model %q has no shape with an end", sim.ErrFailed, m.Name)
	}
	return box, err
}

// Prepare makes the convex hulls of models as if they were to be spawned, so that whoever needs them next
// finds them in a cache: of meshes that have Solids. It reports its progress from any goroutine, one call at
// a time, and ends early with ctx.
func Prepare(ctx context.Context, models []*scene.ModelSpec, progress func(sim.Decomposition)) {
	model.Decompose(ctx, models, tellProgress(progress))
}

// tellProgress has the compiler's progress told in the words of snapshots.
func tellProgress(tell func(sim.Decomposition)) func(model.Decomposition) {
	if tell == nil {
		return nil
	}
	return func(d model.Decomposition) { tell(sim.Decomposition(d)) }
}
