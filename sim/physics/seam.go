package physics

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
	leanFace, leanEdge = 0.1, 0.002
	// alongMost is how far, in metres, along its face or edge a contact is looked for that is free.
	alongMost = 0.1
	// opposed is the cosine from which on faces do not look at each other: nothing gets into a narrower nook.
	opposed = -0.5
	// outsideFace is how far, in metres, from a face a point may be and still be of it.
	outsideFace = 1e-6
)

// cover is what a contact is judged by.
type cover struct {
	own    corner // of the geom that it presses on
	other  corner
	parts  [cornerMost]float64
	over   [cornerMost]facet // of those that hide it: where it may get out from under them
	n      int
	face   cloud
	middle r3.Vec   // of what presses
	g, by  int32    // the geoms that are pressed on and that press
	out    float64  // 1 when normals point out of the first, else -1
	beside []uint64 // those that touch it
	still  bool     // it is static: planes may hide it, too
	on     bool     // something may hide something
}

// lookBeside finds what may hide what the geoms of a contact press on: of the one that stands still, else of the second.
func (w *World) lookBeside(v *cover, c *contact) {
	w.lookAt(v, c, w.bodies[c.bodyB].kind != Static && w.bodies[c.bodyA].kind == Static)
}

// lookBesideOther is lookBeside for the other geom, of a body that moves. Only what is convex is told to press on a face.
func (w *World) lookBesideOther(v *cover, c *contact) bool {
	if !w.besides.riding {
		return false
	}
	w.lookAt(v, c, v.g != c.a)
	v.on = v.on && !v.still && w.geoms[v.by].surface == nil
	return v.on
}

// lookAt finds what may hide what the first or the second geom is pressed on.
func (w *World) lookAt(v *cover, c *contact, first bool) {
	v.g, v.by, v.out = c.b, c.a, -1
	if first {
		v.g, v.by, v.out = c.a, c.b, 1
	}
	v.still = w.bodies[w.geoms[v.g].body].kind == Static
	if v.on = !c.plane && !c.sensor && (v.still || w.besides.riding); !v.on {
		return
	}
	v.beside = w.beside(v.g)
	if v.on = len(v.beside) > 0 || v.still && len(w.planes) > 0; v.on {
		v.middle = w.placed[v.by].pose.Apply(w.geoms[v.by].middle)
	}
}

// leaveSeams takes the clouds away that press on what other geoms hide, but for those that are deep: what spin or
// weight has pressed into a nook of two geoms must come out, and there each hides what the other pushes with.
func (w *World) leaveSeams(sc *narrowScratch, margin float64) {
	v, n := &sc.cover, 0
	for k := range sc.n {
		if cl := &sc.clouds[k]; cl.least() < -seamBuried || w.isFree(v, cl) || w.faceOf(v, cl, margin) {
			if n != k {
				sc.clouds[n] = *cl
			}
			n++
		}
	}
	sc.n = n
}

// isFree reports that a point of a cloud presses on what nothing hides. Normals point out of the geom when turned by out.
func (w *World) isFree(v *cover, cl *cloud) bool {
	dir := cl.normal.Scale(v.out)
	for i := range cl.n {
		at := w.pressed(v, cl, i)
		if !w.covered(v, at, dir, leanEdge) {
			return true
		}
		edges, lean := w.ownFaces(v, at, dir), leanEdge
		if edges < 2 {
			lean = leanFace
		}
		if !w.covered(v, at, dir, lean) || w.freeBeyond(v, at, dir, edges, lean) {
			return true
		}
	}
	return false
}

// pressed is where on its geom a point of a cloud presses.
func (w *World) pressed(v *cover, cl *cloud, i int) r3.Vec {
	at := cl.p[i].pos
	if v.out < 0 {
		at = at.AddScaled(cl.p[i].gap, cl.normal)
	}
	return w.settle(v, at, cl.normal.Scale(v.out))
}

// covered reports that some geom beside hides a place from a contact along dir, and notes the faces of all that do.
func (w *World) covered(v *cover, at, dir r3.Vec, lean float64) bool {
	v.n = 0
	hidden := false
	for _, k := range v.beside {
		o := int32(k & 0xffffffff)
		if w.geoms[o].surface != nil {
			hidden = w.coveredBySurface(v, o, at, dir, lean) || hidden
		} else if w.cornerAt(o, at, dir, &v.other) && w.hides(v, o, dir, lean) {
			hidden = true
		}
	}
	for _, o := range w.planes {
		if v.still && o != v.g && w.cornerAt(o, at, dir, &v.other) && w.hides(v, o, dir, lean) {
			hidden = true
		}
	}
	return hidden
}

// hides reports that dir leans into the geom whose corner was found, and that it takes part: what presses meets it too.
func (w *World) hides(v *cover, o int32, dir r3.Vec, lean float64) bool {
	if v.other.rest(dir, &v.parts).Len2() < float64(lean*lean) || !w.mayCollide(v.by, o) {
		return false
	}
	for _, f := range v.other.f[:v.other.n] {
		if v.n < len(v.over) && f.normal.Dot(dir) > opposed {
			v.over[v.n] = f
			v.n++
		}
	}
	return true
}

func (w *World) coveredBySurface(v *cover, o int32, at, dir r3.Vec, lean float64) bool {
	p, m := &w.placed[o], w.geoms[o].surface
	x, along, middle := p.pose.ApplyInverse(at), p.mat.ApplyT(dir), p.pose.ApplyInverse(v.middle)
	hidden := false
	shape.QuerySurface(m, r3.BoxAround(x, r3.Vec{X: backing, Y: backing, Z: backing}), func(t int32) bool {
		if v.other.prism(m, t, x, middle, along, seamNear, seamDeep) {
			for i := range v.other.n {
				v.other.f[i].normal = p.mat.Apply(v.other.f[i].normal)
			}
			hidden = w.hides(v, o, dir, lean) || hidden
		}
		return true
	})
	return hidden
}

// ownFaces finds the faces of its own geom that a contact presses on, and says how many they are: 1, 2 for an edge, 3 for
// a corner. Of a surface, contacts press on faces.
func (w *World) ownFaces(v *cover, at, dir r3.Vec) int {
	if w.geoms[v.g].surface != nil {
		v.own.n, v.own.f[0].normal = 1, dir
		return 1
	}
	if !w.cornerAt(v.g, at, dir, &v.own) {
		v.own.n, v.own.f[0].normal = 1, dir
	}
	v.own.rest(dir, &v.parts)
	n := 0
	for i := range v.own.n {
		if v.parts[i] > leanEdge {
			v.own.f[n] = v.own.f[i]
			n++
		}
	}
	v.own.n = n
	return n
}

// freeBeyond reports that the contact is free a little further along what it presses on: out from under what hides it.
func (w *World) freeBeyond(v *cover, at, dir r3.Vec, edges int, lean float64) bool {
	if edges == 0 || edges > 2 {
		return false
	}
	var ways [cornerMost + 1]r3.Vec
	over, n := v.over, v.n // those that hide it here
	for i := range n {
		ways[i] = v.along(over[i].normal, edges)
		ways[n] = ways[n].Add(ways[i])
	}
	for i, way := range ways[:n+1] {
		l := way.Len()
		if l < leanEdge {
			continue
		}
		way = way.Scale(1 / l)
		far := 0.0
		for k, f := range over[:n] {
			if rise := f.normal.Dot(way); rise > leanEdge && (k == i || i == n) {
				far = max(far, (1.1*seamNear-f.height)/rise)
			}
		}
		if x := at.AddScaled(far, way); far > 0 && far < alongMost && w.isOn(v, x, dir) && !w.covered(v, x, dir, lean) {
			return true
		}
	}
	return false
}

// along is the part of a direction along the face or edge that a contact presses on.
func (v *cover) along(x r3.Vec, edges int) r3.Vec {
	n := v.own.f[0].normal
	if edges == 2 {
		n, _ = n.Cross(v.own.f[1].normal).Unit()
		return n.Scale(x.Dot(n))
	}
	return x.AddScaled(-x.Dot(n), n)
}

// isOn reports that a place is on the geom that a contact presses on, where its face looks along dir.
func (w *World) isOn(v *cover, at, dir r3.Vec) bool {
	g, p := &w.geoms[v.g], &w.placed[v.g]
	if g.surface == nil {
		return w.cornerAt(v.g, at, dir, &v.other) && v.other.highest < outsideFace
	}
	x, along, middle := p.pose.ApplyInverse(at), p.mat.ApplyT(dir), p.pose.ApplyInverse(v.middle)
	found := false
	shape.QuerySurface(g.surface, r3.BoxAround(x, r3.Vec{X: outsideFace, Y: outsideFace, Z: outsideFace}), func(t int32) bool {
		found = v.other.prism(g.surface, t, x, middle, along, seamNear, seamDeep) && v.other.highest < outsideFace && v.other.f[0].normal.Dot(along) > facing
		return !found
	})
	return found
}

// faceOf turns a cloud that presses on what is hidden into one on a face beside it, over which the other geom stands.
func (w *World) faceOf(v *cover, cl *cloud, margin float64) bool {
	dir, least := cl.normal.Scale(v.out), cl.least()
	for i := range cl.n {
		at := w.pressed(v, cl, i)
		v.own.n = 0
		if w.geoms[v.g].surface == nil {
			w.cornerAt(v.g, at, dir, &v.own)
		}
		for faces, k := v.own, 0; k < faces.n; k++ {
			if w.pressFace(v, faces.f[k].normal, margin) && (least <= 0 || v.face.before()) {
				if v.out < 0 {
					v.face.turn()
				}
				if w.isFree(v, &v.face) {
					*cl = v.face
					return true
				}
			}
		}
	}
	return false
}

// pressFace is the contact with one face, of what is over it or over a slit beside it.
func (w *World) pressFace(v *cover, normal r3.Vec, margin float64) bool {
	g, by := &w.geoms[v.g], &w.geoms[v.by]
	pose := w.placed[v.g].pose
	rel := pose.Relative(w.placed[v.by].pose)
	flat, other := solid{g: g, proxy: &g.proxy}, solid{g: by, proxy: &by.proxy}
	face := pose.Rot.RotateBack(normal)
	v.face.n = 0
	if !collideFace(&v.face, &flat, &other, rel, face, margin) {
		v.face.lay(&other, rel, face, flat.furthest(face), margin, func(x r3.Vec) bool {
			v.other.clear(seamNear, seamDeep)
			return g.corner(x, face, &v.other)
		})
	}
	v.face.toWorld(pose)
	return v.face.n > 0
}

// lay takes in what is over a face, so far up along its normal, or over a slit beside it, as on tells.
func (c *cloud) lay(other *solid, rel r3.Pose, face r3.Vec, up, margin float64, on func(x r3.Vec) bool) {
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

// turn lets a cloud's second geom be its first: its points go over to the other side.
func (c *cloud) turn() {
	for i := range c.n {
		p := &c.p[i]
		p.pos = p.pos.AddScaled(p.gap, c.normal)
	}
	c.normal = c.normal.Neg()
}

// hidesEdge reports that what stands beside a surface hides the edge of a triangle that a contact presses on.
func (w *World) hidesEdge(v *cover, m shape.Surface, t int32, middle r3.Vec, c *shape.Closest) bool {
	p := &w.placed[v.g]
	return w.covered(v, p.pose.Apply(w.settleOn(v, m, t, c.A, middle, c.Normal)), p.mat.Apply(c.Normal), leanEdge)
}

// collideBeside is the contact with a triangle's face of what is over it, or over a slit beside it.
func (w *World) collideBeside(v *cover, cl *cloud, tri, other *solid, rel r3.Pose, face r3.Vec, margin float64, g *geom, t int32, middle r3.Vec) bool {
	if !collideFace(cl, tri, other, rel, face, margin) {
		cl.lay(other, rel, face, tri.tri[0].Dot(face), margin, func(x r3.Vec) bool {
			return v.other.prism(g.surface, t, x, middle, face, seamNear, seamDeep)
		})
	}
	return cl.n > 0
}
