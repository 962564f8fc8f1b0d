package ui_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"simdeck/ui"
	"simdeck/ui/keymap"
	"simdeck/ui/tour"
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
	const page = "../docs/reference/keys.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	above, rest, begins := strings.Cut(string(data), keymap.Begin)
	table, below, ends := strings.Cut(rest, keymap.End)
	if !begins || !ends {
		t.Fatalf("docs/reference/keys.md has no table of keys between %s and %s", keymap.Begin, keymap.End)
	}
	want := strings.TrimSpace(keymap.Markdown(shipped(t)))
	if strings.TrimSpace(table) == want {
		return
	}
	if !*update {
		t.Fatal("the table of keys in docs/reference/keys.md is stale: go test ./ui -update writes it")
	}
	now := above + keymap.Begin + "\n" + want + "\n" + keymap.End + below
	if err := os.WriteFile(page, []byte(now), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTheTourNamesActionsThatHaveKeysAndIsWalkedByThem(t *testing.T) {
	keys := shipped(t)
	for _, id := range tour.Actions() {
		if keys.Key(id) == "" {
			t.Errorf("the tour names %s, which has no key", id)
		}
	}
	begins := func(c *ui.Config) { c.Tour = true }
	uitest.Open(t, uitest.Room(), 80, 24, keys, begins, func(d *uitest.Driver) {
		d.Shows("Tour 1/5: Look around")
		d.Press("view.camera")
		d.Shows("Tour 2/5", "8 Camera")
		d.Press("camera.sight")
		d.Shows("Tour 3/5")
		d.Press("entity.drive", "drive.forward", "drive.leave")
		d.Shows("Tour 4/5")
		d.Press("app.tour")
		d.Shows("Tour 5/5")
		d.Press("app.help", "dialog.cancel")
		d.Hides("Tour ")
		d.Press("app.tour")
		d.Shows("Tour 1/5")
		d.Press("app.back")
		d.Hides("Tour ")
	})
}
