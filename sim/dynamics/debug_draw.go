package dynamics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// DrawFlags selects the output of Draw; flags may be added.
type DrawFlags uint8

// Flags of the things to draw.
const (
	DrawContacts DrawFlags = 1 << iota // points, with normals from A to B
	DrawForces                         // at the points, on B, with N as value
	DrawBounds                         // boxes of geoms
	DrawFrames                         // axes of bodies; the value is 0, 1 or 2 for x, y or z
	// from the parent to the joint, from it to the child, and its axis, with the position as value
	DrawJoints
	// from each body to the first of its island; the value is that one's number
	DrawIslands
	DrawSleep // boxes of what sleeps
)

// Line is a piece of a drawing, in the world frame.
type Line struct {
	Kind  DrawFlags // which one of them
	A, B  r3.Vec
	Value float64
}

// drawLength is the length of drawn normals and axes, m.
const drawLength = 0.1

// Draw appends what flags ask for, in the order of the slots. It costs nothing where it is not called.
func Draw(w *World, flags DrawFlags, dst []Line) []Line {
	if flags&(DrawContacts|DrawForces) != 0 {
		dst = drawContacts(w, flags, dst)
	}
	for i := range w.geoms.all {
		if g := &w.geoms.all[i]; !w.geoms.ids.inUse(int32(i)) || g.Kind == shape.KindPlane {
			continue
		}
		if flags&DrawBounds != 0 {
			dst = drawBox(dst, DrawBounds, w.geoms.placements[i].tight)
		}
		if flags&DrawSleep != 0 && w.bodies.all[w.geoms.all[i].body].asleep {
			dst = drawBox(dst, DrawSleep, w.geoms.placements[i].tight)
		}
	}
	for i := range w.bodies.all {
		if flags&DrawFrames == 0 || !w.bodies.ids.inUse(int32(i)) {
			continue
		}
		m := &w.bodies.motion[i]
		for axis := range 3 {
			tip := m.origin.AddScaled(drawLength, m.rot.Rotate(r3.Vec{}.With(axis, 1)))
			dst = append(dst, Line{DrawFrames, m.origin, tip, float64(axis)})
		}
	}
	if flags&DrawJoints != 0 {
		dst = drawJoints(w, dst)
	}
	if flags&DrawIslands != 0 {
		dst = drawIslands(w, dst)
	}
	return dst
}

func drawContacts(w *World, flags DrawFlags, dst []Line) []Line {
	for _, c := range w.Contacts(nil) {
		for _, p := range c.Points[:c.Count] {
			tip := p.Position.AddScaled(drawLength, c.Normal)
			if flags&DrawContacts != 0 {
				dst = append(dst, Line{DrawContacts, p.Position, tip, p.Depth})
			}
			if flags&DrawForces != 0 && p.Force > 0 {
				dst = append(dst, Line{DrawForces, p.Position, tip, p.Force})
			}
		}
	}
	return dst
}

// drawBox appends the twelve edges.
func drawBox(dst []Line, kind DrawFlags, b r3.Box) []Line {
	for axis := range 3 {
		u, v := (axis+1)%3, (axis+2)%3
		for _, side := range [4][2]r3.Vec{{b.Min, b.Min}, {b.Min, b.Max}, {b.Max, b.Min}, {b.Max, b.Max}} {
			from := b.Min.With(u, side[0].At(u)).With(v, side[1].At(v))
			dst = append(dst, Line{kind, from, from.With(axis, b.Max.At(axis)), 0})
		}
	}
	return dst
}

func drawJoints(w *World, dst []Line) []Line {
	for i := range w.joints.all {
		if !w.joints.ids.inUse(int32(i)) {
			continue
		}
		j := &w.joints.all[i]
		a, b := j.ends(&w.bodies)
		if j.parent >= 0 {
			dst = append(dst, Line{DrawJoints, w.bodies.motion[j.parent].com, a.Pos, j.position})
		}
		dst = append(dst, Line{DrawJoints, b.Pos, w.bodies.motion[j.child].com, j.position},
			Line{DrawJoints, a.Pos, a.Pos.AddScaled(drawLength, a.Rot.Rotate(r3.Vec{Z: 1})), j.position})
	}
	return dst
}

// drawIslands shows what moves or sleeps together: the islands of what is awake are those of contacts and
// joints now.
func drawIslands(w *World, dst []Line) []Line {
	w.active.rebuild(&w.bodies, &w.contacts)
	w.islands.join(&w.bodies, &w.joints, w.articulations, &w.transmissions, &w.contacts, &w.active)
	for i := range w.bodies.all {
		slot := int32(i)
		b := &w.bodies.all[i]
		if !w.bodies.ids.inUse(slot) || b.kind != Dynamic {
			continue
		}
		first := slot
		if !b.asleep {
			first = w.islands.Find(slot)
		}
		for k := b.nextInIsland; b.asleep && k != slot; k = w.bodies.all[k].nextInIsland {
			first = min(first, k)
		}
		dst = append(dst, Line{DrawIslands, w.bodies.motion[first].com, w.bodies.motion[slot].com,
			float64(first)})
	}
	return dst
}
