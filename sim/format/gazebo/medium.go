package gazebo

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// WorldPlugin reads a system of a world that makes its air or water do something: Buoyancy and WindEffects.
// False: it is none of these.
func WorldPlugin(d *source.Doc, n *xmltree.Node, m *scene.Medium) bool {
	if w, ok := Wavefield(d, n); ok && m.Waves.Calm() {
		m.Waves = w
	}
	switch word := plain(n); {
	case strings.Contains(word, "buoyancyengine"):
		return false
	case strings.Contains(word, "buoyancy"):
		buoyancy(d, n, m)
	case strings.Contains(word, "windeffects"):
		windEffects(d, n, &m.Wind)
	default:
		return false
	}
	return true
}

// Water's density where a file says nothing, kg/m³, as Gazebo has it.
const usualDensity = 1000

// mostDensity is far above that of any matter around, kg/m³.
const mostDensity = 1e5

// density is the density in an element; what cannot be one is noted, and otherwise is taken.
func density(d *source.Doc, n *xmltree.Node, name string, otherwise float64) float64 {
	f := Loose(d, n, name, otherwise)
	if f < 0 || f > mostDensity {
		d.Note(scene.Suspicious, n.Child(name), "<%s> of %g kg/m³; want 0 to %g; using %g", name, f,
			float64(mostDensity), otherwise)
		return otherwise
	}
	return f
}

// buoyancy reads the fluid in which things float: the same everywhere, or in layers.
func buoyancy(d *source.Doc, n *xmltree.Node, m *scene.Medium) {
	lowest := math.Inf(-1)
	graded := n.Child("graded_buoyancy")
	m.Layers = []scene.Layer{{From: lowest, Density: density(d, n, "uniform_fluid_density", usualDensity)}}
	if graded != nil && n.Child("uniform_fluid_density") != nil {
		d.Note(scene.Suspicious, graded, "<graded_buoyancy> beside <uniform_fluid_density>; the uniform one counts")
		graded = nil
	}
	if graded != nil {
		m.Layers[0].Density = density(d, graded, "default_density", usualDensity)
		for _, k := range graded.All("density_change") {
			at, rho := k.Child("above_depth"), k.Child("density")
			if at == nil || rho == nil {
				d.Note(scene.Suspicious, k, "<density_change> has an <above_depth> and a <density>; left out")
				continue
			}
			l := scene.Layer{From: Loose(d, k, "above_depth", 0), Density: density(d, k, "density", 0)}
			if slices.ContainsFunc(m.Layers, func(o scene.Layer) bool { return o.From == l.From }) {
				d.Note(scene.Suspicious, k, "a second density above %g m; the first counts", l.From)
				continue
			}
			m.Layers = append(m.Layers, l)
		}
		slices.SortStableFunc(m.Layers, func(a, b scene.Layer) int { return cmp.Compare(a.From, b.From) })
	}
	for _, k := range n.All("enable") {
		m.Carries = append(m.Carries, k.Value())
	}
	others(d, n, "uniform_fluid_density", "graded_buoyancy", "enable")
}

// windEffects reads how the wind rises and sways, and how it pushes links.
func windEffects(d *source.Doc, n *xmltree.Node, w *scene.Wind) {
	w.Push = Loose(d, n, "force_approximation_scaling_factor", 1)
	if w.Push < 0 {
		d.Note(scene.Suspicious, n.Child("force_approximation_scaling_factor"),
			"a force factor of %g pulls against the wind; no link is pushed", w.Push)
		w.Push = 0
	}
	time := func(n *xmltree.Node, name string, otherwise float64) float64 {
		f := Loose(d, n, name, otherwise)
		if !(f > 0) {
			d.Note(scene.Suspicious, n.Child(name), "<%s> of %g s; want more than 0; using %g", name, f,
				otherwise)
			return otherwise
		}
		return f
	}
	sway := func(n *xmltree.Node, amplitude string, unit float64) scene.Sway {
		if n == nil {
			return scene.Sway{}
		}
		return scene.Sway{Amplitude: Loose(d, n, amplitude, 0) * unit, Period: time(n, "period", 1)}
	}
	const degree = math.Pi / 180
	speed, turn := n.Find("horizontal", "magnitude"), n.Find("horizontal", "direction")
	up := n.Child("vertical")
	w.Rise, w.RiseUp = time(speed, "time_for_rise", 1), time(up, "time_for_rise", 1)
	w.Sway = sway(speed.Child("sin"), "amplitude_percent", 1)
	w.Veer = sway(turn.Child("sin"), "amplitude", degree)
	w.Noise, w.NoiseUp = noise(d, speed.Child("noise")), noise(d, up.Child("noise"))
	w.Veering = noise(d, turn.Child("noise"))
	for _, x := range [...]*float64{&w.Veering.Mean, &w.Veering.Std, &w.Veering.BiasMean} {
		*x *= degree
	}
	others(d, n, "force_approximation_scaling_factor", "horizontal", "vertical")
}

// others notes the elements of a plugin that are none of those that are read.
func others(d *source.Doc, n *xmltree.Node, known ...string) {
	for _, k := range n.Kids {
		if !strings.Contains(k.Name, ":") {
			unread(d, k, PluginName(n), known)
		}
	}
}

// unread notes an element of something that is none of those that are read.
func unread(d *source.Doc, k *xmltree.Node, of string, known []string) {
	if !slices.Contains(known, k.Name) {
		d.Note(scene.Unsupported, k, "<%s> of %s is not run%s", k.Name, of, source.Near(k.Name, known))
	}
}
