package ui

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// answering is a terminal that says something when it is asked for its device attributes, the last question.
func answering(t *testing.T, says string) *os.File {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(slave, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() { slave.Close(); master.Close(); <-ended })
	go func() {
		defer close(ended)
		var asked string
		for b := make([]byte, 512); ; {
			n, err := master.Read(b)
			if err != nil {
				return
			}
			if asked += string(b[:n]); strings.HasSuffix(asked, "\x1b[c") && says != "" {
				_, _ = io.WriteString(master, says)
			}
		}
	}()
	return slave
}

func TestATerminalIsAskedForAllThatTheConsoleUses(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	environ := []string{"TERM=xterm-256color", "LANG=C.UTF-8"}
	for name, c := range map[string]struct {
		says string
		want []string
	}{
		"one that has all": {"\x1b[?2026;2$y\x1b[?2027;2$y\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[6;16;8t\x1b[?62;4c",
			[]string{"synchronized output", "by graphemes (mode 2027)", "light", "kitty and sixel",
				"80 columns, 24 rows", "LANG=C.UTF-8"}},
		"one that has little": {"\x1b[?2026;0$y\x1b[?2027;0$y\x1b[?1;2c",
			[]string{"no synchronized output", "wcwidth", "not reported", "half blocks"}},
		"a silent one": {"", []string{"none within 1s", "half blocks"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tty := answering(t, c.says)
			began := time.Now()
			facts := Examine(Config{Environ: environ, Input: tty, Output: tty}, tty, tty)
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
			var said strings.Builder
			for _, f := range facts {
				if f.Bad || f.Area != "terminal" {
					t.Errorf("%+v", f)
				}
				said.WriteString(f.What + ": " + f.Said + "\n")
			}
			for _, want := range c.want {
				if !strings.Contains(said.String(), want) {
					t.Errorf("no %q in:\n%s", want, said.String())
				}
			}
		})
	}
}

func TestWhatIsNoTerminalAndWhatIsTooSmallIsSaid(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if f := Examine(Config{}, file, file); len(f) != 1 || f[0].Fix == "" {
		t.Errorf("a file: %+v", f)
	}
	if f := sizeFact(30, 8, nil); !f.Bad || f.Fix == "" {
		t.Errorf("a small one: %+v", f)
	}
	if f := letterFact([]string{"LANG=C"}); f.Fix == "" {
		t.Errorf("letters of one octet: %+v", f)
	}
	if f := colourFact(Config{Environ: []string{"TERM=xterm-256color",
		"NO_COLOR=yes"}}); !strings.Contains(f.Said, "NO_COLOR") {
		t.Errorf("NO_COLOR: %+v", f)
	}
}
