package model

import (
	"context"
	"path"
	"runtime"
	"sync"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Decomposition is the progress of convex decomposition: the meshes of a humanoid take seconds where no cache
// has their hulls. The zero value: nothing is being decomposed.
type Decomposition struct {
	Done, Of int    // meshes
	Mesh     string // the file of the one that was begun last
}

// decomposeWorkers bounds the goroutines that decompose meshes, where there are as many processors.
const decomposeWorkers = 8

// hullKey identifies the hulls of a collision shape.
type hullKey struct {
	solids scene.Solids // or, where it has none,
	mesh   *scene.Mesh
	scale  r3.Vec
	params shape.Cut
}

// hullJob is a mesh to be decomposed.
type hullJob struct {
	key   hullKey
	mesh  *scene.Mesh
	hulls []*shape.Hull
	err   error
	panic any
}

// Decompose makes the convex hulls of descriptions as Compile would, so that a cache behind their Solids has
// them. Descriptions that contradict themselves are left out. It reports its progress from any goroutine, one
// call at a time, and ends early with ctx.
func Decompose(ctx context.Context, specs []*scene.ModelSpec, progress func(Decomposition)) {
	var outlined []*compiler
	for _, s := range specs {
		if c, err := outline(Source{Spec: s}); err == nil {
			outlined = append(outlined, c)
		}
	}
	decomposeMeshes(ctx, outlined, progress)
}

// decomposeMeshes makes the convex hulls of all meshes that move, each once, on as many goroutines as there
// are processors. The hulls do not depend on their number. When ctx ends, meshes that were not begun have
// none.
func decomposeMeshes(ctx context.Context, outlined []*compiler, progress func(Decomposition)) {
	var jobs []*hullJob
	known := map[hullKey]*hullJob{}
	for _, c := range outlined {
		c.hulls = map[hullKey]*hullJob{}
		c.eachMovingGeom(func(g *scene.Geom, k hullKey) {
			if known[k] == nil {
				known[k] = &hullJob{key: k, mesh: g.Mesh}
				jobs = append(jobs, known[k])
			}
			c.hulls[k] = known[k]
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
			if progress != nil {
				progress(Decomposition{done, len(jobs), path.Base(j.mesh.URI)})
			}
			mu.Unlock()
			j.run()
			mu.Lock()
			done++
			mu.Unlock()
		}
	}
	var workers sync.WaitGroup
	for range min(decomposeWorkers, runtime.GOMAXPROCS(0), len(jobs)) - 1 {
		workers.Go(work)
	}
	work()
	workers.Wait()
	if progress != nil {
		progress(Decomposition{})
	}
	for _, j := range jobs {
		if j.panic != nil { // as if it had broken in the caller
			panic(j.panic)
		}
	}
}

func (j *hullJob) run() {
	defer func() { j.panic = recover() }()
	j.hulls, j.err = j.key.decompose(j.mesh)
}

// decompose makes the hulls of a mesh, or takes them from a cache.
func (k hullKey) decompose(m *scene.Mesh) ([]*shape.Hull, error) {
	if k.solids != nil {
		return k.solids.Hulls(k.scale, k.params)
	}
	return shape.Decompose(m.Scaled(k.scale), m.Triangles, k.params)
}

// eachMovingGeom calls f with every collision shape of a body that moves and is a mesh.
func (c *compiler) eachMovingGeom(f func(*scene.Geom, hullKey)) {
	for i := range c.Spec.Links {
		if c.Bodies[c.Placements[i].Body].Type == dynamics.Static {
			continue
		}
		for k := range c.Spec.Links[i].Collisions {
			if g := &c.Spec.Links[i].Collisions[k]; g.Kind == scene.MeshGeom && !g.Missing() &&
				usable(g.Pose) {
				f(g, keyOf(g, c.Spec.Info.Convex))
			}
		}
	}
}

// keyOf is the key of the hulls of a geom.
func keyOf(g *scene.Geom, convex scene.Convex) hullKey {
	k := hullKey{solids: g.Mesh.Solids, scale: g.MeshScale(),
		params: shape.Cut{Parts: convex.Parts, Error: convex.Error}}
	if k.solids == nil {
		k.mesh = g.Mesh
	}
	return k
}

// hullsOf is the convex decomposition of a mesh that moves: its hull, or several where one is much larger
// than it.
func (c *compiler) hullsOf(g *scene.Geom) ([]*shape.Hull, error) {
	j := c.hulls[keyOf(g, c.Spec.Info.Convex)]
	return j.hulls, j.err
}
