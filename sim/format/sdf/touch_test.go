package sdf

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestBitsOfContactsSayWhatTouches(t *testing.T) {
	shape := func(contact string) scene.Geom {
		m, err := Model(open(t, inModel(`<link name="l"><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry><surface><contact>`+
			contact+`</contact></surface></collision></link>`), nil))
		if err != nil {
			t.Fatal(err)
		}
		return m.Links[0].Collisions[0]
	}
	usual := scene.Geom{Category: math.MaxUint32, Mask: math.MaxUint32}
	for _, c := range []struct {
		one, other string
		want       bool
	}{
		{"<collide_bitmask>0x1</collide_bitmask>", "<collide_bitmask>0x3</collide_bitmask>", true},
		{"<collide_bitmask>1</collide_bitmask>", "<collide_bitmask>2</collide_bitmask>", false},
		{"<collide_bitmask>1</collide_bitmask>", "", true},
		{"<collide_bitmask>0</collide_bitmask>", "", false},
		{"<category_bitmask>1</category_bitmask><collide_bitmask>2</collide_bitmask>", "<category_bitmask>2</category_bitmask><collide_bitmask>4</collide_bitmask>", true},
		{"<category_bitmask>1</category_bitmask><collide_bitmask>1</collide_bitmask>", "<category_bitmask>2</category_bitmask><collide_bitmask>2</collide_bitmask>", false},
		{"<collide_without_contact>true</collide_without_contact>", "", false},
		{"<collide_bitmask>all</collide_bitmask>", "", true},
	} {
		one, other := shape(c.one), usual
		if c.other != "" {
			other = shape(c.other)
		}
		if one.Category == 0 && one.Mask == 0 {
			one = usual
		}
		if got := one.Category&other.Mask != 0 && other.Category&one.Mask != 0; got != c.want {
			t.Errorf("%s and %s touch: %v, want %v", c.one, c.other, got, c.want)
		}
	}
}

func TestGravityStandsInPhysicsInOldWorldsAndTheDefaultProfileHolds(t *testing.T) {
	for text, want := range map[string]struct{ gravity, step float64 }{
		`<physics type="ode"><gravity>0 0 -1.6</gravity></physics>`:                                                                         {-1.6, 0},
		`<physics type="ode"><gravity>0 0 -1.6</gravity></physics><gravity>0 0 -3</gravity>`:                                                {-3, 0},
		`<physics type="ode"><gravity>down</gravity></physics>`:                                                                             {-9.8, 0},
		`<physics name="a"><max_step_size>0.01</max_step_size></physics><physics name="b"><max_step_size>0.02</max_step_size></physics>`:    {-9.8, 0.01},
		`<physics name="a"><max_step_size>0.01</max_step_size></physics><physics default="1"><max_step_size>0.02</max_step_size></physics>`: {-9.8, 0.02},
	} {
		w, err := World(open(t, `<sdf version="1.4"><world name="w">`+text+`</world></sdf>`, nil))
		if err != nil || w.Gravity != r3.V(0, 0, want.gravity) || w.StepSize != want.step {
			t.Errorf("%s: %v, gravity %v, step %v, want %v", text, err, w.Gravity, w.StepSize, want)
		}
	}
}

func TestVelocitiesDecayByTheShareOfAStep(t *testing.T) {
	m, err := Model(open(t, inModel(`<link name="l"><velocity_decay><linear>0.01</linear><angular>1</angular></velocity_decay></link>`), nil))
	if err != nil {
		t.Fatal(err)
	}
	d := m.Links[0].Drag
	if left := math.Exp(-d.Linear); math.Abs(left-math.Pow(0.99, 1000)) > 1e-9 || d.Angular != 1e3 {
		t.Errorf("after a second %v of a velocity are left, want 0.99 to the thousand; drag %+v", left, d)
	}
}
