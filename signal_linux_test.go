package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ring is a binary STL of a ring, which takes some tenths of a second to be cut into convex hulls.
func ring() []byte {
	const around, tube = 64, 24
	at := func(i, k int) [3]float32 {
		a, b := 2*math.Pi*float64(i)/around, 2*math.Pi*float64(k)/tube
		r := 1 + 0.3*math.Cos(b)
		return [3]float32{float32(r * math.Cos(a)), float32(r * math.Sin(a)), float32(0.3 * math.Sin(b))}
	}
	var triangles bytes.Buffer
	for i := range around {
		for k := range tube {
			for _, t := range [2][3][3]float32{{at(i, k), at(i+1, k), at(i+1, k+1)},
				{at(i, k), at(i+1, k+1), at(i, k+1)}} {
				_ = binary.Write(&triangles, binary.LittleEndian, [3]float32{})
				_ = binary.Write(&triangles, binary.LittleEndian, t)
				_ = binary.Write(&triangles, binary.LittleEndian, uint16(0))
			}
		}
	}
	head := make([]byte, 84)
	binary.LittleEndian.PutUint32(head[80:], 2*around*tube)
	return append(head, triangles.Bytes()...)
}

// slowWorld writes a world whose meshes take minutes to cut, and a sweep of it.
func slowWorld(t *testing.T, dir string) {
	t.Helper()
	var links strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&links, `<link name="l%d"><pose>%d 0 1 0 0 0</pose><collision name="c"><geometry><mesh><uri>ring.stl</uri><scale>1 1 %g</scale></mesh></geometry></collision></link>`,
			i, 3*i, 1+float64(i)/1000)
	}
	for name, text := range map[string]string{
		"ring.stl": string(ring()),
		"slow.sdf": `<sdf version="1.9"><world name="slow"><model name="m">` + links.String() +
			`</model></world></sdf>`,
		"sweep.yaml": "world: slow.sdf\nduration: 1s\nmatrix: {seed: 1..2}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryCommandEndsSoonAfterASignalWhileItLoads(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	slowWorld(t, dir)
	for words, signal := range map[string]os.Signal{"check slow.sdf": os.Interrupt,
		"check --json slow.sdf": syscall.SIGTERM, "run --no-ros slow.sdf": syscall.SIGTERM,
		"shot slow.sdf --out x.txt": syscall.SIGTERM, "benchmark slow.sdf": syscall.SIGHUP,
		"sweep sweep.yaml --out o": syscall.SIGTERM} {
		var said bytes.Buffer
		cmd := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(words)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
		cmd.Env = append(os.Environ(), asMain+"=simdeck", "HOME="+t.TempDir(), "XDG_CACHE_HOME=",
			"XDG_STATE_HOME=")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		awaitWork(t, cmd.Process.Pid, ended)
		began := time.Now()
		signalled, late := cmd.Process.Signal(signal), false
		select {
		case <-ended:
		case <-time.After(20 * time.Second): // it would take minutes
			late = true
			_ = cmd.Process.Kill()
			<-ended
		}
		if code := cmd.ProcessState.ExitCode(); late || code < 0 || signalled != nil ||
			strings.Contains(said.String(), "goroutine ") {
			t.Errorf("%s: %v after %v: %v, exit code %d: %.500s", words, time.Since(began), signal, signalled,
				code, said.String())
		}
		t.Logf("%s: ended %v after %v: %.200s", words, time.Since(began), signal, said.String())
	}
}

// awaitWork waits until a process, or one that it began, has worked for a while.
func awaitWork(t *testing.T, pid int, ended chan error) {
	t.Helper()
	for {
		total := 0
		for _, p := range append(children(pid), pid) {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
			if err != nil {
				continue
			}
			fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
			var user, system int
			_, _ = fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
			total += user + system
		}
		if total >= 80 { // hundredths of a second
			return
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended by itself: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// children are the processes that a process began.
func children(pid int) (all []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list) // the thread may have ended
		for _, word := range strings.Fields(string(text)) {
			var child int
			if _, err := fmt.Sscan(word, &child); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}
