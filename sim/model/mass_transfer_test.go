package model

import (
	"math"
	"testing"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// wholeMass is the mass of all bodies of a model as one, joints at zero.
func wholeMass(m *Model) (all shape.Mass) {
	for i := range m.Bodies {
		if b := &m.Bodies[i]; b.Type == dynamics.Dynamic {
			all = all.Plus(b.Mass.Moved(b.Pose))
		}
	}
	return all
}

// light is a cart of 3 kg on a wheel of 20 g that stands askew, and on a caster ball of 4 g.
func light() *scene.ModelSpec {
	ball := scene.Link{Name: "caster", Pose: r3.PoseRPY(-0.2, 0, 0.02, 0, 0, 0)}
	ball.Inertial = scene.Inertial{Mass: 0.004, Pose: r3.IdentityPose(),
		Inertia: r3.Diag(r3.V(1e-6, 1e-6, 1e-6))}
	ball.Collisions = []scene.Geom{{Name: "c", Kind: scene.Sphere, Radius: 0.02, Pose: r3.IdentityPose()}}
	wheel := scene.Link{Name: "wheel", Pose: r3.PoseRPY(0.1, 0.1, 0.05, -math.Pi/2, 0.2, 0.1)}
	wheel.Inertial = scene.Inertial{Mass: 0.02, Pose: r3.PoseRPY(0.002, 0.001, 0.01, 0, 0, 0),
		Inertia: r3.Diag(r3.V(1.2e-5, 1.2e-5, 2e-5))}
	wheel.Collisions = []scene.Geom{{Name: "c", Kind: scene.Cylinder, Radius: 0.05, Length: 0.02,
		Pose: r3.IdentityPose()}}
	base := scene.Link{Name: "base", Pose: r3.IdentityPose()}
	base.Inertial = scene.Inertial{Mass: 3, Pose: r3.PoseRPY(0, 0, 0.1, 0, 0, 0),
		Inertia: r3.Diag(r3.V(0.1, 0.2, 0.25))}
	return &scene.ModelSpec{Name: "cart", Links: []scene.Link{base, wheel, ball}, Joints: []scene.Joint{
		{Name: "axle", Kind: scene.Continuous, Parent: 0, Child: 1, Pose: r3.IdentityPose(),
			Axis: r3.V(0, 0, 1)},
		{Name: "socket", Kind: scene.Ball, Parent: 0, Child: 2, Pose: r3.IdentityPose()},
	}}
}

func TestMassThatWheelsAreGivenChangesNoMotion(t *testing.T) {
	p, err := Compile(light(), false)
	if err != nil {
		t.Fatal(err)
	}
	wheel, ball := p.Bodies[p.Placements[1].Body].Mass, p.Bodies[p.Placements[2].Body].Mass
	if wheel.Mass < 0.3 || ball.Mass < 0.3 {
		t.Fatalf("the wheel has %v kg and the caster %v kg of 3: too light to carry it", wheel.Mass,
			ball.Mass)
	}
	if err := p.Bodies[0].Mass.Check(); err != nil {
		t.Error(err)
	}
	// The whole is what the file says.
	var says shape.Mass
	for i := range p.Spec.Links {
		l := &p.Spec.Links[i]
		says = says.Plus(shape.Mass{Mass: l.Inertial.Mass,
			Inertia: l.Inertial.Inertia}.Moved(l.Pose.Mul(l.Inertial.Pose)))
	}
	got := wholeMass(p)
	if math.Abs(got.Mass-says.Mass) > 1e-12 || got.COM.Dist(says.COM) > 1e-12 {
		t.Errorf("all bodies have %v kg at %v, the file says %v kg at %v", got.Mass, got.COM, says.Mass,
			says.COM)
	}
	d := got.Inertia.Add(says.Inertia.Scale(-1))
	if off := max(math.Abs(d.XX), math.Abs(d.YY), math.Abs(d.ZZ), math.Abs(d.XY), math.Abs(d.XZ),
		math.Abs(d.YZ)); off > 1e-12 {
		t.Errorf("their inertia is %v, the file says %v", got.Inertia, says.Inertia)
	}
	// About its axle the wheel turns as before.
	about := func(m shape.Mass) float64 {
		arm := m.COM
		return m.Inertia.ZZ + m.Mass*(arm.X*arm.X+arm.Y*arm.Y)
	}
	before := shape.Mass{Mass: 0.02, COM: r3.V(0.002, 0.001, 0.01),
		Inertia: r3.Diag(r3.V(1.2e-5, 1.2e-5, 2e-5))}
	if a, b := about(wheel), about(before); math.Abs(a-b) > 1e-15 {
		t.Errorf("the wheel's inertia about its axle is %v, was %v", a, b)
	}
}

func TestACarrierKeepsMostOfItsMass(t *testing.T) {
	spec := light()
	spec.Links[0].Inertial.Inertia = r3.Diag(r3.V(4e-4, 5e-4, 6e-4)) // all mass in its middle
	p, err := Compile(spec, false)
	if err != nil {
		t.Fatal(err)
	}
	m := p.Bodies[0].Mass
	v, _ := m.Inertia.Eigen()
	if m.Check() != nil || m.Mass < 1.5 || min(v.X, v.Y, v.Z) < 1.3e-4 {
		t.Errorf("left with %+v", m)
	}
}
