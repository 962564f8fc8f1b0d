package format_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const lake = `<plugin filename="f" name="gz::sim::systems::Buoyancy"><graded_buoyancy><density_change><above_depth>0</above_depth><density>1</density></density_change></graded_buoyancy></plugin>`

func worldWith(t *testing.T, content string) *scene.WorldSpec {
	t.Helper()
	w, err := format.NewLibrary(format.Config{}).World(scene.Resource{Document: `<sdf version="1.9"><world name="w">` + content + `</world></sdf>`})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTheWavesOfAWorldAreRead(t *testing.T) {
	w := worldWith(t, lake+`<simdeck:waves><rise>3</rise>
		<wave><height>0.4</height><period>5</period><direction>1.5</direction><phase>0.5</phase></wave><wave><height>0.1</height></wave>
		<spectrum><significant_height>0.5</significant_height><peak_period>7</peak_period><peakedness>3.3</peakedness><direction>-1</direction><spread>0.2</spread><components>20</components></spectrum></simdeck:waves>`)
	want := scene.Waves{Of: "<simdeck:waves>", Rise: 3,
		Regular: []scene.Wave{{Amplitude: 0.2, Period: 5, Direction: 1.5, Phase: 0.5},
			{Amplitude: 0.05, Period: 5}},
		Sea: scene.Sea{Height: 0.5, Period: 7, Peak: 3.3, Direction: -1, Spread: 0.2, Count: 20}}
	if !reflect.DeepEqual(w.Medium.Waves, want) || len(w.Notes) != 0 {
		t.Errorf("read\n%+v, want\n%+v; notes %v", w.Medium.Waves, want, w.Notes)
	}
}

// field is a wave field of VRX in a plugin of a model.
func field(wave string) string {
	return lake + `<model name="boat"><link name="l"/><plugin filename="libSurface.so" name="vrx::Surface"><link_name>l</link_name>
		<wavefield><size>1000 1000</size><cell_count>50 50</cell_count><wave>` + wave + `</wave></wavefield></plugin></model>`
}

// The values are those of VRX's two models by hand: a peak of 2π/5 rad/s with neighbours by a factor of 1.1.
func TestTheWaveFieldsOfVRXAreRead(t *testing.T) {
	pm := func(f, width float64) float64 {
		return 0.5 * math.Sqrt(2*width*0.0081*9.81*9.81*math.Pow(f, -5)*
			math.Exp(-1.25*math.Pow(2*math.Pi/5/f, 4)))
	}
	f := 2 * math.Pi / 5
	for name, c := range map[string]struct {
		wave string
		want []scene.Wave
	}{
		"PMS": {`<model>PMS</model><period>5.0</period><number>3</number><scale>1.1</scale><gain>0.5</gain><direction>1 0</direction><angle>0.4</angle><tau>2.0</tau><amplitude>0.0</amplitude><steepness>0.0</steepness>`,
			[]scene.Wave{{Amplitude: pm(f/1.1, f-f/1.1), Period: 5.5, Direction: -0.4},
				{Amplitude: pm(f, f*(1.1-1/1.1)/2), Period: 5},
				{Amplitude: pm(f*1.1, f*0.1), Period: 5 / 1.1, Direction: 0.4}}},
		"CWR": {`<model>CWR</model><period>4</period><number>3</number><scale>2</scale><direction>0.3</direction><angle>0.1</angle><amplitude>0.2</amplitude>`,
			[]scene.Wave{{Amplitude: 0.1, Period: 4 / math.Sqrt2, Direction: 0.2},
				{Amplitude: 0.2, Period: 4, Direction: 0.3},
				{Amplitude: 0.4, Period: 4 * math.Sqrt2, Direction: 0.4}}},
	} {
		got := worldWith(t, field(c.wave)).Medium.Waves
		if got.Rise != 2 || len(got.Regular) != len(c.want) {
			t.Errorf("%s: read %+v", name, got)
			continue
		}
		for i, w := range c.want {
			g := got.Regular[i]
			off := r3.V(g.Amplitude-w.Amplitude, g.Period-w.Period, g.Direction-w.Direction)
			if off.MaxAbs() > 1e-9 {
				t.Errorf("%s: wave %d is %+v, want %+v", name, i, g, w)
			}
		}
	}
}

func TestWavesThatCannotBeAreNotedWhereTheyStand(t *testing.T) {
	own := func(text string) string { return lake + "\n<simdeck:waves>" + text + "</simdeck:waves>" }
	for text, want := range map[string]string{
		own(`<wave><height>-1</height></wave>`):                                                             `<height> of -1 m; want 0 to 40`,
		own(`<wave><height>0.1</height><period>-2</period></wave>`):                                         `<period> of -2 s; want 0.1 to 120; using 5`,
		own(`<wave><height>NaN</height></wave>`):                                                            `<height> is "NaN"`,
		own(`<wave><height>0.1</height><period>inf</period></wave>`):                                        `<period> is "inf"`,
		own(`<wave><height>9</height><period>2</period></wave>`):                                            `would break`,
		own(`<spectrum><significant_height>1</significant_height><components>5000</components></spectrum>`): `<components> of 5000; want a whole number from 1 to 128; using 48`,
		own(`<spectrum><significant_height>1</significant_height><peakedness>0</peakedness></spectrum>`):    `<peakedness> of 0; want 1 to 20`,
		own(strings.Repeat(`<wave><height>0.1</height></wave>`, 130)):                                       `more than 128 waves`,
		own(`<wave><height>0.1</height><heigth>1</heigth></wave>`):                                          `<heigth> of waves is not run; did you mean`,
		`<simdeck:waves><wave><height>1</height></wave></simdeck:waves>`:                                    `the waves of <simdeck:waves> move nothing`,
		`<gravity>0 0 0</gravity>` + own(`<wave><height>1</height></wave>`):                                 `need gravity`,
		field(`<model>XYZ</model>`):                                                                         `waves of the model "XYZ"`,
		field(`<number>1000</number>`):                                                                      `<number> of 1000; want a whole number from 1 to 128; using 3`,
		field(`<gain>-1</gain>`):                                                                            `<gain> of -1; want 0 to 100`,
		field(`<steepness>0.4</steepness>`):                                                                 `<steepness> of 0.4: waves are sines`,
		field(`<direction>0 0</direction>`):                                                                 `<direction> is "0 0"`,
		field(`<number>100</number><scale>2</scale>`):                                                       `left out`,
	} {
		w := worldWith(t, text)
		said, at := "", false
		notes := w.Notes
		for i := range w.Models {
			notes = append(notes, w.Models[i].Model.Notes...)
		}
		for _, n := range notes {
			said += n.Text + "\n"
			at = at || strings.Contains(n.Text, want) && n.Line > 0 && n.Column > 0
		}
		if !strings.Contains(said, want) || !at {
			t.Errorf("%.120s: it said %q (with a place: %v), want %s", fmt.Sprint(text), said, at, want)
		}
	}
}

func TestThePluginsOfVRXThatFloatAreRead(t *testing.T) {
	m := motorised(t, `<plugin filename="libSurface.so" name="vrx::Surface"><link_name>a</link_name><hull_length>4</hull_length><hull_radius>0.2</hull_radius><fluid_level>1</fluid_level><points><point>1 2 0</point><point><position>-1 2 0</position></point></points></plugin>
		<plugin filename="libPolyhedraBuoyancyDrag.so" name="vrx::PolyhedraBuoyancyDrag"><linear_drag>25</linear_drag><angular_drag>2</angular_drag><buoyancy name="b"><link_name>b</link_name><pose>0 0 -0.3 0 0 0</pose><geometry><cylinder><radius>0.3</radius><length>0.4</length></cylinder></geometry></buoyancy></plugin>`)
	lying := r3.FromRPY(0, math.Pi/2, 0)
	part := func(x float64) scene.Float {
		return scene.Float{Density: 997.7735, Level: 1, Geom: scene.Geom{Kind: scene.Cylinder,
			Radius: 0.2, Length: 2, Pose: r3.Pose{Pos: r3.V(x, 2, 0.2), Rot: lying}}}
	}
	want := []scene.Float{part(1), part(-1), {Link: 1, Density: 997, Drag: 25, Swirl: 0.5,
		Geom: scene.Geom{Kind: scene.Cylinder, Radius: 0.3, Length: 0.4,
			Pose: r3.PoseRPY(0, 0, -0.3, 0, 0, 0)}}}
	if !reflect.DeepEqual(m.Flow.Floats, want) || len(m.Notes) != 0 {
		t.Errorf("read\n%+v, want\n%+v; notes %v", m.Flow.Floats, want, m.Notes)
	}
	for plugin, want := range map[string]string{
		`<plugin filename="f" name="vrx::Surface"><link_name>a</link_name></plugin>`:                                                                   `it has 0 <point>s`,
		`<plugin filename="f" name="vrx::Surface"><link_name>a</link_name><hull_radius>-1</hull_radius><points><point>0 0 0</point></points></plugin>`: `<hull_radius> of -1`,
		`<plugin filename="f" name="vrx::Surface"><link_name>a</link_name><points><point>0 x 0</point></points></plugin>`:                              `the point is left out`,
		`<plugin filename="f" name="vrx::PolyhedraBuoyancyDrag"><linear_drag>-1</linear_drag></plugin>`:                                                `<linear_drag> of -1`,
		`<plugin filename="f" name="vrx::PolyhedraBuoyancyDrag"><buoyancy><link_name>a</link_name></buoyancy></plugin>`:                                `without a <box>`,
		`<plugin filename="f" name="vrx::PolyhedraBuoyancyDrag"><buoyancy><link_name>z</link_name></buoyancy></plugin>`:                                `there is no link "z"`,
	} {
		said := ""
		for _, n := range motorised(t, plugin).Notes {
			said += n.Text + "\n"
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: it said %q, want %s", plugin, said, want)
		}
	}
}

func TestAModelThatIsSpawnedSaysThatItsWavesAreNotTakenOver(t *testing.T) {
	boat := func(field string) *scene.ModelSpec {
		m, err := format.NewLibrary(format.Config{}).Model(scene.Resource{Document: `<sdf version="1.9"><model name="boat"><link name="l"/>
			<plugin filename="libSurface.so" name="vrx::Surface"><link_name>l</link_name>` + field + `</plugin></model></sdf>`})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	said := func(m *scene.ModelSpec) bool {
		return strings.Contains(fmt.Sprint(m.Notes), "waves of libSurface.so (vrx::Surface) are for worlds")
	}
	if m := boat(`<wavefield><wave><model>PMS</model><period>5</period></wave></wavefield>`); !said(m) {
		t.Errorf("waves: notes %v", m.Notes)
	}
	if m := boat(""); said(m) {
		t.Errorf("no waves: notes %v", m.Notes)
	}
}

// The surface is that of the highest liquid, if there is one, or as the element says.
func TestTheLookOfWaterBeginsAtItsSurface(t *testing.T) {
	const look = `<simdeck:water><type>II</type></simdeck:water>`
	const sea = `<plugin filename="gz-sim-buoyancy-system" name="gz::sim::systems::Buoyancy"><graded_buoyancy><default_density>1025</default_density>
		<density_change><above_depth>7</above_depth><density>1</density></density_change></graded_buoyancy></plugin>`
	for text, level := range map[string]float64{look: 0, look + sea: 7, sea + look: 7,
		sea + `<simdeck:water><type>II</type><level>-2</level></simdeck:water>`: -2} {
		w := worldWith(t, text)
		if a := w.Ambience.Water; a == nil || a.Level != level || a.Attenuation != scene.JerlovWaters["II"] {
			t.Errorf("%s: %+v, want a surface at %g m", text, a, level)
		}
	}
	if w := worldWith(t, sea); w.Ambience.Water != nil {
		t.Errorf("without the element: %+v", w.Ambience.Water)
	}
}
