package engine

import (
	"context"
	"fmt"
	"slices"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/scene"
)

// restore takes up a world. When it fails nothing has changed.
func (w *World) restore(c sim.Restore, l Loaded) error {
	if c.Version != sim.RestoreVersion {
		return fmt.Errorf("%w: a state of version %d; this simdeck reads %d", sim.ErrUnsupported, c.Version,
			sim.RestoreVersion)
	}
	err := w.replaceWorld(func() error {
		if err := w.restoreFrom(c, l); err != nil {
			return err
		}
		if err := w.Validate(); err != nil {
			return err
		}
		if w.Hash() != c.Hash {
			return fmt.Errorf("%w: the world is %016x, and was %016x: its files have changed, or the state is damaged",
				sim.ErrFailed, w.Hash(), c.Hash)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("taking up %s: %w", sim.DescribeResource(c.World.Resource), err)
	}
	w.history.begin(w.options.Rewind, w.clock.stepSize)
	w.history.checkpoint(w)
	return nil
}

func (w *World) restoreFrom(c sim.Restore, l Loaded) error {
	if err := w.loadFrom(c.World, l); err != nil {
		return err
	}
	if len(l.others) != len(c.Entities) {
		return fmt.Errorf("%w: nothing was read for this command", sim.ErrFailed)
	}
	if len(c.IDs) != len(w.source.ids) {
		return fmt.Errorf("%w: the world has %d models, and had %d", sim.ErrFailed, len(w.source.ids),
			len(c.IDs))
	}
	if err := checkPace(c.Pace); err != nil {
		return err
	}
	switch c.State {
	case sim.Stopped, sim.Playing, sim.Paused:
	default:
		return fmt.Errorf("%w: a world cannot be restored in state %s", sim.ErrIncorrectState, c.State)
	}
	copy(w.source.ids, c.IDs)
	if err := w.empty(c.Gravity); err != nil {
		return err
	}
	if err := w.physics.ReserveSlots(dynamics.SlotLayout(c.Slots)); err != nil {
		return fmt.Errorf("%w: %w", sim.ErrFailed, err)
	}
	w.clock.time = c.Time // entities look at the clock
	for i := range c.Entities {
		if err := w.restoreEntity(&c.Entities[i], l.others[i]); err != nil {
			return fmt.Errorf("entity %q: %w", c.Entities[i].Name, err)
		}
	}
	for i := range c.Attached {
		if err := w.entities.restoreAttachment(w.physics, &c.Attached[i]); err != nil {
			return err
		}
	}
	if err := w.physics.CommitSlots(dynamics.SlotLayout(c.Slots)); err != nil {
		return fmt.Errorf("%w: %w", sim.ErrFailed, err)
	}
	if err := w.physics.RestoreState(c.Physics); err != nil {
		return fmt.Errorf("%w: %w", sim.ErrFailed, err)
	}
	for i := range c.Entities {
		e, err := w.entities.find(c.Entities[i].Name)
		if err == nil {
			err = e.restoreState(&c.Entities[i])
		}
		if err != nil {
			return fmt.Errorf("entity %q: %w", c.Entities[i].Name, err)
		}
	}
	w.state.set(c.State)
	w.clock.step, w.clock.realTimeFactor = c.Step, c.Pace
	w.entities.lastID, w.entities.groups = c.LastID, c.Groups
	if c.OnFault != "" {
		p, err := sim.ParseFaultPolicy(c.OnFault)
		if err == nil {
			err = w.setFaultPolicy(p)
		}
		if err != nil {
			return err
		}
	}
	w.job = stepJob{running: c.Stepping, left: c.Steps[0], done: c.Steps[1]}
	w.awake = w.physics.Stats().Awake
	w.poses = w.source.poses()
	w.onStructureChanged()
	return nil
}

// restoreEntity puts an entity where it stood, as it came into the world.
func (w *World) restoreEntity(r *sim.RestoredEntity, m loadedModel) error {
	if err := sim.CheckName(r.Name); err != nil {
		return err
	}
	if _, taken := w.entities.lookup(r.Name); taken {
		return fmt.Errorf("%w: it is there twice", sim.ErrFailed)
	}
	compiled, i := m.model, slices.Index(w.source.ids, r.ID)
	switch {
	case m.err != nil:
		return m.err
	case !r.Spawned && i < 0:
		return fmt.Errorf("%w: the world has no model number %d", sim.ErrFailed, r.ID)
	case !r.Spawned:
		compiled = w.source.models[i]
	}
	if err := sim.CheckNamespace(r.Namespace); err != nil {
		return err
	}
	if err := checkInfo(sim.SetEntityInfo{Name: r.Name, Info: r.Info}); err != nil {
		return err
	}
	if _, err := checkPose(r.Start); err != nil {
		return err
	}
	if err := w.physics.PlaceNext(dynamics.Placement(r.Placement)); err != nil {
		return fmt.Errorf("%w: %w", sim.ErrFailed, err)
	}
	e := &entity{name: r.Name, namespace: r.Namespace, id: r.ID, model: compiled,
		initialPose: r.Start, initialTwist: r.Moving, info: r.Info, spawned: r.Spawned,
		deletable: r.Deletable, resource: r.Resource}
	return w.entities.insert(e, w.physics, w.options.Seed, &w.clock)
}

// restoreState gives an entity what it remembered.
func (e *entity) restoreState(r *sim.RestoredEntity) error {
	e.fault = r.Fault
	next, count := 0, 0
	e.codeState(func(*uint64) { count++ })
	if count != len(r.Words) {
		return fmt.Errorf("%w: %d numbers, want %d", sim.ErrFailed, len(r.Words), count)
	}
	e.codeState(func(x *uint64) {
		*x = r.Words[next]
		next++
	})
	if err := e.control.Lamps().Restore(r.Lamps); err != nil {
		return err
	}
	return e.control.RestoreTrajectories(r.Trajectories)
}

// loadRestore reads a world through another reader, and what was spawned into it.
func (r *reader) loadRestore(ctx context.Context, c sim.Restore, worlds *reader) Loaded {
	l := worlds.world(ctx, c.World.Resource)
	if l.err != nil {
		return l
	}
	known := map[scene.Resource]loadedModel{}
	for i := range c.Entities {
		e := &c.Entities[i]
		if !e.Spawned {
			l.others = append(l.others, loadedModel{})
			continue
		}
		m, again := known[e.Resource]
		if !again {
			m = r.model(ctx, e.Resource)
			known[e.Resource] = m
		}
		l.others = append(l.others, m)
	}
	return l
}
