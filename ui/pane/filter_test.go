package pane

import (
	"testing"

	"simdeck/sim/scene"
)

func TestAFilterIsWordsThatMustAllHold(t *testing.T) {
	names := []string{"burger_1", "burger_2", "crate_1", "table"}
	infos := []scene.Info{
		{Category: scene.Robot, Tags: []string{"mobile", "lidar"}},
		{Category: scene.Robot, Tags: []string{"mobile"}},
		{Category: scene.DynamicObject, Tags: []string{"wood"}},
		{Category: scene.StaticObject, Tags: []string{"wood"}},
	}
	for text, want := range map[string][]int32{
		"":                    {0, 1, 2, 3},
		"_1":                  {0, 2},
		"^burger":             {0, 1},
		"^burger !_2":         {0},
		"(crate|table)":       {2, 3},
		"[0-9]$":              {0, 1, 2},
		"kind:robot":          {0, 1},
		"kind:ROB tag:lid":    {0},
		"!kind:robot tag:woo": {2, 3},
		"tag:none":            nil,
		"brgr":                {0, 1}, // by letters
		"(":                   nil,    // no expression, and no name has its letters
		"crate_(":             nil,
		"!zz":                 {0, 1, 2, 3},
	} {
		var f Filter
		f.Set(text)
		got := f.Rows(len(names), func(i int) string { return names[i] },
			func(i int) *scene.Info { return &infos[i] })
		if len(got) != len(want) {
			t.Errorf("%q shows %v, want %v", text, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q shows %v, want %v", text, got, want)
			}
		}
		if f.Fuzzy != (text == "brgr") {
			t.Errorf("%q by letters: %v", text, f.Fuzzy)
		}
	}
}

// TestExpressionsAreThoseOfPOSIX: leftmost longest, and no Perl classes, as
// GetEntities has them.
func TestExpressionsAreThoseOfPOSIX(t *testing.T) {
	var f Filter
	f.Set(`\d`)
	if f.terms[0].name != nil {
		t.Error(`\d is a Perl class and was taken as an expression`)
	}
	f.Set("[[:digit:]]+")
	if f.terms[0].name == nil || !f.match("a1", nil, false) || f.match("a", nil, false) {
		t.Error("[[:digit:]]+ was not understood")
	}
}
