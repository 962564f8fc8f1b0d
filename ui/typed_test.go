package ui_test

import (
	"image/color"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"simdeck/ui"
	"simdeck/ui/uitest"
)

func TestATerminalThatTellsAnAbsurdSizeGetsNoGridOfThat(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	p := start(t, t.Context(), uitest.Room())
	p.shows(t, "burger_1")
	for _, size := range []string{"\x1b[8;60000;60000t", "\x1b[48;65535;65535;1;1t", "\x1b[8;0;0t",
		"\x1b[8;40;120t"} {
		p.host.WriteString(size)
		time.Sleep(100 * time.Millisecond)
	}
	p.host.WriteString("?")
	p.shows(t, "Help")
	p.host.WriteString("\x1b")
	time.Sleep(100 * time.Millisecond) // or what follows is the key with alt
	p.host.WriteString("q")
	if err := p.restored(t); err != nil {
		t.Error(err)
	}
}

func TestATerminalThatNeverEndsWhatItSendsEndsTheConsole(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	for name, begin := range map[string]string{"paste": "\x1b[200~", "clipboard": "\x1b]52;c;",
		"device control": "\x1bP1$r"} {
		t.Run(name, func(t *testing.T) {
			p := start(t, t.Context(), uitest.Room())
			p.shows(t, "burger_1")
			ended := make(chan struct{})
			defer close(ended)
			go func() {
				for p.sendsWithoutEnd(begin) == nil {
					select {
					case <-ended:
						return
					case <-time.After(time.Second):
						// Bubble Tea takes a sequence that pauses for 50 ms as ended, and the rest as keys.
					}
				}
			}()
			err := p.restored(t)
			if err == nil || !strings.Contains(err.Error(), "want less at once") {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// sendsWithoutEnd begins a sequence and goes on with it for more than a console takes.
func (p *terminal) sendsWithoutEnd(begin string) error {
	_, err := p.host.WriteString(begin)
	for n := 0; err == nil && n < 300<<10; n += 1 << 10 {
		_, err = p.host.WriteString(strings.Repeat("QUJD", 256))
	}
	return err
}

// messages are Bubble Tea's messages for a terminal's input.
func messages(data []byte) (all []tea.Msg) {
	d := uv.EventDecoder{}
	for len(data) > 0 {
		n, e := d.Decode(data)
		if n <= 0 {
			break
		}
		data = data[n:]
		many, ok := e.(uv.MultiEvent)
		if !ok {
			many = uv.MultiEvent{e}
		}
		for _, e := range many {
			all = append(all, message(e))
		}
	}
	return all
}

func message(e uv.Event) tea.Msg {
	switch e := e.(type) {
	case uv.BackgroundColorEvent:
		return tea.BackgroundColorMsg(e)
	case uv.KeyPressEvent:
		return tea.KeyPressMsg(e)
	case uv.KeyboardEnhancementsEvent:
		return tea.KeyboardEnhancementsMsg(e)
	case uv.BlurEvent:
		return tea.BlurMsg(e)
	case uv.KeyReleaseEvent:
		return tea.KeyReleaseMsg(e)
	case uv.MouseClickEvent:
		return tea.MouseClickMsg(e)
	case uv.MouseMotionEvent:
		return tea.MouseMotionMsg(e)
	case uv.MouseReleaseEvent:
		return tea.MouseReleaseMsg(e)
	case uv.MouseWheelEvent:
		return tea.MouseWheelMsg(e)
	case uv.PasteEvent:
		return tea.PasteMsg(e)
	case uv.WindowSizeEvent:
		// as the filter has it, and faster
		return tea.WindowSizeMsg{Width: max(0, min(e.Width, 300)), Height: max(0, min(e.Height, 100))}
	case uv.ModeReportEvent:
		return tea.ModeReportMsg(e)
	}
	return e
}

// FuzzTerminal: whatever a terminal sends, the console goes on and its frames are as large as its window.
func FuzzTerminal(f *testing.F) {
	for _, s := range []string{
		"?jjk\r\x1b[A\x1b[B\t", "a\x1b[200~\x1b[31mred\x07\n\x1b[201~\r",
		"\x1b[<0;12;7M\x1b[<0;12;7m\x1b[<64;3;3M\x1b[<32;9999;9999M",
		"\x1b[8;60000;60000t\x1b[8;0;0t\x1b[8;1;1t",
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;4c\x1b[6;20;10t\x1b[?2026;2$y",
		"\x1b_Gi=31;OK\x1b\\\x1b[?0c", "/(((\r2+++[A]BG", ":spawn\r\x1b\x1b\x1b",
		"\xff\xfe\x9b\x00\x7f\u202e字",
		"\x1b[97;5u\x1b[57441;1:3u\x1b[1;2P\x1bOP", "\x1b]52;c;QUJD\x07\x1bP1$r0m\x1b\\",
		"\x1b[48;40;120;800;1200t\x1b[I\x1b[O", "mmmM  x\rfFv9hhhh",
	} {
		f.Add([]byte(s))
	}
	keys := shipped(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 300 {
			return
		}
		uitest.Open(t, uitest.Hell(), 100, 30, keys,
			func(c *ui.Config) {
				c.Capabilities.Connection, c.Capabilities.Graph, c.Back = link, graph,
					"auto"
			}, func(d *uitest.Driver) {
				w, h := 100, 30
				d.Send(tea.BackgroundColorMsg{Color: color.White})
				for _, msg := range messages(data) {
					if size, ok := msg.(tea.WindowSizeMsg); ok {
						w, h = size.Width, size.Height
					}
					d.Send(msg)
				}
				d.Frame()
				if d.Quit() {
					return
				}
				if w > 0 && h > 0 {
					exact(d.T, d.Text(), w, h)
				}
			})
	})
}
