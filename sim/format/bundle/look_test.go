package bundle

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// looking is the site with a render_config.
func looking(config string) parts {
	p := site()
	p["world.yaml"] += "gaussians: {render_config: look.json}\n"
	p["look.json"] = config
	return p
}

func TestWhatIsWrongInARenderConfigIsSaidWithItsLine(t *testing.T) {
	for _, c := range []struct{ config, says string }{
		{`{"sh_degree": 1.5}`, "look.json:1:15: sh_degree is 1.5; want 0, 1, 2 or 3"},
		{`{"sh_degree": 4}`, "sh_degree is 4; from 0 to 3 is possible"},
		{`{"rendering": {"near_plane": 10, "far_plane": 5}}`, "look.json:1:30: near_plane 10 m is not below far_plane 5 m"},
		{`{"rendering": {"background_color": [0, 0]}}`, "look.json:1:36: 2 numbers, needs 3"},
		{`{"rendering": {"background_color": [0, 0, 2]}}`, "a colour of 2; from 0 to 1 is possible"},
		{`{"color_correction": {"white_balance": [1, -1, 1]}}`, "a colour of -1; from 0 to 100 is possible"},
		{`{"color_correction": {"gamma": 0}}`, "color_correction.gamma is 0; from 0.1 to 10"},
		{`{"color_correction": {"exposure_compensation": "bright"}}`, `exposure_compensation is "bright"`},
	} {
		if _, err := load(looking(c.config)); !errors.Is(err, scene.ErrParse) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.config, err, c.says)
		}
	}
}

func TestKeysOfARenderConfigThatMeanNothingHereAreNotedOneByOne(t *testing.T) {
	w, err := load(looking(`{"gaussian_format": "npz", "fog": 1,
		"color_correction": {"hue": 2}, "rendering": {"tile_size": 16}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`look.json:1:21: unsupported: gaussian_format "npz"`,
		`look.json:1:28: unsupported: "fog" is not known`, `look.json:2:24: unsupported: "hue" is not known`,
		`look.json:2:49: unsupported: "tile_size" is not known`} {
		if !slices.ContainsFunc(w.Notes, func(n scene.Note) bool {
			return strings.Contains(n.String(),
				want)
		}) {
			t.Errorf("no note says %q: %v", want, w.Notes)
		}
	}
}

// splatColour is the colour that a Gaussian of one harmonic degree has from a direction with the harmonics y.
func splatColour(s *scene.Splats, channel int, y ...float64) float64 {
	const y0 = 0.28209479177387814
	c := 0.5 + y0*float64(s.Gaussians[0].Base[channel])
	n := (s.Degree+1)*(s.Degree+1) - 1
	for i, f := range s.Harmonics[channel*n : (channel+1)*n] {
		c += y[i] * float64(f)
	}
	return c
}

// TestColoursOfGaussiansAreCorrectedAsLight compares with the definition: to light by gamma, times the gain,
// and back.
func TestColoursOfGaussiansAreCorrectedAsLight(t *testing.T) {
	made := func() *scene.Splats {
		return &scene.Splats{Gaussians: []scene.Gaussian{{Base: [3]float32{0.5, -0.5, 0.2}}}, Degree: 1,
			Harmonics: []float32{0.1, 0.2, -0.1, 0, 0.1, 0.05, -0.2, 0, 0.1}}
	}
	y := []float64{0.3, -0.2, 0.4}
	for _, c := range []struct{ red, green, blue, stops, gamma float64 }{
		{1, 1, 1, 0, 2.2}, {2, 1, 0.5, 0, 2.2}, {1, 1, 1, 1, 2.2}, {1.2, 0.9, 1, -2, 1}, {1, 0, 1, 0.5, 1.8},
	} {
		p := looking(fmt.Sprintf(`{"color_correction": {"white_balance": [%g, %g, %g], "exposure_compensation": %g, "gamma": %g}}`,
			c.red, c.green, c.blue, c.stops, c.gamma))
		top, err := parse("site/world.yaml", []byte(p["world.yaml"]))
		if err != nil {
			t.Fatal(err)
		}
		b := &bundle{top: top, files: p, spec: &scene.WorldSpec{}}
		if err := b.renderConfig(); err != nil {
			t.Fatal(err)
		}
		s := made()
		b.look.apply(s)
		for k, balance := range []float64{c.red, c.green, c.blue} {
			light := math.Pow(splatColour(made(), k, y...), c.gamma) * balance * math.Exp2(c.stops)
			if got, want := splatColour(s, k, y...), math.Pow(light, 1/c.gamma); math.Abs(got-want) > 1e-6 {
				t.Errorf("%+v: colour %d becomes %g, want %g", c, k, got, want)
			}
		}
	}
}

func TestHarmonicsBeyondTheDegreeDoNotCount(t *testing.T) {
	s := &scene.Splats{Gaussians: make([]scene.Gaussian, 2), Degree: 2}
	for i := range 2 * 3 * 8 {
		s.Harmonics = append(s.Harmonics, float32(i))
	}
	(&look{degree: 1, gain: [3]float64{1, 1, 1}}).apply(s)
	want := []float32{0, 1, 2, 8, 9, 10, 16, 17, 18, 24, 25, 26, 32, 33, 34, 40, 41, 42}
	if s.Degree != 1 || !slices.Equal(s.Harmonics, want) {
		t.Errorf("degree %d with %v, want %v", s.Degree, s.Harmonics, want)
	}
	(&look{degree: 3, gain: [3]float64{1, 1, 1}}).apply(s)
	if s.Degree != 1 || len(s.Harmonics) != len(want) {
		t.Errorf("a degree that the cloud has not makes it %d, with %d numbers", s.Degree, len(s.Harmonics))
	}
}

func FuzzRenderConfig(f *testing.F) {
	f.Add(`{"sh_degree": 1, "color_correction": {"white_balance": [2, 0, 1], "exposure_compensation": -3, "gamma": 1.8}}`)
	f.Add(`{"rendering": {"background_color": {"r": 0, "g": 0.5, "b": 1}, "near_plane": 0.1, "far_plane": 10}, "fog": 1}`)
	f.Fuzz(func(t *testing.T, config string) {
		w, err := load(looking(config))
		if err != nil {
			if !errors.Is(err, scene.ErrParse) {
				t.Error(err)
			}
			return
		}
		for _, c := range w.Ambience.Background {
			if !(c >= 0 && c <= 1) {
				t.Errorf("the background is %v", w.Ambience.Background)
			}
		}
	})
}
