package render

import (
	"math"

	"simdeck/sim/r3"
)

var endless = float32(math.Inf(1))

// frame finds the planes between which things are seen.
func (r *Renderer) frame() {
	l := &r.lens
	left, right := (-0.5-l.CX)/l.FX, (float64(l.Width)-0.5-l.CX)/l.FX
	top, bottom := (-0.5-l.CY)/l.FY, (float64(l.Height)-0.5-l.CY)/l.FY
	r.edges = [4]r3.Vec{{X: 1, Z: -left}, {X: -1, Z: right}, {Y: 1, Z: -top}, {Y: -1, Z: bottom}}
	for i := range r.edges {
		r.edges[i], _ = r.edges[i].Unit()
	}
}

// item adds the faces of an item that may be seen and fills the canvas with
// those that hide what is behind them.
func (r *Renderer) item(s *Stage, i int, want Want) {
	shape := s.Items[i].Shape.ready()
	turn := r.view.Mul(r.poses[i].Rot.Mat())
	shift := r.view.Apply(r.poses[i].Pos.Sub(r.eye))
	middle := turn.Apply(shape.centre).Add(shift)
	if middle.Z+shape.radius < r.near || middle.Z-shape.radius > r.far {
		return
	}
	inside := middle.Z-shape.radius >= r.near
	for _, e := range r.edges {
		d := e.Dot(middle)
		if d < -shape.radius {
			return
		}
		inside = inside && d > shape.radius
	}
	first := int32(len(r.points))
	for _, p := range shape.points {
		r.points = append(r.points, turn.Apply(p).Add(shift))
	}
	for k := range shape.runs {
		run := &shape.runs[k]
		for index := run.first; index < run.end; index++ {
			f := shape.faces[index]
			t := face{corners: [3]int32{f[0] + first, f[1] + first, f[2] + first}, item: int32(i), index: int32(index), run: int32(k)}
			r.face(&t, run, inside, want)
		}
	}
}

// face looks at one triangle.
func (r *Renderer) face(t *face, run *run, inside bool, want Want) {
	a, b, c := &r.points[t.corners[0]], &r.points[t.corners[1]], &r.points[t.corners[2]]
	n := b.Sub(*a).Cross(c.Sub(*a))
	height := n.Dot(*a)
	if t.flipped = height > 0; t.flipped && !run.paint.double {
		return
	}
	if height*height <= 1e-24*n.Len2()*a.Len2() {
		return // from the edge, or no triangle at all
	}
	if !inside && r.outside(a, b, c) {
		return
	}
	r.faces = append(r.faces, *t)
	if run.paint.clear {
		if want&Colours != 0 {
			r.clear = append(r.clear, layer{int32(len(r.faces) - 1), a.Z + b.Z + c.Z})
		}
		return
	}
	r.spans.set(&r.lens, a, b, c, n, height, r.near)
	r.spans.fill(&r.canvas, int32(len(r.faces)))
}

// outside reports whether a triangle is on the far side of one of the planes.
func (r *Renderer) outside(a, b, c *r3.Vec) bool {
	if a.Z < r.near && b.Z < r.near && c.Z < r.near || a.Z > r.far && b.Z > r.far && c.Z > r.far {
		return true
	}
	for i := range r.edges {
		e := r.edges[i]
		if e.Dot(*a) < 0 && e.Dot(*b) < 0 && e.Dot(*c) < 0 {
			return true
		}
	}
	return false
}
