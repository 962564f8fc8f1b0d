package cli

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/creack/pty"
	"github.com/spf13/cobra"

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
	cmd := &cobra.Command{}
	cmd.SetErr(escape.NewWriter(slave))
	end := wait(cmd, "Looking for a simulator on domain 7")
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

func TestAWaitIsToldEveryFewSecondsWhereNoTerminalIsAndNotAtAllWhereItIsQuiet(t *testing.T) {
	for _, c := range []struct{ flag, want string }{
		{"", "Looking … 5 s\nLooking … 10 s\n"}, {"--json", ""}, {"--quiet", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			cmd := &cobra.Command{Use: "x"}
			cmd.SetErr(&out)
			cmd.Flags().Bool("json", false, "")
			cmd.Flags().Bool(quietFlag, false, "")
			if err := cmd.ParseFlags(strings.Fields(c.flag)); err != nil {
				t.Fatal(err)
			}
			end := wait(cmd, "Looking")
			time.Sleep(12 * time.Second) // a source that is slow
			end()
			if out.String() != c.want {
				t.Errorf("%s: %q, want %q", c.flag, out.String(), c.want)
			}
		})
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

func TestQuietReachesTheLoadingOfWorlds(t *testing.T) {
	for _, args := range [][]string{{"run", "--quiet"}, {"bench", "--json"}} {
		if !run(t, args, nil).options.Quiet {
			t.Errorf("%v: loading prints its progress", args)
		}
	}
	if run(t, []string{"run"}, nil).options.Quiet {
		t.Error("run: loading prints no progress")
	}
}
