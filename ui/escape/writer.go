package escape

import (
	"io"
	"os"
	"sync"
	"unicode/utf8"
)

// Writer passes text on to a terminal, a pipe or a file, with all that is not text escaped as Text does. Its
// methods are safe from any goroutine.
type Writer struct {
	mu   sync.Mutex
	to   io.Writer
	tail []byte // the first bytes of a character whose others have not come
}

// NewWriter makes a writer that passes on to another. Of a Writer it is that.
func NewWriter(to io.Writer) *Writer {
	if w, ok := to.(*Writer); ok {
		return w
	}
	return &Writer{to: to}
}

// Write passes text on in one piece.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append(w.tail, p...)
	whole := len(all) - cutShort(all)
	if _, err := w.to.Write(appendEscaped(make([]byte, 0, len(all)+16), all[:whole], false)); err != nil {
		return 0, err
	}
	w.tail = append(w.tail[:0], all[whole:]...)
	return len(p), nil
}

// cutShort is the number of bytes at the end that are an incomplete character.
func cutShort(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if last := p[len(p)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Flush passes on what a character that was not ended stands for.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.tail) == 0 {
		return nil
	}
	w.tail = w.tail[:0]
	_, err := io.WriteString(w.to, "\uFFFD")
	return err
}

// CarriageReturn goes back to the first column, to write over a line of the program's own.
func (w *Writer) CarriageReturn() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := io.WriteString(w.to, "\r")
	return err
}

// File is the file that is written to; nil where it is none.
func (w *Writer) File() *os.File {
	f, _ := w.to.(*os.File)
	return f
}
