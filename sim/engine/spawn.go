package engine

import (
	"fmt"
	"strings"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/scene"
)

// spawn puts a model into the world.
func (w *World) spawn(c sim.Spawn, l Loaded) (sim.Reply, error) {
	name, err := w.spawnOne(c, l.model(0))
	if err != nil {
		return nil, err
	}
	return sim.Spawned{Name: name}, nil
}

// spawnBatch spawns each of a list; one may stand in the frame of another
// before it.
func (w *World) spawnBatch(c sim.SpawnBatch, l Loaded) (sim.Reply, error) {
	results := make([]sim.SpawnResult, len(c.Spawns))
	for i, s := range c.Spawns {
		results[i].Name, results[i].Err = w.spawnOne(s, l.model(i))
		if results[i].Err != nil {
			results[i].Name = s.Name
			w.report(sim.Warn, s.Name, "not spawned: %v", results[i].Err)
		}
	}
	return sim.BatchSpawned{Results: results}, nil
}

// spawnOne leaves either a whole entity or nothing.
func (w *World) spawnOne(c sim.Spawn, m loadedModel) (string, error) {
	asked := c.Name
	c.Name = strings.TrimLeft(c.Name, "/")
	name, err := w.entities.chooseName(c, m)
	if err != nil {
		return "", err
	}
	if err := sim.CheckNamespace(c.Namespace); err != nil {
		return "", fmt.Errorf("entity %q: %w", name, err)
	}
	if m.err != nil {
		return "", fmt.Errorf("entity %q: %w", name, m.err)
	}
	if err := missingAssets(m.model); err != nil {
		return "", fmt.Errorf("entity %q: %w", name, err)
	}
	pose, err := resolvePose(c.Pose, w.Snapshot)
	if err != nil {
		return "", fmt.Errorf("entity %q: %w", name, err)
	}
	if err := admit(&w.options.Limits, w.physics, len(w.entities.list), m.model, pose); err != nil {
		return "", fmt.Errorf("entity %q: %w", name, err)
	}
	e := &entity{
		name: name, namespace: sim.NamespaceOf(c.Namespace, name), id: w.entities.newID(), model: m.model,
		initialPose: pose, info: infoOf(m.model), resource: c.Resource, spawned: true, deletable: true,
	}
	if err := w.entities.insert(e, w.physics, w.options.Seed, &w.clock); err != nil {
		return "", err
	}
	w.entities.attachAtLast(w.physics, w.report)
	w.onStructureChanged()
	if asked != c.Name {
		w.report(sim.Info, name, "names begin without a slash: %q is %q", asked, name)
	}
	for _, n := range e.notes().Brief() {
		w.report(noteLevel(n.Kind), name, "%s", n)
	}
	return name, nil
}

// missingAssets refuses models whose collision meshes are not all there: they
// would be touched and seen otherwise than they are.
func missingAssets(p *model.Model) error {
	if len(p.MissingMeshes) == 0 {
		return nil
	}
	kind, sentinel := scene.Missing, sim.ErrMissingAssets
	if !p.Spec.Notes.Has(scene.Missing) && p.Spec.Notes.Has(scene.Unreadable) {
		kind, sentinel = scene.Unreadable, sim.ErrUnreadableAssets
	}
	var why []string
	for _, n := range p.Spec.Notes {
		if n.Kind == kind {
			why = append(why, n.String())
		}
	}
	return fmt.Errorf("%w: model %q lacks %s (%s)", sentinel, p.Spec.Name,
		strings.Join(p.MissingMeshes, ", "), strings.Join(why, "; "))
}

// infoOf is the information about a model. Without a category in a sidecar, its category follows from its
// abilities.
func infoOf(p *model.Model) scene.Info {
	info := p.Spec.Info
	if info.Category != scene.Object || info.Description != "" || len(info.Tags) > 0 {
		return info
	}
	switch {
	case len(p.Spec.Drives) > 0:
		info.Category = scene.Robot
	case p.Static:
		info.Category = scene.StaticObject
	}
	return info
}

// notes are the reader's and the engine's on an entity.
func (e *entity) notes() scene.Notes {
	if len(e.model.Notes) == 0 {
		return e.model.Spec.Notes
	}
	return append(append(scene.Notes{}, e.model.Spec.Notes...), e.model.Notes...)
}

func noteLevel(k scene.NoteKind) sim.Level {
	if k.Harmless() {
		return sim.Info
	}
	return sim.Warn
}
