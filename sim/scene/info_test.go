package scene

import (
	"fmt"
	"strings"
	"testing"
)

func TestCategoriesAreReadAsTheyAreWritten(t *testing.T) {
	for _, c := range []Category{Object, Robot, Human, DynamicObject, StaticObject} {
		if got, ok := ParseCategory(c.String()); !ok || got != c {
			t.Errorf("%v is read as %v, %v", c, got, ok)
		}
	}
	if _, ok := ParseCategory("category(3)"); ok {
		t.Error("a number without a meaning is a category")
	}
}

func TestNotesSayWhereAndWhatKind(t *testing.T) {
	n := Notes{{Kind: Missing, File: "a.sdf", Line: 3, Column: 4, Text: "mesh x"}}
	if got := n[0].String(); got != "a.sdf:3:4: missing: mesh x" {
		t.Error(got)
	}
	if !n.Has(Missing) || n.Has(Inferred) {
		t.Error("the kinds of notes are mixed up")
	}
}

func TestBriefNotesCountThoseThatDifferInNamesAndNumbersAlone(t *testing.T) {
	var all Notes
	for i := range 30 {
		all = append(all, Note{Kind: Suspicious, Text: fmt.Sprintf("link %q has %g kg", fmt.Sprint("l", i), 1e-3*float64(i))})
	}
	all = append(all, Note{Kind: Missing, Text: "mesh"})
	got := all.Brief()
	if len(got) != maxAlike+1 || got[0] != all[0] || got[maxAlike].Text != "mesh" ||
		got[maxAlike-1].Text != all[maxAlike-1].Text+"; and 10 more of the kind" || strings.Contains(all[maxAlike-1].Text, "more") {
		t.Errorf("%v", got)
	}
}
