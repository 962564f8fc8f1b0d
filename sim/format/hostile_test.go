//go:build unix

package format

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Bounds of the cost of any file: the peak of memory from the system, and CPU time on one core, the least of
// several tries. That is a second, and half as much again for what differs between runs. Others who share
// cores and caches make CPU time longer: it is divided by the slowness of known work, which takes usualWork
// alone.
const (
	mostMemory = 256 << 20
	mostWork   = 1500 * time.Millisecond
	mostTries  = 3
	usualWork  = 80 * time.Millisecond
)

// Bounds that end a process which hangs: seconds of CPU time and, where it waits, of wall clock.
const (
	lastWork = 15
	lastWall = 3 * time.Minute
)

// hostileDir names the folder whose file hostileMain a process of its own reads, so that what it costs can be
// told apart.
const hostileDir, hostileMain = "SIMDECK_HOSTILE_DIR", "SIMDECK_HOSTILE_MAIN"

// hostileReport is the result of reading a file.
type hostileReport struct {
	Error, Unwrapped string
	Memory           uint64
	Work             time.Duration
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(hostileDir); dir != "" {
		time.AfterFunc(lastWall, func() { os.Exit(3) }) // the parent may be gone
		if err := syscall.Setrlimit(syscall.RLIMIT_CPU,
			&syscall.Rlimit{Cur: lastWork, Max: lastWork}); err != nil {
			panic(err)
		}
		if err := json.NewEncoder(os.Stdout).Encode(readHostile(dir, os.Getenv(hostileMain))); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// readHostile loads a file as simdeck check does: as a world, else as a model, with the shapes that its
// meshes become.
func readHostile(dir, name string) (r hostileReport) {
	lib := NewLibrary(Config{Roots: []asset.Root{{Name: "here", FS: os.DirFS(dir), Base: dir}}})
	slow, before := slowness(), processorTime()
	w := &scene.WorldSpec{}
	var err error
	if slices.Contains([]string{".urdf", ".xacro", ".prefab"}, extension(name)) {
		var m *scene.ModelSpec
		if m, err = lib.Model(scene.Resource{URI: name}); err == nil {
			w.Models = append(w.Models, scene.Placed{Model: m})
		}
	} else {
		w, err = lib.World(scene.Resource{URI: name})
	}
	if err == nil {
		err = solidify(w)
	}
	r.Work = time.Duration(float64(processorTime()-before) / slow)
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	r.Memory = stats.Sys // never falls: what was given back counts
	if err != nil {
		r.Error = err.Error()
		for _, known := range []error{scene.ErrParse, scene.ErrUnsupportedFormat, scene.ErrNotFound,
			scene.ErrMissingAssets, shape.ErrShape} {
			if errors.Is(err, known) {
				return r
			}
		}
		r.Unwrapped = "it wraps none of the errors of package scene"
	}
	return r
}

// solidify makes what the engine collides of the meshes of a world.
func solidify(w *scene.WorldSpec) error {
	for _, p := range w.Models {
		for i := range p.Model.Links {
			for _, g := range p.Model.Links[i].Collisions {
				if g.Mesh == nil || g.Mesh.Solids == nil {
					continue
				}
				if _, err := g.Mesh.Solids.Hulls(r3.V(1, 1, 1), shape.Cut{}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// slowness is the ratio of CPU time that known work takes now to that on an idle machine: 1 or more.
func slowness() float64 {
	before := processorTime()
	counts := map[string]int{}
	for i := range 600_000 {
		counts[strconv.Itoa(i*i%100_003)]++
	}
	if len(counts) == 0 {
		return 1
	}
	return max(1, float64(processorTime()-before)/float64(usualWork))
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// readApart reads a file in a process of its own, and with one core.
func readApart(t *testing.T, dir, name string) hostileReport {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), hostileDir+"="+dir, hostileMain+"="+name, "GOMAXPROCS=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(lastWall, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	text, _ := io.ReadAll(out)
	var r hostileReport
	if err := errors.Join(cmd.Wait(), json.Unmarshal(text, &r)); err != nil {
		t.Errorf("%s: the process that reads it ends with %v: %.2000s", name, err, said.String())
	}
	return r
}

func TestNoFileCostsMoreThanASecondAnd256MB(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	all := everyHostile()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, dir := all[name], t.TempDir()
			for file, text := range h.files {
				file = filepath.Join(dir, file)
				if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
					os.WriteFile(file, []byte(text), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			r := readApart(t, dir, name)
			// The load of other processes shows in both: memory from the system depends on the progress of
			// the garbage collector.
			for tries := 1; (r.Work > mostWork || r.Memory > mostMemory) && tries < mostTries; tries++ {
				again := readApart(t, dir, name)
				r.Work, r.Memory = min(r.Work, again.Work), min(r.Memory, again.Memory)
			}
			if r.Memory > mostMemory || r.Work > mostWork {
				t.Errorf("it costs %d MB and %v; want at most %d MB and %v", r.Memory>>20, r.Work,
					mostMemory>>20, mostWork)
			}
			if !strings.Contains(r.Error, h.says) || h.says == "" && r.Error != "" || r.Unwrapped != "" ||
				len(r.Error) > 2000 {
				t.Errorf("it says %.2000q (%s); want %q in it", r.Error, r.Unwrapped, h.says)
			}
			t.Logf("%d MB, %v: %.300s", r.Memory>>20, r.Work, r.Error)
		})
	}
}
