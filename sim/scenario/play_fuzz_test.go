package scenario

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// crates has a world in which a crate called ego falls onto the ground, and the crate.
type crates struct{}

func crate(mass float64) *scene.ModelSpec {
	g := scene.Geom{Name: "skin", Kind: scene.Box, Size: r3.V(1, 1, 1)}
	g.Surface.Default = true
	l := scene.Link{Name: "body", Pose: r3.IdentityPose(), Collisions: []scene.Geom{g}}
	l.Inertial = scene.Inertial{Mass: mass, Pose: r3.IdentityPose(),
		Inertia: r3.Diag(r3.V(0.1, 0.1, 0.1).Scale(mass))}
	return &scene.ModelSpec{Name: "crate", Frame: r3.IdentityPose(), Links: []scene.Link{l}}
}

// Model is the crate, whatever it is called.
func (crates) Model(scene.Resource) (*scene.ModelSpec, error) { return crate(1), nil }

// World is the only one.
func (crates) World(scene.Resource) (*scene.WorldSpec, error) {
	return &scene.WorldSpec{Name: "crates", Gravity: r3.V(0, 0, -9.81), Models: []scene.Placed{
		{Name: "floor", Model: crate(1), Pose: r3.Pose{Pos: r3.V(0, 0, -0.5), Rot: r3.Identity()},
			Static: true},
		{Name: "ego", Model: crate(1), Pose: r3.Pose{Pos: r3.V(0, 0, 2), Rot: r3.Identity()},
			Deletable: true},
	}}, nil
}

func (crates) Spawnables([]string) ([]scene.Spawnable, []string) { return nil, nil }
func (crates) Worlds([]string) ([]scene.WorldInfo, []string)     { return nil, nil }
func (crates) Formats() []string                                 { return nil }

// bare is a backend without an engine: the world is stepped by hand.
type bare struct{ *engine.World }

// Do applies a command.
func (b bare) Do(_ context.Context, c sim.Command) (sim.Reply, error) {
	return b.Apply(c, engine.Load(crates{}, c))
}

// Subscribe is never called: nobody plays by snapshots that come.
func (bare) Subscribe(sim.Delivery) *sim.Subscription { panic("no snapshots come") }

// Capabilities declares none.
func (bare) Capabilities() sim.Capabilities { return sim.Capabilities{} }

// FuzzPlay plays any scenario for half a second: it ends, continues, or names the failed phase, and the world
// still steps.
func FuzzPlay(f *testing.F) {
	for _, text := range []string{whole, fast, crossing,
		"name: a\nphases: [{name: b, do: [{set_pose: {entity: ego, position: [1e7, -1e7, 1e7], yaw: 9}}, {wait: {time: 0.1}}, {spawn: {uri: x, name: ego}}]}]\n",
		"name: a\nend: {region: {entity: ego, min: [-1, -1], max: [1, 1]}}\nphases: [{name: b, when: {time: 0.1}, do: [{set_speed: {entity: ego, speed: 3}}]}]\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse("f", text)
		if err != nil {
			return // FuzzParse has what can be wrong with it
		}
		w, err := engine.NewWorld(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		backend := bare{w}
		for _, c := range []sim.Command{sim.LoadWorld{Resource: sim.Resource{URI: "crates"}},
			sim.SetState{State: sim.Playing}} {
			if _, err := backend.Do(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		last := -1.0
		p := Player{Backend: backend, Timeout: 400 * 1e6, Publish: func(string, string) error { return nil },
			Told: func(at float64, phase string) {
				if at < last || at > 1 {
					t.Errorf("in %q it is %g done, after %g", phase, at, last)
				}
				last = at
			}}
		p.Begin(w.Snapshot())
		for range 25 {
			ended, err := p.At(t.Context(), s, w.Snapshot())
			if err != nil && !errors.Is(err, ErrAction) && !errors.Is(err, ErrTimeout) {
				t.Errorf("%v", err)
			}
			if ended || err != nil {
				break
			}
			for before := w.Time(); w.Time() < before+Look; {
				if err := w.Step(); err != nil {
					t.Fatal(fmt.Errorf("the world: %w", err))
				}
			}
		}
	})
}
