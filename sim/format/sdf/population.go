package sdf

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxPopulation bounds how often one <population> repeats its model.
const maxPopulation = 1000

// population repeats a model over a region: at random, evenly, in a grid or in a line. Random poses come from
// a stream of its own, seeded by the name.
func (m *model) population(n *xmltree.Node) error {
	p, relative, err := pose(m.doc, n, m.version)
	if err != nil {
		return err
	}
	inner := n.Child("model")
	if inner == nil {
		m.doc.Note(scene.Unsupported, n, "<population> %q without a <model> of its own; left out",
			n.Get("name"))
		return nil
	}
	count := m.doc.Loose(n, "model_count", 1)
	if !(count >= 0) || count > maxPopulation {
		m.doc.Note(scene.Suspicious, n, "<population> %q of %g models; at most %d are made", n.Get("name"),
			count, maxPopulation)
		count = max(0, min(count, maxPopulation))
	}
	for i, at := range m.spots(n, int(count)) {
		sub, err := collect(m.doc, inner, m.version)
		if err != nil {
			return err
		}
		own, _, err := pose(m.doc, inner, m.version)
		if err != nil {
			return err
		}
		sub.name = fmt.Sprintf("%s_clone_%d", sub.name, i)
		own.Pos = own.Pos.Add(at)
		if err := m.addModel(inner, sub, p.Mul(own), relative); err != nil {
			return err
		}
	}
	return nil
}

// spots returns the positions of the models of a population.
func (m *model) spots(n *xmltree.Node, count int) []r3.Vec {
	h := fnv.New64a()
	h.Write([]byte(n.Get("name")))
	random := rand.New(rand.NewPCG(h.Sum64(), 1))
	size, round := r3.V(1, 1, 1), n.Child("cylinder")
	if k := n.Find("box", "size"); k != nil {
		if v, err := m.doc.Vec(k, k.Text); err == nil {
			size = v
		}
	}
	radius, length := m.doc.Loose(round, "radius", 1), m.doc.Loose(round, "length", 1)
	inside := func() r3.Vec {
		if round != nil {
			r, a := radius*math.Sqrt(random.Float64()), 2*math.Pi*random.Float64()
			return r3.V(r*r3.Cos(a), r*r3.Sin(a), length*(random.Float64()-0.5))
		}
		return r3.V(size.X*(random.Float64()-0.5), size.Y*(random.Float64()-0.5),
			size.Z*(random.Float64()-0.5))
	}
	d := n.Child("distribution")
	kind := d.ValueOf("type")
	columns := max(1, int(min(1e6, m.doc.Loose(d, "cols", 1))))
	step := r3.V(1, 1, 0)
	if k := d.Child("step"); k.Value() != "" {
		if v, err := m.doc.Vec(k, k.Text); err == nil {
			step = v
		}
	}
	var out []r3.Vec
	for i := range count {
		share := (float64(i)+0.5)/float64(max(count, 1)) - 0.5
		switch kind {
		case "grid":
			out = append(out, r3.V(float64(i%columns)*step.X, float64(i/columns)*step.Y, 0))
		case "linear-x":
			out = append(out, r3.V(share*size.X, 0, 0))
		case "linear-y":
			out = append(out, r3.V(0, share*size.Y, 0))
		case "linear-z":
			out = append(out, r3.V(0, 0, share*size.Z))
		case "uniform":
			out = append(out, apart(out, inside))
		default:
			out = append(out, inside())
		}
	}
	return out
}

// apart is of ten spots the one that is farthest from those that are taken (Mitchell, "Spectrally optimal
// sampling for distribution ray tracing", 1991).
func apart(taken []r3.Vec, draw func() r3.Vec) r3.Vec {
	best, room := r3.Vec{}, -1.0
	for range 10 {
		v, near := draw(), math.Inf(1)
		for _, other := range taken {
			near = min(near, v.Dist(other))
		}
		if near > room {
			best, room = v, near
		}
	}
	return best
}
