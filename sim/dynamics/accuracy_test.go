package dynamics

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim/r3"
)

// moment holds the poses and twists of a scene's bodies at a time, of this engine or another. Linear
// velocities are those of the centers of mass.
type moment struct {
	pose  []r3.Pose
	twist []r3.Twist
}

// verdict is the accuracy of a run: its error, and the largest change of energy and momentum relative to
// their largest values. NaN marks a quantity that the case does not conserve.
type verdict struct{ err, energy, momentum float64 }

// accuracyCase is a motion with a closed form.
type accuracyCase struct {
	name, unit  string // unit: that of the error
	dt, seconds float64
	every       int // steps between two moments
	bounce      bool
	build       func(t testing.TB) *scene
	judge       func(s *scene, run []moment) verdict
	most        verdict // bounds of ours
}

func (s *scene) moment() (m moment) {
	for _, b := range s.added {
		m.pose = append(m.pose, s.Body(b).Pose())
		m.twist = append(m.twist, r3.Twist{Linear: s.Body(b).VelocityAt(s.Body(b).COM()),
			Angular: s.Body(b).Twist().Angular})
	}
	return m
}

// run steps a case in this engine; the first moment is the start.
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

// sums returns the total energy of a moment, its kinetic energy, the momentum, and the angular momentum about
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

// drift is the largest change of the energy, relative to the largest kinetic energy.
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

// strayed is the largest error of a vector of the moments, relative to its largest value. push is its known
// change up to moment k.
func strayed(run []moment, of func(moment) r3.Vec, push func(k int) r3.Vec) float64 {
	first, off, most := of(run[0]), 0.0, 0.0
	for k, m := range run {
		want := first.Add(push(k))
		off, most = max(off, of(m).Dist(want)), max(most, want.Len())
	}
	return off / most
}

func nothing(int) r3.Vec { return r3.Vec{} }

// farthest is the largest displacement of a body, m.
func farthest(run []moment) (far float64) {
	for _, m := range run {
		for i, p := range m.pose {
			far = max(far, p.Pos.Dist(run[0].pose[i].Pos))
		}
	}
	return far
}

// within reports whether a part of a verdict is within its bound; NaN is no bound.
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

// TestMotionFollowsClosedForms: position, energy and momentum of each case are within its bounds.
func TestMotionFollowsClosedForms(t *testing.T) {
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
