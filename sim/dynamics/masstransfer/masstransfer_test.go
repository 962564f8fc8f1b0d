package masstransfer

import (
	"math"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// cart is a chassis of 3 kg on a wheel of 20 g that stands askew, and on a caster ball of 4 g. Its poses are
// those of the bodies in the cart's frame.
func cart() (masses []shape.Mass, poses []r3.Pose, joints []Joint) {
	masses = []shape.Mass{
		{Mass: 3, COM: r3.V(0, 0, 0.1), Inertia: r3.Diag(r3.V(0.1, 0.2, 0.25))},
		{Mass: 0.02, COM: r3.V(0.002, 0.001, 0.01), Inertia: r3.Diag(r3.V(1.2e-5, 1.2e-5, 2e-5))},
		{Mass: 0.004, Inertia: r3.Diag(r3.V(1e-6, 1e-6, 1e-6))},
	}
	poses = []r3.Pose{r3.IdentityPose(), r3.PoseRPY(0.1, 0.1, 0.05, -math.Pi/2, 0.2, 0.1),
		r3.PoseRPY(-0.2, 0, 0.02, 0, 0, 0)}
	joints = []Joint{
		{Parent: 0, Child: 1, Hinge: true, ParentFrame: poses[1], ChildFrame: r3.IdentityPose(),
			Axis:   r3.V(0, 0, 1),
			Shapes: []Shape{{shape.Cylinder{Radius: 0.05, Half: 0.01}, r3.IdentityPose()}}},
		{Parent: 0, Child: 2, ParentFrame: poses[2], ChildFrame: r3.IdentityPose(),
			Shapes: []Shape{{shape.Sphere{Radius: 0.02}, r3.IdentityPose()}}},
	}
	return masses, poses, joints
}

// whole is the mass of all bodies as one.
func whole(masses []shape.Mass, poses []r3.Pose) (all shape.Mass) {
	for i := range masses {
		all = all.Plus(masses[i].Moved(poses[i]))
	}
	return all
}

func TestMassThatWheelsAreGivenChangesNoMotion(t *testing.T) {
	given, poses, joints := cart()
	moved := slices.Clone(given)
	Redistribute(moved, joints)
	if moved[1].Mass < 0.3 || moved[2].Mass < 0.3 {
		t.Fatalf("the wheel has %v kg and the caster %v kg of 3: too light to carry it", moved[1].Mass,
			moved[2].Mass)
	}
	if err := moved[0].Check(); err != nil {
		t.Error(err)
	}
	says, got := whole(given, poses), whole(moved, poses)
	if math.Abs(got.Mass-says.Mass) > 1e-12 || got.COM.Dist(says.COM) > 1e-12 {
		t.Errorf("all bodies have %v kg at %v, they were given %v kg at %v", got.Mass, got.COM, says.Mass,
			says.COM)
	}
	d := got.Inertia.Add(says.Inertia.Scale(-1))
	if off := max(math.Abs(d.XX), math.Abs(d.YY), math.Abs(d.ZZ), math.Abs(d.XY), math.Abs(d.XZ),
		math.Abs(d.YZ)); off > 1e-12 {
		t.Errorf("their inertia is %v, they were given %v", got.Inertia, says.Inertia)
	}
	// About its axle the wheel turns as before.
	about := func(m shape.Mass) float64 {
		arm := m.COM
		return m.Inertia.ZZ + m.Mass*(arm.X*arm.X+arm.Y*arm.Y)
	}
	if a, b := about(moved[1]), about(given[1]); math.Abs(a-b) > 1e-15 {
		t.Errorf("the wheel's inertia about its axle is %v, was %v", a, b)
	}
	if got := moved[2].Inertia.XX; got != 1e-6 {
		t.Errorf("the ball's inertia is %v: it should have got mass alone", got)
	}
}

func TestACarrierKeepsMostOfItsMass(t *testing.T) {
	masses, _, joints := cart()
	masses[0].Inertia = r3.Diag(r3.V(4e-4, 5e-4, 6e-4)) // all mass in its middle
	Redistribute(masses, joints)
	v, _ := masses[0].Inertia.Eigen()
	if masses[0].Check() != nil || masses[0].Mass < 1.5 || min(v.X, v.Y, v.Z) < 1.3e-4 {
		t.Errorf("left with %+v", masses[0])
	}
}

func TestWheelsThatAreHeavyEnoughGetNothing(t *testing.T) {
	given, _, joints := cart()
	given[1].Mass, given[2].Mass = 1, 1
	given[1].Inertia = r3.Diag(r3.V(1, 1, 1))
	moved := slices.Clone(given)
	Redistribute(moved, joints)
	if !slices.Equal(moved, given) {
		t.Errorf("%+v became %+v", given, moved)
	}
}

// TestAChassisThatWouldKeepTooLittleGivesItsWheelsLess: each wheel without mass wants an eighth of the
// chassis. Five leave it three eighths, and get all they want. Six would leave it a quarter: they get two
// thirds of it, and the chassis keeps half.
func TestAChassisThatWouldKeepTooLittleGivesItsWheelsLess(t *testing.T) {
	for wheels, want := range map[int]float64{5: 3.0 / 8, 6: 1.0 / 2} {
		masses := []shape.Mass{{Mass: 8, Inertia: r3.Diag(r3.V(10, 10, 10))}}
		var joints []Joint
		for i := range wheels {
			masses = append(masses, shape.Mass{Mass: 1e-9, Inertia: r3.Diag(r3.V(1e-12, 1e-12, 1e-12))})
			turn := 2 * math.Pi * float64(i) / float64(wheels)
			joints = append(joints, Joint{Parent: 0, Child: i + 1, ChildFrame: r3.IdentityPose(),
				ParentFrame: r3.PoseRPY(0.1*math.Cos(turn), 0.1*math.Sin(turn), 0, 0, 0, 0),
				Shapes:      []Shape{{shape.Sphere{Radius: 0.02}, r3.IdentityPose()}}})
		}
		Redistribute(masses, joints)
		if kept := masses[0].Mass / 8; math.Abs(kept-want) > 1e-6 {
			t.Errorf("over %d wheels the chassis keeps %v of its mass, want %v", wheels, kept, want)
		}
	}
}
