package dynamics

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim/r3"
)

// moment is where the bodies of a scene are and how they move, the linear velocity being that of the centre
// of mass; of ours or of another engine.
type moment struct {
	pose  []r3.Pose
	twist []r3.Twist
}

// verdict is what a run is worth: how far it is off, and how much of the energy and of the momentum that
// there were has come or gone, as parts of the largest; NaN where nothing keeps them.
type verdict struct{ err, energy, momentum float64 }

// accuracyCase is something of which theory knows the end.
type accuracyCase struct {
	name, unit  string // of the error: what it is of
	dt, seconds float64
	every       int // steps between two moments
	bounce      bool
	build       func(t testing.TB) *scene
	judge       func(s *scene, run []moment) verdict
	most        verdict // that ours may be off
}

func (s *scene) moment() (m moment) {
	for _, b := range s.added {
		m.pose = append(m.pose, s.Body(b).Pose())
		m.twist = append(m.twist, r3.Twist{Linear: s.Body(b).VelocityAt(s.Body(b).COM()),
			Angular: s.Body(b).Twist().Angular})
	}
	return m
}

// run steps a case in our engine; the first moment is the beginning.
func (c *accuracyCase) run(s *scene) []moment {
	s.Helper()
	out := []moment{s.moment()}
	for range int(math.Round(c.seconds/c.dt)) / c.every {
		s.step(c.dt, c.every)
		out = append(out, s.moment())
	}
	if err := s.Validate(); err != nil {
		s.Fatal(err)
	}
	return out
}

// sums are the energy of a moment (all of it and that of motion), the momentum, and the angular one about
// the origin.
func (s *scene) sums(m moment) (energy, kinetic float64, p, l r3.Vec) {
	for i, b := range s.added {
		mass := s.Body(b).Mass()
		com := m.pose[i].Apply(mass.COM)
		w := m.pose[i].Rot.RotateBack(m.twist[i].Angular)
		kinetic += 0.5*mass.Mass*m.twist[i].Linear.Len2() + 0.5*w.Dot(mass.Inertia.Apply(w))
		energy -= mass.Mass * com.Dot(s.Gravity())
		q := m.twist[i].Linear.Scale(mass.Mass)
		p = p.Add(q)
		l = l.Add(com.Cross(q)).Add(m.pose[i].Rot.Rotate(mass.Inertia.Apply(w)))
	}
	return energy + kinetic, kinetic, p, l
}

// drift is by how much the energy changes at most, as a part of the most that ever was motion.
func (s *scene) drift(run []moment) float64 {
	e0, most, off := 0.0, 0.0, 0.0
	for i, m := range run {
		e, k, _, _ := s.sums(m)
		if i == 0 {
			e0 = e
		}
		most, off = max(most, k), max(off, math.Abs(e-e0))
	}
	return off / most
}

// strayed is by how much a vector of the moments changes at most, as a part of the first; push is what
// changes it, in a second.
func strayed(run []moment, of func(moment) r3.Vec, push func(k int) r3.Vec) float64 {
	first, off, most := of(run[0]), 0.0, 0.0
	for k, m := range run {
		want := first.Add(push(k))
		off, most = max(off, of(m).Dist(want)), max(most, want.Len())
	}
	return off / most
}

func nothing(int) r3.Vec { return r3.Vec{} }

// farthest is how far any body has gone at most.
func farthest(run []moment) (far float64) {
	for _, m := range run {
		for i, p := range m.pose {
			far = max(far, p.Pos.Dist(run[0].pose[i].Pos))
		}
	}
	return far
}

// within reports whether a part of a verdict is as good as asked; NaN asks nothing.
func within(got, most float64) bool { return math.IsNaN(most) || got <= most }

func (v verdict) String() string {
	part := func(x float64) string {
		if math.IsNaN(x) {
			return fmt.Sprintf("%9s", "")
		}
		return fmt.Sprintf("%9.2g", x)
	}
	return part(v.err) + " " + part(v.energy) + " " + part(v.momentum)
}

// TestMotionIsAsTheorySays holds everything against closed forms: where it goes, and energy and momentum.
func TestMotionIsAsTheorySays(t *testing.T) {
	for _, c := range append(accuracyMotions(), accuracyLoads()...) {
		s := c.build(t)
		v := c.judge(s, c.run(s))
		t.Logf("%-34s %-26s %v", c.name, c.unit, v)
		if !within(v.err, c.most.err) || !within(v.energy, c.most.energy) ||
			!within(v.momentum, c.most.momentum) {
			t.Errorf("%s: %s, drift of energy and momentum: %v; at most %v", c.name, c.unit, v, c.most)
		}
	}
}
