package webots

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim/r3"
)

func TestMassesAreThoseOfBoundingObjectsOrAsWritten(t *testing.T) {
	const shape = `boundingObject Pose { translation 0 0 1 children [ Shape { geometry Box { size 1 1 2 } } ] }`
	for _, c := range []struct {
		physics, scale string
		mass           float64
		com, moments   r3.Vec
	}{
		{"", "", 2000, r3.V(0, 0, 1), r3.V(5, 5, 2).Scale(2000.0 / 12)},
		{"density 500", "", 1000, r3.V(0, 0, 1), r3.V(5, 5, 2).Scale(1000.0 / 12)},
		{"density -1 mass 6", "", 6, r3.V(0, 0, 1), r3.V(5, 5, 2).Scale(0.5)},
		{"density -1 mass 6 centerOfMass [ 1 0 0 ] inertiaMatrix [ 1 2 3, 0 0 0 ]", "", 6, r3.V(1, 0, 0),
			r3.V(1, 2, 3)},
		{"density 500", "scale 2 2 2", 8000, r3.V(0, 0, 2), r3.V(5, 5, 2).Scale(4 * 8000.0 / 12)},
	} {
		w := world(t, nil, fmt.Sprintf("Solid { %s %s physics Physics { %s } }", c.scale, shape, c.physics))
		in := w.Models[0].Model.Links[0].Inertial
		if math.Abs(in.Mass-c.mass) > 1e-9*c.mass {
			t.Errorf("%q %q: mass %g, want %g", c.physics, c.scale, in.Mass, c.mass)
		}
		near(t, c.physics, in.Pose.Pos, c.com)
		near(t, c.physics+" moments", r3.V(in.Inertia.XX, in.Inertia.YY, in.Inertia.ZZ), c.moments)
	}
}

func TestADampingTakesItsShareOfAVelocityEverySecond(t *testing.T) {
	const shape = `boundingObject Sphere { } physics Physics { `
	w := world(t, nil, `WorldInfo { defaultDamping Damping { linear 0.5 } } Solid { name "own" `+shape+
		`damping Damping { linear 0.1 angular 1 } } } Solid { name "usual" `+shape+`} }`)
	own, usual := w.Models[0].Model.Links[0].Drag, w.Models[1].Model.Links[0].Drag
	if math.Abs(math.Exp(-own.Linear)-0.9) > 1e-12 || own.Angular != 1e3 ||
		math.Abs(math.Exp(-usual.Linear)-0.5) > 1e-12 || math.Abs(math.Exp(-usual.Angular)-0.8) > 1e-12 {
		t.Errorf("drag %+v and %+v", own, usual)
	}
	if len(w.Notes) > 0 {
		t.Errorf("notes %v", w.Notes)
	}
}
