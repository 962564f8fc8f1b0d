package sdf

import (
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// surface reads how a shape touches from <surface>; nil has the defaults.
func surface(d *source.Doc, n *xmltree.Node) (scene.Surface, error) {
	s := scene.Surface{Mu: 1, Mu2: 1, Default: true}
	for _, part := range []func(*source.Doc, *xmltree.Node, *scene.Surface) error{bounce, friction, torsional,
		stiffness} {
		if err := part(d, n, &s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// always is the threshold, m/s, of what bounces however slowly it comes.
const always = 1e-6

// bounce reads the restitution, and the speed below which there is none. SDF's default for that, 100,000 m/s,
// would make every restitution without effect that comes alone, so the engine's own is taken.
func bounce(d *source.Doc, n *xmltree.Node, s *scene.Surface) (err error) {
	k := n.Child("bounce")
	if s.Restitution, err = d.Float(k, "restitution_coefficient", 0); err != nil {
		return err
	}
	if s.Restitution < 0 || s.Restitution > 1 {
		d.Note(scene.Suspicious, k, "restitution of %g; from 0 to 1 is possible", s.Restitution)
		s.Restitution = max(0, min(1, s.Restitution))
	}
	if k.Child("threshold").Value() == "" {
		return nil
	}
	s.Threshold, err = d.Float(k, "threshold", 0)
	s.Threshold = max(always, s.Threshold)
	return err
}

// friction reads the two coefficients, their direction, and how friction gives way.
func friction(d *source.Doc, n *xmltree.Node, s *scene.Surface) (err error) {
	friction := n.Child("friction")
	one, first, second := friction.Child("ode"), "mu", "mu2"
	if one.Child("mu") == nil && friction.Find("bullet", "friction") != nil {
		one, first, second = friction.Child("bullet"), "friction", "friction2"
	}
	if k := one.Child(first); k.Value() != "" {
		s.Default = false
		if s.Mu, err = d.Number(k, k.Text); err != nil {
			return err
		}
		if s.Mu2, err = d.Float(one, second, s.Mu); err != nil {
			return err
		}
		if s.Mu < 0 || s.Mu2 < 0 {
			d.Note(scene.Suspicious, k, "friction of %g and %g; using the engine's default", s.Mu, s.Mu2)
			s.Mu, s.Mu2, s.Default = 1, 1, true
		}
	}
	if s.Slip, err = d.Float(one, "slip1", 0); err != nil {
		return err
	}
	if s.Slip2, err = d.Float(one, "slip2", 0); err != nil {
		return err
	}
	if s.Slip < 0 || s.Slip2 < 0 {
		d.Note(scene.Suspicious, one, "slip of %g and %g; no slip is negative", s.Slip, s.Slip2)
		s.Slip, s.Slip2 = max(0, s.Slip), max(0, s.Slip2)
	}
	if k := one.Child("fdir1"); k.Value() != "" {
		v, err := d.Vec(k, k.Text)
		if err != nil {
			return err
		}
		s.FrictionDir, _ = v.Unit() // zero: no direction
		for _, a := range k.Attrs {
			if strings.HasSuffix(a.Name, "expressed_in") { // gz:, ignition:
				s.DirFrame = strings.TrimSpace(a.Value)
			}
		}
	}
	return nil
}

// layer is Gazebo's default penetration depth, m.
const layer = 0.001

// torsional reads the resistance to spinning on the spot. Under a round patch with radius a and the pressure
// of Hertz, the torque is 3π/16·a·μ·N. The file gives a, or it follows from the radius of the surface and the
// depth.
func torsional(d *source.Doc, n *xmltree.Node, s *scene.Surface) error {
	k := n.Find("friction", "torsional")
	if k == nil {
		return nil
	}
	mu, err := d.Float(k, "coefficient", 1)
	if err != nil {
		return err
	}
	patch, err := d.Float(k, "patch_radius", 0)
	if err != nil {
		return err
	}
	if !d.Bool(k, "use_patch_radius", true) {
		radius, err := d.Float(k, "surface_radius", 0)
		if err != nil {
			return err
		}
		deep, err := d.Float(n.Find("contact", "ode"), "min_depth", 0)
		if err != nil {
			return err
		}
		patch = math.Sqrt(max(0, radius) * max(layer, deep))
	}
	if mu < 0 || patch < 0 {
		d.Note(scene.Suspicious, k, "torsional friction of %g at a radius of %g m; neither is negative", mu,
			patch)
		mu = 0
	}
	s.Torsional = 3 * math.Pi / 16 * patch * mu
	slip, err := d.Float(k.Child("ode"), "slip", 0)
	if slip != 0 {
		d.Note(scene.Unsupported, k.Child("ode").Child("slip"),
			"torsional slip of %g: spinning on the spot is resisted as without", slip)
	}
	return err
}

// stiffness reads how much a contact gives, and how deep it may be without being pushed out.
func stiffness(d *source.Doc, n *xmltree.Node, s *scene.Surface) error {
	k := n.Find("contact", "ode")
	for _, f := range []struct {
		name string
		to   *float64
	}{{"kp", &s.Stiffness}, {"kd", &s.Damping}, {"min_depth", &s.AllowedPenetration}} {
		v, err := d.Float(k, f.name, 0)
		if err != nil {
			return err
		}
		if v < 0 {
			d.Note(scene.Suspicious, k, "%s of %g; it is not negative", f.name, v)
		}
		*f.to = max(0, v)
	}
	cfm, err := d.Float(k, "soft_cfm", 0)
	if err != nil {
		return err
	}
	if cfm != 0 {
		d.Note(scene.Unsupported, k.Child("soft_cfm"),
			"soft_cfm of %g is not followed: kp and kd say how a contact gives", cfm)
	}
	fastest, err := d.Float(k, "max_vel", 0)
	if fastest > 0 {
		d.Recovery(k.Child("max_vel"), fastest)
	}
	return err
}
