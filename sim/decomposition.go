package sim

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"sync"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Decomposition says how far the meshes of what is being read are cut into convex hulls: of a humanoid that takes seconds, where
// no cache has it. The zero value: nothing is being cut.
type Decomposition struct {
	Done, Of int    // meshes
	Mesh     string // the file of the one that was begun last
}

// String is what is being done, in a line for people.
func (c Decomposition) String() string {
	return fmt.Sprintf("convex hulls: %d of %d meshes are done, at %s", c.Done, c.Of, c.Mesh)
}

// decomposeWorkers is how many goroutines cut meshes at most, where there are as many processors.
const decomposeWorkers = 8

// hullKey is what the hulls of a collision shape follow from.
type hullKey struct {
	solids scene.Solids // or, where it has none,
	mesh   *scene.Mesh
	scale  r3.Vec
	params shape.Cut
}

// hullJob is a mesh to be cut.
type hullJob struct {
	key   hullKey
	mesh  *scene.Mesh
	hulls []*shape.Hull
	err   error
	panic any
}

// Prepare makes the convex hulls of models as if they were to be spawned, so that whoever needs them next has them: of
// meshes that have Solids. It tells how far it is, from any goroutine, one call at a time.
// It ends early with ctx.
func Prepare(ctx context.Context, models []*scene.ModelSpec, tell func(Decomposition)) {
	var plans []*compiledModel
	for _, m := range models {
		if p, err := outlineModel(m, false); err == nil {
			plans = append(plans, p)
		}
	}
	decomposeMeshes(ctx, plans, tell)
}

// decomposeMeshes makes the convex hulls of all meshes of plans that move, each once, on as many goroutines as there are
// processors. What comes out does not depend on them. When ctx ends, those that were not begun have none.
func decomposeMeshes(ctx context.Context, plans []*compiledModel, tell func(Decomposition)) {
	var jobs []*hullJob
	known := map[hullKey]*hullJob{}
	for _, p := range plans {
		p.hulls = map[hullKey]*hullJob{}
		p.eachMovingGeom(func(g *scene.Geom, k hullKey) {
			if known[k] == nil {
				known[k] = &hullJob{key: k, mesh: g.Mesh}
				jobs = append(jobs, known[k])
			}
			p.hulls[k] = known[k]
		})
	}
	if len(jobs) == 0 {
		return
	}
	var mu sync.Mutex
	next, done := 0, 0
	work := func() {
		for {
			mu.Lock()
			if next == len(jobs) || ctx.Err() != nil {
				mu.Unlock()
				return
			}
			j := jobs[next]
			next++
			if tell != nil {
				tell(Decomposition{done, len(jobs), path.Base(j.mesh.URI)})
			}
			mu.Unlock()
			j.run()
			mu.Lock()
			done++
			mu.Unlock()
		}
	}
	var hands sync.WaitGroup
	for range min(decomposeWorkers, runtime.GOMAXPROCS(0), len(jobs)) - 1 {
		hands.Go(work)
	}
	work()
	hands.Wait()
	if tell != nil {
		tell(Decomposition{})
	}
	for _, j := range jobs {
		if j.panic != nil { // as if it had broken where it was asked for
			panic(j.panic)
		}
	}
}

func (j *hullJob) run() {
	defer func() { j.panic = recover() }()
	j.hulls, j.err = j.key.decompose(j.mesh)
}

// decompose cuts a mesh into hulls, or has them from before.
func (k hullKey) decompose(m *scene.Mesh) ([]*shape.Hull, error) {
	if k.solids != nil {
		return k.solids.Hulls(k.scale, k.params)
	}
	return shape.Decompose(m.Scaled(k.scale), m.Triangles, k.params)
}

// eachMovingGeom calls f with every collision shape of a body that moves and is a mesh.
func (p *compiledModel) eachMovingGeom(f func(*scene.Geom, hullKey)) {
	for i := range p.spec.Links {
		if p.bodies[p.placements[i].body].kind == dynamics.Static {
			continue
		}
		for k := range p.spec.Links[i].Collisions {
			if g := &p.spec.Links[i].Collisions[k]; g.Kind == scene.MeshGeom && !meshMissing(g) && usable(g.Pose) {
				f(g, keyOf(g, p.spec.Info.Convex))
			}
		}
	}
}

// keyOf is what the hulls of a geom follow from.
func keyOf(g *scene.Geom, c scene.Convex) hullKey {
	k := hullKey{solids: g.Mesh.Solids, scale: scaleOf(g), params: shape.Cut{Parts: c.Parts, Error: c.Error}}
	if k.solids == nil {
		k.mesh = g.Mesh
	}
	return k
}

// hullsOf is a mesh that moves: its convex hull, or several when that is much larger than the mesh.
func (p *compiledModel) hullsOf(g *scene.Geom) ([]*shape.Hull, error) {
	j := p.hulls[keyOf(g, p.spec.Info.Convex)]
	return j.hulls, j.err
}
