package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simdeck/ui/cli"
)

// asMain tells this program, started again by a test, to be simdeck, or to do what only a console does.
const asMain = "SIMDECK_TEST_MAIN"

func TestMain(m *testing.M) {
	switch os.Getenv(asMain) {
	case "simdeck":
		main()
	case "console":
		keepAsAConsole(os.Args[1])
	default:
		os.Exit(m.Run())
	}
}

// keepAsAConsole keeps what consoles keep in a folder, until a second time after something failed.
func keepAsAConsole(dir string) {
	preferences := &cli.Preferences{Dir: dir, World: func() string { return "world" }}
	for range 2 {
		_, err := preferences.SavePicture(make([]byte, 1<<20), "text")
		fmt.Println(err)
	}
	fmt.Println(preferences.KeepSymbols("xterm", strings.Repeat("x", 1<<20)))
	cache, err := cli.NewMeshCache(filepath.Join(dir, "meshes"))
	if err != nil {
		panic(err)
	}
	cache.Tell = func(err error) { fmt.Println(err) }
	for n := range 3 {
		cache.Put([32]byte{byte(n)}, make([]byte, 1<<20))
	}
}

// onSmallDisk runs a script with a file system of so many KiB in its folder, in its own network; $SIMDECK is
// this program.
func onSmallDisk(t *testing.T, kib int, as, script string) (said string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	single, err := filepath.Abs("ros/interop/netns.sh")
	if err != nil {
		t.Fatal(err)
	}
	script = fmt.Sprintf("mount -t tmpfs -o size=%dk none small && %s", kib, script)
	cmd := exec.CommandContext(ctx, "env", "-u", "NETNS_INSIDE", single, "single", "unshare", "--mount",
		"bash", "-c", script)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "SIMDECK="+os.Args[0], "HOME="+cmd.Dir, "XDG_CACHE_HOME=",
		"XDG_STATE_HOME=", asMain+"="+as)
	if err := os.Mkdir(filepath.Join(cmd.Dir, "small"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestAFullDiskIsSaidAsSuchAndTheSimulationGoesOn: in the log when it happens, and where that is the reason
// for an exit code, once more at the end. Earlier files open, and files that could not be begun leave nothing
// behind.
func TestAFullDiskIsSaidAsSuchAndTheSimulationGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for name, c := range map[string]struct {
		kib    int
		as     string
		script string
		times  int      // that a full disk is told
		want   []string // in this order
	}{
		"record": {400, "simdeck", `$SIMDECK run --no-ros --rtf 4 --duration 4s --record small/tape; echo exit $?; rm -f small/tape/topics.mcap; $SIMDECK replay small/tape`,
			2,
			[]string{`recording stopped, the simulation continues" folder=small/tape error="disk full: small/tape/topics.mcap (no space left on device); recording stopped at `,
				` s, `, ` messages lost"`,
				`simdeck: disk full: small/tape/topics.mcap (no space left on device); recording stopped at `,
				"exit 1", " match"}},
		"commands": {8, "simdeck", `$SIMDECK run --no-ros --rtf 0 --duration 20s --record small/tape --record-topics none; echo exit $?; $SIMDECK replay small/tape`,
			2,
			[]string{`disk full: small/tape/commands.simlog (no space left on device); recording stopped at `,
				"exit 1", " match"}},
		"begin": {4, "simdeck", `$SIMDECK run --no-ros --duration 1s --record small/tape; echo exit $?; find small`,
			1,
			[]string{"simdeck: ", "disk full: small/tape/", "exit 1", "small\n"}},
		// of datagrams, and of commands
		"trace": {40, "simdeck", `$SIMDECK run --duration 3s --trace small/trace; echo exit $?`, 4,
			[]string{`trace stopped, the simulation continues" error="disk full: small/trace/rtps.pcap`,
				"simdeck: ", "trace: disk full: small/trace/rtps.pcap (no space left on device); ",
				" datagrams lost", "exit 1"}},
		"graph": {40, "simdeck", `($SIMDECK run --duration 20s >/dev/null 2>&1 & $SIMDECK record small/bag; echo exit $?; kill %1)`,
			1,
			[]string{"simdeck: disk full: small/bag/", "messages lost", "exit 1"}},
		"shot": {4, "simdeck", `$SIMDECK shot --out small/a.svg --size 100x30; echo exit $?; find small`, 1,
			[]string{"simdeck: disk full: small/a.svg", "exit 1", "small\n"}},
		"sweep": {4, "simdeck", `printf 'name: a\nduration: 0.1s\nmatrix: {world: [empty], seed: 1..40}\n' >s.yaml; $SIMDECK sweep s.yaml --out small/r --workers 2; echo exit $?; mount -o remount,size=400k small; $SIMDECK sweep s.yaml --out small/r`,
			1,
			[]string{"simdeck: the result of run ",
				" cannot be kept: disk full: small/r/results.jsonl (no space left on device)", "exit 1",
				"40 of 40 passed"}},
		"console": {40, "console", `$SIMDECK small; find small -type f`, 4,
			[]string{"picture: disk full: small/pictures/world-", "picture: disk full: ",
				"symbols for xterm are not remembered: disk full: small/console.json",
				"cache of meshes: disk full: small/meshes/"}},
	} {
		t.Run(name, func(t *testing.T) {
			said := onSmallDisk(t, c.kib, c.as, c.script)
			if n := strings.Count(said, "disk full"); n != c.times || strings.Contains(said, "too slow") {
				t.Errorf("a full disk is told %d times, want %d", n, c.times)
			}
			rest := said
			for _, want := range c.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Errorf("%q is missing", want)
				}
				rest = after
			}
			if t.Failed() {
				t.Log(said)
			}
		})
	}
}
