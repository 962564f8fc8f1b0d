package engine

import (
	"cmp"
	"fmt"
	"slices"

	"simdeck/sim"
	"simdeck/sim/dynamics"
)

// reset applies the scopes in the order Spawned, State, Time, or brings back
// the world as it was just after loading.
func (w *World) reset(c sim.Reset) error {
	scope := c.Scope
	const known = sim.ResetSpawned | sim.ResetState | sim.ResetTime
	if !scope.All() && scope&known == 0 {
		return fmt.Errorf("%w: reset scope %d; want 0 or 255 (all), or a sum of 1 (time), 2 (state) and 4 (spawned)",
			sim.ErrUnsupported, uint8(scope))
	}
	if err := w.state.needWorld(c); err != nil {
		return err
	}
	if err := checkMove(c, w.source.names, &w.entities); err != nil {
		return err
	}
	undo := w.undo()
	w.job.stop("the simulation was reset")
	err := w.resetScopes(scope)
	if err == nil && c.Move != "" {
		err = w.setEntityState(sim.SetEntityState{Name: c.Move, Pose: &c.To})
	}
	if err != nil {
		undo()
		return err
	}
	w.state.halted = ""
	return nil
}

// undo copies the world and returns the function that puts the copy back. A copy of the fields alone would
// not do: a reset removes bodies from the physics that stand, and restarts sensors of entities in place.
func (w *World) undo() func() {
	before, entities := *w, make([]*entity, len(w.entities.list))
	var physics dynamics.World
	physics.CopyFrom(w.physics)
	for i, e := range w.entities.list {
		entities[i] = &entity{}
		entities[i].copyFrom(e)
		entities[i].sensors.ContinueFrom(&e.sensors)
	}
	return func() {
		*w = before
		w.physics.CopyFrom(&physics)
		w.entities.list = entities
		w.onStructureChanged()
	}
}

// checkMove checks what a reset is asked to move, which is refused before anything happened. It knows the
// names that the loaded world gave.
func checkMove(c sim.Reset, loaded []string, entities *entitySet) error {
	if c.Move == "" {
		return nil
	}
	if slices.Contains(loaded, c.Move) && c.Scope.All() {
		_, err := checkPose(c.To) // also when it was deleted: it comes back
		return err
	}
	e, err := entities.find(c.Move)
	if err == nil && e.spawned {
		err = fmt.Errorf("%w: entity %q was spawned, a reset takes it away", sim.ErrNotFound, c.Move)
	}
	if err == nil {
		_, err = checkPose(c.To)
	}
	return err
}

func (w *World) resetScopes(scope sim.ResetScope) error {
	if scope.All() {
		return w.rebuildWorld()
	}
	if scope&sim.ResetSpawned != 0 && w.entities.removeSpawned(w.physics) {
		w.onStructureChanged()
	}
	if scope&sim.ResetState != 0 {
		if err := w.restoreInitialPoses(); err != nil {
			return err
		}
	}
	if scope&sim.ResetTime != 0 {
		from := w.clock.time
		w.clock.time, w.clock.step = w.source.startTime(), 0
		w.entities.restart(from, &w.clock)
		w.snapshots.sampleStep++
	}
	return nil
}

// rebuildWorld makes the world anew from what was loaded. It goes through the same
// motions as loading, so that the result is the same to the last bit.
func (w *World) rebuildWorld() error {
	before := *w
	w.clock.time, w.clock.step = w.source.startTime(), 0
	if err := w.addEntities(); err != nil {
		*w = before
		return err
	}
	return nil
}

// restoreInitialPoses takes every entity to its initial pose, at rest, with its initial
// joint positions and the information of its sidecar.
func (w *World) restoreInitialPoses() error {
	fresh := slices.Clone(w.entities.list)
	slices.SortFunc(fresh, func(a, b *entity) int { return cmp.Compare(a.id, b.id) })
	poses := w.poses
	if err := w.empty(w.gravity); err != nil {
		return err
	}
	for i, old := range fresh {
		e := *old
		fresh[i] = &e
		e.info, e.fault = infoOf(e.model), nil
		if err := w.entities.insert(fresh[i], w.physics, w.options.Seed, &w.clock); err != nil {
			return err
		}
		fresh[i].sensors.ContinueFrom(&old.sensors)
		fresh[i].control.ContinueOdometry(&old.control, w.clock.time)
	}
	w.entities.attachAtLast(w.physics, w.report)
	w.poses = poses
	w.onStructureChanged()
	return nil
}
