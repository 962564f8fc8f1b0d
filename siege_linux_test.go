package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var siege = flag.Bool("siege", false, "kill 40 recordings and flip 200 bits; else few of each")

// simdeck runs this program as simdeck in a folder, and returns its exit code and what it said.
func simdeck(t *testing.T, dir string, args ...string) (code int, said string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	cmd := command(ctx, dir, args...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%v: %v, %v\n%s", args, err, ctx.Err(), out)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME=", "XDG_STATE_HOME=", asMain+"=simdeck")
	return cmd
}

// TestRecordingsOfKilledProcessesReplay kills a process that records at any moment: what is in the folder
// replays to the same hashes.
func TestRecordingsOfKilledProcessesReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	deaths, same := 4, 0
	if *siege {
		deaths = 40
	}
	r := rand.New(rand.NewPCG(9, 40))
	for n := range deaths {
		dir := t.TempDir()
		cmd := command(t.Context(), dir, "run", "--no-ros", "--rtf", "10", "--duration", "1000s", "--record",
			"tape", "--record-topics", "none")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		await(t, filepath.Join(dir, "tape", "commands.simlog"))
		time.Sleep(time.Duration(r.IntN(1000)) * time.Millisecond)
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		code, said := simdeck(t, dir, "replay", "tape")
		if code != 0 {
			t.Errorf("death %d: replay exits with %d: %s", n, code, said)
			continue
		}
		same++
	}
	t.Logf("kill -9 | %d recordings | %d replay to the same hashes", deaths, same)
}

// await waits until a file is there.
func await(t *testing.T, name string) {
	t.Helper()
	for range 6000 {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not come", name)
}

// TestAFlippedBitOfARecordingIsFoundOrMeansNothing damages each file that simdeck reads again: it is refused
// or noticed in one line, or the result is as if it were whole. Nothing breaks.
func TestAFlippedBitOfARecordingIsFoundOrMeansNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	flips := 24
	if *siege {
		flips = 200
	}
	dir := t.TempDir()
	if code, said := simdeck(t, dir, "run", "--no-ros", "--rtf", "0", "--duration", "2s", "--record",
		"tape"); code != 0 {
		t.Fatal(said)
	}
	name := filepath.Join(dir, "tape", "commands.simlog")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(8, 200))
	outcomes := map[int]int{}
	for range flips {
		bit := r.IntN(8 * len(whole))
		damaged := bytes.Clone(whole)
		damaged[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(name, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		code, said := simdeck(t, dir, "replay", "tape")
		outcomes[code]++
		if code < 0 || code == 2 || code == 4 || strings.Contains(said, "goroutine ") || code != 0 &&
			strings.Count(said, "simdeck: ") != 1 {
			t.Errorf("bit %d of byte %d: exit code %d: %s", bit%8, bit/8, code, said)
		}
	}
	t.Log(fmt.Sprintf("bit flips | %d | exit codes: %v", flips, outcomes))
}
