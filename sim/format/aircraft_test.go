package format_test

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// aeroplane is a model of 4 kg with a wing, an elevator, an aileron and a propeller, and an element besides.
func aeroplane(t *testing.T, besides, pitch string) *scene.ModelSpec {
	t.Helper()
	hinge := func(name string) string {
		return `<link name="` + name + `"><pose>-0.5 0 0 0 0 0</pose>` + weight + `</link><joint name="` + name +
			`_joint" type="revolute"><parent>body</parent><child>` + name + `</child><axis><xyz>0 1 0</xyz><limit><lower>-0.5</lower><upper>0.5</upper></limit></axis></joint>`
	}
	m, err := format.NewLibrary(format.Config{}).Model(scene.Resource{Document: `<sdf version="1.9" xmlns:simdeck="urn:simdeck:sdf"><model name="m">` + "\n" + besides + "\n" +
		`<link name="body">` + weight + `</link>` + hinge("elevator") + hinge("aileron") +
		`<link name="prop"><pose>0.5 0 0 0 ` + pitch + ` 0</pose>` + weight + `</link><joint name="prop_joint" type="continuous"><parent>body</parent><child>prop</child><axis><xyz>0 0 1</xyz></axis></joint>` +
		system("MulticopterMotorModel", `<jointName>prop_joint</jointName><turningDirection>cw</turningDirection>`) +
		system("AdvancedLiftDrag", `<link_name>body</link_name><area>0.5</area><AR>6</AR><CL0>0.2</CL0><CLa>5</CLa><alpha_stall>0.2</alpha_stall>
		<control_surface><name>elevator_joint</name><direction>1</direction><Cem_ctrl>-0.01</Cem_ctrl></control_surface>
		<control_surface><name>aileron_joint</name><direction>1</direction><Cell_ctrl>0.01</Cell_ctrl></control_surface>`) + `</model></sdf>`})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const forwards = "1.5707963"

func TestAModelWithWingsSurfacesAndAPropellerIsAnAeroplane(t *testing.T) {
	m := aeroplane(t, "", forwards)
	if len(m.Drives) != 1 || m.Drives[0].Kind != scene.FixedWing || !m.Drives[0].Inferred {
		t.Fatalf("drives %+v, notes %v", m.Drives, m.Notes)
	}
	mass := 0.0
	for i := range m.Links {
		mass += m.Links[i].Inertial.Mass
	}
	a := m.Drives[0].Aircraft
	stall := math.Sqrt(2 * mass * 9.80665 / (1.225 * 0.5 * (0.2 + 5*0.2)))
	if len(a.Surfaces) != 2 || len(a.Propellers) != 1 || math.Abs(a.LeastSpeed/stall-1.2) > 1e-9 ||
		math.Abs(a.CruiseSpeed/stall-1.6) > 1e-9 || math.Abs(a.MaxAttack-0.16) > 1e-9 {
		t.Errorf("read %+v; it stalls at %v m/s", a, stall)
	}
	if text := allNotes(m); !strings.Contains(text, "taken from its wings, 1 propellers and 2 control surfaces") {
		t.Errorf("notes %s", text)
	}
	if m = aeroplane(t, "", "0"); len(m.Drives) != 0 { // its rotor carries it
		t.Errorf("with a rotor upwards it has the drives %+v", m.Drives)
	}
}

func TestBoundsOfAnAeroplaneAreRead(t *testing.T) {
	m := aeroplane(t, `<simdeck:fixed_wing><min_speed>10</min_speed><cruise_speed>14</cruise_speed><max_speed>30</max_speed><max_bank>0.5</max_bank><topic>go</topic></simdeck:fixed_wing>`, forwards)
	if len(m.Drives) != 1 {
		t.Fatalf("notes %v", m.Notes)
	}
	d := m.Drives[0]
	if a := d.Aircraft; d.Inferred || d.Topic != "go" || d.MaxLinearSpeed != 30 || a.LeastSpeed != 10 ||
		a.CruiseSpeed != 14 || a.MaxBank != 0.5 {
		t.Errorf("read %+v of %+v", d, a)
	}
	if text := allNotes(m); text != "" {
		t.Errorf("notes %s", text)
	}
}

func TestBoundsThatNoAeroplaneCanHaveAreNotedAndLeftOut(t *testing.T) {
	for _, c := range []struct{ bounds, pitch, note string }{
		{"<min_speed>-3</min_speed>", forwards, ":2:21: suspicious: <min_speed> of -3; want more than 0; using"},
		{"<min_speed>20</min_speed><cruise_speed>12</cruise_speed>", forwards,
			":2:1: suspicious: <min_speed> 20, <cruise_speed> 12 and <max_speed> +Inf m/s; want them in this order"},
		{"<cruise_speed>20</cruise_speed><max_speed>15</max_speed>", forwards, "and <max_speed> 15 m/s; want them in this order"},
		{"<max_bank>1.5</max_bank>", forwards, "<max_bank> of 1.5 rad; want at most 1.2; using it"},
		{"", "0", ":2:1: suspicious: the model has 0 propellers that push along its x, 2 control surfaces"},
	} {
		m := aeroplane(t, "<simdeck:fixed_wing>"+c.bounds+"</simdeck:fixed_wing>", c.pitch)
		if text := allNotes(m); !strings.Contains(text, c.note) {
			t.Errorf("%s: notes %s, want %s", c.bounds, text, c.note)
		}
		for _, d := range m.Drives {
			if a := d.Aircraft; !(a.LeastSpeed > 0 && a.CruiseSpeed >= a.LeastSpeed && a.MaxBank <= 1.2) {
				t.Errorf("%s: read %+v", c.bounds, a)
			}
		}
	}
}

// allNotes are the notes of a model, a line each.
func allNotes(m *scene.ModelSpec) string {
	var b strings.Builder
	for _, n := range m.Notes {
		b.WriteString(n.String() + "\n")
	}
	return b.String()
}
