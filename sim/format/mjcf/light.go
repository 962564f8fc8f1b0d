package mjcf

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// visual reads the light that is everywhere.
func (r *reader) visual(e elem) error {
	kids, err := r.doc.kids(e)
	if err != nil {
		return err
	}
	for _, k := range kids {
		if k.Name != "headlight" {
			continue
		}
		ambient, diffuse := [4]float32{0.1, 0.1, 0.1, 1}, [4]float32{0.4, 0.4, 0.4, 1}
		if err := (attrs{k}).colour("ambient", &ambient); err != nil {
			return err
		}
		if err := (attrs{k}).colour("diffuse", &diffuse); err != nil {
			return err
		}
		for i := range 3 { // the lamp at the viewer's head shines on all that is seen
			r.out.ambience.Ambient[i] = min(1, ambient[i]+0.5*diffuse[i])
		}
		r.out.ambience.Ambient[3] = 1
	}
	return nil
}

// light reads a lamp; one on a body stays where the body stands at first.
func (r *reader) light(e elem, c context) error {
	a, err := r.classes.attrs(e, c.given)
	if err != nil {
		return err
	}
	l := scene.Light{Kind: "spot", Direction: r3.V(0, 0, -1), Colour: [4]float32{0.7, 0.7, 0.7, 1},
		Specular:  [4]float32{0.3, 0.3, 0.3, 1},
		Intensity: 1, Shadows: true, Constant: 1}
	l.Name = c.prefix + e.Get("name") + c.suffix
	if err := a.colour("diffuse", &l.Colour); err != nil {
		return err
	}
	if err := a.colour("specular", &l.Specular); err != nil {
		return err
	}
	if err := r.lightPlace(a, c, &l); err != nil {
		return err
	}
	if l.Shadows, err = a.truth("castshadow", true); err != nil {
		return err
	}
	active, err := a.truth("active", true)
	if err != nil {
		return err
	}
	l.Off = !active
	f, err := a.numbers("attenuation", 1, 3)
	if err != nil {
		return err
	}
	for i, to := range []*float64{&l.Constant, &l.Linear, &l.Quadratic}[:len(f)] {
		*to = max(0, f[i])
	}
	if l.Range, err = a.number("range", 0); err != nil {
		return err
	}
	l.Range = max(0, l.Range)
	if mode := a.text("mode"); mode != "" && mode != "fixed" || c.body != 0 {
		e.note(scene.Unsupported, "a light that goes with a body stays where it is at the start")
	}
	r.out.lights = append(r.out.lights, l)
	return nil
}

func (r *reader) lightPlace(a attrs, c context, l *scene.Light) error {
	at := r3.IdentityPose()
	var err error
	if at.Pos, err = a.vec("pos", at.Pos); err != nil {
		return err
	}
	l.Pose = r.out.bodies[c.body].at.Mul(c.frame).Mul(at)
	dir, err := a.vec("dir", l.Direction)
	if err != nil {
		return err
	}
	if unit, ok := dir.Unit(); ok {
		l.Direction = unit
	}
	kind, err := a.word("type", "spot", "directional", "point", "image")
	if err != nil {
		return err
	}
	directional, err := a.truth("directional", kind == "directional")
	if err != nil {
		return err
	}
	switch {
	case directional:
		l.Kind = "directional"
	case kind == "point":
		l.Kind = "point"
	case kind == "image":
		l.Off = true
	}
	cutoff, err := a.number("cutoff", 45)
	if err != nil {
		return err
	}
	exponent, err := a.number("exponent", 10)
	if err != nil {
		return err
	}
	if l.Kind == "spot" {
		l.Outer = source.Clamp(2*cutoff*degree, 0, math.Pi)
		l.Inner, l.Falloff = 0, source.Clamp(exponent, 0, 100)
	}
	return nil
}
