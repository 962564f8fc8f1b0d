package webots

import (
	"math"
	"testing"
)

func TestContactsGiveFrictionToPairs(t *testing.T) {
	w := world(t, nil, `WorldInfo { contactProperties [ ContactProperties { material1 "wheel" coulombFriction 4 bounce 0 } ContactProperties { bounce 0.2 coulombFriction -1 } ] }
Solid { boundingObject Box { } } Solid { contactMaterial "wheel" boundingObject Box { } physics Physics { } } Solid { boundingObject Box { } physics Physics { } }`)
	floor, wheel, box := w.Models[0].Model.Links[0].Collisions[0].Surface, w.Models[1].Model.Links[0].Collisions[0].Surface, w.Models[2].Model.Links[0].Collisions[0].Surface
	if m := math.Min(floor.Mu, wheel.Mu); m != 4 || math.Max(floor.Restitution, wheel.Restitution) != 0 {
		t.Errorf("the wheel on the floor: friction %g of %+v and %+v", m, floor, wheel)
	}
	if math.Min(floor.Mu, box.Mu) != slipless || math.Max(floor.Restitution, box.Restitution) != 0.2 || box.Default {
		t.Errorf("the box on the floor: %+v, %+v", floor, box)
	}
	if s := world(t, nil, "Solid { boundingObject Box { } physics Physics { } }").Models[0].Model.Links[0].Collisions[0].Surface; s.Mu != 1 || s.Restitution != 0.5 {
		t.Errorf("without a word: %+v", s)
	}
}
