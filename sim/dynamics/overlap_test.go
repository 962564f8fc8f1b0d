package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// Two bodies placed into each other may overlap by more than deepAt, m, for at most deepFor seconds. The
	// deepest overlap of the test is 0.5 m, recovery takes 1 m/s, and in a heap others press from above.
	deepAt  = 0.05
	deepFor = 1.0
	// overlapSteps is the number of steps per seed.
	overlapSteps = 2000
)

// overlapWatch measures for how long pairs have overlapped.
type overlapWatch struct {
	since map[uint64]float64 // s, by pair
	worst float64
}

// look adds dt seconds to all pairs that overlap now. It computes distances and does not read the contacts,
// because a missing contact is an error that it must find.
func (o *overlapWatch) look(s *scene, dt float64) {
	now := map[uint64]float64{}
	for i := range s.geoms.all {
		for k := range i {
			a, b := &s.geoms.all[k], &s.geoms.all[i]
			ca, aConvex := a.Shape.(shape.Convex)
			cb, bConvex := b.Shape.(shape.Convex)
			if !aConvex || !bConvex || s.immovable(a, b) ||
				!s.geoms.placements[i].tight.Overlaps(s.geoms.placements[k].tight) {
				continue
			}
			d := shape.Distance(ca, s.geoms.placements[k].Pose, cb, s.geoms.placements[i].Pose)
			if d.Distance > -deepAt {
				continue
			}
			key := pairKey(int32(k), int32(i))
			now[key] = o.since[key] + dt
			if o.worst = max(o.worst, now[key]); now[key] > deepFor {
				s.Fatalf(
					"step %d: %v %d and %v %d overlap by %v m and have overlapped for %v s; asleep: %v, %v",
					s.Steps(), a.Kind, k, b.Kind, i, -d.Distance, now[key], s.World.bodies.all[a.body].asleep,
					s.World.bodies.all[b.body].asleep)
			}
		}
	}
	o.since = now
}

// TestRandomOverlapsAreRecoveredCompletelyAndSlowly: bodies are placed into each other, hit and removed at
// random in a pit. All numbers stay finite, no pair stays overlapped, and recovery makes no body fast.
func TestRandomOverlapsAreRecoveredCompletelyAndSlowly(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 404))
		s := mixedShapes(t, Config{Gravity: r3.V(0, 0, -9.81)})
		watch, span, quietFor := overlapWatch{}, 0.0, 0.0
		for i := range overlapSteps {
			dt := []float64{0.001, 0.004, 1.0 / 60, 0.02}[r.IntN(4)]
			switch b := s.added[r.IntN(len(s.added))]; r.IntN(400) {
			case 0, 1, 2:
				s.check(s.Body(b).SetPose(inPit(r)))
				s.check(s.Body(b).SetTwist(r3.Twist{}))
			case 3:
				s.body(s.someShape(i), 0.1+3*r.Float64(), inPit(r), 0)
			case 4:
				s.check(s.RemoveBody(b))
				s.added = s.dynamic()
			case 5:
				s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(2*r.NormFloat64(), 2*r.NormFloat64(), 1)}))
				quietFor = 0
			}
			if err := s.Step(dt); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, i, err)
			}
			span, quietFor = span+dt, quietFor+dt
			if i%8 == 0 {
				watch.look(s, span)
				span = 0
				s.gentle(quietFor)
			}
			if i%500 == 0 {
				if err := s.Validate(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		}
		t.Logf("seed %d: %d bodies; the longest overlap lasted %.2f s", seed, len(s.added), watch.worst)
	}
}

// inPit is a place among the bodies of mixedShapes: over its floor and between its walls.
func inPit(r *rand.Rand) r3.Pose {
	p := randomPose(r, 1)
	p.Pos = r3.V(2*r.Float64()-1, 2*r.Float64()-1, 0.25+r.Float64())
	return p
}

func (s *scene) dynamic() (out []BodyID) {
	for _, b := range s.Bodies(nil) {
		if s.Body(b).Type() == Dynamic {
			out = append(out, b)
		}
	}
	return out
}

// gentle checks, from two seconds after the last hit, that no body is faster than a fall from the brim plus
// recovery.
func (s *scene) gentle(quietFor float64) {
	if quietFor < 2 {
		return
	}
	for _, b := range s.added {
		m := &s.bodies.motion[b.slot]
		if v := m.v.Len(); v > math.Sqrt(2*9.81*1.5)+2*s.cfg.RecoverySpeed && m.com.Z > 0 {
			s.Fatalf("step %d: body %v at %v moves at %v m/s", s.Steps(), b, m.com, v)
		}
	}
}

// TestAWedgedBoxIsReleased: the overhanging wall makes an angle that friction would hold. A box placed deep
// into it comes out; a box that slid in by itself stays where friction holds it.
func TestAWedgedBoxIsReleased(t *testing.T) {
	for _, deep := range []float64{0.08, 0.1, 0.15} {
		s := newScene(t, 0.8, earth())
		s.ground()
		tilt := r3.AxisAngle(r3.V(0, 1, 0), -50*math.Pi/180) // the wall's face looks down at 40° to the floor
		wall := r3.Pose{Rot: tilt, Pos: tilt.Rotate(r3.V(0.5, 0, 0)).Add(r3.V(0, 0, 0.4))}
		s.fixed(shape.BoxOf(r3.V(1, 3, 3)), wall)

		box := shape.Box{Half: r3.V(0.1, 0.1, 0.1)}
		b := s.body(box, 1, at(0, 0, 0.1), 0)
		s.check(s.Body(b).SetPose(at(0.14+deep/0.64, 0, 0.1)))
		s.stepChecked(0.004, 1)
		first := s.deepest()
		s.stepChecked(0.004, 300)
		if now := s.deepest(); first < 0.03 || now > 0.035 {
			t.Errorf("put in by %v m: overlaps by %v m, a second later by %v m, at %v", deep, first, now,
				s.Body(b).Pose().Pos)
		}
	}
}
