package dynamics

import (
	"simdeck/sim/dynamics/query"
	"simdeck/sim/r3"
)

// QueryScene is a query.Scene of a world at one moment, with bodies named by their ids. It never changes: any
// number of goroutines may cast into it while the world steps on.
type QueryScene struct {
	scene       query.Scene
	groups      []int32  // by body slot
	generations []uint32 // by body slot
}

// staticScene is the static geoms of a world; its scenes share them until one of them changes.
type staticScene struct {
	keys  []staticKey
	geoms *query.StaticGeoms
}

// staticKey identifies a static geom at a place: a geom that was replaced has another generation.
type staticKey struct {
	slot       int32
	generation uint32
	pose       r3.Pose
}

// QueryScene takes a scene. It copies the geoms that can move.
func (w *World) QueryScene() *QueryScene { return w.QuerySceneInto(nil) }

// QuerySceneInto takes a scene in the memory of one into which nobody casts any more; nil: in new memory.
func (w *World) QuerySceneInto(v *QueryScene) *QueryScene {
	if v == nil {
		v = &QueryScene{}
	}
	v.groups, v.generations = v.groups[:0], append(v.generations[:0], w.bodies.ids.gen...)
	for i := range w.bodies.all {
		v.groups = append(v.groups, w.bodies.all[i].group)
	}
	v.scene.Reset(w.geoms.updateStatic(&w.bodies))
	for i := range w.geoms.all {
		if s := int32(i); w.geoms.isVisible(s) && w.bodies.all[w.geoms.all[s].body].kind != Static {
			v.scene.Add(w.geoms.sceneGeom(&w.bodies, s))
		}
	}
	return v
}

// CastPacket is query.Scene.CastPacket without intensities. Like CastRayExcept, rays pass through the body
// skip and its group, and distances are the same bits.
func (v *QueryScene) CastPacket(origin r3.Vec, dirs []r3.Vec, limit float64, skip BodyID,
	distances []float64) {
	v.CastPacketIntensity(origin, dirs, limit, skip, distances, nil)
}

// CastPacketIntensity is CastPacket that also writes the reflectance of the geom that each ray meets, 0 for
// none.
func (v *QueryScene) CastPacketIntensity(origin r3.Vec, dirs []r3.Vec, limit float64, skip BodyID, distances,
	intensities []float64) {
	v.scene.CastPacket(origin, dirs, limit, v.skip(skip), distances, intensities)
}

// skip resolves an id by the generations of the scene, not by those of the world now: the body may be gone
// there.
func (v *QueryScene) skip(id BodyID) query.Skip {
	if int(id.slot) < len(v.generations) && v.generations[id.slot] == id.gen && id.gen&1 == 1 {
		return query.Skip{Body: int32(id.slot), Group: v.groups[id.slot]}
	}
	return query.Skip{Body: -1}
}

// updateStatic returns the static geoms as they are now and the number of visible geoms that can move.
// The geoms are built anew only if one was added, removed or placed elsewhere.
func (gs *geomSet) updateStatic(bodies *bodySet) (geoms *query.StaticGeoms, moving int) {
	static := 0
	same := gs.static != nil
	for i := range gs.all {
		s := int32(i)
		switch {
		case !gs.isVisible(s):
		case bodies.all[gs.all[s].body].kind == Static:
			same = same && static < len(gs.static.keys) && gs.static.keys[static] == gs.staticKey(s)
			static++
		default:
			moving++
		}
	}
	if !same || static < len(gs.static.keys) {
		gs.static = gs.buildStaticScene(bodies, static)
	}
	return gs.static.geoms, moving
}

// buildStaticScene copies the n visible geoms of static bodies.
func (gs *geomSet) buildStaticScene(bodies *bodySet, n int) *staticScene {
	keys, geoms := make([]staticKey, 0, n), make([]query.Geom, 0, n)
	for i := range gs.all {
		if s := int32(i); gs.isVisible(s) && bodies.all[gs.all[s].body].kind == Static {
			keys, geoms = append(keys, gs.staticKey(s)), append(geoms, gs.sceneGeom(bodies, s))
		}
	}
	return &staticScene{keys, query.NewStaticGeoms(geoms)}
}

// isVisible reports whether rays meet the geom in a slot.
func (gs *geomSet) isVisible(s int32) bool {
	return gs.ids.inUse(s) && !gs.all[s].sensor && gs.all[s].category != 0
}

func (gs *geomSet) staticKey(s int32) staticKey {
	return staticKey{s, gs.ids.gen[s], gs.placements[s].Pose}
}

func (gs *geomSet) sceneGeom(bodies *bodySet, s int32) query.Geom {
	g, p := &gs.all[s], &gs.placements[s]
	return query.NewGeom(g.Shape, p.Pose.Pos, &p.Mat, &p.tight, g.body, bodies.all[g.body].group,
		g.reflectance)
}
