package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheConsoleLogsIntoItsStateFolder(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_STATE_HOME", home)
	w, done := LogFile()
	fmt.Fprint(w, "hello")
	done()
	if text, err := os.ReadFile(filepath.Join(home, "simdeck", "simdeck.log")); err != nil ||
		!strings.HasSuffix(string(text), "hello") {
		t.Errorf("the log is %q, %v", text, err)
	}
	t.Setenv("XDG_STATE_HOME", "/dev/null/no")
	if w, done := LogFile(); w != io.Discard {
		done()
		t.Error("a log that cannot be written is not nowhere")
	}
}
