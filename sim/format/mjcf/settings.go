package mjcf

import (
	"path"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// settings holds the values of <compiler> and <option>.
type settings struct {
	radian        bool
	sequence      string // of Euler angles: small letters turn with the body, capitals do not
	meshes        string // folder
	textures      string
	bare          bool // only the last part of file names counts
	autolimits    bool
	fromGeoms     string // "auto", "true", "false": whether masses come from shapes
	groups        [2]int // of shapes that count for masses
	balance       bool   // repair impossible inertias
	leastMass     float64
	leastInertia  float64
	total         float64 // kg of the whole model; not positive: not said
	timestep      float64
	gravity       r3.Vec
	fluid         scene.Fluid // around all bodies
	contacts      bool
	noFilter      bool // parents and children touch
	noLimits      bool
	noSprings     bool
	noActuation   bool
	noClamp       bool // inputs of actuators act beyond their range
	noConstraints bool
}

// usual are MuJoCo's defaults.
func usual() settings {
	return settings{sequence: "xyz", autolimits: true, fromGeoms: "auto", groups: [2]int{0, 5},
		timestep: 0.002,
		gravity:  r3.V(0, 0, -9.81), contacts: true}
}

func (s *settings) compiler(e elem) error {
	a := attrs{e}
	angle, err := a.word("angle", "degree", "radian")
	if err != nil {
		return err
	}
	if a.has("angle") {
		s.radian = angle == "radian"
	}
	if coordinate := e.Get("coordinate"); coordinate == "global" {
		return e.errorf("coordinate=\"global\": poses in the world frame are of MuJoCo before 2.3.4; save the model anew with it")
	}
	if text, ok := e.Attr("eulerseq"); ok {
		if len(text) != 3 || strings.Trim(text, "xyzXYZ") != "" {
			return e.errorf("eulerseq=%q; three of x y z X Y Z are meant", clip(text))
		}
		s.sequence = text
	}
	if dir, ok := e.Attr("assetdir"); ok {
		s.meshes, s.textures = dir, dir
	}
	if dir, ok := e.Attr("meshdir"); ok {
		s.meshes = dir
	}
	if dir, ok := e.Attr("texturedir"); ok {
		s.textures = dir
	}
	for _, name := range []string{"assetdir", "meshdir", "texturedir"} {
		if dir := strings.ReplaceAll(e.Get(name), `\`, "/"); absolute(dir) {
			e.note(scene.Suspicious, "%s=%q is an absolute path, which other machines do not have; want one from the folder of this file",
				name, clip(dir))
		}
	}
	for _, f := range []struct {
		name string
		to   *bool
	}{{"strippath", &s.bare}, {"autolimits", &s.autolimits}, {"balanceinertia", &s.balance}} {
		if *f.to, err = a.truth(f.name, *f.to); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		to   *float64
	}{{"boundmass", &s.leastMass}, {"boundinertia", &s.leastInertia}, {"settotalmass", &s.total}} {
		if *f.to, err = a.number(f.name, *f.to); err != nil {
			return err
		}
	}
	if text := e.Get("inertiafromgeom"); text != "" {
		if s.fromGeoms, err = a.word("inertiafromgeom", "auto", "true", "false"); err != nil {
			return err
		}
	}
	groups, err := a.numbers("inertiagrouprange", 2, 2)
	if groups != nil {
		s.groups = [2]int{int(source.Clamp(groups[0], 0, 5)), int(source.Clamp(groups[1], 0, 5))}
	}
	return err
}

// absolute reports that a folder is given from the root, or from a drive's.
func absolute(dir string) bool { return path.IsAbs(dir) || len(dir) > 2 && dir[1:3] == ":/" }

func (s *settings) option(e elem, kids []elem) error {
	a := attrs{e}
	var err error
	if s.timestep, err = a.number("timestep", s.timestep); err != nil {
		return err
	}
	if !(s.timestep >= scene.MinStepSize && s.timestep <= scene.MaxStepSize) {
		return e.errorf("timestep of %g s; it is greater than zero, and %g to %g s is possible", s.timestep, scene.MinStepSize,
			scene.MaxStepSize)
	}
	if g, err := a.numbers("gravity", 3, 3); err != nil {
		return err
	} else if g != nil {
		s.gravity = r3.V(g[0], g[1], g[2])
	}
	if s.fluid.Wind, err = a.vec("wind", s.fluid.Wind); err != nil {
		return err
	}
	for name, to := range map[string]*float64{"density": &s.fluid.Density, "viscosity": &s.fluid.Viscosity} {
		if *to, err = a.number(name, *to); err != nil {
			return err
		}
		if *to < 0 {
			return e.errorf("%s=%q of <option>; no fluid has less than 0", name, clip(e.Get(name)))
		}
	}
	for _, k := range kids {
		if k.Name != "flag" {
			continue
		}
		if err := s.flags(attrs{k}); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) flags(a attrs) error {
	for _, f := range []struct {
		name string
		off  func()
	}{
		{"contact", func() { s.contacts = false }}, {"gravity", func() { s.gravity = r3.Vec{} }},
		{"filterparent", func() { s.noFilter = true }},
		{"limit", func() { s.noLimits = true }}, {"spring", func() { s.noSprings = true }},
		{"passive", func() { s.noSprings = true }},
		{"actuation", func() { s.noActuation = true }},
		{"clampctrl", func() { s.noClamp = true }},
		{"constraint", func() { s.contacts, s.noLimits, s.noConstraints = false, true, true }},
		{"equality", func() { s.noConstraints = true }},
	} {
		on, err := a.truth(f.name, true)
		if err != nil {
			return err
		}
		if !on {
			f.off()
		}
	}
	return nil
}

// angle is a number of the file in radians.
func (s *settings) angle(x float64) float64 {
	if s.radian {
		return x
	}
	return x * degree
}

// address is the path of a file that an asset names, from the folder of the outermost file.
func (s *settings) address(file, folder string) string {
	file = strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	switch {
	case s.bare:
		file = path.Base(file)
	case strings.Contains(file, "://"):
		return file
	}
	if path.IsAbs(file) || folder == "" {
		return file
	}
	return path.Join(strings.ReplaceAll(folder, `\`, "/"), file)
}

const degree = 0.017453292519943295
