package sdf

import (
	"math"
	"strings"
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
		{"<category_bitmask>1</category_bitmask><collide_bitmask>2</collide_bitmask>",
			"<category_bitmask>2</category_bitmask><collide_bitmask>4</collide_bitmask>", true},
		{"<category_bitmask>1</category_bitmask><collide_bitmask>1</collide_bitmask>",
			"<category_bitmask>2</category_bitmask><collide_bitmask>2</collide_bitmask>", false},
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
		`<physics type="ode"><gravity>0 0 -1.6</gravity></physics>`: {-1.6,
			0},
		`<physics type="ode"><gravity>0 0 -1.6</gravity></physics><gravity>0 0 -3</gravity>`: {-3,
			0},
		`<physics type="ode"><gravity>down</gravity></physics>`: {-9.8,
			0},
		`<physics name="a"><max_step_size>0.01</max_step_size></physics><physics name="b"><max_step_size>0.02</max_step_size></physics>`: {-9.8,
			0.01},
		`<physics name="a"><max_step_size>0.01</max_step_size></physics><physics default="1"><max_step_size>0.02</max_step_size></physics>`: {-9.8,
			0.02},
	} {
		w, err := World(open(t, `<sdf version="1.4"><world name="w">`+text+`</world></sdf>`, nil))
		if err != nil || w.Gravity != r3.V(0, 0, want.gravity) || w.StepSize != want.step {
			t.Errorf("%s: %v, gravity %v, step %v, want %v", text, err, w.Gravity, w.StepSize, want)
		}
	}
}

func TestVelocitiesDecayByTheShareOfAStep(t *testing.T) {
	m, err := Model(open(t, inModel(`<link name="l"><velocity_decay><linear>0.01</linear><angular>1</angular></velocity_decay></link>`),
		nil))
	if err != nil {
		t.Fatal(err)
	}
	d := m.Links[0].Drag
	if left := math.Exp(-d.Linear); math.Abs(left-math.Pow(0.99, 1000)) > 1e-9 || d.Angular != 1e3 {
		t.Errorf("after a second %v of a velocity are left, want 0.99 to the thousand; drag %+v", left, d)
	}
}

// TestWhatTheEngineDoesNotDoAtAContactIsSaidWithItsLine: an own limit to the recovery speed, a softness
// beside kp and kd, and slip of spinning on the spot. Values that ask for nothing are not spoken of.
func TestWhatTheEngineDoesNotDoAtAContactIsSaidWithItsLine(t *testing.T) {
	for _, c := range []struct {
		surface, want string
		line          int
	}{
		{"<contact><ode>\n\n<max_vel>0.01</max_vel></ode></contact>", "<max_vel> of 0.01 m/s", 3},
		{"<contact><ode>\n<max_vel>100</max_vel><soft_cfm>0</soft_cfm><soft_erp>0.2</soft_erp></ode></contact>",
			"", 0},
		{"<contact><ode>\n<soft_cfm>0.001</soft_cfm></ode></contact>", "soft_cfm of 0.001", 2},
		{"<friction><torsional>\n<ode>\n<slip>3.1</slip></ode></torsional></friction>",
			"torsional slip of 3.1", 3},
		{"<friction><torsional><ode><slip>0</slip></ode></torsional></friction>", "", 0},
	} {
		d := open(t, inModel(`<link name="l"><inertial><mass>1</mass></inertial><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry><surface>`+
			c.surface+`</surface></collision></link>`), nil)
		before := len(*d.Notes)
		if _, err := Model(d); err != nil {
			t.Fatal(err)
		}
		notes := (*d.Notes)[before:]
		switch {
		case c.want == "" && len(notes) > 0:
			t.Errorf("%q is noted: %v", c.surface, notes)
		case c.want != "" && (len(notes) != 1 || !strings.Contains(notes[0].Text, c.want) ||
			notes[0].Line != c.line):
			t.Errorf("%q: %v, want %q in line %d", c.surface, notes, c.want, c.line)
		}
	}
}
