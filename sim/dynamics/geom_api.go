package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// speculation is the speculative distance: geoms nearer than that, in m, get contact points. The points push
// only from touch on, but let the solver stop the geoms exactly there.
const speculation = 0.01

// placeGeoms moves a body's geoms to its pose. A geom that leaves its fat box, or each with force, gets a new
// box and takes part in the next broad phase.
func (w *World) placeGeoms(slot int32, force bool) {
	w.invalidate(slot)
	w.invalidateArticulation(slot, force)
}

// invalidateArticulation is placeGeoms for a body whose motion has been accumulated.
func (w *World) invalidateArticulation(slot int32, force bool) {
	d := &w.scratch[0]
	d.escaped = d.escaped[:0]
	w.updateMovedGeoms(d, slot, force)
	w.refreshEscapedGeoms()
}

// refreshEscapedGeoms reinserts the geoms that have left their fat boxes into the tree.
func (w *World) refreshEscapedGeoms() {
	for i := range w.scratch {
		d := &w.scratch[i]
		for _, s := range d.escaped {
			w.geoms.tree.Move(w.geoms.all[s].leaf, w.geoms.placements[s].fat)
			w.markMoved(s)
		}
		d.escaped = d.escaped[:0]
	}
}

// updateMovedGeoms moves the geoms of a body to its pose, and notes those that need a new fat box.
func (w *World) updateMovedGeoms(d *workerScratch, slot int32, force bool) {
	m, in := &w.bodies.motion[slot], &w.bodies.massProps[slot]
	ahead := speculation + w.maxStepMotion(slot, m, in)
	for _, s := range w.bodies.all[slot].geoms {
		g, p := &w.geoms.all[s], &w.geoms.placements[s]
		pos, rot := m.origin, m.rot
		if !g.proxyValid {
			there := r3.Pose{Pos: pos, Rot: rot}.Mul(g.local)
			pos, rot = there.Pos, there.Rot
		}
		p.Pose.Pos, p.Pose.Rot = pos, rot
		x, y, z := rot.Rows()
		p.Mat = r3.Mat{XX: x.X, XY: x.Y, XZ: x.Z, YX: y.X, YY: y.Y, YZ: y.Z, ZX: z.X, ZY: z.Y, ZZ: z.Z}
		if g.Kind == shape.KindPlane {
			continue
		}
		p.tight = g.AABB(&p.Placement)
		if ahead != speculation || ahead != w.geoms.bounds[s].lookahead {
			w.invalidate(slot)
		}
		w.geoms.bounds[s].box, w.geoms.bounds[s].lookahead = p.tight, ahead
		if grown := p.tight.Grow(ahead); force || !p.fat.Contains(grown) {
			p.fat = swept(p.tight.Grow(ahead+g.margin), m.v.Scale(float64(lookaheadSteps*w.time.dt)))
			w.geoms.bounds[s].renewedStep = w.time.steps + 1
			w.invalidate(slot)
			d.escaped = append(d.escaped, s)
		}
	}
}

// lookaheadSteps is how many steps of its geom's motion a fat box contains.
const lookaheadSteps = 2

// swept is the bounding box of b and of b moved by d.
func swept(b r3.Box, d r3.Vec) r3.Box {
	b.Min, b.Max = b.Min.Add(d.Min(r3.Vec{})), b.Max.Add(d.Max(r3.Vec{}))
	return b
}

// maxStepMotion is the motion of a body in a step, in m, if it is fast for its thickness, else 0. Speculation
// adds it, so that a fast, thin body does not pass through another.
func (w *World) maxStepMotion(slot int32, m *bodyPoseVelocity, in *massProperties) float64 {
	d2 := float64(m.v.Len2() * float64(w.time.dt*w.time.dt))
	if d2 <= float64(0.25*float64(in.halfThickness*in.halfThickness)) {
		return 0
	}
	motion := math.Sqrt(d2)
	if w.isFreeBody(slot) && w.isBullet(slot, motion) {
		return in.halfThickness // continuous collision takes the rest
	}
	return motion
}

// placeGeom places a new geom and inserts it into the tree.
func (w *World) placeGeom(s int32) {
	g, p := &w.geoms.all[s], &w.geoms.placements[s]
	m := &w.bodies.motion[g.body]
	w.invalidate(g.body)
	p.Pose = r3.Pose{Pos: m.origin, Rot: m.rot}.Mul(g.local)
	p.Mat = p.Pose.Rot.Mat()
	p.tight = g.AABB(&p.Placement)
	p.fat = p.tight
	w.geoms.bounds[s] = fatBound{box: p.tight, lookahead: speculation, renewedStep: w.time.steps + 1}
	if g.Kind != shape.KindPlane {
		p.fat = p.tight.Grow(speculation + g.margin)
		g.leaf = w.geoms.tree.Insert(s, p.fat)
	}
	w.markMoved(s)
	if len(w.bodies.all[g.body].geoms) > 1 {
		w.adjacency.moved = append(w.adjacency.moved, s)
	}
}

// markMoved makes a geom take part in the next broad phase.
func (w *World) markMoved(s int32) {
	if p := &w.geoms.placements[s]; !p.moved {
		p.moved = true
		w.geoms.moved = append(w.geoms.moved, s)
		w.invalidateAdjacency(s)
	}
}

func (w *World) geomAlive(id GeomID) bool { return w.geoms.ids.isCurrent(id.slot, id.gen) }

func (w *World) geomID(slot int32) GeomID { return GeomID{uint32(slot), w.geoms.ids.gen[slot]} }

// GeomPose is the pose of a geom's shape in the world's frame; the identity for a geom that is gone.
func (w *World) GeomPose(id GeomID) r3.Pose {
	if !w.geomAlive(id) {
		return r3.IdentityPose()
	}
	return w.geoms.placements[id.slot].Pose
}

// GeomShape is a geom's shape; nil for a geom that is gone.
func (w *World) GeomShape(id GeomID) shape.Shape {
	if !w.geomAlive(id) {
		return nil
	}
	return w.geoms.all[id.slot].Shape
}

// GeomBody is the body that a geom is fixed to; zero for a geom that is gone.
func (w *World) GeomBody(id GeomID) BodyID {
	if !w.geomAlive(id) {
		return BodyID{}
	}
	return w.bodyID(w.geoms.all[id.slot].body)
}

// GeomUser is the caller's index from the GeomDef; zero for a geom that is gone.
func (w *World) GeomUser(id GeomID) int {
	if !w.geomAlive(id) {
		return 0
	}
	return w.geoms.all[id.slot].user
}

// GeomBounds is the axis-aligned bounding box of a geom in the world's frame; empty for a geom that is gone.
func (w *World) GeomBounds(id GeomID) r3.Box {
	if !w.geomAlive(id) {
		return r3.EmptyBox()
	}
	return w.geoms.placements[id.slot].tight
}

// Geoms appends the ids of all geoms in the order of their slots.
func (w *World) Geoms(dst []GeomID) []GeomID {
	for i := range w.geoms.all {
		if w.geoms.ids.inUse(int32(i)) {
			dst = append(dst, w.geomID(int32(i)))
		}
	}
	return dst
}

// BodyGeoms appends the ids of a body's geoms in the order of their slots.
func (w *World) BodyGeoms(id BodyID, dst []GeomID) []GeomID {
	if w.Alive(id) {
		for _, s := range w.bodies.all[id.slot].geoms {
			dst = append(dst, w.geomID(s))
		}
	}
	return dst
}
