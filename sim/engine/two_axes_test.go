package engine_test

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// TestBothAxesOfAUniversalJointAreHeldDrivenAndMeasured: a rod hangs from a beam by an SDF universal joint.
// Gravity swings it against its limits, which hold, and motors hold it at their targets.
func TestBothAxesOfAUniversalJointAreHeldDrivenAndMeasured(t *testing.T) {
	const text = `<sdf version="1.9"><model name="m">
		<link name="beam"><inertial><mass>1</mass></inertial></link>
		<link name="rod"><pose>0 0 -0.5 0 0 0</pose><inertial><mass>2</mass><inertia><ixx>0.17</ixx><iyy>0.17</iyy><izz>0.001</izz></inertia></inertial></link>
		<joint name="fixed" type="fixed"><parent>world</parent><child>beam</child></joint>
		<joint name="u" type="universal"><parent>beam</parent><child>rod</child><pose>0 0 0.5 0 0 0</pose>
			<axis><xyz>1 0 0</xyz><limit><lower>-0.4</lower><upper>0.4</upper></limit></axis>
			<axis2><xyz>0 1 0</xyz><limit><lower>0.1</lower><upper>0.6</upper></limit><dynamics><damping>0.5</damping></dynamics></axis2></joint></model></sdf>`
	w := inTheEmptyWorld(t, engine.Options{}, "it", text)
	seconds(t, w, 10)
	q, _, _ := joints(t, w)
	if math.Abs(q["u_2"].Position-0.1) > 2e-3 {
		t.Errorf("at rest the second axis is at %v, its stop at 0.1", q["u_2"].Position)
	}
	do(t, w, sim.SetJoint{Name: "it", Joint: "u", Mode: sim.JointPosition, Target: -0.3})
	do(t, w, sim.SetJoint{Name: "it", Joint: "u_2", Mode: sim.JointPosition, Target: 0.45})
	seconds(t, w, 10)
	q, _, _ = joints(t, w)
	if math.Abs(q["u"].Position+0.3) > 0.02 || math.Abs(q["u_2"].Position-0.45) > 0.02 {
		t.Errorf("told to be at -0.3 and 0.45, the axes are at %v and %v", q["u"].Position, q["u_2"].Position)
	}
	// The torque of the second axis that holds the rod out: m·g·l times the sine, times the cosine of the
	// first.
	want := 2 * 9.81 * 0.5 * math.Sin(0.45) * math.Cos(0.3)
	if got := math.Abs(q["u_2"].Effort); math.Abs(got-want) > 0.05*want {
		t.Errorf("the second axis pulls %v N·m, theory says %v", got, want)
	}
}
