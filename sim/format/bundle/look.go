package bundle

import (
	"math"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// look is the content of render_config.
type look struct {
	near, far float64 // m: how near and far cameras see
	degree    float64 // of the harmonics that count; less than 0: all of them
	gain      [3]float64
}

// renderConfig reads render_config: how the Gaussians are coloured, and what cameras see behind and around
// them.
//
// White balance (a factor for each colour) and exposure_compensation (in powers of two) act on light. Colours
// of the Gaussians are light to the power of 1/gamma, so they are multiplied by gain^(1/gamma).
func (b *bundle) renderConfig() error {
	b.look = look{near: 0.05, far: 300, degree: -1, gain: [3]float64{1, 1, 1}}
	t, err := b.tableOf(false, "gaussians", "render_config")
	if err != nil || t == nil {
		return err
	}
	t.leftover(b, "version", "gaussian_format", "sh_degree", "color_correction", "rendering")
	t.leftoverIn(b, "color_correction", "white_balance", "exposure_compensation", "gamma")
	t.leftoverIn(b, "rendering", "background_color", "near_plane", "far_plane")
	if n := t.find("gaussian_format"); n != nil && n.Value != "splat_ply" {
		b.note(t, n, scene.Unsupported, "gaussian_format %q; a PLY (splat_ply) is read", clip(n.Value))
	}
	balance, stops, gamma := r3.V(1, 1, 1), 0.0, 2.2
	if n := t.find("color_correction", "white_balance"); n != nil {
		if balance, err = t.colour(n, 100); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		to          *float64
		least, most float64
		keys        []string
	}{
		{&b.look.degree, 0, 3, []string{"sh_degree"}},
		{&stops, -20, 20, []string{"color_correction", "exposure_compensation"}},
		{&gamma, 0.1, 10, []string{"color_correction", "gamma"}},
		{&b.look.near, 1e-4, 1e4, []string{"rendering", "near_plane"}},
		{&b.look.far, 1e-3, 1e6, []string{"rendering", "far_plane"}},
	} {
		if err := t.number(f.to, f.least, f.most, f.keys...); err != nil {
			return err
		}
	}
	if n := t.find("sh_degree"); n != nil && b.look.degree != math.Trunc(b.look.degree) {
		return t.fail(n, "sh_degree is %g; want 0, 1, 2 or 3", b.look.degree)
	}
	if !(b.look.near < b.look.far) {
		return t.fail(t.find("rendering", "near_plane"), "near_plane %g m is not below far_plane %g m",
			b.look.near, b.look.far)
	}
	for k, c := range [...]float64{balance.X, balance.Y, balance.Z} {
		if light := c * r3.Exp(stops*math.Ln2); light > 0 {
			b.look.gain[k] = r3.Exp(r3.Log(light) / gamma)
		} else {
			b.look.gain[k] = 0
		}
	}
	n := t.find("rendering", "background_color")
	if n == nil {
		return nil
	}
	c, err := t.colour(n, 1)
	b.spec.Ambience.Background = [4]float32{float32(c.X), float32(c.Y), float32(c.Z), 1}
	return err
}

// leftoverIn is leftover of a table in the table.
func (t *table) leftoverIn(b *bundle, key string, known ...string) {
	if n := t.find(key); n != nil && n.Kind == yaml.MappingNode {
		(&table{file: t.file, root: n}).leftover(b, known...)
	}
}

// colour is three numbers from 0 on.
func (t *table) colour(n *yaml.Node, most float64) (r3.Vec, error) {
	f, err := t.numbers(n, "r", "g", "b")
	if err != nil {
		return r3.Vec{}, err
	}
	for _, c := range f {
		if c < 0 || c > most {
			return r3.Vec{}, t.fail(n, "a colour of %g; from 0 to %g is possible", c, most)
		}
	}
	return r3.V(f[0], f[1], f[2]), nil
}

// apply gives Gaussians the look. They are nobody else's yet.
func (k *look) apply(s *scene.Splats) {
	if k.degree >= 0 && int(k.degree) < s.Degree {
		s.Harmonics, s.Degree = truncated(s, int(k.degree)), int(k.degree)
	}
	if k.gain == [3]float64{1, 1, 1} {
		return
	}
	const y0 = 0.28209479177387814 // 1/(2·√π): a colour is 0.5 + y0·base + …
	n := (s.Degree+1)*(s.Degree+1) - 1
	for i := range s.Gaussians {
		base := &s.Gaussians[i].Base
		for c, gain := range k.gain {
			base[c] = float32((gain*(0.5+y0*float64(base[c])) - 0.5) / y0)
			for h := range s.Harmonics[(3*i+c)*n : (3*i+c+1)*n] {
				s.Harmonics[(3*i+c)*n+h] *= float32(gain)
			}
		}
	}
}

// truncated are the harmonics up to a degree.
func truncated(s *scene.Splats, degree int) []float32 {
	from, to := (s.Degree+1)*(s.Degree+1)-1, (degree+1)*(degree+1)-1
	out := make([]float32, 0, 3*to*len(s.Gaussians))
	for i := range 3 * len(s.Gaussians) {
		out = append(out, s.Harmonics[i*from:i*from+to]...)
	}
	return out
}
