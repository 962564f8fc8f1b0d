package dynamics

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// wheeled is a chassis of 4 kg on a wheel of 10 g.
func wheeled() *Assembly {
	wheel := BodyDef{Type: Dynamic, Pose: r3.PoseRPY(0, 0.2, 0, 0, 0, 0), Mass: 0.01,
		Inertia: r3.Diag(r3.V(1e-5, 1e-5, 1e-5))}
	return &Assembly{
		Bodies: []BodyDef{{Type: Dynamic, Mass: 4, Inertia: r3.Diag(r3.V(1, 1, 1))}, wheel},
		Geoms:  [][]GeomDef{nil, {{Shape: shape.Sphere{Radius: 0.05}}}},
		Wheels: []WheelJoint{{0, 1,
			JointDef{Type: Continuous, ParentFrame: wheel.Pose, Axis: r3.V(0, 1, 0)}}},
	}
}

func testWorld(t *testing.T) *World {
	t.Helper()
	w, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAnAssemblyTellsTheMassesThatItWasGiven(t *testing.T) {
	w := testWorld(t)
	a := wheeled()
	ids, err := w.AddAssembly(a)
	if err != nil {
		t.Fatal(err)
	}
	copied := testWorld(t)
	copied.CopyFrom(w)
	for i, id := range ids {
		for name, world := range map[string]*World{"the world": w, "its copy": copied} {
			if got := world.Body(id).Mass(); got != a.Bodies[i].mass() {
				t.Errorf("%s: body %d has %+v, was given %+v", name, i, got, a.Bodies[i].mass())
			}
		}
	}
	// The solver has mass on the wheel, and as much as before on both.
	moved, rest := w.bodies.massProps[ids[1].slot].mass, w.bodies.massProps[ids[0].slot].mass
	if moved < 0.4 || math.Abs(moved+rest-4.01) > 1e-12 {
		t.Errorf("the solver has %v kg on the wheel and %v kg on the chassis", moved, rest)
	}
}

func TestMassStaysWhereNoWheelTurns(t *testing.T) {
	for name, change := range map[string]func(a *Assembly){
		"no wheel":         func(a *Assembly) { a.Wheels = nil },
		"a slide":          func(a *Assembly) { a.Wheels[0].Def.Type = Prismatic },
		"a held chassis":   func(a *Assembly) { a.Bodies[0].Type = Kinematic },
		"a weightless one": func(a *Assembly) { a.Bodies[0].NoGravity = true },
	} {
		w := testWorld(t)
		a := wheeled()
		change(a)
		ids, err := w.AddAssembly(a)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.bodies.massProps[ids[1].slot].mass; got != 0.01 {
			t.Errorf("%s: the wheel of 10 g has %v kg", name, got)
		}
	}
}

func TestAnAssemblySaysWhichPartCannotBeMade(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(a *Assembly)
		body, geom int
		made       int
	}{
		"body without mass": {func(a *Assembly) { a.Bodies[1].Mass, a.Wheels = 0, nil }, 1, -1, 1},
		"no shape":          {func(a *Assembly) { a.Geoms[1][0].Shape, a.Wheels = nil, nil }, 1, 0, 2},
	} {
		w := testWorld(t)
		a := wheeled()
		c.change(a)
		ids, err := w.AddAssembly(a)
		var part *AssemblyError
		if !errors.As(err, &part) || !errors.Is(err, ErrInvalid) || part.Body != c.body ||
			part.Geom != c.geom || len(ids) != c.made {
			t.Errorf("%s: %d bodies and %#v, want %d and body %d, geom %d", name, len(ids), err, c.made, c.body,
				c.geom)
		}
	}
	for name, change := range map[string]func(a *Assembly){
		"a wheel of no body": func(a *Assembly) { a.Wheels[0].Child = 2 },
		"a body on itself":   func(a *Assembly) { a.Wheels[0].Child = 0 },
		"geoms of no body":   func(a *Assembly) { a.Geoms = nil },
	} {
		a := wheeled()
		change(a)
		if ids, err := testWorld(t).AddAssembly(a); !errors.Is(err, ErrInvalid) || len(ids) != 0 {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
}

func TestAnAccelerationMovesABodyAsItsMassInTheSolverNeeds(t *testing.T) {
	w := testWorld(t)
	ids, err := w.AddAssembly(wheeled())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if err := w.Body(id).ApplyAcceleration(r3.Twist{Linear: r3.V(3, 0, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Step(0.01); err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		if got := w.Body(id).VelocityAt(w.Body(id).COM()); got.Dist(r3.V(0.03, 0, 0)) > 1e-12 {
			t.Errorf("body %d has %v after 10 ms of 3 m/s²", i, got)
		}
	}
}
