package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"simdeck/sim/logtest"
)

// TestStartedControllersEndWithSimdeckHoweverItEnds: by a signal with a chance to clean up, and by kill -9.
func TestStartedControllersEndWithSimdeckHoweverItEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	world, err := os.ReadFile("ui/cli/testdata/project/worlds/post.wbt")
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
		dir := t.TempDir()
		for name, text := range map[string]string{"worlds/post.wbt": string(world),
			"controllers/post/post": "#!/bin/sh\nsleep 1001 & echo beside $!\nexec sleep 1000\n"} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		var said logtest.Journal
		cmd := exec.CommandContext(t.Context(), os.Args[0], "run", "--no-ros", "--run-controllers",
			filepath.Join(dir, "worlds", "post.wbt"))
		cmd.Stdout, cmd.Stderr = &said, &said
		cmd.Env = append(os.Environ(), asMain+"=simdeck", "HOME="+dir, "WEBOTS_TMPDIR="+dir,
			"XDG_CACHE_HOME=", "XDG_STATE_HOME=")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pid, beside := 0, 0
		awaited(t, &said, "a controller is started", func() bool {
			m := regexp.MustCompile(`a controller was started.* pid=(\d+)`).FindStringSubmatch(said.String())
			if m != nil {
				_, _ = fmt.Sscan(m[1], &pid)
			}
			if m := regexp.MustCompile(`beside (\d+)`).FindStringSubmatch(said.String()); m != nil {
				_, _ = fmt.Sscan(m[1], &beside)
			}
			return pid != 0 && beside != 0
		})
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its exit code is another test's
		for _, pid := range []int{pid, beside} {
			awaited(t, &said, fmt.Sprintf("its controller, and what that has started, is gone after %v", signal), func() bool {
				stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
				return err != nil || strings.Contains(string(stat), ") Z ")
			})
		}
	}
}

// awaited waits for something that comes within seconds.
func awaited(t *testing.T, said fmt.Stringer, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it never came about that %s:\n%s", what, said)
		}
	}
}
