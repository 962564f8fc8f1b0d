package medium

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// plane is an aircraft of made-up coefficients, in the link's usual axes.
func plane() scene.Airframe {
	return scene.Airframe{Forward: r3.V(1, 0, 0), Upward: r3.V(0, 0, 1), Area: 0.5, Aspect: 8,
		Chord: 0.25, Efficiency: 0.9, Density: 1.2, Stall: 0.4, Blend: 30, PitchStall: -2,
		Plate:  [2]float64{-0.224, -0.115},
		Level:  scene.Coefficients{Drag: 0.03, Lift: 0.2, Pitch: 0.05},
		Attack: scene.Coefficients{Side: 0.1, Lift: 5, Roll: 0.2, Pitch: -0.6, Yaw: -0.1},
		Slip:   scene.Coefficients{Side: -0.3, Lift: 0.05, Roll: -0.04, Pitch: 0.02, Yaw: 0.1},
		Rates: [3]scene.Coefficients{{Side: 0.06, Roll: -0.5, Yaw: -0.04, Drag: 0.01},
			{Drag: 0.05, Lift: 8, Pitch: -12}, {Side: 0.2, Roll: 0.08, Yaw: -0.09}}}
}

// Each coefficient by itself, at an angle of attack far below the stall, in closed form.
func TestAnAircraftFeelsEachOfItsCoefficients(t *testing.T) {
	a := plane()
	a.Blend = 1e3 // no part of the flow is detached
	span := math.Sqrt(4)
	deflected := scene.Coefficients{Drag: 0.01, Side: 0.02, Lift: 0.03, Roll: 0.04, Pitch: 0.05, Yaw: 0.06}
	for _, attack := range []float64{0.1, -0.05} {
		for _, slip := range []float64{0, 0.08} {
			for _, turn := range []r3.Vec{{}, {X: 0.3, Y: -0.2, Z: 0.5}} {
				const speed = 20.0 // in the plane of lift
				v := r3.V(math.Cos(attack), 0, -math.Sin(attack)).Scale(speed)
				v.Y = -v.X * math.Tan(slip) // the right wing is at −y
				p, q, r := turn.X*span/(2*speed), -turn.Y*a.Chord/(2*speed), -turn.Z*span/(2*speed)
				cl := 0.2 + 5*attack + 0.05*slip + 0.03
				cd := 0.03 + cl*cl/(math.Pi*8*0.9) + 0.01 + 0.01*p + 0.05*q
				cl += 8 * q
				cy := 0.1*attack - 0.3*slip + 0.02 + 0.06*p + 0.2*r
				roll := 0.2*attack - 0.04*slip + 0.04 - 0.5*p + 0.08*r
				pitch := 0.05 - 0.6*attack + 0.02*slip + 0.05 - 12*q
				yaw := -0.1*attack + 0.1*slip + 0.06 - 0.04*p - 0.09*r
				push := 0.5 * 1.2 * speed * speed * 0.5
				sin, cos := math.Sincos(attack)
				want := r3.V(cl*sin-cd*cos, -cy, cd*sin+cl*cos).Scale(push)
				wantTorque := r3.V(roll*span, -pitch*a.Chord, -yaw*span).Scale(push)
				force, torque, damping := OnAirframe(&a, r3.Twist{Linear: v, Angular: turn}, 9, &deflected)
				if turn == (r3.Vec{}) && damping != (r3.Vec{}) {
					t.Errorf("α %v, β %v: %v damps what does not turn", attack, slip, damping)
				}
				torque = torque.Add(damping)
				if force.Dist(want) > 1e-9*push || torque.Dist(wantTorque) > 1e-9*push {
					t.Errorf("α %v, β %v, ω %v: %v and %v, want %v and %v", attack, slip, turn, force, torque,
						want, wantTorque)
				}
			}
		}
	}
	force, torque, damping := OnAirframe(&a, r3.Twist{}, 1, &deflected)
	if force != (r3.Vec{}) || torque != (r3.Vec{}) || damping != (r3.Vec{}) {
		t.Errorf("in still air it feels %v, %v and %v", force, torque, damping)
	}
}

// Far beyond the stall it is a flat plate: lift 2·sin²α·cosα, drag of the plate's aspect by sin²α.
func TestAStalledAircraftIsAFlatPlate(t *testing.T) {
	a := plane()
	for _, attack := range []float64{1, -1.2, 1.5} {
		v := r3.V(math.Cos(attack), 0, -math.Sin(attack)).Scale(10)
		force, torque, _ := OnAirframe(&a, r3.Twist{Linear: v}, 0, &scene.Coefficients{})
		push, sin := 0.5*1.2*100*0.5, math.Sin(attack)
		lift := force.Dot(r3.V(sin, 0, math.Cos(attack))) / push
		drag := -force.Dot(v) / 10 / push
		wantLift := 2 * math.Copysign(sin*sin, attack) * math.Cos(attack)
		wantDrag := 2 / (1 + math.Exp(-0.224-0.115*8)) * sin * sin
		wantPitch := 0.05 - math.Copysign(0.6*0.4+2*(math.Abs(attack)-0.4), attack)
		pitch := -torque.Y / push / 0.25
		off := r3.V(lift-wantLift, drag-wantDrag, pitch-wantPitch)
		if off.MaxAbs() > 1e-6 {
			t.Errorf("at %v rad: lift %v, drag %v, pitch %v; want %v, %v, %v", attack, lift, drag,
				pitch, wantLift, wantDrag, wantPitch)
		}
	}
}
