package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/sim"
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
			Inertial: scene.Inertial{Mass: 1, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(0.1, 0.1, 0.1))}}}}
	}
	w := &scene.WorldSpec{Name: "pile", Gravity: r3.V(0, 0, -9.81), StepSize: 0.001, Models: []scene.Placed{
		{Name: "ground", Model: solid(scene.Geom{Kind: scene.Plane, Normal: r3.V(0, 0, 1)}), Pose: r3.IdentityPose(), Static: true}}}
	for i := range 60 {
		w.Models = append(w.Models, scene.Placed{Name: fmt.Sprintf("box_%02d", i), Model: solid(scene.Geom{Kind: scene.Box, Size: r3.V(0.4, 0.4, 0.4)}),
			Pose: r3.PoseRPY(float64(i%8)*0.5, float64(i/8)*0.5, 0.3+0.01*float64(i), 0.3, 0.2, float64(i))})
	}
	return w, nil
}

// besieged is a house on an engine of 1,000 steps a second.
func besieged(t *testing.T) (*house, *sim.Engine) {
	t.Helper()
	e, err := sim.New(sim.Config{Library: pile{}, World: sim.Resource{URI: "pile"}, Start: sim.Playing, RealTime: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- e.Run(ctx) }()
	t.Cleanup(func() { // after the house is closed
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
	return newHouse(t, func(c *Config) { c.Console.Deck = e }), e
}

// pace is how an engine goes on in the best of some half seconds, as others may have the machine in the rest: steps a
// second, and what the dearest of its smoothed steps cost.
func pace(e *sim.Engine, halves int) (steps float64, cost time.Duration) {
	cost = time.Hour
	for range halves {
		from, began, dearest := e.Snapshot().Step, time.Now(), time.Duration(0)
		for time.Since(began) < time.Second/2 {
			time.Sleep(20 * time.Millisecond)
			dearest = max(dearest, e.Snapshot().Stats.StepCost)
		}
		steps, cost = max(steps, float64(e.Snapshot().Step-from)/time.Since(began).Seconds()), min(cost, dearest)
	}
	return steps, cost
}

func TestNobodyAtTheDoorMovesTheEnginesSteps(t *testing.T) {
	h, e := besieged(t)
	h.open("alice").shows("operator")
	steps, cost := pace(e, 2)

	var crowd sync.WaitGroup
	ctx, lift := context.WithCancel(t.Context())
	defer crowd.Wait()
	defer lift()
	client, err := h.connect("bob") // who then reads nothing any more
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
	crowd.Go(func() { // and one tries keys, as fast as it is let
		wrong := &ssh.ClientConfig{User: "eve", HostKeyCallback: ssh.InsecureIgnoreHostKey(), Auth: []ssh.AuthMethod{ssh.PublicKeys(h.keys["eve"])}, Timeout: time.Second}
		for ctx.Err() == nil {
			if c, err := ssh.Dial("tcp", h.Addr(), wrong); err == nil {
				c.Close()
				t.Error("a wrong key was let in")
			}
			time.Sleep(time.Millisecond)
		}
	})
	under, dear := pace(e, 5)
	t.Logf("%.0f steps a second of at most %v; besieged %.0f of at most %v", steps, cost, under, dear)
	if under < steps/2 {
		t.Errorf("%.0f steps a second, and %.0f with 200 connections, wrong keys and a client that reads nothing", steps, under)
	}
	if dear > 10*cost+10*time.Millisecond {
		t.Errorf("a step costs %v, and %v besieged", cost, dear)
	}
	if !strings.Contains(h.log.text(), "a connection is refused") {
		t.Error("no connection was refused: this was no siege")
	}
}
