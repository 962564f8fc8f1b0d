package template

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestEveryModuleIsCompiled(t *testing.T) {
	for _, name := range strings.Split(moduleNames(), ", ") {
		if _, err := module(name + ".js"); err != nil {
			t.Error(err)
		}
	}
	if len(compiled()) < 9 {
		t.Error(moduleNames())
	}
}

// TestModulesComputeWhatTheManualOfWebotsSays has values most of which are known.
func TestModulesComputeWhatTheManualOfWebotsSays(t *testing.T) {
	for _, c := range []struct {
		js, module, want string // an expression in which m is the module
	}{
		{"m.equal({x: 1, y: 2}, {x: 1, y: 2})", "wbvector2", "true"},
		{"m.distance({x: 1, y: 1}, {x: 4, y: 5})", "wbvector2", "5"},
		{"m.cross({x: 1, y: 2}, {x: 3, y: 4})", "wbvector2", "-2"},
		{"m.normalize({x: 0, y: 4}).y", "wbvector2", "1"},
		{"m.intersection({x: 0, y: 0}, {x: 2, y: 2}, {x: 0, y: 2}, {x: 2, y: 0}).x", "wbvector2", "1"},
		{"m.intersection({x: 0, y: 0}, {x: 1, y: 0}, {x: 0, y: 1}, {x: 1, y: 1}) === null", "wbvector2", "true"},
		{"m.cross({x: 1, y: 0, z: 0}, {x: 0, y: 1, z: 0}).z", "wbvector3", "1"},
		{"m.dot({x: 1, y: 2, z: 3}, {x: 4, y: 5, z: 6})", "wbvector3", "32"},
		// A turn by 90° about z takes x to y.
		{"Math.round(1e9 * m.rotateVector3ByRotation({x: 0, y: 0, z: 1, a: Math.PI / 2}, {x: 1, y: 0, z: 0}).y)", "wbrotation", "1000000000"},
		{"Math.round(1e9 * m.combine({x: 0, y: 0, z: 1, a: 1}, {x: 0, y: 0, z: 1, a: 0.5}).a)", "wbrotation", "1500000000"},
		{"Math.round(1e9 * m.fromMatrix3(m.toMatrix3({x: 0.6, y: 0, z: 0.8, a: 3.1})).a)", "wbrotation", "3100000000"},
		{"Math.round(1e9 * m.fromMatrix3(m.toMatrix3({x: 0, y: -1, z: 0, a: 1})).y)", "wbrotation", "-1000000000"},
		{"m.normalize({x: 0, y: 0, z: 2, a: 0}).z", "wbrotation", "1"},
		{"m.circle(2, 4, {x: 1, y: 1}, 0).length", "wbgeometry", "5"},
		{"m.circle(2, 4, {x: 1, y: 1}, 0)[1].y", "wbgeometry", "3"},
		{"m.isPoint2InPolygon({x: 1, y: 1}, [{x: 0, y: 0}, {x: 3, y: 0}, {x: 0, y: 3}])", "wbgeometry", "true"},
		{"m.isPoint2InPolygon({x: 2, y: 2}, [{x: 0, y: 0}, {x: 3, y: 0}, {x: 0, y: 3}])", "wbgeometry", "false"},
		{"m.isPoint2ArrayClockwise([{x: 0, y: 0}, {x: 0, y: 1}, {x: 1, y: 0}])", "wbgeometry", "true"},
		{"m.findClosestPoint2InArray({x: 0, y: 0}, [{x: 3, y: 0}, {x: 1, y: 1}]).x", "wbgeometry", "1"},
		{"m.bSpline2([{x: 0, y: 0}, {x: 1, y: 1}, {x: 2, y: 0}], 4).length", "wbgeometry", "13"},
		{"m.bSpline3([{x: 0, y: 0, z: 0}, {x: 1, y: 1, z: 1}, {x: 2, y: 0, z: 2}], 4).length", "wbgeometry", "9"},
		// A straight polygon has a straight curve, which ends in its last point.
		{"m.bSpline2([{x: 0, y: 0}, {x: 1, y: 2}, {x: 2, y: 4}], 3)[9].y", "wbgeometry", "4"},
	} {
		text := "%< import * as m from '" + c.module + ".js'; >%%<= " + c.js + " >%"
		if r, err := expand(text); err != nil || r.Text != c.want {
			t.Errorf("%s: %q %v, want %s", text, made(r), err, c.want)
		}
	}
}

// TestRandomNumbersAreThoseOfWebots computes the generator again, in integers.
func TestRandomNumbersAreThoseOfWebots(t *testing.T) {
	state := 42.0
	for range 2 {
		state = math.Mod(1140671485*state+12820163, 1<<24)
	}
	want := strconv.FormatFloat(state/(1<<24-1), 'g', 14, 64)
	text := "%< import * as r from 'wbrandom.js'; r.seed(42); r.real(); >%%<= r.real().toPrecision(14) >%"
	if r, err := expand(text); err != nil || strings.TrimRight(r.Text, "0") != strings.TrimRight(want, "0") {
		t.Errorf("%s: %v %v, want %s", text, r, err, want)
	}
}
