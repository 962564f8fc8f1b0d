package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Fact is something about a terminal: what was seen, and what to do about it.
type Fact struct {
	Area string // "terminal"
	What string
	Bad  bool // the console does not work there; else Fix, if any, is advice
	Said string
	Fix  string // empty: nothing
}

// terminalAnswers is the time limit of a terminal's answers.
const terminalAnswers = time.Second

// Examine looks at the terminal that a console would have: its size and
// colours, and what it answers to the questions that the console asks.
func Examine(c Config, in, out *os.File) []Fact {
	all := examine(c, in, out)
	for i := range all {
		all[i].Area = "terminal"
	}
	return all
}

func examine(c Config, in, out *os.File) []Fact {
	if c.Environ == nil {
		c.Environ = os.Environ()
	}
	if err := needsTerminal(c, in, out); err != nil {
		return []Fact{{What: "terminal", Said: err.Error(),
			Fix: "run it in the terminal of the console; simdeck run and --plain need no terminal"}}
	}
	all := []Fact{{What: "TERM", Said: lookup(c.Environ, "TERM")}, sizeFact(term.GetSize(out.Fd())),
		colourFact(c), letterFact(c.Environ)}
	text, took, err := questioned(in, out)
	if err != nil {
		return append(all, Fact{What: "answers", Said: err.Error()})
	}
	return append(all, answerFacts(readAnswers(text), took)...)
}

func sizeFact(w, h int, err error) Fact {
	f := Fact{What: "size", Said: fmt.Sprintf("%d columns, %d rows", w, h)}
	switch {
	case err != nil:
		f.Said, f.Fix = err.Error(), "stty rows 40 columns 120"
	case w < minWidth || h < minHeight:
		f.Bad, f.Fix = true, fmt.Sprintf("the console needs %d×%d, and shows everything from 80×24 on", minWidth,
			minHeight)
	case w < 80 || h < 24:
		f.Fix = "80×24 or larger shows more"
	}
	return f
}

func colourFact(c Config) Fact {
	profile, theme, err := colours(c)
	f := Fact{What: "colours", Said: fmt.Sprintf("%v, theme %s", profile, theme)}
	switch {
	case err != nil:
		f.Said, f.Bad = err.Error(), true
	case lookup(c.Environ, "NO_COLOR") != "":
		f.Said += ", as NO_COLOR is set"
	// SSH does not forward it
	case profile < 4 && !strings.Contains(lookup(c.Environ, "COLORTERM"), "truecolor"):
		f.Fix = "if the terminal has 24-bit colours: --color true, or COLORTERM=truecolor"
	}
	return f
}

func letterFact(environ []string) Fact {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := lookup(environ, name); v != "" {
			f := Fact{What: "letters", Said: name + "=" + v}
			if u := strings.ToUpper(v); !strings.Contains(u, "UTF-8") && !strings.Contains(u, "UTF8") {
				f.Fix = "if lines and dots look wrong: LANG=C.UTF-8, or --symbols ascii"
			}
			return f
		}
	}
	return Fact{What: "letters", Said: "no locale is set",
		Fix: "if lines and dots look wrong: LANG=C.UTF-8, or --symbols ascii"}
}

// questions are the console's questions to a terminal; every terminal answers the last one.
const questions = ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore +
	ansi.RequestBackgroundColor + pictureQuestion + ansi.RequestPrimaryDeviceAttributes

// questioned asks and gives what came until the last answer, and when that was.
func questioned(in, out *os.File) (text []byte, took time.Duration, err error) {
	old, err := term.MakeRaw(in.Fd())
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, term.Restore(in.Fd(), old)) }()
	reader, err := uv.NewCancelReader(in)
	if err != nil {
		return nil, 0, err
	}
	defer reader.Close()
	began := time.Now()
	defer time.AfterFunc(terminalAnswers, func() { reader.Cancel() }).Stop()
	if _, err := io.WriteString(out, questions); err != nil {
		return nil, 0, err
	}
	for b := make([]byte, 256); ; {
		n, err := reader.Read(b)
		text = append(text, b[:n]...)
		switch {
		case slices.ContainsFunc(readAnswers(text), isLast):
			return text, time.Since(began), nil
		case err != nil || len(text) > 1<<16: // it is late, or no terminal
			return text, 0, nil
		}
	}
}

func isLast(e uv.Event) bool { _, last := e.(uv.PrimaryDeviceAttributesEvent); return last }

// readAnswers decodes what a terminal sent.
func readAnswers(text []byte) []uv.Event {
	var d uv.EventDecoder
	var all []uv.Event
	for len(text) > 0 {
		n, e := d.Decode(text)
		if n == 0 {
			break
		}
		all, text = append(all, e), text[n:]
	}
	return all
}

// answerFacts are a terminal's answers about itself.
func answerFacts(all []uv.Event, took time.Duration) []Fact {
	answered := Fact{What: "answers", Said: fmt.Sprintf("after %v", took.Round(100*time.Microsecond))}
	if took == 0 {
		answered.Said = fmt.Sprintf("none within %v; the console uses defaults", terminalAnswers)
		answered.Fix = "set its capabilities: --background, --color, --pictures"
	}
	together := Fact{What: "whole frames", Said: "no synchronized output: frames may tear"}
	width := Fact{What: "width", Said: "wide characters by wcwidth"}
	back := Fact{What: "background", Said: "not reported; assumed dark",
		Fix: "if it is light: --background light"}
	pictures := []string{}
	for _, e := range all {
		switch e := e.(type) {
		case uv.ModeReportEvent:
			if known := e.Value == ansi.ModeSet || e.Value == ansi.ModeReset; known &&
				e.Mode == ansi.ModeSynchronizedOutput {
				together.Said = "synchronized output"
			} else if known && e.Mode == ansi.ModeUnicodeCore {
				width.Said = "by graphemes (mode 2027)"
			}
		case uv.BackgroundColorEvent:
			back = Fact{What: "background", Said: map[bool]string{true: "dark", false: "light"}[e.IsDark()]}
		case uv.KittyGraphicsEvent:
			if string(e.Payload) == "OK" {
				pictures = append(pictures, "kitty")
			}
		case uv.PrimaryDeviceAttributesEvent:
			if slices.Contains(e, 4) {
				pictures = append(pictures, "sixel")
			}
		}
	}
	shown := Fact{What: "pictures", Said: "half blocks"}
	if len(pictures) > 0 {
		shown.Said = strings.Join(pictures, " and ")
	}
	return []Fact{answered, together, width, back, shown}
}
