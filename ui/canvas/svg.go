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

// SVG writes the grid as a picture. Lines, blocks and braille are drawn as shapes, so that they meet in any
// viewer's font. The rest is text without two blanks in a row: browsers show them as one, whatever xml:space
// says on an element around it.
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
			(row[to].Role != theme.Picture || sameColours(row[to], row[from])) {
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

// svgPixels writes cells of a picture; a hair larger than they are, so that no
// seam shows.
func svgPixels(b *bufio.Writer, c Cell, from, to, y int) {
	for i, colour := range [2]RGB{c.Fg, c.Bg} {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#%02x%02x%02x" shape-rendering="crispEdges"/>`+
			"\n",
			float64(from)*cellW, (float64(y)+0.5*float64(i))*cellH, float64(to-from)*cellW+0.6, cellH/2+0.6,
			colour[0], colour[1], colour[2])
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
	var path, text strings.Builder
	start := -1
	flush := func(end int) {
		if start < 0 {
			return
		}
		weight := ""
		if row[start].Role == theme.Title || row[start].Role == theme.Strong ||
			row[start].Role == theme.Header {
			weight = ` font-weight="600"`
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s%s>%s</text>`+"\n",
			float64(start)*cellW, top+baseline, float64(end-start)*cellW, fg, weight, opacity,
			html.EscapeString(text.String()))
		text.Reset()
		start = -1
	}
	for x := from; x < to; x++ {
		r, wide := visible(row, x)
		if wide {
			flush(x)
			start = x
			text.WriteRune(r)
			x++
			flush(x + 1)
			continue
		}
		if d := shape(r, float64(x)*cellW, top); d != "" || r == ' ' && (start < 0 || !letter(row, x+1, to)) {
			flush(x)
			path.WriteString(d)
			continue
		}
		if start < 0 {
			start = x
		}
		text.WriteRune(r)
	}
	flush(to)
	if path.Len() > 0 {
		fmt.Fprintf(b, `<path d="%s" fill="%s"%s/>`+"\n", path.String(), fg, opacity)
	}
}

// letter reports that a rune of one column is written at a column before to, not drawn.
func letter(row []Cell, x, to int) bool {
	if x >= to {
		return false
	}
	r, wide := visible(row, x)
	return r != ' ' && !wide && shape(r, 0, 0) == ""
}

// shape is the outline of a rune that is drawn instead of written.
func shape(r rune, x, y float64) string {
	var d strings.Builder
	for _, b := range boxes(r, cellW, cellH, 1.1) {
		fmt.Fprintf(&d, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x+b.x, y+b.y, b.w, b.h, b.w)
	}
	return d.String()
}
