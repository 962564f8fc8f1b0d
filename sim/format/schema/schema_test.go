package schema

import (
	"strings"
	"testing"
)

func TestATableThatCannotBeReadIsRefusedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"a\n    b":       "line 2",
		"a\nb\n\na":      "line 4",
		"*":              "line 1",
		"# a note\n\n*":  "line 3",
		"a\n  b:missing": "missing",
		"a:a":            "a:a",
		"a:b\nb:c\nc:a":  "a:b:c:a",
		"a:b\nb:c\nc:b":  "own content",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

func TestMarksSayWhatBecomesOfAnElement(t *testing.T) {
	table, err := Parse("link @name\n  gravity~\n  wind! =false\n  pose\n    *\n  layer-\n")
	if err != nil {
		t.Fatal(err)
	}
	link := table.Types[0]
	if len(link.Attrs) != 1 || link.Attrs[0].Name != "name" || len(link.Kids) != 4 {
		t.Fatalf("%+v", link)
	}
	for i, want := range []Use{NoEffect, Unsupported, Understood, Cosmetic} {
		if got := link.Kids[i].Use; got != want {
			t.Errorf("%s is %v, want %v", link.Kids[i].Name, got, want)
		}
	}
	if !link.Kids[2].Open || len(link.Kids[1].Idle) != 1 || link.Kids[1].Idle[0] != "false" {
		t.Errorf("%+v, %+v", link.Kids[1], link.Kids[2])
	}
}
