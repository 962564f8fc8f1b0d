package ui_test

import (
	"bytes"
	"errors"
	"image/gif"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"

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
	if svg := write("svg"); !strings.HasPrefix(svg, "<svg ") ||
		!strings.Contains(regexp.MustCompile(`</?tspan[^>]*>`).ReplaceAllString(svg, ""), ">burger_1<") {
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

func TestAVideoShowsWhatTheConsoleDoesWhileKeysArePressed(t *testing.T) {
	c := ui.Config{Backend: uitest.Room(), Keymap: shipped(t)}
	v := ui.VideoRequest{Width: 80, Height: 24, Length: 600 * time.Millisecond, Press: "view.map 100ms z"}
	var out bytes.Buffer
	if err := ui.Video(t.Context(), c, v, &out); err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(&out)
	if err != nil {
		t.Fatal(err)
	}
	hundredths := 0
	for _, d := range film.Delay {
		hundredths += d
	}
	if film.Config.Width != 820 || film.Config.Height != 500 || hundredths != 60 {
		t.Errorf("%d×%d pixels for %d hundredths of a second, want 820×500 for 60", film.Config.Width,
			film.Config.Height, hundredths)
	}
	whole := 0 // frames of which most is new: the first, and the map in the whole window
	for _, frame := range film.Image {
		if r := frame.Bounds(); r.Dx() > 600 && r.Dy() > 300 {
			whole++
		}
	}
	if whole < 2 {
		t.Errorf("of %d frames %d show another picture: the keys were not pressed", len(film.Image), whole)
	}
}

func TestAVideoThatCannotBeIsRefused(t *testing.T) {
	c := ui.Config{Backend: uitest.Room(), Keymap: shipped(t)}
	for press, want := range map[string]string{
		"view.nothing": `press "view.nothing" is neither a key, an action with a key, nor a time`,
		"up:soon":      `press "up:soon": "soon" is no time to hold a key`,
		"up:1h":        `press "up:1h": "1h" is no time to hold a key`,
	} {
		v := ui.VideoRequest{Width: 80, Height: 24, Length: time.Second, Press: press}
		err := ui.Video(t.Context(), c, v, &bytes.Buffer{})
		if !errors.Is(err, ui.ErrVideo) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", press, err, want)
		}
	}
	for _, length := range []time.Duration{-time.Second, time.Millisecond, time.Hour} {
		v := ui.VideoRequest{Width: 80, Height: 24, Length: length}
		if err := ui.Video(t.Context(), c, v, &bytes.Buffer{}); !errors.Is(err, ui.ErrVideo) {
			t.Errorf("a video of %s: %v", length, err)
		}
	}
}
