package gazebo

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// watered reads a <simdeck:water> of a world whose surface is at 3 m.
func watered(t *testing.T, content string) (*scene.Water, string) {
	t.Helper()
	d := open(t, `<water>`+content+`</water>`)
	w := Water(d, d.Tree.Root, 3)
	notes := ""
	for _, n := range *d.Notes {
		notes += n.Text + "\n"
	}
	return w, notes
}

func TestTheLookOfWaterIsReadAsItsFileHasIt(t *testing.T) {
	clear := scene.Water{Level: 3, Attenuation: [3]float64{0.375, 0.072, 0.036},
		Colour: [3]float32{0.048, 0.25, 0.5}}
	green := scene.Water{Level: 3, Attenuation: [3]float64{0.54, 0.3, 0.56},
		Colour: [3]float32{0.5 * 0.3 / 0.54, 0.5, 0.5 * 0.3 / 0.56}}
	for content, want := range map[string]scene.Water{
		``:                clear,
		`<type>5c</type>`: green,
		`<type>II</type><attenuation>1 2 4</attenuation><color>0.1 0.2 0.3</color><level>-1</level>`: {Level: -1,
			Attenuation: [3]float64{1, 2, 4}, Colour: [3]float32{0.1, 0.2, 0.3}},
	} {
		w, notes := watered(t, content)
		far := math.Abs(w.Level - want.Level)
		for i := range want.Colour {
			far = max(far, math.Abs(w.Attenuation[i]-want.Attenuation[i]),
				math.Abs(float64(w.Colour[i]-want.Colour[i])))
		}
		if notes != "" || far > 1e-6 {
			t.Errorf("%s: %+v, want %+v; notes %s", content, *w, want, notes)
		}
	}
}

func TestWaterThatCannotBeIsNoted(t *testing.T) {
	for content, says := range map[string]string{
		`<type>IV</type>`:                    `<type> "IV" of water; 1C, 3C, 5C, 7C, 9C, I, IA, IB, II, III are known; using IB`,
		`<attenuation>1 -2 3</attenuation>`:  "<attenuation> of -2; want 0 to 1000",
		`<attenuation>1 2</attenuation>`:     "attenuation",
		`<attenuation>1 nan 2</attenuation>`: "is not a finite number",
		`<color>2 0 0</color>`:               "<color> of 2; want 0 to 1",
		`<level>deep</level>`:                `"deep"`,
		`<turbidity>1</turbidity>`:           "turbidity",
	} {
		w, notes := watered(t, content)
		if !strings.Contains(notes, says) {
			t.Errorf("%s: notes %q, want %q", content, notes, says)
		}
		if w.Attenuation != scene.JerlovWaters["IB"] || w.Level != 3 ||
			math.Abs(float64(w.Colour[2])-0.5) > 1e-6 {
			t.Errorf("%s: %+v", content, *w)
		}
	}
}
