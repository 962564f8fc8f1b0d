package collide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// margin is the largest gap at which the tests want contact points, m.
const margin = 0.01

// pair is two convex shapes at their poses. Package shape, which has oracles of its own, knows their
// distance.
type pair struct {
	a, b     shape.Convex
	pa, pb   r3.Pose
	size     float64 // m, of the larger
	distance float64 // m
}

// contact is the result of the narrow phase, with the normal from a to b.
type contact struct {
	normal  r3.Vec
	deepest float64 // m
	points  []Point // on the surface of the contact's first geometry
	first   bool    // that is a's
}

// query runs the narrow phase on two shapes, of which the first has the lower kind.
func query(a shape.Shape, pa r3.Pose, b shape.Shape, pb r3.Pose) *Query {
	ga, gb := NewGeometry(a), NewGeometry(b)
	q := &Query{}
	q.Begin(Instance{&ga, &Placement{pa, pa.Rot.Mat()}}, Instance{&gb, &Placement{pb, pb.Rot.Mat()}}, margin)
	q.Collide()
	return q
}

// find is the contact of the pair with at most four points; false without one.
func (p *pair) find() (contact, bool) {
	f := contact{first: p.a.Kind() <= p.b.Kind(), deepest: math.Inf(1)}
	q := &Query{}
	if f.first {
		q = query(p.a, p.pa, p.b, p.pb)
	} else {
		q = query(p.b, p.pb, p.a, p.pa)
	}
	if len(q.Manifolds()) == 0 {
		return contact{}, false
	}
	m := &q.Manifolds()[0]
	f.normal = m.Normal
	if !f.first {
		f.normal = f.normal.Neg()
	}
	var keep [MaxPoints]int
	for _, k := range keep[:m.Reduce(&keep)] {
		f.deepest = min(f.deepest, m.Points[k].Gap)
		f.points = append(f.points, m.Points[k])
	}
	return f, true
}

// separation is the distance of two convex shapes along n, from a to b, m.
func separation(a shape.Convex, pa r3.Pose, b shape.Convex, pb r3.Pose, n r3.Vec) float64 {
	fa := pa.Apply(a.Support(pa.Rot.RotateBack(n)))
	fb := pb.Apply(b.Support(pb.Rot.RotateBack(n.Neg())))
	return fb.Sub(fa).Dot(n)
}

func randomPose(r *rand.Rand, s float64) r3.Pose {
	q, _ := r3.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Unit()
	return r3.Pose{Pos: r3.V(s*r.NormFloat64(), s*r.NormFloat64(), s*r.NormFloat64()), Rot: q}
}

// tolerance is the largest error of a contact of the pair, m.
//
// Depth: the deepest point is as deep as the shapes are along the contact's normal. Reduce may take one
// further out that is less deep by up to DepthTolerance. Of faces that are not quite parallel, depth is
// measured along one's normal.
//
// Normal: GJK sees edges of boxes and cylinders rounded by MaxRounding, and boxes prefer faces by
// edgeAdvantage. A normal may therefore separate the shapes by a little more than the best one. EPA on a
// round shape has room for 48 directions around.
func (p *pair) tolerance() (depth, normal float64) {
	depth, normal = 1e-8*p.size, 1e-8*p.size
	hasFaces := func(k shape.Kind) bool { return k >= shape.KindCylinder }
	ka, kb := p.a.Kind(), p.b.Kind()
	if ka == shape.KindCylinder || kb == shape.KindCylinder {
		depth += 1e-6 * p.size // the accuracy of the distance itself
	}
	if hasFaces(ka) || hasFaces(kb) || ka == shape.KindCapsule && kb == shape.KindCapsule {
		depth += DepthTolerance + (1/FaceCosine-1)*math.Abs(p.distance)
	}
	if ka == shape.KindBox || kb == shape.KindBox || ka == shape.KindCylinder || kb == shape.KindCylinder {
		normal += (math.Sqrt(3) - 1) * MaxRounding
	}
	if ka == shape.KindCylinder || kb == shape.KindCylinder {
		normal += 2.2e-3 * p.size
	}
	return depth, normal
}

// check compares a contact with the distance. It reports whether there was one.
func (p *pair) check(t testing.TB, name string) bool {
	t.Helper()
	p.distance = shape.Distance(p.a, p.pa, p.b, p.pb).Distance
	f, ok := p.find()
	depth, normal := p.tolerance()
	if !ok {
		if p.distance < p.reach()-normal {
			t.Errorf("%s: %v m apart, and no contact", name, p.distance)
		}
		return false
	}
	if math.Abs(f.normal.Len()-1) > 1e-9 {
		t.Errorf("%s: normal %v of length %v", name, f.normal, f.normal.Len())
	}
	along := separation(p.a, p.pa, p.b, p.pb, f.normal)
	// The nearest corner of a box may lie beside the other's face; then nothing touches yet.
	beside := p.reach() == 0 && f.deepest > 0
	if math.Abs(f.deepest-along) > depth && !(beside && f.deepest > along) {
		t.Errorf("%s: deepest point %v, along the normal %v apart, truly %v", name, f.deepest, along,
			p.distance)
	}
	if along > p.distance+depth || along < p.distance-normal {
		t.Errorf("%s: along the normal %v apart, truly %v", name, along, p.distance)
	}
	side, at := p.a, p.pa
	if !f.first {
		side, at = p.b, p.pb
	}
	for _, q := range f.points {
		if beside && q.Gap > 0 {
			continue // between two edges that pass each other
		}
		// A face may lean by FaceCosine: points are off it by that part of their depth.
		slip := 0.046*math.Abs(q.Gap) + 1.1e-4 + 1e-8*p.size
		if side.Kind() == shape.KindCylinder {
			slip += 0.03 * p.size // between the vertices that stand for a rim
		}
		if d := onSurface(side, at, q.Position); !(math.Abs(d) < slip) {
			t.Errorf("%s: point %v, gap %v, lies %v off %v", name, q.Position, q.Gap, d, side.Kind())
		}
	}
	return true
}

// reach is the distance, in m, below which the pair surely has a contact. Two boxes get none before they
// touch when no part of one lies over a face of the other.
func (p *pair) reach() float64 {
	if p.a.Kind() == shape.KindBox && p.b.Kind() == shape.KindBox {
		return 0
	}
	return margin
}

// onSurface is the distance of a point from a shape, in m, negative inside.
func onSurface(s shape.Convex, at r3.Pose, point r3.Vec) float64 {
	const dot = 1e-9
	return shape.Distance(s, at, shape.Sphere{Radius: dot},
		r3.Pose{Pos: point, Rot: r3.Identity()}).Distance + dot
}

// checkMoved compares a contact with those of the pair swapped, moved together, and moved apart a little:
// depths stay, or change as little.
func (p *pair) checkMoved(t testing.TB, name string, m r3.Pose, little r3.Vec) {
	t.Helper()
	f, ok := p.find()
	if !ok {
		return
	}
	depth, normal := p.tolerance()
	for _, c := range []struct {
		what string
		pair pair
		more float64
	}{
		{"the other way round", pair{a: p.b, pa: p.pb, b: p.a, pb: p.pa}, 0},
		{"moved together", pair{a: p.a, pa: m.Mul(p.pa), b: p.b, pb: m.Mul(p.pb)}, 0},
		{"moved a little", pair{a: p.a, pa: p.pa, b: p.b,
			pb: r3.Pose{Pos: p.pb.Pos.Add(little), Rot: p.pb.Rot}}, little.Len()},
	} {
		g, ok := c.pair.find()
		bound := 2*depth + 2*normal + 1e-7*p.size + c.more
		if f.deepest > p.reach() {
			continue
		}
		if ok && math.Abs(f.deepest-g.deepest) > bound || !ok && f.deepest < p.reach()-bound {
			t.Errorf("%s: %v deep; %s %v deep (%v)", name, f.deepest, c.what, g.deepest, ok)
		}
	}
}

// randomShape is a shape of a kind with sizes up to scale, in m; some are a fiftieth of it thin.
func randomShape(r *rand.Rand, kind shape.Kind, scale float64) shape.Convex {
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

// randomPair is two shapes that nearly touch, touch, or overlap. Their axes are parallel, nearly so, or any.
func randomPair(r *rand.Rand, x, y shape.Kind, scale float64) pair {
	p := pair{a: randomShape(r, x, scale), b: randomShape(r, y, scale), pa: randomPose(r, scale),
		pb: randomPose(r, scale), size: scale}
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

// TestContactsAgreeWithTheDistance compares every pair of kinds with the distance, which the tests of package
// shape compare with two oracles. Shapes measure from a millimeter to a hundred meters and are thin and
// thick. Pairs just touch or overlap deeply, and are aligned, nearly aligned or not.
func TestContactsAgreeWithTheDistance(t *testing.T) {
	for x := shape.KindSphere; x <= shape.KindHull; x++ {
		for y := shape.KindSphere; y <= shape.KindHull; y++ {
			seen := 0
			for k := range 240 {
				r := rand.New(rand.NewPCG(uint64(k), uint64(x)*8+uint64(y)))
				p := randomPair(r, x, y, math.Pow(10, 5*r.Float64()-3))
				name := fmt.Sprintf("%v–%v of %.3g m, case %d", x, y, p.size, k)
				if p.check(t, name) {
					seen++
				}
				p.checkMoved(t, name, randomPose(r, p.size), randomPose(r, 1e-4*p.size).Pos)
			}
			if seen < 36 {
				t.Errorf("%v–%v: only %d contacts seen", x, y, seen)
			}
		}
	}
}

// FuzzPair does the same for any two shapes at any two poses.
func FuzzPair(f *testing.F) {
	for i := range uint64(40) {
		f.Add(i, uint8(i%5), uint8(i/5%5), -3.0+float64(i%6), 0.01*float64(i%7)-0.03, 0.1*float64(i%3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, x, y uint8, power, gap, turn float64) {
		if !(math.Abs(gap) < 10) || !(math.Abs(turn) < 10) || !(power >= -3 && power <= 2) {
			return // out of any world
		}
		r := rand.New(rand.NewPCG(seed, 9))
		p := randomPair(r, shape.Kind(x%5), shape.Kind(y%5), math.Pow(10, power))
		p.pb = r3.Pose{Pos: p.pb.Pos.Add(r3.V(gap*p.size, 0, 0)), Rot: p.pb.Rot.Turn(r3.V(turn, 0, 0))}
		name := fmt.Sprintf("%v–%v of %.3g m, seed %d, gap %v, turn %v", p.a.Kind(), p.b.Kind(), p.size, seed,
			gap, turn)
		p.check(t, name)
		p.checkMoved(t, name, randomPose(r, p.size), randomPose(r, 1e-4*p.size).Pos)
	})
}

// TestEveryPointOfATiltedRimHasItsOwnID: a rim that is pressed into a plane touches it with its lowest point
// and with others, whichever way it leans. Points with the same id would share an impulse.
func TestEveryPointOfATiltedRimHasItsOwnID(t *testing.T) {
	for k := range 16 {
		turn := r3.AxisAngle(r3.V(0, 0, 1), float64(k)*math.Pi/8)
		pose := r3.Pose{Pos: r3.V(0, 0, 0.04), Rot: r3.AxisAngle(r3.V(0, 1, 0), 0.05).Mul(turn)}
		m := &query(shape.Cylinder{Radius: 0.1, Half: 0.05}, pose, shape.Plane{}, at(0, 0, 0)).Manifolds()[0]
		seen := map[uint32]bool{}
		for _, p := range m.Points[:m.Count] {
			seen[p.ID] = true
		}
		if m.Count < 5 || len(seen) != m.Count {
			t.Errorf("turned by %d/16: %d points have %d ids", k, m.Count, len(seen))
		}
	}
}

// TestReduceKeepsAllOfFourPointsAndFourOfSix: of a hexagon as of an octagon four corners stay.
func TestReduceKeepsAllOfFourPointsAndFourOfSix(t *testing.T) {
	for corners, want := range map[int]int{3: 3, 4: 4, 6: 4, 8: 4} {
		var m Manifold
		m.start(r3.V(0, 0, -1))
		for k := range corners {
			turn := 2 * math.Pi * float64(k) / float64(corners)
			m.add(r3.V(math.Cos(turn), math.Sin(turn), 0), -1e-3, uint32(k))
		}
		var keep [MaxPoints]int
		if got := m.Reduce(&keep); got != want {
			t.Errorf("of %d corners %d are kept, want %d", corners, got, want)
		}
	}
}
