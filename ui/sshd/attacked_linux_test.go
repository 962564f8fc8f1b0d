package sshd

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/record"
)

// attacked is a server under attack: a simdeck of its own, or one in this process.
type attacked struct {
	t         *testing.T
	addr      string
	keys      map[string]ssh.Signer // alice is an operator, bob a viewer, eve nobody
	keyFile   string                // alice's private key
	simulated func() float64        // seconds
	memory    func() float64        // the most so far, in MB
	log       func() string
	end       func() history
	quiet     func(at uint64) (hash uint32, known bool) // of the same world that nobody attacks
	broken    atomic.Bool                               // a wrong key was let in
}

// history records a world's course: the number of commands by SSH, and hashes after steps.
type history struct {
	commands int
	hashes   map[uint64]uint32
}

// newAttacked starts a simdeck, or a server in this process when there is none to start.
func newAttacked(t *testing.T, binary string) *attacked {
	a := &attacked{t: t, keys: map[string]ssh.Signer{}}
	dir := t.TempDir()
	a.keyFile = filepath.Join(dir, "alice")
	for _, name := range []string{"alice", "bob", "eve"} {
		_, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		block, err := ssh.MarshalPrivateKey(private, name)
		if err != nil {
			t.Fatal(err)
		}
		if a.keys[name], err = ssh.NewSignerFromKey(private); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keys := filepath.Join(dir, "keys")
	text := keyLine("", a.keys["alice"], "alice") + keyLine(`role="viewer"`, a.keys["bob"], "bob")
	if err := os.WriteFile(keys, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if binary == "" {
		a.startHere(keys)
	} else {
		a.start(binary, dir, keys)
	}
	return a
}

// startHere serves a pile in this process; memory is then that of the attackers too.
func (a *attacked) startHere(keys string) {
	seen := &witness{}
	e, err := engine.New(engine.Config{Library: pile{}, World: sim.Resource{URI: "pile"}, Start: sim.Playing,
		Recorder: seen})
	if err != nil {
		a.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- e.Run(ctx) }()
	a.end = sync.OnceValue(func() history {
		stop()
		if err := <-ran; err != nil {
			a.t.Error(err)
		}
		return seen.history
	})
	a.t.Cleanup(func() { a.end() })
	h := newHouse(a.t, func(c *Config) { c.Console.Backend, c.Keys = e, keys })
	a.addr, a.log = h.Addr(), h.log.text
	a.simulated = func() float64 { return e.Snapshot().Time.Seconds() }
	a.memory = func() float64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys-m.HeapReleased) / 1e6
	}
	a.quiet = func(at uint64) (uint32, bool) {
		seen := &witness{}
		e, err := engine.New(engine.Config{Library: pile{}, World: sim.Resource{URI: "pile"},
			Start:    sim.Playing,
			RealTime: engine.AsFastAsPossible, Recorder: seen})
		if err != nil {
			a.t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		ran := make(chan error, 1)
		go func() { ran <- e.Run(ctx) }()
		until(a.t, "as many steps", func() bool { return e.Snapshot().Step >= at })
		stop()
		if err := <-ran; err != nil {
			a.t.Fatal(err)
		}
		hash, known := seen.hashes[at]
		return hash, known
	}
}

// bySSH says whether the sender of a command came by SSH.
func bySSH(sender string) bool { return strings.HasPrefix(sender, "ssh ") }

// witness is a recorder that keeps a history.
type witness struct{ history }

// Begin is that of sim.Recorder, as are the others.
func (*witness) Begin(sim.RecordPosition, []sim.LogEntry, uint64) {}

func (w *witness) Command(l sim.LogEntry) {
	if bySSH(l.Sender) {
		w.commands++
	}
}

func (w *witness) Step(total, hash uint64) {
	if w.hashes == nil {
		w.hashes = map[uint64]uint32{}
	}
	w.hashes[total] = uint32(hash)
}

func (*witness) State(uint64, time.Duration, sim.Restore) {}

func (*witness) End() {}

func (*witness) Full() bool { return false }

// figuresAt is the address at which an attacked simdeck serves its figures.
const figuresAt = "127.0.0.1:9423"

// start starts a simdeck with the world bench.
func (a *attacked) start(binary, dir, keys string) {
	out := &written{}
	recorded := filepath.Join(dir, "recording")
	a.addr = "127.0.0.1:23299"
	cmd := exec.Command(binary, "serve", "bench", "--no-ros", "--listen", a.addr, "--keys", keys, "--host-key",
		filepath.Join(dir, "host"), "--sessions", "40",
		"--metrics", figuresAt, "--record", recorded, "--record-topics", "none")
	cmd.Stdout, cmd.Stderr, cmd.Env = out, out, append(os.Environ(), "XDG_STATE_HOME="+dir)
	if err := cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	a.end = sync.OnceValue(func() history {
		_ = cmd.Process.Signal(syscall.SIGINT)
		late := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		defer late.Stop()
		if err := cmd.Wait(); err != nil {
			a.t.Errorf("simdeck ends with %v: %s", err, out.text())
		}
		return readHistory(a.t, filepath.Join(recorded, "commands.simlog"))
	})
	a.t.Cleanup(func() { a.end() })
	a.log = out.text
	a.simulated = func() float64 { return figure("simdeck_simulated_seconds") }
	a.memory = func() float64 {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		if m := regexp.MustCompile(`VmHWM:\s+(\d+)`).FindSubmatch(text); m != nil {
			kb, _ := strconv.ParseFloat(string(m[1]), 64)
			return kb * 1024 / 1e6
		}
		return 0
	}
	a.quiet = func(at uint64) (uint32, bool) {
		hash, known := unattacked[at]
		return hash, known
	}
	until(a.t, "simdeck to listen", func() bool {
		c, err := net.Dial("tcp", a.addr)
		if err == nil {
			c.Close()
		}
		return err == nil && figure("simdeck_simulated_seconds") > 0
	})
}

// unattacked are the hashes of a simdeck that is not attacked, which is the first.
var unattacked map[uint64]uint32

// figure asks for one of simdeck's figures.
func figure(name string) (value float64) {
	r, err := http.Get("http://" + figuresAt + "/metrics")
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	for s := bufio.NewScanner(r.Body); s.Scan(); {
		if text, ok := strings.CutPrefix(s.Text(), name+" "); ok {
			value, _ = strconv.ParseFloat(text, 64)
		}
	}
	return value
}

// readHistory reads a recording.
func readHistory(t *testing.T, file string) (h history) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return h
	}
	r, err := record.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Error(err)
		return h
	}
	h.hashes = map[uint64]uint32{}
	for {
		e, err := r.Next()
		if err == io.EOF {
			return h
		}
		if err != nil {
			t.Error(err)
			return h
		}
		if bySSH(e.Sender) {
			h.commands++
		}
		for i, hash := range e.Hashes {
			h.hashes[e.At+uint64(i)+1] = hash
		}
	}
}

// judge looks at what is left of an attack: a bounded log, and a world that it has not touched.
func (a *attacked) judge(took time.Duration) {
	a.t.Helper()
	h := a.end()
	last := uint64(0)
	for at := range h.hashes {
		last = max(last, at)
	}
	if *attackedBinary != "" && unattacked == nil {
		unattacked = h.hashes
	}
	if *attackedBinary != "" {
		last = min(last, uint64(len(unattacked)))
	}
	want, known := a.quiet(last)
	if h.commands > 0 || !known || h.hashes[last] != want {
		a.t.Errorf("%d commands; after step %d the world's hash is %08x, want %08x", h.commands, last,
			h.hashes[last], want)
	}
	lines := strings.Count(a.log(), "\n")
	if most := mostLines * (1 + int(took.Minutes())); lines > most {
		a.t.Errorf("the log has %d lines, want at most %d: %.3000s", lines, most, a.log())
	}
	if strings.ContainsAny(a.log(), "\x1b\a") {
		a.t.Errorf("the log holds what moves a terminal: %q", a.log())
	}
}
