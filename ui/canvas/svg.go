package canvas

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"

	"simdeck/ui/theme"
)

// Sizes of a cell in the picture, in pixels.
const (
	cellW    = 8.4
	cellH    = 17.0
	fontSize = 14
	baseline = 13.0
)

// chunk is the number of letters in a row that only the font positions. With any monospace font, renderers
// without textLength, like librsvg, then err by less than half a cell.
const chunk = 4

// SVG writes the grid as a picture. Lines, blocks, braille and signs are drawn as shapes, so that they
// meet in any viewer's font. The rest is text, word by word: browsers show two blanks as one, whatever
// xml:space says.
func (g *CellBuffer) SVG(out io.Writer, t *theme.Theme) error {
	b := bufio.NewWriter(out)
	on := screenOf(t)
	w, h := float64(g.w)*cellW+16, float64(g.h)*cellH+16
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.1f %.1f">`+
		"\n", w, h, w, h)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", on.back.hex())
	fmt.Fprintf(b, `<g transform="translate(8,8)" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d">`+
		"\n", fontSize)
	for y := range g.h {
		g.svgLine(b, t, &on, y)
	}
	fmt.Fprintln(b, "</g>\n</svg>")
	return b.Flush()
}

// svgLine writes a line, run by run of the same role.
func (g *CellBuffer) svgLine(b *bufio.Writer, t *theme.Theme, on *screen, y int) {
	row := g.cells[y*g.w:][:g.w]
	for from := 0; from < len(row); {
		to := from + 1
		for to < len(row) && row[to].Role == row[from].Role &&
			(row[to].Role != theme.Picture ||
				row[to].Rune == row[from].Rune && g.sameColours(row[to], row[from])) {
			to++
		}
		if row[from].Role == theme.Picture {
			svgPixels(b, row[from], from, to, y)
		} else {
			g.svgRun(b, on, t.Style(row[from].Role), row, from, to, y)
		}
		from = to
	}
}

// svgPixels writes cells of a picture that are the same; a hair larger than they are, so that no seam shows.
func svgPixels(b *bufio.Writer, c Cell, from, to, y int) {
	rect := func(at box, colour RGB) {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" shape-rendering="crispEdges"/>`+
			"\n", at.x, at.y, at.w+0.6, at.h+0.6, colour.hex())
	}
	rect(box{float64(from) * cellW, float64(y) * cellH, float64(to-from) * cellW, cellH}, c.Bg)
	for x := from; x < to; x++ {
		for _, at := range boxes(c.Rune, cellW, cellH, 1) {
			rect(box{float64(x)*cellW + at.x, float64(y)*cellH + at.y, at.w - 0.6, at.h - 0.6}, c.Fg)
		}
	}
}

func (g *CellBuffer) svgRun(b *bufio.Writer, on *screen, s theme.Style, row []Cell, from, to, y int) {
	role, ground, filled := on.look(s)
	fg, bg := role.hex(), ground.hex()
	top := float64(y) * cellH
	if filled {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n",
			float64(from)*cellW, top, float64(to-from)*cellW, cellH, bg)
	}
	opacity := ""
	if s.Faint {
		opacity = ` opacity="0.55"`
	}
	weight := ""
	if role := row[from].Role; role == theme.Title || role == theme.Strong || role == theme.Header {
		weight = ` font-weight="600"`
	}
	var path strings.Builder
	for x := from; x < to; x++ {
		if d := shape(row[x].Rune, float64(x)*cellW, top); d != "" {
			path.WriteString(d)
			continue
		}
		word, columns := word(row[:to], x)
		if len(word) == 0 {
			continue
		}
		fmt.Fprintf(b, `<text y="%.1f" fill="%s"%s%s>`, top+baseline, fg, weight, opacity)
		for i := 0; i < len(word); i += chunk {
			letters := word[i:min(i+chunk, len(word))]
			length := len(letters) * columns / len(word)
			fmt.Fprintf(b, `<tspan x="%.1f" textLength="%.1f">%s</tspan>`, float64(x+i)*cellW,
				float64(length)*cellW, html.EscapeString(string(letters)))
		}
		fmt.Fprintln(b, "</text>")
		x += columns - 1
	}
	if path.Len() > 0 {
		fmt.Fprintf(b, `<path d="%s" fill="%s"%s/>`+"\n", path.String(), fg, opacity)
	}
}

// word returns the letters from a column on, up to a blank or a shape, and how many columns they take. A wide
// rune is a word of its own.
func word(row []Cell, from int) (letters []rune, columns int) {
	for x := from; x < len(row); x++ {
		r, wide := visible(row, x)
		if wide && x == from {
			return []rune{r}, 2
		}
		if wide || r == ' ' || shape(r, 0, 0) != "" {
			break
		}
		letters = append(letters, r)
	}
	return letters, len(letters)
}

// shape is the outline of a rune that is drawn instead of written.
func shape(r rune, x, y float64) string {
	var d strings.Builder
	for _, b := range boxes(r, cellW, cellH, 1.1) {
		fmt.Fprintf(&d, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x+b.x, y+b.y, b.w, b.h, b.w)
	}
	for _, o := range outlines(r) {
		for i, c := range o {
			fmt.Fprintf(&d, "%c%.2f %.2f", "ML"[min(i, 1)], x+cellW*float64(c[0]), y+cellH*float64(c[1]))
		}
		d.WriteString("z")
	}
	return d.String()
}
