package dynamics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Where geoms that are static or of one body stand side by side, as tiles do, what slides over them must not catch on the edges and sides that
// they hide of each other ("ghost collisions": Catto 2020; Terdiman, "Contact generation for meshes"). Each pair of geoms
// is looked at alone, so that a contact is judged by what it presses on: at its place the solids together allow as normals
// only those that every one of them allows. For convex ones that is the cone of the normals of its faces there, and it
// takes no vertices in common, nor flush sides. A corner between a floor and a wall allows none by itself; there a
// contact counts if it does so further along the face or edge that it presses on.
const (
	// A contact that leans into a neighbour by less, as a sine, is let be: one with a face more than one with an edge,
	// which nearly flat seams must not lose, and which nothing catches on.
	faceLeanTolerance, edgeLeanTolerance = 0.1, 0.002
	// maxFreeDistance is how far, in metres, along its face or edge a contact is looked for that is free.
	maxFreeDistance = 0.1
	// opposedCosine is the cosine from which on faces do not look at each other: nothing gets into a narrower nook.
	opposedCosine = -0.5
	// facePlaneTolerance is how far, in metres, from a face a point may be and still be of it.
	facePlaneTolerance = 1e-6
)

// internalEdgeQuery is what a contact is judged by.
type internalEdgeQuery struct {
	own               normalCone // of the geom that it presses on
	other             normalCone
	parts             [maxConeFacets]float64
	coveringFacets    [maxConeFacets]facet // of those that hide it: where it may get out from under them
	coveringCount     int
	face              contactPoints
	middle            r3.Vec   // of what presses
	pressed, pressing int32    // the geoms that are pressed on and that press
	normalSign        float64  // 1 when normals point out of the first, else -1
	adjacent          []uint64 // those that touch it
	isStatic          bool     // it is static: planes may hide it, too
	enabled           bool     // something may hide something
}

// queryAdjacent finds what may hide what the geoms of a contact press on: of the one that stands still, else of the second.
func (w *World) queryAdjacent(v *internalEdgeQuery, c *contact) {
	w.beginInternalEdgeQuery(v, c, w.bodies[c.bodyB].kind != Static && w.bodies[c.bodyA].kind == Static)
}

// queryAdjacentOfOther is queryAdjacent for the other geom, of a body that moves. Only what is convex is told to press on a face.
func (w *World) queryAdjacentOfOther(v *internalEdgeQuery, c *contact) bool {
	if !w.adjacency.movingBodies {
		return false
	}
	w.beginInternalEdgeQuery(v, c, v.pressed != c.a)
	v.enabled = v.enabled && !v.isStatic && w.geoms[v.pressing].surface == nil
	return v.enabled
}

// beginInternalEdgeQuery finds what may hide what the first or the second geom is pressed on.
func (w *World) beginInternalEdgeQuery(v *internalEdgeQuery, c *contact, first bool) {
	v.pressed, v.pressing, v.normalSign = c.b, c.a, -1
	if first {
		v.pressed, v.pressing, v.normalSign = c.a, c.b, 1
	}
	v.isStatic = w.bodies[w.geoms[v.pressed].body].kind == Static
	if v.enabled = !c.plane && !c.sensor && (v.isStatic || w.adjacency.movingBodies); !v.enabled {
		return
	}
	v.adjacent = w.adjacentGeoms(v.pressed)
	if v.enabled = len(v.adjacent) > 0 || v.isStatic && len(w.planes) > 0; v.enabled {
		v.middle = w.placements[v.pressing].pose.Apply(w.geoms[v.pressing].middle)
	}
}

// removeInternalEdges takes the clouds away that press on what other geoms hide, but for those that are deep: what spin or
// weight has pressed into a nook of two geoms must come out, and there each hides what the other pushes with.
func (w *World) removeInternalEdges(sc *narrowScratch, margin float64) {
	v, n := &sc.internalEdges, 0
	for k := range sc.n {
		if cl := &sc.candidates[k]; cl.minGap() < -internalEdgeMaxDepth || w.isUncovered(v, cl) || w.moveToFace(v, cl, margin) {
			if n != k {
				sc.candidates[n] = *cl
			}
			n++
		}
	}
	sc.n = n
}

// isUncovered reports that a point of a cloud presses on what nothing hides. Normals point out of the geom when turned by out.
func (w *World) isUncovered(v *internalEdgeQuery, cl *contactPoints) bool {
	dir := cl.normal.Scale(v.normalSign)
	for i := range cl.n {
		at := w.contactOnGeom(v, cl, i)
		if !w.isCovered(v, at, dir, edgeLeanTolerance) {
			return true
		}
		edges, lean := w.supportingFaces(v, at, dir), edgeLeanTolerance
		if edges < 2 {
			lean = faceLeanTolerance
		}
		if !w.isCovered(v, at, dir, lean) || w.isFreeBeyond(v, at, dir, edges, lean) {
			return true
		}
	}
	return false
}

// contactOnGeom is where on its geom a point of a cloud presses.
func (w *World) contactOnGeom(v *internalEdgeQuery, cl *contactPoints, i int) r3.Vec {
	at := cl.points[i].pos
	if v.normalSign < 0 {
		at = at.AddScaled(cl.points[i].gap, cl.normal)
	}
	return w.unroundOnGeom(v, at, cl.normal.Scale(v.normalSign))
}

// isCovered reports that some geom beside hides a place from a contact along dir, and notes the faces of all that do.
func (w *World) isCovered(v *internalEdgeQuery, at, dir r3.Vec, lean float64) bool {
	v.coveringCount = 0
	hidden := false
	for _, k := range v.adjacent {
		o := int32(k & 0xffffffff)
		if w.geoms[o].surface != nil {
			hidden = w.isCoveredBySurface(v, o, at, dir, lean) || hidden
		} else if w.normalConeAt(o, at, dir, &v.other) && w.covers(v, o, dir, lean) {
			hidden = true
		}
	}
	for _, o := range w.planes {
		if v.isStatic && o != v.pressed && w.normalConeAt(o, at, dir, &v.other) && w.covers(v, o, dir, lean) {
			hidden = true
		}
	}
	return hidden
}

// covers reports that dir leans into the geom whose corner was found, and that it takes part: what presses meets it too.
func (w *World) covers(v *internalEdgeQuery, o int32, dir r3.Vec, lean float64) bool {
	if v.other.outsideCone(dir, &v.parts).Len2() < float64(lean*lean) || !w.mayCollide(v.pressing, o) {
		return false
	}
	for _, f := range v.other.facets[:v.other.n] {
		if v.coveringCount < len(v.coveringFacets) && f.normal.Dot(dir) > opposedCosine {
			v.coveringFacets[v.coveringCount] = f
			v.coveringCount++
		}
	}
	return true
}

func (w *World) isCoveredBySurface(v *internalEdgeQuery, o int32, at, dir r3.Vec, lean float64) bool {
	p, m := &w.placements[o], w.geoms[o].surface
	x, along, middle := p.pose.ApplyInverse(at), p.mat.ApplyT(dir), p.pose.ApplyInverse(v.middle)
	hidden := false
	shape.QuerySurface(m, r3.BoxAround(x, r3.Vec{X: triangleThickness, Y: triangleThickness, Z: triangleThickness}), func(t int32) bool {
		if v.other.addTriangleFaces(m, t, x, middle, along, internalEdgeDistance, internalEdgeDepth) {
			for i := range v.other.n {
				v.other.facets[i].normal = p.mat.Apply(v.other.facets[i].normal)
			}
			hidden = w.covers(v, o, dir, lean) || hidden
		}
		return true
	})
	return hidden
}

// supportingFaces finds the faces of its own geom that a contact presses on, and says how many they are: 1, 2 for an edge, 3 for
// a corner. Of a surface, contacts press on faces.
func (w *World) supportingFaces(v *internalEdgeQuery, at, dir r3.Vec) int {
	if w.geoms[v.pressed].surface != nil {
		v.own.n, v.own.facets[0].normal = 1, dir
		return 1
	}
	if !w.normalConeAt(v.pressed, at, dir, &v.own) {
		v.own.n, v.own.facets[0].normal = 1, dir
	}
	v.own.outsideCone(dir, &v.parts)
	n := 0
	for i := range v.own.n {
		if v.parts[i] > edgeLeanTolerance {
			v.own.facets[n] = v.own.facets[i]
			n++
		}
	}
	v.own.n = n
	return n
}

// isFreeBeyond reports that the contact is free a little further along what it presses on: out from under what hides it.
func (w *World) isFreeBeyond(v *internalEdgeQuery, at, dir r3.Vec, edges int, lean float64) bool {
	if edges == 0 || edges > 2 {
		return false
	}
	var ways [maxConeFacets + 1]r3.Vec
	over, n := v.coveringFacets, v.coveringCount // those that hide it here
	for i := range n {
		ways[i] = v.tangentAlong(over[i].normal, edges)
		ways[n] = ways[n].Add(ways[i])
	}
	for i, way := range ways[:n+1] {
		l := way.Len()
		if l < edgeLeanTolerance {
			continue
		}
		way = way.Scale(1 / l)
		far := 0.0
		for k, f := range over[:n] {
			if rise := f.normal.Dot(way); rise > edgeLeanTolerance && (k == i || i == n) {
				far = max(far, (1.1*internalEdgeDistance-f.height)/rise)
			}
		}
		if x := at.AddScaled(far, way); far > 0 && far < maxFreeDistance && w.isOnGeom(v, x, dir) && !w.isCovered(v, x, dir, lean) {
			return true
		}
	}
	return false
}

// tangentAlong is the part of a direction along the face or edge that a contact presses on.
func (v *internalEdgeQuery) tangentAlong(x r3.Vec, edges int) r3.Vec {
	n := v.own.facets[0].normal
	if edges == 2 {
		n, _ = n.Cross(v.own.facets[1].normal).Unit()
		return n.Scale(x.Dot(n))
	}
	return x.AddScaled(-x.Dot(n), n)
}

// isOnGeom reports that a place is on the geom that a contact presses on, where its face looks along dir.
func (w *World) isOnGeom(v *internalEdgeQuery, at, dir r3.Vec) bool {
	g, p := &w.geoms[v.pressed], &w.placements[v.pressed]
	if g.surface == nil {
		return w.normalConeAt(v.pressed, at, dir, &v.other) && v.other.highest < facePlaneTolerance
	}
	x, along, middle := p.pose.ApplyInverse(at), p.mat.ApplyT(dir), p.pose.ApplyInverse(v.middle)
	found := false
	shape.QuerySurface(g.surface, r3.BoxAround(x, r3.Vec{X: facePlaneTolerance, Y: facePlaneTolerance, Z: facePlaneTolerance}), func(t int32) bool {
		found = v.other.addTriangleFaces(g.surface, t, x, middle, along, internalEdgeDistance, internalEdgeDepth) && v.other.highest < facePlaneTolerance && v.other.facets[0].normal.Dot(along) > facingCosine
		return !found
	})
	return found
}

// moveToFace turns a cloud that presses on what is hidden into one on a face beside it, over which the other geom stands.
func (w *World) moveToFace(v *internalEdgeQuery, cl *contactPoints, margin float64) bool {
	dir, least := cl.normal.Scale(v.normalSign), cl.minGap()
	for i := range cl.n {
		at := w.contactOnGeom(v, cl, i)
		v.own.n = 0
		if w.geoms[v.pressed].surface == nil {
			w.normalConeAt(v.pressed, at, dir, &v.own)
		}
		for faces, k := v.own, 0; k < faces.n; k++ {
			if w.collideFaceBeside(v, faces.facets[k].normal, margin) && (least <= 0 || v.face.isInFront()) {
				if v.normalSign < 0 {
					v.face.swapSides()
				}
				if w.isUncovered(v, &v.face) {
					*cl = v.face
					return true
				}
			}
		}
	}
	return false
}

// collideFaceBeside is the contact with one face, of what is over it or over a slit beside it.
func (w *World) collideFaceBeside(v *internalEdgeQuery, normal r3.Vec, margin float64) bool {
	g, by := &w.geoms[v.pressed], &w.geoms[v.pressing]
	pose := w.placements[v.pressed].pose
	rel := pose.Relative(w.placements[v.pressing].pose)
	flat, other := convexProxy{g: g, proxy: &g.proxy}, convexProxy{g: by, proxy: &by.proxy}
	face := pose.Rot.RotateBack(normal)
	v.face.n = 0
	if !collideFace(&v.face, &flat, &other, rel, face, margin) {
		v.face.addOverFace(&other, rel, face, flat.supportDistance(face), margin, func(x r3.Vec) bool {
			v.other.reset(internalEdgeDistance, internalEdgeDepth)
			return g.addFaces(x, face, &v.other)
		})
	}
	v.face.toWorld(pose)
	return v.face.n > 0
}

// addOverFace takes in what is over a face, so far up along its normal, or over a slit beside it, as on tells.
func (c *contactPoints) addOverFace(other *convexProxy, rel r3.Pose, face r3.Vec, up, margin float64, on func(x r3.Vec) bool) {
	var f feature
	other.feature(rel.Rot.RotateBack(face.Neg()), &f)
	c.start(face)
	for i := range f.n {
		x := rel.Apply(f.p[i])
		gap := x.Dot(face) - up
		if x = x.AddScaled(-gap, face); gap <= margin && on(x) {
			c.add(x, gap, uint32(f.id[i]))
		}
	}
}

// swapSides lets a cloud's second geom be its first: its points go over to the other side.
func (c *contactPoints) swapSides() {
	for i := range c.n {
		p := &c.points[i]
		p.pos = p.pos.AddScaled(p.gap, c.normal)
	}
	c.normal = c.normal.Neg()
}

// coversEdge reports that what stands beside a surface hides the edge of a triangle that a contact presses on.
func (w *World) coversEdge(v *internalEdgeQuery, m shape.Surface, t int32, middle r3.Vec, c *shape.Closest) bool {
	p := &w.placements[v.pressed]
	return w.isCovered(v, p.pose.Apply(w.unroundOnTriangle(v, m, t, c.A, middle, c.Normal)), p.mat.Apply(c.Normal), edgeLeanTolerance)
}

// collideAdjacentFace is the contact with a triangle's face of what is over it, or over a slit beside it.
func (w *World) collideAdjacentFace(v *internalEdgeQuery, cl *contactPoints, tri, other *convexProxy, rel r3.Pose, face r3.Vec, margin float64, g *geom, t int32, middle r3.Vec) bool {
	if !collideFace(cl, tri, other, rel, face, margin) {
		cl.addOverFace(other, rel, face, tri.triangle[0].Dot(face), margin, func(x r3.Vec) bool {
			return v.other.addTriangleFaces(g.surface, t, x, middle, face, internalEdgeDistance, internalEdgeDepth)
		})
	}
	return cl.n > 0
}
