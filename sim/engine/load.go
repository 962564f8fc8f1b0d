package engine

import (
	"cmp"
	"fmt"

	"simdeck/sim"
	"simdeck/sim/r3"
)

// load replaces the world. When it fails the one that stands goes on as if nothing had been asked.
func (w *World) load(c sim.LoadWorld, l Loaded) (sim.Reply, error) {
	before := w.restorableBefore()
	if err := w.replaceWorld(func() error { return w.loadFrom(c, l) }); err != nil {
		w.state.cancelLoad()
		return nil, err
	}
	w.job.stop("a world was loaded")
	w.state.set(sim.Stopped)
	w.history.begin(w.options.Rewind, w.clock.stepSize)
	w.history.checkpoint(w)
	for _, n := range w.source.notes.Brief() {
		w.report(noteLevel(n.Kind), "world", "%s", n)
	}
	if n := w.source.standIns(); n > 0 {
		w.report(sim.Warn, "world", "%d of %d models are missing and boxes stand in for them: their notes say what to do", n,
			len(w.source.models))
	}
	return sim.WorldLoaded{World: w.source.info, Paused: w.source.spec.Paused, Before: before}, nil
}

// replaceWorld lets build put another world in the place of this one. When that fails, or panics, this one is
// as it was, but for what the log says. build replaces all entities and never changes them, so that a copy of
// the fields is enough.
func (w *World) replaceWorld(build func() error) (err error) {
	before := *w
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: building the world broke: %v", sim.ErrFailed, p)
		}
		if err != nil {
			journal := w.events
			*w = before
			w.events = journal
		}
	}()
	if err = build(); err == nil {
		w.source.load = before.source.load + 1
	}
	return err
}

func (w *World) loadFrom(c sim.LoadWorld, l Loaded) error {
	if l.err != nil {
		return l.err
	}
	src, err := collectSource(c, l)
	if err != nil {
		return err
	}
	dt, err := src.stepSize(w.options.StepSize)
	if err != nil {
		return err
	}
	src.ids = make([]uint64, len(src.models))
	for i := range src.ids {
		src.ids[i] = w.entities.newID()
	}
	w.source, w.clock.stepSize, w.clock.step = src, dt, 0
	w.clock.time = src.startTime()
	w.clock.realTimeFactor = src.realTimeFactor(w.options.RealTime)
	w.onFault = w.options.OnFault
	return w.addEntities()
}

// addEntities makes the entities of the loaded world, for loading and Reset.
func (w *World) addEntities() error {
	if err := w.empty(w.source.spec.Gravity); err != nil {
		return err
	}
	for i := range w.source.spec.Models {
		p := &w.source.spec.Models[i]
		compiled := w.source.models[i]
		model, _ := checkPose(p.Pose)
		start := model.Mul(compiled.Spec.Frame.Upright())
		if err := admit(&w.options.Limits, w.physics, len(w.entities.list), compiled, start); err != nil {
			return fmt.Errorf("world %q: entity %q: %w", w.source.spec.Name, w.source.names[i], err)
		}
		e := &entity{
			name: w.source.names[i], namespace: sim.NamespaceOf(p.Namespace, w.source.names[i]),
			id: w.source.ids[i], model: compiled,
			initialPose: start, initialTwist: p.Twist, info: infoOf(compiled), deletable: p.Deletable,
		}
		if err := w.entities.insert(e, w.physics, w.options.Seed, &w.clock); err != nil {
			return err
		}
	}
	w.entities.attachAtLast(w.physics, w.report)
	w.poses = w.source.poses()
	w.onStructureChanged()
	return nil
}

// unload leaves no world.
func (w *World) unload() error {
	switch w.state.now {
	case sim.NoWorld:
		return fmt.Errorf("%w: nothing to unload", sim.ErrNoWorld)
	case sim.LoadingWorld:
		return fmt.Errorf("%w: a world is being loaded; wait for it", sim.ErrIncorrectState)
	}
	w.job.stop("the world was unloaded")
	w.source = source{load: w.source.load}
	w.history.begin(0, 0)
	w.state.set(sim.NoWorld)
	w.clock.time, w.clock.step = 0, 0
	w.clock.stepSize = cmp.Or(w.options.StepSize, DefaultStepSize)
	// An empty world without gravity can always be made.
	_ = w.empty(r3.Vec{})
	return nil
}
