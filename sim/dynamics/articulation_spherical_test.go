package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// hangingSphere is a ball of 2 kg and 0.02 kg·m² on a joint at its centre in reduced coordinates, without
// gravity.
func hangingSphere(t *testing.T, d JointDef, moving r3.Twist) (*scene, JointID) {
	t.Helper()
	s := newScene(t, 0.5, Config{NoSleep: true})
	b := s.body(shape.Sphere{Radius: math.Sqrt(0.025)}, 2, at(0, 0, 1), 0)
	d.Child, d.ParentFrame = b, at(0, 0, 1)
	d.Axis = r3.V(0, 0, 1)
	j := must[JointID](t)(s.AddJoint(d))
	s.check(s.Articulate([]JointID{j}))
	s.check(s.Body(b).SetTwist(moving))
	return s, j
}

func TestEveryDegreeOfFreedomOfAnArticulationHasDampingAndFriction(t *testing.T) {
	turn := func(x, y, z float64) r3.Twist { return r3.Twist{Angular: r3.V(x, y, z)} }
	way := func(x, y, z float64) r3.Twist { return r3.Twist{Linear: r3.V(x, y, z)} }
	for name, c := range map[string]struct {
		d        JointDef
		from, to r3.Twist
	}{
		"a damped ball": {JointDef{Type: Ball, Damping: 0.02}, turn(3, -4, 5),
			turn(3/math.E, -4/math.E, 5/math.E)},
		"a ball with friction": {JointDef{Type: Ball, Friction: 0.04}, turn(3, -4, 1), turn(1, -2, 0)},
		"a damped plane": {JointDef{Type: Planar, Damping: 2}, way(3, -4, 0),
			way(3/math.E, -4/math.E, 0)},
		"a damped turn in a plane": {JointDef{Type: Planar, Damping: 0.02}, turn(0, 0, 5),
			turn(0, 0, 5/math.E)},
		"a plane with friction": {JointDef{Type: Planar, Friction: 4}, way(3, -4, 0), way(1, -2, 0)},
		"a universal's first axis": {JointDef{Type: Universal, Axis2: r3.V(1, 0, 0), Damping: 0.02},
			turn(0, 0, 5), turn(0, 0, 5/math.E)},
		"a universal's second axis": {JointDef{Type: Universal, Axis2: r3.V(1, 0, 0), Damping: 0.02},
			turn(5, 0, 0), turn(5/math.E, 0, 0)},
		"a universal with friction": {JointDef{Type: Universal, Axis2: r3.V(1, 0, 0), Friction: 0.04},
			turn(5, 0, 0), turn(3, 0, 0)},
		"a universal that stops": {JointDef{Type: Universal, Axis2: r3.V(1, 0, 0), Friction: 0.04},
			turn(1, 0, 0), turn(0, 0, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, dt := range stepLengths {
				s, _ := hangingSphere(t, c.d, c.from)
				s.stepChecked(dt, int(math.Round(1/dt)))
				got := s.Body(s.added[0]).Twist()
				if off := got.Angular.Sub(c.to.Angular).Len(); off > 0.01*c.from.Angular.Len() {
					t.Errorf("dt %.4f: turns at %v, want %v", dt, got.Angular, c.to.Angular)
				}
				if off := got.Linear.Sub(c.to.Linear).Len(); off > 0.01*c.from.Linear.Len() {
					t.Errorf("dt %.4f: moves at %v, want %v", dt, got.Linear, c.to.Linear)
				}
			}
		})
	}
}

func TestASphericalSpringSwingsAboutAnyAxisWithItsPeriod(t *testing.T) {
	axis, _ := r3.V(1, -2, 0.5).Unit()
	// 1 Hz, 1 rad
	s, _ := hangingSphere(t, JointDef{Type: Ball, Stiffness: 0.02 * 4 * math.Pi * math.Pi},
		r3.Twist{Angular: axis.Scale(2 * math.Pi)})
	for quarter := 1; quarter <= 8; quarter++ {
		s.stepChecked(0.001, 250)
		turned := s.Body(s.added[0]).Pose().Rot.Vector()
		want := axis.Scale(math.Sin(float64(quarter) * math.Pi / 2))
		if off := turned.Sub(want).Len(); off > 0.03 {
			t.Errorf("after %d quarters of a period turned by %v, want %v", quarter, turned, want)
		}
	}
}

func TestASphericalJointRestsAtItsConeLimit(t *testing.T) {
	for k := range 8 {
		s := newScene(t, 0.5, Config{NoSleep: true, Gravity: r3.V(0, 0, -9.81)})
		b := s.body(shape.Capsule{Radius: 0.05, Half: 0.2}, 1, at(0, 0, 1.3), 0)
		j := must[JointID](t)(s.AddJoint(JointDef{Type: Ball, Child: b, ParentFrame: at(0, 0, 1),
			ChildFrame: at(0, 0, -0.3), Axis: r3.V(0.6, 0, 0.8),
			Limited: true, Upper: 0.5, Damping: 0.05}))
		s.check(s.Articulate([]JointID{j}))
		away := r3.V(math.Cos(float64(k)*math.Pi/4), math.Sin(float64(k)*math.Pi/4), 0)
		s.check(s.Body(b).SetTwist(r3.Twist{Angular: away, Linear: away.Cross(r3.V(0, 0, 0.3))}))
		most := 0.0
		for range 3000 {
			s.stepChecked(0.002, 1)
			most = max(most, s.Body(b).Pose().Rot.Vector().Len())
		}
		up := s.Body(b).Pose().Rot.Rotate(r3.V(0, 0, 1))
		if tilt := math.Acos(up.Z); most > 0.51 || math.Abs(tilt-0.5) > 0.005 ||
			s.Body(b).Twist().Angular.Len() > 0.01 || s.Joint(j).Gap() > 1e-3 {
			t.Errorf(
				"%d: tilts %.4f rad, at most %.4f, turns at %v, its ends %v m apart; want to rest at 0.5",
				k, tilt, most, s.Body(b).Twist().Angular, s.Joint(j).Gap())
		}
	}
}
