package gazebo

import (
	"math"
	"strings"

	"simdeck/sim/scene"
)

// buoyancyEngine reads a bladder that is filled and drained, Gazebo's BuoyancyEngine. Its topics are names of
// the whole graph. Without a default volume it begins with its least and goes to 30 cm³, as in Gazebo.
func (f *flow) buoyancyEngine() {
	link, ok := f.link("link_name")
	if !ok {
		return
	}
	for i := range f.spec.Flow.Engines {
		if f.spec.Flow.Engines[i].Link == link {
			f.d.Note(scene.Suspicious, f.n, "plugin %s: link %q has a buoyancy engine already; left out",
				PluginName(f.n), f.spec.Links[link].Name)
			return
		}
	}
	e := scene.BuoyancyEngine{Link: link,
		Least: f.size("min_volume", 3e-5), Most: f.size("max_volume", 9.9e-4),
		Neutral: f.size("neutral_volume", 3e-4), Rate: f.size("max_inflation_rate", 3e-6),
		Density: density(f.d, f.n, "fluid_density", usualDensity), Surface: math.Inf(1),
		Topic: "/buoyancy_engine"}
	if e.Least > e.Most {
		f.d.Note(scene.Suspicious, f.at("max_volume"),
			"a volume from %g m³ to %g m³; want the least first; using 3e-05 m³ to 0.00099 m³", e.Least, e.Most)
		e.Least, e.Most = 3e-5, 9.9e-4
	}
	e.Start, e.Told = e.Least, max(e.Least, min(e.Most, 3e-5))
	if f.n.ValueOf("default_volume") != "" {
		e.Start = f.size("default_volume", e.Least)
		if e.Start < e.Least || e.Start > e.Most {
			f.d.Note(scene.Suspicious, f.at("default_volume"), "<default_volume> of %g m³; want %g to %g; using %g",
				e.Start, e.Least, e.Most, e.Least)
			e.Start = e.Least
		}
		e.Told = e.Start
	}
	if f.n.ValueOf("surface") != "" {
		e.Surface = Loose(f.d, f.n, "surface", e.Surface)
	}
	if space := strings.Trim(f.text("namespace"), "/"); space != "" {
		e.Topic = "/model/" + space + "/buoyancy_engine"
	}
	f.spec.Flow.Engines = append(f.spec.Flow.Engines, e)
	others(f.d, f.n, strings.Fields(`link_name namespace min_volume neutral_volume default_volume max_volume
		max_inflation_rate fluid_density surface`)...)
}
