package engine

import (
	"fmt"
	"time"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// beginLoad announces that a world is being read. The one that stands waits meanwhile, with a StepWorld that
// is under way.
func (w *World) beginLoad() error {
	if w.state == sim.LoadingWorld {
		return fmt.Errorf("%w: another world is being loaded; wait for it", sim.ErrBusy)
	}
	w.stateAfterSteps, w.state = w.state, sim.LoadingWorld
	return nil
}

// load replaces the world. When it fails the one that stands goes on as if nothing had been asked.
func (w *World) load(c sim.LoadWorld, l Loaded) (sim.Reply, error) {
	if err := w.replaceWorld(func() error { return w.loadFrom(c, l) }); err != nil {
		if w.state == sim.LoadingWorld {
			w.state = w.stateAfterSteps
		}
		return nil, err
	}
	w.stopSteps("a world was loaded")
	w.state = sim.Stopped
	w.history.begin(w.options.Rewind, w.clock.stepSize)
	w.history.checkpoint(w)
	for i := range w.source.notes {
		w.report(noteLevel(w.source.notes[i].Kind), "world", "%s", w.source.notes[i])
	}
	return sim.WorldLoaded{World: w.source.info}, nil
}

// replaceWorld lets build put another world in the place of this one. When that fails, or panics, this one is
// as it was, but for what the log says. Whatever stands in the world is built anew and never changed by
// build, so that a copy of the fields is enough.
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
	return build()
}

func (w *World) loadFrom(c sim.LoadWorld, l Loaded) error {
	if l.err != nil {
		return l.err
	}
	src, err := collectSource(c, l)
	if err != nil {
		return err
	}
	dt := w.options.StepSize
	if dt == 0 {
		dt = DefaultStepSize
		if s := l.world.StepSize; s != 0 {
			if err := checkStepSize(s); err != nil {
				return fmt.Errorf("world %q: %w", l.world.Name, err)
			}
			dt = seconds(s)
		}
	}
	src.ids = make([]uint64, len(src.models))
	for i := range src.ids {
		w.lastID++
		src.ids[i] = w.lastID
	}
	w.source, w.clock.stepSize, w.clock.step = src, dt, 0
	w.clock.time = w.startTime()
	w.clock.realTimeFactor = w.initialRealTimeFactor(l.world)
	w.onFault, w.halted = w.options.OnFault, ""
	return w.addEntities()
}

// initialRealTimeFactor is the real-time factor that a world begins with.
func (w *World) initialRealTimeFactor(s *scene.WorldSpec) float64 {
	switch {
	case w.options.RealTime < 0:
		return 0
	case w.options.RealTime > 0:
		return w.options.RealTime
	case s.Unpaced:
		return 0
	case s.RealTime > 0 && s.RealTime <= maxRealTimeFactor:
		return s.RealTime
	}
	return 1
}

// collectSource checks what was read against what the command asks for.
func collectSource(c sim.LoadWorld, l Loaded) (source, error) {
	s := source{from: c, spec: l.world, cloud: l.cloud, notes: append(scene.Notes{}, l.world.Notes...)}
	s.info = sim.WorldInfo{Name: l.world.Name, URI: c.Resource.URI, Description: l.world.Description,
		Tags: l.world.Tags}
	noted := map[*model.Model]bool{}
	for i := range l.models {
		if err := l.models[i].err; err != nil {
			return s, fmt.Errorf("world %q: %w", l.world.Name, err)
		}
		p := l.models[i].model
		if !noted[p] {
			noted[p] = true
			s.notes = append(append(s.notes, p.Spec.Notes...), p.Notes...)
		}
		s.models = append(s.models, p)
		if err := missingAssets(p); err != nil && !c.IgnoreMissingAssets {
			return s, err
		}
	}
	for _, n := range s.notes {
		switch {
		case n.Kind == scene.Unsupported && c.FailOnUnsupported:
			return s, fmt.Errorf("%w: %s", sim.ErrUnsupportedParts, n)
		case n.Kind == scene.Missing && !c.IgnoreMissingAssets:
			return s, fmt.Errorf("%w: %s", sim.ErrMissingAssets, n)
		case n.Kind == scene.Unreadable && !c.IgnoreMissingAssets:
			return s, fmt.Errorf("%w: %s", sim.ErrUnreadableAssets, n)
		}
	}
	if !l.world.Gravity.IsFinite() || l.world.Gravity.MaxAbs() > maxSpeed {
		return s, fmt.Errorf("%w: world %q: gravity %v m/s²", sim.ErrParse, l.world.Name, l.world.Gravity)
	}
	return s, s.name()
}

// name gives every model of the world a valid name of its own.
func (s *source) name() error {
	taken := map[string]int{}
	for i := range s.spec.Models {
		p := &s.spec.Models[i]
		name := p.Name
		if sim.CheckName(name) != nil {
			name = sim.NameFrom(name)
			s.notes = append(s.notes, scene.Note{Kind: scene.Suspicious, File: s.info.URI,
				Text: fmt.Sprintf("model %q goes by the name %q", p.Name, name)})
		}
		if other, ok := taken[name]; ok {
			return fmt.Errorf("%w: world %q: models %d and %d are both named %q", sim.ErrParse, s.spec.Name,
				other, i, name)
		}
		taken[name] = i
		s.names = append(s.names, name)
		if _, err := checkPose(p.Pose); err != nil {
			return fmt.Errorf("%w: world %q: model %q: %w", sim.ErrParse, s.spec.Name, name, err)
		}
		if t := p.Twist; !t.IsFinite() || max(t.Linear.MaxAbs(), t.Angular.MaxAbs()) > maxSpeed {
			return fmt.Errorf("%w: world %q: model %q moves with %v; at most %g m/s is right", sim.ErrParse,
				s.spec.Name, name, t, maxSpeed)
		}
	}
	poses := map[string]bool{}
	for i := range s.spec.NamedPoses {
		p := &s.spec.NamedPoses[i]
		if poses[p.Name] {
			return fmt.Errorf("%w: world %q: two named poses are called %q", sim.ErrParse, s.spec.Name, p.Name)
		}
		poses[p.Name] = true
		if _, err := checkPose(p.Pose); err != nil {
			return fmt.Errorf("%w: world %q: named pose %q: %w", sim.ErrParse, s.spec.Name, p.Name, err)
		}
	}
	return nil
}

// addEntities makes the world that was loaded; it is what loading and Reset share.
func (w *World) addEntities() error {
	if err := w.empty(w.source.spec.Gravity); err != nil {
		return err
	}
	for i := range w.source.spec.Models {
		p := &w.source.spec.Models[i]
		compiled := w.source.models[i]
		model, _ := checkPose(p.Pose)
		start := model.Mul(compiled.Spec.Frame.Upright())
		if err := w.admit(compiled, start); err != nil {
			return fmt.Errorf("world %q: entity %q: %w", w.source.spec.Name, w.source.names[i], err)
		}
		err := w.insert(&entity{
			name: w.source.names[i], namespace: sim.NamespaceOf(p.Namespace, w.source.names[i]),
			id: w.source.ids[i], model: compiled,
			initialPose: start, initialTwist: p.Twist, info: infoOf(compiled), deletable: p.Deletable,
		})
		if err != nil {
			return err
		}
	}
	w.poses = w.source.poses()
	w.onStructureChanged()
	return nil
}

func (s *source) poses() []scene.NamedPose {
	out := append([]scene.NamedPose{}, s.spec.NamedPoses...)
	for i := range out {
		out[i].Pose, _ = checkPose(out[i].Pose)
	}
	return out
}

// unload leaves no world.
func (w *World) unload() error {
	switch w.state {
	case sim.NoWorld:
		return fmt.Errorf("%w: nothing to unload", sim.ErrNoWorld)
	case sim.LoadingWorld:
		return fmt.Errorf("%w: a world is being loaded; wait for it", sim.ErrIncorrectState)
	}
	w.stopSteps("the world was unloaded")
	w.clearWorld()
	return nil
}

// startTime is the time at which the clock of a world begins.
func (w *World) startTime() time.Duration {
	if w.source.spec == nil || w.source.spec.Site == nil {
		return 0
	}
	return seconds(w.source.spec.Site.StartTime)
}

func (w *World) clearWorld() {
	w.source = source{}
	w.history.begin(0, 0)
	w.state, w.clock.time, w.clock.step = sim.NoWorld, 0, 0
	// An empty world without gravity can always be made.
	_ = w.empty(r3.Vec{})
}
