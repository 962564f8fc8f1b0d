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

// Colours of a dark terminal.
const (
	background = "#16181d"
	foreground = "#d5d8de"
)

// SVG writes the grid as a picture. Lines, blocks and braille are drawn as
// shapes, so that they meet whatever font a viewer has; the rest is text.
func (g *Grid) SVG(out io.Writer, t *theme.Theme) error {
	b := bufio.NewWriter(out)
	w, h := float64(g.w)*cellW+16, float64(g.h)*cellH+16
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.1f %.1f">`+"\n", w, h, w, h)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	fmt.Fprintf(b, `<g transform="translate(8,8)" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d" xml:space="preserve">`+"\n", fontSize)
	for y := range g.h {
		g.svgLine(b, t, y)
	}
	fmt.Fprintln(b, "</g>\n</svg>")
	return b.Flush()
}

// svgLine writes a line, run by run of the same ink.
func (g *Grid) svgLine(b *bufio.Writer, t *theme.Theme, y int) {
	row := g.cells[y*g.w:][:g.w]
	for from := 0; from < len(row); {
		to := from + 1
		for to < len(row) && row[to].Ink == row[from].Ink && (row[to].Ink != theme.Picture || sameColours(row[to], row[from])) {
			to++
		}
		if row[from].Ink == theme.Picture {
			svgPixels(b, row[from], from, to, y)
		} else {
			g.svgRun(b, t.Style(row[from].Ink), row, from, to, y)
		}
		from = to
	}
}

// svgPixels writes cells of a picture; a hair larger than they are, so that no
// seam shows.
func svgPixels(b *bufio.Writer, c Cell, from, to, y int) {
	for i, colour := range [2]RGB{c.Fg, c.Bg} {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#%02x%02x%02x" shape-rendering="crispEdges"/>`+"\n",
			float64(from)*cellW, (float64(y)+0.5*float64(i))*cellH, float64(to-from)*cellW+0.6, cellH/2+0.6, colour[0], colour[1], colour[2])
	}
}

func (g *Grid) svgRun(b *bufio.Writer, s theme.Style, row []Cell, from, to, y int) {
	fg, bg := hex(s.Fg, foreground), hex(s.Bg, "")
	if s.Reverse {
		if bg == "" {
			bg = background
		}
		fg, bg = bg, fg
	}
	top := float64(y) * cellH
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", float64(from)*cellW, top, float64(to-from)*cellW, cellH, bg)
	}
	opacity := ""
	if s.Faint {
		opacity = ` opacity="0.55"`
	}
	var path, text strings.Builder
	start := -1
	flush := func(end int) {
		if s := strings.TrimRight(text.String(), " "); s != "" {
			weight := ""
			if row[start].Ink == theme.Title || row[start].Ink == theme.Strong || row[start].Ink == theme.Header {
				weight = ` font-weight="600"`
			}
			n := len([]rune(s))
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s%s>%s</text>`+"\n",
				float64(start)*cellW, top+baseline, float64(n)*cellW, fg, weight, opacity, html.EscapeString(s))
		}
		text.Reset()
		start = -1
	}
	for x := from; x < to; x++ {
		r, _ := visible(row, x)
		if d := shape(r, float64(x)*cellW, top); d != "" || r == ' ' && start < 0 {
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

// shape is the outline of a rune that is drawn instead of written.
func shape(r rune, x, y float64) string {
	box := func(x0, y0, w, h float64) string {
		return fmt.Sprintf("M%.1f %.1fh%.1fv%.1fh-%.1fz", x+x0, y+y0, w, h, w)
	}
	const midX, midY, line = cellW / 2, cellH / 2, 1.1
	arm := map[rune]string{'─': "lr", '│': "ud", '┌': "rd", '┐': "ld", '└': "ur", '┘': "ul", '├': "udr", '┤': "udl", '┬': "lrd", '┴': "lru", '┼': "udlr"}[r]
	var d strings.Builder
	for _, a := range arm {
		switch a {
		case 'l':
			d.WriteString(box(0, midY-line/2, midX, line))
		case 'r':
			d.WriteString(box(midX, midY-line/2, midX, line))
		case 'u':
			d.WriteString(box(midX-line/2, 0, line, midY))
		case 'd':
			d.WriteString(box(midX-line/2, midY, line, midY))
		}
	}
	switch {
	case r > 0x2800 && r < 0x2900:
		for i, at := range [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
			if r&(1<<i) != 0 {
				d.WriteString(box(at[0]*cellW/2+1.1, at[1]*cellH/4+1.1, 2.1, 2.1))
			}
		}
	case r >= '▁' && r <= '█':
		part := cellH * float64(r-'▁'+1) / 8
		d.WriteString(box(0, cellH-part, cellW, part))
	case r == '▀':
		d.WriteString(box(0, 0, cellW, midY))
	}
	return d.String()
}

// hex is a terminal colour as the picture has it; otherwise for None.
func hex(c theme.Colour, otherwise string) string {
	switch {
	case c < 0:
		return otherwise
	case c < 16:
		return [16]string{
			"#2b303b", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d5d8de",
			"#5c6370", "#ff7a85", "#b5e890", "#ffd98a", "#7cc4ff", "#dd9bf0", "#7fd6e0", "#ffffff",
		}[c]
	case c < 232:
		level := func(n theme.Colour) int { return [6]int{0, 95, 135, 175, 215, 255}[n%6] }
		n := c - 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6), level(n))
	}
	v := 8 + 10*int(c-232)
	return fmt.Sprintf("#%02x%02x%02x", v, v, v)
}
