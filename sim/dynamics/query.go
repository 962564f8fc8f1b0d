package dynamics

import (
	"slices"

	"simdeck/sim/dynamics/broadphase"
	"simdeck/sim/dynamics/query"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// RayHit is the nearest geom on a ray, and the point at which the ray meets it.
type RayHit struct {
	Distance float64 // m
	Point    r3.Vec
	Normal   r3.Vec // unit outward normal of the surface, against the ray
	Geom     GeomID
	Body     BodyID
	Part     int32 // the triangle of a mesh or heightfield
}

// Queries are the questions about where geoms are now. QueryScene answers rays from other goroutines.
type Queries struct {
	bodies *bodySet
	geoms  *geomSet
}

// Queries asks about the geoms where they are now.
func (w *World) Queries() Queries { return Queries{&w.bodies, &w.geoms} }

// CastRay finds the geom that a ray meets first within limit metres. The direction may have any length. Only
// geoms with a Category in mask count (0: all), and no sensors. Of geoms at the same distance the lowest slot
// counts. It is false if the ray meets nothing, or if ray or limit are not numbers.
func (q Queries) CastRay(r r3.Ray, limit float64, mask uint32) (RayHit, bool) {
	return q.castRay(r, limit, mask, -1)
}

// CastRayExcept is CastRay through one body and, if that has a group, all bodies of the group: the robot that
// carries the sensor.
func (q Queries) CastRayExcept(r r3.Ray, limit float64, mask uint32, skip BodyID) (RayHit, bool) {
	except := int32(-1)
	if q.bodies.ids.isCurrent(skip.slot, skip.gen) {
		except = int32(skip.slot)
	}
	return q.castRay(r, limit, mask, except)
}

// rayCast is a ray and its nearest hit so far.
type rayCast struct {
	ray  r3.Ray // direction of unit length
	mask uint32
	skip int32   // body slot; -1: none
	best float64 // m, of the nearest hit; the limit before there is one
	geom int32   // -1: no hit yet
	hit  shape.Hit
}

// castRay tests the planes, which have no bounds, and then the geoms of the broad phase, near ones first.
func (q Queries) castRay(r r3.Ray, limit float64, mask uint32, skip int32) (RayHit, bool) {
	dir, ok := r.Dir.Unit()
	if !ok || !r.Origin.IsFinite() || !(limit >= 0) {
		return RayHit{}, false
	}
	if mask == 0 {
		mask = ^uint32(0)
	}
	c := rayCast{ray: r3.Ray{Origin: r.Origin, Dir: dir}, mask: mask, skip: skip, best: limit, geom: -1}
	for _, s := range q.geoms.planes {
		q.castGeom(&c, s)
	}
	var buf [64]broadphase.RayNode
	inv := c.ray.Inverse()
	for stack := q.geoms.tree.StartRay(buf[:0]); ; {
		var s int32
		if s, stack = q.geoms.tree.NextOnRay(&c.ray, inv, c.best, stack); s < 0 {
			break
		}
		q.castGeom(&c, s)
	}
	if c.geom < 0 {
		return RayHit{}, false
	}
	return RayHit{
		Distance: c.best, Point: c.ray.At(c.best),
		Normal: q.geoms.placements[c.geom].Pose.Rot.Rotate(c.hit.Normal),
		Geom:   q.geoms.id(c.geom), Body: q.bodies.id(q.geoms.all[c.geom].body), Part: c.hit.Part,
	}, true
}

// castGeom tests a geom and keeps the hit if it is nearer.
func (q Queries) castGeom(c *rayCast, s int32) {
	g := &q.geoms.all[s]
	if g.sensor || g.category&c.mask == 0 || g.body == c.skip {
		return
	}
	if c.skip >= 0 && q.bodies.all[c.skip].group != 0 &&
		q.bodies.all[c.skip].group == q.bodies.all[g.body].group {
		return
	}
	p := &q.geoms.placements[s]
	local := r3.Ray{Origin: p.Mat.ApplyT(c.ray.Origin.Sub(p.Pose.Pos)), Dir: p.Mat.ApplyT(c.ray.Dir)}
	h, ok := g.Shape.CastRay(local, c.best)
	if ok && (h.T < c.best || c.geom < 0 || (h.T == c.best && s < c.geom)) {
		c.best, c.geom, c.hit = h.T, s, h
	}
}

// Overlaps appends the geoms that overlap a convex shape at a pose, in the order of their slots. Sensors
// count; mask as in CastRay.
func (q Queries) Overlaps(s shape.Convex, p r3.Pose, mask uint32, dst []GeomID) []GeomID {
	if mask == 0 {
		mask = ^uint32(0)
	}
	from := len(dst)
	box := s.Bounds(p)
	near := q.geoms.tree.Query(&box, nil)
	near = append(near, q.geoms.planes...)
	for _, i := range near {
		if q.geoms.all[i].category&mask != 0 && shape.Overlap(s, p, q.geoms.all[i].Shape,
			q.geoms.placements[i].Pose) {
			dst = append(dst, q.geoms.id(i))
		}
	}
	slices.SortFunc(dst[from:], func(a, b GeomID) int { return int(a.slot) - int(b.slot) })
	return dst
}

// Box appends the geoms whose bounding boxes overlap b, in the order of their slots. Planes have no
// bounds and are left out.
func (q Queries) Box(b r3.Box, dst []GeomID) []GeomID {
	from := len(dst)
	for _, i := range q.geoms.tree.Query(&b, nil) {
		if q.geoms.placements[i].tight.Overlaps(b) {
			dst = append(dst, q.geoms.id(i))
		}
	}
	slices.SortFunc(dst[from:], func(a, b GeomID) int { return int(a.slot) - int(b.slot) })
	return dst
}

// Contact is a manifold: two geoms that touch, with one normal.
type Contact struct {
	GeomA, GeomB GeomID
	BodyA, BodyB BodyID
	Normal       r3.Vec // unit, from A to B
	Count        int
	Points       [maxManifoldPoints]ContactPoint
	Friction     r3.Vec // N, on B, tangential
}

// ContactPoint is a point of a manifold.
type ContactPoint struct {
	Position r3.Vec  // in the middle between the two surfaces
	Depth    float64 // m, of penetration; below zero: a gap, which the last step may have closed
	Force    float64 // N, along the normal on B
}

// Contacts appends the manifolds of the last Step with their forces, in the order of the geoms' slots. Sensor
// geoms are among them, without forces.
func (w *World) Contacts(dst []Contact) []Contact {
	perSecond := 0.0
	if w.time.h > 0 {
		perSecond = 1 / w.time.h
	}
	for _, r := range w.contacts.pairs.sorted {
		c := &w.contacts.all[r.contact]
		for k := range c.count {
			m := &w.contacts.manifolds[c.base+k]
			out := Contact{
				GeomA: w.geoms.id(c.a), GeomB: w.geoms.id(c.b), BodyA: w.bodies.id(c.bodyA),
				BodyB:  w.bodies.id(c.bodyB),
				Normal: m.normal, Friction: m.friction.Scale(perSecond),
			}
			for i := range m.n {
				p, impulse := &m.points[i], m.impulses[i]
				if p.gap < touchDistance || impulse > 0 {
					out.Points[out.Count] = ContactPoint{
						w.contacts.pointOnA(&w.bodies, r.contact, p).AddScaled(float64(0.5*p.gap), m.normal),
						-p.gap,
						float64(impulse * perSecond),
					}
					out.Count++
				}
			}
			if out.Count > 0 {
				dst = append(dst, out)
			}
		}
	}
	return dst
}

// Crowd counts the dynamic bodies in the place of a box, those in except aside. The center of one of a body's
// geoms' bounding boxes is within the box, and the box's center within that bounding box. It stops at most.
func (q Queries) Crowd(b r3.Box, except []BodyID, most int) int {
	center := b.Centre()
	point := r3.Box{Min: center, Max: center}
	var found []int32
	for _, s := range q.geoms.tree.Query(&point, nil) {
		g, box := &q.geoms.all[s], &q.geoms.placements[s].tight
		if q.bodies.all[g.body].kind != Dynamic || g.sensor || g.category == 0 || !box.Overlaps(point) {
			continue
		}
		middle := box.Centre()
		if !b.Overlaps(r3.Box{Min: middle, Max: middle}) || slices.Contains(found, g.body) ||
			slices.Contains(except, q.bodies.id(g.body)) {
			continue
		}
		if found = append(found, g.body); len(found) >= most {
			break
		}
	}
	return len(found)
}

// ClosestPoint is the point of a geom's surface that is nearest to a given one.
type ClosestPoint struct {
	query.ClosestPoint
	Geom GeomID
	Body BodyID
}

// Closest finds the geom whose surface is nearest to a point, within limit metres. Only geoms with a Category
// in mask count (0: all), and no sensors; of equals the lowest slot. It is false if there is none, or if the
// point or the limit is not finite.
func (q Queries) Closest(point r3.Vec, limit float64, mask uint32) (ClosestPoint, bool) {
	if !point.IsFinite() || !(limit >= 0) || limit-limit != 0 {
		return ClosestPoint{}, false
	}
	if mask == 0 {
		mask = ^uint32(0)
	}
	box := r3.BoxAround(point, r3.Vec{X: limit, Y: limit, Z: limit})
	best, found := query.ClosestPoint{Distance: limit}, false
	slot := int32(-1)
	for _, s := range append(q.geoms.tree.Query(&box, nil), q.geoms.planes...) {
		g := &q.geoms.all[s]
		if g.sensor || g.category&mask == 0 {
			continue
		}
		c, ok := query.Closest(g.Shape, q.geoms.placements[s].Pose, point, best.Distance)
		if ok && (c.Distance < best.Distance || !found || (c.Distance == best.Distance && s < slot)) {
			best, found, slot = c, true, s
		}
	}
	if !found {
		return ClosestPoint{ClosestPoint: best}, false
	}
	return ClosestPoint{best, q.geoms.id(slot), q.bodies.id(q.geoms.all[slot].body)}, true
}

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
