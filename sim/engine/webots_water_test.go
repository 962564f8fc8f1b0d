package engine_test

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// webotsWorld is a world of Webots with steps of 8 ms, nodes and nothing that damps.
func webotsWorld(t *testing.T, nodes string) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := `#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 defaultDamping Damping { linear 0 angular 0 } } ` + nodes
	do(t, w, sim.LoadWorld{Resource: scene.Resource{Document: text}})
	do(t, w, sim.SetState{State: sim.Playing})
	return w
}

// tank is a Fluid of 20 × 20 × 10 m whose surface is at a height of 0.
func tank(fields string) string {
	return `Fluid { translation 0 0 -5 name "tank" boundingObject Box { size 20 20 10 } ` + fields + ` }`
}

// immersed is a Solid with a shape that feels the tank.
func immersed(name, place, shape, immersion, physics string) string {
	return fmt.Sprintf(`Solid { name "%s" translation %s boundingObject %s physics Physics { %s }
		immersionProperties [ ImmersionProperties { fluidName "tank" %s } ] } `, name, place, shape, physics, immersion)
}

// after steps a world of steps of 8 ms.
func after(t *testing.T, w *engine.World, s float64) {
	t.Helper()
	advance(t, w, int(math.Round(s/0.008)))
}

// A floating body displaces its own weight: a box of half the density of water has half of its height in it.
// An upright cylinder has ρ'/ρ of it, and a ball the draught h with h²·(3·R − h)/(4·R³) = ρ'/ρ.
func TestSolidsOfWebotsFloatAtTheirDraughts(t *testing.T) {
	const slow = `viscousResistanceForceCoefficient 8e5 viscousResistanceTorqueCoefficient 1e5`
	w := webotsWorld(t, tank("density 1000")+
		immersed("box", "-3 0 0", "Box { size 1 1 0.4 }", slow, "density 500")+
		immersed("ball", "0 0 0", "Sphere { radius 0.3 }", slow, "density 250")+
		immersed("disc", "3 0 0", "Cylinder { radius 0.5 height 0.4 }", slow, "density 700")+
		immersed("heavy", "6 0 -1", "Box { size 1 1 1 }", slow, "density 1000")+
		`Solid { name "stone" translation -6 0 -1 boundingObject Box { size 1 1 1 } physics Physics { density 100 } }`)
	after(t, w, 40)
	draught := 0.3 // of the ball, by bisection
	for lo, hi := 0.0, 0.6; hi-lo > 1e-9; {
		draught = (lo + hi) / 2
		if draught*draught*(0.9-draught)/(4*0.027) < 0.25 {
			lo = draught
		} else {
			hi = draught
		}
	}
	for name, height := range map[string]float64{"box": 0, "ball": 0.3 - draught, "disc": 0.2 - 0.28,
		"heavy": -1} {
		if got := state(t, w, name).Pose.Pos.Z; math.Abs(got-height) > 2e-4 { // below 1 cm/s it sleeps
			t.Errorf("the %s floats at %.5f m, want %.5f", name, got, height)
		}
	}
	if got := state(t, w, "stone").Pose.Pos.Z; got > -100 {
		t.Errorf("what feels no fluid fell to %.3f m only", got)
	}
}

// Weight less thrust is the drag of a body that sinks at its terminal speed.
func TestSolidsOfWebotsSinkAtTheirTerminalSpeeds(t *testing.T) {
	const radius, gravity = 0.1, 9.81
	volume, area := 4.0/3*math.Pi*radius*radius*radius, 4*math.Pi*radius*radius
	lag := 500 * volume * gravity // a density of 1500 in one of 1000
	for _, c := range []struct {
		name, shape, immersion string
		lag, speed             float64
	}{
		{"surface", "Sphere { radius 0.1 }", "dragForceCoefficients 0.2 9 9", lag, math.Sqrt(lag / (1000 * 0.2 * area))},
		{"shadow", "Sphere { radius 0.1 }", `referenceArea "xyz-projection" dragForceCoefficients 9 9 0.2`, lag,
			math.Sqrt(lag / (1000 * 0.2 * area / 4))},
		{"box", "Box { size 0.1 0.2 0.3 }", `referenceArea "xyz-projection" dragForceCoefficients 9 9 0.5`, 500 * 0.006 * gravity,
			math.Sqrt(500 * 0.006 * gravity / (1000 * 0.5 * 0.02))},
		{"viscous", "Sphere { radius 0.1 }", "viscousResistanceForceCoefficient 40000", lag, lag / (0.001 * 40000)},
	} {
		w := webotsWorld(t, `Fluid { name "tank" boundingObject Plane { } } `+
			immersed("m", "0 0 -5", c.shape, c.immersion, "density 1500"))
		after(t, w, 8)
		if got := -state(t, w, "m").Twist.Linear.Z; math.Abs(got/c.speed-1) > 1e-4 {
			t.Errorf("%s: it sinks at %.5f m/s, want %.5f", c.name, got, c.speed)
		}
	}
}

// Against the stream the drag is that of the difference: 1/(u − v) grows by ρ·c·A/m·t.
func TestAStreamTakesSolidsAlong(t *testing.T) {
	const stream, mass = 2.0, 1000.0
	w := webotsWorld(t, tank("streamVelocity 2 0 0")+
		immersed("m", "-8 0 -3", "Box { size 1 1 1 }", `referenceArea "xyz-projection" dragForceCoefficients 0.3 0 0`,
			"density 1000"))
	const rate = 1000 * 0.3 / mass
	for range 4 {
		after(t, w, 1)
		now := w.Snapshot().Time.Seconds()
		want := stream - 1/(1/stream+rate*now)
		if got := state(t, w, "m").Twist.Linear.X; math.Abs(got-want) > 5e-3 {
			t.Errorf("after %.3f s it drifts at %.5f m/s, want %.5f", now, got, want)
		}
	}
	if e := state(t, w, "m"); math.Abs(e.Twist.Linear.Z) > 1e-6 || e.Twist.Angular.Len() > 1e-6 {
		t.Errorf("a body as heavy as the fluid moves by %+v", e.Twist)
	}
}

// A turn in the fluid dies by −ρ·t·A·ω·|ω|: 1/ω grows by ρ·t·A/I·time.
func TestTheTorqueOfADragStopsATurn(t *testing.T) {
	const coefficient, area, moment = 0.001, 6.0, 1000.0 / 6
	w := webotsWorld(t, tank("")+immersed("m", "0 0 -5", "Box { size 1 1 1 }",
		"dragTorqueCoefficients 0.001 0 0", "density 1000"))
	do(t, w, sim.SetEntityState{Name: "m", Pose: &r3.Pose{Pos: r3.V(0, 0, -5), Rot: r3.Identity()},
		Twist: &r3.Twist{Angular: r3.V(0, 0, 3)}})
	from := w.Snapshot().Time.Seconds()
	after(t, w, 10)
	past := w.Snapshot().Time.Seconds() - from
	got, want := state(t, w, "m").Twist.Angular.Z, 1/(1.0/3+1000*coefficient*area/moment*past)
	if math.Abs(got-want) > 1e-3 {
		t.Errorf("it turns at %.5f rad/s, want %.5f", got, want)
	}
}

// A body beside a fluid falls, at whatever height. One that touches it is wholly in it, as in Webots.
func TestSolidsThatLeaveABoundedFluidFall(t *testing.T) {
	w := webotsWorld(t, tank("")+
		immersed("in", "8 0 -2", "Box { size 1 1 1 }", "", "density 1000")+
		immersed("half", "10 4 -2", "Box { size 1 1 1 }", "", "density 1000")+
		immersed("out", "10.6 0 -2", "Box { size 1 1 1 }", "", "density 1000")+
		immersed("above", "0 0 0.6", "Box { size 1 1 1 }", "", "density 1000"))
	after(t, w, 0.2)
	fall := -9.81 * w.Snapshot().Time.Seconds()
	for name, want := range map[string]float64{"in": 0, "half": 0, "out": fall} {
		if got := state(t, w, name).Twist.Linear.Z; math.Abs(got-want) > 1e-3 {
			t.Errorf("%s: it falls at %.4f m/s, want %.4f", name, got, want)
		}
	}
	if got := state(t, w, "above").Twist.Linear.Z; got > -0.5 {
		t.Errorf("above the surface it falls at %.4f m/s only", got)
	}
}

// A river of several boxes carries a body in two of them once. It carries one that reaches below it as if it
// was deep.
func TestAFluidOfSeveralBoundsCountsOnce(t *testing.T) {
	w := webotsWorld(t, `Fluid { name "tank" boundingObject Group { children [
			Pose { translation -2 0 -0.1 children [ Box { size 4 4 0.2 } ] }
			Pose { translation 2 0 -0.1 children [ Box { size 4 4 0.2 } ] } ] } } `+
		immersed("m", "0 0 -0.25", "Box { size 1 1 1 }", "", "density 750"))
	after(t, w, 2)
	if e := state(t, w, "m"); math.Abs(e.Pose.Pos.Z+0.25) > 1e-6 || e.Twist.Linear.Len() > 1e-6 {
		t.Errorf("it stands at %v and moves by %+v", e.Pose.Pos, e.Twist)
	}
}
