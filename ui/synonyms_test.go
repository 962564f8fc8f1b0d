package ui_test

import (
	"strings"
	"testing"

	"simdeck/ui/uitest"
)

// Each word is a term of other programs, with an action that it must find.
var wordsThatFind = map[string]string{
	"screenshot": "view.save", "photo": "view.save", "picture": "view.save",
	"speed": "sim.faster", "rtf": "sim.faster", "faster": "sim.faster", "slower": "sim.slower",
	"teleport": "entity.move", "move": "entity.move", "place": "entity.goto", "pose": "entity.move",
	"toggle": "sim.toggle", "track": "entity.follow", "chase": "entity.follow", "follow": "entity.follow",
	"kill": "entity.delete", "remove": "entity.delete", "delete": "entity.delete",
	"restart": "sim.reset", "reset": "sim.reset",
	"help": "app.help", "keys": "app.help", "shortcuts": "app.help",
	"quit": "app.quit", "exit": "app.quit",
	"record": "sim.record", "bag": "sim.record", "mcap": "sim.record",
	"back": "sim.rewind", "rewind": "sim.rewind", "undo": "entity.undo",
	"theme": "view.theme", "colour": "view.theme", "color": "view.theme", "dark": "view.theme",
	"light": "view.theme",
	"world": "sim.load", "map": "sim.load", "level": "sim.load", "scene": "sim.load",
	"spawn": "entity.spawn", "add": "entity.spawn", "insert": "entity.spawn", "create": "entity.spawn",
}

// rows are those of the palette: what is below the line that is typed in.
func rows(d *uitest.Driver) string {
	_, text, _ := strings.Cut(d.Text(), "Run an action")
	_, text, _ = strings.Cut(text, "\n")
	_, text, _ = strings.Cut(text, "\n")
	return text
}

func TestThePaletteFindsActionsByTheWordsOfOtherPrograms(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		for word, id := range wordsThatFind {
			d.Press("app.palette")
			d.Type(word)
			if title := d.Model.Title(id); title == "" || !strings.Contains(rows(d), title) {
				t.Errorf("%q does not find %s:\n%s", word, id, d.Text())
			}
			d.Press("dialog.cancel")
		}
	})
}

func TestTheHelpFindsActionsByTheWordsOfOtherPrograms(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		for word, id := range wordsThatFind {
			d.Press("app.help")
			d.Type("/")
			d.Type(word)
			if tip := d.Model.Tip(id); tip == "" || !strings.Contains(d.Text(), tip[:min(len(tip), 16)]) {
				t.Errorf("%q does not find %s:\n%s", word, id, d.Text())
			}
			d.Type("qqq")
			d.Shows("no matches")
			d.Press("dialog.cancel")
		}
	})
}
