package ui_test

import (
	"strings"
	"testing"
	"time"

	"simdeck/ui/uitest"
)

const (
	pictureQuestion = "\x1b_Gi=31,s=1,v=1,a=q,U=1"
	kittyPicture    = "\x1b_Ga=T,U=1"
	sixelPicture    = "\x1bP0;1q"
)

func TestTheTerminalIsShownPicturesTheWayThatItAnswers(t *testing.T) {
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
			if strings.Contains(p.text(), pictureQuestion) {
				t.Error("asked before anybody looked through a camera")
			}
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
			p.host.WriteString("z2")
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
