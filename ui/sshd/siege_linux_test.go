package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// pile is a library of one world: boxes that lie on each other and on the ground.
type pile struct{}

func (pile) Model(r scene.Resource) (*scene.ModelSpec, error)  { return nil, scene.ErrNotFound }
func (pile) Spawnables([]string) ([]scene.Spawnable, []string) { return nil, nil }
func (pile) Worlds([]string) ([]scene.WorldInfo, []string)     { return nil, nil }
func (pile) Formats() []string                                 { return nil }

func (pile) World(scene.Resource) (*scene.WorldSpec, error) {
	solid := func(g scene.Geom) *scene.ModelSpec {
		g.Pose = r3.IdentityPose()
		return &scene.ModelSpec{Name: "solid", Links: []scene.Link{{Name: "body", Collisions: []scene.Geom{g},
			Inertial: scene.Inertial{Mass: 1, Pose: r3.IdentityPose(),
				Inertia: r3.Diag(r3.V(0.1, 0.1, 0.1))}}}}
	}
	w := &scene.WorldSpec{Name: "pile", Gravity: r3.V(0, 0, -9.81), StepSize: 0.001, Models: []scene.Placed{
		{Name: "ground", Model: solid(scene.Geom{Kind: scene.Plane, Normal: r3.V(0, 0, 1)}),
			Pose: r3.IdentityPose(), Static: true}}}
	for i := range 60 {
		w.Models = append(w.Models, scene.Placed{Name: fmt.Sprintf("box_%02d", i),
			Model: solid(scene.Geom{Kind: scene.Box, Size: r3.V(0.4, 0.4, 0.4)}),
			Pose:  r3.PoseRPY(float64(i%8)*0.5, float64(i/8)*0.5, 0.3+0.01*float64(i), 0.3, 0.2, float64(i))})
	}
	return w, nil
}

// besieged is a house whose engine runs as fast as it can, on a thread of its own whose CPU time is counted.
func besieged(t *testing.T) (*house, *engine.Engine, func() time.Duration) {
	t.Helper()
	e, err := engine.New(engine.Config{Library: pile{}, World: sim.Resource{URI: "pile"}, Start: sim.Playing,
		RealTime: engine.AsFastAsPossible})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ran, thread := make(chan error, 1), make(chan int, 1)
	go func() {
		runtime.LockOSThread()
		thread <- syscall.Gettid()
		ran <- e.Run(ctx)
	}()
	t.Cleanup(func() { // after the house is closed
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
	file := fmt.Sprintf("/proc/self/task/%d/schedstat", <-thread)
	return newHouse(t, func(c *Config) { c.Console.Backend = e }), e, func() time.Duration {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var ns int64
		if _, err := fmt.Sscan(string(text), &ns); err != nil {
			t.Fatal(err)
		}
		return time.Duration(ns)
	}
}

// perStep is the CPU time of a step with the loop, its commands and its snapshots for readers. It is the best
// of some rounds, or of fewer when one is good enough. The system counts only when the thread runs, but
// others who have the machine in between leave cold caches.
func perStep(t *testing.T, e *engine.Engine, spent func() time.Duration, rounds int,
	enough time.Duration) time.Duration {
	t.Helper()
	best := time.Hour
	for i := 0; i < rounds && best > enough; i++ {
		const steps = 1000
		from, before := e.Snapshot().Step, spent()
		until(t, "steps", func() bool { return e.Snapshot().Step-from >= steps })
		best = min(best, (spent()-before)/time.Duration(e.Snapshot().Step-from))
	}
	return best
}

func TestNobodyAtTheDoorMovesTheEnginesSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h, e, spent := besieged(t)
	h.open("alice").shows("operator")
	until(t, "a pile that only lies there", func() bool { return e.Snapshot().Step > 5000 })
	quiet := perStep(t, e, spent, 8, 0)

	var clients sync.WaitGroup
	ctx, lift := context.WithCancel(t.Context())
	defer clients.Wait()
	defer lift()
	client, err := h.connect("bob") // a client that stops reading
	if err != nil {
		t.Fatal(err)
	}
	deaf, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	_, e1 := deaf.StdoutPipe()
	if err := errors.Join(e1, deaf.RequestPty("xterm", 60, 200, nil), deaf.Shell()); err != nil {
		t.Fatal(err)
	}
	for i := range 200 { // half say nothing, half stop in the middle of the handshake
		c, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if i%2 == 0 {
			_, _ = io.WriteString(c, "SSH-2.0-nobody\r\n") // it may have been refused
		}
	}
	clients.Go(func() { // and one tries keys, as fast as it is let
		wrong := &ssh.ClientConfig{User: "eve", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
			Auth: []ssh.AuthMethod{ssh.PublicKeys(h.keys["eve"])}, Timeout: time.Second}
		for ctx.Err() == nil {
			if c, err := ssh.Dial("tcp", h.Addr(), wrong); err == nil {
				c.Close()
				t.Error("a wrong key was let in")
			}
			time.Sleep(time.Millisecond)
		}
	})
	most := quiet * 5 / 4 // measured: 3 % more, 10 % where the machine has much else to do
	under := perStep(t, e, spent, 60, most)
	t.Logf("%v of a processor a step; besieged %v", quiet, under)
	if under > most {
		t.Errorf("a step takes %v of a processor, and %v with 200 connections, wrong keys and a client that reads nothing",
			quiet, under)
	}
	if !strings.Contains(h.log.text(), "connection refused") {
		t.Error("no connection was refused: this was no siege")
	}
}
