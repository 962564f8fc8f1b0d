package gazebo

import (
	"math"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// coefficients reads those whose elements have a prefix for each of the forces, and a suffix.
func (f *flow) coefficients(known *[]string, suffix string) scene.Coefficients {
	var c scene.Coefficients
	for _, k := range [...]struct {
		name string
		to   *float64
	}{{"CD", &c.Drag}, {"CY", &c.Side}, {"CL", &c.Lift}, {"Cell", &c.Roll}, {"Cem", &c.Pitch},
		{"Cen", &c.Yaw}} {
		*known = append(*known, k.name+suffix)
		*k.to = Loose(f.d, f.n, k.name+suffix, 0)
	}
	return c
}

// above is a number above zero; another, but for a missing one, is noted, and otherwise is taken.
func (f *flow) above(name string, otherwise float64) float64 {
	x := Loose(f.d, f.n, name, otherwise)
	if !(x > 0) && f.n.Child(name) != nil {
		f.d.Note(scene.Suspicious, f.n.Child(name), "<%s> of %g; want more than 0; using %g", name, x, otherwise)
		return otherwise
	}
	return x
}

// airframe reads the coefficients of an aircraft. They are those of the program AVL; what is not there is 0,
// as in Gazebo.
func (f *flow) airframe() {
	link, ok := f.link("link_name")
	if !ok {
		return
	}
	if f.n.ValueOf("AR") == "" {
		f.d.Note(scene.Suspicious, f.n, "plugin %s is left out: it has no <AR>, the aspect ratio of its wing",
			PluginName(f.n))
		return
	}
	a := scene.Airframe{Link: link, Centre: f.vector("cp"), Forward: f.direction("forward", r3.V(1, 0, 0)),
		Area: f.size("area", 1), Aspect: f.above("AR", 6), Efficiency: f.size("eff", 0),
		Density: density(f.d, f.n, "air_density", 1.2041), Stall: f.size("alpha_stall", math.Pi/2),
		Blend: f.above("M", 15), PitchStall: Loose(f.d, f.n, "Cema_stall", 0),
		Plate: [2]float64{Loose(f.d, f.n, "CD_fp_k1", -0.224), Loose(f.d, f.n, "CD_fp_k2", -0.115)}}
	up := f.direction("upward", r3.V(0, 0, 1))
	if a.Upward, ok = up.AddScaled(-up.Dot(a.Forward), a.Forward).Unit(); !ok {
		f.d.Note(scene.Suspicious, f.at("upward"), "plugin %s is left out: <forward> and <upward> are one direction",
			PluginName(f.n))
		return
	}
	if a.Chord = f.size("mac", 0); a.Chord == 0 {
		a.Chord = math.Sqrt(a.Area / a.Aspect)
	}
	known := strings.Fields(`link_name cp forward upward area AR eff mac air_density alpha_stall M Cema_stall
		CD_fp_k1 CD_fp_k2 num_ctrl_surfaces control_surface robotNamespace`)
	a.Level, a.Attack = f.coefficients(&known, "0"), f.coefficients(&known, "a")
	a.Slip = f.coefficients(&known, "b")
	for i, rate := range [...]string{"p", "q", "r"} {
		a.Rates[i] = f.coefficients(&known, rate)
	}
	a.Attack.Drag, a.Slip.Drag = 0, 0 // the lift induces the drag, as in Gazebo
	if !f.surfaces(&a) {
		return
	}
	f.spec.Flow.Frames = append(f.spec.Flow.Frames, a)
	// The slopes after the stall are those of a flat plate, in Gazebo too.
	others(f.d, f.n, append(known, "a0", "CLa_stall", "CDa_stall", "control_joint_rad_to_cl",
		"radial_symmetry")...)
}

// surfaces reads the control surfaces of an aircraft, whose effects are by degrees.
func (f *flow) surfaces(a *scene.Airframe) bool {
	list := f.n.All("control_surface")
	if f.n.ValueOf("num_ctrl_surfaces") != "" {
		if n := Loose(f.d, f.n, "num_ctrl_surfaces", 0); n != float64(len(list)) {
			f.d.Note(scene.Suspicious, f.n.Child("num_ctrl_surfaces"),
				"<num_ctrl_surfaces> of %g beside %d of <control_surface>; all of these count",
				n, len(list))
		}
	}
	for _, k := range list {
		name := k.ValueOf("name")
		i, ok := f.joints[f.prefix+name]
		if !ok {
			f.d.Note(scene.Suspicious, k, "plugin %s is left out: there is no joint %q%s", PluginName(f.n), name,
				source.NearKey(f.prefix+name, f.joints))
			return false
		}
		one := &flow{reader: reader{d: f.d, n: k}}
		known := []string{"name", "index", "direction"}
		effect := one.coefficients(&known, "_ctrl")
		direction := Loose(f.d, k, "direction", 1)
		var c scene.ControlSurface
		c.Joint, c.Effect = i, c.Effect.AddScaled(direction*180/math.Pi, &effect)
		a.Surfaces = append(a.Surfaces, c)
		for _, part := range k.Kids {
			unread(f.d, part, "a control surface", known)
		}
	}
	return true
}
