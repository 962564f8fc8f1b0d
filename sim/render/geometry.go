package render

import (
	"math"

	"simdeck/sim/r3"
)

var endless = float32(math.Inf(1))

// item adds the faces of an item that may be seen and fills the canvas with
// those that hide what is behind them.
func (b *band) item(i int) {
	r := b.r
	shape := r.stage.Items[i].Shape.ready()
	turn := r.view.Mul(r.poses[i].Rot.Mat())
	shift := r.view.Apply(r.poses[i].Pos.Sub(r.eye))
	middle := turn.Apply(shape.centre).Add(shift)
	if middle.Z+shape.radius < r.near || middle.Z-shape.radius > r.far {
		return
	}
	inside := middle.Z-shape.radius >= r.near
	for _, e := range b.edges {
		d := e.Dot(middle)
		if d < -shape.radius {
			return
		}
		inside = inside && d > shape.radius
	}
	first := int32(len(b.points))
	for _, p := range shape.points {
		b.points = append(b.points, turn.Apply(p).Add(shift))
	}
	for k := range shape.materials {
		run := &shape.materials[k]
		for index := run.first; index < run.end; index++ {
			f := shape.faces[index]
			t := face{corners: [3]int32{f[0] + first, f[1] + first, f[2] + first}, item: int32(i),
				index: int32(index), run: int32(k)}
			b.face(&t, run, inside)
		}
	}
}

// face looks at one triangle.
func (b *band) face(t *face, run *materialRun, inside bool) {
	r := b.r
	p, q, o := &b.points[t.corners[0]], &b.points[t.corners[1]], &b.points[t.corners[2]]
	n := q.Sub(*p).Cross(o.Sub(*p))
	height := n.Dot(*p)
	if t.flipped = height > 0; t.flipped && !run.paint.double {
		return
	}
	if height*height <= 1e-24*n.Len2()*p.Len2() {
		return // from the edge, or no triangle at all
	}
	if !inside && b.outside(p, q, o) {
		return
	}
	b.faces = append(b.faces, *t)
	if run.paint.clear {
		if r.wanted&Colours != 0 {
			b.clear = append(b.clear, layer{int32(len(b.faces) - 1), p.Z + q.Z + o.Z})
		}
		return
	}
	b.spans.set(&r.lens, p, q, o, n, height, r.near)
	b.spans.fill(&b.canvas, int32(len(b.faces)))
}

// outside reports whether a triangle is on the far side of one of the planes.
func (b *band) outside(p, q, o *r3.Vec) bool {
	r := b.r
	if p.Z < r.near && q.Z < r.near && o.Z < r.near || p.Z > r.far && q.Z > r.far && o.Z > r.far {
		return true
	}
	for i := range b.edges {
		e := &b.edges[i]
		if e.Dot(*p) < 0 && e.Dot(*q) < 0 && e.Dot(*o) < 0 {
			return true
		}
	}
	return false
}
