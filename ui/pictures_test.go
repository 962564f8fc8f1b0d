package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"simdeck/ui"
	"simdeck/ui/canvas"
	"simdeck/ui/uitest"
)

const (
	pictureQuestion = "\x1b_Gi=31,s=1,v=1,a=q,U=1"
	kittyPicture    = "\x1b_Ga=T,U=1"
	sixelPicture    = "\x1bP0;1q"
)

func TestTheTerminalIsShownPicturesTheWayThatItAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	for name, c := range map[string]struct {
		environ []string
		answer  string
		asks    bool
		shows   string // and no other
	}{
		"kitty":                {nil, "\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c", true, kittyPicture},
		"kitty that refuses":   {nil, "\x1b_Gi=31;ENOTSUP:no\x1b\\\x1b[6;20;10t\x1b[?62;c", true, ""},
		"sixel":                {nil, "\x1b[6;20;10t\x1b[?62;4;22c", true, sixelPicture},
		"sixel without a size": {nil, "\x1b[?62;4c", true, ""},
		"both":                 {nil, "\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;4c", true, kittyPicture},
		"neither":              {nil, "\x1b[?1;2c", true, ""},
		"silence":              {nil, "", true, ""},
		"a console":            {[]string{"TERM=linux"}, "", false, ""},
		"no colour":            {[]string{"NO_COLOR=1"}, "", false, ""},
		"sixteen colours":      {[]string{"TERM=xterm"}, "", false, ""},
		"a line": {[]string{"SSH_TTY=/dev/pts/3"}, "\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c",
			true, kittyPicture},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			backend := uitest.Room()
			p := start(t, t.Context(), backend, append([]string{}, c.environ...)...)
			p.shows(t, "burger_1")
			p.host.WriteString("8z")
			p.shows(t, "zoom in")
			if c.asks {
				p.shows(t, pictureQuestion)
			}
			p.host.WriteString(c.answer)
			if c.shows != "" {
				p.shows(t, c.shows)
			} else {
				for range 8 { // frames in which one would come
					backend.Advance(10)
					time.Sleep(40 * time.Millisecond)
				}
			}
			p.host.WriteString("2") // the map is in the camera's place
			p.shows(t, "cursor")
			if c.shows == kittyPicture {
				p.shows(t, "\x1b_Ga=d")
			}
			p.host.WriteString("q")
			if err := p.restored(t); err != nil {
				t.Error(err)
			}
			text := p.text()
			for _, other := range []string{kittyPicture, sixelPicture} {
				if got := strings.Contains(text, other); got != (other == c.shows) {
					t.Errorf("%q was sent: %v", other, got)
				}
			}
			if got := strings.Contains(text, pictureQuestion); got != c.asks {
				t.Errorf("asked: %v, want %v", got, c.asks)
			}
		})
	}
}

func TestAPictureThatTheTerminalShowsAlreadyIsNotSentAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	for name, c := range map[string]struct{ answer, picture string }{
		"kitty": {"\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c", kittyPicture},
		"sixel": {"\x1b[6;20;10t\x1b[?62;4;22c", sixelPicture},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			backend := uitest.Room()
			ctx, end := context.WithCancel(t.Context())
			p := start(t, ctx, backend)
			p.shows(t, "burger_1")
			p.host.WriteString("8z")
			p.shows(t, pictureQuestion)
			p.host.WriteString(c.answer)
			p.shows(t, c.picture)
			sent := func() int { return strings.Count(p.text(), c.picture) }
			for range 8 { // the clock goes on, nothing moves
				backend.Advance(10)
				time.Sleep(120 * time.Millisecond)
			}
			if n := sent(); n != 1 {
				t.Errorf("%d pictures of a world in which nothing moves, want 1", n)
			}
			more := func(than int, when string) {
				for end := time.Now().Add(time.Minute); sent() <= than; time.Sleep(20 * time.Millisecond) {
					backend.Advance(10)
					if time.Now().After(end) {
						t.Fatalf("%d pictures %s, want more than %d", sent(), when, than)
					}
				}
			}
			before := sent()
			p.host.WriteString("?") // a dialog lies over it
			p.shows(t, " Help ")
			p.host.WriteString("\x1b")
			time.Sleep(300 * time.Millisecond) // with what follows it would be another key
			if c.picture == sixelPicture {     // the dialog is drawn over it
				more(before, "after a dialog lay over it")
			}
			before = sent()
			p.host.WriteString("h") // another view is another picture
			more(before, "after the view turned")
			end()
			if err := p.restored(t); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOnATerminalWith256ColoursAGreySkyIsGrey(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	ctx, end := context.WithCancel(t.Context())
	backend := uitest.Room()
	backend.Snapshot().Model.Ambience.Background = [4]float32{0.72, 0.74, 0.77, 1}
	p := start(t, ctx, backend)
	p.shows(t, "burger_1")
	p.host.WriteString("8z")
	p.shows(t, "zoom in")
	p.shows(t, "48;5;")
	end()
	if err := p.restored(t); err != nil {
		t.Error(err)
	}
	for _, lavender := range []string{"8;5;146", "8;5;103", "8;5;60m"} {
		if strings.Contains(p.text(), lavender) {
			t.Errorf("a grey picture has the color %q", lavender)
		}
	}
	if !strings.Contains(p.text(), "48;5;249") && !strings.Contains(p.text(), "48;5;250") &&
		!strings.Contains(p.text(), "48;5;248") {
		t.Error("there is no grey sky")
	}
}

func TestAPictureIsOfTheFinestCharactersThatATerminalIsKnownToDraw(t *testing.T) {
	for _, c := range []struct {
		want    canvas.Mosaic
		environ []string
	}{
		{canvas.Quadrant, nil},
		{canvas.Quadrant, []string{"TERM=xterm-256color"}},
		{canvas.Half, []string{"TERM=linux"}},
		{canvas.Sextant, []string{"TERM=xterm-kitty"}},
		{canvas.Sextant, []string{"TERM=foot"}},
		{canvas.Sextant, []string{"TERM=xterm-256color", "TERM_PROGRAM=WezTerm", "TERM_PROGRAM_VERSION=20240203-110809"}},
		{canvas.Octant, []string{"TERM=xterm-ghostty", "TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.3.1-arch2"}},
		{canvas.Sextant, []string{"TERM=xterm-ghostty", "TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.1.2"}},
		{canvas.Octant, []string{"TERM=xterm-256color", "VTE_VERSION=7802"}},
		{canvas.Sextant, []string{"TERM=xterm-256color", "VTE_VERSION=7006"}},
		{canvas.Quadrant, []string{"TERM=xterm-256color", "VTE_VERSION=6003"}},
		{canvas.Quadrant, []string{"TERM=tmux-256color", "VTE_VERSION=7802", "TMUX=/tmp/tmux-0/default,1,0"}},
		{canvas.Quadrant, []string{"TERM=xterm-256color", "VTE_VERSION=new"}},
	} {
		if got, err := (ui.Pictures{}).MosaicOn(c.environ); err != nil || got != c.want {
			t.Errorf("%v: %v %v, want %v", c.environ, got, err, c.want)
		}
	}
	if got, err := (ui.Pictures{Glyphs: "octant"}).MosaicOn([]string{"TERM=linux"}); err != nil ||
		got != canvas.Octant {
		t.Errorf("who asks for octants gets %v, %v", got, err)
	}
	if _, err := (ui.Pictures{Glyphs: "dots"}).MosaicOn(nil); err == nil {
		t.Error("there are no dots")
	}
}
