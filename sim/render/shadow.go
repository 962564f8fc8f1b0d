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

// shadow is a map of what a lamp sees first. That of the sun is a parallel
// projection, that of a spot a picture.
type shadow struct {
	canvas   canvas
	view     r3.Mat // world to the frame of the map: x right, y down, z away
	origin   r3.Vec
	parallel bool
	scale    float64 // texels by metre, or by unit at depth 1
	points   []r3.Vec
	spans    spans
}

// shadowOf makes the map of a lamp, when it casts shadows.
func (r *Renderer) shadowOf(s *Stage, index int, casts bool) {
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
	across, down := l.toward.Basis()
	m.view = r3.Columns(across, down, l.toward.Neg()).T()
	if m.view.Det() < 0 {
		m.view = r3.Columns(across, down.Neg(), l.toward.Neg()).T()
	}
	m.parallel = l.kind == directional
	if m.parallel {
		if !m.around(r, s) {
			return
		}
	} else {
		m.origin = l.pos
		m.scale = shadowEdge / 2 / r3.Tan(min(1.4, r3.Acos(max(-1, l.outer))))
	}
	l.shadow = slot
	m.canvas.clear(shadowEdge, shadowEdge, 0)
	for i := range s.Items {
		m.item(s, i, r.poses[i])
	}
}

// around fits the map of the sun around what stands near the camera; false
// when nothing does. Floors, which cast no shadow on anything, do not count.
func (m *shadow) around(r *Renderer, s *Stage) bool {
	box := r3.EmptyBox()
	for i := range s.Items {
		shape := s.Items[i].Shape.ready()
		at := r.poses[i].Apply(shape.centre)
		if shape.radius > shadowReach || len(shape.faces) <= 2 || at.Dist(r.eye) > shadowReach+shape.radius {
			continue
		}
		box = box.Union(r3.BoxAround(m.view.Apply(at), r3.V(shape.radius, shape.radius, shape.radius)))
	}
	if box.IsEmpty() {
		return false
	}
	size := box.Size()
	edge := min(max(size.X, size.Y, 1)*1.02, 2*shadowReach)
	m.scale = shadowEdge / edge
	// Whole texels, so that shadows stand still while the camera moves.
	c := box.Centre()
	c.X, c.Y = math.Round(c.X*m.scale)/m.scale, math.Round(c.Y*m.scale)/m.scale
	c.Z = box.Min.Z - 1
	m.origin = m.view.ApplyT(c)
	return true
}

func (m *shadow) item(s *Stage, i int, pose r3.Pose) {
	shape := s.Items[i].Shape.ready()
	if shape.geom.NoShadow || len(shape.faces) <= 2 && shape.radius > 20 {
		return
	}
	turn := m.view.Mul(pose.Rot.Mat())
	shift := m.view.Apply(pose.Pos.Sub(m.origin))
	m.points = m.points[:0]
	for _, p := range shape.points {
		m.points = append(m.points, m.texel(turn.Apply(p).Add(shift)))
	}
	for k := range shape.runs {
		if run := &shape.runs[k]; run.paint.alpha > 0.5 {
			for _, f := range shape.faces[run.first:run.end] {
				m.fill(&m.points[f[0]], &m.points[f[1]], &m.points[f[2]])
			}
		}
	}
}

// texel is where a point of the map's frame is on the map, with the closeness
// that is compared: it falls with the distance and goes straight over a face.
func (m *shadow) texel(p r3.Vec) r3.Vec {
	if m.parallel {
		return r3.V(float64(p.X*m.scale)+shadowEdge/2, float64(p.Y*m.scale)+shadowEdge/2, parallelFar-p.Z)
	}
	if p.Z < 1e-3 {
		return r3.V(0, 0, -1)
	}
	return r3.V(float64(p.X/p.Z*m.scale)+shadowEdge/2, float64(p.Y/p.Z*m.scale)+shadowEdge/2, 1/p.Z)
}

// fill draws a triangle of texels.
func (m *shadow) fill(a, b, c *r3.Vec) {
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
	p.fill(&m.canvas, 1)
}

// open is how much of the lamp is seen from a place with a normal: the mean of
// the four texels around, weighed by how near they are.
func (m *shadow) open(at, normal r3.Vec) float64 {
	lift := 0.004
	if m.parallel {
		lift += 1.5 / m.scale
	} else {
		lift += 1.5 * at.Dist(m.origin) / m.scale
	}
	p := m.view.Apply(at.AddScaled(lift, normal).Sub(m.origin))
	if !m.parallel && p.Z < 1e-3 {
		return 1
	}
	t := m.texel(p)
	x, y := math.Floor(t.X), math.Floor(t.Y)
	if !(x >= 0 && y >= 0 && x < shadowEdge-1 && y < shadowEdge-1) {
		return 1
	}
	near := float32(t.Z)
	i := int(y)*shadowEdge + int(x)
	var seen [4]float64
	for k, j := range [...]int{i, i + 1, i + shadowEdge, i + shadowEdge + 1} {
		if m.canvas.inverse[j] <= near {
			seen[k] = 1
		}
	}
	ax, ay := t.X-x, t.Y-y
	top := float64(seen[0]*(1-ax)) + float64(seen[1]*ax)
	low := float64(seen[2]*(1-ax)) + float64(seen[3]*ax)
	return float64(top*(1-ay)) + float64(low*ay)
}
