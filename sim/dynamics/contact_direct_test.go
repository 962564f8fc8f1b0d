package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// pressed is a heavy box on a box of 1 kg on a slope.
func pressed(t *testing.T, heavy, tilt float64) *scene {
	s := newScene(t, 0.8, tilted(tilt))
	s.ground()
	s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.1)), 1, at(0, 0, 0.05), 0)
	s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.4)), heavy, at(0, 0, 0.3), 0)
	return s
}

// TestAHeavyBoxSinksIntoALightOneNoMoreThanIntoTheGround bounds the overlaps of a light box with the heavy
// box on it and the ground by four times the heavy box's own. That one is g/ω², with ω of the soft contact.
func TestAHeavyBoxSinksIntoALightOneNoMoreThanIntoTheGround(t *testing.T) {
	for _, dt := range []float64{1.0 / 60, 1.0 / 240, 0.001} {
		alone := newScene(t, 0.8, earth())
		alone.ground()
		alone.body(shape.BoxOf(r3.V(0.4, 0.4, 0.4)), 1000, at(0, 0, 0.2), 0)
		alone.step(dt, int(3/dt))
		bound := 1e-5 + 4*alone.deepest()
		for _, heavy := range []float64{10, 100, 1000, 10_000} {
			s := pressed(t, heavy, 0)
			deep := 0.0
			for range 12 {
				s.stepChecked(dt, int(0.25/dt))
				deep = max(deep, s.deepest())
			}
			top := s.Body(s.added[1]).COM().Sub(r3.V(0, 0, 0.3))
			t.Logf("step %.4f s: %v kg on 1 kg lie %.3g m deep; alone on the ground %.3g m", dt, heavy, deep,
				alone.deepest())
			if deep > bound || top.Len() > 2*bound || s.kinetic() > 1e-6*heavy {
				t.Errorf("step %v s: %v kg on 1 kg lie %.3g m deep, want at most %.3g; off by %v, %.3g J", dt,
					heavy, deep, bound, top, s.kinetic())
			}
		}
	}
}

// TestALightBoxUnderAHeavyOneGripsTheSlope: both stand on a slope below the friction angle and slide on one
// above it.
func TestALightBoxUnderAHeavyOneGripsTheSlope(t *testing.T) {
	limit := math.Atan(0.8) * 180 / math.Pi
	for _, heavy := range []float64{50, 1000} {
		for _, dt := range []float64{1.0 / 60, 1.0 / 240} {
			s := pressed(t, heavy, limit-12)
			s.step(dt, int(2/dt))
			if way := s.Body(s.added[1]).COM().Dist(r3.V(0, 0, 0.3)); way > 0.005 {
				t.Errorf("step %v s: %v kg on 1 kg went %.3g m down a slope that holds them", dt, heavy, way)
			}
		}
	}
}

// TestAnImpactOnALightBoxGainsNoEnergy: a heavy box falls on a light one, level and on an edge. At most a
// fiftieth of the fall's energy comes back, from the recovery of the overlap.
func TestAnImpactOnALightBoxGainsNoEnergy(t *testing.T) {
	for _, lean := range []float64{0, 0.3} {
		for _, dt := range []float64{1.0 / 60, 1.0 / 240, 0.001} {
			s := newScene(t, 0.8, earth())
			s.ground()
			s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.1)), 1, at(0, 0, 0.05), 0)
			p := at(0, 0, 0.8)
			p.Rot = r3.Identity().Turn(r3.V(lean, 0, 0))
			s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.4)), 1000, p, 0)
			had, deep, fall := s.heapEnergy(), 0.0, 1000*9.81*0.5
			for i := range int(2 / dt) {
				s.step(dt, 1)
				deep = max(deep, s.deepest())
				now := s.heapEnergy()
				if now > had+0.02*fall {
					t.Fatalf("lean %v, step %v s: %v J in step %d, had %v", lean, dt, now, i, had)
				}
				had = min(had, now)
			}
			if deep > 0.02 {
				t.Errorf("lean %v, step %v s: %v m deep", lean, dt, deep)
			}
		}
	}
}

// TestStepsWithContactClustersAllocateNothing, in a scene that has a cluster.
func TestStepsWithContactClustersAllocateNothing(t *testing.T) {
	c := tilted(0)
	c.NoSleep = true
	s := newScene(t, 0.8, c)
	s.ground()
	s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.1)), 1, at(0, 0, 0.05), 0)
	s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.4)), 1000, at(0, 0, 0.3), 0)
	s.step(0.004, 50)
	if n := testing.AllocsPerRun(50, func() { s.step(0.004, 1) }); n > 0 || len(s.solver.clusters) != 1 {
		t.Errorf("%v allocations in a step with %d clusters", n, len(s.solver.clusters))
	}
}

// TestFrictionOnALightBoxFollowsTheLoadThatItBears: a tonne that stands on 1 kg is hit along a slope. In the
// next steps friction leaves its cone by less than its size. With one round it would be five times as large.
func TestFrictionOnALightBoxFollowsTheLoadThatItBears(t *testing.T) {
	for _, tilt := range []float64{20, 38, 42, 50} {
		c := tilted(tilt)
		c.Substeps = 1
		s := newScene(t, 0.8, c)
		s.ground()
		s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.1)), 1, at(0, 0, 0.05), 0)
		load := s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.4)), 1000, at(0, 0, 0.3), 0)
		s.step(1.0/240, 20)
		s.check(s.Body(load).SetTwist(r3.Twist{Linear: r3.V(1, 0, -0.2), Angular: r3.V(0, 1, 0)}))
		worst := 0.0
		for range 20 {
			s.step(1.0/240, 1)
			for i := range s.solver.clusterLanes {
				l := &s.solver.clusterLanes[i]
				b, normal := &s.solver.batches[l.batch], 0.0
				for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
					normal += s.solver.rows[k].impulse[l.lane]
				}
				friction := math.Hypot(b.tangentImpulse1[l.lane], b.tangentImpulse2[l.lane])
				if normal > 0 {
					worst = max(worst, friction/(0.8*normal))
				}
			}
		}
		if worst == 0 || worst > 2 {
			t.Errorf("on a slope of %v° friction is %v times its bound", tilt, worst)
		}
	}
}
