//go:build e2e

package tmux_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/cli"
	"simdeck/ui/uitest"
	"simdeck/ui/uitest/tmux"
)

// spins names a file that makes the console under test loop for ever. Where the environment holds it, this
// binary is that console instead of the tests.
const spins = "SIMDECK_TEST_SPINS"

// endless is a backend that keeps whoever looks at it for ever, as a pane that never comes to its end does.
type endless struct {
	*uitest.Backend
	file string
}

func (d endless) Snapshot() *sim.Snapshot {
	for {
		if _, err := os.Stat(d.file); err != nil {
			return d.Backend.Snapshot()
		}
		for i := 0; i < 1e8; i++ {
		}
	}
}

func TestMain(m *testing.M) {
	file := os.Getenv(spins)
	if file == "" {
		os.Exit(m.Run())
	}
	text, err := os.ReadFile(os.Getenv("SIMDECK_TEST_KEYS"))
	if err != nil {
		panic(err)
	}
	os.Exit(cli.Main(cli.Program{Version: "test", Keymap: text,
		Console: func(ctx context.Context, o cli.Options) error {
			return ui.Run(ctx, ui.Config{Backend: endless{uitest.Room(), file}, Keymap: o.View.Keymap})
		}}, nil, os.Stdout, os.Stderr))
}

// stuck opens a console that loops for ever once it is shown, and waits until it says so.
func stuck(t *testing.T) (term *tmux.Terminal, dir string) {
	t.Helper()
	dir = t.TempDir()
	keys, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`echo BEFORE; stty -g >before; export HOME=$PWD %s=$PWD/spin SIMDECK_TEST_KEYS=%s; sh -c 'echo $$ >pid; exec %s' 2>stderr; `+
		`echo $? >code; stty -g >after; echo AFTER; exec cat`, spins, keys+"/../../../keymap.yaml", self)
	term = tmux.Open(t, 120, 40, dir, script)
	term.WaitText("burger_1")
	if err := os.WriteFile(dir+"/spin", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	term.WaitText("was stopped")
	return term, dir
}

// gone waits for the end of a process and says how long it took.
func gone(t *testing.T, pid int) time.Duration {
	t.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return time.Since(began)
		}
		if time.Since(began) > tmux.Patience {
			t.Fatalf("process %d does not end", pid)
		}
	}
}

const endsWithin = 3 * time.Second

func TestAConsoleThatLoopsForEverEndsByKeysAndSignalsAndRestoresTheTerminal(t *testing.T) {
	for _, by := range []string{"q", "C-c", "TERM", "HUP", "INT"} {
		t.Run(by, func(t *testing.T) {
			term, dir := stuck(t)
			var pid int
			if _, err := fmt.Sscan(read(t, dir, "pid"), &pid); err != nil {
				t.Fatal(err)
			}
			if len(by) > 1 && by != "C-c" {
				if out, err := exec.Command("kill", "-"+by, fmt.Sprint(pid)).CombinedOutput(); err != nil {
					t.Fatalf("kill: %v: %s", err, out)
				}
			} else {
				term.Keys(by)
			}
			if took := gone(t, pid); took > endsWithin {
				t.Errorf("it took %v to end, want at most %v", took, endsWithin)
			}
			term.WaitText("AFTER")
			if m := term.Modes(); m != tmux.Restored {
				t.Errorf("modes afterwards: %+v, want %+v", m, tmux.Restored)
			}
			if before, after := read(t, dir, "before"), read(t, dir, "after"); before != after {
				t.Errorf("stty before %s\nstty after  %s", before, after)
			}
			if code, said := read(t, dir, "code"), read(t, dir, "stderr"); code != "4" ||
				!strings.Contains(said, "did not end in") || !strings.Contains(said, "; report: ") {
				t.Errorf("exit code %s, %q: want 4, and where a report is", code, said)
			}
		})
	}
}

func TestAConsoleThatLoopsForEverEndsWithItsTerminal(t *testing.T) {
	term, dir := stuck(t)
	var pid int
	if _, err := fmt.Sscan(read(t, dir, "pid"), &pid); err != nil {
		t.Fatal(err)
	}
	term.Kill()
	if took := gone(t, pid); took > endsWithin {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		t.Errorf("it took %v to end, want at most %v", took, endsWithin)
	}
}
