package dynamics

import (
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// QueryScene is the geoms as rays meet them, at the moment when it was taken. It never changes: any number
// of goroutines may cast into it while the world moves on.
type QueryScene struct {
	static *staticScene
	moving *sceneBVH
	groups []int32  // by body slot
	gens   []uint32 // by body slot
}

// staticScene is what stands on static bodies; views share it as long as nothing of it changes.
type staticScene struct {
	keys   []staticKey
	grove  *sceneBVH
	planes []sceneGeom
}

// staticKey says which geom stood where: a geom that was replaced has another generation.
type staticKey struct {
	slot int32
	gen  uint32
	pose r3.Pose
}

// sceneGeom is a geom as rays meet it.
type sceneGeom struct {
	shape       shape.Shape
	pos         r3.Vec
	mat         r3.Mat // its axes
	box         r3.Box // a hair larger than the geom, so that rounding in the tests of boxes loses no grazing ray
	core        r3.Box // a shape.Box in its own frame; zero: another shape
	body        int32
	group       int32
	reflectance float64
}

// QueryScene takes a view: it costs a copy of what can move.
func (w *World) QueryScene() *QueryScene { return w.QuerySceneInto(nil) }

// QuerySceneInto takes a view in the memory of one that nobody casts into any more; nil: in its own.
func (w *World) QuerySceneInto(v *QueryScene) *QueryScene {
	if v == nil {
		v = &QueryScene{moving: &sceneBVH{}}
	}
	v.static, v.groups, v.gens = w.static, v.groups[:0], append(v.gens[:0], w.bodyIDs.gen...)
	v.moving.clear()
	for i := range w.bodies {
		v.groups = append(v.groups, w.bodies[i].group)
	}
	still, moving := 0, 0
	same := v.static != nil
	for i := range w.geoms {
		s := int32(i)
		switch {
		case !w.isVisible(s):
		case w.bodies[w.geoms[s].body].kind == Static:
			same = same && still < len(v.static.keys) && v.static.keys[still] == w.staticKey(s)
			still++
		default:
			moving++
		}
	}
	if !same || still < len(v.static.keys) {
		v.static = w.buildStaticScene(still)
		w.static = v.static
	}
	v.moving.targets = slices.Grow(v.moving.targets, moving)
	for i := range w.geoms {
		if s := int32(i); w.isVisible(s) && w.bodies[w.geoms[s].body].kind != Static {
			v.moving.targets = append(v.moving.targets, w.sceneGeom(s))
		}
	}
	return v
}

func (w *World) buildStaticScene(n int) *staticScene {
	v := &staticScene{keys: make([]staticKey, 0, n), grove: &sceneBVH{}}
	for i := range w.geoms {
		s := int32(i)
		switch {
		case !w.isVisible(s) || w.bodies[w.geoms[s].body].kind != Static:
			continue
		case w.geoms[s].Kind == shape.KindPlane:
			v.planes = append(v.planes, w.sceneGeom(s))
		default:
			v.grove.targets = append(v.grove.targets, w.sceneGeom(s))
		}
		v.keys = append(v.keys, w.staticKey(s))
	}
	return v
}

// isVisible reports that rays meet what is in a slot.
func (w *World) isVisible(s int32) bool {
	return w.geomIDs.inUse(s) && !w.geoms[s].sensor && w.geoms[s].category != 0
}

func (w *World) staticKey(s int32) staticKey {
	return staticKey{s, w.geomIDs.gen[s], w.placements[s].Pose}
}

func (w *World) sceneGeom(s int32) sceneGeom {
	g, p := &w.geoms[s], &w.placements[s]
	hair := 1e-9 + float64(1e-12*max(p.tight.Min.MaxAbs(), p.tight.Max.MaxAbs()))
	t := sceneGeom{
		shape: g.Shape, pos: p.Pose.Pos, mat: p.Mat, box: p.tight.Grow(hair), body: g.body, group: w.bodies[g.body].group, reflectance: g.reflectance,
	}
	if g.Kind == shape.KindBox {
		t.core = r3.Box{Min: g.Half.Neg(), Max: g.Half}
	}
	return t
}
