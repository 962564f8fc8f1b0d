package ui_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"simdeck/ui"
	"simdeck/ui/keymap"
	"simdeck/ui/uitest"
)

func TestKeymapAndActionsNameTheSameThings(t *testing.T) {
	keys := shipped(t)
	open(t, func(d *uitest.Driver) {
		ids, fleet := d.Model.Actions(), ui.FleetActions()
		for _, b := range keys.Bindings() {
			tip, known := fleet[b.Action]
			if b.Context != keymap.OnFleet {
				tip, known = d.Model.Tip(b.Action), slices.Contains(ids, b.Action)
			}
			if !known {
				d.T.Errorf("keymap.yaml:%d: there is no action %s", b.Line, b.Action)
			}
			if len(b.Keys) == 0 {
				d.T.Errorf("keymap.yaml:%d: %s has no key", b.Line, b.Action)
			}
			if tip != b.Comment {
				d.T.Errorf("keymap.yaml:%d: %s says %q, its action says %q; help and documents must agree",
					b.Line, b.Action, b.Comment, tip)
			}
		}
		for id := range fleet {
			if keys.Keys(id) == nil {
				d.T.Errorf("action %s is not in keymap.yaml", id)
			}
		}
		for i, id := range ids {
			if slices.Contains(ids[:i], id) {
				d.T.Errorf("action %s is there twice", id)
			}
			if keys.Keys(id) == nil {
				d.T.Errorf("action %s is not in keymap.yaml", id)
			}
		}
	})
}

func TestTheManualListsTheKeysAsTheyAre(t *testing.T) {
	data, err := os.ReadFile("../docs/reference/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begins := strings.Cut(string(data), keymap.Begin)
	table, _, ends := strings.Cut(rest, keymap.End)
	if !begins || !ends {
		t.Fatalf("docs/reference/keys.md has no table of keys between %s and %s", keymap.Begin, keymap.End)
	}
	if want := keymap.Markdown(shipped(t)); strings.TrimSpace(table) != strings.TrimSpace(want) {
		t.Errorf("the table of keys in docs/reference/keys.md is stale; put the output of simdeck keys --markdown between its marks")
	}
}
