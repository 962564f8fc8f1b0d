package medium

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// within is a medium with a fluid of 800 kg/m³ within bounds.
func within(bounds ...scene.FluidBound) *Medium {
	oil := scene.FluidVolume{Name: "oil", Density: 800, Viscosity: 0.5, Bounds: bounds}
	return New(&scene.WorldSpec{Gravity: r3.V(0, 0, -9.81),
		Medium: scene.Medium{Volumes: []scene.FluidVolume{oil}}}, 0)
}

func TestAFluidEndsWhereAPlaneTouchesItsBoundFromAbove(t *testing.T) {
	up, tilted := r3.V(0, 0, 1), r3.AxisAngle(r3.V(0, 1, 0), 0.3)
	tent := &scene.Mesh{
		Vertices:  []r3.Vec{{X: -2, Y: -2}, {X: 2, Y: -2}, {X: 2, Y: 2}, {X: -2, Y: 2}, {Z: 1}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}}
	at := func(z float64) r3.Pose { return r3.Pose{Pos: r3.V(0, 0, z), Rot: r3.Identity()} }
	for name, c := range map[string]struct {
		geom   scene.Geom
		centre float64 // of a cube of 1 m that is half in the fluid
	}{
		"box":      {scene.Geom{Kind: scene.Box, Size: r3.V(4, 4, 2), Pose: at(3)}, 4},
		"sphere":   {scene.Geom{Kind: scene.Sphere, Radius: 2, Pose: at(-1)}, 1},
		"cylinder": {scene.Geom{Kind: scene.Cylinder, Radius: 2, Length: 3, Pose: at(0)}, 1.5},
		"capsule":  {scene.Geom{Kind: scene.Capsule, Radius: 2, Length: 3, Pose: at(0)}, 3.5},
		"plane":    {scene.Geom{Kind: scene.Plane, Normal: up, Pose: at(7)}, 7},
		"mesh":     {scene.Geom{Kind: scene.MeshGeom, Mesh: tent, Pose: at(2)}, 3},
		"tilted box": {scene.Geom{Kind: scene.Box, Size: r3.V(4, 4, 2), Pose: r3.Pose{Rot: tilted}},
			1 / math.Cos(0.3)},
	} {
		m := within(scene.FluidBound{Geom: c.geom, Up: c.geom.Pose.Rot.Rotate(up)})
		solid := NewSolid(shape.BoxOf(r3.V(1, 1, 1)))
		if solid.In = m.Volume("oil"); solid.In == nil {
			t.Fatal("there is no oil")
		}
		if d := m.Displaced(&solid, at(c.centre), 0); math.Abs(d.Mass-400) > 1e-6 {
			t.Errorf("%s: half in it, a cube displaces %.4f kg, want 400", name, d.Mass)
		}
		if d := m.Displaced(&solid, at(c.centre+0.8), 0); d.Mass != 0 {
			t.Errorf("%s: above it a cube displaces %.4f kg", name, d.Mass)
		}
		beside := r3.Pose{Pos: r3.V(9, 0, c.centre), Rot: r3.Identity()}
		if d := m.Displaced(&solid, beside, 0); name != "plane" && d.Mass != 0 {
			t.Errorf("%s: beside it a cube displaces %.4f kg", name, d.Mass)
		}
		area, _ := new(Displaced).Wet(shape.NewFacets(solid.Shape, r3.IdentityPose()), beside)
		if area != 0 {
			t.Errorf("%s: beside it a cube has %.4f m² wet", name, area)
		}
	}
	if within().Volume("water") != nil {
		t.Error("there is water")
	}
	// Only solids that name it feel it.
	if m := within(); m.Buoyant() || m.At(r3.Vec{}, 0).Density > 2 {
		t.Error("a fluid within bounds acts on all")
	}
}

func TestABoundWithoutAShapeHoldsNothing(t *testing.T) {
	m := within(scene.FluidBound{Geom: scene.Geom{Kind: scene.MeshGeom}, Up: r3.V(0, 0, 1)},
		scene.FluidBound{Geom: scene.Geom{Kind: scene.Sphere, Radius: -1}, Up: r3.V(0, 0, 1)})
	solid := NewSolid(shape.BoxOf(r3.V(1, 1, 1)))
	solid.In = m.Volume("oil")
	if d := m.Displaced(&solid, r3.IdentityPose(), 0); d.Mass != 0 || solid.In.Endless() {
		t.Errorf("it displaces %v kg", d.Mass)
	}
}

// The formulas of Webots' manual, number by number.
func TestTheResistanceOfAFluidIsThatOfTheManual(t *testing.T) {
	v := within(scene.FluidBound{}).Volume("oil")
	k := scene.Immersion{Drag: r3.V(0.1, 0.2, 0.3), Turn: r3.V(0.01, 0.02, 0.03), Viscous: 4, Twisting: 5}
	w := r3.Twist{Linear: r3.V(1, -2, 2), Angular: r3.V(0, 3, -4)}
	shadow := r3.V(2, 3, 4)
	force, torque := v.Resistance(&k, 7, shadow, 0.25, w)
	// −c_x·ρ·A·|v|·v − a·μ·d·v of a speed of 3, and likewise of a turn of 5.
	if want := w.Linear.Scale(-0.1*800*7*3 - 0.25*0.5*4); force.Dist(want) > 1e-9 {
		t.Errorf("by the surface: %v N, want %v", force, want)
	}
	if want := w.Angular.Scale(-0.01*800*7*5 - 0.25*0.5*5); torque.Dist(want) > 1e-9 {
		t.Errorf("by the surface: %v N·m, want %v", torque, want)
	}
	k.Projected, k.Viscous, k.Twisting = true, 0, 0
	force, torque = v.Resistance(&k, 7, shadow, 0.25, w)
	if want := r3.V(-0.1*800*2*1, 0.2*800*3*4, -0.3*800*4*4); force.Dist(want) > 1e-9 {
		t.Errorf("by the projections: %v N, want %v", force, want)
	}
	if want := r3.V(0, -0.02*800*(4+2)*9, 0.03*800*(2+3)*16); torque.Dist(want) > 1e-9 {
		t.Errorf("by the projections: %v N·m, want %v", torque, want)
	}
}

func TestAnInflowTakesFromThrustAndTorque(t *testing.T) {
	r := scene.Rotor{Thrust: -2e-3, Inflow: 1e-2, Torque: 1e-4, Windmill: 3e-3, Accel: 30}
	axis := r3.V(0, 0.6, 0.8)
	force, torque := OnRotor(&r, axis, axis.Scale(2).Add(r3.V(5, 0, 0)), -50)
	if want := axis.Scale(2e-3*2500 - 1e-2*50*2); force.Dist(want) > 1e-12 {
		t.Errorf("force %v, want %v", force, want)
	}
	if want := axis.Scale(1e-4*2500 + 3e-3*50*2); torque.Dist(want) > 1e-12 {
		t.Errorf("torque %v, want %v", torque, want)
	}
	r.Stall = 0.1
	if _, torque = OnRotor(&r, axis, r3.Vec{}, -50); torque.Dist(axis.Scale(0.1)) > 1e-12 {
		t.Errorf("a motor of 0.1 N·m has %v", torque)
	}
	if w := SpeedFor(&r, 5); math.Abs(w+50) > 1e-12 {
		t.Errorf("a rotor of the other hand has 5 N at %v rad/s, want -50", w)
	}
	if up, down := NextSpeed(&r, 10, 100, 0.1), NextSpeed(&r, 10, -100, 0.1); up != 13 || down != 7 {
		t.Errorf("by 30 rad/s² it goes from 10 to %v and %v rad/s, want 13 and 7", up, down)
	}
}
