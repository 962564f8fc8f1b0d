package worldfile

import (
	"errors"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// names is a library of empty worlds with these names.
type names []string

func (n names) World(r scene.Resource) (*scene.WorldSpec, error) {
	for _, name := range n {
		if name == r.URI {
			return &scene.WorldSpec{Name: name}, nil
		}
	}
	return nil, scene.ErrNotFound
}

func (names) Model(scene.Resource) (*scene.ModelSpec, error) { return nil, scene.ErrNotFound }

func (names) Spawnables([]string) ([]scene.Spawnable, []string) { return nil, nil }

func (names) Worlds([]string) ([]scene.WorldInfo, []string) { return nil, nil }

func (names) Formats() []string { return nil }

func TestTheUserOpensFilesThatClientsCannot(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	const mine = "/home/ada/mine.sdf"
	first := names{"first"}
	e, err := engine.New(engine.Config{Library: &first, World: sim.Resource{URI: "first"}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- e.Run(t.Context()) }()
	u := Engine{Engine: e, Libraries: func(w scene.Resource) (_, _ scene.Library, _ scene.Resource, _ error) {
		switch w.URI {
		case "":
			return &first, &first, w, nil
		case mine:
			return &names{mine}, &names{}, w, nil
		}
		return nil, nil, w, scene.ErrNotFound
	}}
	load := sim.LoadWorld{Resource: sim.Resource{URI: "~/mine.sdf"}}
	if _, err := e.Do(t.Context(), load); err == nil {
		t.Error("a client opened the file")
	}
	r, err := u.Do(t.Context(), load)
	loaded, _ := r.(sim.WorldLoaded)
	if err != nil || loaded.World.URI != mine || loaded.Before == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	gone := sim.LoadWorld{Resource: sim.Resource{URI: "gone.sdf"}}
	if _, err := u.Do(t.Context(), gone); !errors.Is(err, scene.ErrNotFound) {
		t.Errorf("a file that is not there: %v", err)
	}
	for _, c := range []sim.Command{*loaded.Before, sim.SetState{State: sim.Quitting}} {
		if _, err := u.Do(t.Context(), c); err != nil {
			t.Error(err)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
