package sdf

import (
	"math"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// light reads a light of the world; numbers that are none are noted.
func light(d *source.Doc, n *xmltree.Node, v version) (scene.Light, error) {
	out := scene.Light{Name: n.Get("name"), Kind: n.Get("type"), Direction: r3.V(0, 0, -1),
		Colour: [4]float32{1, 1, 1, 1}}
	err := d.Part(n)
	if err == nil {
		out.Pose, _, err = pose(d, n, v)
	}
	if err != nil {
		return out, err
	}
	if k := n.Child("direction"); k.Value() != "" {
		dir, err := d.Vec(k, k.Text)
		unit, ok := dir.Unit()
		if err != nil || !ok {
			d.Note(scene.Suspicious, k, "direction %q of light %q; using straight down", k.Value(),
				out.Name)
			unit = r3.V(0, 0, -1)
		}
		out.Direction = unit
	}
	if k := n.Child("diffuse"); k.Value() != "" {
		out.Colour = colour(d, k)
	}
	if k := n.Child("specular"); k.Value() != "" {
		out.Specular = colour(d, k)
	}
	out.Intensity = max(0, gazebo.Loose(d, n, "intensity", 1))
	out.Shadows = d.Bool(n, "cast_shadows", false)
	out.Off = out.Intensity == 0 || !d.Bool(n, "light_on", true)
	if a := n.Child("attenuation"); a != nil {
		out.Range = max(0, gazebo.Loose(d, a, "range", 10))
		out.Constant = max(0, gazebo.Loose(d, a, "constant", 1))
		out.Linear = max(0, gazebo.Loose(d, a, "linear", 1))
		out.Quadratic = max(0, gazebo.Loose(d, a, "quadratic", 0))
	}
	if s := n.Child("spot"); s != nil || out.Kind == "spot" {
		out.Inner = source.Clamp(gazebo.Loose(d, s, "inner_angle", 0.5), 0, math.Pi)
		out.Outer = source.Clamp(gazebo.Loose(d, s, "outer_angle", 1), out.Inner, math.Pi)
		out.Falloff = source.Clamp(gazebo.Loose(d, s, "falloff", 1), 0, 100)
	}
	return out, nil
}

// ambience reads the <scene> of a world.
func ambience(d *source.Doc, n *xmltree.Node) scene.Ambience {
	a := scene.Ambience{Sky: n.Child("sky") != nil, NoShadows: !d.Bool(n, "shadows", true)}
	if k := n.Child("ambient"); k.Value() != "" {
		a.Ambient = colour(d, k)
		a.Ambient[3] = 1
	}
	if k := n.Child("background"); k.Value() != "" {
		a.Background = colour(d, k)
		a.Background[3] = 1
	}
	return a
}

// earth reads where a world lies and what its field and air are.
func earth(d *source.Doc, n *xmltree.Node, e *scene.Earth) {
	switch n.Name {
	case "spherical_coordinates":
		e.Set = true
		e.Latitude = within(d, n, "latitude_deg", -90, 90) * math.Pi / 180
		e.Longitude = within(d, n, "longitude_deg", -180, 180) * math.Pi / 180
		e.Elevation = within(d, n, "elevation", -12e3, 100e3)
		e.Heading = d.Loose(n, "heading_deg", 0) * math.Pi / 180
		if s := n.ValueOf("surface_model"); s != "" && s != "EARTH_WGS84" {
			d.Note(scene.Unsupported, n.Child("surface_model"), "surface model %q; using WGS84", s)
		}
	case "magnetic_field":
		v, err := d.Vec(n, n.Text)
		if err != nil {
			d.Note(scene.Suspicious, n, "magnetic field %q; three numbers in tesla are meant", n.Value())
			return
		}
		e.Magnetic = v
	case "atmosphere":
		e.Temperature = max(0, d.Loose(n, "temperature", 0))
		e.Pressure = max(0, d.Loose(n, "pressure", 0))
		if n.Child("temperature_gradient").Value() != "" {
			g := within(d, n, "temperature_gradient", -1, 1)
			e.Gradient = &g
		}
	}
}

// mostWind bounds the speed of the wind, m/s.
const mostWind = 500

// wind reads the mean velocity of the air.
func wind(d *source.Doc, n *xmltree.Node, w *scene.Wind) {
	k := n.Child("linear_velocity")
	if k.Value() == "" {
		return
	}
	v, err := d.Vec(k, k.Text)
	if err != nil || v.MaxAbs() > mostWind {
		d.Note(scene.Suspicious, k, "a wind of %q; three numbers up to %d m/s are meant; no wind blows", k.Value(),
			mostWind)
		return
	}
	w.Velocity = v
}

// within is a number with bounds; one beyond them is noted, and the bound is taken.
func within(d *source.Doc, n *xmltree.Node, name string, low, high float64) float64 {
	v := d.Loose(n, name, 0)
	if v < low || v > high {
		d.Note(scene.Suspicious, n.Child(name), "<%s> of %g; want %g to %g; using %g", name, v, low,
			high, source.Clamp(v, low, high))
	}
	return source.Clamp(v, low, high)
}
