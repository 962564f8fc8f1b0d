package worldfile

import (
	"context"
	"path/filepath"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// Engine is an engine as the user has it who started the program. LoadWorld takes a world as the command line
// does, with the folders that are searched for it then. Restore goes back to such a world. Clients have the
// engine itself, whose commands open no folder.
type Engine struct {
	*engine.Engine
	// Libraries are the user's and the clients' library of a world, and the world as a resource. They are of
	// the world of the beginning where none is given.
	Libraries func(world scene.Resource) (own, clients scene.Library, r scene.Resource, err error)
}

var _ sim.Backend = Engine{}

// Do is the engine's Do, but for LoadWorld and Restore.
func (u Engine) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	switch load := c.(type) {
	case sim.LoadWorld:
		load.Resource.URI = Typed(load.Resource.URI)
		own, clients, world, err := u.Libraries(load.Resource)
		if err != nil {
			return nil, err
		}
		load.Resource = world
		return u.Open(ctx, own, clients, load)
	case sim.Restore:
		var world scene.Resource
		if filepath.IsAbs(load.World.Resource.URI) { // else the folders of the beginning have it
			world = load.World.Resource
		}
		own, clients, _, err := u.Libraries(world)
		if err != nil {
			return nil, err
		}
		return u.Open(ctx, own, clients, load)
	}
	return u.Engine.Do(ctx, c)
}
