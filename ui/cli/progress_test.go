package cli

import (
	"context"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/creack/pty"
	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/ui/escape"
)

func TestALogTellsOfLoadingThatLastsAndNotTooOften(t *testing.T) {
	var said []string
	loading := lines{say: func(line string) { said = append(said, line) }}
	start := time.Now()
	at := func(ms int, l sim.Loading) {
		loading.at(start.Add(time.Duration(ms)*time.Millisecond), l.String())
	}
	for k := range 10 { // half a second in all
		at(50*k, sim.Loading{What: "quick", Done: k, Of: 10, Mesh: "quick.stl"})
	}
	at(500, sim.Loading{})
	for k := range 120 {
		at(10_000+100*k, sim.Loading{What: "hall", Done: k, Of: 120, Mesh: "hip.stl"})
	}
	at(22_000, sim.Loading{})
	at(30_000, sim.Loading{What: "next"})
	want := []string{"Loading hall: 50 of 120 meshes", "Loading hall: 100 of 120 meshes"}
	if !slices.Equal(said, want) {
		t.Errorf("it says %q, want %q", said, want)
	}
}

func TestATaskTellsHowFarItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		task := Progress{to: &out}.Load(Options{World: "world://@cache@/warehouse"})
		time.Sleep(6 * time.Second) // a library that is slow
		task.Meshes(sim.Loading{Done: 12, Of: 40})
		time.Sleep(6 * time.Second)
		task.Meshes(sim.Loading{})
		time.Sleep(4 * time.Second)
		task.End()
		want := "Loading warehouse … 1 s\n" +
			"Loading warehouse … 5 s\nLoading warehouse: 12 of 40 meshes … 10 s\nLoading warehouse … 15 s\n"
		if out.String() != want {
			t.Errorf("it says %q, want %q", out.String(), want)
		}
	})
}

func TestAWaitIsToldInALineThatIsUpdatedAndTakenAway(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
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
		{"", "Looking … 1 s\nLooking … 5 s\nLooking … 10 s\n"}, {"--json", ""}, {"--quiet", ""},
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
	for _, args := range [][]string{{"run", "--quiet"}, {"benchmark", "--json"}} {
		if run(t, args, nil).options.Progress.to != nil {
			t.Errorf("%v: loading prints its progress", args)
		}
	}
	if run(t, []string{"run"}, nil).options.Progress.to == nil {
		t.Error("run: loading prints no progress")
	}
}

func TestAQuietSweepShowsNoBar(t *testing.T) {
	for flag, want := range map[string]string{"": "2 runs\n", "--json": "", "--quiet": ""} {
		var out strings.Builder
		cmd := &cobra.Command{Use: "sweep"}
		cmd.SetErr(&out)
		cmd.Flags().Bool("json", false, "")
		cmd.Flags().Bool(quietFlag, false, "")
		if err := cmd.ParseFlags(strings.Fields(flag)); err != nil {
			t.Fatal(err)
		}
		b := bar(nil, cmd)
		b.Begin(2, 0)
		b.At(nil)
		if b.End(); out.String() != want {
			t.Errorf("%s: %q, want %q", flag, out.String(), want)
		}
	}
}

func TestAttachTellsThatItLooksUntilTheConsoleHasTheTerminal(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		then := ""
		p := Program{Version: "1", Keymap: []byte("everywhere:\n  app.quit: [q] # quit\n"),
			Attach: func(context.Context, ROS, Target, func(context.Context, Remote) error) error {
				return nil
			},
			Far: func(_ context.Context, _ Options, _ Target, found func()) error {
				time.Sleep(1500 * time.Millisecond)
				found()
				time.Sleep(10 * time.Second)
				then = said.String()
				return nil
			}}
		err := Execute(t.Context(), p, []string{"attach", "--domain", "7"}, io.Discard, &said)
		if err != nil {
			t.Fatal(err)
		}
		if want := "Looking for a simulator on domain 7 … 1 s\n"; then != want || said.String() != want {
			t.Errorf("it says %q, and %q in all; want %q", then, said.String(), want)
		}
	})
}
