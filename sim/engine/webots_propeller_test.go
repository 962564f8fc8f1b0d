package engine_test

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// propeller is a Propeller of a motor, along an axis at a place.
func propeller(motor, axis, place, constants, device string) string {
	return fmt.Sprintf(`Propeller { shaftAxis %s centerOfThrust %s %s device RotationalMotor { name "%s" %s }
		slowHelix Solid { name "%s helix" translation %s children [ Shape { geometry Box { size 0.02 0.2 0.01 } } ] } } `,
		axis, place, constants, motor, device, motor, place)
}

// turn tells motors their velocities, rad/s.
func turn(t *testing.T, w *engine.World, robot string, speeds map[string]float64) {
	t.Helper()
	c := sim.SetJoints{Name: robot}
	for _, motor := range []string{"one", "two", "front left", "front right", "rear left", "rear right"} {
		if speed, told := speeds[motor]; told {
			c.Targets = append(c.Targets,
				sim.JointTarget{Joint: motor, Mode: sim.JointVelocity, Target: speed})
		}
	}
	do(t, w, c)
}

// In free space T = t1·ω·|ω| − t2·|ω|·V: the speed approaches t1·ω/t2 by e^(−t2·|ω|·t/m). The torque turns
// the body the other way, by at most that of the motor.
func TestAPropellerOfWebotsThrustsBySpeedAndInflow(t *testing.T) {
	const t1, t2, q1, q2, speed, mass = 0.002, 0.01, 1e-5, 4e-5, 50.0, 10.0
	w := webotsWorld(t, `Robot { name "sled" boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 10 }
		children [ `+propeller("one", "0 1 0", "0 0.7 0", "thrustConstants 0.002 0.01 torqueConstants 1e-5 4e-5",
		"maxVelocity 100 maxTorque 1e6")+` ] }`)
	// It falls meanwhile, and the thrust is level.
	turn(t, w, "sled", map[string]float64{"one": speed})
	from := w.Snapshot().Time.Seconds()
	for range 4 {
		after(t, w, 5)
		e := state(t, w, "sled")
		past := w.Snapshot().Time.Seconds() - from
		limit, rate := t1*speed/t2, t2*speed/mass
		fade := math.Exp(-rate * past)
		if got, want := e.Twist.Linear.Y, limit*(1-fade); math.Abs(got-want) > 2e-3 {
			t.Errorf("after %.2f s it goes at %.5f m/s, want %.5f", past, got, want)
		}
		// ∫ V of that, for what the inflow takes off the torque.
		way := limit * (past - (1-fade)/rate)
		turned := -(q1*speed*speed*past - q2*speed*way) / (mass / 6)
		if got, want := e.Twist.Angular.Y, turned; math.Abs(got-want) > 2e-4 {
			t.Errorf("after %.2f s it turns at %.5f rad/s, want %.5f", past, got, want)
		}
	}
	turn(t, w, "sled", map[string]float64{"one": -200})
	after(t, w, 0.1)
	s := w.Snapshot()
	i, _ := s.Find("sled")
	if got := s.JointsOf(i)[0].Velocity; got != -100 {
		t.Errorf("its motor turns at %v rad/s, want -100: no more than maxVelocity", got)
	}
}

func TestTheTorqueOfAPropellerIsAtMostThatOfItsMotor(t *testing.T) {
	// A motor changes its speed by maxTorque on 1 kg·m² at most, too.
	const most = 2.0
	w := webotsWorld(t, `Robot { name "sled" boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 10 }
		children [ `+propeller("one", "0 0 1", "0 0 0", "thrustConstants 0 0 torqueConstants 1 0",
		"maxVelocity 100 maxTorque 2")+` ] }`)
	turn(t, w, "sled", map[string]float64{"one": 100})
	after(t, w, 1)
	s := w.Snapshot()
	i, _ := s.Find("sled")
	now := s.Time.Seconds()
	if got := s.JointsOf(i)[0].Velocity; math.Abs(got-most*now) > 0.02 {
		t.Errorf("after %.3f s the motor turns at %.4f rad/s, want %.4f", now, got, most*now)
	}
	before := state(t, w, "sled").Twist.Angular.Z
	after(t, w, 1)
	if got, want := state(t, w, "sled").Twist.Angular.Z-before, -most/(10.0/6); math.Abs(got-want) > 1e-3 {
		t.Errorf("in a second it turns by %.4f rad/s more, want %.4f", got, want)
	}
}

// drone is a quadrotor of 1 kg in the manner of the Mavic 2 Pro: two propellers of each hand.
func drone(place string) string {
	arms := ""
	for _, a := range []struct{ motor, at, thrust string }{{"front left", "0.2 0.2 0.02", "0.00026"},
		{"front right", "0.2 -0.2 0.02", "-0.00026"}, {"rear left", "-0.2 0.2 0.02", "-0.00026"},
		{"rear right", "-0.2 -0.2 0.02", "0.00026"}} {
		arms += propeller(a.motor, "0 0 1", a.at, "thrustConstants "+a.thrust+" 0 torqueConstants 5.2e-6 0",
			"maxVelocity 576 maxTorque 1000")
	}
	return `Robot { name "drone" translation ` + place + ` boundingObject Box { size 0.4 0.4 0.08 } physics Physics { density -1 mass 1 } children [ ` +
		arms + `] } `
}

// hands are the directions in which the propellers of a drone turn for thrust upward.
var hands = map[string]float64{"front left": 1, "front right": -1, "rear left": -1, "rear right": 1}

// At ω = √(m·g/(4·t1)) the propellers carry the drone, and their torques balance.
func TestAQuadrotorOfPropellersHoversAtItsClosedForm(t *testing.T) {
	w := webotsWorld(t, drone("0 0 0.04")+` Solid { boundingObject Plane { size 20 20 } } `)
	hover := math.Sqrt(9.81 / (4 * 0.00026))
	command := func(base float64, e *sim.EntityState) {
		roll, pitch, _ := e.Pose.Rot.RPY()
		spin := e.Pose.Rot.RotateBack(e.Twist.Angular)
		speeds := map[string]float64{}
		for motor, hand := range hands {
			left, front := 1.0, 1.0
			if motor == "front right" || motor == "rear right" {
				left = -1
			}
			if motor == "rear left" || motor == "rear right" {
				front = -1
			}
			level := front*(20*pitch+4*spin.Y) - left*(20*roll+4*spin.X)
			speeds[motor] = hand * (base + level - hand*2*spin.Z)
		}
		turn(t, w, "drone", speeds)
	}
	// A proportional and derivative controller takes it to 1 m; there it stays by the closed form alone.
	for range 1500 {
		e := state(t, w, "drone")
		lift := max(-1, min(1, 1-e.Pose.Pos.Z)) - 0.9*e.Twist.Linear.Z
		command(hover*math.Sqrt(max(0, 1+lift)), &e)
		advance(t, w, 1)
	}
	e := state(t, w, "drone")
	if math.Abs(e.Pose.Pos.Z-1) > 1e-3 || e.Twist.Linear.Len() > 1e-3 || e.Twist.Angular.Len() > 1e-3 {
		t.Fatalf("it hovers at %v with %+v", e.Pose.Pos, e.Twist)
	}
	for motor, hand := range hands {
		turn(t, w, "drone", map[string]float64{motor: hand * hover})
	}
	after(t, w, 2)
	end := state(t, w, "drone")
	if fell := e.Pose.Pos.Z + 2*e.Twist.Linear.Z - end.Pose.Pos.Z; math.Abs(fell) > 1e-3 ||
		math.Abs(end.Twist.Angular.Z) > 1e-3 {
		t.Errorf("in 2 s at %.3f rad/s it fell by %v m and turns by %v", hover, fell, end.Twist.Angular)
	}
	// A hundredth more lifts it by 2 % of its weight.
	for motor, hand := range hands {
		turn(t, w, "drone", map[string]float64{motor: hand * hover * 1.01})
	}
	after(t, w, 1)
	rise := state(t, w, "drone").Twist.Linear.Z - end.Twist.Linear.Z
	if got, want := rise, 9.81*0.0201; math.Abs(got-want) > 2e-3 {
		t.Errorf("in a second it gains %.4f m/s, want %.4f", got, want)
	}
}

// The thrust t1·ω² of a propeller under water drives a boat until its drag is as large.
func TestAPropellerPushesABoat(t *testing.T) {
	const thrust, drag, mass = 40.0, 0.4, 400.0
	w := webotsWorld(t, tank("")+`Robot { name "boat" translation -8 0 0 boundingObject Box { size 2 1 0.4 }
		physics Physics { density 500 } immersionProperties [ ImmersionProperties { fluidName "tank" referenceArea "xyz-projection"
			dragForceCoefficients 0.4 1 2 dragTorqueCoefficients 1 1 1 viscousResistanceTorqueCoefficient 1e5 } ] children [ `+
		propeller("one", "1 0 0", "-1.1 0 0", "thrustConstants 0.01 0 torqueConstants 0 0",
			"maxVelocity 100 maxTorque 1e6")+
		propeller("two", "0 1 0", "-1.1 0 0", "thrustConstants 0.01 0 torqueConstants 0 0",
			"maxVelocity 100 maxTorque 1e6")+`] }`)
	after(t, w, 0.5)
	turn(t, w, "boat", map[string]float64{"one": math.Sqrt(thrust / 0.01)})
	after(t, w, 20)
	e := state(t, w, "boat")
	limit := math.Sqrt(thrust / (1000 * drag * 0.2))
	if got, want := e.Twist.Linear.X, limit*math.Tanh(thrust/mass*20/limit); math.Abs(got/want-1) > 3e-3 {
		t.Errorf("the boat goes at %.4f m/s, want %.4f", got, want)
	}
	if math.Abs(e.Pose.Pos.Z) > 1e-3 || math.Abs(e.Pose.Pos.Y) > 1e-6 {
		t.Errorf("it is at %v", e.Pose.Pos)
	}
	turn(t, w, "boat", map[string]float64{"two": 40})
	after(t, w, 1)
	if got := state(t, w, "boat").Twist.Angular.Z; got > -0.02 {
		t.Errorf("with a thrust to the left at its stern it turns at %.4f rad/s", got)
	}
}

// Propellers fly the same way after a reset, and their helices turn for show.
func TestPropellersDoTheSameAfterAReset(t *testing.T) {
	w := webotsWorld(t, drone("0 0 1"))
	speeds := map[string]float64{"front left": 60, "front right": -61, "rear left": -62, "rear right": 63}
	turn(t, w, "drone", speeds)
	after(t, w, 1)
	first, at := w.Hash(), w.Snapshot()
	i, _ := at.Find("drone")
	if got := at.JointsOf(i)[0]; math.Abs(got.Velocity-60) > 1e-9 || math.Abs(got.Position) < 1 {
		t.Errorf("the joint of a helix is %+v", got)
	}
	do(t, w, sim.Reset{})
	if got := state(t, w, "drone"); got.Pose.Pos.Dist(r3.V(0, 0, 1)) > 1e-9 {
		t.Fatalf("reset it is at %v", got.Pose)
	}
	turn(t, w, "drone", speeds)
	after(t, w, 1)
	if again := w.Hash(); again != first {
		t.Errorf("the hash is %x, and was %x", again, first)
	}
}
