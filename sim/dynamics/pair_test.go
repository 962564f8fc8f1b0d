package dynamics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// pair is two convex shapes in places, and what package shape, which has oracles of its own, says of them.
type pair struct {
	a, b   shape.Convex
	pa, pb r3.Pose
	size   float64 // m, of the larger
	truth  float64 // m, their distance
}

// found is what the narrow phase says, with the normal from a to b.
type found struct {
	normal  r3.Vec
	deepest float64
	points  []collide.Point // on the surface of the contact's first geom
	first   bool            // that is a's
}

func (p *pair) look(t testing.TB) (found, bool) {
	t.Helper()
	s, c := pairScene(t, p.a, p.pa, p.b, p.pb)
	if c == nil || c.count == 0 {
		return found{}, false
	}
	m := &s.manifolds[c.base]
	f := found{normal: m.normal, deepest: math.Inf(1), first: c.bodyA == 0}
	if !f.first {
		f.normal = f.normal.Neg()
	}
	for k := range m.points[:m.n] {
		q := &m.points[k]
		f.deepest = min(f.deepest, q.gap)
		f.points = append(f.points, collide.Point{Position: s.pointOnA(s.pairs.sorted[0].contact, q), Gap: q.gap, ID: m.ids[k]})
	}
	return f, true
}

// off is how far a contact of these two may be from the truth, in metres.
//
// Depth: the deepest point is as deep as the shapes are along the contact's normal, but for the choice of four points,
// which takes one that is further out if it is less deep by up to level, and for faces that are not quite parallel,
// whose depth is measured square to one of them.
//
// Normal: of boxes, cylinders and what meets them, edges and corners are round for the search, by collide.MaxRounding, and boxes
// take a face rather than an edge that parts them by edgeAdvantage more; so a normal may part them by a little more
// than would do. Where the search has to expand a round polytope, there is room for 48 directions around.
func (p *pair) off() (depth, normal float64) {
	depth, normal = 1e-8*p.size, 1e-8*p.size
	flat := func(k shape.Kind) bool { return k >= shape.KindCylinder }
	ka, kb := p.a.Kind(), p.b.Kind()
	if ka == shape.KindCylinder || kb == shape.KindCylinder {
		depth += 1e-6 * p.size // what the truth itself is right to
	}
	if flat(ka) || flat(kb) || ka == shape.KindCapsule && kb == shape.KindCapsule {
		depth += collide.DepthTolerance + (1/collide.FaceCosine-1)*math.Abs(p.truth)
	}
	if ka == shape.KindBox || kb == shape.KindBox || ka == shape.KindCylinder || kb == shape.KindCylinder {
		normal += (math.Sqrt(3) - 1) * collide.MaxRounding
	}
	if ka == shape.KindCylinder || kb == shape.KindCylinder {
		normal += 2.2e-3 * p.size
	}
	return depth, normal
}

// check holds a contact to its properties; it reports whether there was one.
func (p *pair) check(t testing.TB, name string) bool {
	t.Helper()
	p.truth = shape.Distance(p.a, p.pa, p.b, p.pb).Distance
	f, ok := p.look(t)
	depth, normal := p.off()
	if !ok {
		if p.truth < p.near()-normal {
			t.Errorf("%s: %v m apart, and no contact", name, p.truth)
		}
		return false
	}
	if math.Abs(f.normal.Len()-1) > 1e-9 {
		t.Errorf("%s: normal %v of length %v", name, f.normal, f.normal.Len())
	}
	along := separation(p.a, p.pa, p.b, p.pb, f.normal)
	// The corner of a box that is nearest may not lie over the other's face; then nothing touches yet.
	beside := p.near() == 0 && f.deepest > 0
	if math.Abs(f.deepest-along) > depth && !(beside && f.deepest > along) {
		t.Errorf("%s: deepest point %v, along the normal %v apart, truly %v", name, f.deepest, along, p.truth)
	}
	if along > p.truth+depth || along < p.truth-normal {
		t.Errorf("%s: along the normal %v apart, truly %v", name, along, p.truth)
	}
	side, at := p.a, p.pa
	if !f.first {
		side, at = p.b, p.pb
	}
	for _, q := range f.points {
		if beside && q.Gap > 0 {
			continue // between two edges that pass each other
		}
		// A face counts that is within facing of the normal: points slip off it by as much of their depth.
		slip := 0.046*math.Abs(q.Gap) + 1.1e-4 + 1e-8*p.size
		if side.Kind() == shape.KindCylinder {
			slip += 0.03 * p.size // between the corners of the search on a rim
		}
		if d := onSurface(side, at, q.Position); !(math.Abs(d) < slip) {
			t.Errorf("%s: point %v, gap %v, lies %v off %v", name, q.Position, q.Gap, d, side.Kind())
		}
	}
	return true
}

// near is how near the two are, at least, when there is a contact: two boxes of which no part lies over a face of the
// other get none before they touch.
func (p *pair) near() float64 {
	if p.a.Kind() == shape.KindBox && p.b.Kind() == shape.KindBox {
		return 0
	}
	return speculation
}

// onSurface is how far a point lies off a shape.
func onSurface(s shape.Convex, at r3.Pose, point r3.Vec) float64 {
	const dot = 1e-9
	return shape.Distance(s, at, shape.Sphere{Radius: dot}, r3.Pose{Pos: point, Rot: r3.Identity()}).Distance + dot
}

// same holds the contact of the two the other way round, moved together, and moved against each other by a little,
// to that of the two: depths stay, or change by as little.
func (p *pair) same(t testing.TB, name string, m r3.Pose, little r3.Vec) {
	t.Helper()
	f, ok := p.look(t)
	if !ok {
		return
	}
	depth, normal := p.off()
	for _, c := range []struct {
		what string
		pair pair
		more float64
	}{
		{"the other way round", pair{a: p.b, pa: p.pb, b: p.a, pb: p.pa}, 0},
		{"moved together", pair{a: p.a, pa: m.Mul(p.pa), b: p.b, pb: m.Mul(p.pb)}, 0},
		{"moved a little", pair{a: p.a, pa: p.pa, b: p.b, pb: r3.Pose{Pos: p.pb.Pos.Add(little), Rot: p.pb.Rot}}, little.Len()},
	} {
		g, ok := c.pair.look(t)
		bound := 2*depth + 2*normal + 1e-7*p.size + c.more
		if f.deepest > p.near() {
			continue
		}
		if ok && math.Abs(f.deepest-g.deepest) > bound || !ok && f.deepest < p.near()-bound {
			t.Errorf("%s: %v deep; %s %v deep (%v)", name, f.deepest, c.what, g.deepest, ok)
		}
	}
}

// sized is a shape of a kind with sizes around a scale; some are a fiftieth of it somewhere.
func sized(r *rand.Rand, kind shape.Kind, scale float64) shape.Convex {
	size := func() float64 {
		if r.IntN(6) == 0 {
			return 0.02 * scale
		}
		return scale * (0.1 + 0.9*r.Float64())
	}
	switch kind {
	case shape.KindSphere:
		return shape.Sphere{Radius: size()}
	case shape.KindCapsule:
		return shape.Capsule{Radius: size(), Half: size()}
	case shape.KindCylinder:
		return shape.Cylinder{Radius: size(), Half: size()}
	case shape.KindBox:
		return shape.Box{Half: r3.V(size(), size(), size())}
	}
	s := r3.V(size(), size(), size())
	for {
		points := make([]r3.Vec, 4+r.IntN(20))
		for i := range points {
			points[i] = r3.V((2*r.Float64()-1)*s.X, (2*r.Float64()-1)*s.Y, (2*r.Float64()-1)*s.Z)
		}
		if h, err := shape.ConvexHull(points, 0); err == nil {
			return h
		}
	}
}

// somePair is two shapes that are about to touch, touch, or overlap, with axes that are the same, square or any.
func somePair(r *rand.Rand, x, y shape.Kind, scale float64) pair {
	p := pair{a: sized(r, x, scale), b: sized(r, y, scale), pa: randomPose(r, scale), pb: randomPose(r, scale), size: scale}
	turn := r3.AxisAngle(r3.Vec{}.With(r.IntN(3), 1), 0.5*math.Pi*float64(r.IntN(4)))
	switch r.IntN(4) {
	case 0:
		p.pb.Rot = p.pa.Rot.Mul(turn)
	case 1:
		p.pb.Rot = p.pa.Rot.Mul(turn).Turn(r3.V(1e-3*r.NormFloat64(), 1e-3*r.NormFloat64(), 0))
	case 2:
		p.pb.Rot = p.pa.Rot.Mul(r3.AxisAngle(r3.Vec{}.With(r.IntN(3), 1), math.Pi*r.Float64()))
	}
	n, _ := randomPose(r, 1).Pos.Unit()
	if r.IntN(2) == 0 {
		n = p.pa.Rot.Rotate(r3.Vec{}.With(r.IntN(3), 1))
	}
	gap := []float64{0.01, 1e-3, 1e-7, 0, -1e-7, -1e-3, -0.01, -0.05, -0.3}[r.IntN(9)] * scale
	p.pb.Pos = p.pb.Pos.AddScaled(gap-separation(p.a, p.pa, p.b, p.pb, n), n)
	u, v := n.Basis()
	p.pb.Pos = p.pb.Pos.AddScaled(0.3*scale*(r.Float64()-0.5), u).AddScaled(0.3*scale*(r.Float64()-0.5), v)
	return p
}

// TestContactsAgreeWithTheDistance holds every pair of kinds, from a millimetre to a hundred metres, thin and thick, at
// the brim of contact and deep in each other, aligned, nearly aligned and not, against the distance, which shape's own
// tests hold against two oracles.
func TestContactsAgreeWithTheDistance(t *testing.T) {
	for x := shape.KindSphere; x <= shape.KindHull; x++ {
		for y := shape.KindSphere; y <= shape.KindHull; y++ {
			seen := 0
			for k := range 240 {
				r := rand.New(rand.NewPCG(uint64(k), uint64(x)*8+uint64(y)))
				p := somePair(r, x, y, math.Pow(10, 5*r.Float64()-3))
				name := fmt.Sprintf("%v–%v of %.3g m, case %d", x, y, p.size, k)
				if p.check(t, name) {
					seen++
				}
				p.same(t, name, randomPose(r, p.size), randomPose(r, 1e-4*p.size).Pos)
			}
			if seen < 36 {
				t.Errorf("%v–%v: only %d contacts seen", x, y, seen)
			}
		}
	}
}

// FuzzPair holds any two shapes in any two places to the same.
func FuzzPair(f *testing.F) {
	for i := range uint64(40) {
		f.Add(i, uint8(i%5), uint8(i/5%5), -3.0+float64(i%6), 0.01*float64(i%7)-0.03, 0.1*float64(i%3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, x, y uint8, power, gap, turn float64) {
		if !(math.Abs(gap) < 10) || !(math.Abs(turn) < 10) || !(power >= -3 && power <= 2) {
			return // out of any world
		}
		r := rand.New(rand.NewPCG(seed, 9))
		p := somePair(r, shape.Kind(x%5), shape.Kind(y%5), math.Pow(10, power))
		p.pb = r3.Pose{Pos: p.pb.Pos.Add(r3.V(gap*p.size, 0, 0)), Rot: p.pb.Rot.Turn(r3.V(turn, 0, 0))}
		name := fmt.Sprintf("%v–%v of %.3g m, seed %d, gap %v, turn %v", p.a.Kind(), p.b.Kind(), p.size, seed, gap, turn)
		p.check(t, name)
		p.same(t, name, randomPose(r, p.size), randomPose(r, 1e-4*p.size).Pos)
	})
}
