package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// Limits of a terminal's input, which may come from a viewer by SSH.
const (
	mostTyped  = 256 << 10 // bytes of one key, paste or answer: Bubble Tea keeps them until it ends
	mostWindow = 1000      // columns or rows: Bubble Tea has a cell for each
)

// errFlood ends a console whose terminal sends what never ends.
var errFlood = fmt.Errorf("the terminal sent more than %d KiB as one paste or answer; want less at once",
	mostTyped>>10)

// typed is the input of a terminal, within bounds.
type typed struct {
	end   context.CancelCauseFunc
	bytes atomic.Int64 // since something was made of them
}

// read counts what is read and tells of the terminal's end.
func (t *typed) read(r io.Reader, p []byte) (int, error) {
	n, err := r.Read(p)
	switch {
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		t.end(err)
	case t.bytes.Add(int64(n)) > mostTyped:
		t.end(errFlood)
		return 0, io.EOF
	}
	return n, err
}

// from is an input that is counted; a file stays one to those who ask for its modes.
func (t *typed) from(in io.Reader) io.Reader {
	if file, ok := in.(*os.File); ok {
		return typedFile{file, t}
	}
	return typedReader{in, t}
}

type typedFile struct {
	*os.File
	typed *typed
}

// Read reads what is typed.
func (f typedFile) Read(p []byte) (int, error) { return f.typed.read(f.File, p) }

type typedReader struct {
	r     io.Reader
	typed *typed
}

// Read reads what is typed.
func (r typedReader) Read(p []byte) (int, error) { return r.typed.read(r.r, p) }

// filter sees every message before Bubble Tea does.
func (t *typed) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch m := msg.(type) {
	case tea.WindowSizeMsg: // terminals tell sizes in what they send, too
		return tea.WindowSizeMsg{Width: max(0, min(m.Width, mostWindow)),
			Height: max(0, min(m.Height, mostWindow))}
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.ModeReportMsg, tea.BackgroundColorMsg:
		t.bytes.Store(0)
	default:
		if kind := reflect.TypeOf(msg); kind != nil &&
			strings.HasPrefix(kind.PkgPath(), "github.com/charmbracelet/ultraviolet") {
			t.bytes.Store(0)
		}
	}
	return msg
}
