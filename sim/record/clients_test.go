package record

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// owned finds worlds alone, lent models alone: as two that search other folders do.
type (
	owned struct{ fakeLibrary }
	lent  struct{ fakeLibrary }
)

func (owned) Model(r scene.Resource) (*scene.ModelSpec, error) {
	return nil, fmt.Errorf("%w: %s is not the user's", scene.ErrNotFound, r.URI)
}

func (lent) World(r scene.Resource) (*scene.WorldSpec, error) {
	return nil, fmt.Errorf("%w: %s is not the clients'", scene.ErrNotFound, r.URI)
}

func TestAReplayReadsForClientsWhatTheyCouldHave(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, taping(1))
	e, err := engine.New(engine.Config{Library: owned{}, Clients: lent{}, World: sim.Resource{URI: "yard"},
		Start: sim.Paused, Seed: 1, Rewind: time.Minute, Recorder: w})
	if err != nil {
		t.Fatal(err)
	}
	written, ran := make(chan error, 1), make(chan error, 1)
	go func() { written <- w.Run(t.Context()) }()
	go func() { ran <- e.Run(t.Context()) }()
	do := func(c sim.Command) error {
		_, err := e.Do(sim.WithSender(context.Background(), "ros"), c)
		return err
	}
	if err := do(sim.Spawn{Name: "mine", Resource: sim.Resource{URI: "ball"},
		Pose: sim.FramedPose{Pose: r3.Pose{Pos: r3.V(1, 1, 2), Rot: r3.Identity()}}}); err != nil {
		t.Fatal(err)
	}
	if err := do(sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}); err == nil {
		t.Fatal("clients loaded the user's world")
	}
	for _, c := range []sim.Command{sim.StepWorld{N: 3000}, sim.StepWorld{N: 200},
		sim.SetState{State: sim.Quitting}} {
		if err := do(c); err != nil {
			t.Fatal(err)
		}
	}
	if err1, err2 := <-ran, <-written; err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	for _, from := range []time.Duration{0, 12 * time.Second} {
		r, err := NewReader(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlayer(r, owned{})
		if err != nil {
			t.Fatal(err)
		}
		p.Clients, p.From = lent{}, from
		if did, err := p.Run(t.Context()); err != nil || did.Steps == 0 || (did.Leapt > 0) != (from > 0) {
			t.Errorf("from %v: %+v, %v", from, did, err)
		}
	}
}

// filed is a library that finds one world file more.
type filed struct{ fakeLibrary }

const field = "/field/yard.sdf"

func (f filed) World(r scene.Resource) (*scene.WorldSpec, error) {
	if r.URI != field {
		return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, r.URI)
	}
	return f.fakeLibrary.World(scene.Resource{URI: "yard"})
}

func TestAReplayOpensTheFilesThatWereOpenedLater(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, taping(1))
	e, err := engine.New(engine.Config{Library: owned{}, Clients: lent{}, World: sim.Resource{URI: "yard"},
		Start: sim.Playing, Seed: 1, Rewind: time.Minute, Recorder: w, RealTime: engine.AsFastAsPossible})
	if err != nil {
		t.Fatal(err)
	}
	written, ran := make(chan error, 1), make(chan error, 1)
	go func() { written <- w.Run(t.Context()) }()
	go func() { ran <- e.Run(t.Context()) }()
	r, err := e.Open(t.Context(), filed{}, lent{}, sim.LoadWorld{Resource: sim.Resource{URI: field}})
	loaded, _ := r.(sim.WorldLoaded)
	if err != nil || loaded.Before == nil {
		t.Fatal(r, err)
	}
	for _, c := range []sim.Command{sim.SetState{State: sim.Paused}, sim.StepWorld{N: 3000}, *loaded.Before,
		sim.SetState{State: sim.Quitting}} {
		if _, resumes := c.(sim.Restore); resumes {
			_, err = e.Open(t.Context(), owned{}, lent{}, c)
		} else {
			_, err = e.Do(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err1, err2 := <-ran, <-written; err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	for _, from := range []time.Duration{0, 12 * time.Second} {
		r, err := NewReader(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlayer(r, owned{})
		if err != nil {
			t.Fatal(err)
		}
		p.Clients, p.From = lent{}, from
		p.Open = func(world string) (own, clients scene.Library, err error) {
			if world != field {
				t.Errorf("opens %q", world)
			}
			return filed{}, lent{}, nil
		}
		if did, err := p.Run(t.Context()); err != nil {
			t.Errorf("from %v: %+v, %v", from, did, err)
		}
	}
}
