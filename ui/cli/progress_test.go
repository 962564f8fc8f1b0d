package cli

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"simdeck/sim"
	"simdeck/ui/escape"
)

func TestOnlyLoadingThatTakesLongIsToldAndNotTooOften(t *testing.T) {
	var out strings.Builder
	told := NewProgress(&out)
	start := time.Now()
	at := func(ms int, c sim.Decomposition) { told.at(start.Add(time.Duration(ms)*time.Millisecond), c) }
	for k := range 10 { // half a second in all
		at(50*k, sim.Decomposition{Done: k, Of: 10, Mesh: "quick.stl"})
	}
	at(500, sim.Decomposition{})
	for k := range 30 {
		at(10_000+100*k, sim.Decomposition{Done: k, Of: 30, Mesh: "hip.stl"})
	}
	at(13_000, sim.Decomposition{})
	at(20_000, sim.Decomposition{Done: 0, Of: 2, Mesh: "next.stl"})
	want := "simdeck: convex hulls: 10 of 30 meshes are done, at hip.stl\nsimdeck: convex hulls: 20 of 30 meshes are done, at hip.stl\n"
	if out.String() != want {
		t.Errorf("it says %q, want %q", out.String(), want)
	}
	told.Stop()
	at(22_000, sim.Decomposition{Done: 1, Of: 2, Mesh: "next.stl"})
	if out.String() != want {
		t.Errorf("after Stop it says %q", out.String())
	}
}

func TestAWaitIsToldInALineThatIsUpdatedAndTakenAway(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	end := wait(escape.NewWriter(slave), "Looking for a simulator on domain 7")
	time.Sleep(2300 * time.Millisecond)
	end()
	end()
	if _, err := io.WriteString(slave, "END"); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	buf := make([]byte, 1024)
	for !strings.Contains(got.String(), "END") {
		n, err := master.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got.Write(buf[:n])
	}
	slave.Close()
	line := `\rLooking for a simulator on domain 7 … `
	want := regexp.MustCompile(`^` + line + `1 s` + line + `2 s\r +\rEND$`)
	if !want.MatchString(got.String()) {
		t.Errorf("the terminal gets %q", got.String())
	}
}

func TestNoWaitIsToldWhereNoTerminalIs(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	end := wait(escape.NewWriter(file), "Waiting")
	time.Sleep(1200 * time.Millisecond)
	end()
	if info, err := file.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("a file gets %v bytes, %v", info.Size(), err)
	}
}

func TestTheFirstOutputEndsAWait(t *testing.T) {
	var out strings.Builder
	ended := 0
	w := endingWait{&out, func() { ended++ }}
	if _, err := io.WriteString(w, "done"); err != nil || ended != 1 || out.String() != "done" {
		t.Errorf("%q, ended %d times, %v", out.String(), ended, err)
	}
}
