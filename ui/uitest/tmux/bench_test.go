//go:build e2e

package tmux_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// megabytes is the greatest resident memory that a process had.
func megabytes(p *os.ProcessState) float64 {
	return float64(p.SysUsage().(*syscall.Rusage).Maxrss) / 1024 // Linux counts kilobytes
}

// BenchmarkFirstFrame measures from exec to the whole header of the world bench
// on a terminal that answers no question, with ROS 2 served.
func BenchmarkFirstFrame(b *testing.B) {
	var memory float64
	for b.Loop() {
		b.StopTimer()
		command := exec.Command(binary(b), "bench")
		command.Env = append(os.Environ(), "HOME="+b.TempDir(), "TERM=xterm-256color")
		b.StartTimer()
		terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 40, Cols: 120})
		if err != nil {
			b.Fatal(err)
		}
		awaitText(b, terminal, "PLAYING")
		b.StopTimer()
		if _, err := terminal.Write([]byte("q")); err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, terminal) // until it closes; Linux reports that as an error
		if err := command.Wait(); err != nil {
			b.Fatal(err)
		}
		memory = max(memory, megabytes(command.ProcessState))
		b.StartTimer()
	}
	b.ReportMetric(memory, "MB-resident")
}

// awaitText reads until a text was shown.
func awaitText(b *testing.B, terminal *os.File, text string) {
	b.Helper()
	if err := terminal.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		b.Fatal(err)
	}
	var shown []byte
	part := make([]byte, 1<<16)
	for !bytes.Contains(shown, []byte(text)) {
		n, err := terminal.Read(part)
		if err != nil {
			b.Fatalf("no %q before %v; shown: %q", text, err, shown)
		}
		shown = append(shown, part[:n]...)
	}
}

// BenchmarkResidentMemory runs the demo world headless with ROS 2 for five
// simulated seconds and tells its greatest resident memory.
func BenchmarkResidentMemory(b *testing.B) {
	for b.Loop() {
		b.ReportMetric(headlessMemory(b), "MB-resident")
	}
}

func TestTheDemoStaysBelow60Megabytes(t *testing.T) {
	if mb := headlessMemory(t); mb > 60 {
		t.Errorf("resident memory rose to %.0f MB, at most 60: robots' computers are small", mb)
	}
}

func headlessMemory(tb testing.TB) float64 {
	tb.Helper()
	command := exec.Command(binary(tb), "run", "--duration", "5s")
	if out, err := command.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	return megabytes(command.ProcessState)
}
