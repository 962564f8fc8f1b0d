package dynamics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// weldedDiscs are two thin discs of random sizes and stuffs, welded somewhere between them, that fall on the
// ground and rock on their rims for ever: nothing but friction that holds acts on them.
func weldedDiscs(t testing.TB, seed uint64, mu float64, substeps int) *scene {
	r := rand.New(rand.NewPCG(seed, 9))
	s := newScene(t, mu, Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true, Substeps: substeps})
	s.ground()
	disc := func(p r3.Vec) BodyID {
		l := 0.05 * math.Pow(8, r.Float64())
		sh := shape.Cylinder{Radius: 0.5 * l, Half: 0.02 * l}
		return s.body(sh, sh.Mass(200*math.Pow(100, r.Float64())).Mass,
			r3.Pose{Pos: p, Rot: randomPose(r, 1).Rot}, 0)
	}
	a := disc(r3.V(0, 0, 0.4))
	b := disc(r3.V(0.4*r.Float64(), 0.2, 0.45))
	pa, pb := s.Body(a).Pose(), s.Body(b).Pose()
	point := r3.Pose{Pos: pa.Pos.Lerp(pb.Pos, r.Float64()), Rot: r3.Identity()}
	must[JointID](s)(s.AddJoint(JointDef{Type: Fixed, Parent: a, Child: b, ParentFrame: pa.Relative(point),
		ChildFrame: pb.Relative(point), Axis: r3.V(0, 0, 1)}))
	return s
}

// eccentricWheels are two wheels on one axle whose centre of mass is beside it: they roll to and fro.
func eccentricWheels(t testing.TB, mu float64, substeps int) *scene {
	s := newScene(t, mu, Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true, Substeps: substeps})
	s.ground()
	b := must[BodyID](s)(s.AddBody(BodyDef{
		Type: Dynamic, Pose: r3.Pose{Pos: r3.V(0, 0, 0.1), Rot: r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2)},
		Mass: 1, COM: r3.V(0.04, 0, 0),
		Inertia: r3.Diag(r3.V(0.004, 0.004, 0.004)),
	}))
	s.added = append(s.added, b)
	for _, side := range []float64{-0.05, 0.05} {
		s.geom(b, shape.Cylinder{Radius: 0.1, Half: 0.005}, at(0, 0, side))
	}
	return s
}

// TestWhatRocksOnRimsGainsNoEnergy lets discs that are welded together and eccentric wheels rock for 100,000
// steps of several substeps, of 4 ms, and wheels of a sixtieth of a second too: from swing to swing they lose
// energy or keep it.
func TestWhatRocksOnRimsGainsNoEnergy(t *testing.T) {
	worlds := map[string]*scene{}
	for _, substeps := range []int{0, 2, 4} {
		worlds[fmt.Sprintf("wheels, %d substeps", substeps)] = eccentricWheels(t, 0.3, substeps)
		if substeps == 0 {
			continue
		}
		for _, seed := range []uint64{8, 9, 14} {
			worlds[fmt.Sprintf("discs %d, %d substeps", seed, substeps)] = weldedDiscs(t, seed, 0.5, substeps)
		}
	}
	for name, s := range worlds {
		const swing = 500
		dt := 0.004
		if s.cfg.Substeps == 0 {
			dt = 1.0 / 60
		}
		base := 0.0
		for _, b := range s.added {
			base += s.bodies.massProps[b.slot].mass * 9.81 * s.bodies.massProps[b.slot].radius
		}
		s.step(dt, 2*swing)
		least := math.Inf(1)
		for i := range 100_000 / swing {
			top := math.Inf(-1)
			for range swing {
				s.step(dt, 1)
				top = max(top, s.heapEnergy())
			}
			if top > least+1e-4*base {
				t.Errorf("%s: %.6g J after %d steps, had come down to %.6g J", name, top, (i+1)*swing, least)
				break
			}
			least = min(least, top)
		}
	}
}

// TestEccentricWheelsRollHardlyDamped: what is done so that nothing is gained costs little.
func TestEccentricWheelsRollHardlyDamped(t *testing.T) {
	s := eccentricWheels(t, 1, 2)
	s.step(0.002, 1)
	before := s.heapEnergy()
	s.step(0.002, 2000)
	top := 0.0
	for range 500 {
		s.step(0.002, 1)
		top = max(top, s.heapEnergy())
	}
	if !(top > 0.999*before) {
		t.Errorf("%.4g J after 4 s, %.4g J before", top, before)
	}
}
