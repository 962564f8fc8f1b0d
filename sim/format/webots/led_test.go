package webots

import (
	"fmt"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

func TestTheShapesOfAnLEDsFirstChildShowItsLamp(t *testing.T) {
	shape := "Shape { appearance PBRAppearance { baseColor 0.2 0.2 0.2 emissiveColor 1 1 1 } geometry Sphere { } }"
	w := world(t, nil, fmt.Sprintf(`Robot { name "r" children [ %[1]s
  LED { name "one" color [ 1 0 0, 0 0 1 ] children [ Group { children [ %[1]s Shape { geometry Box { } } %[1]s ] } %[1]s ] }
  LED { name "two" gradual TRUE color [ ] children [ %[1]s PointLight { } ] }
  LED { name "bare" }
] }`, shape))
	m := w.Models[0].Model
	var lamps, emits []string
	for _, g := range m.Links[0].Visuals {
		lamps, emits = append(lamps, fmt.Sprint(g.Lamp)), append(emits, fmt.Sprint(g.Material.Emissive[0]))
	}
	if got := strings.Join(lamps, " "); got != "0 1 0 1 0 2" {
		t.Errorf("shapes show the lamps %s; want those of the first children that have an appearance", got)
	}
	if got := strings.Join(emits, " "); got != "1 0 0 0 1 0" {
		t.Errorf("shapes emit %s; what an LED's emit is the LED's to say", got)
	}
	if len(m.Robot.Lamps) != 3 || m.Robot.Lamps[0].Name != "one" || len(w.Lights) != 0 {
		t.Errorf("lamps %v, lights %v", m.Robot.Lamps, w.Lights)
	}
	one, two, bare := m.Robot.Devices[0].LED, m.Robot.Devices[1].LED, m.Robot.Devices[2].LED
	if len(one.Colours) != 2 || one.Colours[1] != (scene.Glow{0, 0, 1}) || one.Gradual || one.Lamp != 0 {
		t.Errorf("one: %+v", one)
	}
	if len(two.Colours) != 0 || !two.Gradual || two.Lamp != 1 {
		t.Errorf("two: %+v", two)
	}
	if len(bare.Colours) != 1 || bare.Lamp != -1 {
		t.Errorf("bare: %+v", bare)
	}
	for _, text := range []string{"PointLight of an LED is not run", `LED "bare" is not seen`} {
		if noted(w.Notes, text) == nil {
			t.Errorf("no note %q: %v", text, w.Notes)
		}
	}
}

func TestARobotHasABoundedNumberOfLamps(t *testing.T) {
	led := `LED { name "l" children [ Shape { appearance PBRAppearance { } geometry Sphere { } } ] } `
	w := world(t, nil, `Robot { name "r" children [ `+strings.Repeat(led, scene.MostLamps+2)+"] }")
	m := w.Models[0].Model
	last := m.Robot.Devices[scene.MostLamps].LED
	if len(m.Robot.Lamps) != scene.MostLamps || last.Lamp != -1 ||
		noted(w.Notes, `LED "l" does not glow: at most 64`) == nil {
		t.Errorf("%d lamps, the one beyond %+v, %v", len(m.Robot.Lamps), last, w.Notes)
	}
}
