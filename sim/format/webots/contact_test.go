package webots

import (
	"math"
	"testing"
)

func TestContactsGiveFrictionToPairs(t *testing.T) {
	w := world(t, nil, `WorldInfo { contactProperties [ ContactProperties { material1 "wheel" coulombFriction 4 bounce 0 } ContactProperties { bounce 0.2 coulombFriction -1 } ] }
Solid { boundingObject Box { } } Solid { contactMaterial "wheel" boundingObject Box { } physics Physics { } } Solid { boundingObject Box { } physics Physics { } }`)
	floor, wheel, box := w.Models[0].Model.Links[0].Collisions[0].Surface,
		w.Models[1].Model.Links[0].Collisions[0].Surface, w.Models[2].Model.Links[0].Collisions[0].Surface
	if m := math.Min(floor.Mu, wheel.Mu); m != 4 || math.Max(floor.Restitution, wheel.Restitution) != 0 {
		t.Errorf("the wheel on the floor: friction %g of %+v and %+v", m, floor, wheel)
	}
	if math.Min(floor.Mu, box.Mu) != slipless || math.Max(floor.Restitution, box.Restitution) != 0.2 ||
		box.Default {
		t.Errorf("the box on the floor: %+v, %+v", floor, box)
	}
	if s := world(t, nil, "Solid { boundingObject Box { } physics Physics { } }").Models[0].Model.Links[0].Collisions[0].Surface; s.Mu != 1 ||
		s.Restitution != 0.5 {
		t.Errorf("without a word: %+v", s)
	}
}

// TestContactsOfDifferingPairsAreNoted: of a material's two pairs with different properties, one is taken for
// all, and the other is named with its line.
func TestContactsOfDifferingPairsAreNoted(t *testing.T) {
	w := world(t, nil, "WorldInfo { contactProperties [\nContactProperties { material1 \"wheel\" coulombFriction 4 }\nContactProperties { material1 \"wheel\" material2 \"ice\" coulombFriction 0.1 } ] }")
	if n := noted(w.Notes, `material "wheel" is in several pairs`); n == nil || n.Line != 4 {
		t.Errorf("%v", w.Notes)
	}
	w = world(t, nil, "WorldInfo { contactProperties [ ContactProperties { material1 \"wheel\" coulombFriction 4 } ContactProperties { material1 \"ice\" coulombFriction 0.1 } ] }")
	if n := noted(w.Notes, "several pairs"); n != nil {
		t.Errorf("%v", w.Notes)
	}
}

// TestSoftCFMAndSoftERPAreASpringAndADamper, by the step of the world, as ODE has it: kp = ERP/(h·CFM), kd =
// (1-ERP)/CFM.
func TestSoftCFMAndSoftERPAreASpringAndADamper(t *testing.T) {
	for given, want := range map[string][2]float64{
		"": {0, 0}, "softCFM 0.01": {0.2 / (0.008 * 0.01), 80}, "softERP 0.5": {0.5 / (0.008 * 0.001), 500},
		"softCFM 0.02 softERP 0.8": {0.8 / (0.008 * 0.02), 10},
	} {
		w := world(t, nil, "WorldInfo { basicTimeStep 8 contactProperties [ ContactProperties { "+given+
			" } ] } Solid { boundingObject Box { } physics Physics { } }")
		s := w.Models[0].Model.Links[0].Collisions[0].Surface
		if math.Abs(s.Stiffness-want[0]) > 1e-9*want[0] || math.Abs(s.Damping-want[1]) > 1e-9*want[1] {
			t.Errorf("%q: %g N/m and %g N·s/m, want %v", given, s.Stiffness, s.Damping, want)
		}
	}
}

// TestRollingSpinningAndSlipAreReadWhole: Webots gives rolling two directions and spinning a third value, and
// −1 is friction without limit.
func TestRollingSpinningAndSlipAreReadWhole(t *testing.T) {
	for _, c := range []struct {
		given               string
		rolling, spin, slip float64
		note                string
	}{
		{"", 0, 0, 0, ""},
		{"rollingFriction 0.1 0.1 0.3", 0.1, 0.3, 0, ""},
		{"rollingFriction -1 -1 0", slipless, 0, 0, ""},
		{"rollingFriction 0.1 0.3 0", 0.2, 0, 0, "rolling friction differs"},
		{"forceDependentSlip 0.02", 0, 0, 0.02, ""},
		{"forceDependentSlip [ 0.02 0.04 ]", 0, 0, 0.03, "slip differs"},
	} {
		w := world(t, nil, `WorldInfo { contactProperties [ ContactProperties { material1 "w" `+c.given+` } ] }
Solid { contactMaterial "w" boundingObject Box { } physics Physics { } }`)
		s := w.Models[0].Model.Links[0].Collisions[0].Surface
		if math.Abs(s.Rolling-c.rolling) > 1e-12 || math.Abs(s.Torsional-c.spin) > 1e-12 ||
			math.Abs(s.Slip-c.slip) > 1e-12 || s.Slip2 != s.Slip {
			t.Errorf("%q: rolling %g m, spinning %g m, slip %g m/s per N", c.given, s.Rolling, s.Torsional,
				s.Slip)
		}
		if n := noted(w.Notes, "differs with"); (n == nil) != (c.note == "") || c.note != "" &&
			noted(w.Notes, c.note) == nil {
			t.Errorf("%q: %v", c.given, w.Notes)
		}
	}
}
