package canvas

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"io"
	"math"
	"strings"
	"testing"

	"simdeck/ui/theme"
)

func TestWhatIsDrawnStaysInItsArea(t *testing.T) {
	g := NewCellBuffer(10, 4)
	a := g.Area(image.Rect(2, 1, 8, 3))
	a.Text(-3, 0, "abcdefghijklmnop", theme.Plain)
	a.Text(0, 5, "below", theme.Plain)
	a.Sub(4, 1, 99, 99).Fill('#', theme.Plain)
	want := "          \n  defghi  \n      ##  \n          "
	if got := g.Plain(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEveryLineIsAsWideAsTheGridWhateverIsWritten(t *testing.T) {
	for _, s := range []string{
		"plain", "字字字字字字字字", "a字", "x字字", "\x1b[31mred", "tab\there", "e\u0301\u0301", "👩‍🚀", "⚠️", "हिन्दी",
		"\u202eabc", "\xff\xfe", "한국어", "🇩🇪",
	} {
		for x := -2; x < 8; x++ {
			g := NewCellBuffer(7, 1)
			g.All().Text(x, 0, s, theme.Plain)
			g.All().Clip(x, 0, 4, s, theme.Plain)
			if n := TextWidth(g.Plain()); n != 7 {
				t.Errorf("%q at %d makes a line of %d columns: %q", s, x, n, g.Plain())
			}
		}
	}
}

func TestHalfOfAWideRuneIsASpace(t *testing.T) {
	g := NewCellBuffer(6, 1)
	a := g.All()
	a.Text(0, 0, "字字字", theme.Plain)
	a.Put(1, 0, 'x', theme.Plain)
	a.Put(4, 0, 'y', theme.Plain)
	if got := g.Plain(); got != " x字y " {
		t.Errorf("got %q", got)
	}
}

func TestWhatDoesNotFitEndsInAnEllipsis(t *testing.T) {
	for text, want := range map[string]string{"fits": "fits ", "fits!": "fits!", "too long": "too …",
		"字字字": "字字…"} {
		g := NewCellBuffer(5, 1)
		if end := g.All().Clip(0, 0, 5, text, theme.Plain); end != 5 || g.Plain() != want {
			t.Errorf("%q became %q up to %d, want %q", text, g.Plain(), end, want)
		}
	}
}

func TestStyledTextSwitchesInksOnceAndEndsPlain(t *testing.T) {
	th, err := theme.New("ansi")
	if err != nil {
		t.Fatal(err)
	}
	g := NewCellBuffer(6, 1)
	g.All().Text(0, 0, "ab", theme.Good)
	g.All().Text(4, 0, "cd", theme.Good)
	want := th.SGR(theme.Good) + "ab  cd\x1b[0m" // nothing is to be seen of a space
	if got := g.Styled(th); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnASCIIGridHasOnlyASCIIOfOurOwn(t *testing.T) {
	g := NewCellBuffer(30, 3)
	g.ASCII = true
	g.All().Frame(theme.Plain)
	g.All().Text(1, 1, "▶⏸■◇●○×…·↑↓←→↗↘↙↖✓µ°²−≤≥▁▄█⠿é", theme.Plain)
	for _, r := range g.Plain() {
		if r > 127 && r != 'é' {
			t.Errorf("%q stays", r)
		}
	}
	if !strings.Contains(g.Plain(), "+----") {
		t.Errorf("the frame is\n%s", g.Plain())
	}
}

func TestAPictureIsWellFormed(t *testing.T) {
	th, _ := theme.New("ansi")
	g := NewCellBuffer(40, 6)
	a := g.All().Frame(theme.Focus)
	a.Text(0, 0, `<&"'> 字 ⠿▁█▀`, theme.Chosen)
	a.Text(0, 1, "faint", theme.Dim)
	var b bytes.Buffer
	if err := g.SVG(&b, th); err != nil {
		t.Fatal(err)
	}
	d, elements := xml.NewDecoder(&b), 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
	if elements < 6 {
		t.Errorf("the picture has %d elements", elements)
	}
}

// textOfSVG is a part of a word of a picture.
type textOfSVG struct {
	X      float64 `xml:"x,attr"`
	Length float64 `xml:"textLength,attr"`
	Text   string  `xml:",chardata"`
}

func TestTheTextOfAPictureStandsInItsCellsWhereverBlanksAreTakenForOne(t *testing.T) {
	th, _ := theme.New("ansi")
	for name, line := range map[string]string{
		"runs of blanks":    "a  b   c    d",
		"single blanks":     "a b c d e f g",
		"blanks at the end": "  x  y  ",
		"wide runes":        "字 幕  x字y 字",
		"lines and blocks":  "─ a ─  b ▁ c█",
		"a tab of columns":  "NAME             X         Y",
	} {
		g := NewCellBuffer(32, 2)
		a := g.All()
		a.Text(0, 0, line, theme.Plain)
		a.Text(0, 1, line, theme.Good)
		a.Text(5, 1, "  mid  dle ", theme.Bad) // roles change within blanks
		var b bytes.Buffer
		if err := g.SVG(&b, th); err != nil {
			t.Fatal(err)
		}
		var picture struct {
			Texts []struct {
				Y     float64     `xml:"y,attr"`
				Parts []textOfSVG `xml:"tspan"`
			} `xml:"g>text"`
		}
		if err := xml.Unmarshal(b.Bytes(), &picture); err != nil {
			t.Fatal(err)
		}
		want, drawn := g.cells, map[int]rune{}
		for _, text := range picture.Texts {
			y := int(math.Round((text.Y - baseline) / cellH))
			for _, part := range text.Parts {
				if strings.Contains(part.Text, " ") || len([]rune(part.Text)) > chunk {
					t.Errorf("%s: %q has a blank, or drifts with a font of another width", name, part.Text)
				}
				x := int(math.Round(part.X / cellW))
				for _, r := range part.Text {
					drawn[y*g.w+x] = r
					x += max(1, Width(r))
				}
				if end := part.X + part.Length; math.Abs(end-float64(x)*cellW) > 0.1 {
					t.Errorf("%s: %q ends at %.1f, its cells at %.1f", name, part.Text, end, float64(x)*cellW)
				}
			}
		}
		for i, c := range want {
			if r := drawn[i]; c.Rune > ' ' && shape(c.Rune, 0, 0) == "" && r != c.Rune ||
				c.Rune <= ' ' && r > ' ' {
				t.Errorf("%s: column %d of line %d shows %q, want %q", name, i%g.w, i/g.w, r, c.Rune)
			}
		}
	}
}
