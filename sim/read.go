package sim

import (
	"fmt"

	"simdeck/sim/scene"
)

// Loaded is what a command needs from files, read and compiled outside the
// loop.
type Loaded struct {
	world  *scene.WorldSpec
	err    error         // why the world could not be read
	models []loadedModel // of the world's Models, or by spawn
}

// loadedModel is a model ready to stand in a world, or why it is not.
type loadedModel struct {
	plan *plan
	err  error
}

func (l Loaded) model(i int) loadedModel {
	if i < len(l.models) {
		return l.models[i]
	}
	return loadedModel{err: fmt.Errorf("%w: nothing was read for this command", ErrFailed)}
}

// Load reads what c needs through lib. It does all the I/O that c asks for,
// and takes as long as that takes; its errors are for Apply to answer.
func Load(lib scene.Library, c Command) Loaded {
	switch c := c.(type) {
	case Spawn:
		return Loaded{models: []loadedModel{loadModel(lib, c.Resource)}}
	case SpawnBatch:
		l := Loaded{models: make([]loadedModel, len(c.Spawns))}
		for i := range c.Spawns {
			l.models[i] = loadModel(lib, c.Spawns[i].Resource)
		}
		return l
	case LoadWorld:
		return loadWorld(lib, c.Resource)
	}
	return Loaded{}
}

// loadModel reads and compiles a model. A reader that panics is a reader that
// could not read.
func loadModel(lib scene.Library, r Resource) (m loadedModel) {
	defer recoverReader(r, &m.err)
	if m.err = readable(lib, r); m.err != nil {
		return m
	}
	spec, err := lib.Model(r)
	if err != nil {
		m.err = err
		return m
	}
	m.plan, m.err = compile(spec, false)
	return m
}

func loadWorld(lib scene.Library, r Resource) (l Loaded) {
	defer recoverReader(r, &l.err)
	if l.err = readable(lib, r); l.err != nil {
		return l
	}
	spec, err := lib.World(r)
	if err != nil {
		l.err = err
		return l
	}
	type kind struct {
		spec   *scene.ModelSpec
		static bool
	}
	plans := map[kind]loadedModel{}
	l.models = make([]loadedModel, len(spec.Models))
	for i := range spec.Models {
		p := &spec.Models[i]
		k := kind{p.Model, p.Static}
		m, ok := plans[k]
		if !ok {
			m.plan, m.err = compile(p.Model, p.Static)
			plans[k] = m
		}
		l.models[i] = m
	}
	l.world = spec
	return l
}

func readable(lib scene.Library, r Resource) error {
	if r.URI == "" && r.Document == "" {
		return fmt.Errorf("%w: both the URI and the text are empty; one of them names or holds what to load", ErrNoResource)
	}
	if lib == nil {
		return fmt.Errorf("%w: this simulator has no library to read %s from", ErrUnsupported, describeResource(r))
	}
	return nil
}

func recoverReader(r Resource, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: the reader of %s broke: %v", ErrParse, describeResource(r), p)
	}
}
