package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestContactPointsMoveOffTheAxisOrOnATiltedRim: a ball rolls like a round one while its centre of mass is
// less than a hundredth of its radius off. A wheel is on both rims up to a tilt of 2°, on one from 4° on.
func TestContactPointsMoveOffTheAxisOrOnATiltedRim(t *testing.T) {
	out := r3.V(0, 0, -1)
	for _, c := range []struct {
		shape     shape.Shape
		off, tilt float64 // as a part of the radius; rad
		moves     bool
	}{
		{shape.Sphere{Radius: 0.2}, 0.007, 0, false},
		{shape.Sphere{Radius: 0.2}, 0.014, 0, true},
		{shape.Cylinder{Radius: 0.2, Half: 0.05}, 0.007, 0.035, false},
		{shape.Cylinder{Radius: 0.2, Half: 0.05}, 0.014, 0.035, true},
		{shape.Cylinder{Radius: 0.2, Half: 0.05}, 0, 0.07, true},
		{shape.Capsule{Radius: 0.2, Half: 0.05}, 0, -0.07, true},
		{shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 0.1, 0.1, false},
	} {
		s := newScene(t, 0.5, earth())
		b := s.body(c.shape, 1, at(0, 0, 1), 0)
		g := &s.geoms.all[s.Body(b).Geoms(nil)[0].slot]
		axis := r3.V(math.Cos(c.tilt), 0, math.Sin(c.tilt))
		if got := g.hasMovingContactPoint(r3.V(0, 0.2*c.off, 0), axis, out); got != c.moves {
			t.Errorf("%v off by %v of its radius, tilted by %v rad: points move %v, want %v", c.shape.Kind(),
				c.off, c.tilt, got, c.moves)
		}
	}
}

// TestOnlyTheLowestPointOfARimRolls: others, such as those where faces meet, are fixed to the body. A contact
// point counts as the lowest one up to a twentieth of the radius beside it.
func TestOnlyTheLowestPointOfARimRolls(t *testing.T) {
	const radius, half = 0.2, 0.05
	out := r3.V(0, 0, -1)
	tilt := 0.1
	axis := r3.V(math.Cos(tilt), 0, math.Sin(tilt))
	down, _ := out.AddScaled(-out.Dot(axis), axis).Unit()
	for _, c := range []struct {
		shape  shape.Shape
		lowest r3.Vec
	}{
		{shape.Cylinder{Radius: radius, Half: half}, axis.Scale(half).AddScaled(radius, down)},
		{shape.Sphere{Radius: radius}, out.Scale(radius)},
	} {
		s := newScene(t, 0.5, earth())
		b := s.body(c.shape, 1, at(0, 0, 1), 0)
		g := &s.geoms.all[s.Body(b).Geoms(nil)[0].slot]
		for beside, rolls := range map[float64]bool{0: true, 0.035: true, 0.07: false} {
			arm := c.lowest.Add(r3.V(0, beside*radius, 0))
			p, got := g.rollingPoint(arm, r3.Vec{}, axis, out)
			if got != rolls {
				t.Errorf("%v: a point %v of the radius beside the lowest one rolls: %v, want %v", c.shape.Kind(),
					beside, got, rolls)
			}
			if p.arm != arm {
				t.Errorf("%v: the point is at %v, want %v", c.shape.Kind(), p.arm, arm)
			}
		}
	}
}

// TestPointsStayWhereABodyTurnsFarInASubstep: they move along up to 17°. Beyond, the arc of their way is far
// from its tangent.
func TestPointsStayWhereABodyTurnsFarInASubstep(t *testing.T) {
	for turn, steady := range map[float64]bool{0.2: true, 0.42: false} {
		s := &solver{}
		s.h = 0.01
		s.states = []bodyState{{}, {w: r3.V(0, turn/s.h, 0)}}
		if e := (&rollingContact{body: 1}); e.isSteady(s) != steady {
			t.Errorf("a turn of %v rad in a substep: points move %v, want %v", turn, !steady, steady)
		}
		if e := (&rollingContact{body: 1, impacting: true}); e.isSteady(s) {
			t.Errorf("a turn of %v rad in a substep: points of an impact move", turn)
		}
	}
}

// TestContactsAreWeighedAnewFromAHundredthAndStartColdFromATenth: a change of an inverse inertia by less than
// a hundredth leaves the effective masses. From a tenth on the impulses of the substep before are for another
// body, unless its points roll along.
func TestContactsAreWeighedAnewFromAHundredthAndStartColdFromATenth(t *testing.T) {
	for _, rolling := range []bool{false, true} {
		for change, want := range map[float64][2]bool{
			0.007: {false, false}, 0.014: {true, false}, 0.07: {true, false}, 0.14: {true, true},
		} {
			s := newScene(t, 0.5, earth())
			s.ground()
			s.body(shape.BoxOf(r3.V(0.5, 0.3, 0.1)), 1, at(0, 0, 0.05), 0)
			s.step(0.001, 2)
			if len(s.solver.reweighted) != 1 {
				t.Fatalf("%d contacts that may be weighed anew, want 1", len(s.solver.reweighted))
			}
			e := &s.solver.reweighted[0]
			e.rolling = rolling
			b := &s.solver.batches[e.batch]
			body := max(b.a[e.lane], b.b[e.lane])
			inv := s.solver.masses[body].invInertia
			e.inertiaStart, e.inertiaUsed = [2]r3.Mat{inv, inv}, [2]r3.Mat{inv, inv}
			most := &s.solver.masses[body].invInertia
			most.XY, most.YX = change*max(inv.XX, inv.YY, inv.ZZ), change*max(inv.XX, inv.YY, inv.ZZ)
			s.solver.updateReweighted()
			anew := e.inertiaUsed != [2]r3.Mat{inv, inv}
			if cold := want[1] && !rolling; anew != want[0] || e.noWarmStart != cold {
				t.Errorf("a change by %v, rolling %v: weighed anew %v, without warm start %v; want %v, %v", change,
					rolling, anew, e.noWarmStart, want[0], cold)
			}
		}
	}
}

// TestFrictionTurnsAlongWithABodyThatTurnsSlowly: up to a twentieth of a radian in a substep its impulse
// keeps its size and its direction on the body. The impulse of a faster one stays in the world.
func TestFrictionTurnsAlongWithABodyThatTurnsSlowly(t *testing.T) {
	for turn, along := range map[float64]bool{0.035: true, -0.035: true, 0.07: false, -0.07: false} {
		s := &solver{}
		s.h = 0.01
		s.states = []bodyState{{}, {w: r3.V(0, 0, turn/s.h)}}
		var b contactBatch
		b.a[0], b.b[0], b.movableMask = 0, 1, 1<<width
		b.normal.set(0, r3.V(0, 0, 1))
		b.tangentImpulse1[0] = 3
		s.rotateFrictionImpulse(&b, 0)
		want := 0.0
		if along {
			want = turn
		}
		angle := math.Atan2(b.tangentImpulse2[0], b.tangentImpulse1[0])
		size := math.Hypot(b.tangentImpulse1[0], b.tangentImpulse2[0])
		if math.Abs(angle-want) > 1e-5 || math.Abs(size-3) > 1e-12 {
			t.Errorf("a turn of %v rad: the impulse turns by %v rad to %v N·s, want %v and 3", turn, angle, size,
				want)
		}
	}
}

// TestAContactWithoutWarmStartLosesItsApproachInOnePass: up to what corners that take turns leave. Nothing
// of the substep before helps it.
func TestAContactWithoutWarmStartLosesItsApproachInOnePass(t *testing.T) {
	for _, c := range []struct {
		size r3.Vec
		left float64
	}{{r3.V(0.5, 0.3, 0.1), 1e-3}, {r3.V(1, 0.1, 0.1), 0.04}} {
		s := newScene(t, 0.5, earth())
		s.ground()
		s.body(shape.BoxOf(c.size), 1, at(0, 0, c.size.Z/2), 0)
		s.stepChecked(0.001, 20)
		so := &s.solver
		if len(so.reweighted) != 1 || len(so.batches) != 1 {
			t.Fatalf("%d contacts in %d batches, want one", len(so.reweighted), len(so.batches))
		}
		e, b := &so.reweighted[0], &so.batches[0]
		e.noWarmStart = true
		for k := range 4 {
			so.rows[int(b.firstRow)+k].impulse[e.lane] = 0
		}
		body := &so.states[max(b.a[e.lane], b.b[e.lane])]
		body.v, body.w = r3.V(0, 0, -0.01), r3.Vec{}
		so.solveBatches(0, 1, &so.relaxIteration)
		if left := (body.v.Len() + body.w.Len()*c.size.Len()/2) / 0.01; left > c.left {
			t.Errorf("a box of %v m: a pass leaves a part of %v of the approach, want at most %v", c.size, left,
				c.left)
		}
	}
}

// TestARollingContactIsSolvedToAHundredthInOnePass: its one point needs friction as well as a normal impulse,
// and each changes the other.
func TestARollingContactIsSolvedToAHundredthInOnePass(t *testing.T) {
	for _, tilt := range []float64{0.3, 0.5, 1.2} {
		s := eulersDisc(t, 0.1, tilt)
		s.stepChecked(0.001, 20)
		so := &s.solver
		if len(so.rollingContacts) != 1 || len(so.batches) != 1 {
			t.Fatalf("%d rolling contacts in %d batches, want one", len(so.rollingContacts), len(so.batches))
		}
		e, b := &so.rollingContacts[0], &so.batches[0]
		for k := range e.n {
			so.rows[int(b.firstRow)+k].impulse[e.lane] = 0
		}
		b.tangentImpulse1[e.lane], b.tangentImpulse2[e.lane] = 0, 0
		body := &so.states[e.body]
		body.v.Z -= 0.01
		began := *body
		so.solveBatches(0, 1, &so.relaxIteration)
		so.iterateRollingContacts(&so.relaxIteration)
		got := *body
		for range 200 {
			so.solveContactLane(b, int(e.lane), &so.relaxIteration)
		}
		left := max(got.v.Sub(body.v).Len()/body.v.Sub(began.v).Len(),
			got.w.Sub(body.w).Len()/body.w.Sub(began.w).Len())
		if left > 0.01 {
			t.Errorf("tilted by %v rad: a pass leaves a part of %v of the change of velocity", tilt, left)
		}
	}
}

// TestPointsArePredictedWhereTheBodyYieldsHalfAsMuchAtLeast: between the point of the substep's beginning and
// that of its middle. A thin body may yield less there, or to the wrong side.
func TestPointsArePredictedWhereTheBodyYieldsHalfAsMuchAtLeast(t *testing.T) {
	for part, predicted := range map[float64]bool{-1: false, 0.35: false, 0.7: true, 1.4: true} {
		s := eulersDisc(t, 0.1, 0.5)
		s.stepChecked(0.001, 20)
		so := &s.solver
		e, b := &so.rollingContacts[0], &so.batches[0]
		lane := int(e.lane)
		r := &so.rows[b.firstRow]
		e.n = 1
		e.rotation = e.rotationSince(so)
		then := e.rotation.Turn(so.states[e.body].w.Scale(measureFraction * so.h))
		moment := e.points[0].at(then, e.outward).Cross(e.normal)
		mass := b.massA[lane] + b.massB[lane]
		// In the middle the point yields twice as much as by the body's mass alone, or the wrong way.
		turn, side := r.rollingSide(e)
		turn.set(lane, moment.Scale((math.Copysign(2, part)-1)*mass/moment.Len2()))
		side.set(lane, turn.at(lane).Scale((2/math.Abs(part)-1)*mass/turn.at(lane).Len2()))
		was := side.at(lane)
		e.predict(so)
		if got := side.at(lane) != was; got != predicted {
			t.Errorf("a point that yields %v times as much: it is predicted %v, want %v", part, got, predicted)
		}
	}
}
