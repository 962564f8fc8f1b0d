package template

import (
	"math"
	"strings"
	"testing"
)

func TestEveryModuleIsCompiled(t *testing.T) {
	for _, name := range strings.Split(moduleNames("js"), ", ") {
		if _, err := module(name + ".js"); err != nil {
			t.Error(err)
		}
	}
	for _, name := range strings.Split(moduleNames("lua"), ", ") {
		if luaModules()[name] == nil {
			t.Errorf("%s.lua is not compiled", name)
		}
	}
	if len(luaModules()) < 9 || len(compiled()) < 9 {
		t.Errorf("%s; %s", moduleNames("lua"), moduleNames("js"))
	}
}

// TestModulesComputeWhatTheManualOfWebotsSays holds both languages to the same values, most of them known.
func TestModulesComputeWhatTheManualOfWebotsSays(t *testing.T) {
	for _, c := range []struct {
		js, lua string // expressions; m is the module
		module  string
		want    string
	}{
		{"m.equal({x: 1, y: 2}, {x: 1, y: 2})", "m.equal({x = 1, y = 2}, {x = 1, y = 2})", "wbvector2", "true"},
		{"m.distance({x: 1, y: 1}, {x: 4, y: 5})", "m.distance({x = 1, y = 1}, {x = 4, y = 5})", "wbvector2", "5"},
		{"m.cross({x: 1, y: 2}, {x: 3, y: 4})", "m.cross({x = 1, y = 2}, {x = 3, y = 4})", "wbvector2", "-2"},
		{"m.normalize({x: 0, y: 4}).y", "m.normalize({x = 0, y = 4}).y", "wbvector2", "1"},
		{"m.intersection({x: 0, y: 0}, {x: 2, y: 2}, {x: 0, y: 2}, {x: 2, y: 0}).x",
			"m.intersection({x = 0, y = 0}, {x = 2, y = 2}, {x = 0, y = 2}, {x = 2, y = 0}).x", "wbvector2", "1"},
		{"m.intersection({x: 0, y: 0}, {x: 1, y: 0}, {x: 0, y: 1}, {x: 1, y: 1}) === null",
			"m.intersection({x = 0, y = 0}, {x = 1, y = 0}, {x = 0, y = 1}, {x = 1, y = 1}) == nil", "wbvector2", "true"},
		{"m.cross({x: 1, y: 0, z: 0}, {x: 0, y: 1, z: 0}).z", "m.cross({x = 1, y = 0, z = 0}, {x = 0, y = 1, z = 0}).z",
			"wbvector3", "1"},
		{"m.dot({x: 1, y: 2, z: 3}, {x: 4, y: 5, z: 6})", "m.dot({x = 1, y = 2, z = 3}, {x = 4, y = 5, z = 6})",
			"wbvector3", "32"},
		// A turn by 90° about z takes x to y.
		{"Math.round(1e9 * m.rotateVector3ByRotation({x: 0, y: 0, z: 1, a: Math.PI / 2}, {x: 1, y: 0, z: 0}).y)",
			"math.floor(0.5 + 1e9 * m.rotatevector3byrotation({x = 0, y = 0, z = 1, a = math.pi / 2}, {x = 1, y = 0, z = 0}).y)",
			"wbrotation", "1000000000"},
		{"Math.round(1e9 * m.combine({x: 0, y: 0, z: 1, a: 1}, {x: 0, y: 0, z: 1, a: 0.5}).a)",
			"math.floor(0.5 + 1e9 * m.combine({x = 0, y = 0, z = 1, a = 1}, {x = 0, y = 0, z = 1, a = 0.5}).a)",
			"wbrotation", "1500000000"},
		{"Math.round(1e9 * m.fromMatrix3(m.toMatrix3({x: 0.6, y: 0, z: 0.8, a: 3.1})).a)",
			"math.floor(0.5 + 1e9 * m.frommatrix3(m.tomatrix3({x = 0.6, y = 0, z = 0.8, a = 3.1})).a)",
			"wbrotation", "3100000000"},
		{"Math.round(1e9 * m.fromMatrix3(m.toMatrix3({x: 0, y: -1, z: 0, a: 1})).y)",
			"math.floor(0.5 + 1e9 * m.frommatrix3(m.tomatrix3({x = 0, y = -1, z = 0, a = 1})).y)", "wbrotation",
			"-1000000000"},
		{"m.normalize({x: 0, y: 0, z: 2, a: 0}).z", "m.normalize({x = 0, y = 0, z = 2, a = 0}).z", "wbrotation", "1"},
		{"m.circle(2, 4, {x: 1, y: 1}, 0).length", "#m.circle(2, 4, 1, 1, 0)", "wbgeometry", "5"},
		{"m.circle(2, 4, {x: 1, y: 1}, 0)[1].y", "m.circle(2, 4, 1, 1, 0)[2].y", "wbgeometry", "3"},
		{"m.isPoint2InPolygon({x: 1, y: 1}, [{x: 0, y: 0}, {x: 3, y: 0}, {x: 0, y: 3}])",
			"m.ispointinpolygon(1, 1, {{x = 0, y = 0}, {x = 3, y = 0}, {x = 0, y = 3}})", "wbgeometry", "true"},
		{"m.isPoint2InPolygon({x: 2, y: 2}, [{x: 0, y: 0}, {x: 3, y: 0}, {x: 0, y: 3}])",
			"m.ispointinpolygon(2, 2, {{x = 0, y = 0}, {x = 3, y = 0}, {x = 0, y = 3}})", "wbgeometry", "false"},
		{"m.isPoint2ArrayClockwise([{x: 0, y: 0}, {x: 0, y: 1}, {x: 1, y: 0}])",
			"m.islistclockwise2D({{x = 0, y = 0}, {x = 0, y = 1}, {x = 1, y = 0}})", "wbgeometry", "true"},
		{"m.findClosestPoint2InArray({x: 0, y: 0}, [{x: 3, y: 0}, {x: 1, y: 1}]).x",
			"m.findclosest2Dpointinarray({x = 0, y = 0}, {{x = 3, y = 0}, {x = 1, y = 1}}).x", "wbgeometry", "1"},
		{"m.bSpline2([{x: 0, y: 0}, {x: 1, y: 1}, {x: 2, y: 0}], 4).length",
			"#m.bspline2D({{x = 0, y = 0}, {x = 1, y = 1}, {x = 2, y = 0}}, 4)", "wbgeometry", "13"},
		{"m.bSpline3([{x: 0, y: 0, z: 0}, {x: 1, y: 1, z: 1}, {x: 2, y: 0, z: 2}], 4).length",
			"#m.bspline3D({{x = 0, y = 0, z = 0}, {x = 1, y = 1, z = 1}, {x = 2, y = 0, z = 2}}, 4)", "wbgeometry", "9"},
		// A straight polygon has a straight curve, which ends in its last point.
		{"m.bSpline2([{x: 0, y: 0}, {x: 1, y: 2}, {x: 2, y: 4}], 3)[9].y",
			"m.bspline2D({{x = 0, y = 0}, {x = 1, y = 2}, {x = 2, y = 4}}, 3)[10].y", "wbgeometry", "4"},
	} {
		for _, text := range []string{
			"%< import * as m from '" + c.module + ".js'; >%%<= " + c.js + " >%",
			"%{ local m = require('" + c.module + "') }%%{= " + c.lua + " }%",
		} {
			r, err := expand(text)
			if err != nil || r.Text != c.want {
				t.Errorf("%s: %q %v, want %s", text, made(r), err, c.want)
			}
		}
	}
}

// TestRandomNumbersAreThoseOfWebots computes the generator again, in integers.
func TestRandomNumbersAreThoseOfWebots(t *testing.T) {
	state := 42.0
	for range 2 {
		state = math.Mod(1140671485*state+12820163, 1<<24)
	}
	want := luaNumber(state / (1<<24 - 1))
	for _, text := range []string{
		"%< import * as r from 'wbrandom.js'; r.seed(42); r.real(); >%%<= r.real().toPrecision(14) >%",
		"%{ local r = require('wbrandom') r.seed(42) r.integer() }%%{= r.real() }%",
	} {
		r, err := expand(text)
		if err != nil || strings.TrimRight(r.Text, "0") != want {
			t.Errorf("%s: %v %v, want %s", text, r, err, want)
		}
	}
}
