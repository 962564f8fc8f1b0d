package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// speculation is the speculative distance: geoms nearer than that, in m, get contact points. The points push
// only from touch on, but let the solver stop the geoms exactly there.
const speculation = 0.01

// place moves a body's geoms to its pose. A geom that leaves its fat box, or each with force, gets a new box
// and takes part in the next broad phase.
func (gs *geomSet) place(bodies *bodySet, time *stepTime, slot int32, force bool) {
	bodies.invalidate(slot)
	gs.placeAccumulated(bodies, time, slot, force)
}

// placeAccumulated is place for a body whose motion has been accumulated.
func (gs *geomSet) placeAccumulated(bodies *bodySet, time *stepTime, slot int32, force bool) {
	gs.escaped = gs.follow(bodies, time, slot, force, gs.escaped[:0])
	gs.refresh(bodies, gs.escaped)
}

// refresh reinserts geoms that have left their fat boxes into the tree.
func (gs *geomSet) refresh(bodies *bodySet, escaped []int32) {
	for _, s := range escaped {
		gs.tree.Move(gs.all[s].leaf, gs.placements[s].fat)
		gs.markMoved(bodies, s)
	}
}

// follow moves the geoms of a body to its pose, and adds those that need a new fat box to a list.
func (gs *geomSet) follow(bodies *bodySet, time *stepTime, slot int32, force bool, escaped []int32) []int32 {
	m, in := &bodies.motion[slot], &bodies.massProps[slot]
	ahead := speculation + bodies.maxStepMotion(time.dt, slot, m, in)
	for _, s := range bodies.all[slot].geoms {
		g, p := &gs.all[s], &gs.placements[s]
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
		if ahead != speculation || ahead != gs.bounds[s].lookahead {
			bodies.invalidate(slot)
		}
		gs.bounds[s].box, gs.bounds[s].lookahead = p.tight, ahead
		if grown := p.tight.Grow(ahead); force || !p.fat.Contains(grown) {
			p.fat = swept(p.tight.Grow(ahead+g.margin), m.v.Scale(float64(lookaheadSteps*time.dt)))
			gs.bounds[s].renewedStep = time.steps + 1
			bodies.invalidate(slot)
			escaped = append(escaped, s)
		}
	}
	return escaped
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
func (bs *bodySet) maxStepMotion(dt float64, slot int32, m *bodyPoseVelocity, in *massProperties) float64 {
	d2 := float64(m.v.Len2() * float64(dt*dt))
	if d2 <= float64(0.25*float64(in.halfThickness*in.halfThickness)) {
		return 0
	}
	motion := math.Sqrt(d2)
	if bs.isFree(slot) && bs.isBullet(slot, motion) {
		return in.halfThickness // continuous collision takes the rest
	}
	return motion
}

// insert places a new geom and inserts it into the tree.
func (gs *geomSet) insert(bodies *bodySet, steps uint64, s int32) {
	g, p := &gs.all[s], &gs.placements[s]
	m := &bodies.motion[g.body]
	bodies.invalidate(g.body)
	p.Pose = r3.Pose{Pos: m.origin, Rot: m.rot}.Mul(g.local)
	p.Mat = p.Pose.Rot.Mat()
	p.tight = g.AABB(&p.Placement)
	p.fat = p.tight
	gs.bounds[s] = fatBound{box: p.tight, lookahead: speculation, renewedStep: steps + 1}
	if g.Kind != shape.KindPlane {
		p.fat = p.tight.Grow(speculation + g.margin)
		g.leaf = gs.tree.Insert(s, p.fat)
	}
	gs.markMoved(bodies, s)
	if len(bodies.all[g.body].geoms) > 1 {
		gs.adjacency.moved = append(gs.adjacency.moved, s)
	}
}

// markMoved makes a geom take part in the next broad phase.
func (gs *geomSet) markMoved(bodies *bodySet, s int32) {
	if p := &gs.placements[s]; !p.moved {
		p.moved = true
		gs.moved = append(gs.moved, s)
		gs.invalidateAdjacency(bodies, s)
	}
}

// Geom is a geom of a world by its id, to be asked. Of a geom that is gone it says zero values.
type Geom struct {
	w  *World
	id GeomID
}

// Geom is the geom with an id.
func (w *World) Geom(id GeomID) Geom { return Geom{w, id} }

func (h Geom) alive() bool { return h.w.geoms.ids.isCurrent(h.id.slot, h.id.gen) }

func (gs *geomSet) id(slot int32) GeomID { return GeomID{uint32(slot), gs.ids.gen[slot]} }

// Pose is the pose of a geom's shape in the world's frame; the identity for a geom that is gone.
func (h Geom) Pose() r3.Pose {
	if !h.alive() {
		return r3.IdentityPose()
	}
	return h.w.geoms.placements[h.id.slot].Pose
}

// Shape is a geom's shape; nil for a geom that is gone.
func (h Geom) Shape() shape.Shape {
	if !h.alive() {
		return nil
	}
	return h.w.geoms.all[h.id.slot].Shape
}

// Body is the body that a geom is fixed to; zero for a geom that is gone.
func (h Geom) Body() BodyID {
	if !h.alive() {
		return BodyID{}
	}
	return h.w.bodies.id(h.w.geoms.all[h.id.slot].body)
}

// User is the caller's index from the GeomDef; zero for a geom that is gone.
func (h Geom) User() int {
	if !h.alive() {
		return 0
	}
	return h.w.geoms.all[h.id.slot].user
}

// Bounds is the axis-aligned bounding box of a geom in the world's frame; empty for a geom that is gone.
func (h Geom) Bounds() r3.Box {
	if !h.alive() {
		return r3.EmptyBox()
	}
	return h.w.geoms.placements[h.id.slot].tight
}

// Geoms appends the ids of all geoms in the order of their slots.
func (w *World) Geoms(dst []GeomID) []GeomID {
	for i := range w.geoms.all {
		if w.geoms.ids.inUse(int32(i)) {
			dst = append(dst, w.geoms.id(int32(i)))
		}
	}
	return dst
}

// Geoms appends the ids of a body's geoms in the order of their slots.
func (h Body) Geoms(dst []GeomID) []GeomID {
	if h.Alive() {
		for _, s := range h.w.bodies.all[h.id.slot].geoms {
			dst = append(dst, h.w.geoms.id(s))
		}
	}
	return dst
}
