package urdf

import (
	"testing"

	"simdeck/sim/scene"
)

func TestMotorsHoldTheirJointsUntilTheyAreCommanded(t *testing.T) {
	joint := func(name, kind, parent, child, more string) string {
		return `<link name="` + child + `"/><joint name="` + name + `" type="` + kind + `"><parent link="` +
			parent + `"/><child link="` + child + `"/>` + more + `</joint>`
	}
	const motor, stops = `<limit lower="-1" upper="1" effort="5" velocity="2"/>`,
		`<limit lower="-1" upper="1" effort="0" velocity="0"/>`
	spec, err := read(t, `<robot name="r"><link name="base"/>`+
		joint("shoulder", "revolute", "base", "upper", motor)+
		joint("forearm_roll", "continuous", "upper", "fore", `<limit effort="5" velocity="2"/>`)+
		joint("wrist", "revolute", "fore", "hand", motor)+
		joint("finger", "prismatic", "hand", "left", motor)+
		joint("follower", "prismatic", "hand", "right", motor+`<mimic joint="finger"/>`)+
		joint("hinge", "revolute", "base", "door", stops)+
		joint("wheel", "continuous", "base", "rim", `<limit effort="5" velocity="2"/>`)+
		joint("waist_roll", "continuous", "base", "waist", `<limit effort="5" velocity="2"/>`)+
		joint("hip", "revolute", "waist", "leg", motor)+`</robot>`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"shoulder": true, "forearm_roll": true, "wrist": true, "finger": true,
		"waist_roll": true, "hip": true}
	for _, j := range spec.Joints {
		if j.Hold != want[j.Name] {
			t.Errorf("%s holds: %v", j.Name, j.Hold)
		}
	}
	if len(spec.Joints) != 9 || spec.Joints[0].Kind != scene.Revolute {
		t.Fatalf("%d joints", len(spec.Joints))
	}
}
