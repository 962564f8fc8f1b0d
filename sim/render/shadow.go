package render

import (
	"math"

	"simdeck/sim/r3"
)

const (
	mostShadows = 4    // lamps that cast shadows; the others shine through
	shadowEdge  = 1024 // texels of a map
	parallelFar = 4096 // m: from the plane of the sun's map to where closeness is 0
	shadowReach = 60.0 // m around the camera in which shadows of the sun fall
)

// shadow is a map of what a lamp sees first. That of the sun is a parallel projection, that of a spot a
// picture. Static things are drawn once, for as long as the map is of the same places.
type shadow struct {
	frame  mapFrame
	canvas []float32 // closeness of what is seen first
	points []r3.Vec
	spans  triangleSpans

	stage  *Stage    // source of still; nil: none
	placed mapFrame  // where
	poses  []r3.Pose // of its items
	moves  []bool    // items that have moved since, which are not in it
	static []float32
	fresh  []float32 // still and what moves
}

// mapFrame is the frame of a shadow map.
type mapFrame struct {
	view     r3.Mat // world to the frame of the map: x right, y down, z away
	origin   r3.Vec
	parallel bool
	scale    float64 // texels by metre, or by unit at depth 1
}

// shadowOf makes the map of a lamp, when it casts shadows.
func (r *pinhole) shadowOf(s *Stage, index int, casts bool) {
	l := &r.lamps[index]
	if !casts || l.kind == point {
		return
	}
	slot := 0
	for i := range r.lamps[:index] {
		if r.lamps[i].shadow >= 0 {
			slot++
		}
	}
	if slot == mostShadows {
		return
	}
	m := &r.shadows[slot]
	f := &m.frame
	across, down := l.toward.Basis()
	f.view = r3.Columns(across, down, l.toward.Neg()).T()
	if f.view.Det() < 0 {
		f.view = r3.Columns(across, down.Neg(), l.toward.Neg()).T()
	}
	f.parallel = l.kind == directional
	if f.parallel {
		if !f.around(r, s) {
			return
		}
	} else {
		f.origin = l.pos
		f.scale = shadowEdge / 2 / r3.Tan(min(1.4, r3.Acos(max(-1, l.outer))))
	}
	l.shadow = slot
	m.draw(s, r.poses)
}

// draw draws the map. A map is the nearest of all that is drawn, in whatever
// order: what was drawn before counts as if it were drawn now.
func (m *shadow) draw(s *Stage, poses []r3.Pose) {
	anew := m.stage != s || m.placed != m.frame || len(m.poses) != len(poses)
	if anew {
		m.stage, m.placed = s, m.frame
		m.moves = sized(m.moves, len(poses))
		clear(m.moves)
	}
	left, moving := false, false
	for i := range poses {
		if !anew && !m.moves[i] && m.poses[i] != poses[i] {
			m.moves[i], left = true, true
		}
		moving = moving || m.moves[i]
	}
	m.poses = append(m.poses[:0], poses...)
	if anew || left {
		m.static = sized(m.static, shadowEdge*shadowEdge)
		clear(m.static)
		m.items(s, m.static, false)
	}
	if m.canvas = m.static; moving {
		m.fresh = sized(m.fresh, len(m.static))
		copy(m.fresh, m.static)
		m.items(s, m.fresh, true)
		m.canvas = m.fresh
	}
}

// items draws those items of a stage that move, or those that do not.
func (m *shadow) items(s *Stage, onto []float32, moving bool) {
	for i := range s.Items {
		if m.moves[i] == moving {
			m.item(s.Items[i].Shape.ready(), m.poses[i], onto)
		}
	}
}

// around fits the map of the sun around what stands near the camera; false
// when nothing does. Floors, which cast no shadow on anything, do not count.
func (f *mapFrame) around(r *pinhole, s *Stage) bool {
	box := r3.EmptyBox()
	for i := range s.Items {
		shape := s.Items[i].Shape.ready()
		at := r.poses[i].Apply(shape.centre)
		if shape.radius > shadowReach || len(shape.faces) <= 2 || at.Dist(r.eye) > shadowReach+shape.radius {
			continue
		}
		box = box.Union(r3.BoxAround(f.view.Apply(at), r3.V(shape.radius, shape.radius, shape.radius)))
	}
	if box.IsEmpty() {
		return false
	}
	size := box.Size()
	edge := min(max(size.X, size.Y, 1)*1.02, 2*shadowReach)
	f.scale = shadowEdge / edge
	// Whole texels, so that shadows stand still while the camera moves.
	c := box.Centre()
	c.X, c.Y = math.Round(c.X*f.scale)/f.scale, math.Round(c.Y*f.scale)/f.scale
	c.Z = box.Min.Z - 1
	f.origin = f.view.ApplyT(c)
	return true
}

func (m *shadow) item(shape *Shape, pose r3.Pose, onto []float32) {
	if shape.geom.NoShadow || len(shape.faces) <= 2 && shape.radius > 20 {
		return
	}
	turn := m.frame.view.Mul(pose.Rot.Mat())
	shift := m.frame.view.Apply(pose.Pos.Sub(m.frame.origin))
	m.points = m.points[:0]
	for _, p := range shape.points {
		m.points = append(m.points, m.texel(turn.Apply(p).Add(shift)))
	}
	for k := range shape.materials {
		if run := &shape.materials[k]; run.paint.alpha > 0.5 {
			for _, f := range shape.faces[run.first:run.end] {
				m.fill(&m.points[f[0]], &m.points[f[1]], &m.points[f[2]], onto)
			}
		}
	}
}

// texel is a point's position on the map, with the closeness that is compared: falling with distance, linear
// over a face.
func (m *shadow) texel(p r3.Vec) r3.Vec {
	if m.frame.parallel {
		return r3.V(float64(p.X*m.frame.scale)+shadowEdge/2, float64(p.Y*m.frame.scale)+shadowEdge/2,
			parallelFar-p.Z)
	}
	if p.Z < 1e-3 {
		return r3.V(0, 0, -1)
	}
	return r3.V(float64(p.X/p.Z*m.frame.scale)+shadowEdge/2, float64(p.Y/p.Z*m.frame.scale)+shadowEdge/2,
		1/p.Z)
}

// fill draws a triangle of texels.
func (m *shadow) fill(a, b, c *r3.Vec, onto []float32) {
	if a.Z < 0 || b.Z < 0 || c.Z < 0 {
		return // beyond the map, or behind a spot
	}
	ux, uy, uz := b.X-a.X, b.Y-a.Y, b.Z-a.Z
	vx, vy, vz := c.X-a.X, c.Y-a.Y, c.Z-a.Z
	area := float64(ux*vy) - float64(uy*vx)
	if math.Abs(area) < 1e-9 {
		return
	}
	p := &m.spans
	p.corners, p.outline = 3, [4][2]float64{{a.X, a.Y}, {b.X, b.Y}, {c.X, c.Y}}
	p.dx = (float64(uz*vy) - float64(uy*vz)) / area
	p.dy = (float64(ux*vz) - float64(uz*vx)) / area
	p.at0 = a.Z - float64(p.dx*a.X) - float64(p.dy*a.Y)
	p.each(&canvas{width: shadowEdge, below: shadowEdge}, func(y, from, to int) {
		row := onto[y*shadowEdge+from : y*shadowEdge+to]
		z := p.at0 + float64(p.dy*float64(y)) + float64(p.dx*float64(from))
		for i := range row {
			if v := float32(z); v > row[i] {
				row[i] = v
			}
			z += p.dx
		}
	})
}

// shadowCoord is the position of a run of pixels of one face on a map. At depth z and the picture's x it is
// at + z·(way0 + x·way1), in texels for the sun's map, in its frame for a spot's.
type shadowCoord struct{ at, way0, way1, lift r3.Vec }

// along prepares a run, seen from the eye along way0 + x·way1, of a face with a normal. It is lifted off
// the face by a bit more than a texel.
func (m *shadow) along(eye, way0, way1, normal r3.Vec) shadowCoord {
	c := shadowCoord{way0: m.frame.view.Apply(way0), way1: m.frame.view.Apply(way1),
		lift: m.frame.view.Apply(normal)}
	c.at = m.frame.view.Apply(eye.Sub(m.frame.origin)).AddScaled(0.004, c.lift)
	c.lift = c.lift.Scale(1.5 / m.frame.scale)
	if m.frame.parallel {
		k := r3.V(m.frame.scale, m.frame.scale, -1)
		c.at = c.at.Add(c.lift).Mul(k).Add(r3.V(shadowEdge/2, shadowEdge/2, parallelFar))
		c.way0, c.way1 = c.way0.Mul(k), c.way1.Mul(k)
	}
	return c
}

// open is the visible share of the lamp at a pixel: the bilinear mean of the four texels around.
func (m *shadow) open(c *shadowCoord, dx, depth float64) float32 {
	t := c.at.AddScaled(depth, c.way0.AddScaled(dx, c.way1))
	if !m.frame.parallel {
		t = t.AddScaled(t.Len(), c.lift)
		if t.Z < 1e-3 {
			return 1
		}
		t = m.texel(t)
	}
	if !(t.X >= 0 && t.Y >= 0 && t.X < shadowEdge-1 && t.Y < shadowEdge-1) {
		return 1
	}
	x, y := int(t.X), int(t.Y)
	i := y*shadowEdge + x
	high, low := m.canvas[i:i+2], m.canvas[i+shadowEdge:i+shadowEdge+2]
	near := float32(t.Z)
	ax, ay := float32(t.X-float64(x)), float32(t.Y-float64(y))
	open := float32(0)
	if high[0] <= near {
		open += float32((1 - ax) * (1 - ay))
	}
	if high[1] <= near {
		open += float32(ax * (1 - ay))
	}
	if low[0] <= near {
		open += float32((1 - ax) * ay)
	}
	if low[1] <= near {
		open += float32(ax * ay)
	}
	return min(open, 1)
}
