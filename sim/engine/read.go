package engine

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// Loaded holds the files of a command, read and compiled outside the loop.
type Loaded struct {
	world  *scene.WorldSpec
	cloud  *render.Cloud // of the world's site; nil: none
	err    error         // why the world could not be read
	models []loadedModel // of the world's Models, or by spawn
	others []loadedModel // of what was spawned into a world that is taken up, by entity
}

// loadedModel is a model ready to stand in a world, or why it is not.
type loadedModel struct {
	model *model.Model
	err   error
}

func (l Loaded) model(i int) loadedModel {
	if i < len(l.models) {
		return l.models[i]
	}
	return loadedModel{err: fmt.Errorf("%w: nothing was read for this command", sim.ErrFailed)}
}

// Load reads what c needs through lib. It does all the I/O that c asks for,
// and takes as long as that takes; its errors are for Apply to answer.
func Load(lib scene.Library, c sim.Command) Loaded { return LoadContext(context.Background(), lib, c) }

// LoadContext is Load that ends early with ctx; Apply refuses then what was not read.
func LoadContext(ctx context.Context, lib scene.Library, c sim.Command) Loaded {
	return LoadFor(ctx, lib, lib, c)
}

// LoadFor is LoadContext with a separate library for senders of commands: Restore reads the world through
// own, spawned entities through clients.
func LoadFor(ctx context.Context, own, clients scene.Library, c sim.Command) Loaded {
	if c, resumes := c.(sim.Restore); resumes {
		return (&reader{lib: clients}).loadRestore(ctx, c, &reader{lib: own})
	}
	return (&reader{lib: clients}).load(ctx, c)
}

// Unreadable is the Loaded of a command that was refused when it was recorded. It reads nothing, and the
// command is refused again.
func Unreadable(why string) Loaded {
	return Loaded{err: fmt.Errorf("%w: then: %s", sim.ErrFailed, why)}
}

// maxModels bounds the compiled models that a reader keeps for further entities: a hundred robots share their
// hulls and scanning patterns. A library gives the same pointer for the same description as long as its files
// are the same.
const maxModels = 64

// reader reads for commands; it is safe from any goroutine.
type reader struct {
	lib        scene.Library
	own        scene.Library     // that Restore reads the world through; nil: lib
	onProgress func(sim.Loading) // progress; nil: no reader
	mu         sync.Mutex
	models     map[model.Source]*model.Model
}

func (r *reader) load(ctx context.Context, c sim.Command) Loaded {
	switch c := c.(type) {
	case sim.Spawn:
		return Loaded{models: []loadedModel{r.model(ctx, c.Resource)}}
	case sim.SpawnBatch:
		l := Loaded{models: make([]loadedModel, len(c.Spawns))}
		for i := range c.Spawns {
			l.models[i] = r.model(ctx, c.Spawns[i].Resource)
		}
		return l
	case sim.LoadWorld:
		return r.world(ctx, c.Resource)
	case sim.Restore:
		return r.loadRestore(ctx, c, &reader{lib: cmp.Or(r.own, r.lib), onProgress: r.onProgress})
	}
	return Loaded{}
}

// model reads and compiles a model. A panic of a library counts as a failure to read.
func (r *reader) model(ctx context.Context, what sim.Resource) (m loadedModel) {
	defer recoverReader(what, &m.err)
	if m.err = readable(r.lib, what); m.err != nil {
		return m
	}
	spec, err := scene.ModelContext(ctx, r.lib, what)
	if err != nil {
		m.err = err
		return m
	}
	return r.compiled(ctx, r.progress(sim.LoadingOf(what), sim.Loading{}), model.Source{Spec: spec})[0]
}

func (r *reader) world(ctx context.Context, what sim.Resource) (l Loaded) {
	defer recoverReader(what, &l.err)
	if l.err = readable(r.lib, what); l.err != nil {
		return l
	}
	loading := sim.LoadingOf(what)
	r.tell(loading)
	defer r.tell(sim.Loading{})
	spec, err := scene.WorldContext(ctx, r.lib, what)
	if err != nil {
		l.err = err
		return l
	}
	keys := make([]model.Source, len(spec.Models))
	for i := range spec.Models {
		keys[i] = model.Source{Spec: spec.Models[i].Model, Static: spec.Models[i].Static}
	}
	l.models, l.world = r.compiled(ctx, r.progress(loading, loading), keys...), spec
	if spec.Site != nil {
		l.cloud = render.NewCloud(spec.Site.Gaussians)
	}
	return l
}

// tell reports progress, where there is a reader of it.
func (r *reader) tell(l sim.Loading) {
	if r.onProgress != nil {
		r.onProgress(l)
	}
}

// progress reports convex decomposition as a part of loading, and then what comes after it.
func (r *reader) progress(loading, after sim.Loading) func(model.Decomposition) {
	return func(d model.Decomposition) {
		l := after
		if d.Of > 0 {
			l = loading
			l.Done, l.Of, l.Mesh = d.Done, d.Of, d.Mesh
		}
		r.tell(l)
	}
}

// compiled compiles models, or finds that it has done so before. When ctx ends, its error stands in
// place of models.
func (r *reader) compiled(ctx context.Context, progress func(model.Decomposition),
	keys ...model.Source) []loadedModel {
	all := map[model.Source]loadedModel{}
	var fresh []model.Source
	for _, k := range keys {
		if _, known := all[k]; known {
			continue
		}
		m := loadedModel{model: r.cached(k)}
		if m.model == nil {
			fresh = append(fresh, k)
		}
		all[k] = m
	}
	models, errs := model.CompileAll(ctx, fresh, progress)
	for i, k := range fresh {
		all[k] = loadedModel{models[i], errs[i]}
		if errs[i] == nil {
			r.store(k, models[i])
		}
	}
	out := make([]loadedModel, len(keys))
	for i, k := range keys {
		if err := scene.Interrupted(ctx); err != nil {
			out[i].err = err
			continue
		}
		out[i] = all[k]
	}
	return out
}

func (r *reader) cached(k model.Source) *model.Model {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.models[k]
}

func (r *reader) store(k model.Source, p *model.Model) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.models == nil || len(r.models) >= maxModels {
		r.models = map[model.Source]*model.Model{}
	}
	r.models[k] = p
}

func readable(lib scene.Library, r sim.Resource) error {
	if r.URI == "" && r.Document == "" {
		return fmt.Errorf("%w: both the URI and the text are empty; one of them names or holds what to load",
			sim.ErrNoResource)
	}
	if lib == nil {
		return fmt.Errorf("%w: this simulator has no library to read %s from", sim.ErrUnsupported,
			sim.DescribeResource(r))
	}
	return nil
}

func recoverReader(r sim.Resource, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: the reader of %s broke: %v", sim.ErrParse, sim.DescribeResource(r), p)
	}
}

// Capabilities declares the formats and files of the library of clients.
func (e *Engine) Capabilities() sim.Capabilities {
	return sim.Capabilities{Formats: e.Formats(), Files: e, Lockstep: e.lockstep,
		Keyboard: &e.keyboard}
}

// library is that of commands; nil: there is none.
func (e *Engine) library() scene.Library { return e.reader.Load().lib }

// Formats are the model formats that can be spawned, the preferred one first: "sdf", "urdf", …
func (e *Engine) Formats() []string {
	lib := e.library()
	if lib == nil {
		return nil
	}
	return lib.Formats()
}

// ReadFile is a file that the library finds for clients, at most limit bytes of it, and what messages call
// it. It fails where like rejects the text; what names the wanted kind in messages.
func (e *Engine) ReadFile(uri string, limit int64, what string, like func([]byte) bool) (data []byte,
	name string, err error) {
	l, ok := e.library().(interface {
		Read(uri string, limit int64, what string, like func([]byte) bool) ([]byte, string, error)
	})
	if !ok {
		return nil, "", fmt.Errorf("%w: this simulator has no library that reads files", sim.ErrUnsupported)
	}
	return l.Read(uri, limit, what, like)
}
