package main

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Sizes of a cell of the console's SVG pictures, in pixels.
const (
	cellWidth, cellHeight = 8.4, 17
	margin                = 8
)

// contrast is by how much a pixel of ink differs from the ground of its cell at least, of 255.
const contrast = 24

// rendered is an SVG picture as pixels.
type rendered struct {
	image.Image
	by string
}

// cell holds the pixel statistics of a cell: ink's count, its share and its mean.
type cell struct {
	ink    int
	mean   [3]float64
	ground [3]int // the most frequent colour
}

// at measures a cell, without what is closer than so many pixels to the columns beside it: letters lean over.
func (r rendered) at(column, line, lean int) (c cell) {
	left, top := margin+float64(column)*cellWidth, margin+line*cellHeight
	var pixels [][3]int
	often := map[[3]int]int{}
	for y := top; y < top+cellHeight; y++ {
		for x := int(math.Ceil(left)) + lean; float64(x+1+lean) <= left+cellWidth; x++ {
			rgba := color.RGBAModel.Convert(r.Image.At(x, y)).(color.RGBA)
			p := [3]int{int(rgba.R), int(rgba.G), int(rgba.B)}
			pixels = append(pixels, p)
			if often[p]++; often[p] > often[c.ground] {
				c.ground = p
			}
		}
	}
	for _, p := range pixels {
		if apart(p, c.ground) > contrast {
			c.ink++
		}
		for i := range p {
			c.mean[i] += float64(p[i]) / float64(len(pixels))
		}
	}
	return c
}

// apart is by how much two colours differ in what they differ most in.
func apart(a, b [3]int) (most int) {
	for i := range a {
		most = max(most, a[i]-b[i], b[i]-a[i])
	}
	return most
}

// rsvg renders an SVG by librsvg.
func rsvg(t *testing.T, file string) rendered {
	t.Helper()
	out, err := exec.Command("rsvg-convert", "--background-color", "white", file).Output()
	if err != nil {
		t.Fatalf("%s: %v: .ci/prepare installs rsvg-convert", file, err)
	}
	picture, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return rendered{picture, "rsvg-convert"}
}

// chromium renders an SVG of some pixels by Chromium.
func chromium(t *testing.T, file string, size image.Point) rendered {
	t.Helper()
	b := newBrowser(t, size.X, size.Y, false)
	b.open("file://" + file)
	var text string
	b.call("GET", "/screenshot", nil, &text)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if picture.Bounds().Size() != size {
		t.Fatalf("%s: Chromium shows %v pixels, rsvg-convert %v", file, picture.Bounds().Size(), size)
	}
	return rendered{picture, "Chromium"}
}

// written are the runes that an SVG has as text, by column and line.
func written(t *testing.T, data []byte) map[image.Point]rune {
	t.Helper()
	var picture struct {
		Texts []struct {
			Y     float64 `xml:"y,attr"`
			Parts []struct {
				X    float64 `xml:"x,attr"`
				Text string  `xml:",chardata"`
			} `xml:"tspan"`
		} `xml:"g>text"`
	}
	if err := xml.Unmarshal(data, &picture); err != nil {
		t.Fatal(err)
	}
	all := map[image.Point]rune{}
	for _, text := range picture.Texts {
		for _, part := range text.Parts {
			x := int(math.Round(part.X / cellWidth))
			for _, r := range part.Text {
				all[image.Pt(x, int(text.Y)/cellHeight)] = r
				x += canvas.Width(r)
			}
		}
	}
	return all
}

// reporter tells the first differences of a picture, and how many there are.
type reporter struct {
	t       *testing.T
	picture string
	wrong   int
}

func (r *reporter) tell(format string, args ...any) {
	r.t.Helper()
	if r.wrong++; r.wrong <= 10 {
		r.t.Errorf(r.picture+": "+format, args...)
	} else if r.wrong == 11 {
		r.t.Errorf("%s: and more", r.picture)
	}
}

// cells calls f with the column and line of every cell of a picture.
func (r rendered) cells(t *testing.T, runes map[image.Point]rune, f func(x, y int)) {
	t.Helper()
	size := r.Bounds().Size()
	columns, lines := int(float64(size.X-2*margin)/cellWidth+0.5), (size.Y-2*margin)/cellHeight
	if columns*lines < 100 {
		t.Fatalf("%v pixels have %d by %d cells", size, columns, lines)
	}
	for y := range lines {
		for x := range columns {
			if canvas.Width(runes[image.Pt(x-1, y)]) != 2 { // fonts differ in where wide runes end
				f(x, y)
			}
		}
	}
}

// compare holds two renderings of a picture against each other.
func compare(t *testing.T, name string, a, b rendered, runes map[image.Point]rune) {
	t.Helper()
	report := &reporter{t: t, picture: name}
	a.cells(t, runes, func(x, y int) {
		t.Helper()
		ca, cb, r := a.at(x, y, 1), b.at(x, y, 1), runes[image.Pt(x, y)]
		if (ca.ink == 0) != (cb.ink == 0) && max(ca.ink, cb.ink) > 3 {
			report.tell("column %d of line %d, %q: %d pixels of ink by %s, %d by %s", x, y, r, ca.ink, a.by,
				cb.ink, b.by)
		}
		for i := range 3 {
			if math.Abs(ca.mean[i]-cb.mean[i]) > meanBound {
				report.tell("column %d of line %d, %q: the mean is %.0f by %s, %.0f by %s", x, y, r, ca.mean,
					a.by, cb.mean, b.by)
				break
			}
		}
	})
}

// hold holds a rendering against the runes of its cells: those that are no blanks have ink, and blanks
// have none. By a font of another width letters may lean over the border by some pixels.
func hold(t *testing.T, name string, a rendered, runes map[image.Point]rune, lean int) {
	t.Helper()
	report := &reporter{t: t, picture: name}
	a.cells(t, runes, func(x, y int) {
		t.Helper()
		switch r, known := runes[image.Pt(x, y)]; {
		case !known:
		case r == ' ':
			if c := a.at(x, y, lean); c.ink > 0 {
				report.tell("column %d of line %d: a blank has %d pixels of ink by %s", x, y, c.ink, a.by)
			}
		case r == '█': // all of it is one colour: that of ink, not of the corner of the frame
			if c, page := a.at(x, y, 0), a.at(-1, 0, 0); apart(c.ground, page.ground) <= contrast {
				report.tell("column %d of line %d: a full block has the colour of the ground by %s", x, y, a.by)
			}
		case a.at(x, y, 0).ink == 0:
			report.tell("column %d of line %d: %q has no ink by %s", x, y, r, a.by)
		}
	})
}

// meanBound is by how much the mean colours of a cell may differ between renderers, of 255: their letters
// are of different weight.
const meanBound = 48

func TestChromiumAndRsvgDrawThePicturesOfTheManualAlike(t *testing.T) {
	all, err := filepath.Glob("../../docs/pictures/*.svg")
	if err != nil || len(all) < 3 {
		t.Fatalf("%d pictures: %v", len(all), err)
	}
	dir := t.TempDir()
	simdeck := filepath.Join(dir, "simdeck")
	fresh := filepath.Join(dir, "fresh.svg")
	build := exec.Command("go", "build", "-o", simdeck, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shot := strings.Fields("shot warehouse --no-ros --size 150x44 --color true --after 500ms --out " + fresh)
	if out, err := exec.Command(simdeck, shot...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, file := range append(all, fresh) {
		file, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		runes := written(t, data)
		if len(runes) < 200 {
			t.Errorf("%s: %d letters found: the search is broken", file, len(runes))
		}
		a := rsvg(t, file)
		b := chromium(t, file, a.Bounds().Size())
		compare(t, filepath.Base(file), a, b, runes)
		hold(t, filepath.Base(file), a, runes, 1)
		hold(t, filepath.Base(file), b, runes, 1)
	}
}

// hardFrame has the hard cases of terminal pictures: runs of blanks, wide runes, lines, blocks, signs, all
// ASCII letters, role changes.
func hardFrame() *canvas.CellBuffer {
	g := canvas.NewCellBuffer(64, 16)
	a := g.All().Frame(theme.Focus)
	for y, line := range []string{
		"a  b   c    d     e      f       g",
		"  x  y  single s p a c e s  ",
		"字 幕  x字y 字   字幕字幕 a字",
		"─ a ─  b ▁ c█ ├─┼─┤ ▏▎▍▌▋▊▉█ ▀▐ ⠿⣿⠁⢀",
		"▶ ◀ ▸ ⏸ ◆ ◇ ✓ ✗ ⚠ ↗ ↘ ↖ ↙ × · … µ ° ± ↑ ↓",
		"NAME             X         Y      YAW",
		`<tag attribute="x"> & 'quotes' \\ </tag>`,
	} {
		a.Text(1, y, line, theme.Plain)
	}
	roles := []theme.Role{theme.Dim, theme.Strong, theme.Good, theme.Warn, theme.Bad, theme.Accent,
		theme.Chosen, theme.Key}
	for i, role := range roles {
		a.Text(1+7*i, 8, "ro le ", role)
	}
	for r := '!'; r <= '~'; r++ {
		a.Put(1+int(r-'!')%60, 10+int(r-'!')/60, r, theme.Plain)
	}
	a.Text(1, 13, "averyveryverylongnamewithoutanyblank/in/it_1234567890", theme.Strong)
	return g
}

func TestChromiumAndRsvgKeepTheCellsOfAFrame(t *testing.T) {
	th, err := theme.New("ansi")
	if err != nil {
		t.Fatal(err)
	}
	g := hardFrame()
	var svg bytes.Buffer
	if err := g.SVG(&svg, th); err != nil {
		t.Fatal(err)
	}
	runes := map[image.Point]rune{}
	w, h := g.Size()
	for y := range h {
		for x := range w {
			runes[image.Pt(x, y)] = max(g.At(x, y).Rune, ' ')
		}
	}
	// Letters of another size stand for a font of another width: narrower, as it is, and wider.
	for _, size := range []int{13, 14, 15} {
		name := fmt.Sprintf("letters of %d px", size)
		text := strings.Replace(svg.String(), `font-size="14"`, fmt.Sprintf(`font-size="%d"`, size), 1)
		file := filepath.Join(t.TempDir(), "frame.svg")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		a := rsvg(t, file)
		b := chromium(t, file, a.Bounds().Size())
		keep(t, fmt.Sprint("frame-rsvg-", size), a)
		keep(t, fmt.Sprint("frame-chromium-", size), b)
		if size == 14 {
			compare(t, name, a, b, runes)
		}
		hold(t, name, a, runes, 1+(size&1))
		hold(t, name, b, runes, 1)
	}
}

// keep writes a rendering where screenshots are wanted.
func keep(t *testing.T, name string, r rendered) {
	t.Helper()
	if *shots == "" {
		return
	}
	var b bytes.Buffer
	if err := png.Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
