package ui_test

import (
	"image/png"
	"strings"
	"testing"

	"simdeck/ui"
	"simdeck/ui/uitest"
)

func TestAShotIsWhatTheConsoleShowsAsAPictureOrText(t *testing.T) {
	c := ui.Config{Backend: uitest.Room(), Keymap: shipped(t)}
	write := func(format string, actions ...string) string {
		var out strings.Builder
		if err := ui.Screenshot(c, 80, 24, actions, format, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	text := strings.TrimSuffix(write("txt", "view.map"), "\n")
	exact(t, text, 80, 24)
	if !strings.Contains(text, "2 Map") || !strings.Contains(text, "burger_1") {
		t.Errorf("the map as text:\n%s", text)
	}
	if ansi := write("ansi"); !strings.Contains(ansi, "\x1b[") || !strings.Contains(ansi, "Entities") {
		t.Errorf("with colours: %q", ansi[:200])
	}
	if svg := write("svg"); !strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, "burger_1") {
		t.Errorf("as a picture: %s", svg[:200])
	}
	if img, err := png.Decode(strings.NewReader(write("png"))); err != nil || img.Bounds().Dx() != 820 ||
		img.Bounds().Dy() != 500 {
		t.Errorf("as pixels it is not 80 by 24 cells of 10 by 20, and a margin: %v", err)
	}
	var none strings.Builder
	if err := ui.Screenshot(c, 80, 24, []string{"view.nothing"}, "txt", &none); err == nil || none.Len() > 0 {
		t.Errorf("an action that is not there: %v", err)
	}
}
