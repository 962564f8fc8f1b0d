package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// cut keeps the part of a polygon in the xy plane where x·n ≤ d.
func cut(poly []r3.Vec, n r3.Vec, d float64) (out []r3.Vec) {
	for i, p := range poly {
		q := poly[(i+1)%len(poly)]
		x, y := p.Dot(n)-d, q.Dot(n)-d
		if x <= 0 {
			out = append(out, p)
		}
		if x*y < 0 {
			out = append(out, p.Lerp(q, x/(x-y)))
		}
	}
	return out
}

func area(poly []r3.Vec) float64 {
	sum := 0.0
	for i, p := range poly {
		sum += 0.5 * p.Cross(poly[(i+1)%len(poly)]).Z
	}
	return sum
}

// around sorts the corners of a convex polygon by their angle about the centroid.
func around(points []r3.Vec) []r3.Vec {
	var middle r3.Vec
	for _, p := range points {
		middle = middle.AddScaled(1/float64(len(points)), p)
	}
	angle := func(p r3.Vec) float64 { return math.Atan2(p.Y-middle.Y, p.X-middle.X) }
	out := append([]r3.Vec(nil), points...)
	for i := range out {
		for k := i; k > 0 && angle(out[k]) < angle(out[k-1]); k-- {
			out[k], out[k-1] = out[k-1], out[k]
		}
	}
	return out
}

// TestAManifoldSpansTheOverlapOfABoxAndTheGround: the contact points of a box lie within the overlap with the
// floor, also over the floor's border. Four points span 99.9 % of an overlap with four corners, and 60 % of
// one with more.
func TestAManifoldSpansTheOverlapOfABoxAndTheGround(t *testing.T) {
	const half = 1.6
	floors := map[string]shape.Shape{
		"plane": shape.Plane{}, "mesh": shapetest.FloorMesh(t, 4, 0.4),
		"fine mesh": shapetest.FloorMesh(t, 32, 0.05),
		"field":     flatField(t, 4, 0.4),
		"box":       shape.BoxOf(r3.V(2*half, 2*half, 1)),
	}
	for name, floor := range floors {
		for k := range 60 {
			r := rand.New(rand.NewPCG(uint64(k), 77))
			h := r3.V(0.05+0.3*r.Float64(), 0.05+0.3*r.Float64(), 0.1)
			p := r3.Pose{Pos: r3.V(3*r.Float64()-1.5, 3*r.Float64()-1.5, h.Z-1e-4),
				Rot: r3.AxisAngle(r3.V(0, 0, 1), 7*r.Float64())}
			var patch []r3.Vec
			for _, c := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
				patch = append(patch, p.Apply(r3.V(c[0]*h.X, c[1]*h.Y, 0)))
			}
			under := at(0, 0, 0)
			if name == "box" {
				under.Pos.Z = -0.5
			}
			if name != "plane" {
				for _, n := range []r3.Vec{r3.V(1, 0, 0), r3.V(-1, 0, 0), r3.V(0, 1, 0), r3.V(0, -1, 0)} {
					patch = cut(patch, n, half)
				}
			}
			s := newScene(t, 0.5, Config{})
			s.body(shape.Box{Half: h}, 1, p, 0)
			s.fixed(floor, under)
			findPairs(s.World)
			collideAll(s.World)
			c := &s.contacts.all[s.contacts.pairs.sorted[0].contact]
			if c.count != 1 {
				t.Fatalf("%s, case %d: %d patches", name, k, c.count)
			}
			m := &s.contacts.manifolds[c.base]
			var points []r3.Vec
			for i := range m.points[:m.n] {
				q := s.contacts.pointOnA(&s.bodies, s.contacts.pairs.sorted[0].contact, &m.points[i])
				q.Z = 0
				for e, a := range patch {
					b := patch[(e+1)%len(patch)]
					if out := b.Sub(a).Cross(a.Sub(q)).Z / b.Dist(a); out > 1e-4 {
						t.Fatalf("%s, case %d: point %v is %v m outside of what is shared", name, k, q, out)
					}
				}
				if math.Abs(m.points[i].gap+1e-4) > 1e-9 {
					t.Errorf("%s, case %d: point %v is %v deep, truly 1e-4", name, k, q, -m.points[i].gap)
				}
				points = append(points, q)
			}
			least := 0.6 // of five corners and more, four are kept
			if len(patch) == 4 {
				least = 0.999
				if name == "fine mesh" { // more points than are kept at once
					least = 0.9
				}
			}
			if part := area(around(points)) / area(patch); part < least {
				t.Errorf("%s, case %d: the points span %v of what is shared, %d corners", name, k, part,
					len(patch))
			}
		}
	}
}

// TestNothingCatchesOnInternalEdgesInAnyDirection: shapes of all kinds slide without friction over meshes and
// heightfields, turned against the triangles, at 0.2 to 3 m/s. Speed and height stay as on a plane.
func TestNothingCatchesOnInternalEdgesInAnyDirection(t *testing.T) {
	hull, err := shape.ConvexHull([]r3.Vec{{X: 0.1, Y: 0.1, Z: -0.05}, {X: -0.1, Y: 0.1, Z: -0.05},
		{X: 0.1, Y: -0.1, Z: -0.05},
		{X: -0.1, Y: -0.1, Z: -0.05}, {X: 0.05, Z: 0.05}, {X: -0.05, Z: 0.05}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	sliders := []shape.Convex{shape.Box{Half: r3.V(0.1, 0.07, 0.05)}, shape.Sphere{Radius: 0.05},
		shape.Cylinder{Radius: 0.08, Half: 0.05}, shape.Capsule{Radius: 0.04, Half: 0.1}, hull}
	for name, floor := range map[string]shape.Shape{"mesh": shapetest.FloorMesh(t, 20, 0.17),
		"field": flatField(t, 20, 0.17)} {
		for _, sh := range sliders {
			for k, speed := range []float64{0.2, 1, 3} {
				s := newScene(t, 0, earth())
				s.fixed(floor, r3.Pose{})
				p := r3.Pose{Pos: r3.V(-2, 0.03, 0), Rot: r3.AxisAngle(r3.V(0, 0, 1), 0.4*float64(k))}
				if sh.Kind() == shape.KindCapsule {
					p.Rot = p.Rot.Mul(r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2))
				}
				p.Pos.Z = -sh.Bounds(p).Min.Z
				b := s.body(sh, 1, p, 0)
				if err := s.Body(b).SetTwist(r3.Twist{Linear: r3.V(speed, 0.05, 0)}); err != nil {
					t.Fatal(err)
				}
				for range 240 {
					s.stepChecked(0.004, 1)
					if v, z := s.Body(b).Twist().Linear, s.Body(b).Pose().Pos.Z; math.Abs(v.X-speed) > 1e-3 ||
						math.Abs(v.Z) > 2e-3 || math.Abs(z-p.Pos.Z) > 2e-4 {
						t.Errorf("%v at %v m/s on %s: at %v its speed has become %v", sh.Kind(), speed, name,
							s.Body(b).Pose().Pos, v)
						break
					}
				}
			}
		}
	}
}
