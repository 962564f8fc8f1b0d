package mjcf

import (
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// paired is three shapes that touch nothing by themselves, and one that touches all others.
func paired(pairs string) string {
	return `<mujoco><default><geom contype="0" conaffinity="0" size="1"/></default><worldbody><body name="a"><freejoint/><geom name="a"/></body>
<body name="b"><freejoint/><geom name="b"/><body name="k"><joint/><geom name="k"/></body></body><body name="c"><freejoint/><geom name="c"/></body>
<body name="o"><freejoint/><geom name="o" contype="1" conaffinity="1"/></body></worldbody><contact>` + pairs + `</contact></mujoco>`
}

// meeting reports that two shapes touch, as the dynamics say it.
func meeting(a, b *scene.Geom) bool {
	return a != nil && b != nil && a.Category&b.Mask != 0 && b.Category&a.Mask != 0
}

func TestShapesOfAPairTouchEachOtherAndNothingElse(t *testing.T) {
	m := model(t, paired(`<pair geom1="a" geom2="b" friction=".3 .3 .01"/><pair geom1="c" geom2="o" condim="4"/><pair geom1="c" geom2="a"/>`), nil)
	shapes := map[string]*scene.Geom{}
	for i := range m.Links {
		for k := range m.Links[i].Collisions {
			g := &m.Links[i].Collisions[k]
			shapes[g.Name] = g
		}
	}
	for pair, want := range map[string]bool{"ab": true, "co": true, "ca": true, "bc": false, "ao": false,
		"bo": false} {
		if got := meeting(shapes[pair[:1]], shapes[pair[1:]]); got != want {
			t.Errorf("%s touch: %t, want %t", pair, got, want)
		}
	}
	if shapes["k"] != nil {
		t.Error("k, of no pair, is a collision shape")
	}
	if s := shapes["b"].Surface; s.Mu != 0.3 || s.Torsional != 0.01 || s.Condim != 3 {
		t.Errorf("b is in one pair, and has %+v", s)
	}
	if n := m.Notes; len(n) != 1 || !strings.Contains(n[0].Text, "touch others too") || n[0].Line != 3 {
		t.Errorf("the surface of c and o is that of other contacts too: %v", n)
	}
}

func TestAPairThatCannotTouchIsNoted(t *testing.T) {
	for text, want := range map[string]string{
		`<pair geom1="b" geom2="k"/>`:               "that a joint ties",
		`<pair geom1="a" geom2="a"/>`:               "of one body",
		`<pair geom1="a" geom2="b" friction=".5"/>`: "0.5 along one direction and 1 along the other",
	} {
		if m := model(t, paired(text), nil); len(m.Notes) != 1 || !strings.Contains(m.Notes[0].Text, want) {
			t.Errorf("%s: %v", text, m.Notes)
		}
	}
	for text, want := range map[string]string{
		`<pair geom1="a" geom2="x"/>`:                        `there is no geom "x"`,
		`<pair geom1="a" geom2="b" condim="2"/>`:             "want 1, 3, 4 or 6",
		`<pair geom1="a" geom2="b" friction="1 1 -1"/>`:      "negative",
		`<pair geom1="a" geom2="b" friction="1 1 1 1 1 1"/>`: "has 6 numbers",
	} {
		if _, err := Model(open(t, paired(text), nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
