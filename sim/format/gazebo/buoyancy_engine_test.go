package gazebo

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// pumped reads a buoyancy engine of a model with two links, hull and nested::tank.
func pumped(t *testing.T, plugins ...string) (*scene.ModelSpec, string) {
	t.Helper()
	spec := &scene.ModelSpec{Links: []scene.Link{{Name: "hull"}, {Name: "nested::tank"}}}
	notes := ""
	for _, content := range plugins {
		d := open(t, `<plugin filename="gz-sim-buoyancy-engine-system" name="gz::sim::systems::BuoyancyEngine">`+
			content+`</plugin>`)
		if err := Plugin(d, d.Tree.Root, spec, nil, ""); err != nil {
			t.Fatal(err)
		}
		for _, n := range *d.Notes {
			notes += n.Text + "\n"
		}
	}
	return spec, notes
}

func TestABuoyancyEngineIsReadWithGazebosDefaults(t *testing.T) {
	usual := scene.BuoyancyEngine{Least: 3e-5, Most: 9.9e-4, Start: 3e-5, Told: 3e-5,
		Neutral: 3e-4, Rate: 3e-6, Density: 1000, Surface: math.Inf(1), Topic: "/buoyancy_engine"}
	empty, begun := usual, usual
	empty.Least, empty.Start = 0, 0
	begun.Start, begun.Told = 5e-4, 5e-4
	for content, want := range map[string]scene.BuoyancyEngine{
		`<link_name>hull</link_name>`:                                        usual,
		`<link_name>hull</link_name><min_volume>0</min_volume>`:              empty,
		`<link_name>hull</link_name><default_volume>0.0005</default_volume>`: begun,
		`<link_name>nested::tank</link_name><namespace>tethys</namespace><min_volume>0</min_volume><neutral_volume>0.002</neutral_volume>
			<default_volume>0.001</default_volume><max_volume>0.003</max_volume><max_inflation_rate>0.0003</max_inflation_rate><fluid_density>1025</fluid_density><surface>-2</surface>`: {
			Link: 1, Most: 0.003, Start: 0.001, Told: 0.001, Neutral: 0.002, Rate: 3e-4,
			Density: 1025, Surface: -2,
			Topic: "/model/tethys/buoyancy_engine"},
	} {
		spec, notes := pumped(t, content)
		if notes != "" || len(spec.Flow.Engines) != 1 || spec.Flow.Engines[0] != want {
			t.Errorf("%s:\n%+v, want\n%+v; notes %s", content, spec.Flow.Engines, want, notes)
		}
	}
}

func TestABuoyancyEngineThatCannotBeIsNoted(t *testing.T) {
	const hull = `<link_name>hull</link_name>`
	for _, c := range []struct {
		plugins []string
		engines int
		says    string
	}{
		{[]string{`<link_name>hul</link_name>`}, 0, `there is no link "hul"; did you mean "hull"?`},
		{[]string{``}, 0, `there is no link ""`},
		{[]string{hull, hull}, 1, `link "hull" has a buoyancy engine already`},
		{[]string{hull + `<fluid_density>-5</fluid_density>`}, 1, "<fluid_density> of -5 kg/m³; want 0 to 100000; using 1000"},
		{[]string{hull + `<fluid_density>NaN</fluid_density>`}, 1, "NaN"},
		{[]string{hull + `<max_inflation_rate>-1</max_inflation_rate>`}, 1, "<max_inflation_rate> of -1; want 0 or more; using 3e-06"},
		{[]string{hull + `<min_volume>-1</min_volume>`}, 1, "<min_volume> of -1; want 0 or more; using 3e-05"},
		{[]string{hull + `<min_volume>2</min_volume><max_volume>1</max_volume>`}, 1, "a volume from 2 m³ to 1 m³"},
		{[]string{hull + `<default_volume>7</default_volume>`}, 1, "<default_volume> of 7 m³; want 3e-05 to 0.00099; using 3e-05"},
		{[]string{hull + `<surface>up</surface>`}, 1, `"up"`},
		{[]string{hull + `<rate>1</rate>`}, 1, "rate"},
	} {
		spec, notes := pumped(t, c.plugins...)
		if !strings.Contains(notes, c.says) || len(spec.Flow.Engines) != c.engines {
			t.Errorf("%s: %d engines, notes %q, want %q", c.plugins, len(spec.Flow.Engines), notes, c.says)
		}
		for _, e := range spec.Flow.Engines {
			if !(e.Least >= 0 && e.Least <= e.Start && e.Start <= e.Most && e.Told <= e.Most) ||
				!(e.Density >= 0 && e.Rate >= 0) {
				t.Errorf("%s: taken as %+v", c.plugins, e)
			}
		}
	}
}
