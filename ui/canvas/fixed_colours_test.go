package canvas

import (
	"strings"
	"testing"

	"simdeck/ui/theme"
)

// spread is the distance between the strongest and the weakest primary.
func spread(c RGB) int {
	return int(max(c[0], c[1], c[2])) - int(min(c[0], c[1], c[2]))
}

func TestOf256ColoursGreysStayGreyAndColoursKeepTheirHue(t *testing.T) {
	f := newFixedColours(fixedPalette())
	var terminal screen
	chosen := func(c RGB) RGB { return terminal.colour(theme.Colour(f.of(c))) }
	for name, c := range map[string]RGB{"the sky": {170, 177, 191}, "a bright sky": {196, 203, 214},
		"a shadow": {44, 47, 54}, "a dark shadow": {24, 26, 33}, "concrete": {120, 118, 114},
		"black": {0, 0, 0}, "white": {255, 255, 255}} {
		if got := chosen(c); spread(got) > 0 {
			t.Errorf("%s, %v, becomes %v, want a grey", name, c, got)
		}
	}
	for name, c := range map[string]RGB{"red": {200, 40, 40}, "green": {60, 160, 60}, "blue": {50, 80, 200},
		"orange": {230, 140, 30}, "brown": {120, 80, 40}} {
		got := chosen(c)
		if spread(got) < spread(c)/2 {
			t.Errorf("%s, %v, becomes %v, which is hardly coloured", name, c, got)
		}
		for i := range c {
			for k := range c {
				if int(c[i])-int(c[k]) > 60 && got[i] <= got[k] {
					t.Errorf("%s, %v, becomes %v, of another hue", name, c, got)
				}
			}
		}
	}
	for v := range 256 { // shades keep their order
		if v > 0 && chosen(RGB{uint8(v), uint8(v), uint8(v)})[0] < chosen(RGB{uint8(v - 1), uint8(v - 1),
			uint8(v - 1)})[0] {
			t.Errorf("grey %d is darker than grey %d", v, v-1)
		}
	}
}

func TestAPictureForATerminalWith256ColoursHasNoOthers(t *testing.T) {
	g := NewCellBuffer(2, 1)
	g.All().PutTile(0, 0, Tile{'▀', RGB{255, 0, 0}, RGB{0, 0, 255}})
	g.All().PutTile(1, 0, Tile{'▀', RGB{254, 1, 0}, RGB{0, 1, 254}})
	th, err := theme.New("")
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Styled(th); !strings.Contains(got, "\x1b[0;38;2;255;0;0;48;2;0;0;255m") {
		t.Errorf("in all colours: %q", got)
	}
	g.FixedColours()
	if got := g.Styled(th); got != "\x1b[0;38;5;196;48;5;21m▀▀\x1b[0m" {
		t.Errorf("in fixed colours: %q", got)
	}
}
