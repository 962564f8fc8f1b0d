package engine

import (
	"fmt"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// source is the world as loaded, which Reset builds again.
type source struct {
	load   uint64 // sim.Model.Load
	from   sim.LoadWorld
	info   sim.WorldInfo
	spec   *scene.WorldSpec
	cloud  *render.Cloud  // of spec.Site; nil: none
	models []*model.Model // by spec.Models
	ids    []uint64       // by spec.Models
	names  []string       // by spec.Models
	notes  scene.Notes
}

// collectSource checks what was read against what the command asks for.
func collectSource(c sim.LoadWorld, l Loaded) (source, error) {
	s := source{from: c, spec: l.world, cloud: l.cloud}
	seen := map[scene.Note]bool{} // models that are alike have the same notes
	add := func(notes scene.Notes) {
		for _, n := range notes {
			if !seen[n] {
				seen[n] = true
				s.notes = append(s.notes, n)
			}
		}
	}
	add(l.world.Notes)
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
			add(p.Spec.Notes)
			add(p.Notes)
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
	names, notes, err := nameModels(l.world, s.info.URI)
	s.names = names
	add(notes)
	return s, err
}

// CheckNames returns the notes and the error about names and places that loading a world has.
func CheckNames(w *scene.WorldSpec, uri string) (scene.Notes, error) {
	_, notes, err := nameModels(w, uri)
	return notes, err
}

// standIns is the number of boxes in the place of models that are not there.
func (s *source) standIns() (n int) {
	for i := range s.spec.Models {
		if m := s.spec.Models[i].Model; m != nil && slices.Contains(m.Info.Tags, scene.StandInTag) {
			n++
		}
	}
	return n
}

// nameModels gives every model of a world a valid name of its own, and notes those that change. It checks
// poses and speeds, too.
func nameModels(w *scene.WorldSpec, uri string) (names []string, notes scene.Notes, err error) {
	taken, own := map[string]int{}, map[string]bool{}
	for i := range w.Models {
		own[w.Models[i].Name] = true
	}
	for i := range w.Models {
		p := &w.Models[i]
		name := p.Name
		if sim.CheckName(name) != nil {
			name = sim.FreeName(sim.NameFrom(name), func(name string) bool {
				_, used := taken[name]
				return used || own[name]
			})
			notes = append(notes, scene.Note{Kind: scene.Suspicious, File: uri,
				Text: fmt.Sprintf("model %q goes by the name %q", p.Name, name)})
		}
		if other, ok := taken[name]; ok {
			return names, notes, fmt.Errorf("%w: world %q: models %d and %d are both named %q", sim.ErrParse,
				w.Name, other, i, name)
		}
		taken[name] = i
		names = append(names, name)
		if _, err := checkPose(p.Pose); err != nil {
			return names, notes, fmt.Errorf("%w: world %q: model %q: %w", sim.ErrParse, w.Name, name, err)
		}
		if t := p.Twist; !t.IsFinite() || max(t.Linear.MaxAbs(), t.Angular.MaxAbs()) > maxSpeed {
			return names, notes, fmt.Errorf("%w: world %q: model %q moves with %v; want at most %g m/s",
				sim.ErrParse, w.Name, name, t, maxSpeed)
		}
	}
	poses := map[string]bool{}
	for i := range w.NamedPoses {
		p := &w.NamedPoses[i]
		if poses[p.Name] {
			return names, notes, fmt.Errorf("%w: world %q: two named poses are called %q", sim.ErrParse, w.Name,
				p.Name)
		}
		poses[p.Name] = true
		if _, err := checkPose(p.Pose); err != nil {
			return names, notes, fmt.Errorf("%w: world %q: named pose %q: %w", sim.ErrParse, w.Name, p.Name, err)
		}
	}
	return names, notes, nil
}

// poses are the named poses of the world, each with a rotation of length one.
func (s *source) poses() []scene.NamedPose {
	out := append([]scene.NamedPose{}, s.spec.NamedPoses...)
	for i := range out {
		out[i].Pose, _ = checkPose(out[i].Pose)
	}
	return out
}

// startTime is the time at which the clock of the world begins.
func (s *source) startTime() time.Duration {
	if s.spec == nil || s.spec.Site == nil {
		return 0
	}
	return seconds(s.spec.Site.StartTime)
}

// stepSize is the length of a step, unless a command asked for another.
func (s *source) stepSize(asked time.Duration) (time.Duration, error) {
	if asked != 0 {
		return asked, nil
	}
	if s.spec.StepSize == 0 {
		return DefaultStepSize, nil
	}
	if err := checkStepSize(s.spec.StepSize); err != nil {
		return 0, fmt.Errorf("world %q: %w", s.spec.Name, err)
	}
	return seconds(s.spec.StepSize), nil
}

// realTimeFactor is the real-time factor that the world begins with, see Options.RealTime.
func (s *source) realTimeFactor(asked float64) float64 {
	switch {
	case asked < 0:
		return 0
	case asked > 0:
		return asked
	case s.spec.Unpaced:
		return 0
	case s.spec.RealTime > 0 && s.spec.RealTime <= maxRealTimeFactor:
		return s.spec.RealTime
	}
	return 1
}
