package ui

import (
	"crypto/sha256"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"simdeck/ui/canvas"
	"simdeck/ui/pane"
)

// Pictures is the operator's choice of how the camera pane draws. The zero value leaves it to the terminal.
type Pictures struct {
	How    string // "auto", "blocks", "kitty", "sixel"
	Glyphs string // of blocks: "auto", or the name of a canvas.Mosaic
}

// pictures is the terminal's support of pixel graphics, and the picture on its way.
type pictures struct {
	m       *Model
	want    string // Config.Pictures.How
	mosaic  canvas.Mosaic
	may     bool // pictures have a way to the terminal, and colours
	asked   bool
	slow    bool // one took too long on the line: blocks are sent
	kitty   bool // it said so
	sixel   bool
	window  [2]int // pixels, as the system has them; 0: it does not say
	cellW   int    // as the terminal says; 0: it did not
	cellH   int
	sending bool
	flying  int // frames that may have measured a picture on its way
	sentAt  time.Time
	shown   bool            // the terminal keeps one of ours
	at      image.Rectangle // cells of the last one
	has     placed          // the picture on the terminal; none: the next one is sent in any case
}

// placed is a picture that the terminal shows: the same again is not sent.
type placed struct {
	how  pane.Graphics
	at   image.Rectangle
	w, h int
	sum  [sha256.Size]byte // of its points
}

// picturePeriod is the least time between pictures.
const picturePeriod = 100 * time.Millisecond

// pictureQuestion asks for Kitty's protocol and the size of a cell. The protocol is asked for by a picture of
// one point at a placeholder (U=1), which older versions refuse. line.ask asks for the device attributes, of
// which 4 is sixel. Features without an answer by then are not there.
const pictureQuestion = "\x1b_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA\x1b\\" + "\x1b[16t"

// graphics is the protocol of pictures now. A sixel picture lies over the cells,
// so not while a dialog is open.
func (g *pictures) graphics() pane.Pictures {
	p := &g.m.pics
	out := pane.Pictures{Mosaic: p.mosaic, CellW: p.cellW, CellH: p.cellH}
	if w, h := p.window[0]/max(1, g.m.window.w), p.window[1]/max(1, g.m.window.h); out.CellW == 0 &&
		cellular(w, h) {
		out.CellW, out.CellH = w, h
	}
	known := out.CellW > 0
	if !known {
		out.CellW, out.CellH = 8, 16
	}
	switch {
	case !p.may || p.slow:
	case p.want == "kitty" || p.want == "auto" && p.kitty:
		out.How = pane.Kitty
	case (p.want == "sixel" || p.want == "auto" && p.sixel && known) && len(g.m.dialogs.open) == 0:
		out.How = pane.Sixel
	}
	return out
}

// ask asks the terminal once, when a picture is first looked at.
func (g *pictures) ask() tea.Cmd {
	if !g.may || g.asked || g.want == "blocks" || !g.m.window.visible(cameraPane) || g.m.leaving {
		return nil
	}
	g.asked = true
	return g.m.line.ask(pictureQuestion, g.m.cfg.Now())
}

// onAnswer takes what the terminal answers; false when it is none of these.
func (g *pictures) onAnswer(msg tea.Msg) bool {
	before := g.m.pics
	switch msg := msg.(type) {
	case uv.KittyGraphicsEvent:
		g.kitty = g.kitty || string(msg.Payload) == "OK"
	case uv.PrimaryDeviceAttributesEvent:
		g.sixel = slices.Contains(msg, 4)
		g.m.line.answer()
	case uv.CellSizeEvent:
		if cellular(msg.Width, msg.Height) {
			g.cellW, g.cellH = msg.Width, msg.Height
		}
	default:
		return false
	}
	g.m.screen.dirty = g.m.screen.dirty || g.m.pics != before
	return true
}

// cellular reports that a cell may be so large, in pixels.
func cellular(w, h int) bool { return w > 1 && w < 200 && h > 1 && h < 400 }

// sentMsg says that a picture is on its way to the terminal.
type sentMsg struct{ text string }

// send gives the terminal the newest picture, one at a time.
func (g *pictures) send() tea.Cmd {
	now := g.m.cfg.Now()
	if g.shown && !g.m.window.visible(cameraPane) {
		g.shown = false
		return tea.Raw(canvas.KittyForget())
	}
	if g.sending || now.Sub(g.sentAt) < picturePeriod || !g.m.window.visible(cameraPane) {
		return nil
	}
	p, fresh := g.m.camera.Picture()
	if !fresh || g.graphics().How != p.How {
		return nil
	}
	next := placed{p.How, p.At, p.W, p.H, sha256.Sum256(p.RGB)}
	if next == g.has {
		return nil
	}
	wipe := ""
	if p.How == pane.Sixel && p.At != g.at {
		wipe = wiped(g.at)
	}
	g.sending, g.sentAt, g.shown, g.at, g.has = true, now, p.How == pane.Kitty, p.At, next
	return guarded(func() tea.Msg {
		if p.How == pane.Kitty {
			return sentMsg{canvas.Kitty(p.RGB, p.W, p.H, p.At.Dx(), p.At.Dy())}
		}
		return sentMsg{fmt.Sprintf("\x1b7%s\x1b[%d;%dH%s\x1b8", wipe, p.At.Min.Y+1, p.At.Min.X+1,
			canvas.Sixel(p.RGB, p.W, p.H))}
	})
}

// drawn looks at a frame that was just drawn. Without a place for the picture, it takes the picture away: the
// next one is sent, although it may be the same.
func (g *pictures) drawn() {
	if !g.m.window.visible(cameraPane) || !g.m.camera.Placed() {
		g.has = placed{}
	}
}

// wiped removes a sixel picture from cells. The renderer sees no change in cells that are reserved before and
// after, and leaves them.
func wiped(at image.Rectangle) string {
	var b strings.Builder
	b.WriteString("\x1b[48;5;16m")
	for y := at.Min.Y; y < at.Max.Y; y++ {
		fmt.Fprintf(&b, "\x1b[%d;%dH\x1b[%dX", y+1, at.Min.X+1, at.Dx())
	}
	return b.String() + "\x1b[m"
}

// onSent passes the picture on.
func (g *pictures) onSent(s sentMsg) tea.Cmd {
	g.sending = false
	// it would stay where it does not belong
	if g.graphics().How == pane.Blocks || !g.m.window.visible(cameraPane) {
		g.has = placed{}
		return nil
	}
	g.flying = 2 // one may have been on its way when it came
	return tea.Raw(s.text)
}

// forgetPicture has the terminal throw the last picture away.
func forgetPicture(c Config) error {
	_, err := io.WriteString(c.output(), canvas.KittyForget())
	return err
}

// parsePictures is the protocol for pictures on such a terminal.
func parsePictures(c Config, profile colorprofile.Profile) (pictures, error) {
	p := pictures{want: c.Pictures.How}
	switch p.want {
	case "":
		p.want = "auto"
	case "auto", "blocks", "kitty", "sixel":
	default:
		return p, fmt.Errorf("ui: pictures %q are not known; there are auto, blocks, kitty, sixel", p.want)
	}
	p.may = profile >= colorprofile.ANSI256 &&
		!slices.Contains([]string{"linux", "dumb", ""}, lookup(c.Environ, "TERM"))
	var err error
	p.mosaic, err = c.Pictures.mosaic(c.Environ)
	return p, err
}

// mosaic is the chosen division of cells, or the finest that a terminal is known to have.
func (p Pictures) mosaic(environ []string) (canvas.Mosaic, error) {
	switch p.Glyphs {
	case "", "auto":
		return finestMosaic(environ), nil
	}
	m, err := canvas.ParseMosaic(p.Glyphs)
	if err != nil {
		return m, fmt.Errorf("ui: %w, auto", err)
	}
	return m, nil
}

// Terminals that draw mosaics themselves, whatever their font has. A terminal is not in these tables unless
// its version is known, or all versions of the last years can.
var (
	octantsSince = map[string]int{"ghostty": 1_02} // by TERM_PROGRAM: major and minor version
	sextantTerms = []string{"xterm-kitty", "xterm-ghostty", "ghostty", "foot", "foot-extra", "foot-direct",
		"wezterm"}
	sextantSince = map[string]int{"ghostty": 0, "WezTerm": 0}
)

// VTE_VERSION from which VTE, the terminal of GNOME, Xfce and others, draws mosaics.
const (
	vteOctants  = 78_00
	vteSextants = 66_00
)

// finestMosaic is the finest division of cells that a terminal is known to draw. Within a multiplexer the
// environment may tell of another terminal than that which shows it.
func finestMosaic(environ []string) canvas.Mosaic {
	term, program := lookup(environ, "TERM"), lookup(environ, "TERM_PROGRAM")
	multiplexed := lookup(environ, "TMUX") != "" || lookup(environ, "STY") != "" ||
		strings.HasPrefix(term, "tmux") || strings.HasPrefix(term, "screen")
	var major, minor int
	_, _ = fmt.Sscanf(lookup(environ, "TERM_PROGRAM_VERSION"), "%d.%d", &major, &minor) // else 0
	version := 100*major + minor
	vte, _ := strconv.Atoi(lookup(environ, "VTE_VERSION"))
	since := func(table map[string]int) bool {
		least, ok := table[program]
		return ok && version >= least
	}
	switch {
	case term == "linux": // the kernel's console, whose fonts have no quadrants
		return canvas.Half
	case multiplexed:
		return canvas.Quadrant
	case since(octantsSince), vte >= vteOctants:
		return canvas.Octant
	case slices.Contains(sextantTerms, term), since(sextantSince), vte >= vteSextants:
		return canvas.Sextant
	}
	return canvas.Quadrant
}
