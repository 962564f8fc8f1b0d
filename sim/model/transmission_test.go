package model

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/transmission"
)

// swing is a link on a hinge of the world, with a transmission.
func swing(t scene.Transmission) *scene.ModelSpec {
	return &scene.ModelSpec{Name: "swing", Links: []scene.Link{{Name: "l", Pose: r3.IdentityPose(),
		Inertial: scene.Inertial{Mass: 1, Pose: r3.Pose{Pos: r3.V(1, 0, 0), Rot: r3.Identity()},
			Inertia: r3.Diag(r3.V(1, 1, 1))}}},
		Joints: []scene.Joint{{Name: "j", Kind: scene.Revolute, Parent: scene.World, Pose: r3.IdentityPose(),
			Axis: r3.V(0, 0, 1), SpringRest: 0.5, Limit: scene.Limit{Set: true, Lower: -1, Upper: 2}}},
		Transmissions: []scene.Transmission{t}}
}

func site(link int32, at r3.Vec) transmission.Part {
	return transmission.Part{Kind: transmission.Site, Body: link, Pose: r3.Pose{Pos: at, Rot: r3.Identity()}}
}

// A spring rests where those of joints do. A muscle's range is found between the stops. Its peak force and
// the damper of a ratio follow from the inertia of 2 kg·m² about the hinge.
func TestNumbersOfATransmissionFollowFromTheModel(t *testing.T) {
	parts := []transmission.Part{site(transmission.World, r3.V(0, 1, 0)), site(0, r3.V(1, 0, 0))}
	m, err := Compile(swing(scene.Transmission{Name: "t", SpringAtRest: true,
		Path:    transmission.Path{Parts: parts},
		Passive: transmission.Passive{Stiffness: 1}}), false)
	if err != nil || len(m.Transmissions) != 1 {
		t.Fatalf("%v, notes %v", err, m.Notes)
	}
	want := math.Sqrt(2 - 2*math.Sin(0.5))
	if rest := m.Transmissions[0].Def.Passive.Rest; math.Abs(rest[0]-want) > 1e-9 || rest[0] != rest[1] {
		t.Errorf("the spring rests at %v; want %v", rest, want)
	}
	m, err = Compile(swing(scene.Transmission{Name: "t",
		Joints: []scene.JointTerm{{Joint: 0, Coefficient: 0.1}},
		Actuator: &scene.Actuator{Gear: 2, Bias: [3]float64{0, -50}, DampingRatio: 0.7,
			Muscle: &scene.Muscle{Range: [2]float64{0.75, 1.05}, Peak: -1, Scale: 200}}}), false)
	if err != nil || len(m.Transmissions) != 1 || m.Transmissions[0].Actuator == nil {
		t.Fatalf("%v, notes %v", err, m.Notes)
	}
	a := m.Transmissions[0].Actuator
	if r := a.Muscle.LengthRange; math.Abs(r[0]+0.2) > 1e-6 || math.Abs(r[1]-0.4) > 1e-6 {
		t.Errorf("the muscle works between %v; want -0.2 and 0.4", r)
	}
	if peak := 200 / (2 * 0.1 / 2.0); math.Abs(a.Muscle.Peak-peak) > 1e-3*peak {
		t.Errorf("its peak is %v N; want %v", a.Muscle.Peak, peak)
	}
	if c := -2 * 0.7 * math.Sqrt(50*2/(0.1*0.1)) / 2; math.Abs(a.Bias[2]-c) > 1e-3*-c {
		t.Errorf("its damper is %v; want %v", a.Bias[2], c)
	}
}

func TestATransmissionThatCannotBeRunIsNoted(t *testing.T) {
	away := []transmission.Part{site(0, r3.Vec{}), site(3, r3.Vec{})}
	stiff := transmission.Passive{Stiffness: 1e300}
	for name, k := range map[string]scene.Transmission{
		"no joint":   {Joints: []scene.JointTerm{{Joint: 7, Coefficient: 1}}},
		"no link":    {Path: transmission.Path{Parts: away}},
		"too stiff":  {Joints: []scene.JointTerm{{Coefficient: 1}}, Passive: stiff},
		"not finite": {Joints: []scene.JointTerm{{Coefficient: math.NaN()}}},
		"a muscle that nothing stretches": {Joints: []scene.JointTerm{{Coefficient: 0}},
			Actuator: &scene.Actuator{Gear: 1, Muscle: &scene.Muscle{Peak: -1, Scale: 1}}},
	} {
		m, err := Compile(swing(k), false)
		if err != nil || !strings.Contains(fmt.Sprint(m.Notes), "is not run") {
			t.Errorf("%s: %v, notes %v", name, err, m.Notes)
		}
	}
}
