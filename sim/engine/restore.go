package engine

import (
	"slices"

	"simdeck/sim"
	"simdeck/sim/statecodec"
)

// Restorable is the command that takes this world up where it is now, in another world. Rewind there
// cannot go back beyond this step.
func (w *World) Restorable() (sim.Restore, error) {
	if err := w.state.needWorld(sim.Restore{}); err != nil {
		return sim.Restore{}, err
	}
	c := sim.Restore{
		Version: sim.RestoreVersion, World: w.source.from, State: w.state.now, Time: w.clock.time,
		Step: w.clock.step,
		Pace: w.clock.realTimeFactor, LastID: w.entities.lastID, Groups: w.entities.groups,
		IDs: slices.Clone(w.source.ids), Steps: [2]uint64{w.job.left, w.job.done}, Stepping: w.job.running,
		Gravity: w.gravity,
		Slots:   sim.SlotLayout(w.physics.SlotLayout()), Physics: w.physics.AppendState(nil), Hash: w.Hash(),
	}
	if w.onFault != w.options.OnFault {
		c.OnFault = w.onFault.String()
	}
	c.Attached = w.entities.restorableAttachments(w.physics)
	for _, e := range w.entities.list {
		r := sim.RestoredEntity{Fault: e.fault, Name: e.name, Namespace: e.namespace, ID: e.id,
			Spawned: e.spawned, Deletable: e.deletable, Resource: e.resource, Start: e.initialPose,
			Moving: e.initialTwist,
			Info:   e.info, Placement: sim.Placement(w.physics.PlacementOf(e.bodies, e.joints))}
		r.Trajectories, r.Lamps = e.control.RestorableTrajectories(), e.control.Lamps().Restorable()
		e.codeState(func(x *uint64) { r.Words = append(r.Words, *x) })
		c.Entities = append(c.Entities, r)
	}
	return c, nil
}

// restorableBefore is the command that undoes a load: it takes up the world that stands, in the state from
// before the load began. A StepWorld that is under way is not continued. nil: there is no world.
func (w *World) restorableBefore() *sim.Restore {
	standing := *w
	if standing.state.now == sim.LoadingWorld {
		standing.state.now = standing.state.beforeLoad
	}
	standing.job.end(nil)
	c, err := standing.Restorable()
	if err != nil {
		return nil
	}
	return &c
}

// whatItIs are the commands that make of a new world with the same options and position what this one is.
func (w *World) whatItIs() (all []sim.Command) {
	standing, loads := *w, w.state.now == sim.LoadingWorld
	if loads {
		standing.state.now = standing.state.beforeLoad
	}
	if c, err := standing.Restorable(); err == nil {
		all = append(all, c)
	} else if w.onFault != w.options.OnFault { // there is no world
		all = append(all, sim.SetFaultPolicy{Policy: w.onFault})
	}
	if loads {
		all = append(all, sim.BeginLoad{})
	}
	return all
}

// codeState visits everything that an entity remembers beside its bodies, joints and trajectories.
func (e *entity) codeState(v statecodec.Visitor) {
	v.Flag(&e.hasWrench)
	v.Twist(&e.wrench)
	e.control.CodeMotors(v)
	e.sensors.CodeState(v)
	e.control.CodeDrives(v)
	e.control.Actor().CodeState(v)
	e.control.Signal().CodeState(v)
	e.codeWaiting(v)
}
